/** The test of all pairs, which finds the pairs of few bodies, beside the grid. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bindAllPairs } from '../../src/gpu/broad-phase/all-pairs.ts';
import { MOST_BY_ALL_PAIRS, bindBroadPhase } from '../../src/gpu/broad-phase/search.ts';
import { broadPhaseScene, SCENE_NAMES } from '../../verification/families/broad-phase-scenes.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import {
  openBroadPhase,
  type DeviceBroadPhase,
  type PairSearch,
  type PlanarScene,
  type Scene,
} from '../helpers/broad-phase.ts';
import { planarScene } from '../helpers/planar-scene.ts';

const SEED = 20_261_131;

let broadPhase: DeviceBroadPhase;
beforeAll(async () => {
  broadPhase = await openBroadPhase();
});
afterAll(() => broadPhase?.dispose());

/** The pairs, which are those of the grid. */
async function samePairs(scene: Scene | PlanarScene, search: PairSearch = {}): Promise<Uint32Array> {
  const pairs = await broadPhase.find(scene, { ...search, bindPairs: bindAllPairs });
  expect(pairs, `seed ${SEED}`).toEqual(await broadPhase.find(scene, search));
  return pairs;
}

function vectors(count: number, size: number): Float32Array {
  const random = createRandom(SEED + count);
  return Float32Array.from({ length: count }, () => uniform(random, -size, size));
}

describe('has the pairs of the grid', () => {
  test.each(SCENE_NAMES)('in scene %s', async (name) => {
    const count = name === 'place' ? 300 : 2000;
    const pairs = await samePairs(broadPhaseScene(name, count, SEED), { margin: 0.125 });
    expect(pairs.length).toBeGreaterThan(count);
  });

  test.each([0, 1, 2, 31, 32, 33, 34, 255, 256, 257, 513])('of %d bodies', async (count) => {
    await samePairs(broadPhaseScene('similar', count, SEED));
  });

  test('of bodies that are fixed, have groups and move', async () => {
    const count = 1500;
    const scene = broadPhaseScene('halfspaces', count, SEED);
    const groups = Uint32Array.from({ length: count }, (_, i) => ((1 << (16 + (i % 3))) | (i % 7)) >>> 0);
    const fixed = Uint8Array.from({ length: count }, (_, i) => Number(i % 3 === 0));
    const motion = { linear: vectors(3 * count, 3), angular: vectors(3 * count, 2), duration: 0.5 };
    const pairs = await samePairs(scene, { filters: { groups, fixed }, motion });
    expect(pairs.length).toBeGreaterThan(count);
  });

  test('at 64-bit positions', async () => {
    const { shapes, bodies } = broadPhaseScene('mixed', 2000, SEED);
    const positions = Float64Array.from(bodies.positions, (x, i) => x + 1e7 * (1 + (i % 3)));
    const pairs = await samePairs({ shapes, bodies: { ...bodies, positions } });
    expect(pairs.length).toBeGreaterThan(2000);
  });

  test('in the plane', async () => {
    const pairs = await samePairs(planarScene(2000, SEED), { margin: 0.125 });
    expect(pairs.length).toBeGreaterThan(1000);
  });
});

test('finds the pairs of few bodies', async () => {
  const { shapes, bodies } = broadPhaseScene('place', MOST_BY_ALL_PAIRS, SEED);
  const pairs = await broadPhase.find({ shapes, bodies }, { bindPairs: bindBroadPhase });
  expect(pairs.length).toBe(MOST_BY_ALL_PAIRS * (MOST_BY_ALL_PAIRS - 1));
});

test('of many bodies is done in ranges', async () => {
  const scene = broadPhaseScene('similar', 3000, SEED);
  const before = broadPhase.rangeCount;
  await samePairs(scene, { mostTests: 2 ** 20 });
  expect(broadPhase.rangeCount - before).toBe(2 * Math.ceil(3000 / Math.floor(2 ** 20 / 2999)));
});
