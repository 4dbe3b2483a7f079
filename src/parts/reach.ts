/** How far bodies move towards each other within a duration, at most. */
import type { BodyMotion } from '../records/bodies.ts';
import { CORE_HALFSPACE } from '../generated/constants.ts';
import { isRotating } from '../cpu/parts/part-impacts.ts';
import type { PairPlaces } from '../cpu/parts/pair-places.ts';

/**
 * A bound of the way that any point of B moves relative to any point of A; Infinity for an endless motion, and for a half-space that
 * rotates.
 */
export function reachOf({ a, b }: PairPlaces, motion: BodyMotion, pairs: Uint32Array, pair: number): number {
  const turnsPlane = [a, b].some(
    ({ shape }, side) => shape.kind === CORE_HALFSPACE && isRotating(motion, pairs[2 * pair + side]),
  );
  if (turnsPlane) return Infinity;
  const bodyA = 3 * pairs[2 * pair];
  const bodyB = 3 * pairs[2 * pair + 1];
  const { linear, angular, duration } = motion;
  const speed = Math.hypot(
    linear[bodyB] - linear[bodyA],
    linear[bodyB + 1] - linear[bodyA + 1],
    linear[bodyB + 2] - linear[bodyA + 2],
  );
  const turning = angular
    ? Math.hypot(angular[bodyA], angular[bodyA + 1], angular[bodyA + 2]) * a.shape.boundingRadius * a.scale +
      Math.hypot(angular[bodyB], angular[bodyB + 1], angular[bodyB + 2]) * b.shape.boundingRadius * b.scale
    : 0;
  const total = speed + turning;
  return total === 0 ? 0 : total * duration * (1 + 1e-6);
}
