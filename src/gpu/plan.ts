/**
 * The kernels of a query in 3-D, in order, from the cheapest algorithm to the most expensive one.
 *
 *     pairs, sorted by class
 *       closed forms          pairs that have one; they end here, features included
 *       lead stage            SAT (boxes), projected Newton (points, segments, boxes) or MPR
 *       GJK                   pairs that are left
 *       depth                 pairs whose cores overlap (depth-plan.ts)
 *       features              or, for `manifolds`, the manifolds of the hits
 *     fallback steps          of few pairs that these leave
 *       depth                 by EPA, arcs and refinement
 *       features              or manifolds, of those pairs
 *
 * Manifolds of sharp boxes at margin 0 take two kernels, SAT and the manifolds of its hits.
 *
 * Each stage runs over a list of the pairs that the stages before it left open. On software adapters list steps make the
 * lists. On a graphics card the kernels append to the lists of the next ones (work-lists.ts); list steps only sort pairs
 * by class, and list what MPR leaves. A kernel that no pair of these kinds can need is left out, so that no query waits
 * for compiling it. The backend runs the fallback steps only if a record is marked for them. `impacts` have their own plan
 * (impact-plan.ts), and so has 2-D (planar-plan.ts).
 */
import { ANY_BOX, CORE_BOX, INFO_HAS_POINTS, INFO_HIT, INFO_PENDING_GJK } from '../generated/constants.ts';
import type { KernelName } from '../generated/kernel-table.ts';
import { isClosed } from '../request/closed-form.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { classesOf, type KindPair } from './classes.ts';
import { planDepth } from './depth-plan.ts';
import { planImpacts } from './impact-plan.ts';
import type { OpenPlan, PlanRequest, Planner } from './planner.ts';
import { arcsMostFacets, isLeadPair } from './stages.ts';
import {
  listOf,
  stepsOverClasses,
  type KernelLists,
  type KernelStep,
  type MakeKernel,
  type Step,
  type WorkList,
} from './steps.ts';
import { areSharp, constantsFor, kernelKey, kindConstants, type KindConstants } from './variants.ts';

function makePlan(request: PlanRequest<ShapeData>): OpenPlan {
  if (request.query === 'impacts') return { ...planImpacts(request), lastSteps: [] };
  const { query, kinds: given, leadStage, mprDepth, shapes, margin, hasFixedPoint, isWarm, isHardware } = request;
  const stageQuery = query === 'manifolds' ? 'contacts' : query;
  const isSharp = areSharp(shapes);
  const closed = given.filter(([a, b]) => isClosed(leadStage, a, b));
  const leadPairs = given.filter((pair) => !closed.includes(pair) && isLeadPair(leadStage, pair));
  const others = given.filter((pair) => !closed.includes(pair) && !leadPairs.includes(pair));
  const kinds = [...closed, ...leadPairs, ...others];
  const classes = classesOf(closed, [...leadPairs, ...others]);
  /** The first class without closed forms. */
  const firstOpenClass = Math.min(closed.length, 1);

  const kernel: MakeKernel = (name, ofKinds, selected, lists = {}) => {
    const constants = {
      ...constantsFor(ofKinds, { kinds, shapes, hasFixedPoint, isHardware }, selected !== undefined),
      ...(isWarm && /-gjk(-append)?$/.test(name) && { IS_WARM: 1 }),
      ...(/^contacts-arcs(-lanes)?$/.test(name) && { MOST_FACETS: arcsMostFacets(isHardware) }),
    };
    return { step: 'kernel', classes: selected, ...lists, variant: { kernel: name, constants } };
  };
  const areSharpBoxes = isSharp && kinds.every(([a, b]) => a === CORE_BOX && b === CORE_BOX);
  if (query === 'manifolds' && areSharpBoxes && leadStage === 'sat' && margin === 0)
    return { query, stageQuery, classes, fallbackSteps: [], ...sharpBoxManifolds(kinds, kernel, isHardware) };

  // The closed forms are one kernel for all their kinds, and so is the Newton search.
  const isSorted =
    kinds.length > 1 && closed.length < kinds.length && !(leadStage === 'newton' && leadPairs.length === kinds.length);
  const sorted: KernelLists = isSorted && isHardware ? { reads: 'classes' } : {};
  const withoutFeatures: Record<string, number> = query === 'manifolds' ? { HAS_FEATURES: 0 } : {};
  // SAT decides all pairs of sharp boxes at margin 0. With a larger margin, the distances of separated pairs are needed.
  const leadPairsContinue = leadPairs.length > 0 && !(leadStage === 'sat' && isSharp && margin === 0);
  const deep = leadPairsContinue ? [...leadPairs, ...others] : others;
  // Hits of MPR are in no list. Closed forms and SAT store features themselves, so only manifolds need theirs listed.
  const listsHits = isHardware && stageQuery === 'contacts' && leadStage !== 'mpr';
  const hitsOfLead: WorkList | undefined = listsHits && query === 'manifolds' ? 'near' : undefined;

  const steps: Step[] = isSorted ? [{ ...listOf(0, classes.length), ...(isHardware && { into: 'classes' }) }] : [];
  if (closed.length > 0) {
    const ofKinds = { ...kindConstants(closed), ...withoutFeatures };
    const selected = isSorted ? ([0, firstOpenClass] as const) : undefined;
    const appends: KernelLists = hitsOfLead ? { appends: [undefined, hitsOfLead] } : {};
    const step = kernel(withAppends(`${stageQuery}-closed`, appends), ofKinds, selected, { ...sorted, ...appends });
    steps.push({ ...step, isForAnyOrder: true });
  }
  const pending: KernelLists = leadPairsContinue && isHardware ? { reads: 'gjk' } : {};
  /** Whether the lead stage appends the pairs that it leaves to their list. */
  let listsPending = false;
  if (leadPairs.length > 0) {
    const sat = { ...kindConstants(leadPairs), ...(isSharp && { IS_SHARP: 1 }), ...withoutFeatures };
    const newton = { KIND_A: ANY_BOX, KIND_B: ANY_BOX };
    const mpr = { ...kindConstants(leadPairs), ...(stageQuery === 'contacts' && mprDepth === 'ray' && { IS_RAY: 1 }) };
    const ofKinds = leadStage === 'mpr' ? mpr : leadStage === 'sat' ? sat : newton;
    const name = `${stageQuery}-${leadStage}`;
    const canAppend = isHardware && ['contacts-sat', 'distances-newton'].includes(name);
    const lists = [pending.reads, hitsOfLead];
    const appends: KernelLists = canAppend && lists.some((list) => list !== undefined) ? { appends: lists } : {};
    listsPending = canAppend && pending.reads !== undefined;
    const selected = [firstOpenClass, Math.min(firstOpenClass + leadPairs.length, classes.length)] as const;
    const step = kernel(withAppends(name, appends), ofKinds, isSorted ? selected : undefined, {
      ...sorted,
      ...appends,
    });
    steps.push({ ...step, ...(leadStage === 'newton' && { isForAnyOrder: true }) });
  }

  const hasDepth = stageQuery === 'contacts' && deep.length > 0;
  const depth = hasDepth ? planDepth({ request, classes, leadPairs, others, deep, kernel }) : undefined;
  const ofGjk = (ofLeadPairs: boolean): KernelLists => {
    if (!isHardware || !depth) return {};
    return { appends: [ofLeadPairs ? undefined : depth.arcsList, depth.epaList, listsHits ? 'near' : undefined] };
  };
  const gjk = withAppends(`${stageQuery}-gjk`, ofGjk(false));
  steps.push(
    ...stepsOverClasses(classes, others, isSorted, (ofKinds, run) =>
      kernel(gjk, ofKinds, run, { ...sorted, ...ofGjk(false) }),
    ),
  );
  if (leadPairsContinue) {
    // After the kernels of all other pairs: a list step reads the record of every pair.
    if (!listsPending) steps.push({ ...listOf(INFO_PENDING_GJK, 1), into: pending.reads });
    steps.push({ ...kernel(gjk, kindConstants(leadPairs), [0, 1], { ...pending, ...ofGjk(true) }), takes: leadPairs });
  }
  if (depth) steps.push(...depth.steps);

  const isAppended = (list: WorkList): boolean =>
    steps.some((step) => step.step === 'kernel' && step.appends?.includes(list));
  const hitLists = listsHits ? (['near', ...(depth?.lists ?? [])] as const).filter(isAppended) : undefined;
  const lastSteps =
    query === 'manifolds'
      ? manifoldSteps(areSharpBoxes, classes, kinds, kernel, hitLists)
      : depth
        ? // Those of the lead stage have theirs.
          featureSteps(
            kindConstants([...leadPairs, ...others]),
            [firstOpenClass, classes.length],
            kernel,
            hitLists,
          ).map((step) => (step.step === 'kernel' ? { ...step, takes: deep } : step))
        : [];
  return { query, stageQuery, classes, steps, fallbackSteps: depth?.fallbackSteps ?? [], lastSteps };
}

/** The name of a kernel, or of the same kernel that appends to lists. */
function withAppends(name: string, { appends }: KernelLists): KernelName {
  return (appends ? `${name}-append` : name) as KernelName;
}

/** Manifolds of pairs of sharp boxes at margin 0, by SAT: its hits need no witness point. */
function sharpBoxManifolds(
  kinds: readonly KindPair[],
  kernel: MakeKernel,
  isHardware: boolean,
): Pick<OpenPlan, 'steps' | 'lastSteps'> {
  const sat = { ...kindConstants(kinds), IS_SHARP: 1 };
  const boxes = { ...kindConstants(kinds), HAS_WITNESS: 0 };
  const lists: KernelLists = isHardware ? { appends: ['near'] } : {};
  return {
    steps: [{ ...kernel(withAppends('manifolds-sat', lists), sat, undefined, lists), ofManifolds: true }],
    lastSteps: [
      ...(isHardware ? [] : [listOf(INFO_HIT, 1)]),
      { ...kernel('manifolds-boxes', boxes, [0, 1], isHardware ? { reads: 'near' } : {}), ofManifolds: true },
    ],
  };
}

/** Manifolds of the hits, which are in `lists` if kernels appended them. */
function manifoldSteps(
  areSharpBoxes: boolean,
  classes: readonly KindPair[][],
  kinds: readonly KindPair[],
  kernel: MakeKernel,
  lists?: readonly WorkList[],
): Step[] {
  const name = areSharpBoxes ? 'manifolds-boxes' : 'manifolds';
  const ofHits = lists
    ? lists.map((reads) => kernel(name, kindConstants(kinds), [0, 1], { reads }))
    : stepsOverClasses(classes, kinds, true, (ofKinds, run) => kernel(name, ofKinds, run));
  return [
    ...(lists ? [] : [listOf(INFO_HIT, classes.length)]),
    ...ofHits.map((step): KernelStep => ({ ...step, ofManifolds: true })),
    // Last, because it overwrites what the others wrote for pairs that are not hits and went to fallback steps.
    { step: 'kernel', variant: { kernel: 'manifolds-none' }, ofManifolds: true },
  ];
}

/** Features of contacts with points, which are in `lists` if kernels appended them. */
function featureSteps(
  ofKinds: KindConstants,
  selected: readonly [number, number],
  kernel: MakeKernel,
  lists?: readonly WorkList[],
): Step[] {
  if (lists) return lists.map((reads) => kernel('contacts-features', ofKinds, [0, 1], { reads }));
  return [listOf(INFO_HAS_POINTS, selected[1]), kernel('contacts-features', ofKinds, selected)];
}

export const spatialPlanner: Planner<ShapeData> = { plan: makePlan, keyOf: kernelKey, packBodies: 'pack-bodies' };
