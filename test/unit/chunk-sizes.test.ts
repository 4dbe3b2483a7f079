/** Chunks take a fraction of a second, whatever a pair takes, and no more than the device's buffers hold. */

import { describe, expect, test } from 'vitest';
import { createChunkSizes, firstPairs, largestChunk, type ChunkSizes } from '../../src/gpu/chunks.ts';

const MEBIBYTE = 2 ** 20;
const FIRST = 65_536;
const CONTACT = 64;

function deviceWith(binding: number, buffer = binding) {
  return { limits: { maxStorageBufferBindingSize: binding, maxBufferSize: buffer } as GPUSupportedLimits };
}

/** Milliseconds that each of so many chunks takes on a device that answers `rate` pairs a millisecond. */
function run(sizes: ChunkSizes, rate: number, chunks: number, key = 'plan'): number[] {
  return Array.from({ length: chunks }, () => {
    const pairs = sizes.next(key, CONTACT);
    sizes.measured(key, pairs, pairs / rate);
    return pairs / rate;
  });
}

/** Pairs of a first chunk among hulls of up to so many vertices. */
function first(vertices: number, angular?: Float32Array, dimension: 2 | 3 = 3): number {
  return firstPairs({
    shapes: { shapes: [undefined, { vertices: [] }, { vertices: new Float64Array(dimension * vertices) }] },
    motion: { angular },
    dimension: { dimension },
  });
}

describe('the size of a chunk', () => {
  test('is 65,536 pairs at first, for each plan by itself', () => {
    const sizes = createChunkSizes(deviceWith(128 * MEBIBYTE));
    expect(sizes.next('boxes', CONTACT)).toBe(FIRST);
    sizes.measured('boxes', FIRST, 200);
    expect(sizes.next('boxes', CONTACT)).toBe(2 * FIRST);
    expect(sizes.next('hulls', CONTACT)).toBe(FIRST);
  });

  test('is fewer at first for turning pairs and for large hulls, at least 1024, and grows from there', () => {
    const turns = new Float32Array(3);
    expect(first(128)).toBe(FIRST);
    expect(first(1024)).toBe(FIRST / 8);
    expect(first(1024, undefined, 2)).toBe(FIRST / 8);
    expect(first(8, turns)).toBe(FIRST / 8);
    expect(first(1024, turns)).toBe(FIRST / 64);
    const sizes = createChunkSizes(deviceWith(128 * MEBIBYTE));
    expect(sizes.next('huge', CONTACT, first(65_535, turns))).toBe(1024);
    expect(sizes.next('turning', CONTACT, first(1024, turns))).toBe(1024);
    sizes.measured('turning', 1024, 5);
    expect(sizes.next('turning', CONTACT, FIRST)).toBe(4 * 1024);
  });

  test.each([1, 10, 100, 1000])('comes to 0.4 s at %d pairs a millisecond', (rate) => {
    const times = run(createChunkSizes(deviceWith(128 * MEBIBYTE)), rate, 6);
    // No chunk is smaller than 1024 pairs.
    const wanted = Math.max(400, 1024 / rate);
    for (const time of times.slice(2)) expect(time).toBeCloseTo(wanted, -1);
  });

  test('follows a device that becomes slower or faster', () => {
    const sizes = createChunkSizes(deviceWith(128 * MEBIBYTE));
    run(sizes, 1000, 3);
    const slower = run(sizes, 200, 8);
    expect(slower[0]).toBeCloseTo(2000, -1);
    for (const time of slower.slice(1)) expect(time).toBeCloseTo(400, -1);
    const faster = run(sizes, 800, 3);
    expect(faster.at(-1)).toBeCloseTo(400, -1);
  });

  test('is a multiple of 16 and never more than the buffers hold', () => {
    for (const binding of [MEBIBYTE, 100_000_007, 128 * MEBIBYTE, 4096 * MEBIBYTE]) {
      for (const pairBytes of [4, 8, 16, 48, 64]) {
        const sizes = createChunkSizes(deviceWith(binding));
        for (const rate of [3, 777.7, 1e9]) {
          const pairs = sizes.next('plan', pairBytes);
          expect(pairs % 16).toBe(0);
          expect(pairs).toBeGreaterThan(0);
          expect(pairs).toBeLessThanOrEqual(largestChunk(deviceWith(binding), pairBytes));
          expect(pairs * Math.max(pairBytes, 8) + 128).toBeLessThanOrEqual(Math.min(binding, 256 * MEBIBYTE));
          sizes.measured('plan', pairs, pairs / rate);
        }
      }
    }
    expect(largestChunk(deviceWith(128 * MEBIBYTE, 64 * MEBIBYTE), CONTACT)).toBeLessThan(MEBIBYTE);
  });

  test('does not shrink for queries of a few pairs, whose time is the way to the device and back', () => {
    const sizes = createChunkSizes(deviceWith(128 * MEBIBYTE));
    for (let i = 0; i < 10; i++) sizes.measured('plan', 100, 5);
    expect(sizes.next('plan', CONTACT)).toBe(FIRST);
    sizes.measured('plan', FIRST, 100);
    const known = sizes.next('plan', CONTACT);
    for (let i = 0; i < 10; i++) sizes.measured('plan', 100, 5);
    expect(sizes.next('plan', CONTACT)).toBe(known);
  });

  test('shrinks for a few pairs that take long', () => {
    const sizes = createChunkSizes(deviceWith(128 * MEBIBYTE));
    sizes.measured('plan', 100, 1000);
    expect(sizes.next('plan', CONTACT)).toBe(1024);
  });

  test('grows by four at most, however easy the pairs were, and does not forget a chunk that took long', () => {
    const sizes = createChunkSizes(deviceWith(128 * MEBIBYTE));
    sizes.measured('plan', FIRST, 5);
    expect(sizes.next('plan', CONTACT)).toBe(4 * FIRST);
    sizes.measured('plan', 4 * FIRST, 8000);
    expect(sizes.next('plan', CONTACT)).toBeLessThan(FIRST / 4);
  });

  test('starts anew for other shapes', () => {
    const sizes = createChunkSizes(deviceWith(128 * MEBIBYTE));
    run(sizes, 1000, 3);
    sizes.useShapes(1);
    expect(sizes.next('plan', CONTACT)).toBe(FIRST);
  });

  test('grows by the longest time that a chunk may have taken and shrinks by the shortest', () => {
    const sizes = createChunkSizes(deviceWith(128 * MEBIBYTE));
    sizes.measured('plan', FIRST, 200, 0);
    expect(sizes.next('plan', CONTACT)).toBe(2 * FIRST);
    sizes.measured('plan', 2 * FIRST, 4000, 100);
    expect(sizes.next('plan', CONTACT)).toBe(2 * FIRST);
    sizes.measured('plan', 2 * FIRST, 4000, 800);
    expect(sizes.next('plan', CONTACT)).toBe(FIRST);
  });

  test('is known once a chunk was measured', () => {
    const sizes = createChunkSizes(deviceWith(128 * MEBIBYTE));
    expect(sizes.isKnown('plan')).toBe(false);
    sizes.measured('plan', FIRST, 200);
    expect([sizes.isKnown('plan'), sizes.isKnown('other')]).toEqual([true, false]);
    sizes.useShapes(2);
    expect(sizes.isKnown('plan')).toBe(false);
  });
});
