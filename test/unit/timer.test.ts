/** The time of kernels by timestamps, on a device that gives any stamps. */

import { expect, test } from 'vitest';
import { createTimer } from '../../src/gpu/timer.ts';

function timerOf(features: string[] = ['timestamp-query']) {
  const device = {
    features: new Set(features),
    createBuffer: () => ({ destroy: () => {} }),
    createQuerySet: () => ({ destroy: () => {} }),
  };
  const timer = createTimer(device as unknown as GPUDevice);
  return (begin: bigint, end: bigint): number => timer.elapsed(new Uint8Array(BigUint64Array.of(begin, end).buffer));
}

test('the time of a pass is that between its stamps, and 0 if the same stamps come again', () => {
  const elapsed = timerOf();
  expect(elapsed(5_000_000n, 7_500_000n)).toBe(2.5);
  expect(elapsed(5_000_000n, 7_500_000n)).toBe(0);
  expect(elapsed(8_000_000n, 9_000_000n)).toBe(1);
});

test('a begin of 0 was not written: the time is 0, not that since the device was started', () => {
  const elapsed = timerOf();
  expect(elapsed(0n, 86_400_000_000_000n)).toBe(0);
  expect(elapsed(0n, 0n)).toBe(0);
  expect(elapsed(86_400_000_000_000n, 86_400_001_000_000n)).toBe(1);
});

test('without timestamps the time is 0', () => {
  expect(timerOf([])(5_000_000n, 7_500_000n)).toBe(0);
});
