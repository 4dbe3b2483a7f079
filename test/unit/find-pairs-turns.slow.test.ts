/** `findPairs` of many bodies gives the event loop its turns, obeys its signal, and returns what a single search does. */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PairList, sortPairs } from '../../src/broad-phase/pair-list.ts';
import { findPairs, searchPairs } from '../../src/broad-phase/search-pairs.ts';
import { selectPoints } from '../../src/util/select.ts';
import { createTester } from '../../src/index.ts';
import { finish, TURN_MS } from '../../src/util/turns.ts';
import type { PlanarTester, PosedBodies, Tester } from '../../src/api/types.ts';
import { createRandom, uniform, type Random } from '../../verification/families/random.ts';

const COUNT = 40_000;

/** Boxes, or squares, of edge 1 in a cube of edge `spread`; the first of them are half-spaces. */
function crowd(axes: number, spread: number, halfspaces = 0): PosedBodies & { positions: Float32Array } {
  const random = createRandom(20);
  const bodies = {
    shapes: new Uint32Array(COUNT).fill(1, 0, halfspaces),
    positions: Float32Array.from({ length: axes * COUNT }, () => uniform(random, 0, spread)),
    quaternions: Float32Array.from({ length: 4 * COUNT }, (_, i) => (i % 4 === 3 ? 1 : 0)),
    angles: new Float32Array(COUNT),
  };
  const { quaternions: _, ...planar } = bodies;
  return axes === 3 ? bodies : (planar as never);
}

const nobody = (axes: number): PosedBodies =>
  ({
    shapes: new Uint32Array(0),
    positions: new Float32Array(0),
    ...(axes === 3 ? { quaternions: new Float32Array(0) } : { angles: new Float32Array(0) }),
  }) as never;

async function open(axes: number): Promise<Tester> {
  let tester: Tester;
  if (axes === 3) {
    tester = await createTester({ backend: 'cpu' });
    tester.addShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });
    tester.addShape({ type: 'halfspace', normal: [0, 1, 0], offset: 0 });
  } else {
    const planar: PlanarTester = await createTester({ backend: 'cpu', dimension: 2 });
    planar.addShape({ type: 'rectangle', halfExtents: [0.5, 0.5] });
    tester = planar as unknown as Tester;
  }
  // The first search loads its code, which takes turns of its own.
  await tester.findPairs(nobody(axes));
  return tester;
}

const scenes: [string, number, PosedBodies][] = [
  ['3-D', 3, crowd(3, 50)],
  ['3-D with half-spaces', 3, crowd(3, 50, 20)],
  ['2-D', 2, crowd(2, 300) as PosedBodies],
];

/** 2-D bodies have no quaternions. */
const bodiesOf = (axes: number, bodies: PosedBodies): PosedBodies => {
  if (axes === 2) return bodies;
  const { shapes, positions, quaternions } = bodies;
  return { shapes, positions, quaternions };
};

/** Calls `use` in every turn of the event loop until it says `false`. */
function everyTurn(use: () => boolean): void {
  setImmediate(() => {
    if (use()) everyTurn(use);
  });
}

/** How often the clock is read before the search has worked for `TURN_MS`, and once more after the turn. */
const READINGS = 5;

describe.each(scenes)('%s', (_, axes, given) => {
  const bodies = bodiesOf(axes, given);

  /**
   * A clock that advances with every reading. The search reads it after each part of its work, so the number of turns
   * depends on the amount of work and not on the speed or the load of the machine.
   */
  let readings: number;
  beforeEach(() => {
    readings = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (++readings * TURN_MS) / (READINGS - 1));
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test('others get their turns, and the pairs are those of a search that is left alone', async () => {
    const tester = await open(axes);
    let turns = 0;
    let isOver = false;
    everyTurn(() => ++turns > 0 && !isOver);
    readings = 0;
    const found = await tester.findPairs(bodies);
    isOver = true;
    expect(readings).toBeGreaterThan(50 * READINGS);
    expect(turns).toBeGreaterThan(readings / READINGS / 2);
    expect(found.length).toBeGreaterThan(COUNT / 2);
    expect(await tester.findPairs(bodies)).toEqual(found);
    for (let p = 2; p < found.length; p += 2) {
      if (!(found[p - 2] < found[p] || (found[p - 2] === found[p] && found[p - 1] < found[p + 1])))
        expect.fail(`pairs ${p / 2 - 1} and ${p / 2} are out of order`);
    }
  });

  test('an abort in any turn ends it with ABORTED before it is done', async () => {
    const tester = await open(axes);
    for (const turn of [1, 2, 3]) {
      const controller = new AbortController();
      let turns = 0;
      readings = 0;
      everyTurn(() => {
        if (++turns === turn) controller.abort();
        return turns < turn;
      });
      const search = tester.findPairs(bodies, { signal: controller.signal });
      // The next query starts as soon as the first has ended.
      const next = tester.findPairs(nobody(axes));
      await expect(search).rejects.toMatchObject({ code: 'ABORTED' });
      expect((await next).length).toBe(0);
      expect(turns).toBe(turn);
      // The search had as many turns, of the many that it needs.
      expect(readings).toBeLessThan((turn + 2) * READINGS);
    }
  });

  test('disposing of the tester ends it with DISPOSED', async () => {
    const tester = await open(axes);
    const search = tester.findPairs(bodies);
    setImmediate(() => tester.dispose());
    await expect(search).rejects.toMatchObject({ code: 'DISPOSED' });
  });
});

/** Boxes with lower corners at random in the unit cube and the given edge lengths. */
function boxes(count: number, lengths: readonly number[]): Float64Array {
  const random = createRandom(7);
  const made = new Float64Array(6 * count);
  for (let i = 0; i < 6 * count; i += 6) {
    for (let k = 0; k < 3; k++) {
      made[i + k] = uniform(random, 0, 1);
      made[i + 3 + k] = made[i + k] + lengths[k];
    }
  }
  return made;
}

const KEYS: [string, (i: number, count: number, random: Random) => number][] = [
  ['random', (_i, _count, random) => uniform(random, -1, 1)],
  ['equal', () => 3],
  ['ascending', (i) => i],
  ['descending', (i) => -i],
  ['two values', (i) => i % 2],
  ['up and down', (i, count) => Math.min(i, count - i)],
];

describe('no step of the search is long', () => {
  test.each([
    ['a scatter', 100_000, [1e-4, 1e-4, 1e-4]],
    ['one strip', 100_000, [1e-5, 2, 1e-5]],
    ['boxes that all overlap', 1500, [2, 2, 2]],
  ] as const)('of %s', (_, count, lengths) => {
    const made = boxes(count, lengths);
    const work = searchPairs(made, [], {}, 2 ** 28);
    let stops = 1;
    while (!work.next().done) stops++;
    // A lower bound of the work; the search stops after 2^14 units of it.
    const overlaps = lengths[0] > 1 ? count ** 2 / 2 : 0;
    expect(stops).toBeGreaterThan(Math.floor((count * 20 + overlaps) / 2 ** 15));
  });

  test.each([1, 2, 1023, 1024, 8192, 8193, 20_000, 60_000])('%i points are split at any place', (count) => {
    for (const [name, keyOf] of KEYS) {
      const random = createRandom(count);
      const keys = Float64Array.from({ length: count }, (_, i) => keyOf(i, count, random));
      const axes: [Float64Array, Float64Array, Float64Array] = [keys.slice(), keys.map((key) => -key), keys.slice()];
      const ids = Uint32Array.from(keys, (_, i) => i);
      for (const middle of [0, 1, count >> 1, count - 1]) {
        finish(selectPoints({ axes, ids }, 0, 0, count, middle));
        const below = axes[0].subarray(0, middle).reduce((most, key) => Math.max(most, key), -Infinity);
        const above = axes[0].subarray(middle).reduce((least, key) => Math.min(least, key), Infinity);
        expect(below, `${name}, split at ${middle}`).toBeLessThanOrEqual(above);
      }
      expect(axes[0].every((key, i) => key === keys[ids[i]] && axes[1][i] === -key && axes[2][i] === key)).toBe(true);
      expect(new Set(ids).size).toBe(count);
    }
  });

  test.each([
    ['lowest', 0],
    ['highest', 1023],
  ])('of the sort of a million pairs with the %s body', (_, body) => {
    const count = 2 ** 20;
    const list = new PairList(count);
    for (let i = 0; i < count; i++) list.add(body, body === 0 ? 1023 - (i % 1023) : 1022 - (i % 1023));
    const work = sortPairs(list, 1024);
    let stops = 0;
    let step = work.next();
    for (; !step.done; step = work.next()) stops++;
    const partners = step.value.filter((_partner, i) => i % 2 === (body === 0 ? 1 : 0));
    expect(partners.every((partner, i) => i === 0 || partners[i - 1] <= partner)).toBe(true);
    // Two passes place the pairs, of 8 and 4 steps per pair; the search stops after 2^14 steps.
    expect(stops).toBeGreaterThan((12 * count) / 2 ** 14);
  });

  test('more pairs than a block of the list holds', () => {
    const made = boxes(600, [2, 2, 2]);
    const found = findPairs(made, [], {}, 2 ** 20);
    expect(found.length).toBe(600 * 599);
    expect([...found.subarray(0, 4), ...found.subarray(-2)]).toEqual([0, 1, 0, 2, 598, 599]);
  });
});
