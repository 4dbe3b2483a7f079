/** Which pairs the stages of a query in 3-D take. */
import { CORE_BOX, CORE_HALFSPACE, CORE_HULL } from '../generated/constants.ts';
import type { LeadStage } from '../request/backend.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { KindPair } from './classes.ts';

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
