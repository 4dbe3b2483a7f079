/** What plans are made of, in both dimensions. */
import { CORE_POINT } from '../generated/constants.ts';
import type { QueryName } from '../api/queries.ts';
import { usesFixedPoint } from '../records/bodies.ts';
import type { AskedQuery, PairQuery, PrepareRequest } from '../request/backend.ts';
import type { ShapeBase } from '../shapes/shape-table.ts';
import type { AdapterClass } from './adapter-class.ts';
import { kindsOfShapes, type KindPair } from './classes.ts';
import type { Plan } from './steps.ts';

export interface PlanRequest<Shape extends ShapeBase = ShapeBase> extends PlanForm {
  /** Kinds of the pairs' shapes, each combination once. */
  kinds: readonly KindPair[];
  /** Shapes that are in use, or may come into use. */
  shapes: readonly (Shape | undefined)[];
}

/** What plans have in common of queries and batches whose options are alike. */
export interface PlanForm extends PairQuery {
  /** Whether positions are 64-bit numbers, which kernels get as fixed-point numbers. */
  hasFixedPoint: boolean;
  /** Whether searches start from the last simplex of the pair's last search. */
  isWarm: boolean;
  /**
   * For `impacts`: whether bodies rotate, and whether bodies that overlap or touch at the start meet only if they close
   * in.
   */
  isRotating: boolean;
  passesParting: boolean;
  /** Whether kernels take pairs of parts, as the shapes of bodies may be compounds and meshes. */
  hasParts?: true;
  adapter: AdapterClass;
}

/** Makes the plans of a dimension. */
export interface Planner<Shape extends ShapeBase = ShapeBase> {
  plan(request: PlanRequest<Shape>): Plan;
  /** A key that differs between shapes that need different kernels. */
  keyOf(shape: Shape): string;
}

/** The planners of a dimension. */
export interface Planners {
  /** The one for a query, which may have to be loaded. */
  of(query: QueryName): Planner | Promise<Planner>;
}

/** What plans depend on besides the pairs, for a query, or for those that `prepare` is called for. */
export function planForm(
  { query, leadStage, mprDepth, margin }: PairQuery,
  { hasFixedPoint, isWarm, motion }: Pick<PrepareRequest, 'hasFixedPoint' | 'isWarm' | 'motion'>,
  adapter: AdapterClass,
): PlanForm {
  const { isRotating = false, passesParting = false } = motion ?? {};
  const what = { query, leadStage, mprDepth, margin };
  return { ...what, hasFixedPoint, isWarm, isRotating, passesParting, adapter };
}

/** The same for a query. */
export function formOfQuery({ what, over }: AskedQuery, adapter: AdapterClass): PlanForm {
  const { bodies, motion, warmStart } = over;
  const { duration = 0, angular, passesParting = false } = motion ?? {};
  const given = {
    hasFixedPoint: usesFixedPoint(bodies),
    isWarm: warmStart !== undefined,
    motion: { duration, isRotating: angular !== undefined, passesParting },
  };
  return planForm(what, given, adapter);
}

/** Without shapes no pair is valid. Any kernel finds that; this is the kernel of spheres, or circles. */
const NO_KINDS: readonly KindPair[] = [[CORE_POINT, CORE_POINT]];

/** The plan for all pairs that these shapes can form. */
export function planShapes(planner: Planner, form: PlanForm, shapes: readonly (ShapeBase | undefined)[]): Plan {
  const kinds = kindsOfShapes(shapes);
  return planner.plan({ ...form, kinds: kinds.length > 0 ? kinds : NO_KINDS, shapes });
}
