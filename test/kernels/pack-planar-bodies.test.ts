/** The kernel that packs bodies in 2-D gives the poses of the host, bit for bit. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { dimension2 } from '../../src/dimension/dim2.ts';
import type { PlanarBodies } from '../../src/api/types.ts';
import { addShape, createShapeTable } from '../../src/shapes/shape-table.ts';
import { below, createRandom, type Random } from '../../verification/families/random.ts';
import { createInputKernels, type InputKernels } from '../helpers/input-kernels.ts';
import { checkBodies, isRefused, sliceBodies } from '../helpers/packed-bodies.ts';

const SEED = 20_261_124;

const table = createShapeTable();
addShape(table, { type: 'rectangle', halfExtents: [1, 1] }, dimension2);

let kernels: InputKernels;
beforeAll(async () => {
  kernels = await createInputKernels();
});
afterAll(() => kernels?.dispose());

function bodiesWith(count: number, make: (index: number) => number): PlanarBodies {
  return {
    shapes: new Uint32Array(count),
    positions: new Float32Array(2 * count),
    angles: Float32Array.from({ length: count }, (_, i) => make(i)),
  };
}

const float = new Float32Array(1);
const word = new Uint32Array(float.buffer);

/** The f32 that comes `steps` after the one nearest to `value`, away from 0. */
function neighbour(value: number, steps: number): number {
  float[0] = value;
  word[0] += steps;
  return float[0];
}

const either = (random: Random): number => (random() < 0.5 ? -1 : 1);

const families: [name: string, count: number, make: (random: Random, index: number) => number][] = [
  ['up to a turn', 100_000, (random) => 13 * (random() - 0.5)],
  ['up to 1e5 radians', 400_000, (random) => 2e5 * (random() - 0.5)],
  ['of all sizes', 100_000, (random) => either(random) * 10 ** (83 * random() - 45)],
  ['by degrees', 72_001, (_, i) => ((i - 36_000) * Math.PI) / 180],
  ['around multiples of pi', 159_155, (_, i) => neighbour(Math.floor(1 + i / 5) * Math.PI, (i % 5) - 2)],
  ['around negative multiples of pi', 159_155, (_, i) => -neighbour(Math.floor(1 + i / 5) * Math.PI, (i % 5) - 2)],
  ['around powers of two', 200, (random, i) => either(random) * neighbour(2 ** Math.floor(i / 12), (i % 12) - 6)],
  ['of both zeros', 10, (_, i) => (i % 2 ? 0 : -0)],
  ['around 1e5', 10, (_, i) => neighbour(1e5, -i)],
];

test.each(families)('angles %s', async (_, count, make) => {
  const random = createRandom(SEED);
  const bodies = bodiesWith(count, (i) => {
    return Math.fround(make(random, i));
  });
  const { suspicious, wrong } = await checkBodies(kernels, bodies, table, dimension2);
  expect(suspicious).toEqual([]);
  expect(wrong.slice(0, 5).map((body) => `seed ${SEED}: angle ${bodies.angles[body]}`)).toEqual([]);
});

test('the angles that the host refuses are suspicious, and no others', async () => {
  const random = createRandom(SEED + 2);
  const odd = [NaN, Infinity, -Infinity, 3.4e38, -3.4e38, 1e5, 0, 1e-45];
  const bodies = bodiesWith(200, () => odd[below(random, odd.length)]);
  const { suspicious, wrong } = await checkBodies(kernels, bodies, table, dimension2);
  const refused = [...bodies.shapes.keys()].filter((i) => isRefused(sliceBodies(bodies, i, i + 1), table, dimension2));
  expect(suspicious).toEqual(refused);
  expect(refused.length).toBeGreaterThan(50);
  expect(wrong).toEqual([]);
});
