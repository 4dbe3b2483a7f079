/** Poses of the bunny against itself, as it is and subdivided. */
// @ts-expect-error: the package has no types
import untypedBunny from 'bunny';
import type { Triangles } from '../../src/bvh/build-tree.ts';
import type { PosedBodies } from '../../src/api/types.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { subdivide } from './subdivide.ts';

const bunny = untypedBunny as { positions: number[][]; cells: number[][] };

/** The bunny, subdivided so many times. The middle of its box is at the origin, and its greatest extent is 1. */
export function makeBunny(levels: number): Triangles {
  const { positions, cells } = bunny;
  const [low, high] = [Math.min, Math.max].map((of) => [0, 1, 2].map((k) => of(...positions.map((p) => p[k]))));
  const size = Math.max(...low.map((x, k) => high[k] - x));
  let mesh: Triangles = {
    positions: Float64Array.from(
      positions.flatMap((p) => p.map((x, k) => (x - (low[k] + high[k]) / 2) / size)),
      Math.fround,
    ),
    indices: Uint32Array.from(cells.flat()),
  };
  for (let level = 0; level < levels; level++) mesh = subdivide(mesh);
  return mesh;
}

/** How far the second bunny is from the first, at least and at most. Nine in ten pairs intersect. */
const DISTANCES = [0.1, 0.8] as const;

/** Pairs of bodies of the first shape, in random rotations. */
export function makePoses(count: number, seed: number): { bodies: PosedBodies; pairs: Uint32Array } {
  const random = createRandom(seed);
  const bodies = {
    shapes: new Uint32Array(2 * count),
    positions: new Float32Array(6 * count),
    quaternions: new Float32Array(8 * count),
  };
  for (let pair = 0; pair < count; pair++) {
    const distance = uniform(random, ...DISTANCES);
    const direction = unitVector(random, [0, 0, 0]);
    bodies.positions.set(
      direction.map((x) => distance * x),
      6 * pair + 3,
    );
    for (const body of [2 * pair, 2 * pair + 1]) bodies.quaternions.set(unitVector(random, [0, 0, 0, 0]), 4 * body);
  }
  return { bodies, pairs: Uint32Array.from({ length: 2 * count }, (_, i) => i) };
}
