/** Mass properties against closed forms, against slices, and against polytopes with many more vertices. */

import { describe, expect, test } from 'vitest';
import { createTester } from '../../src/index.ts';
import type { MassProperties } from '../../src/api/geometry.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import { randomCloud } from '../../verification/families/random-shapes.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';

const tester = await createTester({ backend: 'cpu' });
const planar = await createTester({ backend: 'cpu', dimension: 2 });

const massOf = (description: ShapeDescription): MassProperties => tester.massProperties(tester.addShape(description));
const planarMassOf = (description: PlanarShapeDescription) => planar.massProperties(planar.addShape(description));

/** All numbers, lengths of moments made comparable. */
function numbersOf({ volume, centroid, inertia }: MassProperties): number[] {
  return [volume, ...centroid, ...inertia];
}

function expectClose(found: readonly number[], expected: readonly number[], share: number): void {
  const scale = Math.max(...expected.map(Math.abs));
  expect(found).toHaveLength(expected.length);
  found.forEach((value, i) =>
    expect(Math.abs(value - expected[i]), `number ${i}: ${value}, expected ${expected[i]}`).toBeLessThanOrEqual(
      share * scale,
    ),
  );
}

const diagonal = (x: number, y: number, z: number): number[] => [x, 0, 0, 0, y, 0, 0, 0, z];

/** Integrates over [low, high] by Gauss and Legendre's rule of five points on many pieces. */
function integrate(low: number, high: number, at: (x: number) => number[]): number[] {
  const nodes = [
    [0, 128 / 225],
    [0.5384693101056831, 0.47862867049936647],
    [0.906179845938664, 0.23692688505618908],
  ];
  const pieces = 400;
  const total: number[] = [];
  for (let piece = 0; piece < pieces; piece++) {
    const half = (high - low) / (2 * pieces);
    for (const [node, weight] of nodes) {
      for (const sign of node === 0 ? [1] : [-1, 1]) {
        at(low + half * (2 * piece + 1 + sign * node)).forEach(
          (value, i) => (total[i] = (total[i] ?? 0) + half * weight * value),
        );
      }
    }
  }
  return total;
}

describe('closed forms', () => {
  const V = (4 / 3) * Math.PI;
  test.each<[ShapeDescription, number, number[], number[]]>([
    [{ type: 'sphere', radius: 2 }, V * 8, [0, 0, 0], diagonal(0.4 * V * 32, 0.4 * V * 32, 0.4 * V * 32)],
    [{ type: 'box', halfExtents: [1, 2, 3] }, 48, [0, 0, 0], diagonal(16 * 13, 16 * 10, 16 * 5)],
    [
      { type: 'ellipsoid', radii: [1, 2, 3] },
      V * 6,
      [0, 0, 0],
      diagonal((V * 6 * 13) / 5, (V * 6 * 10) / 5, (V * 6 * 5) / 5),
    ],
    [
      { type: 'cylinder', halfHeight: 1, radius: 2 },
      8 * Math.PI,
      [0, 0, 0],
      diagonal((32 / 3) * Math.PI, 16 * Math.PI, (32 / 3) * Math.PI),
    ],
    [
      { type: 'cone', halfHeight: 2, radius: 1 },
      (4 / 3) * Math.PI,
      [0, -1, 0],
      diagonal(Math.PI, 0.4 * Math.PI, Math.PI),
    ],
    [
      { type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] },
      1 / 6,
      [0.25, 0.25, 0.25],
      [1 / 80, 1 / 480, 1 / 480, 1 / 480, 1 / 80, 1 / 480, 1 / 480, 1 / 480, 1 / 80],
    ],
  ])('%j', (description, volume, centroid, inertia) => {
    expectClose(numbersOf(massOf(description)), [volume, ...centroid, ...inertia], 1e-14);
  });

  test('a capsule is a cylinder and two half balls', () => {
    const [h, r] = [0.75, 0.5];
    const [cylinder, ball] = [2 * Math.PI * r * r * h, (4 / 3) * Math.PI * r ** 3];
    const around = (cylinder * r * r) / 2 + 0.4 * ball * r * r;
    const across = cylinder * ((r * r) / 4 + (h * h) / 3) + ball * (0.4 * r * r + h * h + 0.75 * h * r);
    expectClose(
      numbersOf(massOf({ type: 'capsule', halfHeight: h, radius: r })),
      [cylinder + ball, 0, 0, 0, ...diagonal(across, around, across)],
      1e-14,
    );
  });
});

test('in the plane, rounded shapes are as polygons of 40,000 corners', () => {
  const random = createRandom(5);
  for (let i = 0; i < 20; i++) {
    const points = Array.from({ length: 2 * (1 + (i % 7)) }, () => Math.fround(uniform(random, -2, 3)));
    const radius = Math.fround(uniform(random, 0.2, 1));
    const { area, centroid, inertia } = planarMassOf({ type: 'polygon', points, radius, convexify: true });
    const steps = 40_000;
    const sums = [0, 0, 0, 0];
    const tip = (step: number): [number, number] => {
      const [x, y] = [Math.cos((2 * Math.PI * step) / steps), Math.sin((2 * Math.PI * step) / steps)];
      let best = 0;
      for (let p = 2; p < points.length; p += 2)
        if (points[p] * x + points[p + 1] * y > points[best] * x + points[best + 1] * y) best = p;
      return [points[best] + radius * x, points[best + 1] + radius * y];
    };
    let [ax, ay] = tip(0);
    for (let step = 1; step <= steps; step++) {
      const [bx, by] = tip(step);
      const twice = ax * by - ay * bx;
      [1 / 2, (ax + bx) / 6, (ay + by) / 6, (ax * ax + ax * bx + bx * bx + ay * ay + ay * by + by * by) / 12].forEach(
        (value, k) => (sums[k] += twice * value),
      );
      [ax, ay] = [bx, by];
    }
    const [x, y] = [sums[1] / sums[0], sums[2] / sums[0]];
    expectClose([area, ...centroid, inertia], [sums[0], x, y, sums[3] - sums[0] * (x * x + y * y)], 3e-8);
  }
});

/** Integrals of 1, z, xx + yy about the origin and zz over slices that stand on z. */
function sliced(reach: number, slice: (z: number) => PlanarShapeDescription): number[] {
  return integrate(-Math.PI / 2, Math.PI / 2, (t) => {
    const z = reach * Math.sin(t);
    const {
      area,
      centroid: [x, y],
      inertia,
    } = planarMassOf(slice(z));
    planar.removeShape(0);
    return [1, x, y, z, inertia / area + x * x + y * y, z * z].map((value) => value * area * reach * Math.cos(t));
  });
}

function expectSliced(found: MassProperties, [volume, x, y, z, polar, square]: number[]): void {
  const [cx, cy, cz] = found.centroid;
  const [xx, , , , yy, , , , zz] = found.inertia;
  const about = [
    polar - volume * (cx * cx + cy * cy),
    2 * (square - volume * cz * cz) + polar - volume * (cx * cx + cy * cy),
  ];
  expectClose([found.volume, cx, cy, cz, zz, xx + yy], [volume, x / volume, y / volume, z / volume, ...about], 1e-6);
}

describe('rounded polytopes are as their slices', () => {
  test('a triangle', () => {
    const points = [0.5, 1, 3, 1.25, 1, 2.5];
    const radius = 0.5;
    const corners = [points.slice(0, 2), points.slice(2, 4), points.slice(4)].flatMap(([x, y]) => [x, y, 0]);
    const slices = sliced(radius, (z) => ({
      type: 'polygon',
      points,
      radius: Math.sqrt(Math.max(radius * radius - z * z, 0)),
    }));
    expectSliced(massOf({ type: 'triangle', points: corners, radius }), slices);
  });

  test('a box', () => {
    const [x, y, z, radius] = [0.5, 1, 0.75, 0.5];
    const slices = sliced(z + radius, (at) => {
      const beyond = Math.max(Math.abs(at) - z, 0);
      return {
        type: 'rectangle',
        halfExtents: [x, y],
        radius: Math.sqrt(Math.max(radius * radius - beyond * beyond, 0)),
      };
    });
    expectSliced(massOf({ type: 'box', halfExtents: [x, y, z], radius }), slices);
  });
});

test('a rounded hull is nearly the hull of its vertices with points of a ball around them', () => {
  const random = createRandom(8);
  const ball = Array.from({ length: 1500 }, () => unitVector(random, [0, 0, 0]));
  for (let i = 0; i < 4; i++) {
    const cloud = Array.from(randomCloud(random, 1).points, (x, k) => Math.fround(x + [2, -1, 3][k % 3]));
    const radius = 0.5;
    const around = ball.flatMap((direction) => {
      const height = (at: number): number => direction.reduce((sum, x, k) => sum + x * cloud[at + k], 0);
      let best = 0;
      for (let at = 3; at < cloud.length; at += 3) if (height(at) > height(best)) best = at;
      return direction.map((x, k) => cloud[best + k] + radius * x);
    });
    expectClose(
      numbersOf(massOf({ type: 'hull', points: cloud, radius })),
      numbersOf(massOf({ type: 'hull', points: around })),
      0.02,
    );
  }
});

test('far from its frame a hull has the same inertia', () => {
  const points = Array.from(randomCloud(createRandom(3), 1).points, (x) => Math.round(x * 1024) / 1024);
  const [near, far] = [0, 4096].map((shift) =>
    massOf({ type: 'hull', points: points.map((x) => x + shift), radius: 0.25 }),
  );
  expectClose(far.inertia, near.inertia, 1e-10);
  expectClose(
    far.centroid.map((x) => x - 4096),
    near.centroid,
    1e-10,
  );
});

test('shapes without a volume have a centroid and turn by themselves', () => {
  const zeros = Array<number>(9).fill(0);
  expect(massOf({ type: 'box', halfExtents: [1, 0, 1] })).toEqual({ volume: 0, centroid: [0, 0, 0], inertia: zeros });
  expect(massOf({ type: 'triangle', points: [0, 0, 0, 3, 0, 0, 0, 3, 0] })).toEqual({
    volume: 0,
    centroid: [1, 1, 0],
    inertia: zeros,
  });
  expect(massOf({ type: 'cone', halfHeight: 1, radius: 0 })).toEqual({
    volume: 0,
    centroid: [0, 0, 0],
    inertia: zeros,
  });
  expect(planarMassOf({ type: 'segment', points: [0, 0, 2, 4] })).toEqual({ area: 0, centroid: [1, 2], inertia: 0 });
});

test.each([['massProperties'], ['shapeGeometry']] as const)('%s refuses ids that no shape has', (method) => {
  for (const id of [77, -1, 0.5, NaN, '0', 'map', null, undefined]) {
    expect(() => tester[method](id as number)).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringMatching(/^id is .+, expected the id/) }),
    );
  }
});

test('a half-space has no volume to give', () => {
  const id = tester.addShape({ type: 'halfspace', normal: [0, 1, 0], offset: 0 });
  expect(() => tester.massProperties(id)).toThrow(
    /^id is \d+, expected a shape with bounds, and this is a half-space$/,
  );
});
