/** The cells of directions list every vertex that is a support along some direction through them. */

import { describe, expect, test } from 'vitest';
import { buildHull } from '../../src/shapes/hull.ts';
import { makeSupportCells, normalCone } from '../../src/shapes/support-cells.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';

type Points = (seed: number) => number[];

const random =
  (count: number, squash = 1): Points =>
  (seed) => {
    const next = createRandom(seed);
    return Array.from({ length: count }, () => [
      uniform(next, -1, 1),
      uniform(next, -1, 1),
      squash * uniform(next, -1, 1),
    ]).flat();
  };
const prism =
  (sides: number): Points =>
  () =>
    [-1, 1].flatMap((z) =>
      Array.from({ length: sides }, (_, i) => [
        Math.cos((2 * Math.PI * i) / sides),
        Math.sin((2 * Math.PI * i) / sides),
        z,
      ]).flat(),
    );

const hulls: Record<string, Points> = {
  'a point': () => [1, 2, 3],
  'a segment': () => [0, 0, 0, 1, 2, 3],
  'a triangle': () => [0, 0, 0, 1, 0, 0, 0, 1, 0],
  'a cube': () => [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].flatMap((z) => [x, y, z]))),
  'a cloud of 200 points': random(200),
  'a plate 1000 times as wide as thick': random(60, 1e-3),
  'a prism of 40 sides': prism(40),
  'a flat polygon of 64 corners': () =>
    prism(64)(0)
      .slice(0, 3 * 64)
      .map(Math.fround),
  'a tetrahedron that is far from its origin': () => [100, 100, 100, 101, 100, 100, 100, 101, 100, 100, 100, 101],
};

describe.each(Object.entries(hulls))('%s', (_, points) => {
  test.each([1, 2, 5, 16])('in %i cells a side', (resolution) => {
    const hull = buildHull(points(1));
    const cells = makeSupportCells(hull.vertices, hull.surfaceNeighbours, resolution);
    expect(cells.start.length).toBe(6 * resolution ** 2 + 1);
    const next = createRandom(2);
    const direction = new Float64Array(3);
    for (let i = 0; i < 2000; i++) {
      unitVector(next, direction);
      // Every fourth in a coordinate plane or along an axis, where cells and cones have their borders.
      if (i % 4 === 0) direction[i % 3] = 0;
      if (i % 8 === 0) direction[(i + 1) % 3] = 0;
      const listed = cells.candidates.subarray(
        cells.start[cellOf(direction, resolution)],
        cells.start[cellOf(direction, resolution) + 1],
      );
      const all = Uint32Array.from({ length: hull.source.length }, (_unused, v) => v);
      expect(highest(hull.vertices, listed, direction), `direction ${direction.join()}`).toBe(
        highest(hull.vertices, all, direction),
      );
    }
  });
});

test('a cell lists two vertices on average where there are as many cells a side as the root of the vertices', () => {
  const hull = buildHull(random(2000)(3));
  const cells = makeSupportCells(hull.vertices, hull.surfaceNeighbours, Math.ceil(Math.sqrt(hull.source.length)));
  expect(cells.candidates.length / (cells.start.length - 1)).toBeLessThan(2.5);
});

test('the normal cone of an apex over 20,000 points has few corners, and room for every direction in it', () => {
  const count = 20_000;
  const rim = Array.from({ length: count }, (_, i) => [
    Math.cos((2 * Math.PI * i) / count),
    -1,
    Math.sin((2 * Math.PI * i) / count),
  ]);
  const vertices = [0, 0, 0, ...rim.flat()];
  const neighbours = { start: Uint32Array.of(0, count), list: Uint32Array.from({ length: count }, (_, i) => i + 1) };
  // Face 2 looks along y, where the cone is the disc of radius 1.
  const cone = normalCone(vertices, neighbours, 0, 2);
  expect(cone.length / 2).toBeLessThan(80);
  for (let i = 0; i < cone.length; i += 2) expect(Math.hypot(cone[i], cone[i + 1])).toBeGreaterThanOrEqual(1);
  for (let i = 0; i < cone.length; i += 2) expect(Math.hypot(cone[i], cone[i + 1])).toBeLessThan(1.01);
});

function highest(vertices: Float64Array, among: Uint32Array, [x, y, z]: Float64Array): number {
  return Math.max(...Array.from(among, (v) => vertices[3 * v] * x + vertices[3 * v + 1] * y + vertices[3 * v + 2] * z));
}

/** As the kernels number them. */
function cellOf(direction: Float64Array, resolution: number): number {
  const size = direction.map(Math.abs);
  const axis = size[1] > size[0] && size[1] >= size[2] ? 1 : size[2] > size[0] ? 2 : 0;
  const at = [1, 2].map((k) => {
    const share = (direction[(axis + k) % 3] / size[axis]) * 0.5 + 0.5;
    return Math.min(Math.floor(share * resolution), resolution - 1);
  });
  return ((2 * axis + (direction[axis] < 0 ? 1 : 0)) * resolution + at[1]) * resolution + at[0];
}
