/** Mirror of shaders/approach.wgsl: where the bounding spheres of two bodies that translate meet and part. */
import { APPROACH_SLACK_ULPS } from '../generated/constants.ts';
import { EPSILON, type Vec3, addScaled, dot, length, vec3 } from './math.ts';

export interface Approach {
  /** Whether they meet anywhere on the line. */
  isNear: boolean;
  /** The distance that B has travelled when they meet and when they part. Negative: before the start. */
  entry: number;
  exit: number;
}

export function createApproach(): Approach {
  return { isNear: false, entry: 0, exit: 0 };
}

const nearest = vec3();

/** `offset` is B's position minus A's, `direction` the unit vector that B moves along, `radii` the sum of the radii. */
export function approach(offset: Vec3, direction: Vec3, radii: number, to: Approach): Approach {
  const middle = -dot(offset, direction);
  addScaled(offset, direction, middle, nearest);
  // Twice, because far away the first subtraction leaves as much along the line as the bodies are large.
  addScaled(nearest, direction, -dot(nearest, direction), nearest);
  const enlarged = radii * (1 + APPROACH_SLACK_ULPS * EPSILON) + length(offset) * APPROACH_SLACK_ULPS * EPSILON;
  const miss = length(nearest);
  to.isNear = miss <= enlarged;
  const half = Math.sqrt(Math.max((enlarged - miss) * (enlarged + miss), 0));
  to.entry = middle - half;
  to.exit = middle + half;
  return to;
}
