/**
 * Surfaces of convex shapes as triangles: those of a polytope as they are, and of other shapes the facets of a polytope
 * whose corners are on the surface.
 */

import { addScaled, scale, set, vec3, type Vec3 } from '../../../src/cpu/math.ts';
import { createPair, makePair } from '../../../src/cpu/pair.ts';
import { support, vertex } from '../../../src/cpu/support.ts';
import { isCurved } from '../../../src/shapes/kinds.ts';
import { faceLoops } from '../../../src/shapes/face-loops.ts';
import { buildHull } from '../../../src/shapes/hull.ts';
import type { ShapeData } from '../../../src/shapes/shape-data.ts';

/** In the shape's frame. */
export interface Surface {
  /** x, y, z per corner. */
  points: Float64Array;
  /** Three corners per triangle, counter-clockwise from outside. */
  triangles: Uint32Array;
  /** Round surfaces only: unit vectors, x, y, z per corner. Each corner is the point that is farthest along its vector. */
  directions?: Float64Array;
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
  const directions = isRound(shape) ? directionsAround() : undefined;
  const points = directions ? farthestPoints(shape, directions) : cornersOf(shape);
  const hull = buildHull(points);
  const { vertices, source } = hull;
  const { faceVertices, faceStart } = faceLoops(hull);
  const triangles: number[] = [];
  for (let face = 0; face + 1 < faceStart.length; face++) {
    const loop = faceVertices.subarray(faceStart[face], faceStart[face + 1]);
    for (let i = 2; i < loop.length; i++) triangles.push(loop[0], loop[i - 1], loop[i]);
  }
  // A segment or a point.
  if (triangles.length === 0) triangles.push(0, 0, vertices.length / 3 - 1);
  return {
    points: vertices,
    triangles: Uint32Array.from(triangles),
    ...(directions && {
      directions: Float64Array.from(vertices, (_, i) => directions[3 * source[Math.floor(i / 3)] + (i % 3)]),
    }),
  };
}

function isRound({ kind, radius }: ShapeData): boolean {
  return isCurved(kind) || radius > 0;
}

const pair = createPair();
const POSE = { scale: 1, quaternion: [0, 0, 0, 1] };
const ORIGIN = vec3();
const at = vec3();

/** A function that writes the point of a shape that is farthest along a unit vector. */
export function farthestPoint(shape: ShapeData): (along: Vec3, to: Vec3) => Vec3 {
  const { coreA: core, unit } = makePair(shape, POSE, shape, POSE, ORIGIN, createPair());
  const { radius } = shape;
  return (along, to) => {
    vertex(core, support(core, along.x, along.y, along.z), to);
    return addScaled(scale(to, unit, to), along, radius, to);
  };
}

function farthestPoints(shape: ShapeData, directions: Float64Array): Float64Array {
  const farthest = farthestPoint(shape);
  const points = new Float64Array(directions.length);
  for (let i = 0; i < points.length; i += 3) {
    set(directions[i], directions[i + 1], directions[i + 2], at);
    put(farthest(at, vec3()), points, i);
  }
  return points;
}

/** Of a polytope. Points and segments have fewer corners, which are repeated. */
function cornersOf(shape: ShapeData): Float64Array {
  if (shape.vertices.length > 0) return shape.vertices;
  const { coreA: core, unit } = makePair(shape, POSE, shape, POSE, ORIGIN, pair);
  const points = new Float64Array(3 * BOX_CORNERS);
  for (let i = 0; i < BOX_CORNERS; i++) put(scale(vertex(core, i, at), unit, at), points, 3 * i);
  return points;
}

const BOX_CORNERS = 8;

function put({ x, y, z }: Vec3, points: Float64Array, from: number): void {
  points[from] = x;
  points[from + 1] = y;
  points[from + 2] = z;
}

/** They are about 8 degrees apart. */
const DIRECTIONS = 600;
/** An angle within which there is another direction. */
export const BETWEEN_DIRECTIONS = 0.15;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** Directions spread evenly along a spiral. The first two are up and down, where shapes have their apex and middle. */
function directionsAround(): Float64Array {
  const directions = new Float64Array(3 * DIRECTIONS);
  for (let i = 0; i < DIRECTIONS; i++) {
    const y = i < 2 ? 1 - 2 * i : 1 - (2 * i - 3) / (DIRECTIONS - 2);
    const out = Math.sqrt(1 - y * y);
    put(set(out * Math.cos(i * GOLDEN_ANGLE), y, out * Math.sin(i * GOLDEN_ANGLE), at), directions, 3 * i);
  }
  return directions;
}
