/** Mirror of shaders/queries/units.wgsl: between the pair's unit and the caller's. */
import { UNBOUNDED } from '../../generated/constants.ts';
import { EPSILON, type Vec3, scale, transform } from '../math.ts';
import type { Pair } from '../pair.ts';

export function marginInUnits(pair: Pair, margin: number): number {
  return Math.min(margin, UNBOUNDED * pair.unit) / pair.unit;
}

/** Distance of the cores beyond which a pair may leave early: beyond the margin in spite of rounding. */
export function farthest(margin: number, radius: number): number {
  return (margin + radius) * (1 + 4 * EPSILON);
}

/** A length in A's frame and the pair's unit as one in world axes and the caller's unit. */
export function toWorld(pair: Pair, v: Vec3, to: Vec3): Vec3 {
  return scale(transform(pair.rotationA, v, to), pair.unit, to);
}
