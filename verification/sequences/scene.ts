/** What sequences of queries are asked about: shapes of all types, and bodies and pairs of them, seeded. */

import type { PlanarConvexDescription } from '../../src/api/planar-shapes.ts';
import type {
  CompoundDescription,
  ConvexDescription,
  MeshDescription,
  ShapeDescription,
} from '../../src/api/shapes.ts';
import { hullOf } from '../families/hulls.ts';
import {
  randomBox,
  randomCapsule,
  randomCloud,
  randomEllipsoid,
  randomHalfspace,
  randomRoundedBox,
  randomSphere,
  randomTriangle,
  randomUpright,
} from '../families/random-shapes.ts';
import { below, spread, uniform, unitVector, type Random } from '../families/random.ts';

export type Axes = 2 | 3;
export type Description = ShapeDescription | PlanarConvexDescription;
type Maker = (random: Random) => Description;

/** Shapes by what differs between their kernels. */
const SPATIAL: Record<string, Maker> = {
  sphere: randomSphere,
  box: (random) => randomBox(random, below(random, 64), spread(random, 1, 2)),
  roundedBox: (random) => randomRoundedBox(random, below(random, 64)),
  capsule: randomCapsule,
  triangle: (random) => ({ ...randomTriangle(random, 1), ...roundingOf(random) }),
  point: (random) => ({ type: 'hull', points: numbers(random, 3, 0.5), ...roundingOf(random) }),
  segment: (random) => ({ type: 'hull', points: numbers(random, 6, 1), ...roundingOf(random) }),
  smallHull: (random) => ({ ...hullOf(random, 8, 1), ...roundingOf(random) }),
  hull: (random) => ({ ...randomCloud(random, 1), ...roundingOf(random) }),
  farHull: (random) => ({ type: 'hull', points: moved(numbers(random, 36, 0.3), 3, random) }),
  largeHull: (random) => hullOf(random, 100 + below(random, 60), 1),
  cylinder: (random) => randomUpright('cylinder', random, below(random, 64), 1),
  cone: (random) => randomUpright('cone', random, below(random, 64), 1),
  ellipsoid: (random) => randomEllipsoid(random, below(random, 64), 1),
  halfspace: (random) => randomHalfspace(random, 1),
  compound: (random) => ({
    type: 'compound',
    parts: Array.from({ length: 2 + below(random, 3) }, () => partOf(random)),
  }),
  mesh: (random) => (below(random, 2) === 0 ? patch(random, 2 + below(random, 3)) : tetrahedron(random)),
};

/** Types of bodies that have parts. Batches take none of them. */
const WITH_PARTS = ['compound', 'mesh'];

export function haveParts(types: readonly string[]): boolean {
  return types.some((type) => WITH_PARTS.includes(type));
}

export function withoutParts(types: readonly string[]): string[] {
  return types.filter((type) => !WITH_PARTS.includes(type));
}

const PLANAR: Record<string, Maker> = {
  circle: (random) => ({ type: 'circle', radius: spread(random, 1, 3) }),
  segment: (random) => ({ type: 'segment', points: numbers(random, 4, 1), ...roundingOf(random) }),
  capsule: (random) => ({ type: 'capsule', halfHeight: spread(random, 1, 3), radius: spread(random, 0.5, 3) }),
  rectangle: (random) => ({ type: 'rectangle', halfExtents: numbers(random, 2, 1).map(size), ...roundingOf(random) }),
  polygon: (random) => ({ type: 'polygon', points: numbers(random, 2 * (3 + below(random, 6)), 1), convexify: true }),
  farPolygon: (random) => ({ type: 'polygon', points: moved(numbers(random, 12, 0.3), 2, random), convexify: true }),
  largePolygon: (random) => ({ type: 'polygon', points: ring(random, 24 + below(random, 16)), convexify: true }),
};

function makersOf(axes: Axes): Record<string, Maker> {
  return axes === 3 ? SPATIAL : PLANAR;
}

/** Names of all types of shape. */
export function shapeTypes(axes: Axes): string[] {
  return Object.keys(makersOf(axes));
}

export function makeShape(axes: Axes, type: string, random: Random): Description {
  return makersOf(axes)[type](random);
}

/** A shape in use, by the tester's id of it. */
export interface KnownShape {
  id: number;
  type: string;
  description: Description;
}

export interface Scene {
  bodies: Record<string, unknown> & {
    shapes: Uint32Array;
    positions: Float32Array | Float64Array;
    scales?: Float32Array;
    quaternions?: Float32Array;
    angles?: Float32Array;
  };
  pairs: Uint32Array;
}

export interface SceneForm {
  bodies: number;
  pairs: number;
  /** Positions of 64 bits, far from the origin. */
  isWide: boolean;
  hasScales: boolean;
  /** Velocities, and angular ones. */
  isMoving?: boolean;
  isTurning?: boolean;
}

/**
 * Bodies in clusters, whose members mostly touch, and pairs of them. Some are in one place, some unturned; half-spaces are
 * paired with bounded shapes alone.
 */
export function makeScene(axes: Axes, shapes: readonly KnownShape[], form: SceneForm, random: Random): Scene {
  const count = form.bodies;
  const chosen = Array.from({ length: count }, () => shapes[below(random, shapes.length)]);
  const at: number[] = [];
  const rotations: number[] = [];
  const closeness = uniform(random, 0.3, 1.6);
  const isAligned = below(random, 6) === 0;
  let centre = numbers(random, axes, 6);
  for (let body = 0; body < count; body++) {
    if (body % 4 === 0) centre = numbers(random, axes, 6);
    const isSame = below(random, 12) === 0;
    at.push(...centre.map((x) => (isSame ? x : x + uniform(random, -closeness, closeness))));
    if (axes === 2) rotations.push(isAligned ? 0 : uniform(random, -10, 10));
    else rotations.push(...(isAligned ? [0, 0, 0, 1] : unitVector(random, [0, 0, 0, 0])));
  }
  const bodies: Scene['bodies'] = {
    shapes: Uint32Array.from(chosen, ({ id }) => id),
    positions: form.isWide ? Float64Array.from(at, (x) => x + 1e5) : Float32Array.from(at),
    [axes === 3 ? 'quaternions' : 'angles']: Float32Array.from(rotations),
  };
  if (form.hasScales) bodies.scales = Float32Array.from({ length: count }, () => uniform(random, 0.5, 1.5));
  if (form.isMoving) bodies.linearVelocities = Float32Array.from(numbers(random, axes * count, 4));
  if (form.isTurning) bodies.angularVelocities = Float32Array.from(numbers(random, (axes === 3 ? 3 : 1) * count, 3));
  const pairs: number[] = [];
  while (pairs.length < 2 * form.pairs) {
    const a = below(random, count);
    const near = 4 * Math.floor(a / 4) + below(random, 4);
    const b = below(random, 5) === 0 ? below(random, count) : Math.min(near, count - 1);
    if (a !== b && (chosen[a].type !== 'halfspace' || chosen[b].type !== 'halfspace')) pairs.push(a, b);
    else if (pairs.length === 0 && !chosen.some(({ type }) => type !== 'halfspace')) break;
  }
  return { bodies, pairs: Uint32Array.from(pairs) };
}

export function makeRays(axes: Axes, count: number, random: Random): Record<string, Float32Array> {
  return {
    origins: Float32Array.from(numbers(random, axes * count, 8)),
    directions: Float32Array.from(numbers(random, axes * count, 1)),
    maxTimes: Float32Array.from({ length: count }, () => uniform(random, 0, 20)),
    radii: Float32Array.from({ length: count }, () => uniform(random, 0.01, 0.5)),
  };
}

function partOf(random: Random): CompoundDescription['parts'][number] {
  const makers = ['sphere', 'box', 'capsule', 'smallHull', 'cylinder'];
  return {
    shape: SPATIAL[makers[below(random, makers.length)]](random) as ConvexDescription,
    position: numbers(random, 3, 0.7),
    quaternion: unitVector(random, [0, 0, 0, 0]),
  };
}

/** Ground of squares with two triangles each. */
function patch(random: Random, squares: number): MeshDescription {
  const side = squares + 1;
  const positions = Array.from({ length: side * side }, (_, i) => [
    ((i % side) / squares) * 2 - 1,
    Math.fround(uniform(random, -0.2, 0.2)),
    (Math.floor(i / side) / squares) * 2 - 1,
  ]).flat();
  const indices: number[] = [];
  for (let i = 0; i < squares * squares; i++) {
    const at = Math.floor(i / squares) * side + (i % squares);
    indices.push(at, at + side, at + 1, at + 1, at + side, at + side + 1);
  }
  return { type: 'mesh', positions, indices };
}

function tetrahedron(random: Random): MeshDescription {
  return { type: 'mesh', positions: numbers(random, 12, 1), indices: [0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0] };
}

/** Points that do not contain their origin. */
function moved(points: readonly number[], axes: Axes, random: Random): number[] {
  const by = numbers(random, axes, 0.5).map((x) => x + Math.sign(x));
  return points.map((x, i) => Math.fround(x + by[i % axes]));
}

/** Most shapes are sharp. */
function roundingOf(random: Random): { radius?: number } {
  return below(random, 3) === 0 ? { radius: Math.fround(uniform(random, 0.01, 0.3)) } : {};
}

function numbers(random: Random, count: number, limit: number): number[] {
  return Array.from({ length: count }, () => Math.fround(uniform(random, -limit, limit)));
}

function size(x: number): number {
  return Math.abs(x) + 0.01;
}

function ring(random: Random, count: number): number[] {
  return Array.from({ length: count }, () => unitVector(random, [0, 0])).flat();
}
