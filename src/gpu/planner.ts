/** What plans are made of, and the plans of queries, in both dimensions. */
import type { MprDepth } from '../api/options.ts';
import type { QueryName } from '../api/queries.ts';
import { usesFixedPoint } from '../records/bodies.ts';
import type { LeadStage, PrepareRequest, QueryRequest } from '../request/backend.ts';
import type { ShapeBase } from '../shapes/shape-table.ts';
import type { AdapterClass } from './adapter-class.ts';
import type { KindPair, PairFacts } from './classes.ts';
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

type PlannedQuery = Pick<
  QueryRequest,
  'query' | 'leadStage' | 'mprDepth' | 'bodies' | 'pairs' | 'shapes' | 'margin' | 'motion' | 'warmStart'
>;

/** What plans of queries depend on besides the pairs. */
type PlannedForm = Pick<
  PrepareRequest,
  'query' | 'leadStage' | 'mprDepth' | 'margin' | 'hasFixedPoint' | 'isWarm' | 'motion'
>;

/** What plans of queries have in common whose options are alike. */
export type FormRequest = Omit<PlanRequest, keyof PairFacts>;

/** The request for the plan of a query, or of the queries that `prepare` is called for, without their pairs. */
export function formRequest(
  { query, leadStage, mprDepth, margin, hasFixedPoint, isWarm, motion }: PlannedForm,
  adapter: AdapterClass,
): FormRequest {
  return {
    query,
    leadStage,
    mprDepth,
    margin,
    hasFixedPoint,
    isWarm,
    isRotating: motion?.isRotating ?? false,
    passesParting: motion?.passesParting ?? false,
    adapter,
    isBatch: false,
  };
}

export function formOfQuery({ bodies, motion, warmStart, ...request }: PlannedQuery): PlannedForm {
  return {
    ...request,
    hasFixedPoint: usesFixedPoint(bodies),
    isWarm: warmStart !== undefined,
    motion: motion && {
      duration: motion.duration,
      isRotating: motion.angular !== undefined,
      passesParting: motion.passesParting ?? false,
    },
  };
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
