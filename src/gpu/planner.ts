/** The plans of queries and batches, in both dimensions. */
import type { MprDepth } from '../api/options.ts';
import type { QueryName } from '../api/queries.ts';
import type { KernelName } from '../generated/kernel-table.ts';
import { CORE_POINT } from '../generated/constants.ts';
import { usesFixedPoint } from '../records/bodies.ts';
import type { BatchRequest, LeadStage, QueryRequest } from '../request/backend.ts';
import type { ShapeBase } from '../shapes/shape-table.ts';
import { type KindPair, type PairFacts, kindsOfShapes, pairFacts } from './classes.ts';
import { leftList, overLeft, type Plan, type Step } from './steps.ts';

export interface PlanRequest<Shape extends ShapeBase = ShapeBase> {
  query: QueryName;
  /** Kinds of the pairs' shapes, each combination once. */
  kinds: readonly KindPair[];
  leadStage: LeadStage;
  mprDepth?: MprDepth;
  /** Shapes that are in use, or may come into use. */
  shapes: readonly (Shape | undefined)[];
  margin: number;
  /** Whether positions are 64-bit numbers, which kernels get as fixed-point numbers. */
  hasFixedPoint: boolean;
  /** Whether searches start from the last simplex of the pair's last search. */
  isWarm: boolean;
  /**
   * Whether pairs that EPA does not resolve always go on to the arcs; otherwise they do if a hull is large or searches
   * start warm.
   */
  hasArcs: boolean;
  /**
   * For `impacts`: whether bodies rotate, and whether bodies that overlap or touch at the start meet only if they close
   * in.
   */
  isRotating: boolean;
  passesParting: boolean;
  /** Whether the adapter is a graphics card (`Kernels.isHardware`). */
  isHardware: boolean;
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
  /** Makes the records of poses from the caller's arrays. */
  readonly packBodies: KernelName;
}

/** The plan of a query, for the kinds of its pairs. `facts` are looked up unless they are known. */
export function planQuery(
  planner: Planner,
  request: Pick<
    QueryRequest,
    'query' | 'leadStage' | 'mprDepth' | 'bodies' | 'pairs' | 'shapes' | 'margin' | 'motion' | 'warmStart'
  >,
  { kinds, shapes }: PairFacts = pairFacts(request),
  isHardware = false,
): Plan {
  const { query, leadStage, mprDepth, bodies, margin, motion } = request;
  return withFallback(
    planner.plan({
      query,
      kinds,
      leadStage,
      mprDepth,
      shapes,
      margin,
      hasFixedPoint: usesFixedPoint(bodies),
      isWarm: request.warmStart !== undefined,
      hasArcs: true,
      isRotating: motion?.angular !== undefined,
      passesParting: motion?.passesParting ?? false,
      isHardware,
      isBatch: false,
    }),
  );
}

function withFallback({ lastSteps, ...plan }: OpenPlan): Plan {
  return {
    ...plan,
    steps: [...plan.steps, ...lastSteps],
    fallbackSteps: plan.fallbackSteps.length > 0 ? [leftList, ...plan.fallbackSteps, ...overLeft(lastSteps)] : [],
  };
}

/** Without shapes no pair is valid. Any kernel finds that; this is the kernel of spheres, or circles. */
const NO_KINDS: readonly KindPair[] = [[CORE_POINT, CORE_POINT]];

type AnyPairsRequest = Pick<
  BatchRequest,
  'query' | 'leadStage' | 'mprDepth' | 'margin' | 'isWarm' | 'hasArcs' | 'motion'
> & {
  hasFixedPoint?: boolean;
  isHardware?: boolean;
};

/** The plan of a batch, for all pairs that these shapes can form. */
export function planBatch(
  planner: Planner,
  request: AnyPairsRequest,
  shapes: readonly (ShapeBase | undefined)[],
): Plan {
  const { lastSteps, ...plan } = planAnyPairs(planner, request, shapes, true);
  return { ...plan, steps: [...plan.steps, ...plan.fallbackSteps, ...lastSteps] };
}

/** The plan of a query over all pairs that these shapes can form. */
export function planAnyQuery(
  planner: Planner,
  request: Omit<AnyPairsRequest, 'hasArcs'>,
  shapes: readonly (ShapeBase | undefined)[],
): Plan {
  return withFallback(planAnyPairs(planner, { ...request, hasArcs: true }, shapes, false));
}

function planAnyPairs(
  planner: Planner,
  { query, leadStage, mprDepth, margin, isWarm, hasArcs, motion, hasFixedPoint, isHardware }: AnyPairsRequest,
  shapes: readonly (ShapeBase | undefined)[],
  isBatch: boolean,
): OpenPlan {
  const found = kindsOfShapes(shapes);
  return planner.plan({
    query,
    kinds: found.length > 0 ? found : NO_KINDS,
    leadStage,
    mprDepth,
    shapes,
    margin,
    hasFixedPoint: hasFixedPoint ?? false,
    isWarm,
    hasArcs,
    isRotating: motion?.isRotating ?? false,
    passesParting: motion?.passesParting ?? false,
    isHardware: isHardware ?? false,
    isBatch,
  });
}
