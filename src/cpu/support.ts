/** Mirror of shaders/shared/support.wgsl: supports of the cores and of the Minkowski difference B - A. */
import { CORE_BOX, CORE_HULL, CORE_POINT, CORE_SEGMENT, CORE_TRIANGLE } from '../generated/constants.ts';
import { isCurved } from '../shapes/kinds.ts';
import { curvedPoint, curvedSupport } from './curved.ts';
import { type Vec3, set, transform, vec3 } from './math.ts';
import type { Core, Pair } from './pair.ts';

/** The core's vertex farthest along the direction x, y, z, by number. */
export function support(core: Core, x: number, y: number, z: number): number {
  switch (core.kind) {
    case CORE_POINT:
      return 0;
    case CORE_SEGMENT:
      return y >= 0 ? 1 : 0;
    case CORE_BOX:
      return (x >= 0 ? 1 : 0) | (y >= 0 ? 2 : 0) | (z >= 0 ? 4 : 0);
    case CORE_TRIANGLE:
    case CORE_HULL:
      return hullSupport(core, x, y, z);
    default:
      return curvedSupport(core, x, y, z);
  }
}

/** The best candidate of the direction's cell. */
function hullSupport({ vertices, supportCells }: Core, x: number, y: number, z: number): number {
  const { start, candidates, resolution } = supportCells;
  const cell = cellOf(x, y, z, resolution);
  const end = start[cell + 1];
  let best = candidates[start[cell]];
  let bestHeight = vertices[3 * best] * x + vertices[3 * best + 1] * y + vertices[3 * best + 2] * z;
  for (let n = start[cell] + 1; n < end; n++) {
    const i = candidates[n];
    const height = vertices[3 * i] * x + vertices[3 * i + 1] * y + vertices[3 * i + 2] * z;
    if (height > bestHeight) {
      bestHeight = height;
      best = i;
    }
  }
  return best;
}

/** The cell of a cube's surface that a direction goes through, as src/shapes/support-cells.ts numbers them. */
function cellOf(x: number, y: number, z: number, resolution: number): number {
  const sizeX = Math.abs(x);
  const sizeY = Math.abs(y);
  const sizeZ = Math.abs(z);
  let face = 0;
  let longest = x;
  let u = y;
  let v = z;
  if (sizeY > sizeX && sizeY >= sizeZ) {
    face = 2;
    longest = y;
    u = z;
    v = x;
  } else if (sizeZ > sizeX) {
    face = 4;
    longest = z;
    u = x;
    v = y;
  }
  if (longest < 0) face++;
  const half = 0.5 * resolution;
  const toCells = half / Math.abs(longest);
  // No lower bound: what rounding leaves below 0 is cut off towards it.
  const column = Math.min((u * toCells + half) | 0, resolution - 1);
  const row = Math.min((v * toCells + half) | 0, resolution - 1);
  return (face * resolution + row) * resolution + column;
}

/** Whether either core is curved. */
export function isCurvedPair({ coreA, coreB }: Pair): boolean {
  return isCurved(coreA.kind) || isCurved(coreB.kind);
}

/** How many numbers of vertices there are. Those of curved cores are whole numbers below 2^53. */
export function vertexCountOf(core: Core): number {
  switch (core.kind) {
    case CORE_POINT:
      return 1;
    case CORE_SEGMENT:
      return 2;
    case CORE_BOX:
      return 8;
    case CORE_TRIANGLE:
    case CORE_HULL:
      return core.vertices.length / 3;
    default:
      return 2 ** 53;
  }
}

/** Position of a core's vertex in its body's frame. */
export function vertex(core: Core, number: number, to: Vec3): Vec3 {
  const { halfExtents, vertices } = core;
  switch (core.kind) {
    case CORE_POINT:
      return set(0, 0, 0, to);
    case CORE_SEGMENT:
      return set(0, number === 1 ? halfExtents[1] : -halfExtents[1], 0, to);
    case CORE_BOX:
      return set(
        number & 1 ? halfExtents[0] : -halfExtents[0],
        number & 2 ? halfExtents[1] : -halfExtents[1],
        number & 4 ? halfExtents[2] : -halfExtents[2],
        to,
      );
    case CORE_TRIANGLE:
    case CORE_HULL: {
      // Numbers come out of Float64Arrays; indices are faster as integers.
      const first = 3 * (number | 0);
      const { scale: factor } = core;
      return set(vertices[first] * factor, vertices[first + 1] * factor, vertices[first + 2] * factor, to);
    }
    default:
      return curvedPoint(core, number, to);
  }
}

/** A vertex of the Minkowski difference B - A in A's frame. */
export interface Point {
  position: Vec3;
  /** Its vertices by number. */
  idA: number;
  idB: number;
}

export function createPoint(): Point {
  return { position: vec3(), idA: 0, idB: 0 };
}

/** A's vertex of this number in A's frame, where it is anyway. */
export function vertexA(pair: Pair, number: number, to: Vec3): Vec3 {
  return vertex(pair.coreA, number, to);
}

/** B's vertex of this number in A's frame. */
export function vertexB(pair: Pair, number: number, to: Vec3): Vec3 {
  transform(pair.rotation, vertex(pair.coreB, number, to), to);
  const { translation } = pair;
  return set(to.x + translation.x, to.y + translation.y, to.z + translation.z, to);
}

const onA = vec3();

export function differencePoint(pair: Pair, idA: number, idB: number, to: Point): Point {
  to.idA = idA;
  to.idB = idB;
  vertexA(pair, idA, onA);
  const { x, y, z } = vertexB(pair, idB, to.position);
  set(x - onA.x, y - onA.y, z - onA.z, to.position);
  return to;
}

/** The point of B - A farthest along `direction`. */
export function differenceSupport(pair: Pair, { x, y, z }: Vec3, to: Point): Point {
  const m = pair.rotation;
  const b = support(
    pair.coreB,
    m[0] * x + m[1] * y + m[2] * z,
    m[3] * x + m[4] * y + m[5] * z,
    m[6] * x + m[7] * y + m[8] * z,
  );
  return differencePoint(pair, support(pair.coreA, -x, -y, -z), b, to);
}
