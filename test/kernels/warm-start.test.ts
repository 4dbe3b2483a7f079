/**
 * A warm start makes searches of bodies that move little shorter, and whatever is in its memory, no answer leaves the
 * tolerance and none fails to converge.
 */

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createBufferPool } from '../../src/gpu/buffers.ts';
import { createSimplices } from '../../src/gpu/simplices.ts';
import { createTester } from '../../src/node.ts';
import type { QueryName } from '../../src/api/queries.ts';
import { TOLERANCE } from '../../src/shapes/tolerances.ts';
import { Status, type Contacts, type Distances, type Tester, type WarmStart } from '../../src/api/types.ts';
import { makeFamily, makeShapePairFamily } from '../../verification/families/families.ts';
import type { Family } from '../../verification/families/family.ts';
import { judgeContact } from '../../verification/oracle/index.ts';
import { createRandom } from '../../verification/families/random.ts';
import { testerWithChunks } from '../helpers/chunk-sizes.ts';
import { differences, frame } from '../helpers/batch.ts';
import { ballDistance, ballPairs, balls, ballShapes } from '../helpers/balls.ts';
import { anyFamily, pairsOf, summary, useShapes } from '../../verification/families/test-pairs.ts';
import { openDefaultDevice } from '../helpers/gpu.ts';
import { atNight } from '../helpers/night.ts';
import { createMotion } from '../../verification/families/stepped-bodies.ts';
import { warmStartState } from '../../src/request/warm-start.ts';

const SEED = 20_261_205;
const PAIRS = 1000;
const QUERIES = ['intersects', 'distances', 'contacts'] as const satisfies QueryName[];
/** The share of degenerate pairs that EPA may give up on when it starts from a simplex made of nonsense. */
const MOST_NOT_CONVERGED = 2e-3;
const exact = { margin: Infinity, algorithm: 'gjk' } as const;

let device: GPUDevice;
let gpu: Tester;
let cpu: Tester;
/** The memory of warm starts and batches as the device has it; tests write garbage there. */
const simplices: GPUBuffer[] = [];

beforeAll(async () => {
  device = await openDefaultDevice('warm-start.device');
  const createBuffer = device.createBuffer.bind(device);
  vi.spyOn(device, 'createBuffer').mockImplementation((descriptor) => {
    const isSimplices = descriptor.label?.endsWith('.simplices');
    const buffer = createBuffer(isSimplices ? { ...descriptor, usage: descriptor.usage | 8 } : descriptor);
    if (isSimplices) simplices.push(buffer);
    return buffer;
  });
  gpu = await createTester({ device });
  cpu = await createTester({ backend: 'cpu' });
});

afterAll(() => {
  gpu?.dispose();
  cpu?.dispose();
  device?.destroy();
});

function use(family: Family): void {
  for (const tester of [gpu, cpu]) useShapes(tester, family.shapes);
}

/** What is wrong with an answer, judged against the distances of the reference. */
async function faults(family: Family, found: Contacts | Distances, query: 'contacts' | 'distances'): Promise<string[]> {
  const reference = await cpu.contacts(family.bodies, family.pairs, exact);
  const items = [...found];
  return summary(
    pairsOf(family).flatMap(({ index, a, b, poseA, poseB }) =>
      judgeContact(a, poseA, b, poseB, items[index], TOLERANCE.kernels, { query, truth: reference.distance[index] })
        .concat(items[index].status === Status.NotConverged ? ['not converged'] : [])
        .map((fault) => `${family.name}, pair ${index}: ${fault}`),
    ),
  );
}

function mean(values: ArrayLike<number>): number {
  return Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;
}

/** All pairs apart: only then GJK is all there is. */
function apart(name: 'hull32-hull32' | 'box-box'): Family {
  const family = makeFamily(name, PAIRS, SEED);
  for (let i = 0; i < PAIRS; i++) {
    for (let k = 0; k < 3; k++)
      family.bodies.positions[6 * i + 3 + k] +=
        3 * (family.bodies.positions[6 * i + 3 + k] - family.bodies.positions[6 * i + k]);
  }
  return family;
}

describe('memory', () => {
  test('of a warm start for 2^27 pairs is that of the queries that it serves, and keeps what it knew as it grows', async () => {
    const family = apart('hull32-hull32');
    const { bodies, pairs } = family;
    use(family);
    const warmStart = gpu.createWarmStart(2 ** 27);
    const sizes: number[] = [];
    for (const count of [400, 300, PAIRS]) {
      await gpu.contacts(bodies, pairs.subarray(0, 2 * count), { ...exact, warmStart });
      sizes.push(simplices.at(-1)!.size / 16);
    }
    expect(sizes).toEqual([600, 600, 1.5 * PAIRS]);
    const cold = await gpu.contacts(bodies, pairs, exact);
    const other = gpu.createWarmStart(PAIRS);
    await gpu.contacts(bodies, pairs.subarray(0, 800), { ...exact, warmStart: other });
    const warm = await gpu.contacts(bodies, pairs, { ...exact, warmStart: other });
    expect(mean(warm.iterations.subarray(0, 400))).toBeLessThan(0.7 * mean(cold.iterations.subarray(0, 400)));
    expect(warm.iterations.subarray(400)).toEqual(cold.iterations.subarray(400));
    for (const { dispose } of [warmStart, other]) dispose();
  });

  test('beyond what a device has in a buffer is LIMIT_EXCEEDED', () => {
    const small = createSimplices({ limits: { maxBufferSize: 4096 } } as GPUDevice, createBufferPool({} as GPUDevice));
    const message = 'options.warmStart needs 8000 bytes for 500 pairs, expected at most 4096 on this device';
    expect(() => small.of(warmStartState(gpu.createWarmStart(2 ** 27), 500), 500)).toThrow(
      refused(new RegExp(message), 'LIMIT_EXCEEDED'),
    );
  });
});

describe('bodies that move a little', () => {
  test.each(['hull32-hull32', 'box-box'] as const)(
    '%s take a third fewer iterations, from a tester and from a batch',
    async (name) => {
      const family = apart(name);
      const { bodies, pairs } = family;
      use(family);
      const move = createMotion(family, SEED + 1);
      const warmStart = gpu.createWarmStart(PAIRS);
      const batch = await gpu.createBatch({
        query: 'contacts',
        maxBodies: 2 * PAIRS,
        maxPairs: PAIRS,
        warmStart: true,
        ...exact,
      });
      for (let step = 0; step < 5; step++) {
        const cold = await gpu.contacts(bodies, pairs, exact);
        const warm = await gpu.contacts(bodies, pairs, { ...exact, warmStart });
        const batched = await frame(batch, { bodies, pairs });
        if (step === 0) expect(differences(warm, cold)).toEqual([]);
        else {
          expect(mean(warm.iterations)).toBeLessThan(0.7 * mean(cold.iterations));
          expect(await faults(family, warm, 'contacts')).toEqual([]);
        }
        expect(mean(batched.iterations)).toBe(mean(warm.iterations));
        expect(await faults(family, batched, 'contacts')).toEqual([]);
        move(0.002);
      }
      batch.dispose();
      warmStart.dispose();
    },
  );

  test('of hundreds of thousands are remembered chunk by chunk', async () => {
    const { tester, chunksOf } = await testerWithChunks(device);
    useShapes(tester, ballShapes);
    const pairs = ballPairs(150_000);
    const warmStart = tester.createWarmStart(150_000);
    const { chunks, result: first } = await chunksOf(() => tester.contacts(balls, pairs, { ...exact, warmStart }));
    expect(chunks.length).toBeGreaterThan(1);
    const second = await tester.contacts(balls, pairs, { ...exact, warmStart });
    for (const found of [first, second]) {
      expect(found.distance.every((distance, pair) => Math.abs(distance - ballDistance(pairs, pair)) < 1e-5)).toBe(
        true,
      );
    }
    // A ball's core is one vertex: what was found is confirmed, or is there at once.
    const isFewer = Array.from(second.iterations, (n, pair) => n <= first.iterations[pair]);
    expect(isFewer.every(Boolean)).toBe(true);
    tester.dispose();
  });
});

/** Ids for the last memory that was made. */
type Fill = (words: Uint32Array<ArrayBuffer>, random: () => number) => void;
const garbage: [name: string, fill: Fill][] = [
  ['random bits', (words, random) => words.forEach((_, i) => (words[i] = Math.floor(random() * 2 ** 32)))],
  ['zeros', (words) => words.fill(0)],
  ['ones', (words) => words.fill(0xffff_ffff)],
  [
    'vertices at random',
    (words, random) =>
      words.forEach((_, i) => (words[i] = Math.floor(random() * 8) | (Math.floor(random() * 8) << 16))),
  ],
  [
    'one vertex four times',
    (words, random) => words.forEach((_, i) => (words[i] = i % 4 === 0 ? Math.floor(random() * 4) : words[i - 1])),
  ],
  [
    'vertices behind gaps',
    (words, random) =>
      words.forEach((_, i) => (words[i] = random() < 0.5 ? 0xffff_ffff : Math.floor(random() * 4) * 0x1_0001)),
  ],
];

function fillSimplices(fill: Fill, seed: number): void {
  const buffer = simplices.at(-1)!;
  const words = new Uint32Array(buffer.size / 4);
  fill(words, createRandom(seed));
  // Ids are kept as complements.
  words.forEach((word, i) => (words[i] = ~word));
  device.queue.writeBuffer(buffer, 0, words);
}

describe('memory that fits nothing', () => {
  // Some shapes of `hull/hull` are rounded, and their sizes are far apart.
  test.each(['box-box', 'hull32-hull32', ...atNight([], ['hull/hull'] as const)] as const)(
    'changes no answer beyond the tolerance, and all converge: %s',
    async (name) => {
      const family =
        name === 'hull/hull' ? makeShapePairFamily(name, PAIRS, SEED + 2) : makeFamily(name, PAIRS, SEED + 2);
      const { bodies, pairs } = family;
      use(family);
      const warmStart = gpu.createWarmStart(PAIRS);
      await gpu.contacts(bodies, pairs, { ...exact, warmStart });
      const hits = await gpu.intersects(bodies, pairs, { algorithm: 'gjk' });
      const isNear = pairsOf(family).map(() => false);
      const reference = await cpu.contacts(bodies, pairs, exact);
      pairsOf(family).forEach(
        ({ index, size }) => (isNear[index] = Math.abs(reference.distance[index]) <= TOLERANCE.kernels * size),
      );
      for (const [i, [what, fill]] of garbage.entries()) {
        const seed = SEED + i;
        fillSimplices(fill, seed);
        expect(
          await faults(family, await gpu.contacts(bodies, pairs, { ...exact, warmStart }), 'contacts'),
          what,
        ).toEqual([]);
        fillSimplices(fill, seed);
        expect(
          await faults(family, await gpu.distances(bodies, pairs, { ...exact, warmStart }), 'distances'),
          what,
        ).toEqual([]);
        fillSimplices(fill, seed);
        const found = await gpu.intersects(bodies, pairs, { algorithm: 'gjk', warmStart });
        expect(
          Array.from(found.hit).filter((hit, pair) => hit !== hits.hit[pair] && !isNear[pair]),
          what,
        ).toEqual([]);
      }
      warmStart.dispose();
    },
  );

  test.each(['aligned-boxes', ...atNight([], ['grid'] as const)] as const)(
    'leaves nearly all degenerate pairs converging, and bounds hold: %s',
    async (name) => {
      const family = anyFamily(name, PAIRS, SEED + 3);
      const { bodies, pairs } = family;
      use(family);
      const warmStart = gpu.createWarmStart(PAIRS);
      await gpu.contacts(bodies, pairs, { ...exact, warmStart });
      const reference = await cpu.contacts(bodies, pairs, exact);
      for (const [i, [what, fill]] of [['the simplex of the same pose', undefined] as const, ...garbage].entries()) {
        if (fill) fillSimplices(fill, SEED + i);
        const found = [...(await gpu.contacts(bodies, pairs, { ...exact, warmStart, bounds: true }))];
        const wrong = pairsOf(family).flatMap(({ index, a, b, poseA, poseB }) => {
          const { lower, upper, ...item } = found[index];
          const t = 1e-9 * Math.max(1, Math.abs(reference.distance[index]));
          const judged = judgeContact(a, poseA, b, poseB, item, TOLERANCE.kernels, {
            truth: reference.distance[index],
          });
          if (!(lower! <= reference.distance[index] + t && upper! >= reference.distance[index] - t))
            judged.push(`bounds ${lower} to ${upper} of ${reference.distance[index]}`);
          return judged.map((fault) => `pair ${index}: ${fault}`);
        });
        expect(summary(wrong), what).toEqual([]);
        expect(found.filter(({ status }) => status === Status.NotConverged).length, what).toBeLessThanOrEqual(
          MOST_NOT_CONVERGED * PAIRS,
        );
      }
      warmStart.dispose();
    },
  );

  test('of bodies that were elsewhere, of other pairs, other shapes and other queries', async () => {
    const hulls = makeFamily('hull32-hull32', PAIRS, SEED + 4);
    const boxes = makeFamily('box-box', PAIRS, SEED + 5);
    const warmStart = gpu.createWarmStart(PAIRS);
    const ask = async (family: Family, query: 'contacts' | 'distances'): Promise<void> => {
      use(family);
      const found = await gpu[query](family.bodies, family.pairs, { ...exact, warmStart });
      expect(await faults(family, found, query), `${family.name}, ${query}`).toEqual([]);
    };
    await ask(hulls, 'contacts');
    createMotion(hulls, SEED + 6)(2.5);
    await ask(hulls, 'contacts');
    const reversed = { ...hulls, pairs: hulls.pairs.slice().reverse() };
    await ask(reversed, 'distances');
    await ask(boxes, 'distances');
    await ask(hulls, 'contacts');
    warmStart.dispose();
  });

  test('in a batch whose pairs change from frame to frame', async () => {
    const family = makeFamily('hull32-hull32', PAIRS, SEED + 7);
    use(family);
    const batch = await gpu.createBatch({
      query: 'contacts',
      maxBodies: 2 * PAIRS,
      maxPairs: PAIRS,
      warmStart: true,
      ...exact,
    });
    for (let step = 0; step < 4; step++) {
      const pairs = Uint32Array.from({ length: 2 * PAIRS }, (_, i) => family.pairs[(i + 2 * 77 * step) % (2 * PAIRS)]);
      const found = await frame(batch, { bodies: family.bodies, pairs });
      expect(await faults({ ...family, pairs }, found, 'contacts')).toEqual([]);
    }
    for (const [what, fill] of garbage) {
      fillSimplices(fill, SEED);
      expect(
        await faults({ ...family, pairs: family.pairs }, await frame(batch, { pairs: family.pairs }), 'contacts'),
        what,
      ).toEqual([]);
    }
    batch.dispose();
  });
});

function refused(message: RegExp, code = 'INVALID_INPUT'): unknown {
  return expect.objectContaining({ code, message: expect.stringMatching(message) });
}

describe('the handle', () => {
  const pairs = ballPairs(500);
  beforeAll(() => {
    for (const tester of [gpu, cpu]) useShapes(tester, ballShapes);
  });

  test.each(QUERIES)('is taken by %s on the CPU, too', async (query) => {
    const warmStart = cpu.createWarmStart(500);
    const cold = await cpu[query](balls, pairs);
    for (let i = 0; i < 3; i++) {
      const warm = await cpu[query](balls, pairs, { warmStart });
      expect(warm.statusCounts).toEqual(cold.statusCounts);
      if ('distance' in warm && 'distance' in cold)
        expect(warm.distance.every((distance, pair) => Math.abs(distance - cold.distance[pair]) < 1e-6)).toBe(true);
    }
    warmStart.dispose();
  });

  test('serves testers on different devices at the same time', async () => {
    const other = await createTester({ backend: 'webgpu' });
    useShapes(other, ballShapes);
    const warmStart = gpu.createWarmStart(500);
    const expected = await gpu.contacts(balls, pairs, exact);
    for (let i = 0; i < 3; i++) {
      const found = await Promise.all(
        [gpu, other, cpu].map((tester) => tester.contacts(balls, pairs, { ...exact, warmStart })),
      );
      expect(
        found.map(({ distance }) => distance.every((value, pair) => Math.abs(value - expected.distance[pair]) < 1e-5)),
      ).toEqual([true, true, true]);
    }
    warmStart.dispose();
    other.dispose();
  });

  test('has to be one, of enough pairs, and not disposed of', async () => {
    for (const maxPairs of [0, -1, 1.5, NaN, 2 ** 31, '5' as never])
      expect(() => gpu.createWarmStart(maxPairs)).toThrow(refused(/^maxPairs is/));
    const warmStart: WarmStart = gpu.createWarmStart(499);
    await expect(gpu.contacts(balls, pairs, { warmStart })).rejects.toEqual(
      refused(/^options\.warmStart\.maxPairs is 499, expected at least 500/),
    );
    await expect(gpu.contacts(balls, pairs, { warmStart: {} as never })).rejects.toEqual(
      refused(/^options\.warmStart is/),
    );
    const few = pairs.subarray(0, 400);
    const asked = [gpu.contacts(balls, few, { warmStart }), gpu.contacts(balls, few, { warmStart })];
    const before = simplices.length;
    warmStart.dispose();
    for (const outcome of await Promise.allSettled(asked))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'DISPOSED' } });
    await expect(gpu.contacts(balls, few, { warmStart })).rejects.toEqual(
      refused(/warmStart was disposed/, 'DISPOSED'),
    );
    expect(simplices.length).toBe(before);
    expect((await gpu.contacts(balls, few)).count).toBe(200);
  });
});
