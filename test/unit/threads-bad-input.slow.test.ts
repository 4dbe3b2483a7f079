/**
 * The CPU backend's workers check large queries. These are refused as on the caller's thread: the same fault is named,
 * the first one of several, and no target is touched. Numbers at the limits are accepted.
 */

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTester } from '../../src/index.ts';
import type { Tester } from '../../src/api/types.ts';
import { below, createRandom } from '../../verification/families/random.ts';
import { differingFields } from '../helpers/both-paths.ts';
import { dimensions } from '../helpers/dimensions.ts';
import {
  REMOVED,
  faultsOf,
  makeBodies,
  makeScene,
  outcomeOf,
  pick,
  randomAsk,
  shapesOf,
  type Ask,
} from '../helpers/spoiled-scenes.ts';
import { untilAnswered, watchWorkers, type WatchedWorkers } from '../helpers/threads.ts';

const SEED = 20_261_123;
const RUNS = 120;
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

  /** Asks with and without workers. Gives the message, or undefined if there is an answer. */
  async function expectSame(what: string, ask: Ask): Promise<string | undefined> {
    const before = screened;
    const found = await outcomeOf(two, ask);
    const expected = await outcomeOf(one, ask);
    expect(found.message, what).toBe(expected.message);
    if (found.result) expect(differingFields(found.result, expected.result!), what).toEqual([]);
    else expect([found.isTouched, expected.isTouched], what).toEqual([false, false]);
    expect(screened > before, what).toBe(!('algorithm' in ask.options));
    return found.message;
  }

  const faults = faultsOf(dimension);

  test.each(faults)('$name', async ({ name, values, put }) => {
    const seen = new Set<boolean>();
    for (const value of values) {
      for (const isWide of name === 'position' ? [false, true] : [false]) {
        const random = createRandom(SEED);
        const scene = makeScene(dimension, random, { ...SIZE, isWide });
        put(scene, pick(random, [0, below(random, SIZE.bodyCount), SIZE.bodyCount - 1]), value);
        const bodies = makeBodies(scene, true);
        const what = `${isWide ? '64-bit ' : ''}${value}`;
        const message = await expectSame(what, { ...bodies, name: 'impacts', options: { duration: 1 } });
        expect(message ?? 'INVALID_INPUT', what).toMatch(/^INVALID_INPUT/);
        seen.add(message === undefined);
      }
    }
    expect(seen.has(false)).toBe(name !== 'only component of a rotation' || dimension.axes === 3);
    expect(seen.has(true)).toBe(!['shape', 'index in a pair'].includes(name));
  });

  test('several at once', async () => {
    let answered = 0;
    let refused = 0;
    for (let run = 0; run < RUNS; run++) {
      const random = createRandom(SEED + run);
      const scene = makeScene(dimension, random, { ...SIZE, isWide: random() < 0.5 });
      const last = scene.shapes.length - 1;
      const chosen = Array.from({ length: below(random, 5) }, () => pick(random, faults));
      for (const { put, values } of chosen)
        put(scene, pick(random, [0, last, below(random, last)]), pick(random, values));
      const names = chosen.map(({ name }) => name).join(', ');
      const ask = randomAsk(scene, random() < 0.2 || names.includes('velocity'));
      const message = await expectSame(`seed ${SEED}, run ${run}: ${ask.name} with ${names || 'no fault'}`, ask);
      if (message === undefined) answered++;
      else refused++;
    }
    expect(Math.min(answered, refused)).toBeGreaterThan(RUNS / 10);
  });
});
