/** Queries of batches over the pairs that they find on the GPU. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { Tester } from '../../src/api/types.ts';
import { broadPhaseScene } from '../../verification/families/broad-phase-scenes.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { differences, readBuffer, submit, type AnyResult } from '../helpers/batch.ts';

const SEED = 20_261_126;
const COUNT = 1200;

const { shapes, bodies } = broadPhaseScene('similar', COUNT, SEED);

let tester: Tester;
beforeAll(async () => {
  tester = await createTester({ backend: 'webgpu' });
  for (const shape of shapes) tester.addShape(shape);
});
afterAll(() => tester?.dispose());

describe.each(['intersects', 'distances', 'contacts', 'manifolds'] as const)('%s', (query) => {
  test('of the pairs found are those of the same pairs given', async () => {
    const options = { query, maxBodies: COUNT, maxPairs: 4 * COUNT, margin: 0.125 } as const;
    const batch = await tester.createBatch({ ...options, broadPhase: { margin: 0.125 } });
    batch.write({ bodies });
    submit(batch);
    const found = (await batch.read()) as unknown as AnyResult;
    const pairs = new Uint32Array(await readBuffer(batch.device, batch.output.pairs!)).slice(0, 2 * found.count);
    expect(found.count).toBeGreaterThan(COUNT);
    const given = await tester.createBatch(options);
    given.write({ bodies, pairs });
    submit(given);
    expect(differences(found, (await given.read()) as unknown as AnyResult)).toEqual([]);
    expect(await batch.readCounts()).toMatchObject({ ...(await given.readCounts()), candidates: found.count });
    batch.dispose();
    given.dispose();
  });
});

test.each(['all', 'hits'] as const)('results %s with room for far more pairs are the same', async (results) => {
  const options = { query: 'manifolds', maxBodies: COUNT, results, margin: 0.125, broadPhase: true } as const;
  using tight = await tester.createBatch({ ...options, maxPairs: 4 * COUNT });
  using wide = await tester.createBatch({ ...options, maxPairs: 2 ** 18 });
  // Fewer bodies after more: what an earlier search left must not count.
  for (const count of [COUNT, 700, 1, COUNT]) {
    for (const batch of [tight, wide]) {
      batch.write({ bodies: broadPhaseScene('similar', count, SEED).bodies });
      submit(batch);
    }
    const [a, b] = await Promise.all([tight.read(), wide.read()]);
    expect(differences(b as unknown as AnyResult, a as unknown as AnyResult)).toEqual([]);
    expect(await wide.readCounts()).toEqual(await tight.readCounts());
    expect(a.count > 0).toBe(count > 1);
  }
});

test.each(['all', 'earliest'] as const)(
  'impacts over swept bounds, results %s, are those of all pairs',
  async (results) => {
    const options = { query: 'impacts', maxBodies: 300, duration: 0.5, results } as const;
    const some = broadPhaseScene('similar', 300, SEED).bodies;
    const random = createRandom(SEED);
    const linearVelocities = Float32Array.from({ length: 900 }, () => uniform(random, -2, 2));
    const movers = { ...some, linearVelocities };
    const batch = await tester.createBatch({ ...options, maxPairs: 10_000, broadPhase: true });
    batch.write({ bodies: movers });
    submit(batch);
    const found = await batch.read({ bodies: true });
    const all = Uint32Array.from({ length: 300 * 299 }, (_, i) => {
      // Pair p of all: a < b.
      const p = i >> 1;
      const b = Math.floor((1 + Math.sqrt(1 + 8 * p)) / 2);
      return i % 2 === 0 ? p - (b * (b - 1)) / 2 : b;
    });
    const expected = await tester.impacts(movers, all, {
      duration: 0.5,
      results: results === 'all' ? 'hits' : results,
    });
    const hitsOf = (name: 'found' | 'expected'): string[] => {
      const keys: string[] = [];
      const { count, time } = name === 'found' ? found : expected;
      for (let i = 0; i < count; i++) {
        const [a, b] =
          name === 'found' ? [found.a![i], found.b![i]] : [all[2 * expected.pair[i]], all[2 * expected.pair[i] + 1]];
        if (time[i] < Infinity) keys.push(`${a} ${b}`);
      }
      return keys.sort();
    };
    expect(hitsOf('found').length).toBeGreaterThan(100);
    expect(hitsOf('found')).toEqual(hitsOf('expected'));
    batch.dispose();
  },
);

test('a shape that is added later is found', async () => {
  const other = await createTester({ backend: 'webgpu' });
  try {
    const box = other.addShape({ type: 'box', halfExtents: [1, 1, 1] });
    const batch = await other.createBatch({ query: 'contacts', maxBodies: 4, maxPairs: 8, broadPhase: true });
    const ball = other.addShape({ type: 'sphere', radius: 1 });
    await batch.prepare();
    const positions = Float32Array.of(0, 0, 0, 1.5, 0, 0, 9, 9, 9);
    const quaternions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
    batch.write({ bodies: { shapes: Uint32Array.of(box, ball, ball), positions, quaternions } });
    submit(batch);
    const { count, distance } = await batch.read();
    expect([count, distance[0]]).toEqual([1, -0.5]);
  } finally {
    other.dispose();
  }
});
