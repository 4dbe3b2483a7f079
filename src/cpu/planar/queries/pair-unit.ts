/** Mirror of shaders/planar/queries/pair-unit.wgsl: between the unit of a pair in 2-D and the caller's. */
import { UNBOUNDED } from '../../../generated/constants.ts';
import { EPSILON } from '../math.ts';
import type { PlanarPair } from '../pair.ts';

export function marginInUnits(pair: PlanarPair, margin: number): number {
  return Math.min(margin, UNBOUNDED * pair.unit) / pair.unit;
}

/** Distance of the cores beyond which a pair may leave early: beyond the margin in spite of rounding. */
export function farthest(margin: number, radius: number): number {
  return (margin + radius) * (1 + 4 * EPSILON);
}

/**
 * A search whose bounds are this close is an answer: a tenth of the reference's tolerance, unlike the other tolerances
 * no multiple of EPSILON, of which there are millions in the tolerance here.
 */
export function acceptedGap(): number {
  return 1e-10;
}
