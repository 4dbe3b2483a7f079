/**
 * `findPairs` of testers, in space and in the plane: against brute force, it loses no pair that may meet and gives each
 * once, in order.
 */

import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTester, type Bodies, type PlanarBodies, type PlanarTester, type Tester } from '../../src/index.ts';
import { makePlanarTypeFamily, planarTypePairNames } from '../../verification/families/planar-families.ts';
import { makeFamily } from '../../verification/families/families.ts';
import { below, createRandom, uniform, unitVector, type Random } from '../../verification/families/random.ts';
import { mixPlanarTypes, usePlanarShapes } from '../helpers/planar-tester.ts';

const SEED = 20_261_311;

let plane: PlanarTester;
let space: Tester;

beforeEach(async () => {
  plane = await createTester({ dimension: 2, backend: 'cpu', threads: 1 });
  space = await createTester({ backend: 'cpu', threads: 1 });
});

afterEach(() => {
  plane.dispose();
  space.dispose();
});

/** All pairs of `count` bodies, the lower first. */
function everyPair(count: number): Uint32Array {
  const pairs: number[] = [];
  for (let a = 0; a < count; a++) for (let b = a + 1; b < count; b++) pairs.push(a, b);
  return Uint32Array.from(pairs);
}

function expectInOrder(pairs: Uint32Array): void {
  let before = -1;
  for (let i = 0; i < pairs.length; i += 2) {
    const key = pairs[i] * 2 ** 20 + pairs[i + 1];
    if (!(pairs[i] < pairs[i + 1] && key > before))
      expect.fail(`pair ${i / 2} is out of order: ${pairs[i]}, ${pairs[i + 1]}`);
    before = key;
  }
}

function keysOf(pairs: Uint32Array): Set<string> {
  return new Set(Array.from({ length: pairs.length / 2 }, (_, i) => `${pairs[2 * i]},${pairs[2 * i + 1]}`));
}

/** Pairs among `all` that are at most `margin` apart. */
function hitsOf(all: Uint32Array, hits: { pair: Uint32Array; count: number }): string[] {
  return Array.from(hits.pair.subarray(0, hits.count), (pair) => `${all[2 * pair]},${all[2 * pair + 1]}`);
}

const COUNT = 250;

/** Bodies of any of the shapes anywhere in a square. */
function crowd(shapeCount: number, room: number, random: Random, isWide: boolean): PlanarBodies {
  const positions = Array.from({ length: 2 * COUNT }, () => uniform(random, -room, room) + (isWide ? 1e6 : 0));
  return {
    shapes: Uint32Array.from({ length: COUNT }, () => below(random, shapeCount)),
    positions: isWide ? Float64Array.from(positions) : Float32Array.from(positions),
    angles: Float32Array.from({ length: COUNT }, () => uniform(random, -1000, 1000)),
    scales: Float32Array.from({ length: COUNT }, () => uniform(random, 0.25, 2)),
  };
}

/** Bodies of any of the shapes anywhere in a cube. */
function crowdOf(shapes: number[], random: Random, room: number): Bodies {
  return {
    shapes: Uint32Array.from(shapes),
    positions: Float32Array.from({ length: 3 * shapes.length }, () => uniform(random, -room, room)),
    quaternions: Float32Array.from(shapes.flatMap(() => unitVector(random, [0, 0, 0, 0]))),
  };
}

describe('in the plane', () => {
  test.each([
    [0, false],
    [0, true],
    [0.5, false],
    [20, false],
  ])('no pair at most %d apart is lost, 64-bit positions far out: %s', async (margin, isWide) => {
    const { shapes } = mixPlanarTypes(planarTypePairNames, 1, SEED);
    usePlanarShapes(plane, shapes);
    const random = createRandom(SEED);
    const bodies = crowd(shapes.length, 250, random, isWide);
    const all = everyPair(COUNT);
    const found = await plane.findPairs(bodies, { margin });
    expectInOrder(found);
    const keys = keysOf(found);
    const hits = hitsOf(all, await plane.intersects(bodies, all, { margin, results: 'hits' }));
    expect(hits.length).toBeGreaterThan(100);
    expect(hits.filter((key) => !keys.has(key))).toEqual([]);
    // Boxes along the axes hold out most of the others.
    expect(keys.size).toBeLessThan(0.3 * (all.length / 2));
    expect(keys.size).toBeLessThan(3 * hits.length);
  });

  test('of squares along the axes they are exactly those that are so far apart along x and y', async () => {
    const side = plane.addShape({ type: 'rectangle', halfExtents: [0.5, 0.25] });
    const random = createRandom(SEED + 1);
    // In eighths and some: no pair is at the margin but for those that are exactly there.
    const positions = Float32Array.from({ length: 2 * COUNT }, () => below(random, 80) / 8);
    const bodies: PlanarBodies = {
      shapes: new Uint32Array(COUNT).fill(side),
      positions,
      angles: new Float32Array(COUNT),
    };
    for (const margin of [0, 0.25, 1]) {
      const expected: number[] = [];
      for (let a = 0; a < COUNT; a++) {
        for (let b = a + 1; b < COUNT; b++) {
          const isNear = [1, 0.5].every(
            (width, k) => Math.abs(positions[2 * a + k] - positions[2 * b + k]) <= width + margin,
          );
          if (isNear) expected.push(a, b);
        }
      }
      expect(Array.from(await plane.findPairs(bodies, { margin }))).toEqual(expected);
    }
  });

  test('turned and rounded shapes have the boxes of what they are, not of their circles', async () => {
    const rod = plane.addShape({ type: 'rectangle', halfExtents: [4, 0.25], radius: 0.25 });
    const bodies = (angle: number, y: number): PlanarBodies => ({
      shapes: Uint32Array.of(rod, rod),
      positions: Float32Array.of(0, 0, 0, y),
      angles: Float32Array.of(angle, angle),
    });
    expect((await plane.findPairs(bodies(0, 1))).length).toBe(2);
    expect((await plane.findPairs(bodies(0, 1.001))).length).toBe(0);
    expect((await plane.findPairs(bodies(Math.PI / 2, 8.4))).length).toBe(2);
    expect((await plane.findPairs(bodies(Math.PI / 2, 8.6))).length).toBe(0);
    // In the box of both, if a margin away.
    expect((await plane.findPairs(bodies(Math.PI / 2, 8.6), { margin: 0.2 })).length).toBe(2);
  });

  test('shapes that were removed are refused, and ids given out again stand for the new ones', async () => {
    const id = plane.addShape({ type: 'circle', radius: 1 });
    const bodies: PlanarBodies = {
      shapes: Uint32Array.of(id, id),
      positions: Float32Array.of(0, 0, 5, 0),
      angles: new Float32Array(2),
    };
    expect(Array.from(await plane.findPairs(bodies))).toEqual([]);
    plane.removeShape(id);
    await expect(plane.findPairs(bodies)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^bodies\.shapes\[0\]/),
    });
    expect(plane.addShape({ type: 'circle', radius: 3 })).toBe(id);
    expect(Array.from(await plane.findPairs(bodies))).toEqual([0, 1]);
  });

  test('a margin finds what distances find, for each two types', async () => {
    for (const name of planarTypePairNames) {
      const { shapes, bodies, pairs } = makePlanarTypeFamily(name, 60, SEED + 2);
      usePlanarShapes(plane, shapes);
      const margin = 0.25;
      const keys = keysOf(await plane.findPairs(bodies, { margin }));
      const hits = hitsOf(pairs, await plane.intersects(bodies, pairs, { margin, results: 'hits' }));
      expect(hits.length).toBeGreaterThan(20);
      expect(
        hits.filter((key) => !keys.has(key)),
        name,
      ).toEqual([]);
    }
  });

  test('one body and none have no pairs', async () => {
    const disc = plane.addShape({ type: 'circle', radius: 1 });
    const of = (count: number): PlanarBodies => ({
      shapes: new Uint32Array(count).fill(disc),
      positions: new Float32Array(2 * count),
      angles: new Float32Array(count),
    });
    expect(await plane.findPairs(of(0))).toEqual(new Uint32Array(0));
    expect(await plane.findPairs(of(1))).toEqual(new Uint32Array(0));
    // And all of three in one place.
    expect(Array.from(await plane.findPairs(of(3)))).toEqual([0, 1, 0, 2, 1, 2]);
  });
});

describe('in space', () => {
  test.each([0, 0.5])('no pair at most %d apart is lost, half-spaces among them', async (margin) => {
    const random = createRandom(SEED + 3);
    const solids = makeFamily('rounded-box-hull', 1, SEED).shapes.map((shape) => space.addShape(shape));
    const curved = [
      space.addShape({ type: 'sphere', radius: 1 }),
      space.addShape({ type: 'cylinder', halfHeight: 2, radius: 0.5 }),
      space.addShape({ type: 'cone', halfHeight: 1, radius: 1 }),
      space.addShape({ type: 'ellipsoid', radii: [0.5, 1, 2] }),
      space.addShape({ type: 'capsule', halfHeight: 1, radius: 0.25 }),
    ];
    const floor = space.addShape({ type: 'halfspace', normal: [0, 1, 0], offset: -5 });
    const shapes = Array.from({ length: COUNT }, (_, i) =>
      i % 100 === 50
        ? floor
        : below(random, 3) === 0
          ? curved[below(random, curved.length)]
          : solids[below(random, solids.length)],
    );
    const bodies = crowdOf(shapes, random, 8);
    const found = await space.findPairs(bodies, { margin });
    expectInOrder(found);
    const isFloor = (body: number): boolean => shapes[body] === floor;
    const all = everyPair(COUNT).filter((_, i, pairs) => !(isFloor(pairs[i & ~1]) && isFloor(pairs[i | 1])));
    const hits = hitsOf(all, await space.intersects(bodies, all, { margin, results: 'hits' }));
    const keys = keysOf(found);
    expect(hits.filter((key) => !keys.has(key))).toEqual([]);
    expect(keys.size).toBeLessThan(3 * hits.length);
    const withFloor = hits.filter((key) => key.split(',').some((body) => isFloor(Number(body))));
    expect(withFloor.length).toBeGreaterThan(20);
    expect(hits.length - withFloor.length).toBeGreaterThan(50);
    // Two half-spaces are no pair.
    expect(Array.from(found).some((body, i) => i % 2 === 0 && isFloor(body) && isFloor(found[i + 1]))).toBe(false);
  });

  test('boxes along the axes and a floor: exactly those that are so far apart', async () => {
    const box = space.addShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    const floor = space.addShape({ type: 'halfspace', normal: [0, 2, 0], offset: 0.25 });
    const heights = [0.5, 0.75, 0.8, 1, 1.25, 3];
    const bodies: Bodies = {
      shapes: Uint32Array.from([box, box, floor, box, box, box, box]),
      positions: Float32Array.from([
        0,
        heights[0],
        0,
        10,
        heights[1],
        0,
        0,
        0,
        0,
        20,
        heights[2],
        0,
        30,
        heights[3],
        0,
        40,
        heights[4],
        0,
        50,
        heights[5],
        0,
      ]),
      quaternions: Float32Array.from({ length: 28 }, (_, i) => (i % 4 === 3 ? 1 : 0)),
    };
    expect(Array.from(await space.findPairs(bodies))).toEqual([0, 2, 1, 2]);
    expect(Array.from(await space.findPairs(bodies, { margin: 0.25 }))).toEqual([0, 2, 1, 2, 2, 3, 2, 4]);
    expect(Array.from(await space.findPairs(bodies, { margin: 9.5 }))).toEqual([
      0, 1, 0, 2, 1, 2, 1, 3, 2, 3, 2, 4, 2, 5, 2, 6, 3, 4, 4, 5, 5, 6,
    ]);
  });

  test.each([
    ['f32 positions at 1e7', Float32Array, 1e7, 8],
    ['64-bit positions at 1e8', Float64Array, 1e8, 1],
  ])('%s: no extra pairs beyond 1e-5 of the size', async (_, Positions, far, size) => {
    const box = space.addShape({ type: 'box', halfExtents: [size / 2, size / 2, size / 2] });
    const found = async (gap: number): Promise<number> => {
      const positions = Positions.from([far, far, -far, far + size * (1 + gap), far, -far]);
      expect(positions[3] - positions[0]).toBe(size * (1 + gap));
      const quaternions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1);
      const pairs = await space.findPairs({ shapes: new Uint32Array(2).fill(box), positions, quaternions });
      return pairs.length / 2;
    };
    expect(await found(0)).toBe(1);
    // Numbers that both kinds of positions can hold.
    expect(await found(Positions === Float64Array ? 2 ** -15 : 2 ** -3)).toBe(0);
  });

  test('with the greatest margins there are, every two bodies are a pair', async () => {
    const box = space.addShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    const bodies: Bodies = {
      shapes: new Uint32Array(3).fill(box),
      positions: Float64Array.of(-1e30, 0, 0, 0, 0, 0, 1e30, 1e30, 1e30),
      quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
    };
    for (const margin of [2e30, 1e300, Number.MAX_VALUE])
      expect(Array.from(await space.findPairs(bodies, { margin }))).toEqual([0, 1, 0, 2, 1, 2]);
    expect(Array.from(await space.findPairs(bodies, { margin: 1e29 }))).toEqual([]);
  });

  test('matrices and poses give the same', async () => {
    const random = createRandom(SEED + 4);
    const box = space.addShape({ type: 'box', halfExtents: [0.5, 1, 1.5] });
    const positions = Float32Array.from({ length: 300 }, () => uniform(random, -5, 5));
    const upright = Float32Array.from({ length: 400 }, (_, i) => (i % 4 === 3 ? 1 : 0));
    const matrices = new Float32Array(1600);
    for (let body = 0; body < 100; body++)
      matrices.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...positions.subarray(3 * body, 3 * body + 3), 1], 16 * body);
    const shapes = new Uint32Array(100).fill(box);
    const found = await space.findPairs({ shapes, matrices });
    expect(found.length).toBeGreaterThan(100);
    expect(found).toEqual(await space.findPairs({ shapes, positions, quaternions: upright }));
  });
});
