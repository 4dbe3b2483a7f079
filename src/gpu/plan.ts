/**
 * Which kernels a query in 3-D runs, in order: from what is decided in one step to what takes long.
 *
 *     pairs, sorted by class
 *       closed forms          pairs that have one; they end here, features included
 *       first rung            SAT (boxes), projected Newton (points, segments, boxes) or MPR
 *       GJK                   what is left
 *       EPA                   cores that overlap
 *       features              or, for `manifolds`, the manifolds of the hits
 *     later steps, rarely needed
 *       arcs of Gauss maps, then EPA near their normal; refinement of curved pairs
 *       features              of those pairs
 *
 * Each rung runs over the list of pairs that the ones before it left. A kernel that no pair of these kinds can need is
 * left out, so that no query waits for compiling it. The later steps are a list of their own: the backend runs them only
 * if a record says that it waits for them. `impacts` have their own plan (impact-plan.ts), and so has 2-D
 * (planar-plan.ts).
 */
import {
  ANY_BOX,
  CORE_BOX,
  CORE_HALFSPACE,
  CORE_HULL,
  INFO_HAS_POINTS,
  INFO_HIT,
  INFO_PENDING_EPA,
  INFO_PENDING_GJK,
  INFO_PENDING_ARCS,
  INFO_PENDING_REFINE,
  EPA_WORKERS,
} from '../generated/constants.ts';
import type { KernelName } from '../generated/kernel-table.ts';
import type { FirstRung } from '../request/backend.ts';
import { isClosed } from '../request/closed-form.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { classesOf, type KindPair } from './classes.ts';
import { planImpacts } from './impact-plan.ts';
import type { OpenPlan, PlanRequest, Planner } from './planner.ts';
import { listOf, stepsOverClasses, type KernelStep, type Step } from './steps.ts';
import {
  areCurved,
  areSharp,
  constantsFor,
  hasLargeHull,
  kernelKey,
  kindsAlike,
  type KindConstants,
} from './variants.ts';

function makePlan(request: PlanRequest<ShapeData>): OpenPlan {
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

export const spatialPlanner: Planner<ShapeData> = { plan: makePlan, keyOf: kernelKey };
