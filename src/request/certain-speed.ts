import { MOTION_MOST_TURN } from '../generated/constants.ts';

/** The kernel that packs velocities takes a speed from 2^-100 to 2^100, or 0. */
const GREATEST_SPEED = 2 ** 100;

/** The share that is left for the rounding of speeds in double precision and of the limit to f32. */
const ROUNDING = 1e-6;

/** Angular speeds up to this, in radians per second, are accepted for this duration in seconds (validate-motion.ts). */
export function certainSpeedFor(duration: number): number {
  const speed = Math.fround((MOTION_MOST_TURN / duration) * (1 - ROUNDING));
  return speed < 1 / GREATEST_SPEED ? 0 : Math.min(speed, GREATEST_SPEED);
}
