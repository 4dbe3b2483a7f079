/** Finds a camera position from which a set of balls fills the view up to a margin. */

import { Vector3 } from 'three';
import type { Box3 } from 'three';

/** Shares of the view's half width and half height that the balls may take. */
const FILLED = { width: 0.9, height: 0.79 };

/** A ball: its centre and radius. */
export type Ball = readonly [centre: Vector3, radius: number];

/**
 * The point to look at and the camera's position, for a camera that looks against `direction` (unit, from the target to
 * the camera) with y up. Let x point right, y up and z towards the camera. A ball is within the left and right planes
 * if
 *
 *   |x - cx| <= t (d - z) - r√(1 + t²)
 *
 * where t is the tangent of half the angle of view. Both bounds are linear in the centre cx and the distance d, so the
 * least d has a closed form. The same holds for the height.
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
  // The target's depth is that of the scene's centre, so that the view turns around the centre.
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

/** The bounding box of balls. */
export function boxAround(balls: readonly Ball[], box: Box3): Box3 {
  for (const [centre, radius] of balls) {
    box.expandByPoint(centre.clone().addScalar(radius)).expandByPoint(centre.clone().addScalar(-radius));
  }
  return box;
}
