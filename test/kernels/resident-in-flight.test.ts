/**
 * Handles of `createBodies` that are written or disposed of while one of their queries runs: the query answers for the
 * bodies at its call, the next one for those written last, and the buffers live as long as a query reads them.
 */

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Bodies, ResidentBodies, Tester } from '../../src/api/types.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { differences, type AnyResult } from '../helpers/batch.ts';
import { dimensions } from '../helpers/dimensions.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';
import { refusing } from '../helpers/refusal.ts';

const BODIES = 300;
/** A small query, and one that the device checks. */
const PAIR_COUNTS = [500, 40_000];

/** Calls `act` as soon as the running code has ended after call number `nth`, from 0, of a method. */
function afterCall<Target extends object>(target: Target, method: keyof Target, nth: number, act: () => void): void {
  const real = (target[method] as (...parameters: unknown[]) => unknown).bind(target);
  let calls = 0;
  vi.spyOn(target, method as never).mockImplementation(((...parameters: unknown[]) => {
    if (calls++ === nth) queueMicrotask(act);
    return real(...parameters);
  }) as never);
}

let device: GPUDevice;
beforeAll(async () => {
  device = await openDefaultDevice('resident-in-flight.device');
});
afterAll(() => device?.destroy());
afterEach(() => void vi.restoreAllMocks());

/** Steps of a query. `whenReached` calls `act` once a query takes the step. */
const MOMENTS: readonly [name: string, whenReached: (act: () => void) => void][] = [
  ['waits for the first kernel', (act) => afterCall(device, 'createComputePipelineAsync', 0, act)],
  ['has uploaded its bodies and submitted its pairs', (act) => afterCall(device.queue, 'submit', 0, act)],
];

function randomPairs(count: number): Uint32Array {
  const random = createRandom(count);
  return Uint32Array.from({ length: 2 * count }, () => Math.floor(uniform(random, 0, BODIES)));
}

async function ask(tester: Tester, bodies: Bodies | ResidentBodies, pairs: Uint32Array): Promise<AnyResult> {
  return (await tester.distances(bodies, pairs, { fields: ['distance'] })) as never;
}

describe.each(dimensions)('$name', (dimension) => {
  const { axes, identity } = dimension;

  function randomBodies(seed: number): Bodies {
    const random = createRandom(seed);
    const numbers = (width: number): Float32Array =>
      Float32Array.from({ length: width * BODIES }, () => uniform(random, -4, 4));
    return dimension.makeBodies({
      shapes: Uint32Array.from({ length: BODIES }, (_, i) => i % 2),
      positions: numbers(axes),
      rotations: numbers(identity.length),
    });
  }

  /** A tester without kernels, and the device that counts its buffers. */
  async function openTester(): Promise<{ tester: Tester; alive: () => string[] }> {
    const { device: counting, alive } = refusing(device);
    const tester = await dimension.createTester({ device: counting });
    dimension.useShapes(tester, [dimension.ball(0.5), dimension.box(0.5)]);
    return { tester, alive: () => alive().filter((label) => label.startsWith('bodies.')) };
  }

  async function answerOf(bodies: Bodies, pairs: Uint32Array): Promise<AnyResult> {
    const { tester } = await openTester();
    const answer = await ask(tester, bodies, pairs);
    tester.dispose();
    return answer;
  }

  const [first, second] = [randomBodies(1), randomBodies(2)];

  describe.each(PAIR_COUNTS)('a query of %d pairs', (count) => {
    const pairs = randomPairs(count);

    test.each(MOMENTS)('that %s is not changed by a write', async (_, whenReached) => {
      const positions = second.positions!;
      const written = { ...first, positions } as Bodies;
      const expected = [await answerOf(first, pairs), await answerOf(written, pairs)];
      expect(differences(expected[0], expected[1])).toContain('distance');
      const { tester } = await openTester();
      const handle = tester.createBodies(first);
      const write = vi.fn(() => handle.write({ positions }));
      await withoutErrors(device, async () => {
        whenReached(write);
        const running = await ask(tester, handle, pairs);
        expect(write).toHaveBeenCalledOnce();
        expect(differences(running, expected[0])).toEqual([]);
        for (let i = 0; i < 2; i++) expect(differences(await ask(tester, handle, pairs), expected[1])).toEqual([]);
      });
      tester.dispose();
    });

    test.each(MOMENTS)('that %s keeps the buffers of a handle that is disposed of', async (_, whenReached) => {
      const expected = await answerOf(first, pairs);
      const { tester, alive } = await openTester();
      const handle = tester.createBodies(first);
      let aliveAfterDispose = 0;
      const dispose = vi.fn(() => {
        handle.dispose();
        aliveAfterDispose = alive().length;
      });
      await withoutErrors(device, async () => {
        whenReached(dispose);
        const running = await ask(tester, handle, pairs);
        expect(dispose).toHaveBeenCalledOnce();
        expect(differences(running, expected)).toEqual([]);
      });
      await expect(ask(tester, handle, pairs)).rejects.toMatchObject({ code: 'DISPOSED' });
      expect(alive()).toEqual([]);
      if (whenReached !== MOMENTS[0][1]) expect(aliveAfterDispose).toBeGreaterThan(0);
      tester.dispose();
    });

    test.each(MOMENTS)('that %s is ended by the tester, which frees the buffers', async (_, whenReached) => {
      const { tester, alive } = await openTester();
      const handle = tester.createBodies(first);
      await withoutErrors(device, async () => {
        whenReached(() => tester.dispose());
        await expect(ask(tester, handle, pairs)).rejects.toMatchObject({ code: 'DISPOSED' });
      });
      expect(alive()).toEqual([]);
      handle.dispose();
    });
  });

  test('a handle without queries frees its buffers at once', async () => {
    const { tester, alive } = await openTester();
    const handle = tester.createBodies(first);
    const pairs = randomPairs(PAIR_COUNTS[0]);
    await ask(tester, handle, pairs);
    // Queries that are refused read nothing any more.
    const wrong = Uint32Array.of(0, BODIES);
    await expect(ask(tester, handle, wrong)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(tester.findPairs(handle, { margin: -1 })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(alive().length).toBeGreaterThan(0);
    handle.dispose();
    expect(alive()).toEqual([]);
    tester.dispose();
  });
});
