/** Where a camera must stand to see all of a set of balls, filling the view as far as a margin allows. */

import { Vector3 } from 'three';
import type { Box3 } from 'three';

/** Shares of the view's half width and half height that the balls may take. */
const FILLED = { width: 0.9, height: 0.79 };

/** A ball: where it is and how large. */
export type Ball = readonly [centre: Vector3, radius: number];

/**
 * The place to look at and the camera's place, for a camera that looks against `direction` (unit, from the target to
 * the camera) with y up. With x to the right, y up and z towards the camera, a ball is within the left and right planes
 * if
 * |x - cx| <= t (d - z) - r√(1 + t²), t being the tangent of half the angle of view. Both bounds are linear in the middle
 * cx and the distance d, so the least d is in closed form; the same for the height.
 */
export function frame(
  balls: readonly Ball[],
  direction: Vector3,
  tangentUp: number,
  aspect: number,
): { target: Vector3; position: Vector3 } {
  const right = new Vector3(0, 1, 0).cross(direction).normalize();
  const up = direction.clone().cross(right);
  const across = extentAlong(balls, right, direction, tangentUp * aspect * FILLED.width);
  const along = extentAlong(balls, up, direction, tangentUp * FILLED.height);
  const distance = Math.max(across.distance, along.distance);
  const inPlane = right.multiplyScalar(across.middle).addScaledVector(up, along.middle);
  // The target is as deep in the scene as its middle, so that turning the view turns it around that.
  const depth = balls.reduce((sum, [centre]) => sum + centre.dot(direction), 0) / balls.length;
  return {
    target: inPlane.clone().addScaledVector(direction, depth),
    position: inPlane.clone().addScaledVector(direction, distance),
  };
}

function extentAlong(
  balls: readonly Ball[],
  axis: Vector3,
  direction: Vector3,
  tangent: number,
): { middle: number; distance: number } {
  const slant = Math.sqrt(1 + tangent * tangent);
  let high = -Infinity;
  let low = -Infinity;
  for (const [centre, radius] of balls) {
    const nearer = tangent * centre.dot(direction) + radius * slant;
    high = Math.max(high, nearer + centre.dot(axis));
    low = Math.max(low, nearer - centre.dot(axis));
  }
  return { middle: (high - low) / 2, distance: (high + low) / (2 * tangent) };
}

/** The box around balls. */
export function boxAround(balls: readonly Ball[], box: Box3): Box3 {
  for (const [centre, radius] of balls) {
    box.expandByPoint(centre.clone().addScalar(radius)).expandByPoint(centre.clone().addScalar(-radius));
  }
  return box;
}
