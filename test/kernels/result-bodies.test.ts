/**
 * Body indices in results: `bodies: true` in every query over pairs and in reads of batches, whoever owns the pairs.
 */

import type { BatchOptions } from '../../src/api/batch-options.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { PairItem, PairResults, PlanarTester, Tester } from '../../src/api/types.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { storageBuffer, submit } from '../helpers/batch.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';

const BODIES = 60;
const PAIRS = 500;
const random = createRandom(20_261_125);
const pairs = Uint32Array.from({ length: 2 * PAIRS }, () => Math.floor(uniform(random, 0, BODIES)));
const coordinates = Float32Array.from({ length: 3 * BODIES }, () => uniform(random, -2, 2));
const linear = Float32Array.from({ length: 3 * BODIES }, () => uniform(random, -1, 1));
const quaternions = Float32Array.from({ length: 4 * BODIES }, (_, i) => (i % 4 === 3 ? 1 : 0));
const QUERIES = ['intersects', 'distances', 'contacts', 'manifolds', 'impacts'] as const;

const spatial = { shapes: new Uint32Array(BODIES), positions: coordinates, quaternions, linearVelocities: linear };
const planar = {
  shapes: new Uint32Array(BODIES),
  positions: coordinates.slice(0, 2 * BODIES),
  angles: new Float32Array(BODIES),
  linearVelocities: linear.slice(0, 2 * BODIES),
};

type AnyResult = PairResults<PairItem>;
type Ask = (query: (typeof QUERIES)[number], options: object) => Promise<AnyResult>;

/** The pairs of all slots, two indices per slot. */
function pairsOf({ pair, count }: AnyResult): number[] {
  return Array.from(pair.subarray(0, count)).flatMap((i) => [pairs[2 * i], pairs[2 * i + 1]]);
}

/** What a result says they are, by its arrays and by its items. */
function expectBodies(result: AnyResult): void {
  const { a, b, count } = result;
  expect(count).toBeGreaterThan(10);
  const expected = pairsOf(result);
  expect(Array.from({ length: 2 * count }, (_, i) => (i % 2 ? b! : a!)[i >> 1])).toEqual(expected);
  expect([...result].flatMap((item) => [item.a, item.b])).toEqual(expected);
}

const TESTERS = [
  ['cpu', 3],
  ['cpu', 2],
  ['webgpu', 3],
  ['webgpu', 2],
] as const;

describe.each(TESTERS)('queries on %s, dimension %d', (backend, dimension) => {
  let tester: Tester | PlanarTester;
  let ask: Ask;

  beforeAll(async () => {
    if (dimension === 3) {
      const made = await createTester({ backend });
      made.addShape({ type: 'sphere', radius: 0.75 });
      ask = (query, options) => made[query](spatial, pairs, options as never);
      tester = made;
    } else {
      const made = await createTester({ backend, dimension });
      made.addShape({ type: 'circle', radius: 0.75 });
      ask = (query, options) => made[query](planar, pairs, options as never);
      tester = made;
    }
  });
  afterAll(() => tester?.dispose());

  test.each(QUERIES)('%s', async (query) => {
    const motion = query === 'impacts' ? { duration: 1 } : {};
    for (const results of ['all', 'hits']) expectBodies(await ask(query, { ...motion, results, bodies: true }));
    const without = await ask(query, motion);
    expect(without).not.toHaveProperty('a');
    expect([...without][0]).not.toHaveProperty('a');
  });

  test('a target is written again, and refused where it lacks the arrays', async () => {
    const target = await ask('contacts', { bodies: true });
    target.a!.fill(7);
    const again = await ask('contacts', { bodies: true, target });
    expect(again.a).toBe(target.a);
    expectBodies(again);
    const expected = { code: 'INVALID_INPUT', message: expect.stringMatching(/^options\.target\.a is undefined/) };
    await expect(ask('contacts', { bodies: true, target: await ask('contacts', {}) })).rejects.toMatchObject(expected);
    const message = expect.stringMatching(/^options\.bodies is 1, expected/);
    await expect(ask('contacts', { bodies: 1 })).rejects.toMatchObject({ message });
  });
});

describe.each([3, 2] as const)('batches, dimension %d', (dimension) => {
  let device: GPUDevice;
  let tester: Tester;
  const bodies = (dimension === 3 ? spatial : planar) as typeof spatial;

  beforeAll(async () => {
    device = await openDefaultDevice('result-bodies.device');
    // The types of both are alike where batches are concerned.
    tester = (await createTester({ device, dimension: dimension as 3 })) as Tester;
    tester.addShape((dimension === 3 ? { type: 'sphere', radius: 0.75 } : { type: 'circle', radius: 0.75 }) as never);
  });
  afterAll(() => {
    tester?.dispose();
    device?.destroy();
  });

  test.each(QUERIES)("%s, the batch's pairs and the caller's", async (query) => {
    await withoutErrors(device, async () => {
      // STORAGE alone: nothing can be copied from it.
      const own = device.createBuffer({ label: 'test.pairs', size: 8 * PAIRS, usage: 128 | 8 });
      device.queue.writeBuffer(own, 0, pairs);
      for (const given of [undefined, own]) {
        for (const results of ['all', 'hits'] as const) {
          const motion = query === 'impacts' ? { duration: 1 } : {};
          const options = {
            query,
            maxBodies: BODIES,
            maxPairs: PAIRS,
            results,
            pairs: given,
            ...motion,
          } as BatchOptions<typeof query>;
          const batch = await tester.createBatch(options);
          const moving = query === 'impacts' ? bodies : { ...bodies, linearVelocities: undefined };
          batch.write(given ? { bodies: moving } : { bodies: moving, pairs });
          submit(batch);
          // With and without by turns, all of one frame.
          const [plain, found, again] = await Promise.all([batch.read(), batch.read({ bodies: true }), batch.read()]);
          expectBodies(found as AnyResult);
          expect(plain).not.toHaveProperty('a');
          for (const [name, values] of Object.entries(plain)) {
            expect(found[name as 'pair'], name).toEqual(values);
            expect(again[name as 'pair'], name).toEqual(values);
          }
          for (let i = 0; i < 4; i++) {
            expectBodies((await batch.read({ bodies: true, target: found as never })) as AnyResult);
          }
          batch.dispose();
        }
      }
    });
  });

  test('the indices are those of the frame that was read', async () => {
    const batch = await tester.createBatch({ query: 'contacts', maxBodies: BODIES, maxPairs: PAIRS, results: 'hits' });
    batch.write({ bodies, pairs });
    submit(batch);
    const read = batch.read({ bodies: true });
    batch.write({ pairs: new Uint32Array(2 * PAIRS) });
    submit(batch);
    expectBodies((await read) as AnyResult);
    const message = expect.stringMatching(/^options\.bodies is "yes"/);
    await expect(batch.read({ bodies: 'yes' as never })).rejects.toMatchObject({ message });
    batch.dispose();
  });

  test('indices out of range are given back as they are', async () => {
    const wild = Uint32Array.of(0, 1, BODIES, 0xffff_ffff);
    const given = storageBuffer(device, 'test.pairs', wild);
    const batch = await tester.createBatch({ query: 'contacts', maxBodies: BODIES, maxPairs: 2, pairs: given });
    batch.write({ bodies });
    submit(batch);
    const { a, b } = await batch.read({ bodies: true });
    expect([Array.from(a!), Array.from(b!)]).toEqual([
      [0, BODIES],
      [1, 0xffff_ffff],
    ]);
    batch.dispose();
  });
});
