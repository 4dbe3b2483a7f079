/** `fitBox`: boxes whose answer is known, flat sets, containment, and input that it refuses. */
import { describe, expect, test } from 'vitest';
import * as browser from '../../src/index.ts';
import * as cpu from '../../src/cpu.ts';
import * as node from '../../src/node.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { fittedVolume, outside, turnedBox } from '../helpers/fitted-box.ts';

const { fitBox } = browser;

function pointsOf(flat: ArrayLike<number>): number[][] {
  return Array.from({ length: flat.length / 3 }, (_, i) => [flat[3 * i], flat[3 * i + 1], flat[3 * i + 2]]);
}

function descending(list: readonly number[]): number[] {
  return [...list].sort((a, b) => b - a);
}

test('every entry has it', () => {
  expect(cpu.fitBox).toBe(fitBox);
  expect(node.fitBox).toBe(fitBox);
});

test('the corners of a box give this box', () => {
  const random = createRandom(1);
  for (let i = 0; i < 40; i++) {
    const halfExtents = [1, uniform(random, 0.01, 1), uniform(random, 0.001, 1)];
    const { points, box } = turnedBox(random, halfExtents);
    const fitted = fitBox(points);
    descending(fitted.halfExtents).forEach((half, k) => expect(half).toBeCloseTo(descending(halfExtents)[k], 12));
    fitted.centre.forEach((value, k) => expect(value).toBeCloseTo(box.centre[k], 12));
    for (const corner of pointsOf(points)) expect(Math.abs(outside(fitted, corner))).toBeLessThan(1e-13);
  }
});

test('a box along the axes of coordinates is not turned', () => {
  const points = [3, 0, 1, 7, 0, 1, 3, 2, 1, 3, 0, 9, 7, 2, 9, 7, 0, 9, 3, 2, 9, 7, 2, 1];
  expect(fitBox(points)).toEqual({ centre: [5, 1, 5], halfExtents: [2, 1, 4], quaternion: [0, 0, 0, 1] });
});

test('a regular tetrahedron is in the cube whose diagonals are its edges', () => {
  expect(fittedVolume(fitBox([0, 0, 0, 1, 1, 0, 1, 0, 1, 0, 1, 1]))).toBeCloseTo(1, 12);
});

describe('sets without volume', () => {
  test('a point', () => {
    expect(fitBox([1, 2, 3, 1, 2, 3])).toEqual({ centre: [1, 2, 3], halfExtents: [0, 0, 0], quaternion: [0, 0, 0, 1] });
  });

  test('a segment', () => {
    const { centre, halfExtents } = fitBox([1, 2, 3, 4, 6, 3, 2.5, 4, 3]);
    centre.forEach((value, k) => expect(value).toBeCloseTo([2.5, 4, 3][k], 14));
    expect(Math.max(...halfExtents)).toBeCloseTo(2.5, 14);
    expect([...halfExtents].sort((a, b) => a - b)[1]).toBeLessThan(1e-15);
  });

  test('a square', () => {
    const fitted = fitBox([0, 1, 0, 1, 0, 0, 0, -1, 0, -1, 0, 0]);
    expect(fitted.halfExtents[2]).toBe(0);
    expect(fitted.halfExtents[0] * fitted.halfExtents[1]).toBeCloseTo(0.5, 14);
  });
});

test.each([1e-20, 1, 1e20])(
  'contains all points, has a unit quaternion, and no smaller box is at hand; size %s',
  (size) => {
    const random = createRandom(3);
    for (let i = 0; i < 10; i++) {
      const points = Array.from({ length: 50 }, () => unitVector(random, [0, 0, 0]).map((x) => size * (x + 3))).flat();
      const fitted = fitBox(Float64Array.from(points));
      for (const point of pointsOf(points)) expect(outside(fitted, point)).toBeLessThan(1e-14 * size);
      expect(Math.hypot(...fitted.quaternion)).toBeCloseTo(1, 14);
      expect(fitted.quaternion[3]).toBeGreaterThan(0.8);
      expect(fittedVolume(fitted) / size ** 3).toBeLessThan(8);
      expect(fitBox(points)).toEqual(fitted);
    }
  },
);

test.each<[string, unknown, RegExp]>([
  ['nothing', undefined, /^points is undefined, expected x, y, z of at least one point/],
  ['no point', [], /^points\.length is 0, expected x, y, z of at least one point/],
  ['half a point', [1, 2], /^points\.length is 2, /],
  ['NaN', [0, 0, 0, 0, NaN, 0], /^points\[4\] is NaN, expected a number of at most 4e30/],
  ['text', ['a', 0, 0], /^points\[0\] is "a", /],
  ['too far', [0, 0, 1e31], /^points\[2\] is 1e\+31, /],
])('refuses %s', (_, points, message) => {
  expect(() => fitBox(points as number[])).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringMatching(message) as string }),
  );
});
