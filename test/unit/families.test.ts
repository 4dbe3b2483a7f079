/** The seeded families are what tests and benchmarks take them for: the same every time, f32, half overlapping. */

import { describe, expect, test } from 'vitest';
import { familyNames, hull32Points, makeFamily, makeStructuredFamily, poseOf, structuredFamilyNames, type Family } from '../families.ts';
import { exactHull, oracleShape, pairSize, signedDistance } from '../oracle/index.ts';
import { createRandom } from '../random.ts';

/** Signed distances of all pairs, as shares of the pair's size. */
function distancesOf(family: Family): number[] {
  const shapes = family.shapes.map(oracleShape);
  return Array.from({ length: family.pairs.length / 2 }, (_, i) => {
    const [a, b] = [family.pairs[2 * i], family.pairs[2 * i + 1]];
    const [shapeA, shapeB] = [a, b].map((body) => shapes[family.bodies.shapes[body]]);
    const [poseA, poseB] = [poseOf(family, a), poseOf(family, b)];
    return signedDistance(shapeA, poseA, shapeB, poseB).distance / pairSize(shapeA, poseA, shapeB, poseB);
  });
}

function share(values: number[], condition: (value: number) => boolean): number {
  return values.filter(condition).length / values.length;
}

describe.each(familyNames)('%s', (name) => {
  test('half overlap, from deep to shallow; near touch on both sides; clearly apart', () => {
    const values = distancesOf(makeFamily(name, 1000, 12));
    const overlapping = share(values, (value) => value <= 0);
    expect(overlapping).toBeGreaterThan(0.45);
    expect(overlapping).toBeLessThan(0.55);
    expect(share(values, (value) => value < -0.05)).toBeGreaterThan(0.1);
    expect(share(values, (value) => value > 0.1)).toBeGreaterThan(0.1);
    for (const sign of [-1, 1]) {
      expect(share(values, (value) => value * sign > 0 && Math.abs(value) < 1e-3)).toBeGreaterThan(0.08);
      expect(share(values, (value) => value * sign > 0 && Math.abs(value) < 1e-5)).toBeGreaterThan(0.02);
    }
  });

  test('the same seed gives the same numbers, another one others; all of them f32', () => {
    const family = makeFamily(name, 50, 7);
    expect(makeFamily(name, 50, 7)).toEqual(family);
    expect(makeFamily(name, 50, 8).bodies.positions).not.toEqual(family.bodies.positions);
    expect(family.shapes.length).toBeGreaterThanOrEqual(64);
    const isF32 = (value: string | number | ArrayLike<number>): boolean =>
      typeof value === 'string' || (typeof value === 'number' ? Math.fround(value) === value : Array.from(value).every(isF32));
    expect(family.shapes.every((shape) => Object.values(shape).every(isF32))).toBe(true);
    expect(family.bodies.positions.every((x) => Math.abs(x) < 20)).toBe(true);
  });
});

test.each(structuredFamilyNames)('%s: finite, repeatable, overlapping and apart', (name) => {
  const family = makeStructuredFamily(name, 300, 5);
  expect(makeStructuredFamily(name, 300, 5)).toEqual(family);
  const values = distancesOf(family);
  expect(values.every(Number.isFinite)).toBe(true);
  expect(share(values, (value) => value <= 0)).toBeGreaterThan(0.2);
  expect(share(values, (value) => value > 0)).toBeGreaterThan(0.1);
});

test('all 32 points of a hull are extreme and surround the origin', () => {
  const random = createRandom(1);
  for (let i = 0; i < 20; i++) {
    const hull = exactHull(hull32Points(random, 0.1 + i));
    expect(hull.vertices.length / 3).toBe(32);
    for (const { normal: n, loop } of hull.facets)
      expect(n[0] * hull.vertices[3 * loop[0]] + n[1] * hull.vertices[3 * loop[0] + 1] + n[2] * hull.vertices[3 * loop[0] + 2]).toBeGreaterThan(0);
  }
});
