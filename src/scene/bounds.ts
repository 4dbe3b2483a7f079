/**
 * Bounding volumes of shapes and bodies. Every shape here is the hull of a few core points, enlarged by a radius; its
 * box in the world is the box of the rotated points, enlarged by the radius: exact, not the box of a box.
 */

import { hasVertices, type ShapeData } from '../shapes/shape-data.ts';
import { TOLERANCE } from '../tolerances.ts';
import type { SceneBodies } from './scene.ts';

/** x, y, z of the points whose hull, enlarged by the rounding radius, is the shape. Points and segments are flat boxes. */
function corePoints({ kind, vertices, halfExtents }: ShapeData): Float64Array {
  if (hasVertices(kind)) return vertices;
  const corners = new Float64Array(24);
  for (let i = 0; i < 24; i++) corners[i] = ((Math.floor(i / 3) >> (i % 3)) & 1 ? 1 : -1) * halfExtents[i % 3];
  return corners;
}

/**
 * World boxes of all bodies, 6n: min x, y, z, max x, y, z. Each is enlarged by half of `margin`, and by twice the body's
 * share of the tolerance k · max(s, |B - A|), which is at most k · (s + margin) where a hit is possible at all, but for
 * terms in k². So bodies whose boxes are apart are no hit for any tester that keeps its tolerance.
 */
export function worldBoxes(bodies: SceneBodies, shapes: readonly ShapeData[], margin: number): Float64Array {
  const cores = shapes.map(corePoints);
  const n = bodies.shapes.length;
  const boxes = new Float64Array(6 * n);
  for (let i = 0; i < n; i++) {
    const points = cores[bodies.shapes[i]];
    const { radius, boundingRadius } = shapes[bodies.shapes[i]];
    const scale = bodies.scales[i];
    const enlarged = radius * scale + margin / 2 + 2 * TOLERANCE.kernels * (boundingRadius * scale + margin / 2);
    const rotation = rotationRows(bodies.quaternions, 4 * i);
    for (let axis = 0; axis < 3; axis++) {
      const rx = rotation[3 * axis];
      const ry = rotation[3 * axis + 1];
      const rz = rotation[3 * axis + 2];
      let low = Infinity;
      let high = -Infinity;
      for (let k = 0; k < points.length; k += 3) {
        const along = rx * points[k] + ry * points[k + 1] + rz * points[k + 2];
        low = Math.min(low, along);
        high = Math.max(high, along);
      }
      const centre = bodies.positions[3 * i + axis];
      // Far from the origin the sums below may round by more than the enlargement.
      const rounding = Math.abs(centre) * 2 ** -51;
      boxes[6 * i + axis] = centre + low * scale - enlarged - rounding;
      boxes[6 * i + 3 + axis] = centre + high * scale + enlarged + rounding;
    }
  }
  return boxes;
}

/** The rotation matrix of the quaternion at `offset`, normalised first, row by row. */
function rotationRows(quaternions: Float32Array, offset: number): number[] {
  const length = Math.hypot(quaternions[offset], quaternions[offset + 1], quaternions[offset + 2], quaternions[offset + 3]);
  const x = quaternions[offset] / length;
  const y = quaternions[offset + 1] / length;
  const z = quaternions[offset + 2] / length;
  const w = quaternions[offset + 3] / length;
  return [
    1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
    2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
  ];
}
