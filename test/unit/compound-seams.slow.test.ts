/** Compounds whose boxes and hulls touch have no seams: normals of contacts, manifolds and impacts are those of the whole. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester, type Tester } from '../../src/index.ts';
import type { ImpactAlgorithm } from '../../src/api/motion.ts';
import type { CompoundDescription, ConvexDescription, ShapeDescription } from '../../src/api/shapes.ts';
import { boxBetween, makeTiles } from '../../verification/families/compound-grounds.ts';

let tester: Tester;
beforeAll(async () => {
  tester = await createTester({ backend: 'cpu', threads: 1 });
});
afterAll(() => tester.dispose());

const UP = [0, 1, 0];
const BALL: ConvexDescription = { type: 'sphere', radius: 0.3 };
const CRATE: ConvexDescription = { type: 'box', halfExtents: [0.3, 0.2, 0.25] };
const HALF = Math.SQRT1_2;

const compound = (...corners: [low: number[], high: number[]][]): CompoundDescription => ({
  type: 'compound',
  parts: corners.map(([low, high]) => boxBetween(low, high)),
});

const TWO = compound([[-2, -1, -2], [0, 0, 2]], [[0, -1, -2], [2, 0, 2]]); // prettier-ignore
const FOUR = makeTiles(2, 2);
const T = compound([[-2, -1, -2], [0, 0, 2]], [[0, -1, -2], [2, 0, 0]], [[0, -1, 0], [2, 0, 2]]); // prettier-ignore
const STEP = compound([[-2, -1, -2], [0, 0, 2]], [[0, -1, -2], [2, 0.5, 2]]); // prettier-ignore

interface Pose {
  position: number[];
  quaternion?: number[];
}

/** The contact of a ground with a body, the listed ones, and the manifolds. */
async function meet(ground: ShapeDescription, shape: ShapeDescription, { position, quaternion = [0, 0, 0, 1] }: Pose) {
  const ids = [ground, shape].map((description) => tester.addShape(description));
  const bodies = {
    shapes: Uint32Array.from(ids),
    positions: Float32Array.of(0, 0, 0, ...position),
    quaternions: Float32Array.of(0, 0, 0, 1, ...quaternion),
  };
  const pairs = Uint32Array.of(0, 1);
  const [one] = await tester.contacts(bodies, pairs);
  const list = Array.from(await tester.contacts(bodies, pairs, { parts: 'all' }), ({ normal, distance, partA }) => ({
    normal: Array.from(normal),
    distance,
    partA,
  }));
  const manifolds = Array.from(await tester.manifolds(bodies, pairs), ({ points }) => points.length);
  for (const id of ids) tester.removeShape(id);
  return { normal: Array.from(one.normal), distance: one.distance, list, manifolds };
}

function expectNormal(normal: readonly number[], expected: readonly number[]): void {
  for (let k = 0; k < 3; k++) expect(normal[k]).toBeCloseTo(expected[k], 5);
}

describe('where tiles meet, contacts point up and have the depth below the ground', () => {
  const floors = { 'two tiles': TWO, 'four tiles at a corner': FOUR, 'a corner at a side': T };
  const bodies: Record<string, [ConvexDescription, number, number[]?]> = {
    'a ball': [BALL, 0.3],
    'a crate': [CRATE, 0.2],
    'a cylinder on its side': [{ type: 'cylinder', halfHeight: 0.4, radius: 0.3 }, 0.3, [0, 0, HALF, HALF]],
  };
  const cases = Object.keys(floors).flatMap((floor) => Object.keys(bodies).map((body) => ({ floor, body })));
  test.each(cases)('$body on $floor', async ({ floor, body }) => {
    const [shape, height, quaternion] = bodies[body];
    for (const depth of [1e-4, 0.01, 0.1]) {
      for (const [x, z] of [
        [0, 0],
        [1e-5, 0],
        [-0.02, 0.03],
        [0.07, -0.1],
        [0.25, 0.2],
        [-0.29, 0],
      ]) {
        // prettier-ignore
        const found = await meet(floors[floor as 'two tiles'], shape, { position: [x, height - depth, z], quaternion });
        expectNormal(found.normal, UP);
        expect(found.distance).toBeCloseTo(-depth, 5);
        expect(found.list.length).toBeGreaterThan(0);
        for (const { normal, distance } of found.list) {
          expectNormal(normal, UP);
          expect(distance).toBeGreaterThan(-depth - 1e-5);
        }
        for (const count of found.manifolds) expect(count).toBeGreaterThan(0);
      }
    }
  });
});

test('a crate in the corner of a step has the normals of both faces', async () => {
  const { list } = await meet(STEP, CRATE, { position: [-0.29, 0.19, 0] });
  expect(list.map(({ normal }) => normal.map(Math.round))).toEqual([[0, 1, 0], [-1, 0, 0]]); // prettier-ignore
  for (const { distance } of list) expect(distance).toBeCloseTo(-0.01, 5);
});

test('a ball at the upper edge of a step has a normal between those of its faces', async () => {
  const { normal } = await meet(STEP, BALL, { position: [-0.2, 0.7, 0] });
  expectNormal(normal, [-HALF, HALF, 0]);
});

test('a brick on a slab covers what is below it: a crate beside it touches the slab and its side', async () => {
  const ground = compound([[-2, -1, -2], [2, 0, 2]], [[0, 0, -0.5], [1, 0.3, 0.5]]); // prettier-ignore
  const { list } = await meet(ground, CRATE, { position: [-0.29, 0.19, 0] });
  expect(list.map(({ normal }) => normal.map(Math.round))).toEqual([[0, 1, 0], [-1, 0, 0]]); // prettier-ignore
});

test('a ball inside of a block of boxes leaves it through the nearest side', async () => {
  const ball: ConvexDescription = { type: 'sphere', radius: 0.05 };
  const { normal, distance, manifolds } = await meet(makeTiles(8, 2), ball, { position: [0.27, -0.3, 0.27] });
  expectNormal(normal, UP);
  expect(distance).toBeCloseTo(-0.35, 5);
  expect(manifolds.every((count) => count > 0)).toBe(true);
});

test('tiles that slide on tiles, and on a mesh, meet no seam of either', async () => {
  const platform = compound([[-0.5, 0, -0.5], [0, 0.2, 0.5]], [[0, 0, -0.5], [0.5, 0.2, 0.5]]); // prettier-ignore
  const peak: ShapeDescription = {
    type: 'mesh',
    positions: [-0.4, -0.5, -0.4, 0.4, -0.5, -0.4, 0.4, -0.5, 0.4, -0.4, -0.5, 0.4, 0, 0, 0],
    indices: [0, 4, 1, 1, 4, 2, 2, 4, 3, 3, 4, 0],
  };
  for (const ground of [makeTiles(8, 2), peak]) {
    for (const x of [0, 0.013, -0.02, 0.24]) {
      const { normal, distance, list, manifolds } = await meet(ground, platform, { position: [x, -0.05, 0.1] });
      expectNormal(normal, UP);
      expect(distance).toBeCloseTo(-0.05, 4);
      for (const slot of list) expectNormal(slot.normal, UP);
      for (const count of manifolds) expect(count).toBeGreaterThan(0);
    }
  }
});

const NO_IMPACT = { time: Infinity, count: 0 };

const LANE: CompoundDescription = {
  type: 'compound',
  parts: Array.from({ length: 100 }, (_, i) => boxBetween([i - 50, -1, -2], [i - 49, 0, 2])),
};
const STEPPED: CompoundDescription = {
  type: 'compound',
  parts: [...LANE.parts, boxBetween([50, -1, -2], [51, 0.15, 2])],
};

describe('a body that moves over 100 tiles', () => {
  const bodies: Record<string, [ShapeDescription, number]> = {
    'a ball': [BALL, 0.3],
    'a crate': [CRATE, 0.2],
    'a cylinder': [{ type: 'cylinder', halfHeight: 0.5, radius: 0.3 }, 0.5],
    'a platform of tiles': [
      compound([[-0.5, -0.2, -0.5], [0, 0.2, 0.5]], [[0, -0.2, -0.5], [0.5, 0.2, 0.5]]), // prettier-ignore
      0.2,
    ],
  };

  interface Slide {
    gap: number;
    speed: number;
    spin?: number[];
    algorithm?: ImpactAlgorithm;
    from?: number;
    down?: number;
  }

  async function slide(
    ground: ShapeDescription,
    body: string,
    { gap, speed, spin = [0, 0, 0], algorithm = 'auto', from = -49.3, down = 0 }: Slide,
  ) {
    // prettier-ignore
    const [shape, height] = bodies[body];
    const ids = [ground, shape].map((description) => tester.addShape(description));
    const moving = {
      shapes: Uint32Array.from(ids),
      positions: Float32Array.of(0, 0, 0, from, height + gap, 0.1),
      quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
      linearVelocities: Float32Array.of(0, 0, 0, speed, -down, 0.003 * speed),
      angularVelocities: Float32Array.of(0, 0, 0, ...spin),
    };
    const options = { duration: 1, margin: 0.01, stopAtPenetration: false, algorithm };
    const one = await tester.impacts(moving, Uint32Array.of(0, 1), options);
    const all = await tester.impacts(moving, Uint32Array.of(0, 1), { ...options, parts: 'all' });
    for (const id of ids) tester.removeShape(id);
    return { time: one.time[0], normal: Array.from(one.normal), count: all.count };
  }

  test.each(Object.keys(bodies))('meets no seam at any speed: %s', async (body) => {
    for (const gap of [0.009, 0.01 - 1e-5, -1e-4])
      for (const speed of [0.01, 0.1, 1, 10, 98])
        expect(await slide(LANE, body, { gap, speed }), `gap ${gap}, speed ${speed}`).toMatchObject(NO_IMPACT);
  });

  test.each(['cast', 'velocity-epa'] as const)('meets no seam with %s', async (algorithm) => {
    for (const gap of [0.009, -1e-4])
      expect(await slide(LANE, 'a crate', { gap, speed: 50, algorithm })).toMatchObject({
        time: Infinity,
        count: 0,
      });
  });

  test.each(Object.keys(bodies))('meets no seam while it turns about the vertical: %s', async (body) => {
    for (const gap of [0.009, -1e-4])
      expect(await slide(LANE, body, { gap, speed: 3, spin: [0, 2, 0] })).toMatchObject({
        time: Infinity,
        count: 0,
      });
  });

  test('meets no seam while it rolls', async () => {
    for (const gap of [0.009, -1e-4])
      expect(await slide(LANE, 'a ball', { gap, speed: 3, spin: [0, 0, -10] })).toMatchObject(NO_IMPACT);
  });

  test.each(Object.keys(bodies))('meets the step behind the tiles: %s', async (body) => {
    for (const gap of [0.009, 0.01 - 1e-5]) {
      const { time, normal } = await slide(STEPPED, body, { gap, speed: 100, from: -49.3 });
      expect(time).toBeGreaterThan(0.987);
      expect(time).toBeLessThan(0.993);
      if (body === 'a ball') expect(normal[0]).toBeLessThan(-0.8);
      else expectNormal(normal, [-1, 0, 0]);
    }
  });

  test.each(Object.keys(bodies))('that comes down meets the floor with its normal: %s', async (body) => {
    for (const from of [0.3, 0.9997, 1, 1.004]) {
      const { time, normal } = await slide(LANE, body, { gap: 0.5, speed: 2, from, down: 1 });
      expectNormal(normal, UP);
      expect(time).toBeCloseTo(0.49, 4);
    }
  });
});
