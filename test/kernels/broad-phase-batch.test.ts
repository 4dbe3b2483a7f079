/** Batches that find their pairs on the GPU. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { BatchOptions } from '../../src/api/batch-options.ts';
import type { BatchOf } from '../../src/api/batch.ts';
import type { PosedBodies, Tester } from '../../src/api/types.ts';
import { MOST_TOGETHER } from '../../src/generated/constants.ts';
import { layouts } from '../../src/generated/layouts.ts';
import { broadPhaseScene } from '../../verification/families/broad-phase-scenes.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { readBuffer, storageBuffer, submit } from '../helpers/batch.ts';
import { oracleBodies } from '../helpers/box-oracle.ts';
import { pairFaults } from '../helpers/pair-judge.ts';
import { openDefaultDevice } from '../helpers/gpu.ts';
import { randomBatches } from '../helpers/random-batches.ts';

const SEED = 20_261_126;
const COUNT = 1200;

const { shapes, bodies } = broadPhaseScene('similar', COUNT, SEED);
const random = createRandom(SEED);
const moving = {
  ...bodies,
  linearVelocities: Float32Array.from({ length: 3 * COUNT }, () => uniform(random, -2, 2)),
};

let device: GPUDevice;
let tester: Tester;
beforeAll(async () => {
  device = await openDefaultDevice('broad-phase-batch.device');
  tester = await createTester({ device });
  for (const shape of shapes) tester.addShape(shape);
});
afterAll(() => {
  tester?.dispose();
  device?.destroy();
});

async function withPairs<Result>(
  options: Partial<BatchOptions<'pairs'>>,
  use: (batch: BatchOf<'pairs'>) => Promise<Result>,
): Promise<Result> {
  const batch = await tester.createBatch({ query: 'pairs', maxBodies: COUNT, maxPairs: 8 * COUNT, ...options });
  try {
    return await use(batch);
  } finally {
    batch.dispose();
  }
}

async function pairsOf(batch: BatchOf<'pairs'>, data?: PosedBodies): Promise<Uint32Array> {
  if (data) batch.write({ bodies: data });
  submit(batch);
  const { count, pairs } = await batch.read();
  expect(pairs.length).toBe(2 * count);
  return pairs;
}

function somePairs(pairs: Uint32Array, isKept: (a: number, b: number) => boolean): Uint32Array {
  return pairs.filter((_, i) => isKept(pairs[i & ~1], pairs[i | 1]));
}

/** A body with more partners than a workgroup sorts, which are fixed. */
test.each([MOST_TOGETHER + 1, MOST_TOGETHER])('a very long list, with room for %d pairs', async (maxPairs) => {
  const count = MOST_TOGETHER + 2;
  const inOnePlace = {
    ...broadPhaseScene('similar', count, SEED).bodies,
    positions: new Float32Array(3 * count),
    fixed: new Uint8Array(count).fill(1, 1),
  };
  await withPairs({ maxBodies: count, maxPairs }, async (batch) => {
    const pairs = await pairsOf(batch, inOnePlace);
    const all = Uint32Array.from({ length: 2 * (count - 1) }, (_, i) => (i % 2 === 0 ? 0 : (i + 1) / 2));
    const isWhole = maxPairs === count - 1;
    expect(pairs).toEqual(isWhole ? all : new Uint32Array(0));
    const counts = await batch.readCounts();
    expect(counts).toMatchObject({ candidates: count - 1, pairOverflow: isWhole ? 0 : count - 1 });
  });
});

describe('pairs', () => {
  test('are those of brute force, the same on every run, and are counted', async () => {
    await withPairs({}, async (batch) => {
      const pairs = await pairsOf(batch, bodies);
      expect(pairFaults(shapes, oracleBodies(shapes, bodies), pairs, 0), `seed ${SEED}`).toEqual([]);
      for (let run = 0; run < 5; run++) expect(await pairsOf(batch)).toEqual(pairs);
      const counts = await batch.readCounts();
      expect(counts).toMatchObject({ pairs: pairs.length / 2, candidates: pairs.length / 2, pairOverflow: 0 });
      expect(counts.invalidBodies).toBe(0);
      expect(batch.output.records).toBe(batch.output.pairs);
      const found = new Uint32Array(await readBuffer(batch.device, batch.output.pairs!));
      expect(found.subarray(0, pairs.length)).toEqual(pairs);
      const dispatch = new Uint32Array(await readBuffer(batch.device, batch.output.dispatch));
      expect([...dispatch.subarray(0, 3)]).toEqual([Math.ceil(pairs.length / 2 / 64), 1, 1]);
    });
  });

  test('beyond the capacity are counted, and those of the lowest bodies kept whole', async () => {
    const all = await withPairs({}, (batch) => pairsOf(batch, bodies));
    const candidates = all.length / 2;
    for (const maxPairs of [1, 2, 63, 500, candidates - 1, candidates]) {
      await withPairs({ maxPairs }, async (batch) => {
        const pairs = await pairsOf(batch, bodies);
        const kept = pairs.length / 2;
        const owners = all.filter((_, i) => i % 2 === 0);
        // The first body whose pairs don't all fit ends the list.
        const ends = [0, ...owners.keys()].filter((i) => owners[i - 1] !== owners[i]).concat(candidates);
        expect(kept).toBe(Math.max(...ends.filter((end) => end <= maxPairs)));
        expect(pairs).toEqual(all.subarray(0, 2 * kept));
        expect(await batch.readCounts()).toMatchObject({ pairs: kept, pairOverflow: candidates - kept, candidates });
      });
    }
  });

  test('of random batches have their true number, whatever the capacity', async () => {
    const { faults, overflows } = await randomBatches(tester, { batches: 100, seed: SEED });
    expect(faults).toEqual([]);
    expect(overflows).toBeGreaterThan(30);
  });

  test('of n bodies in one place are n (n - 1) / 2', async () => {
    const n = 500;
    const { bodies: placed } = broadPhaseScene('place', n, SEED);
    await withPairs({ maxPairs: n * n }, async (batch) => {
      const pairs = await pairsOf(batch, placed);
      expect(pairs.length).toBe(n * (n - 1));
      expect(pairs.every((b, i) => i % 2 === 0 || b > pairs[i - 1])).toBe(true);
    });
  });

  test('need bodies: with 0 or 1 there are none', async () => {
    await withPairs({}, async (batch) => {
      expect(await pairsOf(batch, broadPhaseScene('similar', 1, SEED).bodies)).toEqual(new Uint32Array(0));
      expect(await pairsOf(batch, broadPhaseScene('similar', 0, SEED).bodies)).toEqual(new Uint32Array(0));
      expect(await batch.readCounts()).toMatchObject({ candidates: 0, pairs: 0, pairOverflow: 0, invalidBodies: 0 });
      // As many as the last write gave.
      expect((await pairsOf(batch, bodies)).length).toBeGreaterThan(COUNT);
    });
  });

  test('are those of the number of bodies in a buffer', async () => {
    const bodyCount = storageBuffer(device, 'test.bodyCount', Uint32Array.of(COUNT));
    await withPairs({ bodyCount }, async (batch) => {
      const all = await pairsOf(batch, bodies);
      expect(all.length).toBeGreaterThan(COUNT);
      for (const count of [0, 1, 300, COUNT + 5]) {
        device.queue.writeBuffer(bodyCount, 0, Uint32Array.of(count));
        expect(await pairsOf(batch)).toEqual(somePairs(all, (_, b) => b < count));
      }
    });
  });

  test('leave out those that groups and fixed bodies exclude', async () => {
    const all = await withPairs({}, (batch) => pairsOf(batch, bodies));
    const groupsOf = Uint32Array.from(
      { length: COUNT },
      (_, i) => ((1 << (16 + (i % 3))) | (1 << ((i + 1) % 3))) >>> 0,
    );
    const isFixed = Uint32Array.from({ length: COUNT }, (_, i) => (i % 2 === 0 ? 7 : 0));
    const groups = storageBuffer(device, 'test.groups', groupsOf);
    const fixed = storageBuffer(device, 'test.fixed', isFixed);
    const meet = (a: number, b: number): boolean =>
      ((groupsOf[a] >>> 16) & groupsOf[b]) !== 0 && ((groupsOf[b] >>> 16) & groupsOf[a]) !== 0;
    const areFree = (a: number, b: number): boolean => isFixed[a] === 0 || isFixed[b] === 0;
    const expectPairs = async (options: Partial<BatchOptions<'pairs'>>, keep: typeof meet): Promise<void> => {
      const expected = somePairs(all, keep);
      expect(expected.length).toBeGreaterThan(0);
      expect(expected.length).toBeLessThan(all.length);
      expect(await withPairs(options, (batch) => pairsOf(batch, bodies))).toEqual(expected);
    };
    await expectPairs({ fixed }, areFree);
    // Each group meets the next one alone, and that one another.
    const none = await withPairs({ groups }, (batch) => pairsOf(batch, bodies));
    expect(none).toEqual(somePairs(all, meet));
    groupsOf.forEach((_, i) => (groupsOf[i] = i % 3 === 0 ? 0x0001_0002 : 0x0002_0001));
    device.queue.writeBuffer(groups, 0, groupsOf);
    await expectPairs({ groups }, meet);
    await expectPairs({ groups, fixed }, (a, b) => meet(a, b) && areFree(a, b));
  });

  test('leave out those that groups and fixed bodies of a write exclude, until the next write', async () => {
    const groups = Uint32Array.from({ length: COUNT }, (_, i) => (i % 3 === 0 ? 0x0001_0002 : 0x0002_0001));
    const fixed = Uint8Array.from({ length: COUNT }, (_, i) => i % 2);
    const all = await withPairs({}, (batch) => pairsOf(batch, bodies));
    await withPairs({}, async (batch) => {
      expect(await pairsOf(batch, { ...bodies, groups })).toEqual(
        somePairs(all, (a, b) => (a % 3 === 0) !== (b % 3 === 0)),
      );
      expect(await pairsOf(batch, { ...bodies, fixed })).toEqual(somePairs(all, (a, b) => (a & b & 1) === 0));
      expect(await pairsOf(batch, bodies)).toEqual(all);
    });
    await withPairs({ groups: storageBuffer(device, 'test.groups', groups) }, async (batch) => {
      expect(() => batch.write({ bodies: { ...bodies, groups } })).toThrow(/bodies\.groups/);
    });
  });

  test('leave out bodies whose poses in a buffer are invalid, which are counted', async () => {
    const all = await withPairs({}, (batch) => pairsOf(batch, bodies));
    await withPairs({}, async (batch) => {
      batch.write({ bodies });
      const { poses, shapes: ids } = batch.input;
      const invalid = [3, 100, 101, 700, COUNT - 1];
      const spoil = (body: number, word: number, value: number): void =>
        batch.device.queue.writeBuffer(poses, layouts.Pose.size * body + 4 * word, Float32Array.of(value));
      spoil(3, 0, NaN);
      spoil(100, 1, Infinity);
      spoil(101, 4, NaN);
      spoil(700, 3, -1);
      batch.device.queue.writeBuffer(ids, 4 * (COUNT - 1), Uint32Array.of(99));
      const pairs = await pairsOf(batch);
      expect(pairs).toEqual(somePairs(all, (a, b) => !invalid.includes(a) && !invalid.includes(b)));
      expect((await batch.readCounts()).invalidBodies).toBe(invalid.length);
    });
  });

  test('with a duration are those of the boxes around the motion', async () => {
    await withPairs({ duration: 0.5, maxPairs: 40 * COUNT }, async (batch) => {
      batch.write({ bodies: moving });
      const motion = { linear: moving.linearVelocities, duration: 0.5 };
      const pairs = await pairsOf(batch);
      expect(pairFaults(shapes, oracleBodies(shapes, bodies, motion), pairs, 0)).toEqual([]);
      batch.write({ duration: 0 });
      expect((await pairsOf(batch)).length).toBeLessThan(0.8 * pairs.length);
    });
  });
});

test('pairs of a handle leave out those that its last written groups and fixed bodies exclude', async () => {
  using handle = tester.createBodies(bodies);
  const options = { query: 'pairs', maxPairs: 8 * COUNT, bodies: handle } as const;
  using batch = await tester.createBatch(options);
  const all = await pairsOf(batch);
  expect(all.length).toBeGreaterThan(COUNT);
  const fixed = Uint8Array.from({ length: COUNT }, (_, i) => i % 2);
  handle.write({ fixed });
  const unfixed = somePairs(all, (a, b) => (a & b & 1) === 0);
  expect(await pairsOf(batch)).toEqual(unfixed);
  handle.write({ groups: Uint32Array.from({ length: COUNT }, (_, i) => (i % 3 === 0 ? 0x0001_0002 : 0x0002_0001)) });
  expect(await pairsOf(batch)).toEqual(somePairs(unfixed, (a, b) => (a % 3 === 0) !== (b % 3 === 0)));
});

/** Bytes of the buffers of a batch that finds pairs, without those of its poses and shapes. */
async function bytesOfBatch(maxBodies: number): Promise<number> {
  let bytes = 0;
  const createBuffer = device.createBuffer.bind(device);
  device.createBuffer = (descriptor) => {
    bytes += descriptor.size;
    return createBuffer(descriptor);
  };
  using batch = await tester.createBatch({ query: 'pairs', maxBodies, maxPairs: 1 });
  device.createBuffer = createBuffer;
  return bytes - batch.input.poses.size - batch.input.shapes.size;
}

describe('options', () => {
  test.each([
    [{ query: 'contacts', broadPhase: false }, 'options.broadPhase'],
    [{ query: 'contacts', broadPhase: { gap: 1 } }, 'gap'],
    [{ query: 'contacts', broadPhase: { margin: Infinity } }, 'options.broadPhase.margin'],
    [{ query: 'contacts', broadPhase: { margin: -1 } }, 'options.broadPhase.margin'],
    [{ query: 'contacts', groups: {} }, 'options.groups'],
    [{ query: 'pairs', groups: {} }, 'options.groups'],
    [{ query: 'pairs', algorithm: 'gjk' }, 'options.algorithm'],
    [{ query: 'pairs', results: 'hits' }, 'options.results'],
    [{ query: 'pairs', pairs: {} }, 'options.pairs'],
    [{ query: 'pair' }, 'options.query'],
  ])('%o is refused', async (options, name) => {
    const asked = { maxBodies: 4, maxPairs: 4, ...options } as unknown as BatchOptions<'pairs'>;
    await expect(tester.createBatch(asked)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(name) as string,
    });
  });

  test('pairs are not written to a batch that finds them', async () => {
    await withPairs({}, async (batch) => {
      expect(() => batch.write({ pairs: new Uint32Array(2) })).toThrow(/finds its pairs/);
    });
  });

  test('more bodies than there is room for are refused with the most that there is room for', async () => {
    const most = Math.floor(device.limits.maxStorageBufferBindingSize / 88);
    const expected = { code: 'LIMIT_EXCEEDED', message: expect.stringContaining(`expected at most ${most}`) as string };
    const asked = { query: 'pairs', maxBodies: most + 1, maxPairs: 1 } as const;
    await expect(tester.createBatch(asked)).rejects.toMatchObject(expected);
    const beyond = { maxBodies: most + 1, maxPairs: 1, broadPhase: true } as const;
    await expect(tester.createBatch({ query: 'contacts', ...beyond })).rejects.toMatchObject(expected);
  });

  test('take 172 bytes per body besides poses, shapes, 28 bytes to upload these, and pairs', async () => {
    const perBody = ((await bytesOfBatch(2 ** 18)) - (await bytesOfBatch(2 ** 17))) / 2 ** 17;
    // And 8 bytes per 4,096 bodies for the scan's sums.
    expect(perBody).toBeGreaterThanOrEqual(172 + 28);
    expect(perBody).toBeLessThan(172.1 + 28);
  });

  test('messages and labels of a batch that only finds pairs name pairs', async () => {
    await withPairs({}, async (batch) => {
      expect(() => batch.write({ duration: 1 })).toThrow('undefined for pairs');
      expect(batch.output.counts.label).toBe('batch.pairs.counts');
    });
  });

  test('more pairs than a binding holds are refused', async () => {
    await expect(withPairs({ maxPairs: 2 ** 31 }, (batch) => pairsOf(batch))).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    });
  });
});
