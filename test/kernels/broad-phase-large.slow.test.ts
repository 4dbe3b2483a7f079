/** The pairs of 100,000 bodies by the grid, beside brute force: all of their pairs are tested on the device. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bindAllPairs } from '../../src/gpu/broad-phase/all-pairs.ts';
import { broadPhaseScene } from '../../verification/families/broad-phase-scenes.ts';
import { openBroadPhase, type DeviceBroadPhase } from '../helpers/broad-phase.ts';

const SEED = 20_261_134;
const COUNT = 100_000;

let broadPhase: DeviceBroadPhase;
beforeAll(async () => {
  broadPhase = await openBroadPhase();
});
afterAll(() => broadPhase?.dispose());

test.each(['similar', 'mixed', 'clusters'] as const)(
  'scene %s',
  async (name) => {
    const scene = broadPhaseScene(name, COUNT, SEED);
    const pairs = await broadPhase.find(scene);
    expect(pairs.length).toBeGreaterThan(2 * COUNT);
    const expected = await broadPhase.find(scene, { bindPairs: bindAllPairs });
    expect(pairs.length, `seed ${SEED}`).toBe(expected.length);
    expect(pairs.findIndex((body, i) => body !== expected[i])).toBe(-1);
  },
  900_000,
);
