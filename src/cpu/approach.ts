/** Mirror of shaders/approach.wgsl: where the bounding spheres of two bodies in straight motion meet and part. */
import { APPROACH_SLACK_ULPS } from '../generated/constants.ts';
import { EPSILON, type Vec3, addScaled, dot, length, vec3 } from './math.ts';

export interface Approach {
  /** Whether they meet anywhere on the line. */
  isNear: boolean;
  /** How far B has gone when they meet and when they part; negative: before it started. */
  entry: number;
  exit: number;
  /** The line's point nearest to A, and how far from there they meet and part. */
  nearest: Vec3;
  half: number;
}

export function createApproach(): Approach {
  return { isNear: false, entry: 0, exit: 0, nearest: vec3(), half: 0 };
}

/** `offset` is B's position minus A's, `along` the unit vector that B moves along, `reach` the sum of the radii. */
export function approach(offset: Vec3, along: Vec3, reach: number, to: Approach): Approach {
  const middle = -dot(offset, along);
  addScaled(offset, along, middle, to.nearest);
  // Twice: far away, what the first subtraction leaves along the line is as large as the bodies.
  addScaled(to.nearest, along, -dot(to.nearest, along), to.nearest);
  const enlarged = reach * (1 + APPROACH_SLACK_ULPS * EPSILON) + length(offset) * APPROACH_SLACK_ULPS * EPSILON;
  const miss = length(to.nearest);
  to.isNear = miss <= enlarged;
  to.half = Math.sqrt(Math.max((enlarged - miss) * (enlarged + miss), 0));
  to.entry = middle - to.half;
  to.exit = middle + to.half;
  return to;
}
