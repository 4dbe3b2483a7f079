/** A device that goes away ends queries with DEVICE_LOST, and the caller hears of it once. */

import { expect, test, vi } from 'vitest';
import { createTester } from '../../src/node.ts';
import { ballPairs, balls, ballShapes } from '../support-balls.ts';
import { useShapes } from '../support-families.ts';
import { openDefaultDevice } from '../support-gpu.ts';

test('a query on a device that is destroyed meanwhile fails with DEVICE_LOST, and so do later ones', async () => {
  const device = await openDefaultDevice('device-loss.device');
  const onDeviceLost = vi.fn();
  const tester = await createTester({ device, onDeviceLost });
  useShapes(tester, ballShapes);
  expect((await tester.contacts(balls, ballPairs(100))).count).toBe(100);
  expect(onDeviceLost).not.toHaveBeenCalled();

  const running = tester.contacts(balls, ballPairs(200_000));
  const waiting = tester.distances(balls, ballPairs(1000));
  const outcomes = Promise.allSettled([running, waiting]);
  // Once the first query has begun: its kernels are compiled already.
  await new Promise((resolve) => setTimeout(resolve));
  device.destroy();
  for (const outcome of await outcomes) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'NarrowphaseError', code: 'DEVICE_LOST' } });
  }
  expect(onDeviceLost).toHaveBeenCalledExactlyOnceWith({ reason: 'destroyed', message: expect.any(String) });
  await expect(tester.intersects(balls, ballPairs(10))).rejects.toMatchObject({ code: 'DEVICE_LOST' });
  tester.dispose();
  await expect(tester.intersects(balls, ballPairs(10))).rejects.toMatchObject({ code: 'DISPOSED' });
  expect(onDeviceLost).toHaveBeenCalledOnce();
});

test('disposing of a tester with its own device is no loss', async () => {
  const onDeviceLost = vi.fn();
  const tester = await createTester({ backend: 'webgpu', onDeviceLost });
  useShapes(tester, ballShapes);
  expect((await tester.intersects(balls, ballPairs(64))).count).toBe(64);
  tester.dispose();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(onDeviceLost).not.toHaveBeenCalled();
});

test('disposing while a query runs ends it with an error', async () => {
  const tester = await createTester({ backend: 'webgpu' });
  useShapes(tester, ballShapes);
  await tester.contacts(balls, ballPairs(64));
  const running = tester.contacts(balls, ballPairs(200_000)).then(
    ({ count }) => ({ count }),
    ({ name, code }: { name: string; code: string }) => ({ name, code }),
  );
  await new Promise((resolve) => setTimeout(resolve));
  tester.dispose();
  expect([{ name: 'NarrowphaseError', code: 'DISPOSED' }, { name: 'NarrowphaseError', code: 'DEVICE_LOST' }]).toContainEqual(await running);
});

test('an abort ends a query with ABORTED, before and between chunks', async () => {
  const tester = await createTester({ backend: 'webgpu' });
  useShapes(tester, ballShapes);
  const early = AbortSignal.abort(new Error('too late'));
  await expect(tester.contacts(balls, ballPairs(64), { signal: early })).rejects.toMatchObject({ code: 'ABORTED', cause: { message: 'too late' } });
  const controller = new AbortController();
  // Three chunks of contacts.
  const running = tester.contacts(balls, ballPairs(2_200_000), { signal: controller.signal });
  const outcome = expect(running).rejects.toMatchObject({ code: 'ABORTED' });
  await new Promise((resolve) => setTimeout(resolve, 50));
  controller.abort();
  await outcome;
  expect((await tester.contacts(balls, ballPairs(64))).count).toBe(64);
  tester.dispose();
});
