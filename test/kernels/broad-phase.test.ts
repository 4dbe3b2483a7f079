/** The kernels of the broad phase beside brute force over the boxes of all bodies. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { broadPhaseScene, SCENE_NAMES } from '../../verification/families/broad-phase-scenes.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { oracleBodies } from '../helpers/box-oracle.ts';
import { atNight } from '../helpers/night.ts';
import { pairFaults } from '../helpers/pair-judge.ts';
import { planarScene } from '../helpers/planar-scene.ts';
import type { CollisionFilters } from '../../src/api/bodies.ts';
import { openBroadPhase, type DeviceBroadPhase, type Scene } from '../helpers/broad-phase.ts';

const SEED = 20_261_124;

let broadPhase: DeviceBroadPhase;
beforeAll(async () => {
  broadPhase = await openBroadPhase();
});
afterAll(() => broadPhase?.dispose());

describe.each(SCENE_NAMES)('%s', (name) => {
  test.each([0, 0.125])('pairs are those of brute force, margin %d', async (margin) => {
    const count = name === 'place' ? 300 : atNight(600, 3000);
    const { shapes, bodies } = broadPhaseScene(name, count, SEED);
    const pairs = await broadPhase.find({ shapes, bodies }, { margin });
    expect(pairs.length).toBeGreaterThan(count);
    expect(pairFaults(shapes, oracleBodies(shapes, bodies), pairs, margin), `seed ${SEED}`).toEqual([]);
  });
});

describe('sizes around every block', () => {
  test.each([0, 1, 2, 3, 63, 64, 65, 255, 256, 257, 1023, 1025, ...atNight([], [4095, 4096]), 4097])(
    '%d bodies',
    async (count) => {
      const { shapes, bodies } = broadPhaseScene('similar', count, SEED + count);
      const pairs = await broadPhase.find({ shapes, bodies });
      expect(pairFaults(shapes, oracleBodies(shapes, bodies), pairs, 0)).toEqual([]);
    },
  );
});

describe('long lists of partners', () => {
  test('of a body that touches all of 70,000 others are complete and in order', async () => {
    const count = 70_000;
    const { shapes, bodies } = broadPhaseScene('similar', count, SEED);
    bodies.shapes[0] = 1;
    bodies.scales![0] = 200;
    const pairs = await broadPhase.find({ shapes, bodies });
    const others = pairs.filter((_, i) => i % 2 === 1 && pairs[i - 1] === 0);
    expect(others.length).toBe(count - 1);
    expect(others.every((b, i) => b === i + 1)).toBe(true);
  });

  test('of several bodies that touch all others are complete and in order', async () => {
    const count = 70_000;
    const { shapes, bodies } = broadPhaseScene('similar', count, SEED);
    // Partners of the last one are in the second range of bodies alone.
    const giants = [0, 3, 30_000, 66_000];
    for (const giant of giants) bodies.scales![giant] = 200;
    const pairs = await broadPhase.find({ shapes, bodies });
    const seen = new Map(giants.map((giant) => [giant, [] as number[]]));
    for (let i = 0; i < pairs.length; i += 2) seen.get(pairs[i])?.push(pairs[i + 1]);
    for (const [giant, others] of seen) {
      expect(others.length).toBe(count - 1 - giant);
      expect(others.every((b, i) => b === giant + 1 + i)).toBe(true);
    }
    expect(pairs.length).toBeGreaterThan(2 * (70_000 + 70_000 + 40_000 + 4000));
  });

  // Beyond 32 partners a workgroup sorts them, beyond 2048 in another way.
  test.each([33, 34, 35, 36, 257, 2047, 2048, 2049, 2050])('of %d bodies in one place are complete', async (count) => {
    const { shapes, bodies } = broadPhaseScene('place', count, SEED);
    // All but the first are fixed, so only its pairs are left.
    const fixed = new Uint8Array(count).fill(1).fill(0, 0, 1);
    const pairs = await broadPhase.find({ shapes, bodies }, { filters: { fixed } });
    expect(pairs).toEqual(Uint32Array.from({ length: 2 * (count - 1) }, (_, i) => (i % 2 === 0 ? 0 : (i + 1) / 2)));
  });
});

/** Whether the search does no more than so many tests for any body. */
async function areTestsEnough(scene: Scene, tests: number, filters?: CollisionFilters): Promise<boolean> {
  const before = broadPhase.rangeCount;
  await broadPhase.find(scene, { filters, mostTests: tests * scene.bodies.shapes.length });
  return broadPhase.rangeCount === before;
}

describe('searches', () => {
  test.each(['similar', 'clusters', 'far', 'stray', 'strayFirst', 'strays', 'twins'] as const)(
    'of scene %s take few tests per body, wherever the bodies are',
    async (name) => {
      const scene = broadPhaseScene(name, 20_000, SEED);
      expect(await areTestsEnough(scene, 1)).toBe(false);
      // Most of these are bodies of other rows in the same buckets. Strays are on levels of their own.
      expect(await areTestsEnough(scene, 400)).toBe(true);
    },
  );

  test('of 64-bit positions take few tests per body', async () => {
    const { shapes, bodies } = broadPhaseScene('strays', 20_000, SEED);
    const positions = Float64Array.from(bodies.positions, (x) => x % 1e6);
    expect(await areTestsEnough({ shapes, bodies: { ...bodies, positions } }, 400)).toBe(true);
  });

  test('of bodies that are never paired take no tests', async () => {
    const scene = broadPhaseScene('place', 1000, SEED);
    expect(await areTestsEnough(scene, 900)).toBe(false);
    expect(await areTestsEnough(scene, 0, { fixed: new Uint8Array(1000).fill(1) })).toBe(true);
    expect(await areTestsEnough(scene, 0, { groups: new Uint32Array(1000).fill(0xffff) })).toBe(true);
    expect(await areTestsEnough(scene, 0, { groups: new Uint32Array(1000).fill(0xffff_0000) })).toBe(true);
  });

  test('that take long are done in ranges, with the same pairs', async () => {
    const { shapes, bodies } = broadPhaseScene('similar', 3000, SEED);
    bodies.positions.fill(1, 3 * 1000, 3 * 1600);
    const expected = await broadPhase.find({ shapes, bodies });
    expect(expected.length).toBeGreaterThan(600 * 599);
    const before = broadPhase.rangeCount;
    expect(await broadPhase.find({ shapes, bodies }, { mostTests: 2 ** 18 })).toEqual(expected);
    // About 2^18 / 600 bodies at a time, once to count their pairs and once to write them.
    const ranges = broadPhase.rangeCount - before;
    expect(ranges).toBeGreaterThan(9);
    expect(ranges).toBeLessThanOrEqual(2 * Math.ceil(3000 / 256));
  });

  test('that take long can be aborted between two ranges', async () => {
    const controller = new AbortController();
    const { shapes, bodies } = broadPhaseScene('place', 2000, SEED);
    const before = broadPhase.rangeCount;
    broadPhase.onRange = () => broadPhase.rangeCount === before + 3 && controller.abort();
    const running = broadPhase.find({ shapes, bodies }, { mostTests: 2 ** 18, signal: controller.signal });
    await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
    expect(broadPhase.rangeCount - before).toBe(3);
  });
});

describe('fixed bodies', () => {
  test.each(['similar', 'mixed', 'halfspaces', 'clusters'] as const)('of scene %s meet the others', async (name) => {
    const count = 1500;
    const { shapes, bodies } = broadPhaseScene(name, count, SEED);
    const random = createRandom(SEED);
    for (const share of [0.1, 0.9]) {
      const fixed = Uint8Array.from({ length: count }, () => (uniform(random, 0, 1) < share ? 1 : 0));
      const pairs = await broadPhase.find({ shapes, bodies }, { filters: { fixed } });
      const mayPair = (a: number, b: number): boolean => (fixed[a] & fixed[b]) === 0;
      expect(pairFaults(shapes, oracleBodies(shapes, bodies), pairs, 0, mayPair)).toEqual([]);
      expect(pairs.length).toBeGreaterThan(50);
    }
  });
});

describe('the order of bodies', () => {
  const count = atNight(600, 3000);
  const places: Record<string, (body: number) => number[]> = {
    'along a line': (i) => [0.7 * i, 0, 0],
    'against a line': (i) => [-0.7 * i, 0, 0],
    'up a line': (i) => [0, 0.7 * i, 0],
    'along a diagonal': (i) => [0.5 * i, 0.5 * i, -0.5 * i],
    'on a wide lattice': (i) => [24 * (i % 16), 24 * ((i >> 4) % 16), 0.4 * (i >> 8)],
    'in pairs': (i) => [100 * (i >> 1), 0, 0],
    'in one small cluster beside others': (i) => (i % 3 === 0 ? [40 * i, 3, 1] : [0.01 * i, 0.02 * (i % 7), 0]),
  };

  test.each(Object.keys(places))('%s has no effect on the pairs', async (name) => {
    const { shapes, bodies } = broadPhaseScene('similar', count, SEED);
    for (let body = 0; body < count; body++) bodies.positions.set(places[name](body), 3 * body);
    const pairs = await broadPhase.find({ shapes, bodies });
    expect(pairs.length).toBeGreaterThan(count / 3);
    expect(pairFaults(shapes, oracleBodies(shapes, bodies), pairs, 0)).toEqual([]);
    expect(await broadPhase.find({ shapes, bodies })).toEqual(pairs);
  });
});

describe('bodies in motion', () => {
  test.each([
    ['straight', 1, 0],
    ['fast', 200, 0],
    ['turning', 1, 3],
  ])('%s: boxes enclose the way', async (_, speed, spin) => {
    const count = 1500;
    const { shapes, bodies } = broadPhaseScene('halfspaces', count, SEED);
    const random = createRandom(SEED);
    const vectors = (size: number): Float32Array =>
      Float32Array.from({ length: 3 * count }, () => uniform(random, -size, size));
    const motion = { linear: vectors(speed), ...(spin > 0 && { angular: vectors(spin) }), duration: 0.5 };
    // Half-spaces that turn meet everything.
    if (spin > 0) for (const body of [0, 7, 14]) motion.angular!.fill(0, 3 * body, 3 * body + 3);
    const pairs = await broadPhase.find({ shapes, bodies }, { motion });
    expect(pairFaults(shapes, oracleBodies(shapes, bodies, motion), pairs, 0)).toEqual([]);
    const atRest = await broadPhase.find({ shapes, bodies });
    expect(pairs.length).toBeGreaterThan(1.2 * atRest.length);
  });
});

describe('64-bit positions', () => {
  test('far out give the pairs of the same positions near the origin', async () => {
    const { shapes, bodies } = broadPhaseScene('mixed', 2000, SEED);
    const near = Float64Array.from(bodies.positions, (x) => Math.round(x * 2 ** 20) / 2 ** 20);
    const pairs = await broadPhase.find({ shapes, bodies: { ...bodies, positions: near } });
    expect(pairFaults(shapes, oracleBodies(shapes, { ...bodies, positions: near }), pairs, 0)).toEqual([]);
    const far = near.map((x, i) => x + 1e7 * (1 + (i % 3)));
    expect(await broadPhase.find({ shapes, bodies: { ...bodies, positions: far } })).toEqual(pairs);
    expect(pairs.length).toBeGreaterThan(2000);
  });
});

describe('limits', () => {
  test('more pairs than asked for are refused with their number', async () => {
    const { shapes, bodies } = broadPhaseScene('place', 300, SEED);
    await expect(broadPhase.find({ shapes, bodies }, { maxPairs: 44_849 })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('44850 pairs') as string,
    });
    expect((await broadPhase.find({ shapes, bodies }, { maxPairs: 44_850 })).length).toBe(2 * 44_850);
  });
});

describe('in the plane', () => {
  test.each([1, 0.001])('pairs are those of brute force, sizes from %d on', async (least) => {
    const count = 3000;
    const { shapes, bodies } = planarScene(count, SEED, least);
    const pairs = await broadPhase.find({ shapes, bodies }, { margin: 0.125 });
    expect(pairs.length).toBeGreaterThan(count / 2);
    const boxes = Array.from(bodies.shapes, (id, body) => {
      const shape = shapes[id];
      const [cosine, sine] = [Math.cos(bodies.angles[body]), Math.sin(bodies.angles[body])];
      const [w, h] = shape.type === 'rectangle' ? shape.halfExtents : [0, 0];
      const corners = {
        circle: [0, 0],
        rectangle: [w, h, -w, h, -w, -h, w, -h],
        capsule: [0, 0.4, 0, -0.4],
        polygon: shape.type === 'polygon' ? [...shape.points] : [],
      }[shape.type];
      const round = shape.type === 'rectangle' ? 0 : shape.radius;
      const scale = bodies.scales![body];
      const ends = [0, 1].map((axis) => {
        const along = corners.flatMap((x, k) =>
          k % 2 === 0 ? [axis === 0 ? cosine * x - sine * corners[k + 1] : sine * x + cosine * corners[k + 1]] : [],
        );
        const at = bodies.positions[2 * body + axis];
        return [at + scale * (Math.min(...along) - round), at + scale * (Math.max(...along) + round)];
      });
      return { low: [ends[0][0], ends[1][0], 0], high: [ends[0][1], ends[1][1], 0], reach: scale * 0.55 };
    });
    expect(pairFaults([], boxes, pairs, 0.125)).toEqual([]);
  });
});
