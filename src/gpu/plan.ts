/**
 * The kernels of a query in 3-D, in order, from the cheapest algorithm to the most expensive one.
 *
 *     pairs, sorted by class
 *       closed forms          pairs that have one; they end here, features included
 *       lead stage            SAT (boxes), projected Newton (points, segments, boxes) or MPR
 *       GJK                   pairs that are left
 *       arcs of Gauss maps    polytopes whose cores overlap, by 'auto'
 *       EPA, compact          the other cores that overlap: one capacity after the other
 *       EPA                   pairs that are left; a fallback step on software adapters, or if all pairs go over arcs
 *       features              or, for `manifolds`, the manifolds of the hits
 *     fallback steps, rarely needed
 *       EPA                   of pairs that the arcs or the compact polytopes left
 *       arcs of pairs that EPA left, then EPA near their normal; refinement of curved pairs
 *       features              or manifolds, of those pairs
 *
 * Manifolds of sharp boxes at margin 0 take two kernels, SAT and the manifolds of its hits.
 *
 * Each stage runs over the list of pairs that the stages before it left open. List steps make most lists. On a graphics
 * card, SAT, the Newton search and GJK append to the list of the next kernel if that kernel takes all of its pairs. A
 * kernel that no pair of these kinds can need is left out, so that no query waits for compiling it. The backend runs the
 * fallback steps only if a record is marked for them. `impacts` have their own plan (impact-plan.ts), and so has 2-D
 * (planar-plan.ts).
 */
import {
  ANY_BOX,
  CORE_BOX,
  INFO_HAS_POINTS,
  INFO_HIT,
  INFO_PENDING_EPA,
  INFO_PENDING_GJK,
  INFO_PENDING_ARCS,
  INFO_PENDING_REFINE,
} from '../generated/constants.ts';
import type { KernelName } from '../generated/kernel-table.ts';
import { isClosed } from '../request/closed-form.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { classesOf, type KindPair } from './classes.ts';
import { planImpacts } from './impact-plan.ts';
import type { OpenPlan, PlanRequest, Planner } from './planner.ts';
import { arcsMostFacets, compactKernels, isArcsPair, isLeadPair, rangeOfFacets } from './stages.ts';
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
  const {
    query,
    kinds: given,
    leadStage,
    mprDepth,
    shapes,
    margin,
    hasFixedPoint,
    isWarm,
    hasArcs,
    isHardware,
  } = request;
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

  const mostFacets = arcsMostFacets(isHardware);
  const kernel = (
    name: KernelName,
    ofKinds: KindConstants,
    selected?: readonly [number, number],
    workLists: Pick<KernelStep, 'reads' | 'appendsTo'> = {},
  ): KernelStep => {
    const constants = {
      ...constantsFor(ofKinds, { kinds, shapes, hasFixedPoint }, selected !== undefined),
      ...(isWarm && name.endsWith('-gjk') && { IS_WARM: 1 }),
      ...(name === 'contacts-arcs' && { MOST_FACETS: mostFacets }),
    };
    return { step: 'kernel', classes: selected, ...workLists, variant: { kernel: name, constants } };
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
    const boxes = { ...kindConstants(kinds), HAS_WITNESS: 0 };
    const [find, list, clip] = isHardware
      ? [
          kernel('manifolds-sat-append', sat, undefined, { appendsTo: 'hits' }),
          [],
          kernel('manifolds-boxes', boxes, [0, 1], { reads: 'hits' }),
        ]
      : [kernel('manifolds-sat', sat), [listOf(INFO_HIT, 1)], kernel('manifolds-boxes', boxes, [0, 1])];
    return {
      query,
      stageQuery,
      classes,
      steps: [{ ...find, ...ofManifolds }],
      fallbackSteps: [],
      lastSteps: [...list, { ...clip, ...ofManifolds }],
    };
  }
  // The closed forms are one kernel for all their kinds, and so is the Newton search.
  const isSorted =
    kinds.length > 1 && closed.length < kinds.length && !(leadStage === 'newton' && leadPairs.length === kinds.length);
  const withoutFeatures: Record<string, number> = query === 'manifolds' ? { HAS_FEATURES: 0 } : {};
  // SAT decides all pairs of sharp boxes at margin 0. With a larger margin, the distances of separated pairs are needed.
  const leadPairsContinue = leadPairs.length > 0 && !(leadStage === 'sat' && isSharp && margin === 0);
  const deep = leadPairsContinue ? [...leadPairs, ...others] : others;
  const facetsOf = (kind: number): ReturnType<typeof rangeOfFacets> =>
    rangeOfFacets(shapes.filter((shape): shape is ShapeData => shape?.kind === kind));
  const mayHaveFew = ([a, b]: KindPair): boolean => facetsOf(a).least + facetsOf(b).least <= mostFacets;
  const haveFew = ([a, b]: KindPair): boolean => facetsOf(a).most + facetsOf(b).most <= mostFacets;
  // SAT has the depth of boxes.
  const overArcs =
    stageQuery === 'contacts' && leadStage === 'sat'
      ? others.filter((pair) => isArcsPair(pair) && mayHaveFew(pair))
      : [];
  const leadKernel = `${stageQuery}-${leadStage}` as KernelName;
  const leadAppends = isHardware && leadPairsContinue && ['contacts-sat', 'distances-newton'].includes(leadKernel);
  // A list that kernels append to has one class: one kernel has to take all of its pairs.
  const gjkAppends = isHardware && stageQuery === 'contacts' && !isWarm && [0, deep.length].includes(overArcs.length);
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
        leadAppends ? (`${leadKernel}-append` as KernelName) : leadKernel,
        leadStage === 'mpr' ? mpr : boxes,
        isSorted ? selected : undefined,
        leadAppends ? { appendsTo: 'pendingGjk' } : {},
      ),
    );
  }
  const gjk = gjkAppends ? 'contacts-gjk-append' : (`${stageQuery}-gjk` as const);
  const ofGjk: Pick<KernelStep, 'appendsTo'> = gjkAppends ? { appendsTo: 'pendingEpa' } : {};
  steps.push(...overClasses(gjk, others, isSorted).map((step) => ({ ...step, ...ofGjk })));
  if (leadPairsContinue) {
    if (!leadAppends) steps.push(listOf(INFO_PENDING_GJK, 1));
    const reads: Pick<KernelStep, 'reads'> = leadAppends ? { reads: 'pendingGjk' } : {};
    steps.push(kernel(gjk, kindConstants(leadPairs), [0, 1], { ...reads, ...ofGjk }));
  }
  const manifolds =
    query !== 'manifolds'
      ? []
      : [
          listOf(INFO_HIT, classCount),
          ...overClasses(areSharpBoxes ? 'manifolds-boxes' : 'manifolds', kinds, true).map((step) => ({
            ...step,
            ofManifolds: true as const,
          })),
          // The last, because it overwrites what the others made of pairs that are no hits but left for fallback steps.
          { step: 'kernel', variant: { kernel: 'manifolds-none' }, ofManifolds: true } as const,
        ];
  if (stageQuery !== 'contacts' || deep.length === 0)
    return { query, stageQuery, classes, steps, fallbackSteps: [], lastSteps: manifolds };

  const openKinds = kindConstants([...leadPairs, ...others]);
  const continuesToArcs = deep.some(isArcsPair) && (hasArcs || isWarm || hasLargeHull(shapes));
  const refinement = deep.some(areCurved)
    ? [
        listOf(INFO_PENDING_REFINE, 1),
        kernel('contacts-refine', openKinds, [0, 1]),
        listOf(INFO_PENDING_GJK, 1),
        kernel('contacts-outside', openKinds, [0, 1]),
      ]
    : [];
  const lastSteps =
    query === 'manifolds'
      ? manifolds
      : [listOf(INFO_HAS_POINTS, classCount), kernel('contacts-features', openKinds, [firstOpenClass, classCount])];
  const afterGjk = (name: KernelName, selected: readonly KindPair[], isFirst: boolean): Step[] =>
    isFirst && gjkAppends
      ? [kernel(name, kindConstants(selected), [0, 1], { reads: 'pendingEpa' })]
      : [listOf(INFO_PENDING_EPA, classCount), ...overClasses(name, selected, true)];
  if (overArcs.length > 0) steps.push(...afterGjk('contacts-arcs', overArcs, true));
  const expansion = [
    listOf(INFO_PENDING_EPA, classCount),
    ...overClasses('contacts-epa', deep, true, continuesToArcs ? { HAS_ARCS: 1 } : {}),
  ];
  const arcs = continuesToArcs
    ? [listOf(INFO_PENDING_ARCS, 1), kernel('contacts-arcs', openKinds, [0, 1]), ...expansion]
    : [];
  const isOverArcs = (pair: KindPair): boolean => overArcs.includes(pair) && haveFew(pair);
  // Most pairs that the arcs leave have a normal, along which only the last kernel searches. So all of them go to it.
  const isAfterArcs = deep.every(isOverArcs);
  const areSmall = !deep.some(areCurved) && !hasLargeHull(shapes);
  const compact = isAfterArcs ? [] : compactKernels(isHardware, areSmall);
  compact.forEach((name, i) => steps.push(...afterGjk(name, deep, i === 0 && overArcs.length === 0)));
  const isFallback = isAfterArcs || !isHardware;
  if (!isFallback) steps.push(...expansion);
  const fallbackSteps = [...(isFallback ? expansion : []), ...arcs, ...refinement];
  return { query, stageQuery, classes, steps, fallbackSteps, lastSteps };
}

export const spatialPlanner: Planner<ShapeData> = { plan: makePlan, keyOf: kernelKey, packBodies: 'pack-bodies' };
