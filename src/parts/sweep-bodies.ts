/** The motion of a pair as traversals of trees take it. */
import type { Sweep } from '../bvh/find-swept-pairs.ts';
import { set, transformBack, vec3 } from '../cpu/math.ts';
import type { BodyMotion } from '../records/bodies.ts';
import type { PairPlaces } from '../cpu/parts/pair-places.ts';

export type MutableSweep = { -readonly [Name in keyof Sweep]: Sweep[Name] };

export function createSweep(): MutableSweep {
  return { velocity: new Float64Array(3), duration: 0, angleA: 0, angleB: 0, margin: 0 };
}

/**
 * By how much boxes are searched beyond the margin, as a share of both bodies' sizes: bodies overlap by a part of the
 * tolerance before they count as meeting, and times have errors.
 */
export const MOTION_SLACK = 1e-5;

const relative = vec3();

export function sweepBodies(
  { a, b }: PairPlaces,
  bodyA: number,
  bodyB: number,
  { linear, angular, duration }: BodyMotion,
  margin: number,
  to: MutableSweep,
): void {
  set(
    linear[3 * bodyB] - linear[3 * bodyA],
    linear[3 * bodyB + 1] - linear[3 * bodyA + 1],
    linear[3 * bodyB + 2] - linear[3 * bodyA + 2],
    relative,
  );
  transformBack(a.rotation, relative, relative);
  to.velocity[0] = relative.x;
  to.velocity[1] = relative.y;
  to.velocity[2] = relative.z;
  to.duration = duration;
  to.angleA = angleOf(angular, bodyA, duration);
  to.angleB = angleOf(angular, bodyB, duration);
  to.margin = margin + MOTION_SLACK * (a.shape.boundingRadius * a.scale + b.shape.boundingRadius * b.scale);
}

/** The angle by which a body turns; 0 without rotation, however long the duration is. */
function angleOf(angular: Float32Array | undefined, body: number, duration: number): number {
  if (!angular) return 0;
  const speed = Math.hypot(angular[3 * body], angular[3 * body + 1], angular[3 * body + 2]);
  return speed === 0 ? 0 : speed * duration;
}
