import { expect, test } from 'vitest';
import { createSharedCopies } from '../../src/cpu/threads/shared-copies.ts';

test('copies of one name use the same memory as long as it fits', () => {
  const copies = createSharedCopies();
  const first = copies.of('pairs', Uint32Array.of(1, 2, 3, 4));
  expect(first).toEqual(Uint32Array.of(1, 2, 3, 4));
  expect(first.buffer).toBeInstanceOf(SharedArrayBuffer);

  const shorter = copies.of('pairs', Float32Array.of(0.5));
  expect(shorter).toEqual(Float32Array.of(0.5));
  expect(shorter.buffer).toBe(first.buffer);
  expect(copies.of('shapes', Uint32Array.of(7)).buffer).not.toBe(first.buffer);

  const longer = copies.of('pairs', new Uint32Array(5));
  expect([longer.length, longer.buffer === first.buffer]).toEqual([5, false]);
});

test('memory more than four times as large as a copy is let go of', () => {
  const copies = createSharedCopies();
  const large = copies.of('pairs', new Uint32Array(17));
  const small = copies.of('pairs', new Uint32Array(4));
  expect([small.buffer === large.buffer, small.buffer.byteLength]).toEqual([false, 16]);
});

test('after `renew` copies leave the old memory as it is', () => {
  const copies = createSharedCopies();
  const before = copies.of('pairs', Uint32Array.of(1));
  copies.renew();
  copies.of('pairs', Uint32Array.of(2));
  expect(before).toEqual(Uint32Array.of(1));
});

test('an array in shared memory is used as it is', () => {
  const array = new Uint32Array(new SharedArrayBuffer(8));
  expect(createSharedCopies().of('pairs', array)).toBe(array);
});
