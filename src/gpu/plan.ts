/**
 * Which kernels a query runs, in order: a ladder from what is decided in one step to what takes long.
 *
 *     pairs by class -> closed forms -> SAT (boxes), projected Newton (points, segments, boxes) or MPR -> GJK -> EPA
 *     (cores that overlap) -> features
 *                                                                       arcs of Gauss maps, then EPA near the normal,
 * or refinement (pairs that it left) -> features
 *
 * Impacts have a plan of their own (impact-plan.ts), and so have all queries of the plane (planar-plan.ts). Manifolds
 * are made of contacts: the same ladder, with the manifolds of the hits in place of the features.
 *
 * Closed forms decide all pairs of their kinds, features included. Each later rung runs over the list of pairs that the
 * ones before left, sorted by class. A kernel that no pair of these kinds can need is left out, so that nobody waits
 * for its compiling. The arcs of Gauss maps and the refinement of curved pairs are hardly ever needed: their steps
 * stand apart, for whoever finds pairs that wait for them.
 */
import {
  ANY_BOX,
  CORE_BOX,
  CORE_HALFSPACE,
  CORE_HULL,
  CORE_POINT,
  INFO_HAS_POINTS,
  INFO_HIT,
  INFO_PENDING_EPA,
  INFO_PENDING_GJK,
  INFO_PENDING_ARCS,
  INFO_PENDING_REFINE,
  EPA_WORKERS,
} from '../generated/constants.ts';
import type { KernelName } from '../generated/kernels.ts';
import type { BatchRequest, FirstRung, QueryRequest } from '../request/backend.ts';
import type { MprDepth } from '../api/types.ts';
import { hasCells } from '../records/bodies.ts';
import type { QueryName } from '../api/queries.ts';
import { isClosed } from '../request/closed-form.ts';
import type { PlanarShapeData } from '../shapes/planar-shape-data.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { Dimension } from '../request/dimension.ts';
import type { ShapeBase } from '../shapes/shape-table.ts';
import { classesOf, kindsOfPairs, kindsOfShapes, type KindPair } from './classes.ts';
import { planImpacts } from './impact-plan.ts';
import { planPlanar, planarKernelKey } from './planar-plan.ts';
import { listOf, stepsOverClasses, type KernelStep, type Plan, type Step } from './steps.ts';
import {
  areCurved,
  areSharp,
  constantsFor,
  hasLargeHull,
  kernelKey,
  kindsAlike,
  type KindConstants,
} from './variants.ts';

interface PlanRequest {
  query: QueryName;
  /** Kinds of the pairs' shapes, each two once. */
  kinds: readonly KindPair[];
  first: FirstRung;
  mprDepth?: MprDepth;
  /** In use, or that may come into use. */
  shapes: readonly (ShapeData | undefined)[];
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
interface OpenPlan extends Plan {
  lastSteps: readonly Step[];
}

function makePlan(request: PlanRequest): OpenPlan {
  if (request.query === 'impacts') return { ...planImpacts(request), lastSteps: [] };
  const { query, kinds: given, first, mprDepth, shapes, margin, isWide, isWarm, hasArcs } = request;
  const ladder = query === 'manifolds' ? 'contacts' : query;
  const isSharp = areSharp(shapes);
  const closed = given.filter(([a, b]) => isClosed(first, a, b));
  const leading = given.filter((pair) => !closed.includes(pair) && isLeading(first, pair));
  const others = given.filter((pair) => !closed.includes(pair) && !leading.includes(pair));
  const kinds = [...closed, ...leading, ...others];
  const classes = classesOf(closed, [...leading, ...others]);
  const classCount = classes.length;
  /** The first class that is not decided by closed forms. */
  const firstOpen = Math.min(closed.length, 1);

  const kernel = (
    name: KernelName,
    ofKinds: KindConstants,
    due?: readonly [number, number],
    invocations?: number,
  ): KernelStep => {
    const constants = {
      ...constantsFor(ofKinds, { kinds, shapes, isWide }, due !== undefined),
      ...(isWarm && name.endsWith('-gjk') && { IS_WARM: 1 }),
    };
    return { step: 'kernel', classes: due, invocations, variant: { kernel: name, constants } };
  };
  /** A kernel over the pairs of these kinds in a list of all classes; over all pairs where there is no list. */
  const overClasses = (
    name: KernelName,
    due: readonly KindPair[],
    isListed: boolean,
    more: Record<string, number> = {},
  ): KernelStep[] => {
    return stepsOverClasses(classes, due, isListed, (ofKinds, run) => kernel(name, { ...more, ...ofKinds }, run));
  };
  // The closed forms are one kernel for all their kinds, and so is the Newton search.
  const isSorted =
    kinds.length > 1 && closed.length < kinds.length && !(first === 'newton' && leading.length === kinds.length);
  const withoutFeatures: Record<string, number> = query === 'manifolds' ? { HAS_FEATURES: 0 } : {};
  const steps: Step[] = isSorted ? [listOf(0, classCount)] : [];
  if (closed.length > 0)
    steps.push(
      kernel(
        `${ladder}-closed` as KernelName,
        { ...kindsAlike(closed), ...withoutFeatures },
        isSorted ? [0, firstOpen] : undefined,
      ),
    );
  if (leading.length > 0) {
    const sat = { ...kindsAlike(leading), ...(isSharp && { IS_SHARP: 1 }), ...withoutFeatures };
    const boxes = first === 'sat' ? sat : { KIND_A: ANY_BOX, KIND_B: ANY_BOX };
    const portals = { ...kindsAlike(leading), ...(ladder === 'contacts' && mprDepth === 'ray' && { IS_RAY: 1 }) };
    const due = [firstOpen, Math.min(firstOpen + leading.length, classCount)] as const;
    steps.push(
      kernel(`${ladder}-${first}` as KernelName, first === 'mpr' ? portals : boxes, isSorted ? due : undefined),
    );
  }
  steps.push(...overClasses(`${ladder}-gjk`, others, isSorted));
  // SAT decides all pairs of sharp boxes unless somebody asks how far apart they are.
  const leadingGoOn = leading.length > 0 && !(first === 'sat' && isSharp && margin === 0);
  if (leadingGoOn) steps.push(listOf(INFO_PENDING_GJK, 1), kernel(`${ladder}-gjk`, kindsAlike(leading), [0, 1]));
  const deep = leadingGoOn ? [...leading, ...others] : others;
  const areSharpBoxes = isSharp && kinds.every(([a, b]) => a === CORE_BOX && b === CORE_BOX);
  const manifolds =
    query !== 'manifolds'
      ? []
      : [
          { step: 'kernel', variant: { kernel: 'manifolds-none' }, ofManifolds: true } as const,
          listOf(INFO_HIT, classCount),
          ...overClasses(areSharpBoxes ? 'manifolds-boxes' : 'manifolds', kinds, true).map((step) => ({
            ...step,
            ofManifolds: true as const,
          })),
        ];
  if (ladder !== 'contacts' || deep.length === 0)
    return { query, ladder, classes, steps, laterSteps: [], lastSteps: manifolds };

  const openKinds = kindsAlike([...leading, ...others]);
  const goesOn = deep.some(isArcsPair) && (hasArcs || isWarm || hasLargeHull(shapes));
  const refinement = deep.some(areCurved)
    ? [listOf(INFO_PENDING_REFINE, 1), kernel('contacts-refine', openKinds, [0, 1])]
    : [];
  const lastSteps =
    query === 'manifolds'
      ? manifolds
      : [listOf(INFO_HAS_POINTS, classCount), kernel('contacts-features', openKinds, [firstOpen, classCount])];
  const expansion = [
    listOf(INFO_PENDING_EPA, classCount),
    ...overClasses('contacts-epa', deep, true, goesOn ? { HAS_ARCS: 1 } : {}).map((step) => ({
      ...step,
      invocations: EPA_WORKERS,
    })),
  ];
  steps.push(...expansion);
  const arcs = goesOn
    ? [listOf(INFO_PENDING_ARCS, 1), kernel('contacts-arcs', openKinds, [0, 1], EPA_WORKERS), ...expansion]
    : [];
  return { query, ladder, classes, steps, laterSteps: [...arcs, ...refinement], lastSteps };
}

/** Whether pairs of these kinds go through the first rung after the closed forms. */
function isLeading(first: FirstRung, [a, b]: KindPair): boolean {
  if (first === 'sat') return a === CORE_BOX && b === CORE_BOX;
  return (first === 'newton' && Math.max(a, b) <= CORE_BOX) || (first === 'mpr' && Math.max(a, b) < CORE_HALFSPACE);
}

/** Whether pairs of these kinds have a Gauss map's arcs: both are polytopes, and one has faces. */
function isArcsPair([a, b]: KindPair): boolean {
  return Math.max(a, b) <= CORE_HULL && Math.max(a, b) >= CORE_BOX;
}

/** The plan of a query, for the kinds of its pairs. */
export function planQuery(
  request: Pick<
    QueryRequest,
    'query' | 'space' | 'first' | 'mprDepth' | 'bodies' | 'pairs' | 'shapes' | 'margin' | 'motion' | 'warmStart'
  >,
): Plan {
  const { query, space, first, mprDepth, bodies, shapes, margin, motion } = request;
  const isUsed = new Uint8Array(shapes.shapes.length);
  for (const id of bodies.shapes) isUsed[id] = 1;
  const used = shapes.shapes.filter((_, id) => isUsed[id]);
  if (space.dimension === 2)
    return planPlanar({
      query,
      kinds: kindsOfPairs(request),
      first,
      mprDepth,
      shapes: used as (PlanarShapeData | undefined)[],
      isWide: hasCells(bodies),
      ...impactsOf(motion),
    });
  const { lastSteps, ...plan } = makePlan({
    query,
    kinds: kindsOfPairs(request),
    first,
    mprDepth,
    shapes: used as (ShapeData | undefined)[],
    margin,
    isWide: hasCells(bodies),
    isWarm: request.warmStart !== undefined,
    hasArcs: true,
    ...impactsOf(motion),
  });
  return {
    ...plan,
    steps: [...plan.steps, ...lastSteps],
    laterSteps: plan.laterSteps.length > 0 ? [...plan.laterSteps, ...lastSteps] : [],
  };
}

function impactsOf(motion: QueryRequest['motion']): Pick<PlanRequest, 'isTurning' | 'passesParting'> {
  return { isTurning: motion?.angular !== undefined, passesParting: motion?.passesParting ?? false };
}

/** Where there is no shape no pair is valid, which the kernel of spheres, or circles, finds as well as any. */
const NO_KINDS: readonly KindPair[] = [[CORE_POINT, CORE_POINT]];

/** What tells shapes apart that need other kernels. */
export function batchKey(space: Dimension, shape: ShapeBase): string {
  return space.dimension === 2 ? planarKernelKey(shape as PlanarShapeData) : kernelKey(shape as ShapeData);
}

/** The plan of a batch, for all pairs that these shapes can form. */
export function planBatch(
  {
    query,
    space,
    first,
    mprDepth,
    margin,
    isWarm,
    hasArcs,
    motion,
  }: Pick<BatchRequest, 'query' | 'space' | 'first' | 'mprDepth' | 'margin' | 'isWarm' | 'hasArcs' | 'motion'>,
  known: readonly (ShapeBase | undefined)[],
): Plan {
  const found = kindsOfShapes(known);
  const kinds = found.length > 0 ? found : NO_KINDS;
  const impacts = { isTurning: motion?.isTurning ?? false, passesParting: motion?.passesParting ?? false };
  if (space.dimension === 2)
    return planPlanar({
      query,
      kinds,
      first,
      mprDepth,
      shapes: known as (PlanarShapeData | undefined)[],
      isWide: false,
      ...impacts,
    });
  const shapes = known as (ShapeData | undefined)[];
  const { lastSteps, ...plan } = makePlan({
    query,
    kinds,
    first,
    mprDepth,
    shapes,
    margin,
    isWide: false,
    isWarm,
    hasArcs,
    ...impacts,
  });
  return { ...plan, steps: [...plan.steps, ...plan.laterSteps, ...lastSteps] };
}
