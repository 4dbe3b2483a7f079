/**
 * The kernels that find depths in 3-D, for pairs that GJK leaves because their cores overlap.
 *
 *     arcs of Gauss maps    polytopes with few facets, by 'auto': one kernel finds the normal, one the points along it. Both
 *                           run once more over pairs without points along their normal
 *     EPA, compact          the other pairs
 *     fallback steps, rarely needed
 *       EPA                 of pairs that the arcs or the compact polytope left
 *       arcs of pairs that EPA left, then EPA near their normal; refinement of curved pairs
 *
 * Each kernel appends the pairs that it leaves to the list of the next one. All pairs for the fallback steps are in the
 * list `epa`.
 */
import { CORE_TRIANGLE } from '../generated/constants.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { KindPair } from './classes.ts';
import type { PlanRequest } from './planner.ts';
import { isArcsPair, rangeOfFacets } from './stages.ts';
import type { KernelLists, KernelStep, MakeKernel, Step, WorkList } from './steps.ts';
import { areCurved, kindConstants } from './variants.ts';

export interface DepthRequest {
  request: PlanRequest<ShapeData>;
  leadPairs: readonly KindPair[];
  others: readonly KindPair[];
  /** Pairs that GJK may leave. */
  deep: readonly KindPair[];
  kernel: MakeKernel;
}

export interface DepthPlan {
  /** Where GJK appends pairs to: those for the arcs, if there are any, and the others. */
  arcsList: WorkList | undefined;
  epaList: WorkList | undefined;
  /** Constants of GJK: a limit of facets, where only some pairs of polytopes are for the arcs. */
  ofGjk: Record<string, number>;
  /** All pairs that GJK left. */
  lists: readonly WorkList[];
  steps: Step[];
  fallbackSteps: Step[];
}

/** Invocations per pair of the batch or query for kernels that few pairs reach: each may have to take 16 of them. */
const RARE_SHARE = 1 / 16;

export function planDepth({ request, leadPairs, others, deep, kernel }: DepthRequest): DepthPlan {
  const { leadStage, shapes, hasParts, adapter } = request;
  // Triangles of meshes have no Gauss maps.
  const hasArcs = (pair: KindPair): boolean => isArcsPair(pair) && !(hasParts && pair.includes(CORE_TRIANGLE));
  const facetsOf = (kind: number): ReturnType<typeof rangeOfFacets> =>
    rangeOfFacets(shapes.filter((shape): shape is ShapeData => shape?.kind === kind));
  const mayHaveFew = ([a, b]: KindPair): boolean => facetsOf(a).least + facetsOf(b).least <= adapter.arcsMostFacets;
  const haveFew = ([a, b]: KindPair): boolean => facetsOf(a).most + facetsOf(b).most <= adapter.arcsMostFacets;
  // SAT has the depth of boxes.
  const overArcs = leadStage === 'sat' ? others.filter((pair) => hasArcs(pair) && mayHaveFew(pair)) : [];
  // Most pairs that the arcs leave have a normal, along which only the last kernel searches. So all of them go to it.
  const isAfterArcs = deep.every((pair) => overArcs.includes(pair) && haveFew(pair));
  const continuesToArcs = deep.some(hasArcs);
  const areSomeCurved = deep.some(areCurved);
  const epaList: WorkList = isAfterArcs ? 'epa' : 'compact';

  /** The search for normals, and the points along them. No pair is curved. */
  const overNormals = (pairs: readonly KindPair[], lists: Required<KernelLists>, share: number): KernelStep[] => {
    const ofKinds = { ...kindConstants(pairs), ...(areSomeCurved && { HAS_CURVED: 0 }) };
    const ofArcs = { ...ofKinds, LANES: adapter.arcLanes, MOST_FACETS: adapter.arcsMostFacets };
    return [
      { ...kernel('contacts-arcs', ofArcs, [0, 1], { reads: lists.reads }), each: share * adapter.arcLanes },
      { ...kernel('contacts-arcs-points', ofKinds, [0, 1], lists), each: share },
    ];
  };
  const steps: Step[] = [];
  if (overArcs.length > 0) {
    const pairs = others.filter(hasArcs);
    steps.push(
      ...overNormals(pairs, { reads: 'arcs', appends: ['arcsLeft', epaList] }, 1),
      ...overNormals(pairs, { reads: 'arcsLeft', appends: ['epa', epaList] }, RARE_SHARE),
    );
  }
  if (!isAfterArcs) {
    const lists: KernelLists = { reads: 'compact', appends: ['epa'] };
    steps.push(kernel('contacts-epa-compact', kindConstants(deep), [0, 1], lists));
  }

  const epa = (lists: KernelLists): Step => ({
    ...kernel('contacts-epa', { ...kindConstants(deep), ...(continuesToArcs && { HAS_ARCS: 1 }) }, [0, 1], lists),
    each: RARE_SHARE,
  });
  const openLists = [continuesToArcs ? 'openArcs' : undefined, areSomeCurved ? 'refine' : undefined] as const;
  const fallbackSteps: Step[] = [epa({ reads: 'epa', appends: openLists })];
  if (continuesToArcs) {
    // Pairs that come back from the arcs end with EPA.
    const pairs = deep.filter(hasArcs);
    fallbackSteps.push(
      ...overNormals(pairs, { reads: 'openArcs', appends: ['openArcsLeft', 'openEpa'] }, RARE_SHARE),
      ...overNormals(pairs, { reads: 'openArcsLeft', appends: ['openEpa', 'openEpa'] }, RARE_SHARE),
      epa({ reads: 'openEpa' }),
    );
  }
  if (areSomeCurved) {
    const openKinds = kindConstants([...leadPairs, ...others]);
    const [refine, outside] = [
      kernel('contacts-refine', openKinds, [0, 1], { reads: 'refine', appends: ['outside'] }),
      kernel('contacts-outside', openKinds, [0, 1], { reads: 'outside' }),
    ];
    fallbackSteps.push({ ...refine, each: RARE_SHARE }, { ...outside, each: RARE_SHARE });
  }
  const arcsList: WorkList | undefined = overArcs.length > 0 ? 'arcs' : undefined;
  const lists: WorkList[] = [...(arcsList ? [arcsList] : []), ...(isAfterArcs ? [] : [epaList])];
  const areAllForArcs = others.every((pair) => !hasArcs(pair) || haveFew(pair));
  const ofGjk: Record<string, number> = arcsList && !areAllForArcs ? { MOST_FACETS: adapter.arcsMostFacets } : {};
  return { arcsList, epaList, ofGjk, lists, steps, fallbackSteps };
}
