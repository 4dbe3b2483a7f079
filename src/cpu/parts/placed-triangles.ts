/** The triangles of two meshes in a common frame: A's axes, from A's position, at full scale. */
import type { Triangles } from '../../bvh/build-tree.ts';
import type { Placement } from '../../bvh/placement.ts';

/** A pair of triangles, one of each mesh. */
export interface PlacedTriangles {
  /** Corners of A's triangle and of B's, 9 numbers each. */
  readonly a: Float64Array;
  readonly b: Float64Array;
  /** The triangles that they are; -1 before the first. */
  triangleA: number;
  triangleB: number;
  meshA: Triangles;
  meshB: Triangles;
  placement: Placement;
}

const NO_MESH: Triangles = { positions: new Float64Array(0), indices: new Uint32Array(0) };
const NO_PLACEMENT: Placement = {
  rotation: new Float64Array(9),
  translation: new Float64Array(3),
  scaleA: 1,
  scaleB: 1,
};

export function createPlacedTriangles(): PlacedTriangles {
  return {
    a: new Float64Array(9),
    b: new Float64Array(9),
    triangleA: -1,
    triangleB: -1,
    meshA: NO_MESH,
    meshB: NO_MESH,
    placement: NO_PLACEMENT,
  };
}

/** Begins with two meshes. */
export function placeMeshes(meshA: Triangles, meshB: Triangles, placement: Placement, to: PlacedTriangles): void {
  to.meshA = meshA;
  to.meshB = meshB;
  to.placement = placement;
  to.triangleA = -1;
  to.triangleB = -1;
}

/** Writes the corners of two triangles, if they are not the ones that are there. */
export function placeTriangles(triangleA: number, triangleB: number, to: PlacedTriangles): void {
  if (triangleA !== to.triangleA) {
    to.triangleA = triangleA;
    const { positions, indices } = to.meshA;
    const { scaleA } = to.placement;
    const { a } = to;
    for (let k = 0; k < 9; k += 3) {
      const at = 3 * indices[3 * triangleA + k / 3];
      a[k] = scaleA * positions[at];
      a[k + 1] = scaleA * positions[at + 1];
      a[k + 2] = scaleA * positions[at + 2];
    }
  }
  if (triangleB === to.triangleB) return;
  to.triangleB = triangleB;
  const { positions, indices } = to.meshB;
  const { rotation, translation, scaleB } = to.placement;
  const { b } = to;
  for (let k = 0; k < 9; k += 3) {
    const at = 3 * indices[3 * triangleB + k / 3];
    const x = scaleB * positions[at];
    const y = scaleB * positions[at + 1];
    const z = scaleB * positions[at + 2];
    b[k] = rotation[0] * x + rotation[3] * y + rotation[6] * z + translation[0];
    b[k + 1] = rotation[1] * x + rotation[4] * y + rotation[7] * z + translation[1];
    b[k + 2] = rotation[2] * x + rotation[5] * y + rotation[8] * z + translation[2];
  }
}
