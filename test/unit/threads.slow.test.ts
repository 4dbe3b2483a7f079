/** Large queries on the CPU backend's workers have the same bits as on the caller's thread, whatever their number. */

import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTester } from '../../src/index.ts';
import type { Contacts, PlanarTester, Tester } from '../../src/api/types.ts';
import { makeFamily } from '../../verification/families/families.ts';
import { setInMotion } from '../../verification/families/moving-family.ts';
import { setPlanarInMotion } from '../../verification/families/planar-moving-family.ts';
import { makePlanarTypeFamily } from '../../verification/families/planar-families.ts';
import { usePlanarShapes } from '../helpers/planar-tester.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { FORGET, type ToWorker } from '../../src/cpu/threads/task.ts';
import { hullTester, hulls, untilAnswered, watchWorkers } from '../helpers/threads.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_122;
const QUERIES = ['intersects', 'distances', 'contacts', 'manifolds'] as const;

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** All arrays and counts of a result. */
function bitsOf(result: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(result).flatMap(([name, value]): [string, unknown][] => {
      if (typeof value === 'function') return [];
      return [
        [
          name,
          ArrayBuffer.isView(value)
            ? Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64')
            : value,
        ],
      ];
    }),
  );
}

type Ask = (tester: Tester | PlanarTester) => Promise<object>;

interface Scene {
  open(threads: number): Promise<Tester | PlanarTester>;
  asks: Record<string, Ask>;
}

/** Every query and which results it gives; `moving` is the number of moving pairs, which take longest. */
function asksOf(bodies: never, pairs: Uint32Array, moving: number, duration: number): Record<string, Ask> {
  const still = QUERIES.flatMap((query) =>
    (['all', 'hits'] as const).map(
      (results) =>
        [
          `${query}, ${results}`,
          (tester: Tester | PlanarTester) => (tester as Tester)[query](bodies, pairs, { results, margin: 0.05 }),
        ] as const,
    ),
  );
  const impacts = (['all', 'hits', 'earliest'] as const).map(
    (results) =>
      [
        `impacts, ${results}`,
        (tester: Tester | PlanarTester) =>
          (tester as Tester).impacts(bodies, pairs.subarray(0, 2 * moving), { results, duration }),
      ] as const,
  );
  return Object.fromEntries([...still, ...impacts]);
}

/** Fakes this thread's clock: each look is so many milliseconds after the last, whatever the machine. */
function takesPerLook(milliseconds: number): void {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += milliseconds));
}

/** The same pairs again and again. */
function repeated(pairs: Uint32Array, times: number): Uint32Array {
  return Uint32Array.from({ length: times * pairs.length }, (_, i) => pairs[i % pairs.length]);
}

function spaceScene(): Scene {
  const family = setInMotion(makeFamily('capsule-hull', 4000, SEED), SEED, { isTurning: true });
  return {
    async open(threads) {
      const tester = await createTester({ backend: 'cpu', threads });
      useShapes(tester, family.shapes);
      return tester;
    },
    asks: asksOf(family.bodies as never, repeated(family.pairs, 5), atNight(120, 5000), family.duration),
  };
}

function planarScene(): Scene {
  const family = setPlanarInMotion(makePlanarTypeFamily('rectangle/polygon', 5000, SEED), SEED, true);
  return {
    async open(threads) {
      const tester = await createTester({ backend: 'cpu', threads, dimension: 2 });
      usePlanarShapes(tester, family.shapes);
      return tester;
    },
    asks: asksOf(family.bodies as never, repeated(family.pairs, 16), atNight(600, 20_000), family.duration),
  };
}

describe.each([
  ['space', spaceScene],
  ['the plane', planarScene],
])('in %s', (_, makeScene) => {
  let scene: Scene;
  const expected: Record<string, Record<string, unknown>> = {};

  beforeAll(async () => {
    scene = makeScene();
    using tester = await scene.open(1);
    for (const [name, ask] of Object.entries(scene.asks)) expected[name] = bitsOf(await ask(tester));
  });

  test.each<[number, boolean | undefined]>([
    [3, undefined],
    // In CI, parts-threads.slow.test.ts has memory that is not shared.
    ...atNight<[number, boolean | undefined][]>(
      [],
      [
        [2, false],
        [2, undefined],
        [8, undefined],
      ],
    ),
  ])('%i threads give the same bits; isolated: %s', async (threads, isIsolated) => {
    if (isIsolated === false) vi.stubGlobal('crossOriginIsolated', false);
    const watched = watchWorkers();
    takesPerLook(10);
    using tester = await scene.open(threads);
    await untilAnswered(watched, () => scene.asks['contacts, all'](tester));
    for (const [name, ask] of Object.entries(scene.asks)) {
      const before = watched.answered;
      expect(bitsOf(await ask(tester)), name).toEqual(expected[name]);
      expect(watched.answered, name).toBeGreaterThan(before);
    }
    expect(watched.workers.length).toBe(threads);
    expect(watched.sharesMemory).toBe(isIsolated !== false);
  });
});

function shared<Array extends Float32Array | Uint32Array>(array: Array): Array {
  const copy = new (array.constructor as new (memory: SharedArrayBuffer) => Array)(
    new SharedArrayBuffer(array.byteLength),
  );
  copy.set(array);
  return copy;
}

test('arrays of the caller’s that are shared already are used as they are', async () => {
  const watched = watchWorkers();
  const { bodies, pairs } = hulls;
  const sharedBodies = {
    shapes: shared(bodies.shapes),
    positions: shared(bodies.positions as Float32Array),
    quaternions: shared(bodies.quaternions),
  };
  const sharedPairs = shared(pairs);
  const posted = vi.spyOn(process.getBuiltinModule('node:worker_threads').Worker.prototype, 'postMessage');
  using one = await hullTester({ threads: 1 });
  using two = await hullTester({ threads: 2 });
  await untilAnswered(watched, () => two.contacts(sharedBodies, sharedPairs));
  expect(bitsOf(await two.contacts(sharedBodies, sharedPairs))).toEqual(bitsOf(await one.contacts(bodies, pairs)));
  const given = posted.mock.calls.flatMap(([{ query }]) => query?.over ?? []);
  expect(given.length).toBeGreaterThan(0);
  expect(
    given.every(
      (over) =>
        over.bodies.positions.buffer === sharedBodies.positions.buffer && over.pairs.buffer === sharedPairs.buffer,
    ),
  ).toBe(true);
});

test('few pairs of many bodies take their bodies along, not all', async () => {
  const watched = watchWorkers();
  const { bodies } = hulls;
  const pairs = hulls.pairs.subarray(0, hulls.pairs.length / 4);
  using one = await hullTester({ threads: 1 });
  using two = await hullTester({ threads: 2 });
  // Exact distances take longer.
  const options = { margin: Infinity };
  takesPerLook(10);
  await untilAnswered(watched, () => two.contacts(bodies, hulls.pairs, options));
  const before = watched.answered;
  const posted = vi.spyOn(process.getBuiltinModule('node:worker_threads').Worker.prototype, 'postMessage');
  expect(bitsOf(await two.contacts(bodies, pairs, options))).toEqual(
    bitsOf(await one.contacts(bodies, pairs, options)),
  );
  expect(watched.answered).toBeGreaterThan(before);
  const given = posted.mock.calls.flatMap(([{ query }]) => query?.over ?? []);
  expect(given.length).toBeGreaterThan(0);
  for (const { bodies: some, pairs: own } of given) expect(some.shapes.length).toBe(own.length);
});

test('a worker gets a query once, and lets go of it at the end', async () => {
  const watched = watchWorkers();
  const { bodies, pairs } = hulls;
  using tester = await hullTester({ threads: 2 });
  await untilAnswered(watched, () => tester.contacts(bodies, pairs));
  for (let i = 0; i < 3; i++) {
    const posted: ToWorker[] = [];
    watched.onPost = (message) => posted.push(message);
    await tester.contacts(bodies, pairs);
    const tasks = posted.filter((message) => typeof message === 'object');
    const busy = tasks.filter(({ query }) => query !== undefined).length;
    expect(busy).toBeGreaterThan(0);
    expect(busy).toBeLessThanOrEqual(2);
    expect(tasks.length).toBeGreaterThan(2 * busy);
    expect(posted.slice(-busy)).toEqual(Array(busy).fill(FORGET));
    expect(posted.length).toBe(tasks.length + busy);
  }
});

test('a worker gets each shape once, half-spaces with offsets too', async () => {
  const watched = watchWorkers();
  const { bodies, pairs } = hulls;
  using tester = await hullTester({ threads: 2 });
  for (let i = 1; i <= 5; i++) tester.addShape({ type: 'halfspace', normal: [0, 1, 0], offset: i });
  const posted: ToWorker[] = [];
  watched.onPost = (message) => posted.push(message);
  await untilAnswered(watched, () => tester.contacts(bodies, pairs));
  expect(posted.some((message) => typeof message === 'object' && message.shapes)).toBe(true);
  // Both have had a task by now, or get their first one here.
  for (let i = 0; i < 3; i++) await tester.contacts(bodies, pairs);
  const known = posted.filter((message) => typeof message === 'object' && message.shapes).length;
  expect(known).toBeLessThanOrEqual(2);
});

test.each([
  ['small queries stay on the caller’s thread, and start no workers', 0.1, 0],
  ['queries of as many pairs that take longer start them', 10, 2],
])('%s', async (_, perLook, workers) => {
  const watched = watchWorkers();
  using tester = await hullTester({ threads: 2 });
  takesPerLook(perLook);
  for (let i = 0; i < 20; i++) await tester.contacts(hulls.bodies, hulls.pairs.subarray(0, 200));
  expect(watched.workers.length).toBe(workers);
});

test('warm starts find the same ids whatever the number of threads', async () => {
  const { bodies, pairs } = hulls;
  const found: Record<string, unknown>[][] = [];
  for (const threads of [1, 2, 3]) {
    const watched = watchWorkers();
    using tester = await hullTester({ threads });
    if (threads > 1) await untilAnswered(watched, () => tester.contacts(bodies, pairs));
    using warmStart = tester.createWarmStart(2 ** 27);
    const results: Contacts[] = [];
    // A longer list, a shorter one, and the longer one again.
    for (const end of [1 / 2, 1, 1 / 4, 1].map((share) => share * pairs.length)) {
      results.push(
        await tester.contacts(bodies, pairs.subarray(0, end), { warmStart, algorithm: 'gjk', margin: Infinity }),
      );
    }
    expect(watched.answered > 0).toBe(threads > 1);
    const steps = results.map(({ iterations }) => iterations.reduce((sum, n) => sum + n, 0));
    expect(steps[3]).toBeLessThan(0.9 * steps[1]);
    found.push(results.map(bitsOf));
    vi.restoreAllMocks();
  }
  expect(found[1]).toEqual(found[0]);
  expect(found[2]).toEqual(found[0]);
});

test('shapes that come and go between queries are the ones that workers have', async () => {
  const watched = watchWorkers();
  const testers = [await hullTester({ threads: 1 }), await hullTester({ threads: 2 })];
  const [one, two] = testers;
  const { bodies, pairs } = hulls;
  await untilAnswered(watched, () => two.contacts(bodies, pairs));
  for (const id of [0, 5]) {
    for (const tester of testers) {
      tester.removeShape(id);
      tester.addShape({ type: 'box', halfExtents: [0.4, 0.5, 0.6] });
      tester.addShape({ type: 'sphere', radius: 1 });
    }
    const before = watched.answered;
    expect(bitsOf(await two.contacts(bodies, pairs))).toEqual(bitsOf(await one.contacts(bodies, pairs)));
    expect(watched.answered).toBeGreaterThan(before);
  }
  for (const tester of testers) tester.dispose();
});
