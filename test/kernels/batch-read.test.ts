/**
 * Reads of a batch keep their own frame's answer whatever is submitted after them, and a frame costs no allocations.
 */

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Batch } from '../../src/api/batch.ts';
import { createTester } from '../../src/node.ts';
import type { Bodies, Contacts, Tester } from '../../src/api/types.ts';
import { differences, submit } from '../helpers/batch.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { openDefaultDevice } from '../helpers/gpu.ts';

const PAIRS = 1000;
const RADIUS = 0.5;

let device: GPUDevice;
let tester: Tester;

beforeAll(async () => {
  device = await openDefaultDevice('batch-read.device');
  tester = await createTester({ device });
  useShapes(tester, [{ type: 'sphere', radius: RADIUS }]);
});

afterEach(() => vi.restoreAllMocks());

afterAll(() => {
  tester?.dispose();
  device?.destroy();
});

/** Two balls a pair; in frame f pair i is this far apart, so that every frame's numbers are its own. */
function gap(frame: number, pair: number): number {
  return ((frame * 37 + pair * 11) % 256) / 128 - 0.5;
}

const pairs = Uint32Array.from({ length: 2 * PAIRS }, (_, i) => i);
const bodies: Bodies & { positions: Float32Array } = {
  shapes: new Uint32Array(2 * PAIRS),
  positions: new Float32Array(6 * PAIRS),
  quaternions: Float32Array.from({ length: 8 * PAIRS }, (_, i) => (i % 4 === 3 ? 1 : 0)),
};

/** Places the bodies for a frame, in the arrays of the last one. */
function pose(frame: number): Bodies {
  for (let pair = 0; pair < PAIRS; pair++) {
    bodies.positions[6 * pair] = pair;
    bodies.positions[6 * pair + 3] = pair + 2 * RADIUS + gap(frame, pair);
  }
  return bodies;
}

/** What is wrong with a frame's result. */
function faults(found: Contacts, frame: number, wanted: (gap: number) => boolean): string[] {
  const expected = Array.from({ length: PAIRS }, (_, pair) => pair).filter((pair) => wanted(gap(frame, pair)));
  if (found.count !== expected.length)
    return [`frame ${frame} has ${found.count} records, expected ${expected.length}`];
  return expected.flatMap((pair, slot) => {
    const isRight =
      found.pair[slot] === pair &&
      found.distance[slot] === gap(frame, pair) &&
      found.pointA[3 * slot] === pair + RADIUS;
    return isRight ? [] : [`frame ${frame}, slot ${slot}: pair ${found.pair[slot]} at ${found.distance[slot]}`];
  });
}

/** Runs frames of which at most `depth` are under way; `use` gets each frame's result in the order of their ends. */
async function loop(
  batch: Batch<Contacts>,
  frames: number,
  depth: number,
  use: (frame: number, result: Contacts) => void,
  targets?: Contacts[],
): Promise<void> {
  const underWay: Promise<void>[] = [];
  for (let frame = 0; frame < frames; frame++) {
    batch.write({ bodies: pose(frame) });
    submit(batch as never);
    underWay.push(batch.read({ target: targets?.[frame % depth] }).then((result) => use(frame, result)));
    if (underWay.length >= depth) await underWay.shift();
  }
  await Promise.all(underWay);
}

describe.each([3, 5])('%d frames in flight', (depth) => {
  test.each(['all', 'hits'] as const)(
    "each read has its own frame's answer, in the order of the calls, results: '%s'",
    async (results) => {
      const batch = await tester.createBatch({
        query: 'contacts',
        maxBodies: 2 * PAIRS,
        maxPairs: PAIRS,
        results,
        margin: results === 'all' ? Infinity : 0,
      });
      batch.write({ pairs });
      const order: number[] = [];
      const found: string[] = [];
      await loop(batch, 100, depth, (frame, result) => {
        order.push(frame);
        found.push(...faults(result, frame, (distance) => results === 'all' || distance <= 0));
      });
      expect(found).toEqual([]);
      expect(order).toEqual(Array.from({ length: 100 }, (_, frame) => frame));
      batch.dispose();
    },
  );
});

test('a read that is waited for late still has its own frame, and short reads do not overtake long ones', async () => {
  const batch = await tester.createBatch({
    query: 'contacts',
    maxBodies: 2 * PAIRS,
    maxPairs: PAIRS,
    margin: Infinity,
  });
  batch.write({ bodies: pose(0), pairs });
  submit(batch as never);
  const order: string[] = [];
  const long = batch.read().then((result) => (order.push('long'), result));
  batch.write({ pairs: new Uint32Array(0) });
  submit(batch as never);
  const short = batch.read().then((result) => (order.push('short'), result));
  const counts = batch.readCounts().then((result) => (order.push('counts'), result));
  await new Promise((resolve) => setTimeout(resolve, 200));
  batch.write({ bodies: pose(1), pairs });
  submit(batch as never);
  const last = batch.read();
  expect((await counts).pairs).toBe(0);
  expect((await short).count).toBe(0);
  expect(faults(await long, 0, () => true)).toEqual([]);
  expect(faults(await last, 1, () => true)).toEqual([]);
  expect(order).toEqual(['long', 'short', 'counts']);
  batch.dispose();
});

describe('a target', () => {
  test('is written again, and refused where it is too short', async () => {
    const batch = await tester.createBatch({
      query: 'contacts',
      maxBodies: 2 * PAIRS,
      maxPairs: PAIRS,
      margin: Infinity,
    });
    batch.write({ bodies: pose(3), pairs });
    submit(batch as never);
    const target = await batch.read({ bounds: true });
    batch.write({ bodies: pose(4) });
    submit(batch as never);
    const again = await batch.read({ target, bounds: true });
    expect(again.distance.buffer).toBe(target.distance.buffer);
    expect(faults(again, 4, () => true)).toEqual([]);
    expect(differences(again, await tester.contacts(pose(4), pairs, { margin: Infinity, bounds: true }))).toEqual([]);
    const short = await tester.contacts(bodies, pairs.subarray(0, 20));
    await expect(batch.read({ target: short })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^options\.target\.pair/),
    });
    expect(faults(await batch.read({ target }), 4, () => true)).toEqual([]);
    batch.dispose();
  });
});

describe('an abort', () => {
  test('ends its own read at once and leaves the target alone, and the next read works', async () => {
    const batch = await tester.createBatch({
      query: 'contacts',
      maxBodies: 2 * PAIRS,
      maxPairs: PAIRS,
      margin: Infinity,
    });
    batch.write({ bodies: pose(5), pairs });
    submit(batch as never);
    const target = await batch.read();
    batch.write({ bodies: pose(6) });
    submit(batch as never);
    const controller = new AbortController();
    const aborted = batch.read({ target, signal: controller.signal });
    const other = batch.read();
    controller.abort(new Error('no need'));
    await expect(aborted).rejects.toMatchObject({
      name: 'NarrowphaseError',
      code: 'ABORTED',
      cause: { message: 'no need' },
    });
    expect(faults(await other, 6, () => true)).toEqual([]);
    expect(faults(target, 5, () => true)).toEqual([]);
    await expect(batch.read({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(batch.readCounts({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'ABORTED' });
    await expect(batch.read({ signal: 5 as never })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^options\.signal is 5/),
    });
    expect((await batch.read({ signal: new AbortController().signal })).count).toBe(PAIRS);
    batch.dispose();
  });
});

function callsOf(spies: { mock: { calls: unknown[] } }[]): number {
  return spies.reduce((sum, { mock }) => sum + mock.calls.length, 0);
}

/** Calls of methods that make or submit something. */
function spyOnDevice() {
  const made = (
    [
      'createBuffer',
      'createBindGroup',
      'createComputePipeline',
      'createComputePipelineAsync',
      'createShaderModule',
      'createQuerySet',
    ] as const
  ).map((name) => vi.spyOn(device, name));
  const sent = [vi.spyOn(device.queue, 'submit'), vi.spyOn(device.queue, 'writeBuffer')];
  return { made: () => callsOf(made), sent: () => callsOf(sent) };
}

describe('a steady loop', () => {
  test.each(['all', 'hits'] as const)("encodes without making or sending anything, results: '%s'", async (results) => {
    const batch = await tester.createBatch({
      query: 'contacts',
      maxBodies: 2 * PAIRS,
      maxPairs: PAIRS,
      results,
      warmStart: true,
    });
    batch.write({ bodies: pose(0), pairs });
    const spies = spyOnDevice();
    const scopes = vi.spyOn(device, 'pushErrorScope');
    for (let i = 0; i < 3; i++) {
      const encoder = device.createCommandEncoder();
      batch.encode(encoder);
      expect([spies.made(), spies.sent(), scopes.mock.calls.length]).toEqual([0, 0, 0]);
      encoder.finish();
    }
    tester.addShape({ type: 'sphere', radius: 1 });
    batch.encode(device.createCommandEncoder());
    // What the control sees: new shapes are uploaded.
    expect(spies.sent()).toBeGreaterThan(0);
    tester.removeShape(1);
    batch.dispose();
  });

  test('makes no buffer in reads after the first frames, however the number of hits goes up and down', async () => {
    const batch = await tester.createBatch({
      query: 'contacts',
      maxBodies: 2 * PAIRS,
      maxPairs: PAIRS,
      results: 'hits',
    });
    batch.write({ pairs });
    await loop(batch, 6, 3, () => {});
    const spies = spyOnDevice();
    await loop(batch, 60, 3, () => {});
    expect(spies.made()).toBe(0);
    expect(spies.sent()).toBe(60 * (4 + 1 + 2));
    batch.dispose();
  });

  test('allocates no array of the size of the batch, and leaves nothing behind', async () => {
    const batch = await tester.createBatch({
      query: 'contacts',
      maxBodies: 2 * PAIRS,
      maxPairs: PAIRS,
      margin: Infinity,
    });
    batch.write({ bodies: pose(0), pairs });
    submit(batch as never);
    const targets = await Promise.all([batch.read(), batch.read(), batch.read()]);
    await loop(batch, 10, 3, () => {}, targets);
    const large: string[] = [];
    for (const name of ['Uint8Array', 'Uint16Array', 'Uint32Array', 'Float32Array', 'Float64Array'] as const) {
      const Original = globalThis[name];
      const construct = (target: typeof Original, [first, ...others]: unknown[]): object => {
        const made = Reflect.construct(target, [first, ...others]) as Uint8Array;
        if (!(first instanceof ArrayBuffer) && made.length >= PAIRS) large.push(`${name} of ${made.length}`);
        return made;
      };
      vi.stubGlobal(name, new Proxy(Original, { construct: construct as never }));
    }
    const slice = vi.spyOn(ArrayBuffer.prototype, 'slice');
    try {
      expect(new Float32Array(PAIRS).length).toBe(PAIRS);
      expect(large.splice(0)).toEqual([`Float32Array of ${PAIRS}`]);
      await loop(batch, 30, 3, () => {}, targets);
      expect(large).toEqual([]);
      expect(slice).not.toHaveBeenCalled();
    } finally {
      vi.unstubAllGlobals();
    }
    const collect = await garbageCollector();
    const used = (): number => {
      collect();
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    await loop(batch, 100, 3, () => {}, targets);
    const before = used();
    await loop(batch, 300, 3, () => {}, targets);
    // A frame has 64 kB of records.
    expect(used() - before).toBeLessThan(2e6);
    batch.dispose();
  });
});

async function garbageCollector(): Promise<() => void> {
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([import('node:v8'), import('node:vm')]);
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
