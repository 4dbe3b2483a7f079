/** Triangles of two meshes in one frame. */
import type { Placement } from '../bvh/placement.ts';
import { copyCorners } from '../shapes/mesh-triangle.ts';
import type { Mesh } from '../shapes/parts.ts';

/** The corners of two triangles, 9 numbers each. */
export interface TrianglePair {
  readonly a: Float64Array;
  readonly b: Float64Array;
}

/** Writes the corners of two triangles along A's axes, relative to A's position, at full scale. */
export function placeTriangles(
  meshA: Mesh,
  triangleA: number,
  meshB: Mesh,
  triangleB: number,
  { rotation, translation, scaleA, scaleB }: Placement,
  { a, b }: TrianglePair,
): void {
  copyCorners(meshA, triangleA, a);
  copyCorners(meshB, triangleB, b);
  for (let i = 0; i < 9; i++) a[i] *= scaleA;
  for (let i = 0; i < 9; i += 3) {
    const x = scaleB * b[i];
    const y = scaleB * b[i + 1];
    const z = scaleB * b[i + 2];
    b[i] = rotation[0] * x + rotation[3] * y + rotation[6] * z + translation[0];
    b[i + 1] = rotation[1] * x + rotation[4] * y + rotation[7] * z + translation[1];
    b[i + 2] = rotation[2] * x + rotation[5] * y + rotation[8] * z + translation[2];
  }
}
