/**
 * The kernels that find depths in 3-D, for pairs that GJK leaves because their cores overlap.
 *
 *     arcs of Gauss maps    polytopes with few facets, by 'auto'. On hardware several lanes per pair find the normal, one
 *                           the points, and one searches again where there are none
 *     EPA, compact          the other pairs: one capacity after the other
 *     EPA                   pairs that are left; a fallback step on software adapters, or if all pairs go over arcs
 *     fallback steps, rarely needed
 *       EPA                 of pairs that the arcs or the compact polytopes left
 *       arcs of pairs that EPA left, then EPA near their normal; refinement of curved pairs
 *
 * On hardware each kernel appends the pairs that it leaves to the list of the next one. The fallback steps of a query run
 * in a later submission, so list steps make the first of their lists.
 */
import { INFO_PENDING_ARCS, INFO_PENDING_EPA, INFO_PENDING_GJK, INFO_PENDING_REFINE } from '../generated/constants.ts';
import type { KernelName } from '../generated/kernel-table.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { KindPair } from './classes.ts';
import type { PlanRequest } from './planner.ts';
import { ARC_LANES, arcsMostFacets, compactKernels, isArcsPair, rangeOfFacets } from './stages.ts';
import { listOf, stepsOverClasses, type KernelLists, type MakeKernel, type Step, type WorkList } from './steps.ts';
import { areCurved, hasLargeHull, kindConstants } from './variants.ts';

export interface DepthRequest {
  request: PlanRequest<ShapeData>;
  classes: readonly KindPair[][];
  leadPairs: readonly KindPair[];
  others: readonly KindPair[];
  /** Pairs that GJK may leave. */
  deep: readonly KindPair[];
  kernel: MakeKernel;
}

export interface DepthPlan {
  /** Where GJK appends pairs to on hardware: those for the arcs, if there are any, and the others. */
  arcsList: WorkList | undefined;
  epaList: WorkList | undefined;
  /** All pairs that GJK left but those whose features are stored, if the query asks for features. */
  lists: readonly WorkList[];
  steps: Step[];
  fallbackSteps: Step[];
}

/** Invocations per pair of the batch or query for kernels that few pairs reach: each may have to take 16 of them. */
const RARE_SHARE = 1 / 16;

/** Lists for the capacities of compact EPA. */
const EPA_LISTS = ['epa1', 'epa2', 'epa3'] as const;

export function planDepth({ request, classes, leadPairs, others, deep, kernel }: DepthRequest): DepthPlan {
  const { leadStage, shapes, isWarm, hasArcs, isHardware, isBatch } = request;
  const mostFacets = arcsMostFacets(isHardware);
  const facetsOf = (kind: number): ReturnType<typeof rangeOfFacets> =>
    rangeOfFacets(shapes.filter((shape): shape is ShapeData => shape?.kind === kind));
  const mayHaveFew = ([a, b]: KindPair): boolean => facetsOf(a).least + facetsOf(b).least <= mostFacets;
  const haveFew = ([a, b]: KindPair): boolean => facetsOf(a).most + facetsOf(b).most <= mostFacets;
  // SAT has the depth of boxes.
  const overArcs = leadStage === 'sat' ? others.filter((pair) => isArcsPair(pair) && mayHaveFew(pair)) : [];
  // Most pairs that the arcs leave have a normal, along which only the last kernel searches. So all of them go to it.
  const isAfterArcs = deep.every((pair) => overArcs.includes(pair) && haveFew(pair));
  const areSmall = !deep.some(areCurved) && !hasLargeHull(shapes);
  const compact = isAfterArcs ? [] : compactKernels(isHardware, areSmall);
  const openKinds = kindConstants([...leadPairs, ...others]);
  const continuesToArcs = deep.some(isArcsPair) && (hasArcs || isWarm || hasLargeHull(shapes));
  const areSomeCurved = deep.some(areCurved);
  const ofEpa: Record<string, number> = continuesToArcs ? { HAS_ARCS: 1 } : {};
  const isFallback = isAfterArcs || !isHardware;

  if (!isHardware) {
    const overClasses = (
      name: KernelName,
      selected: readonly KindPair[],
      more: Record<string, number> = {},
    ): Step[] => [
      listOf(INFO_PENDING_EPA, classes.length),
      ...stepsOverClasses(classes, selected, true, (ofKinds, run) => kernel(name, { ...more, ...ofKinds }, run)),
    ];
    // Of the other pairs, fallback steps expand those that the arcs leave.
    const takes = deep.filter((pair) => !overArcs.includes(pair) || !haveFew(pair));
    const overCompact = (name: KernelName): Step[] =>
      overClasses(name, deep).map((step) => (step.step === 'kernel' ? { ...step, takes } : step));
    const expansion = overClasses('contacts-epa', deep, ofEpa);
    const arcs = [listOf(INFO_PENDING_ARCS, 1), kernel('contacts-arcs', openKinds, [0, 1]), ...expansion];
    const refinement = [
      listOf(INFO_PENDING_REFINE, 1),
      kernel('contacts-refine', openKinds, [0, 1]),
      listOf(INFO_PENDING_GJK, 1),
      kernel('contacts-outside', openKinds, [0, 1]),
    ];
    return {
      arcsList: undefined,
      epaList: undefined,
      lists: [],
      steps: [...(overArcs.length > 0 ? overClasses('contacts-arcs', overArcs) : []), ...compact.flatMap(overCompact)],
      fallbackSteps: [...expansion, ...(continuesToArcs ? arcs : []), ...(areSomeCurved ? refinement : [])],
    };
  }

  const epaList = compact.length > 0 ? EPA_LISTS[0] : 'epa';
  const ofDeep = kindConstants(deep);
  const epa = (lists: KernelLists): Step => ({
    ...kernel('contacts-epa', { ...ofEpa, ...ofDeep }, [0, 1], lists),
    each: RARE_SHARE,
  });
  const firstEpa = epa({
    reads: 'epa',
    appends: [continuesToArcs ? 'openArcs' : undefined, areSomeCurved ? 'refine' : undefined],
  });
  // Pairs that come back from the arcs end there.
  const lastEpa = epa({ reads: 'openEpa' });
  const steps: Step[] = [];
  if (overArcs.length > 0) {
    // GJK appends every pair of polytopes to the list of the arcs, whatever its number of facets. None is curved.
    const ofArcs = { ...kindConstants(others.filter(isArcsPair)), ...(areSomeCurved && { HAS_CURVED: 0 }) };
    const features: Record<string, number> = request.query === 'manifolds' ? { HAS_FEATURES: 0 } : {};
    steps.push(
      { ...kernel('contacts-arcs-lanes', { ...ofArcs, LANES: ARC_LANES }, [0, 1], { reads: 'arcs' }), each: ARC_LANES },
      kernel('contacts-arcs-points', { ...ofArcs, ...features }, [0, 1], {
        reads: 'arcs',
        appends: ['arcsLeft', epaList],
      }),
      {
        ...kernel('contacts-arcs', ofArcs, [0, 1], { reads: 'arcsLeft', appends: [epaList, 'epa'] }),
        each: RARE_SHARE,
      },
    );
  }
  compact.forEach((name, i) => {
    const next = i + 1 < compact.length ? EPA_LISTS[i + 1] : 'epa';
    steps.push(kernel(name, ofDeep, [0, 1], { reads: EPA_LISTS[i], appends: [next] }));
  });
  if (!isFallback) steps.push(firstEpa);
  const listed = (mask: number, into: WorkList): Step[] => (isBatch ? [] : [{ ...listOf(mask, 1), into }]);
  const fallbackSteps = isFallback ? [...listed(INFO_PENDING_EPA, 'epa'), firstEpa] : [];
  if (continuesToArcs) {
    if (!isFallback) fallbackSteps.push(...listed(INFO_PENDING_ARCS, 'openArcs'));
    const lists = { reads: 'openArcs', appends: ['openEpa', 'openEpa'] } as const;
    fallbackSteps.push({ ...kernel('contacts-arcs', openKinds, [0, 1], lists), each: RARE_SHARE }, lastEpa);
  }
  if (areSomeCurved) {
    if (!isFallback) fallbackSteps.push(...listed(INFO_PENDING_REFINE, 'refine'));
    const [refine, outside] = [
      kernel('contacts-refine', openKinds, [0, 1], { reads: 'refine', appends: ['outside'] }),
      kernel('contacts-outside', openKinds, [0, 1], { reads: 'outside' }),
    ];
    fallbackSteps.push({ ...refine, each: RARE_SHARE }, { ...outside, each: RARE_SHARE });
  }
  const arcsList = overArcs.length > 0 ? 'arcs' : undefined;
  // contacts-arcs-points stores features with its contacts.
  const answered: WorkList = request.query === 'manifolds' ? 'arcs' : 'arcsLeft';
  const lists: WorkList[] = [...(arcsList ? [answered] : []), ...(isAfterArcs && !isBatch ? [] : ([epaList] as const))];
  return { arcsList, epaList, lists, steps, fallbackSteps };
}
