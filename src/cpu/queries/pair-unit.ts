/** Mirror of shaders/queries/pair-unit.wgsl: between the pair's unit and the caller's. */
import { UNBOUNDED } from '../../generated/constants.ts';
import { EPSILON, type Vec3, addScaled, scale, transform } from '../math.ts';
import type { Pair } from '../pair.ts';

export function marginInUnits(pair: Pair, margin: number): number {
  return Math.min(margin, UNBOUNDED * pair.unit) / pair.unit;
}

/** Distance of the cores beyond which a pair may leave early: beyond the margin in spite of rounding. */
export function farthest(margin: number, radius: number): number {
  return (margin + radius) * (1 + 4 * EPSILON);
}

export function toWorld(pair: Pair, v: Vec3, to: Vec3): Vec3 {
  return transform(pair.rotationA, v, to);
}

/** Writes a point in A's frame, from A's middle, as a vector from A's position in world axes and the caller's unit. */
export function placeInWorld(pair: Pair, point: Vec3, to: Vec3): Vec3 {
  return toWorld(pair, scale(addScaled(point, pair.middleA, 1, to), pair.unit, to), to);
}
