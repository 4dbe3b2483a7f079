/**
 * A device that goes away ends queries and reads with DEVICE_LOST, and the caller hears of it once. A tester opens
 * another device if the lost one was its own; a caller's it can only report.
 */

import { describe, expect, test, vi } from 'vitest';
import { createTester } from '../../src/node.ts';
import { ballPairs, balls, ballShapes } from '../helpers/balls.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { differences, frame, submit } from '../helpers/batch.ts';
import { keepDevices, openDefaultDevice } from '../helpers/gpu.ts';
import { useOwnDevices } from '../helpers/shared-devices.ts';

useOwnDevices();

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
  expect([
    { name: 'NarrowphaseError', code: 'DISPOSED' },
    { name: 'NarrowphaseError', code: 'DEVICE_LOST' },
  ]).toContainEqual(await running);
});

test('an abort ends a query with ABORTED, before and between chunks', async () => {
  const tester = await createTester({ backend: 'webgpu' });
  useShapes(tester, ballShapes);
  const early = AbortSignal.abort(new Error('too late'));
  await expect(tester.contacts(balls, ballPairs(64), { signal: early })).rejects.toMatchObject({
    code: 'ABORTED',
    cause: { message: 'too late' },
  });
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

describe('a device of the tester’s own', () => {
  test('is replaced by the next query, with all shapes and warm starts', async () => {
    const { gpu, devices } = keepDevices();
    const onDeviceLost = vi.fn();
    const tester = await createTester({ backend: 'webgpu', gpu, onDeviceLost });
    useShapes(tester, ballShapes);
    const warmStart = tester.createWarmStart(3000);
    const pairs = ballPairs(3000);
    const before = await tester.contacts(balls, pairs, { warmStart });
    for (const round of [1, 2]) {
      devices.at(-1)!.destroy();
      await vi.waitFor(() => expect(onDeviceLost).toHaveBeenCalledTimes(round));
      expect(differences(await tester.contacts(balls, pairs, { warmStart }), before)).toEqual([]);
      expect(devices.length).toBe(round + 1);
    }
    tester.dispose();
    await devices.at(-1)!.lost;
    expect(onDeviceLost).toHaveBeenCalledTimes(2);
  });

  test('is replaced once for all who ask at the same time', async () => {
    const { gpu, devices } = keepDevices();
    const onDeviceLost = vi.fn();
    const tester = await createTester({ backend: 'webgpu', gpu, onDeviceLost });
    useShapes(tester, ballShapes);
    const pairs = ballPairs(500);
    const before = await tester.contacts(balls, pairs);
    devices[0].destroy();
    await vi.waitFor(() => expect(onDeviceLost).toHaveBeenCalled());
    const make = () => tester.createBatch({ query: 'contacts', maxBodies: balls.shapes.length, maxPairs: 500 });
    const [queried, one, another] = await Promise.all([tester.contacts(balls, pairs), make(), make()]);
    expect(devices.length).toBe(2);
    expect(one.device).toBe(devices[1]);
    expect(differences(queried, before)).toEqual([]);
    for (const batch of [one, another])
      expect(differences(await frame(batch, { bodies: balls, pairs }), before)).toEqual([]);
    tester.dispose();
    await devices[1].lost;
  });

  test('lost during a query fails that query alone', async () => {
    const { gpu, devices } = keepDevices();
    const tester = await createTester({ backend: 'webgpu', gpu });
    useShapes(tester, ballShapes);
    const pairs = ballPairs(200_000);
    await tester.contacts(balls, ballPairs(100));
    const running = tester.contacts(balls, pairs);
    const next = tester.contacts(balls, ballPairs(100));
    const outcomes = Promise.allSettled([running, next]);
    await new Promise((resolve) => setTimeout(resolve));
    devices[0].destroy();
    const [lost, recovered] = await outcomes;
    expect(lost).toMatchObject({ status: 'rejected', reason: { code: 'DEVICE_LOST' } });
    expect(recovered).toMatchObject({ status: 'fulfilled', value: { count: 100 } });
    tester.dispose();
  });

  test('is opened from the driver that gave it, where nobody gave one', async () => {
    const tester = await createTester({ backend: 'webgpu' });
    useShapes(tester, ballShapes);
    const pairs = ballPairs(300);
    const before = await tester.contacts(balls, pairs);
    const batch = await tester.createBatch({ query: 'contacts', maxBodies: 1, maxPairs: 1 });
    batch.device.destroy();
    await batch.device.lost;
    expect(differences(await tester.contacts(balls, pairs), before)).toEqual([]);
    tester.dispose();
  });

  test('is given back when the tester is disposed of while it comes', async () => {
    const { gpu, devices } = keepDevices();
    const tester = await createTester({ backend: 'webgpu', gpu });
    useShapes(tester, ballShapes);
    devices[0].destroy();
    await devices[0].lost;
    const running = expect(tester.contacts(balls, ballPairs(100))).rejects.toMatchObject({ code: 'DISPOSED' });
    await new Promise((resolve) => setTimeout(resolve));
    tester.dispose();
    await running;
    await devices[1]?.lost;
  });
});

describe('batches on a lost device', () => {
  test.each(['own', 'given'] as const)(
    'fail in the middle of a read and from then on, the device being %s',
    async (whose) => {
      const { gpu, devices } = keepDevices();
      const onDeviceLost = vi.fn();
      if (whose === 'given') devices.push(await openDefaultDevice('device-loss.given'));
      const source = whose === 'own' ? { gpu } : { device: devices[0] };
      const tester = await createTester({ backend: 'webgpu', onDeviceLost, ...source });
      useShapes(tester, ballShapes);
      const pairs = ballPairs(50_000);
      const batch = await tester.createBatch({
        query: 'contacts',
        maxBodies: balls.shapes.length,
        maxPairs: 50_000,
        margin: Infinity,
      });
      const expected = await frame(batch, { bodies: balls, pairs });
      submit(batch as never);
      const reads = Promise.allSettled([batch.read(), batch.readCounts(), batch.read()]);
      devices[0].destroy();
      for (const outcome of await reads)
        expect(outcome).toMatchObject({
          status: 'rejected',
          reason: { name: 'NarrowphaseError', code: 'DEVICE_LOST' },
        });
      expect(onDeviceLost).toHaveBeenCalledOnce();
      const lost = expect.objectContaining({ code: 'DEVICE_LOST' });
      expect(() => batch.encode({} as never)).toThrow(lost);
      expect(() => batch.write({ pairs })).toThrow(lost);
      await expect(batch.read()).rejects.toEqual(lost);
      await expect(batch.readCounts()).rejects.toEqual(lost);
      await expect(batch.prepare()).rejects.toEqual(lost);
      const again = tester.createBatch({
        query: 'contacts',
        maxBodies: balls.shapes.length,
        maxPairs: 50_000,
        margin: Infinity,
      });
      if (whose === 'given') await expect(again).rejects.toEqual(lost);
      else expect(differences(await frame(await again, { bodies: balls, pairs }), expected)).toEqual([]);
      batch.dispose();
      tester.dispose();
      expect(onDeviceLost).toHaveBeenCalledOnce();
    },
  );
});
