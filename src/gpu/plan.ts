/**
 * The kernels of a query in 3-D, in order, from the cheapest algorithm to the most expensive one.
 *
 *     pairs, sorted by class
 *       closed forms          pairs that have one; they end here, features included
 *       lead stage            SAT (boxes), projected Newton (points, segments, boxes) or MPR
 *       GJK                   pairs that are left
 *       EPA                   cores that overlap
 *       features              or, for `manifolds`, the manifolds of the hits
 *     fallback steps, rarely needed
 *       arcs of Gauss maps, then EPA near their normal; refinement of curved pairs
 *       features              of those pairs
 *
 * Manifolds of sharp boxes at margin 0 take two kernels, SAT and the manifolds of its hits.
 *
 * Each stage runs over the list of pairs that the stages before it left open. A kernel that no pair of these kinds can
 * need is left out, so that no query waits for compiling it. The backend runs the fallback steps only if a record is
 * marked for them. `impacts` have their own plan (impact-plan.ts), and so has 2-D (planar-plan.ts).
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
} from '../generated/constants.ts';
import type { KernelName } from '../generated/kernel-table.ts';
import type { LeadStage } from '../request/backend.ts';
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
  kindConstants,
  type KindConstants,
} from './variants.ts';

function makePlan(request: PlanRequest<ShapeData>): OpenPlan {
  if (request.query === 'impacts') return { ...planImpacts(request), lastSteps: [] };
  const { query, kinds: given, leadStage, mprDepth, shapes, margin, hasFixedPoint, isWarm, hasArcs, appends } = request;
  const stageQuery = query === 'manifolds' ? 'contacts' : query;
  const isSharp = areSharp(shapes);
  const closed = given.filter(([a, b]) => isClosed(leadStage, a, b));
  const leadPairs = given.filter((pair) => !closed.includes(pair) && isLeadPair(leadStage, pair));
  const others = given.filter((pair) => !closed.includes(pair) && !leadPairs.includes(pair));
  const kinds = [...closed, ...leadPairs, ...others];
  const classes = classesOf(closed, [...leadPairs, ...others]);
  const classCount = classes.length;
  /** The first class without closed forms. */
  const firstOpenClass = Math.min(closed.length, 1);

  const kernel = (name: KernelName, ofKinds: KindConstants, selected?: readonly [number, number]): KernelStep => {
    const constants = {
      ...constantsFor(ofKinds, { kinds, shapes, hasFixedPoint }, selected !== undefined),
      ...(isWarm && name.endsWith('-gjk') && { IS_WARM: 1 }),
    };
    return { step: 'kernel', classes: selected, variant: { kernel: name, constants } };
  };
  /** A kernel over the pairs of these kinds in a list of all classes; over all pairs where there is no list. */
  const overClasses = (
    name: KernelName,
    selected: readonly KindPair[],
    isListed: boolean,
    more: Record<string, number> = {},
  ): KernelStep[] => {
    return stepsOverClasses(classes, selected, isListed, (ofKinds, run) => kernel(name, { ...more, ...ofKinds }, run));
  };
  const areSharpBoxes = isSharp && kinds.every(([a, b]) => a === CORE_BOX && b === CORE_BOX);
  if (query === 'manifolds' && areSharpBoxes && leadStage === 'sat' && margin === 0) {
    const ofManifolds = { ofManifolds: true } as const;
    const sat = { ...kindConstants(kinds), IS_SHARP: 1 };
    return {
      query,
      stageQuery,
      classes,
      steps: [{ ...kernel(appends ? 'manifolds-sat-append' : 'manifolds-sat', sat), ...ofManifolds }],
      fallbackSteps: [],
      lastSteps: [
        ...(appends ? [] : [listOf(INFO_HIT, 1)]),
        { ...kernel('manifolds-boxes', { ...kindConstants(kinds), HAS_WITNESS: 0 }, [0, 1]), ...ofManifolds },
      ],
      appends,
    };
  }
  // The closed forms are one kernel for all their kinds, and so is the Newton search.
  const isSorted =
    kinds.length > 1 && closed.length < kinds.length && !(leadStage === 'newton' && leadPairs.length === kinds.length);
  const withoutFeatures: Record<string, number> = query === 'manifolds' ? { HAS_FEATURES: 0 } : {};
  const steps: Step[] = isSorted ? [listOf(0, classCount)] : [];
  if (closed.length > 0)
    steps.push(
      kernel(
        `${stageQuery}-closed` as KernelName,
        { ...kindConstants(closed), ...withoutFeatures },
        isSorted ? [0, firstOpenClass] : undefined,
      ),
    );
  if (leadPairs.length > 0) {
    const sat = { ...kindConstants(leadPairs), ...(isSharp && { IS_SHARP: 1 }), ...withoutFeatures };
    const boxes = leadStage === 'sat' ? sat : { KIND_A: ANY_BOX, KIND_B: ANY_BOX };
    const mpr = { ...kindConstants(leadPairs), ...(stageQuery === 'contacts' && mprDepth === 'ray' && { IS_RAY: 1 }) };
    const selected = [firstOpenClass, Math.min(firstOpenClass + leadPairs.length, classCount)] as const;
    steps.push(
      kernel(
        `${stageQuery}-${leadStage}` as KernelName,
        leadStage === 'mpr' ? mpr : boxes,
        isSorted ? selected : undefined,
      ),
    );
  }
  steps.push(...overClasses(`${stageQuery}-gjk`, others, isSorted));
  // SAT decides all pairs of sharp boxes at margin 0. With a larger margin, the distances of separated pairs are needed.
  const leadPairsContinue = leadPairs.length > 0 && !(leadStage === 'sat' && isSharp && margin === 0);
  if (leadPairsContinue)
    steps.push(listOf(INFO_PENDING_GJK, 1), kernel(`${stageQuery}-gjk`, kindConstants(leadPairs), [0, 1]));
  const deep = leadPairsContinue ? [...leadPairs, ...others] : others;
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
  if (stageQuery !== 'contacts' || deep.length === 0)
    return { query, stageQuery, classes, steps, fallbackSteps: [], lastSteps: manifolds };

  const openKinds = kindConstants([...leadPairs, ...others]);
  const continuesToArcs = deep.some(isArcsPair) && (hasArcs || isWarm || hasLargeHull(shapes));
  const refinement = deep.some(areCurved)
    ? [listOf(INFO_PENDING_REFINE, 1), kernel('contacts-refine', openKinds, [0, 1])]
    : [];
  const lastSteps =
    query === 'manifolds'
      ? manifolds
      : [listOf(INFO_HAS_POINTS, classCount), kernel('contacts-features', openKinds, [firstOpenClass, classCount])];
  const expansion = [
    listOf(INFO_PENDING_EPA, classCount),
    ...overClasses('contacts-epa', deep, true, continuesToArcs ? { HAS_ARCS: 1 } : {}),
  ];
  steps.push(...expansion);
  const arcs = continuesToArcs
    ? [listOf(INFO_PENDING_ARCS, 1), kernel('contacts-arcs', openKinds, [0, 1]), ...expansion]
    : [];
  return { query, stageQuery, classes, steps, fallbackSteps: [...arcs, ...refinement], lastSteps };
}

/** Whether pairs of these kinds go through the lead stage. */
function isLeadPair(leadStage: LeadStage, [a, b]: KindPair): boolean {
  if (leadStage === 'sat') return a === CORE_BOX && b === CORE_BOX;
  return (
    (leadStage === 'newton' && Math.max(a, b) <= CORE_BOX) || (leadStage === 'mpr' && Math.max(a, b) < CORE_HALFSPACE)
  );
}

/** Whether pairs of these kinds have a Gauss map's arcs: both are polytopes, and one has faces. */
function isArcsPair([a, b]: KindPair): boolean {
  return Math.max(a, b) <= CORE_HULL && Math.max(a, b) >= CORE_BOX;
}

export const spatialPlanner: Planner<ShapeData> = { plan: makePlan, keyOf: kernelKey, packBodies: 'pack-bodies' };
