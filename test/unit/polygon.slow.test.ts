/** Polygons: which points are corners, what is refused, and which corners the table of supports lists by direction. */

import { describe, expect, test } from 'vitest';
import { NarrowphaseError } from '../../src/api/errors.ts';
import {
  PLANAR_POINT,
  PLANAR_POLYGON,
  PLANAR_RECTANGLE,
  PLANAR_SEGMENT,
  SMALL_POLYGON,
} from '../../src/generated/constants.ts';
import { makePlanarShapeData } from '../../src/shapes/planar-shape-data.ts';
import { cellOf, deepestInside, edgeNormals, hullCorners, supportCells } from '../../src/shapes/polygon.ts';
import { pick } from '../../verification/families/arrangements.ts';
import { planarHull } from '../../verification/oracle/planar.ts';
import { ringPoints } from '../../verification/families/planar-families.ts';
import { below, createRandom, uniform, unitVector, type Random } from '../../verification/families/random.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_124;

const clouds: Record<string, (random: Random) => number[]> = {
  'any points': (random) =>
    Array.from({ length: 2 * (1 + below(random, 40)) }, () => Math.fround(uniform(random, -1, 1))),
  'points on a coarse grid, many of them collinear and repeated': (random) =>
    Array.from({ length: 2 * (1 + below(random, 30)) }, () => below(random, 5) - 2),
  'points on a line': (random) =>
    Array.from({ length: 1 + below(random, 8) }, () => below(random, 17) - 8).flatMap((t) => [3 * t, -t]),
  'points on a ring': (random) => Array.from(ringPoints(random, 3 + below(random, 60), 1)),
  'points off a line by the last place of f32': (random) =>
    Array.from({ length: 3 + below(random, 20) }, () => uniform(random, -1, 1)).flatMap((t) => [
      Math.fround(t),
      Math.fround(0.3 * t + 1e-8 * uniform(random, -1, 1)),
    ]),
  'points far from the origin': (random) =>
    Array.from({ length: 2 * (3 + below(random, 20)) }, () => Math.fround(1000 + uniform(random, -1e-3, 1e-3))),
};

describe.each(Object.entries(clouds))('%s', (_, make) => {
  test('the corners are those of the hull by gift wrapping, counter-clockwise', () => {
    const random = createRandom(SEED);
    for (let i = 0; i < atNight(150, 500); i++) {
      const points = make(random);
      const corners = hullCorners(points);
      expect(
        Float64Array.from(corners.flatMap((c) => [points[2 * c], points[2 * c + 1]])),
        `cloud ${i} of seed ${SEED}: ${points.join()}`,
      ).toEqual(planarHull(points));
    }
  });

  test('normals are unit vectors with no point beyond their edges, and the deepest point is found', () => {
    const random = createRandom(SEED + 1);
    for (let i = 0; i < atNight(60, 200); i++) {
      const points = make(random);
      const corners = hullCorners(points);
      if (corners.length < 3) continue;
      const vertices = corners.flatMap((c) => [points[2 * c], points[2 * c + 1]]);
      const reach = Math.max(...points.map(Math.abs));
      const normals = edgeNormals(vertices);
      for (let e = 0; e < corners.length; e++) {
        const [x, y] = normals.subarray(2 * e, 2 * e + 2);
        expect(Math.abs(Math.hypot(x, y) - 1)).toBeLessThan(1e-15);
        for (let p = 0; p < points.length; p += 2)
          expect(x * (points[p] - vertices[2 * e]) + y * (points[p + 1] - vertices[2 * e + 1])).toBeLessThan(
            1e-15 * reach,
          );
      }
      const depths = [...Array(points.length / 2).keys()].map((p) => {
        return Math.min(
          ...[...corners.keys()].map(
            (e) =>
              normals[2 * e] * (vertices[2 * e] - points[2 * p]) +
              normals[2 * e + 1] * (vertices[2 * e + 1] - points[2 * p + 1]),
          ),
        );
      });
      const { point, depth } = deepestInside(points, corners, normals);
      expect(Math.abs(depth - Math.max(0, ...depths))).toBeLessThan(1e-15 * reach);
      if (depth > 1e-15 * reach) expect(depths[point]).toBe(depth);
    }
  });
});

test('the first of points in one place is the corner', () => {
  expect(hullCorners([1, 0, 0, 0, 1, 0, 0, 0, 0, 1])).toEqual([1, 0, 4]);
  expect(hullCorners([2, 3, 2, 3])).toEqual([0]);
  expect(hullCorners([2, 3, 0, 0, 1, 1.5])).toEqual([1, 0]);
});

describe('the table of supports', () => {
  const convex: Record<string, (random: Random) => ArrayLike<number>> = {
    'a ring of any corners': (random) => ringPoints(random, SMALL_POLYGON + 1 + below(random, 284), 1),
    'a thin ring': (random) => ringPoints(random, SMALL_POLYGON + 1 + below(random, 284), 1, 1e-3),
    'a regular polygon, with corners and edges on the borders of cells': (random) => {
      const count = pick(random, [17, 18, 20, 24, 32, 36, 64, 100, 128, 300]);
      return Array.from({ length: count }, (_, i) => (2 * Math.PI * i) / count).flatMap((angle) => [
        Math.cos(angle),
        Math.sin(angle),
      ]);
    },
    'half a disc, whose straight side has many cells of its own': () =>
      Array.from({ length: 40 }, (_, i) => (Math.PI * i) / 39).flatMap((angle) => [Math.cos(angle), Math.sin(angle)]),
    'a diamond of many corners': () =>
      Array.from({ length: 80 }, (_, i) => i).flatMap((i) => {
        const t = (i % 20) / 20;
        const bulge = 1 + 0.05 * t * (1 - t);
        const [x, y] = [bulge * (1 - t), bulge * t];
        return [
          [x, y],
          [-y, x],
          [-x, -y],
          [y, -x],
        ][Math.floor(i / 20)];
      }),
    'a ring far off its origin': (random) => ringPoints(random, 100, 1).map((x, i) => x + 10 * (i % 2 ? 1 : -2)),
  };

  test.each(Object.entries(convex))('of %s lists the support of every direction', (_, make) => {
    const random = createRandom(SEED);
    for (let round = 0; round < atNight(5, 20); round++) {
      const points = Array.from(make(random));
      const corners = hullCorners(points);
      const vertices = corners.flatMap((c) => [points[2 * c], points[2 * c + 1]]);
      const count = corners.length;
      const cells = supportCells(vertices);
      const side = (cells.length - 1) / 4;
      expect(side).toBe(Math.ceil(count / 4));
      const normals = edgeNormals(vertices);
      for (let i = 0; i < 1000; i++) {
        const [x, y] = directionOf(i, normals, random);
        const cell = cellOf(x, y, side);
        const listed = Array.from(
          { length: cells[cell + 1] - cells[cell] + 1 },
          (_unused, k) => (cells[cell] + k) % count,
        );
        const height = (c: number): number => vertices[2 * c] * x + vertices[2 * c + 1] * y;
        const all = Array.from({ length: count }, (_unused, c) => height(c));
        expect(
          Math.max(...listed.map(height)),
          `round ${round} of seed ${SEED}, direction ${x}, ${y}`,
        ).toBeGreaterThanOrEqual(Math.max(...all) - 1e-15 * Math.hypot(vertices[0], vertices[1]));
      }
      // Once round, and as many as there are, one more a cell.
      expect(cells[4 * side] - cells[0]).toBe(count);
    }
  });
});

describe('what a polygon is made into', () => {
  test('a polygon, a segment or a point, by the corners that there are', () => {
    expect(makePlanarShapeData({ type: 'polygon', points: [0, 0, 1, 0, 0, 1] })).toMatchObject({
      kind: PLANAR_POLYGON,
      takesSat: true,
    });
    expect(makePlanarShapeData({ type: 'polygon', points: [1, 1, 0, 0, 0.5, 0.5] })).toMatchObject({
      kind: PLANAR_SEGMENT,
      pointIndices: Uint32Array.of(1, 0),
      takesSat: true,
    });
    expect(makePlanarShapeData({ type: 'polygon', points: [3, 4, 3, 4], radius: 1 })).toMatchObject({
      kind: PLANAR_POINT,
      boundingRadius: 6,
      pointIndices: Uint32Array.of(0),
    });
    expect(makePlanarShapeData({ type: 'segment', points: [3, 4, 3, 4] })).toMatchObject({
      kind: PLANAR_POINT,
      boundingRadius: 5,
    });
    expect(makePlanarShapeData({ type: 'rectangle', halfExtents: [3, 4], radius: 1 })).toMatchObject({
      kind: PLANAR_RECTANGLE,
      boundingRadius: 6,
      takesSat: true,
    });
    expect(makePlanarShapeData({ type: 'rectangle', halfExtents: [3, 0] })).toMatchObject({
      kind: PLANAR_SEGMENT,
      boundingRadius: 3,
    });
    expect(makePlanarShapeData({ type: 'circle', radius: 2 })).toMatchObject({ kind: PLANAR_POINT, takesSat: false });
    expect(makePlanarShapeData({ type: 'capsule', halfHeight: 1, radius: 2 })).toMatchObject({
      kind: PLANAR_SEGMENT,
      boundingRadius: 3,
      takesSat: false,
    });
  });

  test('numbers are rounded to f32, unless told otherwise', () => {
    expect(Array.from(makePlanarShapeData({ type: 'polygon', points: [0, 0, 0.1, 0, 0, 0.2] }).vertices)).toEqual(
      [0, 0, 0.1, 0, 0, 0.2].map(Math.fround),
    );
    expect(
      Array.from(
        makePlanarShapeData({ type: 'polygon', points: [0, 0, 0.1, 0, 0, 0.2] }, 'description', (x) => x).vertices,
      ),
    ).toEqual([0, 0, 0.1, 0, 0, 0.2]);
  });

  test('a small polygon has no table, a larger one has', () => {
    expect(
      makePlanarShapeData({ type: 'polygon', points: ringPoints(createRandom(1), SMALL_POLYGON, 1) }).cells,
    ).toHaveLength(0);
    expect(
      makePlanarShapeData({ type: 'polygon', points: ringPoints(createRandom(1), SMALL_POLYGON + 1, 1) }).cells.length,
    ).toBeGreaterThan(SMALL_POLYGON);
  });

  test('corners in any order, repeated, on edges or off them by rounding are taken', () => {
    for (const points of [
      [0, 0, 0, 1, 1, 1, 1, 0],
      [0, 0, 1, 1, 1, 0, 0, 1],
      [0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0, 0, 0],
      [0, 0, 1, 0, 1, 1, 0, 1, 0.5, 1e-7],
    ]) {
      expect(makePlanarShapeData({ type: 'polygon', points }).vertices).toHaveLength(8);
    }
  });
});

describe('what is refused', () => {
  const notConvex = [-1, -1, 1, -1, 1, 1, 0, 0, -1, 1];
  const cases: [what: string, description: unknown, message: RegExp][] = [
    ['nothing', undefined, /^description is undefined, expected a shape description$/],
    ['null', null, /^description is null/],
    [
      'an unknown type',
      { type: 'sphere', radius: 1 },
      /^description\.type is .*'circle', 'segment', .* 'polygon', 'compound' or 'chain', as the tester's dimension is 2$/,
    ],
    ['no type', {}, /^description\.type is undefined/],
    [
      'a negative radius',
      { type: 'circle', radius: -1 },
      /^description\.radius is -1, expected a number of at least 0/,
    ],
    ['a NaN radius', { type: 'circle', radius: NaN }, /^description\.radius is NaN/],
    ['a radius beyond f32', { type: 'circle', radius: 1e39 }, /^description\.radius is 1e\+39/],
    ['no radius of a circle', { type: 'circle' }, /^description\.radius is undefined/],
    ['a text for a height', { type: 'capsule', halfHeight: '1', radius: 1 }, /^description\.halfHeight is /],
    [
      'three numbers of a segment',
      { type: 'segment', points: [0, 0, 1] },
      /^description\.points\.length is 3, expected an array of 4 numbers$/,
    ],
    [
      'NaN in a segment',
      { type: 'segment', points: [0, 0, 1, NaN] },
      /^description\.points\[3\] is NaN, expected a finite number/,
    ],
    ['one half extent', { type: 'rectangle', halfExtents: [1] }, /^description\.halfExtents\.length is 1/],
    ['a negative half extent', { type: 'rectangle', halfExtents: [1, -1] }, /^description\.halfExtents\[1\] is -1/],
    [
      'a number for points',
      { type: 'polygon', points: 3 },
      /^description\.points is 3, expected x, y of at least one point/,
    ],
    ['no points', { type: 'polygon', points: [] }, /^description\.points\.length is 0/],
    ['an odd number of coordinates', { type: 'polygon', points: [0, 0, 1] }, /^description\.points\.length is 3/],
    [
      'an infinite coordinate',
      { type: 'polygon', points: [0, 0, Infinity, 1] },
      /^description\.points\[2\] is Infinity/,
    ],
    ['a coordinate beyond f32', { type: 'polygon', points: [0, 0, 1, 1e39] }, /^description\.points\[3\] is 1e\+39/],
    ['a text among them', { type: 'polygon', points: [0, 0, 1, '1'] }, /^description\.points\[3\] is /],
    [
      'convexify that is no boolean',
      { type: 'polygon', points: [0, 0], convexify: 1 },
      /^description\.convexify is 1, expected a boolean$/,
    ],
    ['a negative rounding radius', { type: 'polygon', points: [0, 0], radius: -1 }, /^description\.radius is -1/],
    [
      'a polygon that is not convex',
      { type: 'polygon', points: notConvex },
      /^description\.points\[\d+\.\.\d+\] is .*convexify: true.*it lies 1 inside that$/,
    ],
  ];

  test.each(cases)('%s', (_, description, message) => {
    const make = (): unknown => makePlanarShapeData(description as never);
    expect(make).toThrow(NarrowphaseError);
    expect(make).toThrow(expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringMatching(message) }));
  });

  test('more than 65,535 corners are too many', () => {
    // On two parabolas, all of them corners in f32: neighbours differ in x by a whole number.
    const points = Float64Array.from({ length: 2 * 65_540 }, (_, i) =>
      i % 2 === 0 ? i / 2 - 32_770 : ((i - 1) / 2 - 32_770) ** 2,
    );
    expect(() => makePlanarShapeData({ type: 'polygon', points }, 'description', (x) => x)).toThrow(
      expect.objectContaining({ code: 'LIMIT_EXCEEDED' }),
    );
  });

  test('with convexify the hull of what is not convex is taken', () => {
    const { vertices, pointIndices } = makePlanarShapeData({ type: 'polygon', points: notConvex, convexify: true });
    expect(Array.from(vertices)).toEqual([-1, -1, 1, -1, 1, 1, -1, 1]);
    expect(Array.from(pointIndices)).toEqual([0, 1, 2, 4]);
  });
});

/** Any, along the axes and diagonals, along normals of edges. */
function directionOf(i: number, normals: ArrayLike<number>, random: Random): number[] {
  if (i < 8)
    return [
      [1, 0],
      [0, 1],
      [-1, 0],
      [0, -1],
      [1, 1],
      [-1, 1],
      [-1, -1],
      [1, -1],
    ][i];
  if (i % 3 > 0) return unitVector(random, [0, 0]);
  const edge = below(random, normals.length / 2);
  return [normals[2 * edge], normals[2 * edge + 1]];
}
