/**
 * Targets of queries and of batches' reads on WebGPU that are aborted, at every moment from the last copy's arrival to
 * the end.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { Tester } from '../../src/api/types.ts';
import { afterMicrotasks, isMarked, markedTarget, runAborted } from '../helpers/abort.ts';
import { submit } from '../helpers/batch.ts';
import { ballPairs, balls, ballShapes } from '../helpers/balls.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { openDefaultDevice } from '../helpers/gpu.ts';
import { manyRays } from '../helpers/many-rays.ts';

const pairs = ballPairs(500);
const rays = manyRays(3, {
  origins: Float32Array.of(0, 9, 0, 3, 9, 0),
  directions: Float32Array.of(0, -1, 0, 0, -1, 0),
});
const noHook = (): void => {};
/** More microtasks than there are between the last copy's arrival and the promise. */
const MOST = 20;

let device: GPUDevice;
/** Called whenever a buffer has been mapped, before anything else happens. */
let onMapped = noHook;
let tester: Tester;

/** The device; each of its buffers calls `onMapped`. */
function watched(real: GPUDevice): GPUDevice {
  const createBuffer = (descriptor: GPUBufferDescriptor): GPUBuffer => {
    const buffer = real.createBuffer(descriptor);
    const map = buffer.mapAsync.bind(buffer);
    buffer.mapAsync = async (...parameters) => {
      await map(...parameters);
      onMapped();
    };
    return buffer;
  };
  return new Proxy(real, {
    get(target, name) {
      if (name === 'createBuffer') return createBuffer;
      const value = Reflect.get(target, name, target) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

beforeAll(async () => {
  device = await openDefaultDevice('abort.device');
  tester = await createTester({ device: watched(device) });
  useShapes(tester, ballShapes);
});
afterAll(() => {
  tester?.dispose();
  device?.destroy();
});

/** Aborts `ask` after every number of microtasks from its last mapping on. */
async function abortAtEveryMoment(
  ask: (target?: never, signal?: AbortSignal) => Promise<object>,
  isWrittenAtOnce: boolean,
): Promise<void> {
  let mappings = 0;
  onMapped = () => void mappings++;
  const model = await ask();
  const all = mappings;
  expect(all).toBeGreaterThan(0);
  const codes = new Set<string | undefined>();
  for (let moment = 0; moment < MOST; moment++) {
    const target = markedTarget(model);
    const controller = new AbortController();
    let left = all;
    onMapped = () => {
      if (--left > 0) return;
      onMapped = noHook;
      if (moment === 0) controller.abort();
      else void afterMicrotasks(moment, () => controller.abort());
    };
    const { code, isUntouched } = await runAborted(target, ask as never, controller, () => ask());
    codes.add(code);
    expect(isUntouched, `${moment} microtasks after the last mapping`).toBe(true);
    if (isWrittenAtOnce && moment === 0) expect(isMarked(target)).toBe(true);
  }
  expect([...codes]).toEqual(['ABORTED', undefined]);
}

describe('a query', () => {
  test.each(['all', 'hits'] as const)('of contacts, results %s', async (results) => {
    await abortAtEveryMoment((target, signal) => tester.contacts(balls, pairs, { results, target, signal }), true);
  });

  test('of rays', async () => {
    await abortAtEveryMoment((target, signal) => tester.rayCasts(balls, rays, { target, signal }), false);
  });
});

describe('a read of a batch', () => {
  test.each(['all', 'hits'] as const)('results %s', async (results) => {
    const batch = await tester.createBatch({
      query: 'contacts',
      maxBodies: balls.shapes.length,
      maxPairs: 500,
      results,
    });
    batch.write({ bodies: balls, pairs });
    submit(batch);
    await abortAtEveryMoment((target, signal) => batch.read({ target, signal }), true);
    batch.dispose();
  });

  test('behind a read that is not over', async () => {
    const batch = await tester.createBatch({ query: 'contacts', maxBodies: balls.shapes.length, maxPairs: 500 });
    batch.write({ bodies: balls, pairs });
    submit(batch);
    await abortAtEveryMoment((target, signal) => {
      void batch.read();
      return batch.read({ target, signal });
    }, false);
    batch.dispose();
  });
});
