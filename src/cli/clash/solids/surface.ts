/**
 * Surfaces of convex shapes as triangles: those of a polytope as they are, and of other shapes the facets of a polytope
 * whose corners are on the surface.
 */

import { set, vec3, type Vec3 } from '../../../cpu/math.ts';
import { createPair, makePair } from '../../../cpu/pair.ts';
import { support, vertex } from '../../../cpu/support.ts';
import { isCurved } from '../../../shapes/kinds.ts';
import { makeShapeData, type ShapeData } from '../../../shapes/shape-data.ts';

/** In the shape's frame. */
export interface Surface {
  /** x, y, z per corner. */
  points: Float64Array;
  /** Three corners per triangle, counter-clockwise from outside. */
  triangles: Uint32Array;
}

const surfaces = new WeakMap<ShapeData, Surface>();

/** Kept with the shape. */
export function surfaceOf(shape: ShapeData): Surface {
  const known = surfaces.get(shape);
  if (known) return known;
  const made = makeSurface(shape);
  surfaces.set(shape, made);
  return made;
}

function makeSurface(shape: ShapeData): Surface {
  const hull = makeShapeData({ type: 'hull', points: cornersOf(shape) }, 'surface', (value) => value);
  const { vertices, faceVertices, faceStart } = hull;
  const triangles: number[] = [];
  for (let face = 0; face + 1 < faceStart.length; face++) {
    const loop = faceVertices.subarray(faceStart[face], faceStart[face + 1]);
    for (let i = 2; i < loop.length; i++) triangles.push(loop[0], loop[i - 1], loop[i]);
  }
  // A segment or a point.
  if (triangles.length === 0) triangles.push(0, 0, vertices.length / 3 - 1);
  return { points: vertices, triangles: Uint32Array.from(triangles) };
}

/** Directions in which points of a round surface are taken. They are about 8 degrees apart. */
const DIRECTIONS = 600;

const pair = createPair();
const none = vec3();
const POSE = { scale: 1, quaternion: [0, 0, 0, 1] };

function cornersOf(shape: ShapeData): Float64Array {
  const { coreA: core, unit } = makePair(shape, POSE, shape, POSE, none, pair);
  const at = vec3();
  const { radius } = shape;
  if (!isCurved(shape.kind) && radius === 0) {
    const corners = shape.vertices.length > 0 ? shape.vertices.length / 3 : MOST_CORNERS;
    return flat(corners, (i) => scaled(vertex(core, i, at), unit));
  }
  const direction = vec3();
  return flat(DIRECTIONS, (i) => {
    directionOf(i, direction);
    const { x, y, z } = direction;
    const { x: px, y: py, z: pz } = scaled(vertex(core, support(core, x, y, z), at), unit);
    return set(px + radius * x, py + radius * y, pz + radius * z, at);
  });
}

/** Of a box. Points and segments have fewer, which are repeated. */
const MOST_CORNERS = 8;

function flat(count: number, at: (i: number) => Vec3): Float64Array {
  const points = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    const { x, y, z } = at(i);
    points[3 * i] = x;
    points[3 * i + 1] = y;
    points[3 * i + 2] = z;
  }
  return points;
}

function scaled(v: Vec3, factor: number): Vec3 {
  return set(v.x * factor, v.y * factor, v.z * factor, v);
}

const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** Directions spread evenly along a spiral. The first two are up and down, where shapes have their apex and middle. */
function directionOf(i: number, to: Vec3): Vec3 {
  if (i < 2) return set(0, i === 0 ? 1 : -1, 0, to);
  const y = 1 - (2 * i - 3) / (DIRECTIONS - 2);
  const out = Math.sqrt(1 - y * y);
  return set(out * Math.cos(i * GOLDEN_ANGLE), y, out * Math.sin(i * GOLDEN_ANGLE), to);
}
