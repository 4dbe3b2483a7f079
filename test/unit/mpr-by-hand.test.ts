/** Portal refinement on pairs whose depths are known by hand, and the centroids that it starts from. */
import { describe, expect, test } from 'vitest';
import { contact, createShape, distance, intersects, Status, type CpuPose } from '../../src/cpu.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { MprDepth } from '../../src/api/types.ts';
import { oraclePolytope } from '../../verification/oracle/index.ts';
import { anyFamily } from '../../verification/families/test-pairs.ts';

const SEED = 20_261_205;
const ENDINGS = ['ray', 'normal'] as const satisfies MprDepth[];
const HERE: CpuPose = { position: [0, 0, 0], quaternion: [0, 0, 0, 1] };

function at(x: number, y = 0, z = 0): CpuPose {
  return { ...HERE, position: [x, y, z] };
}

describe('endings', () => {
  const bar = createShape({ type: 'box', halfExtents: [10, 1, 1] });
  const crate = createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });

  test('a crate near the end of a bar leaves by the end along the ray, by a side along normals', () => {
    const [byRay, byNormal, byDefault] = (['ray', 'normal', undefined] as const).map((mprDepth) =>
      contact(bar, HERE, crate, at(8, 0.25, 0.25), { algorithm: 'mpr', mprDepth }),
    );
    expect([byRay.distance, ...byRay.normal]).toEqual([-2.5, 1, 0, 0]);
    expect(byNormal.distance).toBe(-1.25);
    expect(byNormal.normal[0]).toBeCloseTo(0, 15);
    expect(byDefault).toEqual(byNormal);
    expect(byRay.iterations).toBeLessThan(byNormal.iterations);
  });

  test('the side that normals end with need not be the nearest', () => {
    // 1.25 deep at the top; a search that only goes downhill ends at the front.
    const { distance: depth } = contact(bar, HERE, crate, at(8, 0.25, 0), { algorithm: 'mpr' });
    expect(depth).toBe(-1.5);
  });

  test('a depth comes with bounds: itself, and that the shapes overlap', () => {
    const {
      lower,
      upper,
      distance: depth,
    } = contact(bar, HERE, crate, at(8, 0.25, 0), { algorithm: 'mpr', mprDepth: 'ray' });
    expect(lower).toBeLessThanOrEqual(depth);
    expect(lower).toBeCloseTo(depth, 12);
    expect(upper).toBeCloseTo(0, 12);
    const rounded = createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5], radius: 0.25 });
    expect(contact(bar, HERE, rounded, at(8, 0.25, 0), { algorithm: 'mpr' }).upper).toBeCloseTo(-0.25, 12);
  });

  test('rounding adds to the depth of cores, and cores apart go on to GJK', () => {
    const rounded = createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5], radius: 0.25 });
    expect(contact(crate, HERE, rounded, at(0.75, 0.125, 0), { algorithm: 'mpr' }).distance).toBeCloseTo(-0.5, 12);
    const [byMpr, byGjk] = (['mpr', 'gjk'] as const).map((algorithm) =>
      contact(crate, HERE, rounded, at(1.125, 0.125, 0), { algorithm }),
    );
    expect(byMpr).toEqual(byGjk);
    const ball = createShape({ type: 'sphere', radius: 1 });
    expect(contact(ball, HERE, ball, at(0, 1.5, 0), { algorithm: 'mpr' }).distance).toBeCloseTo(-0.5, 12);
  });
});

describe('centres that coincide', () => {
  test.each<[string, ShapeDescription, ShapeDescription, number]>([
    ['equal cubes', { type: 'box', halfExtents: [1, 1, 1] }, { type: 'box', halfExtents: [1, 1, 1] }, -2],
    ['a plate in a cube', { type: 'box', halfExtents: [1, 1, 1] }, { type: 'box', halfExtents: [2, 0.25, 3] }, -1.25],
    ['a ball in a box', { type: 'box', halfExtents: [1, 2, 3] }, { type: 'sphere', radius: 0.5 }, -1.5],
    ['a ball on a capsule', { type: 'capsule', halfHeight: 1, radius: 0.5 }, { type: 'sphere', radius: 0.5 }, -1],
    ['points', { type: 'hull', points: [1, 1, 1] }, { type: 'hull', points: [1, 1, 1] }, 0],
    [
      'crossing segments',
      { type: 'hull', points: [-1, 0, 0, 1, 0, 0] },
      { type: 'hull', points: [0, -1, 0, 0, 1, 0] },
      0,
    ],
  ])('%s', (_, a, b, expected) => {
    const [shapeA, shapeB] = [createShape(a), createShape(b)];
    for (const mprDepth of ENDINGS) {
      const { status, distance: depth } = contact(shapeA, HERE, shapeB, HERE, { algorithm: 'mpr', mprDepth });
      expect(status).toBe(Status.Overlapping);
      expect(depth).toBeCloseTo(expected, 12);
    }
    expect(intersects(shapeA, HERE, shapeB, HERE, { algorithm: 'mpr' })).toEqual({
      hit: true,
      status: Status.Overlapping,
    });
    expect(distance(shapeA, HERE, shapeB, HERE, { algorithm: 'mpr' })).toMatchObject({
      status: Status.Overlapping,
      distance: 0,
    });
  });
});

test('hulls that do not hold their origin are searched from their centroids', () => {
  // Two unit cubes, each described 50 to the side of its body's origin, where the line between the bodies misses both.
  const cube = [0, 1].flatMap((x) => [0, 1].flatMap((y) => [0, 1].flatMap((z) => [x + 50, y, z])));
  const [left, right] = [
    createShape({ type: 'hull', points: cube }),
    createShape({ type: 'hull', points: cube.map((x, i) => (i % 3 === 0 ? x - 100 : x)) }),
  ];
  const found = contact(left, HERE, right, at(100.75, 0.1, 0), { algorithm: 'mpr', mprDepth: 'ray' });
  expect(found.status).toBe(Status.Overlapping);
  expect(found.distance).toBeCloseTo(-0.25, 12);
});

test('the centroid of a hull leaves a quarter of its width on each side of every face', () => {
  for (const name of ['hull32-hull32', 'sizes', 'prisms'] as const) {
    for (const description of anyFamily(name, 200, SEED).shapes) {
      if (description.type !== 'hull') continue;
      const { halfExtents, facePlanes, vertices } = createShape(description);
      for (let f = 0; f < facePlanes.length; f += 4) {
        const [nx, ny, nz, offset] = facePlanes.subarray(f, f + 4);
        const height = (x: number, y: number, z: number): number => nx * x + ny * y + nz * z - offset;
        let width = 0;
        for (let i = 0; i < vertices.length; i += 3)
          width = Math.max(width, -height(vertices[i], vertices[i + 1], vertices[i + 2]));
        expect(-height(...halfExtents)).toBeGreaterThanOrEqual((width * (1 - 1e-5)) / 4);
      }
    }
  }
  const { halfExtents } = createShape({ type: 'hull', points: [1, 1, 1, 3, 1, 1, 1, 4, 1] });
  expect(halfExtents[0]).toBeCloseTo(5 / 3, 12);
  expect(halfExtents[1]).toBeCloseTo(2, 12);
  expect(halfExtents[2]).toBe(1);
  expect(oraclePolytope({ type: 'hull', points: [1, 1, 1] }).vertices).toHaveLength(3);
});
