/**
 * The round trip in which a device checks the input of a large query: what a query leaves behind that is refused,
 * aborted or cut off then, and which of several faults it names.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { PosedBodies, Tester } from '../../src/api/types.ts';
import { makeShapePairFamily } from '../../verification/families/families.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { ballPairs, balls, ballShapes } from '../helpers/balls.ts';
import { areAll, differingFields } from '../helpers/both-paths.ts';
import { openDefaultDevice, openOwnDevice, withoutErrors } from '../helpers/gpu.ts';
import { watchingDevice, type WatchedDevice } from '../helpers/in-flight.ts';
import { refusing } from '../helpers/refusal.ts';

const PAIRS = 2 ** 15;
const pairs = ballPairs(PAIRS);
const MARK = 77;
const last = balls.positions.length - 1;
const NAN_MESSAGE = `bodies.positions[${last}] is NaN, expected a finite number of at most 1e30 either way`;

function withNaN<Bodies extends PosedBodies>(bodies: Bodies): Bodies {
  const positions = bodies.positions.slice();
  positions[positions.length - 1] = NaN;
  return { ...bodies, positions };
}

function markedTarget(): { hit: Uint8Array; pair: Uint32Array; iterations: Uint16Array } & Record<
  string,
  Float32Array
> {
  const vectors = ['normal', 'pointA', 'pointB'].map((name) => [name, new Float32Array(3 * PAIRS).fill(MARK)]);
  return {
    ...Object.fromEntries(vectors),
    distance: new Float32Array(PAIRS).fill(MARK),
    pair: new Uint32Array(PAIRS).fill(MARK),
    status: new Uint8Array(PAIRS).fill(MARK),
    iterations: new Uint16Array(PAIRS).fill(MARK),
    featureA: new Uint32Array(PAIRS).fill(MARK),
    featureB: new Uint32Array(PAIRS).fill(MARK),
  };
}

let device: GPUDevice;
let expected: object;

async function openBalls(given: GPUDevice): Promise<Tester> {
  const tester = await createTester({ device: given });
  useShapes(tester, ballShapes);
  return tester;
}

beforeAll(async () => {
  device = await openDefaultDevice('large-refusal.device');
  const tester = await openBalls(device);
  expected = await tester.contacts(balls, pairs);
  tester.dispose();
});
afterAll(() => device?.destroy());

test('a refused query leaves its warm start as it is', async () => {
  const family = makeShapePairFamily('hull/hull', 11_000, 5);
  const bodies = family.bodies as PosedBodies;
  const tester = await createTester({ device });
  useShapes(tester, family.shapes);
  const moved = { ...bodies, positions: bodies.positions.map((x) => x + 1e-3 * Math.sin(x)) };
  const results = [];
  for (const isRefused of [false, true]) {
    const warmStart = tester.createWarmStart(11_000);
    await tester.contacts(bodies, family.pairs, { warmStart });
    if (isRefused)
      await expect(tester.contacts(withNaN(bodies), family.pairs, { warmStart })).rejects.toThrow('is NaN');
    results.push(await tester.contacts(moved, family.pairs, { warmStart }));
  }
  expect(differingFields(results[1], results[0])).toEqual([]);
  // A search that starts anew takes other steps.
  const cold = await tester.contacts(moved, family.pairs);
  expect(differingFields(results[0], cold)).toContain('iterations');
  tester.dispose();
});

describe('a wrong number is named before', () => {
  test.each(['all', 'hits'] as const)("a wrong target, results: '%s'", async (results) => {
    const tester = await openBalls(device);
    const target = { pair: new Uint8Array(1) } as never;
    await expect(tester.contacts(withNaN(balls), pairs, { results, target })).rejects.toThrow(NAN_MESSAGE);
    await expect(tester.contacts(balls, pairs, { results, target })).rejects.toThrow('options.target.pair is ');
    tester.dispose();
  });

  test('a buffer that the device has no room for', async () => {
    // Poses take 32 bytes per body.
    const small = watchingDevice(device, 32 * balls.shapes.length - 4).device;
    const tester = await openBalls(small);
    await expect(tester.contacts(withNaN(balls), pairs)).rejects.toThrow(NAN_MESSAGE);
    await expect(tester.contacts(balls, pairs)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('buffer poses needs'),
    });
    tester.dispose();
  });

  test('memory that runs out, and the loss of the device', async () => {
    const other = await openOwnDevice();
    const { device: full, refuse } = refusing(other);
    const tester = await openBalls(full);
    refuse(() => true);
    await expect(tester.contacts(withNaN(balls), pairs)).rejects.toThrow(NAN_MESSAGE);
    await expect(tester.contacts(balls, pairs)).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
    refuse(undefined);
    other.destroy();
    await other.lost;
    await expect(tester.contacts(withNaN(balls), pairs)).rejects.toThrow(NAN_MESSAGE);
    await expect(tester.contacts(balls, pairs)).rejects.toMatchObject({ code: 'DEVICE_LOST' });
    tester.dispose();
  });
});

test.each(['input.positions', 'input.quaternions', 'bodies', 'poses', 'pairs', 'report', 'staging', 'shapes'])(
  'a query without memory for the buffer %s leaves none behind, and the next one works',
  async (name) => {
    const { device: full, refuse, alive } = refusing(device);
    const tester = await openBalls(full);
    const target = markedTarget();
    let refused = 0;
    refuse((label) => label === `buffers.${name}` && ++refused > 0);
    const ask = tester.contacts(balls, pairs, { target: target as never });
    await expect(ask).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
    expect(refused).toBe(1);
    expect(areAll(target, MARK)).toBe(true);
    expect(alive().filter((label) => label.startsWith('buffers.'))).toEqual([]);
    refuse(undefined);
    expect(differingFields(await tester.contacts(balls, pairs), expected)).toEqual([]);
    tester.dispose();
  },
);

/** Moments of a query. Each gives a promise that ends then. */
const moments: Record<string, (watched: WatchedDevice) => Promise<void>> = {
  'at once': async () => {},
  'when its input has been submitted': async ({ events }) => {
    while (!events.includes('submit 1')) await new Promise((resolve) => void setTimeout(resolve, 0));
  },
  'when the verdict on its input is there': (watched) =>
    new Promise((resolve) => {
      watched.onMapped = resolve;
    }),
};

describe.each(Object.entries(moments))('a query that is cut off %s', (_, moment) => {
  async function cutOff(
    watched: WatchedDevice,
    tester: Tester,
    cut: () => void,
    signal?: AbortSignal,
  ): Promise<string | undefined> {
    await tester.contacts(balls, pairs);
    watched.restart();
    const target = markedTarget();
    const ask = tester.contacts(balls, pairs, { target: target as never, signal });
    const code = ask.then(
      () => undefined,
      (error: { code?: string; message: string }) => error.code ?? error.message,
    );
    await moment(watched);
    cut();
    const ended = await code;
    expect(areAll(target, MARK)).toBe(true);
    return ended;
  }

  test('by its signal is ABORTED, and the next one works', async () => {
    const watched = watchingDevice(device, 2 ** 27);
    const tester = await openBalls(watched.device);
    const controller = new AbortController();
    await withoutErrors(device, async () => {
      expect(await cutOff(watched, tester, () => controller.abort(), controller.signal)).toBe('ABORTED');
      watched.onMapped = undefined;
      expect(differingFields(await tester.contacts(balls, pairs), expected)).toEqual([]);
    });
    expect(watched.inFlight()).toBe(0);
    tester.dispose();
  });

  test('as its tester is disposed of is DISPOSED, without an error on the device', async () => {
    const watched = watchingDevice(device, 2 ** 27);
    const tester = await openBalls(watched.device);
    await withoutErrors(device, async () => {
      expect(await cutOff(watched, tester, () => tester.dispose())).toBe('DISPOSED');
    });
  });

  test('as its device is lost is DEVICE_LOST', async () => {
    const other = await openOwnDevice();
    const watched = watchingDevice(other, 2 ** 27);
    const tester = await openBalls(watched.device);
    expect(await cutOff(watched, tester, () => other.destroy())).toBe('DEVICE_LOST');
    tester.dispose();
  });
});
