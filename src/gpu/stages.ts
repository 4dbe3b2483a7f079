/** Which pairs the stages of a query in 3-D take, and the capacities of EPA. */
import { CORE_BOX, CORE_HALFSPACE, CORE_HULL } from '../generated/constants.ts';
import type { KernelName } from '../generated/kernel-table.ts';
import type { LeadStage } from '../request/backend.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { KindPair } from './classes.ts';

/**
 * The kernels of EPA on compact polytopes, by number of vertices. The memory of a polytope costs time on a graphics card;
 * so most pairs should have a small one. On a software adapter it does not, and every kernel takes seconds to compile.
 */
export function compactKernels(isHardware: boolean, areSmall: boolean): KernelName[] {
  if (!isHardware) return [areSmall ? 'contacts-epa-32' : 'contacts-epa-64'];
  return areSmall ? ['contacts-epa-16', 'contacts-epa-32'] : ['contacts-epa-12', 'contacts-epa-20', 'contacts-epa-32'];
}

/**
 * Most facets of both bodies of a pair together for which the arcs come before EPA. Two hulls of 32 vertices have 120, of
 * 64 vertices 248, of 128 vertices 504; parts of long arcs add a few. On software adapters it depends on the processor.
 * With lavapipe on an Intel Xeon, arcs and EPA take equally long for hulls of 64 vertices, and EPA takes 0.7 times as
 * long for hulls of 128. On an AMD EPYC the arcs took 0.6 and 0.9 times as long as EPA (bench/results/depth.md). 300 is a
 * compromise. On an NVIDIA H200, with prototypes of one invocation per pair, the arcs were faster than compact EPA for
 * hulls of 32 vertices (274 to 351 against 200 to 228 M hits/s) and slower for hulls of 64 (23 to 47 against 150).
 */
const ARCS_MOST_FACETS = { hardware: 140, software: 300 };
export const MOST_FACETS_OF_ANY = Math.max(...Object.values(ARCS_MOST_FACETS));

export function arcsMostFacets(isHardware: boolean): number {
  return ARCS_MOST_FACETS[isHardware ? 'hardware' : 'software'];
}

/** Facets of a polytope; 0 of others. */
export function facetCount({ gaussMap }: Pick<ShapeData, 'gaussMap'>): number {
  return gaussMap.offsets.length;
}

/** The least and the greatest number of facets of these shapes. */
export function rangeOfFacets(shapes: readonly ShapeData[]): { least: number; most: number } {
  let [least, most] = [Infinity, 0];
  for (const shape of shapes) {
    least = Math.min(least, facetCount(shape));
    most = Math.max(most, facetCount(shape));
  }
  return { least, most };
}

/** Whether pairs of these kinds go through the lead stage. */
export function isLeadPair(leadStage: LeadStage, [a, b]: KindPair): boolean {
  if (leadStage === 'sat') return a === CORE_BOX && b === CORE_BOX;
  return (
    (leadStage === 'newton' && Math.max(a, b) <= CORE_BOX) || (leadStage === 'mpr' && Math.max(a, b) < CORE_HALFSPACE)
  );
}

/** Whether pairs of these kinds have a Gauss map's arcs: both are polytopes, and one has faces. */
export function isArcsPair([a, b]: KindPair): boolean {
  return Math.max(a, b) <= CORE_HULL && Math.max(a, b) >= CORE_BOX;
}

/**
 * Lanes that search the faces and arcs of a pair on hardware. Lanes read neighbouring rows at once, and find the normal
 * sooner; but each has the pair to load. Counted instructions of a pair of two hulls of 8 and of 32 vertices, by lanes:
 * 1: 6.8 and 19.6 thousand, 2: 8.2 and 20.4, 4: 11.3 and 23.8, 8: 16.2 and 29.7. On an NVIDIA H200 prototypes with two
 * lanes were 2.6 times as fast as with one for hulls of 8; for hulls of 32, four or eight gained up to a quarter.
 */
export const ARC_LANES = 2;
