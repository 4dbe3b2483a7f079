/**
 * Queries of a process that is out of memory: OUT_OF_MEMORY with the array and its bytes, whichever array it is that
 * there is no room for; then they work again.
 */

import { describe, expect, test } from 'vitest';
import { createTester } from '../../src/index.ts';
import type { MovingBodies, PlanarTester, Tester } from '../../src/api/types.ts';
import { withMemoryOf } from '../helpers/memory.ts';
import { atNight } from '../helpers/night.ts';

const COUNT = 40_000;
/** All that is made whatever the number of bodies and pairs is takes less. */
const LEAST = 2 ** 17;
/** From one amount of memory to the next. */
const GROWTH = atNight(4, 1.4);
const numbers = (width: number, valueOf: (body: number, axis: number) => number): Float32Array =>
  Float32Array.from({ length: width * COUNT }, (_, i) => valueOf(Math.floor(i / width), i % width));

const linear = (axes: number): Float32Array => numbers(axes, (body, axis) => (axis === 0 ? (body % 2) - 0.5 : 0));
const posed: MovingBodies = {
  shapes: new Uint32Array(COUNT),
  positions: numbers(3, (body, axis) => (axis === 0 ? 0.75 * body : 0)),
  quaternions: numbers(4, (_, axis) => (axis === 3 ? 1 : 0)),
  linearVelocities: linear(3),
  angularVelocities: numbers(3, () => 0),
};
const byMatrix: MovingBodies = {
  shapes: new Uint32Array(COUNT),
  matrices: numbers(16, (body, k) => (k === 12 ? 0.75 * body : k % 5 === 0 ? 1 : 0)),
  linearVelocities: linear(3),
};
const planar = {
  shapes: new Uint32Array(COUNT),
  positions: numbers(2, (body, axis) => (axis === 0 ? 0.75 * body : 0)),
  angles: numbers(1, () => 0),
  linearVelocities: linear(2),
};
const pairs = Uint32Array.from({ length: 2 * (COUNT - 1) }, (_, i) => (i >> 1) + (i & 1));
const standing = (bodies: MovingBodies): MovingBodies =>
  ({ ...bodies, linearVelocities: undefined, angularVelocities: undefined }) as unknown as MovingBodies;

const raysIn = (axes: number) => ({
  origins: numbers(axes, (ray, axis) => (axis === 0 ? 0.75 * ray : 9)),
  directions: numbers(axes, (_ray, axis) => (axis === 1 ? -1 : 0)),
});

const rays = [undefined, undefined, raysIn(2), raysIn(3)];

/** What there is no room for is named with its bytes. */
const outOfMemory = {
  name: 'NarrowphaseError',
  code: 'OUT_OF_MEMORY',
  message: expect.stringMatching(/^.+ needs \d+ bytes, expected no more than/),
};

/** How many slots or numbers there are. */
const sizeOf = (result: { length?: number; count?: number }): number => result.count ?? result.length!;

const queries: [
  string,
  (tester: Tester, bodies: MovingBodies, axes: number) => Promise<{ length?: number; count?: number }>,
][] = [
  ...(['all', 'hits'] as const).flatMap((results): typeof queries => [
    [`intersects, ${results}`, (tester, bodies) => tester.intersects(bodies, pairs, { results })],
    [`distances, ${results}`, (tester, bodies) => tester.distances(bodies, pairs, { results })],
    [`contacts, ${results}`, (tester, bodies) => tester.contacts(bodies, pairs, { results, bounds: true })],
    [`manifolds, ${results}`, (tester, bodies) => tester.manifolds(bodies, pairs, { results })],
    [`impacts, ${results}`, (tester, bodies) => tester.impacts(bodies, pairs, { results, duration: 1 })],
  ]),
  ['impacts, earliest', (tester, bodies) => tester.impacts(bodies, pairs, { results: 'earliest', duration: 1 })],
  ['rayCasts', (tester, bodies, axes) => tester.rayCasts(standing(bodies), rays[axes]!)],
  ['findPairs', (tester, bodies) => tester.findPairs(standing(bodies))],
];

async function open(axes: number): Promise<Tester> {
  const tester =
    axes === 3
      ? await createTester({ backend: 'cpu' })
      : ((await createTester({ backend: 'cpu', dimension: 2 })) as PlanarTester as unknown as Tester);
  tester.addShape((axes === 3 ? { type: 'sphere', radius: 0.5 } : { type: 'circle', radius: 0.5 }) as never);
  return tester;
}

describe.each([
  ['in space', 3, posed],
  ['by matrix', 3, byMatrix],
  ['in the plane', 2, planar as unknown as MovingBodies],
] as const)('%s', (_, axes, bodies) => {
  test.each(queries)('%s', async (name, ask) => {
    using tester = await open(axes);
    const size = sizeOf(await ask(tester, bodies, axes));
    expect(size).toBeGreaterThan(0);
    let refusals = 0;
    for (let bytes = LEAST; ; bytes *= GROWTH) {
      const outcome = await withMemoryOf(bytes, () =>
        ask(tester, bodies, axes).then(sizeOf, (error: unknown) => error),
      );
      if (outcome === size) break;
      refusals++;
      expect(outcome, `${name} with ${bytes} bytes`).toMatchObject(outOfMemory);
    }
    expect(refusals).toBeGreaterThan(0);
    expect(sizeOf(await ask(tester, bodies, axes))).toBe(size);
  });
});

test('a warm start that there is no memory for', async () => {
  using tester = await open(3);
  using warmStart = tester.createWarmStart(pairs.length / 2);
  const ask = (): Promise<unknown> => tester.contacts(standing(posed), pairs, { warmStart, algorithm: 'gjk' });
  // All other arrays are smaller.
  await expect(withMemoryOf(32 * COUNT, ask)).rejects.toMatchObject(outOfMemory);
  expect(await ask()).toMatchObject({ count: pairs.length / 2 });
});

test('rays that each may meet many bodies', async () => {
  using tester = await open(3);
  const [bodyCount, rayCount] = [100, 1000];
  const bodies = {
    shapes: new Uint32Array(bodyCount),
    positions: new Float32Array(3 * bodyCount),
    quaternions: Float32Array.from({ length: 4 * bodyCount }, (_, i) => Number(i % 4 === 3)),
  };
  const ray = {
    origins: Float32Array.from({ length: 3 * rayCount }, (_, i) => (i % 3 === 1 ? 9 : 0)),
    directions: Float32Array.from({ length: 3 * rayCount }, (_, i) => (i % 3 === 1 ? -1 : 0)),
  };
  const ask = (): Promise<unknown> => tester.rayCasts(bodies, ray);
  // What there is of the bodies and the rays is far smaller than the list of their pairs.
  await expect(withMemoryOf(4 * bodyCount * rayCount, ask)).rejects.toMatchObject(outOfMemory);
  expect(await ask()).toMatchObject({ count: rayCount });
});
