/** What goes wrong around queries and batches ends with an error that says so, and what comes after works. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { PosedBodies, Tester } from '../../src/api/types.ts';
import { makeFamily } from '../../verification/families/families.ts';
import { differences, frame, storageBuffer, submit } from '../helpers/batch.ts';
import { ballPairs, balls, ballShapes } from '../helpers/balls.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { openDefaultDevice, openOwnDevice, withoutErrors } from '../helpers/gpu.ts';
import { refusing } from '../helpers/refusal.ts';

const BODIES = balls.shapes.length;
const PAIRS = 2000;
const pairs = ballPairs(PAIRS);
const room = { query: 'contacts', maxBodies: BODIES, maxPairs: PAIRS } as const;

let device: GPUDevice;

beforeAll(async () => {
  device = await openDefaultDevice('faults.device');
});
afterAll(() => device?.destroy());

async function ballTester(on = device): Promise<Tester> {
  const tester = await createTester({ device: on });
  useShapes(tester, ballShapes);
  return tester;
}

describe('dispose', () => {
  test.each(['batch', 'tester'] as const)(
    'of the %s ends reads under way, and all that comes later, with DISPOSED',
    async (what) => {
      const tester = await ballTester();
      await withoutErrors(device, async () => {
        const batch = await tester.createBatch(room);
        batch.write({ bodies: balls, pairs });
        submit(batch as never);
        const reads = Promise.allSettled([batch.read(), batch.readCounts()]);
        if (what === 'batch') batch.dispose();
        else tester.dispose();
        for (const outcome of await reads)
          expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'NarrowphaseError', code: 'DISPOSED' } });
        const disposed = expect.objectContaining({ code: 'DISPOSED' });
        expect(() => batch.encode(device.createCommandEncoder())).toThrow(disposed);
        expect(() => batch.write({ pairs })).toThrow(disposed);
        await expect(batch.read()).rejects.toEqual(disposed);
        await expect(batch.readCounts()).rejects.toEqual(disposed);
        await expect(batch.prepare()).rejects.toEqual(disposed);
        batch.dispose();
        if (what === 'batch') expect((await tester.contacts(balls, pairs)).count).toBe(PAIRS);
        tester.dispose();
      });
    },
  );

  test('while a batch is made ends that with DISPOSED', async () => {
    for (const options of [{ device }, { backend: 'webgpu' }] as const) {
      const tester = await createTester(options);
      useShapes(tester, ballShapes);
      const making = expect(tester.createBatch(room)).rejects.toMatchObject({ code: 'DISPOSED' });
      tester.dispose();
      await making;
      await expect(tester.createBatch(room)).rejects.toMatchObject({ code: 'DISPOSED' });
    }
  });

  test('of a tester frees all buffers on a device of the caller’s', async () => {
    const { device: watched, alive } = refusing(device);
    const tester = await ballTester(watched);
    const warmStart = tester.createWarmStart(PAIRS);
    await tester.contacts(balls, pairs, { warmStart });
    const batch = await tester.createBatch({ ...room, results: 'hits', warmStart: true });
    await frame(batch, { bodies: balls, pairs });
    expect(alive()).toEqual(
      expect.arrayContaining([
        'buffers.poses',
        'batch.contacts.results',
        'batch.contacts.slot.staging.0',
        'warmStart.simplices',
        'timer.stamps',
      ]),
    );
    batch.dispose();
    expect(alive().filter((label) => label.startsWith('batch'))).toEqual([]);
    tester.dispose();
    expect(alive()).toEqual([]);
  });
});

describe('two testers on one device', () => {
  test('do not disturb each other, queries and batches mixed', async () => {
    const family = makeFamily('box-box', 500, 20_261_204);
    const one = await ballTester();
    const two = await createTester({ device });
    useShapes(two, family.shapes);
    const [balls1, boxes1] = [await one.contacts(balls, pairs), await two.contacts(family.bodies, family.pairs)];
    await withoutErrors(device, async () => {
      const batch1 = await one.createBatch(room);
      const batch2 = await two.createBatch({ query: 'contacts', maxBodies: 1000, maxPairs: 500 });
      for (let round = 0; round < 5; round++) {
        const found = await Promise.all([
          one.contacts(balls, pairs),
          frame(batch2, { bodies: family.bodies, pairs: family.pairs }),
          two.contacts(family.bodies, family.pairs),
          frame(batch1, { bodies: balls, pairs }),
        ]);
        expect(found.map((result, i) => differences(result, i % 3 === 0 ? balls1 : boxes1))).toEqual([[], [], [], []]);
      }
      one.dispose();
      expect(differences(await frame(batch2, {}), boxes1)).toEqual([]);
    });
    two.dispose();
  });
});

function exceeded(name: string): unknown {
  return expect.objectContaining({ code: 'LIMIT_EXCEEDED', message: expect.stringContaining(name) });
}

describe('a device without memory', () => {
  test.each(['buffers.results', 'buffers.staging', 'buffers.pairs', 'warmStart.simplices'])(
    'refuses %s: OUT_OF_MEMORY, and the next query works',
    async (label) => {
      const { device: full, refuse } = refusing(device);
      const tester = await ballTester(full);
      const warmStart = tester.createWarmStart(PAIRS);
      refuse((name) => name === label);
      await expect(tester.contacts(balls, pairs, { warmStart })).rejects.toMatchObject({
        code: 'OUT_OF_MEMORY',
        message: expect.stringContaining(label),
      });
      refuse(undefined);
      expect((await tester.contacts(balls, pairs, { warmStart })).count).toBe(PAIRS);
      tester.dispose();
    },
  );

  test.each(['batch.contacts.results', 'batch.contacts.list', 'batch.contacts.geometry'])(
    'refuses %s: createBatch says OUT_OF_MEMORY and frees what it had',
    async (label) => {
      const { device: full, refuse, alive } = refusing(device);
      const tester = await ballTester(full);
      refuse((name) => name === label);
      await expect(tester.createBatch(room)).rejects.toMatchObject({
        code: 'OUT_OF_MEMORY',
        message: expect.stringContaining(label),
      });
      expect(alive().filter((name) => name.startsWith('batch'))).toEqual([]);
      refuse(undefined);
      const batch = await tester.createBatch(room);
      expect((await frame(batch, { bodies: balls, pairs })).count).toBe(PAIRS);
      tester.dispose();
    },
  );

  test.each(['batch.contacts.slot.arrays.0', 'batch.contacts.slot.counts', 'batch.contacts.slot.staging.0'])(
    'refuses %s: the read says OUT_OF_MEMORY, and the next one works',
    async (label) => {
      const { device: full, refuse } = refusing(device);
      const tester = await ballTester(full);
      const batch = await tester.createBatch(room);
      const expected = await tester.contacts(balls, pairs);
      refuse((name) => name === label);
      await expect(frame(batch, { bodies: balls, pairs })).rejects.toMatchObject({
        code: 'OUT_OF_MEMORY',
        message: expect.stringContaining(label),
      });
      refuse(undefined);
      expect(differences(await batch.read(), expected)).toEqual([]);
      tester.dispose();
    },
  );

  test('more than its buffers hold is LIMIT_EXCEEDED, with the buffer’s name', async () => {
    const { device: watched, alive } = refusing(device);
    const tester = await ballTester(watched);
    await expect(tester.createBatch({ ...room, maxPairs: 2 ** 32 - 1 })).rejects.toEqual(exceeded('buffer pairs'));
    await expect(tester.createBatch({ ...room, maxPairs: 2 ** 22 })).rejects.toEqual(exceeded('buffer results'));
    await expect(tester.createBatch({ ...room, maxBodies: 2 ** 25 })).rejects.toEqual(exceeded('buffer poses'));
    expect(alive().filter((name) => name.startsWith('batch'))).toEqual([]);
    expect((await tester.contacts(balls, pairs)).count).toBe(PAIRS);
    tester.dispose();
  });
});

function buffer(size: number, usage: number): GPUBuffer {
  return device.createBuffer({ size, usage });
}

describe('options that createBatch refuses', () => {
  let tester: Tester;
  beforeAll(async () => {
    tester = await ballTester();
  });
  afterAll(() => tester?.dispose());

  test.each<[name: string, given: (() => object) | null, message: RegExp]>([
    ['null', null, /^options is null/],
    [
      'an unknown query',
      () => ({ query: 'overlaps' }),
      /^options\.query is "overlaps", expected 'intersects', 'distances', 'contacts', 'manifolds', 'impacts', 'rayCasts' or 'pairs'/,
    ],
    ['maxPairs 0', () => ({ maxPairs: 0 }), /^options\.maxPairs is 0/],
    ['maxPairs as a fraction', () => ({ maxPairs: 1.5 }), /^options\.maxPairs is 1\.5/],
    ['maxPairs missing', () => ({ maxPairs: undefined }), /^options\.maxPairs is undefined/],
    ['maxBodies -1', () => ({ maxBodies: -1 }), /^options\.maxBodies is -1/],
    ['maxBodies as text', () => ({ maxBodies: '10' }), /^options\.maxBodies is "10"/],
    ['maxHits 0', () => ({ maxHits: 0, results: 'hits' }), /^options\.maxHits is 0/],
    ['unknown results', () => ({ results: 'some' }), /^options\.results is "some"/],
    ['a negative margin', () => ({ margin: -1 }), /^options\.margin is -1/],
    ['a margin of NaN', () => ({ margin: NaN }), /^options\.margin is NaN/],
    ['an unknown algorithm', () => ({ algorithm: 'epa' }), /^options\.algorithm is "epa"/],
    ["another algorithm's depth", () => ({ mprDepth: 'ray' }), /^options\.mprDepth is "ray"/],
    ['an unknown depth', () => ({ algorithm: 'mpr', mprDepth: 'least' }), /^options\.mprDepth is "least"/],
    ['SAT for spheres', () => ({ algorithm: 'sat' }), /^options\.algorithm is "sat".*not boxes/],
    ['warmStart as a number', () => ({ warmStart: 1 }), /^options\.warmStart is 1/],
    ['poses as an array', () => ({ poses: new Float32Array(8 * BODIES) }), /^options\.poses is Float32Array/],
    [
      'too few poses',
      () => ({ poses: buffer(32 * BODIES - 4, 128) }),
      /^options\.poses\.size is 131068, expected at least 131072 bytes/,
    ],
    [
      'poses without STORAGE',
      () => ({ poses: buffer(32 * BODIES, 8) }),
      /^options\.poses\.usage is 8, expected a usage with STORAGE/,
    ],
    ['too few shapes', () => ({ shapes: buffer(4 * BODIES - 4, 128) }), /^options\.shapes\.size/],
    ['shapes without STORAGE', () => ({ shapes: buffer(4 * BODIES, 64) }), /^options\.shapes\.usage/],
    ['too few pairs', () => ({ pairs: buffer(8 * PAIRS - 8, 128) }), /^options\.pairs\.size/],
    ['pairs without STORAGE', () => ({ pairs: buffer(8 * PAIRS, 32) }), /^options\.pairs\.usage/],
    [
      'pairCount without COPY_SRC',
      () => ({ pairCount: buffer(4, 128) }),
      /^options\.pairCount\.usage is 128, expected a usage with COPY_SRC/,
    ],
    ['pairCount as a number', () => ({ pairCount: 12 }), /^options\.pairCount is 12, expected a GPUBuffer/],
  ])('%s', async (_, given, message) => {
    const options = given === null ? null : { ...room, ...given() };
    await expect(tester.createBatch(options as never)).rejects.toMatchObject({
      name: 'NarrowphaseError',
      code: 'INVALID_INPUT',
      message: expect.stringMatching(message),
    });
  });

  test.each(['poses', 'shapes', 'pairs', 'pairCount'] as const)('%s of another device', async (name) => {
    const other = await openOwnDevice();
    const foreign = storageBuffer(other, 'foreign', new Uint32Array(16 * BODIES));
    await withoutErrors(device, () =>
      expect(tester.createBatch({ ...room, [name]: foreign })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringMatching(`^options\\.${name}: expected buffers`),
      }),
    );
    other.destroy();
  });

  test('on the CPU: WEBGPU_UNAVAILABLE', async () => {
    const cpu = await createTester({ backend: 'cpu' });
    useShapes(cpu, ballShapes);
    await expect(cpu.createBatch(room)).rejects.toMatchObject({ name: 'NarrowphaseError', code: 'WEBGPU_UNAVAILABLE' });
    cpu.dispose();
  });
});

describe('data that write refuses', () => {
  test('names what is wrong, and nothing of it is uploaded', async () => {
    const tester = await ballTester();
    const batch = await tester.createBatch({ query: 'contacts', maxBodies: BODIES, maxPairs: 100 });
    const few = pairs.subarray(0, 200);
    const expected = await frame(batch, { bodies: balls, pairs: few });
    const moved: PosedBodies = { ...balls, positions: balls.positions.map((x) => 2 * x) as Float32Array };
    const refused: [data: object | null, message: RegExp][] = [
      [null, /^data is null/],
      [{ bodies: moved, pairs: pairs.subarray(0, 202) }, /^pairs\.length is 202, expected at most 200/],
      [{ bodies: moved, pairs: Uint32Array.of(0, BODIES) }, /^pairs\[1\] is 4096/],
      [{ bodies: moved, pairs: [0, 1] }, /^pairs is \[0,1\], expected a Uint32Array/],
      [
        { bodies: { ...moved, positions: Float64Array.from(moved.positions) }, pairs: few },
        /^bodies\.positions is Float64Array/,
      ],
      [{ bodies: { ...moved, shapes: new Uint32Array(BODIES).fill(3) }, pairs: few }, /^bodies\.shapes\[0\] is 3/],
      [
        { bodies: { ...moved, quaternions: new Float32Array(4 * BODIES) }, pairs: few },
        /^bodies\.quaternions\[0\.\.3\]/,
      ],
    ];
    for (const [data, message] of refused) {
      expect(() => batch.write(data as never)).toThrow(
        expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringMatching(message) }),
      );
    }
    submit(batch as never);
    expect(differences(await batch.read(), expected)).toEqual([]);
    await expect(batch.read(null as never)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^options is null/),
    });
    tester.dispose();
  });
});
