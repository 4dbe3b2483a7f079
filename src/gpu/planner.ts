/** What plans are made of, and the plans of queries, in both dimensions. */
import { usesFixedPoint } from '../records/bodies.ts';
import type { AskedQuery, PairQuery, PrepareRequest } from '../request/backend.ts';
import type { ShapeBase } from '../shapes/shape-table.ts';
import type { AdapterClass } from './adapter-class.ts';
import type { KindPair } from './classes.ts';
import { leftList, overLeft, type Plan, type Step } from './steps.ts';

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
  adapter: AdapterClass;
  /** Whether the fallback steps run after the others in the same pass, over the lists that these leave. */
  isBatch: boolean;
}

/**
 * A plan whose `steps` and `fallbackSteps` lack the last steps, which make features or manifolds. In a query the last
 * steps run after `steps`, and their kernels again after `fallbackSteps`, over the pairs that were left for those; in a
 * batch they run once, at the end.
 */
export interface OpenPlan extends Plan {
  lastSteps: readonly Step[];
}

/** Makes the plans of a dimension. */
export interface Planner<Shape extends ShapeBase = ShapeBase> {
  plan(request: PlanRequest<Shape>): OpenPlan;
  /** A key that differs between shapes that need different kernels. */
  keyOf(shape: Shape): string;
}

/** What plans depend on besides the pairs, for a query, or for those that `prepare` is called for. */
export function planForm(
  { query, leadStage, mprDepth, margin }: PairQuery,
  { hasFixedPoint, isWarm, motion }: Pick<PrepareRequest, 'hasFixedPoint' | 'isWarm' | 'motion'>,
  adapter: AdapterClass,
): PlanForm {
  const { isRotating = false, passesParting = false } = motion ?? {};
  const what = { query, leadStage, mprDepth, margin };
  return { ...what, hasFixedPoint, isWarm, isRotating, passesParting, adapter, isBatch: false };
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

/** The plan of a query. */
export function makePlan(planner: Planner, request: PlanRequest): Plan {
  const { lastSteps, ...plan } = planner.plan(request);
  return {
    ...plan,
    steps: [...plan.steps, ...lastSteps],
    fallbackSteps: plan.fallbackSteps.length > 0 ? [leftList, ...plan.fallbackSteps, ...overLeft(lastSteps)] : [],
  };
}
