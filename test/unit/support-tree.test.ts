/** Supports among the many neighbours of one vertex. */

import { expect, test } from 'vitest';
import { makeSupportTree } from '../../src/shapes/support-tree.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';

/** The points, and how many numbers were read from them. */
function counted(points: Float64Array): { points: ArrayLike<number>; reads: { count: number } } {
  const reads = { count: 0 };
  const proxy = new Proxy(points, {
    get(target, key) {
      reads.count++;
      return Reflect.get(target, key) as unknown;
    },
  });
  return { points: proxy, reads };
}

function heightOf(points: ArrayLike<number>, p: number, normal: ArrayLike<number>): number {
  return normal[0] * points[3 * p] + normal[1] * points[3 * p + 1] + normal[2] * points[3 * p + 2];
}

test.each([1, 2, 7, 8, 9, 100, 1000])('the farthest of %i points is found among those that were named', (count) => {
  const random = createRandom(count);
  const points = Float64Array.from({ length: 6 * count }, () => uniform(random, -1, 1));
  const numbers = Uint32Array.from({ length: count }, (_, i) => 2 * i + 1);
  const tree = makeSupportTree(points, numbers);
  for (let i = 0; i < 200; i++) {
    const normal = unitVector(random, [0, 0, 0]);
    const heights = Array.from(numbers, (p) => heightOf(points, p, normal));
    expect(numbers).toContain(tree(normal));
    expect(heightOf(points, tree(normal), normal)).toBe(Math.max(...heights));
  }
});

test('finding the farthest of 20,000 points on a tilted rim tests few of the points', () => {
  const count = 20_000;
  const rim = Float64Array.from({ length: 3 * count }, (_, i) => {
    const angle = (2 * Math.PI * Math.floor(i / 3)) / count;
    return [Math.cos(angle), 0.6 * Math.sin(angle), 0.8 * Math.sin(angle)][i % 3];
  });
  const { points, reads } = counted(rim);
  const tree = makeSupportTree(
    points,
    Uint32Array.from({ length: count }, (_, p) => p),
  );
  const random = createRandom(1);
  reads.count = 0;
  for (let i = 0; i < 100; i++) tree(unitVector(random, [0, 0, 0]));
  expect(reads.count / 100).toBeLessThan(3000);
});
