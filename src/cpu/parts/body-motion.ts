/** How bodies move, in 2-D and 3-D alike: 2-D angular velocities are about the third axis. */
import type { BodyMotion } from '../../records/bodies.ts';
import { rotationMatrix, set, type Vec3 } from '../math.ts';
import { poseAt } from '../queries/motion.ts';
import type { BodyPlace } from './part-place.ts';

/** Writes the linear velocity of a body. */
export function linearVelocity({ linear }: BodyMotion, { body, axes }: BodyPlace, to: Vec3): Vec3 {
  const at = axes * body;
  return set(linear[at], linear[at + 1], axes === 3 ? linear[at + 2] : 0, to);
}

/** Writes the angular velocity of a body; 0 without angular velocities. */
export function angularVelocity({ angular }: BodyMotion, { body, axes }: BodyPlace, to: Vec3): Vec3 {
  if (!angular) return set(0, 0, 0, to);
  if (axes === 2) return set(0, 0, angular[body], to);
  return set(angular[3 * body], angular[3 * body + 1], angular[3 * body + 2], to);
}

/** Writes the place of a body some seconds later. */
export function turn(place: BodyPlace, velocity: Vec3, time: number, to: BodyPlace): void {
  to.shape = place.shape;
  to.axes = place.axes;
  poseAt(place, velocity, time, to);
  rotationMatrix(to.quaternion, to.rotation);
}
