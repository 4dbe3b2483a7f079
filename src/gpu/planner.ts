/** From queries and batches to plans, in either dimension. */
import type { MprDepth } from '../api/options.ts';
import type { QueryName } from '../api/queries.ts';
import { CORE_POINT } from '../generated/constants.ts';
import { hasCells } from '../records/bodies.ts';
import type { BatchRequest, FirstRung, QueryRequest } from '../request/backend.ts';
import type { ShapeBase } from '../shapes/shape-table.ts';
import { type KindPair, kindsOfPairs, kindsOfShapes } from './classes.ts';
import type { Plan, Step } from './steps.ts';

export interface PlanRequest<Shape extends ShapeBase = ShapeBase> {
  query: QueryName;
  /** Kinds of the pairs' shapes, each two once. */
  kinds: readonly KindPair[];
  first: FirstRung;
  mprDepth?: MprDepth;
  /** In use, or that may come into use. */
  shapes: readonly (Shape | undefined)[];
  margin: number;
  /** Whether positions are 64-bit numbers. */
  isWide: boolean;
  /** Whether searches start from the simplex that the last one of the pair ended with. */
  isWarm: boolean;
  /**
   * Whether pairs that EPA does not resolve are left to the arcs in any case; otherwise where a hull is large or
   * searches start warm.
   */
  hasArcs: boolean;
  /**
   * Of impacts: whether bodies turn, and whether those that overlap or touch to begin with meet only where they close
   * in.
   */
  isTurning: boolean;
  passesParting: boolean;
}

/**
 * A plan without what it ends with: features or manifolds, which are made once, whether later steps come before or not.
 */
export interface OpenPlan extends Plan {
  lastSteps: readonly Step[];
}

/** Makes the plans of a dimension. */
export interface Planner<Shape extends ShapeBase = ShapeBase> {
  plan(request: PlanRequest<Shape>): OpenPlan;
  /** Tells shapes apart that need other kernels. */
  keyOf(shape: Shape): string;
}

/** The plan of a query, for the kinds of its pairs. */
export function planQuery(
  planner: Planner,
  request: Pick<
    QueryRequest,
    'query' | 'first' | 'mprDepth' | 'bodies' | 'pairs' | 'shapes' | 'margin' | 'motion' | 'warmStart'
  >,
): Plan {
  const { query, first, mprDepth, bodies, shapes, margin, motion } = request;
  const isUsed = new Uint8Array(shapes.shapes.length);
  for (const id of bodies.shapes) isUsed[id] = 1;
  const { lastSteps, ...plan } = planner.plan({
    query,
    kinds: kindsOfPairs(request),
    first,
    mprDepth,
    shapes: shapes.shapes.filter((_, id) => isUsed[id]),
    margin,
    isWide: hasCells(bodies),
    isWarm: request.warmStart !== undefined,
    hasArcs: true,
    isTurning: motion?.angular !== undefined,
    passesParting: motion?.passesParting ?? false,
  });
  return {
    ...plan,
    steps: [...plan.steps, ...lastSteps],
    laterSteps: plan.laterSteps.length > 0 ? [...plan.laterSteps, ...lastSteps] : [],
  };
}

/** Where there is no shape no pair is valid, which the kernel of spheres, or circles, finds as well as any. */
const NO_KINDS: readonly KindPair[] = [[CORE_POINT, CORE_POINT]];

/** The plan of a batch, for all pairs that these shapes can form. */
export function planBatch(
  planner: Planner,
  request: Pick<BatchRequest, 'query' | 'first' | 'mprDepth' | 'margin' | 'isWarm' | 'hasArcs' | 'motion'> & {
    isWide?: boolean;
  },
  shapes: readonly (ShapeBase | undefined)[],
): Plan {
  const { query, first, mprDepth, margin, isWarm, hasArcs, motion, isWide = false } = request;
  const found = kindsOfShapes(shapes);
  const { lastSteps, ...plan } = planner.plan({
    query,
    kinds: found.length > 0 ? found : NO_KINDS,
    first,
    mprDepth,
    shapes,
    margin,
    isWide,
    isWarm,
    hasArcs,
    isTurning: motion?.isTurning ?? false,
    passesParting: motion?.passesParting ?? false,
  });
  return { ...plan, steps: [...plan.steps, ...plan.laterSteps, ...lastSteps] };
}
