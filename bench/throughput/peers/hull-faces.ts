/** Faces of a hull by three.js' `ConvexHull`, for libraries that take them from their caller. */

import { Vector3 } from 'three';
import { ConvexHull } from 'three/examples/jsm/math/ConvexHull.js';

/** Point indices of each triangle, counter-clockwise from outside. All points are vertices of the hull. */
export function hullFaces(points: ArrayLike<number>): number[][] {
  const list = Array.from(
    { length: points.length / 3 },
    (_, i) => new Vector3(points[3 * i], points[3 * i + 1], points[3 * i + 2]),
  );
  return new ConvexHull().setFromPoints(list).faces.map((face) => {
    const corners: number[] = [];
    let edge = face.edge;
    do {
      corners.push(list.indexOf(edge.head().point));
      edge = edge.next;
    } while (edge !== face.edge);
    return corners;
  });
}
