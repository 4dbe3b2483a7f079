/** The seeded families are what tests and benchmarks take them for: the same every time, f32, half overlapping. */

import { describe, expect, test } from 'vitest';
import {
  familyNames,
  hull32Points,
  makeFamily,
  makeShapePairFamily,
  makeStructuredFamily,
  poseOf,
  shapePairNames,
  structuredFamilyNames,
  type Family,
} from '../../verification/families/families.ts';
import { regressionFamily } from '../../verification/families/families-of-fixtures.ts';
import regressions from '../../verification/fixtures/regressions.json' with { type: 'json' };
import { exactHull, oracleShape, pairSize, signedDistance } from '../../verification/oracle/index.ts';
import { randomCloud, randomTriangle } from '../../verification/families/random-shapes.ts';
import { createRandom } from '../../verification/families/random.ts';

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

/** Half overlap, from deep to shallow; near touch on both sides; clearly apart. */
function expectSpread(values: number[]): void {
  const overlapping = share(values, (value) => value <= 0);
  expect(overlapping).toBeGreaterThan(0.45);
  expect(overlapping).toBeLessThan(0.55);
  expect(share(values, (value) => value < -0.05)).toBeGreaterThan(0.1);
  expect(share(values, (value) => value > 0.1)).toBeGreaterThan(0.1);
  for (const sign of [-1, 1]) {
    expect(share(values, (value) => value * sign > 0 && Math.abs(value) < 1e-3)).toBeGreaterThan(0.08);
    expect(share(values, (value) => value * sign > 0 && Math.abs(value) < 1e-5)).toBeGreaterThan(0.02);
  }
}

/** Whether a description holds f32 numbers only. */
function isF32(value: string | number | ArrayLike<number>): boolean {
  return (
    typeof value === 'string' ||
    (typeof value === 'number' ? Math.fround(value) === value : Array.from(value).every(isF32))
  );
}

describe.each(familyNames)('%s', (name) => {
  test('half overlap, from deep to shallow; near touch on both sides; clearly apart', () => {
    expectSpread(distancesOf(makeFamily(name, 1000, 12)));
  });

  test('the same seed gives the same numbers, another one others; all of them f32', () => {
    const family = makeFamily(name, 50, 7);
    expect(makeFamily(name, 50, 7)).toEqual(family);
    expect(makeFamily(name, 50, 8).bodies.positions).not.toEqual(family.bodies.positions);
    expect(family.shapes.length).toBeGreaterThanOrEqual(64);
    expect(family.shapes.every((shape) => Object.values(shape).every(isF32))).toBe(true);
    expect(family.bodies.positions.every((x) => Math.abs(x) < 20)).toBe(true);
  });
});

describe('families of two types of shape', () => {
  test('are there for each two types', () => {
    const types = ['sphere', 'box', 'capsule', 'triangle', 'hull', 'cylinder', 'cone', 'ellipsoid', 'halfspace'];
    const expected = types
      .flatMap((a, i) => types.slice(i).map((b) => `${a}/${b}`))
      .filter((name) => name !== 'halfspace/halfspace');
    expect(shapePairNames).toEqual(expected);
    expect(expected).toHaveLength(44);
  });

  test.each(shapePairNames)(
    '%s: half overlap, from deep to shallow; near touch on both sides; clearly apart',
    (name) => {
      expectSpread(distancesOf(makeShapePairFamily(name, 1000, 12)));
    },
  );

  test.each(shapePairNames)(
    '%s: both types, either one first; sizes within 1e-3 and 1e3 and far apart; with and without scale',
    (name) => {
      const family = makeShapePairFamily(name, 400, 7);
      const [first, second] = name.split('/');
      const typeOf = (body: number) => family.shapes[family.bodies.shapes[body]].type;
      for (let pair = 0; pair < 400; pair++) {
        const swapped = pair % 2 === 1;
        expect([typeOf(2 * pair), typeOf(2 * pair + 1)]).toEqual(swapped ? [second, first] : [first, second]);
      }
      const scales = family.bodies.scales!;
      expect(scales.filter((scale) => scale === 1).length).toBeGreaterThan(200);
      expect(new Set(scales).size).toBeGreaterThan(200);
      const shapes = family.shapes.map(oracleShape);
      const bounded = Array.from(scales.keys()).filter((body) => typeOf(body) !== 'halfspace');
      const radii = bounded
        .map((body) => shapes[family.bodies.shapes[body]].boundingRadius * scales[body])
        .sort((a, b) => a - b);
      expect(radii[0]).toBeGreaterThan(1e-3);
      expect(radii[0]).toBeLessThan(5e-2);
      expect(radii.at(-1)).toBeGreaterThan(1e2);
      expect(radii.at(-1)).toBeLessThan(1e3);
    },
  );

  test.each(shapePairNames)('%s: the same seed gives the same numbers, another one others; all of them f32', (name) => {
    const family = makeShapePairFamily(name, 50, 7);
    expect(makeShapePairFamily(name, 50, 7)).toEqual(family);
    expect(makeShapePairFamily(name, 50, 8).bodies.positions).not.toEqual(family.bodies.positions);
    expect(family.shapes.every((shape) => Object.values(shape).every(isF32))).toBe(true);
  });

  test.each(['cylinder', 'cone', 'ellipsoid'])(
    'a %s is thick mostly, a plate or a needle of 100:1 sometimes, and twice without thickness',
    (type) => {
      const ratios = makeShapePairFamily(`${type}/halfspace`, 1, 3)
        .shapes.slice(0, 64)
        .map((shape) => {
          const sizes =
            shape.type === 'ellipsoid'
              ? Array.from(shape.radii)
              : shape.type === 'cylinder' || shape.type === 'cone'
                ? [shape.halfHeight, shape.radius]
                : [];
          return Math.min(...sizes) / Math.max(...sizes);
        });
      expect(ratios.filter((ratio) => ratio === 0)).toHaveLength(2);
      expect(ratios.filter((ratio) => Math.abs(ratio - 0.01) < 1e-6)).toHaveLength(2);
      expect(ratios.filter((ratio) => ratio > 0.09)).toHaveLength(60);
    },
  );

  test.each(['box/box', 'triangle/triangle', 'hull/hull'])('%s: plain and rounded', (name) => {
    const { shapes } = makeShapePairFamily(name, 1, 3);
    const rounded = shapes.filter((shape) => 'radius' in shape && shape.radius! > 0).length;
    expect(rounded).toBeGreaterThan(16);
    expect(rounded).toBeLessThan(48);
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
      expect(
        n[0] * hull.vertices[3 * loop[0]] +
          n[1] * hull.vertices[3 * loop[0] + 1] +
          n[2] * hull.vertices[3 * loop[0] + 2],
      ).toBeGreaterThan(0);
  }
});

test('random triangles and clouds of points surround the origin', () => {
  const random = createRandom(2);
  for (let i = 0; i < 200; i++) {
    const { points } = randomTriangle(random, 1);
    const [a, b, c] = [0, 3, 6].map((at) => Array.from(points).slice(at, at + 3));
    // Seen from the origin the corners run around it.
    const turns = [cross(a, b), cross(b, c), cross(c, a)];
    for (const turn of turns)
      expect(turn[0] * turns[0][0] + turn[1] * turns[0][1] + turn[2] * turns[0][2]).toBeGreaterThan(0);
    for (const corner of [a, b, c]) expect(Math.hypot(...corner)).toBeLessThan(1);
    const hull = exactHull(randomCloud(random, 1).points);
    for (const { normal: n, loop } of hull.facets) {
      const [x, y, z] = hull.vertices.subarray(3 * loop[0], 3 * loop[0] + 3);
      expect(n[0] * x + n[1] * y + n[2] * z).toBeGreaterThan(0);
    }
  }
});

function cross(a: number[], b: number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

test('the family of regressions has each of them, in f32', () => {
  const family = regressionFamily();
  expect(family.pairs.length / 2).toBe(regressions.cases.length);
  expect(family.shapes.every((shape) => Object.values(shape).every(isF32))).toBe(true);
  regressions.cases.forEach(({ a, b }, pair) => {
    [a, b].forEach((body, side) => {
      const { position, quaternion, scale } = poseOf(family, 2 * pair + side);
      expect([...Array.from(position), ...Array.from(quaternion), scale]).toEqual(
        [...body.position, ...body.quaternion, body.scale].map(Math.fround),
      );
      expect(family.shapes[family.bodies.shapes[2 * pair + side]].type).toBe(body.shape.type);
    });
  });
});
