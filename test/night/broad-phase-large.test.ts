/** The pairs of many bodies by the grid, beside brute force: the device tests all of their pairs and counts those that meet. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bindAllPairs } from '../../src/gpu/broad-phase/all-pairs.ts';
import { broadPhaseScene } from '../../verification/families/broad-phase-scenes.ts';
import { oracleBodies } from '../helpers/box-oracle.ts';
import { openBroadPhase, type DeviceBroadPhase } from '../helpers/broad-phase.ts';
import { makePairJudge } from '../helpers/pair-judge.ts';

const SEED = 20_261_134;

let broadPhase: DeviceBroadPhase;
beforeAll(async () => {
  broadPhase = await openBroadPhase();
});
afterAll(() => broadPhase?.dispose());

test.each([
  ['similar', 100_000],
  ['mixed', 50_000],
] as const)(
  'scene %s, %i bodies: there are as many as meet, each once, and all of them meet',
  async (name, bodyCount) => {
    const scene = broadPhaseScene(name, bodyCount, SEED);
    const pairs = await broadPhase.find(scene);
    const count = pairs.length / 2;
    expect(count).toBeGreaterThan(bodyCount);
    const judge = makePairJudge(scene.shapes, oracleBodies(scene.shapes, scene.bodies));
    let last = -1;
    for (let i = 0; i < count; i++) {
      const [a, b] = [pairs[2 * i], pairs[2 * i + 1]];
      const place = a * bodyCount + b;
      if (!(a < b && place > last && judge(a, b).verdict !== 'excluded'))
        throw new Error(`seed ${SEED}: pair ${i} is ${a}, ${b}`);
      last = place;
    }
    // Refused after they are counted.
    const search = { bindPairs: bindAllPairs, maxPairs: 0 };
    await expect(broadPhase.find(scene, search)).rejects.toThrow(`finds ${count} pairs, expected`);
  },
  600_000,
);
