/**
 * Points of one body inside a closed mesh. Such a point has to leave the mesh before the bodies are apart, so no translation
 * shorter than its distance from the mesh's triangles separates them. If a ball around the point is part of the body, no
 * translation shorter than the sum of that distance and the ball's radius does. Unlike the depth of triangles, this does not
 * shrink where triangles are small.
 */

import { transform, vec3 } from '../../../src/cpu/math.ts';
import { isInside, placeOf, pointsOf, type Body } from '../solids/body.ts';
import { createNearestTriangle, nearestTriangle } from '../solids/nearest-triangle.ts';
import { intoFrameOf } from '../solids/solid.ts';
import { deeper, type Bound } from './measured.ts';

/** Points inside that are measured, of each body. Any selection gives a bound. */
const MOST_MEASURED = 256;

/**
 * The bound that points of one body give that are inside the other; undefined if the other is no closed mesh, or has no
 * point inside. `isOfA` says whether they are points of A, and the mesh is B.
 */
export function boundOfInside(from: Body, into: Body, isOfA: boolean): Bound | undefined {
  if (!into.mesh?.isClosed) return undefined;
  const inside = pointsOf(from).filter((point) => isInside(into, point));
  const nearest = createNearestTriangle();
  const { rotation, scale } = into.whole;
  const local = vec3();
  let bound: Bound | undefined;
  for (const point of someOf(inside)) {
    intoFrameOf(point.solid, point.x, point.y, point.z, into.whole, local);
    const { distance, point: exit } = nearestTriangle(into.mesh.mesh, local, nearest);
    if (distance === 0) continue;
    // Moving B by -distance times the normal takes the point to the mesh's surface.
    const sign = (isOfA ? 1 : -1) / distance;
    const normal = vec3(sign * (local.x - exit.x), sign * (local.y - exit.y), sign * (local.z - exit.z));
    transform(rotation, normal, normal);
    const place = placeOf(point);
    const half = (isOfA ? -0.5 : 0.5) * scale * distance;
    const between = vec3(place.x + half * normal.x, place.y + half * normal.y, place.z + half * normal.z);
    bound = deeper(bound, { distance: -(scale * distance + point.radius), normal, point: between });
  }
  return bound;
}

/** Some of the points, spread over all of them. */
function someOf<Point>(points: readonly Point[]): readonly Point[] {
  if (points.length <= MOST_MEASURED) return points;
  return Array.from({ length: MOST_MEASURED }, (_, i) => points[Math.floor((i * points.length) / MOST_MEASURED)]);
}
