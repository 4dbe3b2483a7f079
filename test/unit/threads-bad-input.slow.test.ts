/**
 * The CPU backend's workers check large queries. These are refused as on the caller's thread: the same fault is named,
 * the first one of several, and no target is touched. Numbers at the limits are accepted.
 */

import { afterAll, beforeAll, describe, expect, vi } from 'vitest';
import { createTester } from '../../src/index.ts';
import type { Tester } from '../../src/api/types.ts';
import { createRandom } from '../../verification/families/random.ts';
import { dimensions } from '../helpers/dimensions.ts';
import { testFaults } from '../helpers/fault-tests.ts';
import { REMOVED, makeBodies, makeScene, outcomeOf, shapesOf, type Outcome } from '../helpers/spoiled-scenes.ts';
import { untilAnswered, watchWorkers, type WatchedWorkers } from '../helpers/threads.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_123;
const RUNS = atNight(16, 120);
/** Together enough for a large query; the pairs are enough for its memory to be shared. */
const SIZE = { bodyCount: 3000, pairCount: 30_000 };

describe.each(dimensions)('$name', (dimension) => {
  let watched: WatchedWorkers;
  let one: Tester;
  let two: Tester;
  let screened = 0;

  beforeAll(async () => {
    watched = watchWorkers();
    const open = async (threads: number): Promise<Tester> => {
      const tester = (await createTester({ backend: 'cpu', threads, dimension: dimension.axes as 3 })) as Tester;
      dimension.useShapes(tester, shapesOf(dimension));
      tester.removeShape(REMOVED);
      return tester;
    };
    one = await open(1);
    two = await open(2);
    const { bodies, pairs } = makeBodies(makeScene(dimension, createRandom(SEED), { ...SIZE, isWide: false }), false);
    await untilAnswered(watched, () => two.manifolds(bodies, pairs));
    watched.onPost = (message) => void (screened += Number(typeof message === 'object' && 'part' in message));
  });
  afterAll(() => {
    one?.dispose();
    two?.dispose();
    vi.restoreAllMocks();
  });

  testFaults({
    dimension,
    seed: SEED,
    runs: RUNS,
    bodyCounts: [SIZE.bodyCount],
    pairCount: SIZE.pairCount,
    async askBoth(what, ask) {
      const before = screened;
      const outcomes: [Outcome, Outcome] = [await outcomeOf(two, ask), await outcomeOf(one, ask)];
      expect(screened > before, what).toBe(!('algorithm' in ask.options));
      return outcomes;
    },
  });
});
