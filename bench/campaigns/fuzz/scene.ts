/** What calls are made of: shapes, bodies and pairs of either dimension, seeded. All of it is valid. */

import type { ShapeDescription } from '../../../src/api/shapes.ts';
import type { PlanarShapeDescription } from '../../../src/api/planar-shapes.ts';
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
} from '../../../verification/families/random-shapes.ts';
import { below, spread, uniform, unitVector, type Random } from '../../../verification/families/random.ts';

export type Description = ShapeDescription | PlanarShapeDescription;

export interface Scene {
  dimension: 2 | 3;
  bodies: Record<string, unknown> & { shapes: Uint32Array };
  pairs: Uint32Array;
}

const makers3: ((random: Random, index: number) => Description)[] = [
  (random) => randomSphere(random),
  (random, index) => randomBox(random, index),
  (random, index) => randomRoundedBox(random, index),
  (random) => randomCapsule(random),
  (random, index) => randomUpright('cylinder', random, index, 1),
  (random, index) => randomUpright('cone', random, index, 1),
  (random, index) => randomEllipsoid(random, index, 1),
  (random) => randomTriangle(random, 1),
  (random) => randomCloud(random, 1),
  (random) => randomHalfspace(random, 1),
  () => ({ type: 'sphere', radius: 0 }),
  () => ({ type: 'box', halfExtents: [0, 0, 0] }),
  () => ({ type: 'hull', points: [0.5, 0, 0, 0.5, 0, 0, 0, 0.5, 0] }),
];

const makers2: ((random: Random) => Description)[] = [
  (random) => ({ type: 'circle', radius: spread(random, 1, 4) }),
  (random) => ({ type: 'segment', points: numbers(random, 4, 1), radius: below(random, 2) * 0.125 }),
  (random) => ({ type: 'capsule', halfHeight: spread(random, 1, 4), radius: spread(random, 0.5, 3) }),
  (random) => ({
    type: 'rectangle',
    halfExtents: [spread(random, 1, 4), spread(random, 1, 4)],
    radius: below(random, 2) * 0.125,
  }),
  (random) => ({ type: 'polygon', points: numbers(random, 2 * (1 + below(random, 12)), 1), convexify: true }),
  () => ({ type: 'rectangle', halfExtents: [0, 1] }),
];

/**
 * Makes a shape of one of a few types: a block of calls keeps to some, as every type asks for kernels of its own, which
 * take seconds to compile.
 */
export function descriptionMaker(random: Random, dimension: 2 | 3, types: number): () => Description {
  const makers = dimension === 3 ? makers3 : makers2;
  const chosen = Array.from({ length: types }, () => makers[below(random, makers.length)]);
  return () => chosen[below(random, types)](random, below(random, 64));
}

/** 1 to 40 bodies of the given shapes, close enough that a good part of them overlap, and up to 120 pairs of them. */
export function randomScene(
  random: Random,
  dimension: 2 | 3,
  ids: readonly number[],
  isHalfspace: (id: number) => boolean,
): Scene {
  const count = 1 + below(random, 40);
  const shapes = Uint32Array.from({ length: count }, () => ids[below(random, ids.length)]);
  const room = spread(random, 8, 5);
  const at = numbers(random, dimension * count, room);
  const positions = below(random, 4) === 0 ? Float64Array.from(at, (x) => x + 1e6) : Float32Array.from(at);
  const bodies: Scene['bodies'] = { shapes, positions };
  if (dimension === 2) bodies.angles = Float32Array.from(numbers(random, count, 10));
  else
    bodies.quaternions = Float32Array.from(
      shapes.length ? Array.from(shapes).flatMap(() => unitVector(random, [0, 0, 0, 0])) : [],
    );
  if (below(random, 3) === 0) bodies.scales = Float32Array.from(shapes, () => spread(random, 2, 3));
  const pairs: number[] = [];
  for (let k = below(random, 120); k > 0; k--) {
    const [a, b] = [below(random, count), below(random, count)];
    if (!(isHalfspace(shapes[a]) && isHalfspace(shapes[b]))) pairs.push(a, b);
  }
  return { dimension, bodies, pairs: Uint32Array.from(pairs) };
}

/** Groups of few bits, so that some meet and some do not, or none at all. */
export function randomGroups(random: Random, count: number): Uint32Array {
  const bits = (): number => below(random, 16) * (below(random, 2) === 0 ? 1 : 2 ** 12);
  return Uint32Array.from({ length: count }, () => bits() * 2 ** 16 + bits());
}

/** Groups, fixed bodies, both or neither for the bodies of a scene. */
export function addFilters(random: Random, { bodies }: Scene): void {
  const count = bodies.shapes.length;
  if (below(random, 2) === 0) bodies.groups = randomGroups(random, count);
  if (below(random, 2) === 0) bodies.fixed = Uint8Array.from({ length: count }, () => below(random, 3));
}

/** Velocities for the bodies of a scene; turns are slow enough for a duration of 1. */
export function addMotion(random: Random, { dimension, bodies }: Scene): void {
  const count = bodies.shapes.length;
  bodies.linearVelocities = Float32Array.from(numbers(random, dimension * count, 4));
  if (below(random, 2) === 0)
    bodies.angularVelocities = Float32Array.from(numbers(random, (dimension === 3 ? 3 : 1) * count, 3));
}

export function randomRays(random: Random, { dimension }: Scene): Record<string, unknown> {
  const count = below(random, 20);
  return {
    origins: Float32Array.from(numbers(random, dimension * count, 8)),
    directions: Float32Array.from(numbers(random, dimension * count, 1)),
    ...(below(random, 2) === 0 && { maxTimes: Float32Array.from({ length: count }, () => uniform(random, 0, 20)) }),
    ...(below(random, 2) === 0 && { radii: Float32Array.from({ length: count }, () => uniform(random, 0, 1)) }),
    ...(below(random, 2) === 0 && { groups: randomGroups(random, count) }),
  };
}

function numbers(random: Random, count: number, limit: number): number[] {
  return Array.from({ length: count }, () => uniform(random, -limit, limit));
}

/** The greatest distance of a shape from its body's origin; a half-space adds nothing to the size of a pair. */
export function extentOf(description: Description): number {
  const {
    halfExtents,
    radii,
    points,
    halfHeight,
    radius = 0,
    type,
  } = description as unknown as Record<string, ArrayLike<number>> & {
    halfHeight?: number;
    radius?: number;
    type: string;
  };
  if (type === 'cylinder' || type === 'cone') return Math.hypot(halfHeight!, radius);
  if (halfExtents) return Math.hypot(...Array.from(halfExtents)) + radius;
  if (radii) return Math.max(...Array.from(radii));
  if (points) return greatestNorm(points, ['segment', 'polygon'].includes(type) ? 2 : 3) + radius;
  return (halfHeight ?? 0) + radius;
}

function greatestNorm(points: ArrayLike<number>, axes: number): number {
  let greatest = 0;
  for (let i = 0; i < points.length; i += axes)
    greatest = Math.max(greatest, Math.hypot(...Array.from({ length: axes }, (_, k) => points[i + k])));
  return greatest;
}
