/** All pairs that the CPU finds, judged by the boxes of the oracle: none is missing, and none is there without need. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/index.ts';
import type { Tester } from '../../src/api/types.ts';
import { broadPhaseScene, SCENE_NAMES } from '../../verification/families/broad-phase-scenes.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';
import { oracleBodies } from '../helpers/box-oracle.ts';
import { pairFaults } from '../helpers/pair-judge.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_132;

let tester: Tester;
beforeAll(async () => {
  tester = await createTester({ backend: 'cpu', threads: 1 });
  for (const shape of broadPhaseScene('similar', 0, SEED).shapes) tester.addShape(shape);
});
afterAll(() => tester?.dispose());

describe.each(SCENE_NAMES)('%s', (name) => {
  const count = name === 'place' ? 200 : atNight(400, 2000);
  const { shapes, bodies } = broadPhaseScene(name, count, SEED);

  test.each([0, 0.125])('at rest, margin %d', async (margin) => {
    const pairs = await tester.findPairs(bodies, { margin });
    expect(pairs.length).toBeGreaterThan(count);
    expect(pairFaults(shapes, oracleBodies(shapes, bodies), pairs, margin), `seed ${SEED}`).toEqual([]);
  });

  test('in motion', async () => {
    const random = createRandom(SEED);
    const linear = Float32Array.from({ length: 3 * count }, () => uniform(random, -2, 2));
    const pairs = await tester.findPairs({ ...bodies, linearVelocities: linear }, { duration: 0.5 });
    expect(pairs.length).toBeGreaterThan(count);
    const boxes = oracleBodies(shapes, bodies, { linear, duration: 0.5 });
    expect(pairFaults(shapes, boxes, pairs, 0), `seed ${SEED}`).toEqual([]);
  });
});
