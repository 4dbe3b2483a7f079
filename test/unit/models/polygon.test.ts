/** Polygons divided into triangles: areas, windings, and triangles that lie within the polygon. */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dividePolygon } from '../../../cli/scene/models/polygon.ts';

type Point = readonly [number, number];

/** The triangles of a polygon in the plane z = 0, or in another one by `lift`. */
function divide(points: readonly Point[], lift = ([x, y]: Point): number[] => [x, y, 0]): number[][] {
  const found: number[][] = [];
  const corners = Uint32Array.from(points, (_, i) => i);
  dividePolygon(Float64Array.from(points.flatMap(lift)), corners, (a, b, c) => found.push([a, b, c]));
  return found;
}

function area(points: readonly Point[]): number {
  return points.reduce((sum, [x, y], i) => {
    const [u, v] = points[(i + 1) % points.length];
    return sum + (x * v - y * u) / 2;
  }, 0);
}

/** Throws unless the triangles have the polygon's winding and together its area, so that none overlap. */
function expectDivision(points: readonly Point[], triangles: readonly number[][]): void {
  expect(triangles).toHaveLength(points.length - 2);
  const whole = area(points);
  let sum = 0;
  for (const triangle of triangles) {
    const part = area(triangle.map((i) => points[i])) * Math.sign(whole);
    expect(part).toBeGreaterThanOrEqual(-1e-12 * Math.abs(whole));
    sum += part;
  }
  expect(Math.abs(sum - Math.abs(whole))).toBeLessThan(1e-9 * Math.abs(whole));
}

const regular = (n: number): Point[] =>
  Array.from({ length: n }, (_, i) => [Math.cos((2 * Math.PI * i) / n), Math.sin((2 * Math.PI * i) / n)]);

describe('convex polygons are fans around their first corner', () => {
  test.each([3, 4, 5, 12, 100])('%i corners', (n) => {
    const fan = Array.from({ length: n - 2 }, (_, i) => [0, i + 1, i + 2]);
    expect(divide(regular(n))).toEqual(fan);
    expect(divide(regular(n).reverse())).toEqual(fan);
  });

  test('in every plane', () => {
    for (const lift of [
      ([x, y]: Point) => [5, x, y],
      ([x, y]: Point) => [y, 5, x],
      ([x, y]: Point) => [x, y, 3 * x - 2 * y],
    ]) {
      expect(divide(regular(6), lift)).toEqual([
        [0, 1, 2],
        [0, 2, 3],
        [0, 3, 4],
        [0, 4, 5],
      ]);
    }
  });

  test('with corners on straight lines', () => {
    expect(
      divide([
        [0, 0],
        [1, 0],
        [2, 0],
        [2, 2],
        [0, 2],
      ]),
    ).toEqual([
      [0, 1, 2],
      [0, 2, 3],
      [0, 3, 4],
    ]);
  });
});

/** One side of a spiral of 4,000 corners. */
function spiralSide(radius: number): Point[] {
  return Array.from({ length: 4000 }, (_, i): Point => {
    const r = radius + i / 200;
    return [r * Math.cos(i / 50), r * Math.sin(i / 50)];
  });
}

describe('other polygons', () => {
  const SHAPES: [string, Point[]][] = [
    [
      'an arrow',
      [
        [0, 0],
        [4, 0],
        [1, 1],
        [0, 4],
      ],
    ],
    [
      'an L',
      [
        [0, 0],
        [4, 0],
        [4, 1],
        [1, 1],
        [1, 4],
        [0, 4],
      ],
    ],
    [
      'a comb',
      Array.from({ length: 40 }, (_, i): Point => [i, i % 2 === 0 ? 0 : 10]).concat([
        [39, 11],
        [0, 11],
      ]),
    ],
    [
      'a star',
      Array.from({ length: 20 }, (_, i): Point => [
        (i % 2 ? 1 : 3) * Math.cos((Math.PI * i) / 10),
        (i % 2 ? 1 : 3) * Math.sin((Math.PI * i) / 10),
      ]),
    ],
    [
      'a square with a hole, joined by an edge that is there twice',
      [
        [0, 0],
        [9, 0],
        [9, 9],
        [0, 9],
        [0, 0],
        [3, 3],
        [3, 6],
        [6, 6],
        [6, 3],
        [3, 3],
      ],
    ],
    [
      'a corner that occurs twice',
      [
        [0, 0],
        [2, 0],
        [2, 0],
        [2, 2],
        [1, 1],
        [0, 2],
      ],
    ],
  ];

  test.each(SHAPES)('%s', (_, points) => {
    expectDivision(points, divide(points));
    expectDivision([...points].reverse(), divide([...points].reverse()));
    expectDivision(
      points,
      divide(points, ([x, y]) => [2, x, y]),
    );
    for (let first = 1; first < points.length; first++) {
      const turned = [...points.slice(first), ...points.slice(0, first)];
      expectDivision(turned, divide(turned));
    }
  });

  test('a spiral of 8,000 corners', () => {
    const spiral = [...spiralSide(10), ...spiralSide(9.9).reverse()];
    expectDivision(spiral, divide(spiral));
  });

  test('seen from their centre, with random radii', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.01, max: 10, noNaN: true }), { minLength: 3, maxLength: 60 }),
        fc.boolean(),
        (radii, turned) => {
          const points = radii.map((r, i): Point => [
            r * Math.cos((2 * Math.PI * i) / radii.length),
            r * Math.sin((2 * Math.PI * i) / radii.length),
          ]);
          if (turned) points.reverse();
          expectDivision(points, divide(points));
        },
      ),
      { seed: 25, numRuns: 1000 },
    );
  });

  test('that cross themselves or have no area still give n - 2 triangles', () => {
    const coordinate = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ min: -3, max: 3, noNaN: true }));
    fc.assert(
      fc.property(fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 40 }), (points) => {
        const triangles = divide(points);
        expect(triangles).toHaveLength(points.length - 2);
        expect(new Set(triangles.flat())).toEqual(new Set(points.map((_, i) => i)));
      }),
      { seed: 25, numRuns: 1000 },
    );
    // A pentagram turns left at every corner, but goes around twice.
    const pentagram = [0, 2, 4, 1, 3].map((i): Point => [
      Math.cos((2 * Math.PI * i) / 5),
      Math.sin((2 * Math.PI * i) / 5),
    ]);
    expect(divide(pentagram)).toHaveLength(3);
  });

  test('with more corners than take a reasonable time are refused', () => {
    const comb = Array.from({ length: 8193 }, (_, i): Point => [i, i % 2]);
    expect(() => divide(comb)).toThrow('a polygon that is not convex has 8193 corners, expected at most 8192');
  });
});
