/** How far bodies turn. Beyond `MOTION_MOST_TURN` radians, angles in f32 are too coarse for the promised tolerance. */
import { MOTION_MOST_TURN } from '../generated/constants.ts';
import type { BodyMotion } from './bodies.ts';

/** Whether this angular speed turns a body too far within the duration: its pairs are `InvalidInput` then. */
export function isTooFast(speed: number, duration: number): boolean {
  return speed > 0 && !(speed * duration <= MOTION_MOST_TURN);
}

/** The same of body `body`, whose angular velocity has `components` numbers: 3, or in 2-D one. */
export function turnsTooFar({ angular, duration }: BodyMotion, body: number, components: number): boolean {
  if (!angular) return false;
  const speed =
    components === 1
      ? Math.abs(angular[body])
      : Math.hypot(angular[3 * body], angular[3 * body + 1], angular[3 * body + 2]);
  return isTooFast(speed, duration);
}
