/**
 * Upper bounds of the depth to which a triangle of a mesh and a part overlap: how far the part has to move along the triangle's
 * normal to be on one side of its plane. They take a fraction of the time of the depth.
 */
import { makeCore, createCore } from '../cpu/pair.ts';
import type { PairPlaces } from '../cpu/parts/pair-places.ts';
import { createPartPlace, placePart } from '../cpu/parts/part-place.ts';
import { createPlacedTriangles, placeMeshes, placeTriangles } from '../cpu/parts/placed-triangles.ts';
import { rotationMatrix, set, transform, transformBack, vec3 } from '../cpu/math.ts';
import { support, vertex } from '../cpu/support.ts';
import type { DepthBounds } from './part-geometry.ts';
import type { Mesh } from '../shapes/parts.ts';

/** Least length of the cross product of two edges, as a share of their squared lengths, from which a triangle has a normal. */
const LEAST_AREA = 1e-7;

export function createDepthBounds(places: PairPlaces): DepthBounds {
  const { a, b, offset } = places;
  const triangles = createPlacedTriangles();
  const part = createPartPlace();
  const core = createCore();
  const partRotation = new Float64Array(9);
  /** From the mesh's frame to the part's. */
  const toPart = new Float64Array(9);
  const normal = vec3();
  const direction = vec3();
  const corner = vec3();
  /** Position of the part, from the mesh's, in the mesh's axes. */
  const position = vec3();
  let areMeshes = false;
  let hasMesh = false;
  let isMeshA = false;
  /** The part that all of these are of. */
  let placed = -1;

  function placeOther(number: number): void {
    placed = number;
    const mesh = isMeshA ? a : b;
    placePart(isMeshA ? b : a, number, false, part);
    makeCore(part.shape, part.scale, core);
    rotationMatrix(part.quaternion, partRotation);
    const sign = isMeshA ? 1 : -1;
    const { x, y, z } = part.offset;
    set(sign * offset.x + x, sign * offset.y + y, sign * offset.z + z, position);
    for (let column = 0; column < 9; column += 3) {
      for (let row = 0; row < 3; row++) {
        let sum = 0;
        for (let k = 0; k < 3; k++) sum += partRotation[3 * row + k] * mesh.rotation[column + k];
        toPart[column + row] = sum;
      }
    }
    transformBack(mesh.rotation, position, position);
  }

  /** How far the part reaches along a vector of its own frame, from its position. */
  function reach(x: number, y: number, z: number): number {
    vertex(core, support(core, x, y, z), corner);
    const { middle: from, radius } = part.shape;
    const toCore = from[0] * x + from[1] * y + from[2] * z;
    return corner.x * x + corner.y * y + corner.z * z + (toCore + radius) * part.scale;
  }

  function boundOfPart(triangle: number, number: number): number {
    if (number !== placed) placeOther(number);
    const mesh = isMeshA ? a : b;
    const { positions, indices, isFront } = mesh.shape.parts as Mesh;
    const p = 3 * indices[3 * triangle];
    const q = 3 * indices[3 * triangle + 1];
    const r = 3 * indices[3 * triangle + 2];
    const px = positions[p];
    const py = positions[p + 1];
    const pz = positions[p + 2];
    const ux = positions[q] - px;
    const uy = positions[q + 1] - py;
    const uz = positions[q + 2] - pz;
    const vx = positions[r] - px;
    const vy = positions[r + 1] - py;
    const vz = positions[r + 2] - pz;
    set(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx, normal);
    const length = Math.sqrt(normal.x * normal.x + normal.y * normal.y + normal.z * normal.z);
    if (!(length > LEAST_AREA * (ux * ux + uy * uy + uz * uz + vx * vx + vy * vy + vz * vz))) return Infinity;
    set(normal.x / length, normal.y / length, normal.z / length, normal);
    const { x, y, z } = normal;
    const plane = mesh.scale * (x * px + y * py + z * pz);
    const height = x * position.x + y * position.y + z * position.z - plane;
    transform(toPart, normal, direction);
    const up = reach(-direction.x, -direction.y, -direction.z) - height;
    const down = reach(direction.x, direction.y, direction.z) + height;
    return up < 0 || down < 0 || !isFront ? Math.min(up, down) : up;
  }

  return {
    begin() {
      placed = -1;
      const meshA = a.shape.parts;
      const meshB = b.shape.parts;
      isMeshA = meshA?.type === 'mesh';
      areMeshes = isMeshA && meshB?.type === 'mesh';
      hasMesh = isMeshA || meshB?.type === 'mesh';
      if (meshA?.type === 'mesh' && meshB?.type === 'mesh') placeMeshes(meshA, meshB, places.placement, triangles);
    },
    boundOf(partA, partB) {
      if (!hasMesh) return Infinity;
      if (!areMeshes) return isMeshA ? boundOfPart(partA, partB) : boundOfPart(partB, partA);
      placeTriangles(partA, partB, triangles);
      return Math.min(boundOfTriangles(triangles.a, triangles.b), boundOfTriangles(triangles.b, triangles.a));
    },
  };
}

/** How far triangle b has to move along the normal of a to be on one side of its plane. */
function boundOfTriangles(a: Float64Array, b: Float64Array): number {
  const [px, py, pz] = [a[0], a[1], a[2]];
  const ux = a[3] - px;
  const uy = a[4] - py;
  const uz = a[5] - pz;
  const vx = a[6] - px;
  const vy = a[7] - py;
  const vz = a[8] - pz;
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  const length = Math.sqrt(x * x + y * y + z * z);
  if (!(length > LEAST_AREA * (ux * ux + uy * uy + uz * uz + vx * vx + vy * vy + vz * vz))) return Infinity;
  const first = x * (b[0] - px) + y * (b[1] - py) + z * (b[2] - pz);
  const second = x * (b[3] - px) + y * (b[4] - py) + z * (b[5] - pz);
  const third = x * (b[6] - px) + y * (b[7] - py) + z * (b[8] - pz);
  return Math.min(Math.max(first, second, third), -Math.min(first, second, third)) / length;
}
