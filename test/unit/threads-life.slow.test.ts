/**
 * Workers of the CPU backend from their start to their end: aborts, disposal, workers that can't be made and workers
 * that die.
 */

import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Backend } from '../../src/request/backend.ts';
import { answerPair } from '../../src/cpu/answer-pair.ts';
import { createCpuBackend } from '../../src/cpu/backend.ts';
import { createTester } from '../../src/index.ts';
import { dimension3 } from '../../src/dimension/dim3.ts';
import { makeTester } from '../../src/tester/tester.ts';
import { noOtherCpu } from '../helpers/no-other-cpu.ts';
import { someBodies } from '../../src/records/bodies.ts';
import type { Contacts, Tester } from '../../src/api/types.ts';
import { differences } from '../helpers/batch.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { hullTester, hulls, untilAnswered, watchWorkers } from '../helpers/threads.ts';

const { bodies, pairs } = hulls;
/** Guards against what hangs. */
const PATIENCE = { timeout: 60_000 };

let expected: Contacts;

beforeAll(async () => {
  using tester = await hullTester({ threads: 1 });
  expected = await tester.contacts(bodies, pairs);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A tester, and the backend that it asks. */
function openWithBackend(threads: number): { tester: Tester; backend: Backend } {
  const backend = createCpuBackend(answerPair, threads);
  const tester = makeTester(backend, dimension3, async () => answerPair, noOtherCpu);
  useShapes(tester, hulls.shapes);
  return { tester, backend };
}

describe('options.threads', () => {
  test('goes to the CPU that `auto` falls back to', async () => {
    const watched = watchWorkers();
    using tester = (await createTester({ threads: 3 })) as Tester;
    useShapes(tester, hulls.shapes);
    await untilAnswered(watched, () => tester.contacts(bodies, pairs));
    expect([tester.backend, watched.workers.length]).toEqual(['cpu', 3]);
  });

  test.each([0, -1, 1.5, NaN, Infinity, '2', null, {}])('refuses %j', async (threads) => {
    await expect(createTester({ backend: 'cpu', threads: threads as number })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/^options\.threads is .*, expected a whole number of at least 1$/),
    });
  });

  test.each([
    [20, 8],
    [5, 5],
  ])('of %i makes %i workers', async (threads, count) => {
    const watched = watchWorkers();
    using tester = await hullTester({ threads });
    await untilAnswered(watched, () => tester.contacts(bodies, pairs));
    expect(watched.workers.length).toBe(count);
  });

  test('is as many as there are processors by default, at most 8', async () => {
    for (const [cores, count] of [
      [3, 3],
      [64, 8],
      [1, 0],
    ]) {
      const watched = watchWorkers({ cores });
      using tester = await hullTester({});
      if (count > 0) await untilAnswered(watched, () => tester.contacts(bodies, pairs));
      else await tester.contacts(bodies, pairs);
      expect(watched.workers.length).toBe(count);
      vi.restoreAllMocks();
    }
  });
});

describe('options.workerUrl', () => {
  test.each([5, null, '', ' ', {}, [], 'http://[', './cpu-worker.js', '/srv/cpu-worker.js'])(
    'refuses %j',
    async (workerUrl) => {
      await expect(createTester({ backend: 'cpu', workerUrl: workerUrl as string })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringMatching(/^options\.workerUrl is .*, expected an absolute URL$/),
      });
    },
  );

  test.each([
    ['a string', (address: string) => address],
    ['a URL', (address: string) => new URL(address)],
  ])('is where the workers’ script is, as %s', async (_, given) => {
    const workerUrl = given("data:text/javascript,throw new Error('of the given script')");
    using tester = await hullTester({ threads: 2, workerUrl });
    await vi.waitFor(async () => {
      await tester.contacts(bodies, pairs);
      expect(tester.fallback).toMatch(/has 1 thread instead of 2, .*of the given script$/);
    }, PATIENCE);
  });
});

describe('a query on workers', () => {
  test('leaves the caller’s thread free for most of its pairs', async () => {
    const watched = watchWorkers();
    using tester = await hullTester({ threads: 2 });
    await untilAnswered(watched, () => tester.contacts(bodies, pairs));
    const { pairs: before } = watched;
    for (let i = 0; i < 5; i++) await tester.contacts(bodies, pairs);
    expect(watched.pairs - before).toBeGreaterThan(0.5 * 5 * (pairs.length / 2));
  });

  test('that is aborted ends, and the next one has its answers', async () => {
    const watched = watchWorkers();
    using tester = await hullTester({ threads: 2 });
    await untilAnswered(watched, () => tester.contacts(bodies, pairs));
    const controller = new AbortController();
    const { answered } = watched;
    watched.onAnswer = () => watched.answered >= answered + 3 && controller.abort();
    const running = tester.contacts(bodies, pairs, { signal: controller.signal });
    const next = tester.contacts(bodies, pairs);
    await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
    expect(differences(await next, expected)).toEqual([]);
    expect(controller.signal.aborted).toBe(true);
  });

  test('that is aborted leaves its memory to the workers, whatever the next one is', async () => {
    const watched = watchWorkers();
    const { tester, backend } = openWithBackend(2);
    await untilAnswered(watched, () => tester.contacts(bodies, pairs));
    const failures: unknown[] = [];
    for (const worker of watched.workers) worker.on('error', (error) => failures.push(error));
    // The same memory, but indices that are beyond the bodies of the first query.
    const few = someBodies(bodies, 0, 1000);
    const low = Uint32Array.from({ length: 80_000 }, (_, i) => i % 1000);
    const high = low.map((body) => body + 3000);
    for (let i = 0; i < 5; i++) {
      const controller = new AbortController();
      const { answered } = watched;
      watched.onAnswer = () => watched.answered >= answered + 12 && controller.abort();
      const running = tester.contacts(few, low, { signal: controller.signal });
      const next = tester.contacts(bodies, high);
      await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
      watched.onAnswer = undefined;
      expect((await next).count).toBe(high.length / 2);
    }
    expect([failures, backend.fallback]).toEqual([[], undefined]);
    tester.dispose();
  });

  test.each([1, 3])(
    'ends with DISPOSED at once when its tester is disposed of after %i tasks, and no worker is left',
    async (tasks) => {
      const watched = watchWorkers();
      const tester = await hullTester({ threads: 2 });
      await untilAnswered(watched, () => tester.contacts(bodies, pairs));
      const { answered } = watched;
      watched.onAnswer = () => watched.answered >= answered + tasks && tester.dispose();
      const outcomes = await Promise.allSettled([tester.contacts(bodies, pairs), tester.contacts(bodies, pairs)]);
      for (const outcome of outcomes)
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'DISPOSED' } });
      await vi.waitFor(() => expect(watched.alive).toBe(0), PATIENCE);
    },
  );
});

test('workers of a tester that is disposed of while they are loaded end too', async () => {
  const watched = watchWorkers();
  const tester = await hullTester({ threads: 3 });
  const asked = tester.contacts(bodies, pairs).catch(() => {});
  await vi.waitFor(() => expect(watched.workers.length).toBe(3), { ...PATIENCE, interval: 1 });
  tester.dispose();
  await asked;
  await vi.waitFor(() => expect(watched.alive).toBe(0), PATIENCE);
});

describe('workers that can’t be made', () => {
  test.each([
    [
      'where there are none',
      { refusal: new Error('workers are forbidden here') },
      /has 1 thread instead of 2, .*workers are forbidden here/,
    ],
    [
      'as their file is missing',
      { program: new URL('file:///no/such/worker.js') },
      /has 1 thread instead of 2, .*no\/such\/worker\.js/,
    ],
    [
      'as they end before they begin',
      { program: new URL('data:text/javascript,process.exit(3)') },
      /has 1 thread instead of 2, .*exit code 3/,
    ],
    [
      'as they throw',
      { program: new URL("data:text/javascript,throw new Error('of a worker')") },
      /has 1 thread instead of 2, .*of a worker/,
    ],
  ])('%s: the caller’s thread answers, and `fallback` says why', async (_, meddling, reason) => {
    watchWorkers(meddling);
    const { tester, backend } = openWithBackend(2);
    expect(backend.fallback).toBeUndefined();
    await vi.waitFor(async () => {
      expect(differences(await tester.contacts(bodies, pairs), expected)).toEqual([]);
      expect(backend.fallback).toMatch(reason);
    }, PATIENCE);
    expect(differences(await tester.contacts(bodies, pairs), expected)).toEqual([]);
    tester.dispose();
  });

  test('with one thread nobody asks for any', async () => {
    const watched = watchWorkers();
    const { tester, backend } = openWithBackend(1);
    expect(differences(await tester.contacts(bodies, pairs), expected)).toEqual([]);
    expect([watched.workers, backend.fallback]).toEqual([[], undefined]);
    tester.dispose();
  });
});

describe('workers that die while they work', () => {
  test.each([1, 3])('%i of 3: what they had is done again, and all answers are there', async (deaths) => {
    const watched = watchWorkers();
    const { tester, backend } = openWithBackend(3);
    using warmStart = tester.createWarmStart(pairs.length / 2);
    using other = await hullTester({ threads: 1 });
    using otherStart = other.createWarmStart(pairs.length / 2);
    await untilAnswered(watched, () => tester.contacts(bodies, pairs));
    const dying = new Set(watched.workers.slice(0, deaths));
    watched.onAnswer = (worker) => dying.delete(worker) && void worker.terminate();
    for (let i = 0; i < 3; i++) {
      const found = await tester.contacts(bodies, pairs, { warmStart, algorithm: 'gjk' });
      expect(
        differences(found, await other.contacts(bodies, pairs, { warmStart: otherStart, algorithm: 'gjk' })),
      ).toEqual([]);
    }
    await vi.waitFor(() => expect(watched.alive).toBe(3 - deaths), PATIENCE);
    expect(backend.fallback === undefined).toBe(deaths < 3);
    tester.dispose();
  });
});

test.each([1, 2])('%i of 2 workers die while they check a query: the query is answered', async (deaths) => {
  const watched = watchWorkers();
  const { tester, backend } = openWithBackend(2);
  await untilAnswered(watched, () => tester.contacts(bodies, pairs));
  let screened = 0;
  watched.onPost = (message) => void (screened += Number(typeof message === 'object' && 'part' in message));
  const dying = new Set(watched.workers.slice(0, deaths));
  watched.onAnswer = (worker) => dying.delete(worker) && void worker.emit('messageerror', new Error('of a test'));
  expect(differences(await tester.contacts(bodies, pairs), expected)).toEqual([]);
  expect([screened > 0, dying.size, backend.fallback === undefined]).toEqual([true, 0, deaths < 2]);
  expect(differences(await tester.contacts(bodies, pairs), expected)).toEqual([]);
  tester.dispose();
});

describe('tasks that can’t be posted', () => {
  test.each([true, false])(
    'are answered on the caller’s thread, and shapes that came with them get to the workers later; shared memory: %s',
    async (isShared) => {
      if (!isShared) vi.stubGlobal('crossOriginIsolated', false);
      const watched = watchWorkers();
      const { tester, backend } = openWithBackend(2);
      using one = await hullTester({ threads: 1 });
      await untilAnswered(watched, () => tester.contacts(bodies, pairs));
      for (const each of [tester, one]) {
        each.removeShape(0);
        expect(each.addShape({ type: 'sphere', radius: 0.5 })).toBe(0);
      }
      const expectedNow = await one.contacts(bodies, pairs);
      expect(differences(expectedNow, expected)).not.toEqual([]);
      let refusals = 0;
      watched.onPost = (message) => {
        if (typeof message === 'string') return;
        refusals++;
        throw new DOMException('of a test', 'DataCloneError');
      };
      expect(differences(await tester.contacts(bodies, pairs), expectedNow)).toEqual([]);
      expect(refusals).toBe(1);
      watched.onPost = undefined;
      await untilAnswered(watched, async () =>
        expect(differences(await tester.contacts(bodies, pairs), expectedNow)).toEqual([]),
      );
      expect(backend.fallback).toBeUndefined();
      tester.dispose();
    },
  );

  test('leave those before them to the workers', async () => {
    const watched = watchWorkers();
    using tester = await hullTester({ threads: 2 });
    await untilAnswered(watched, () => tester.contacts(bodies, pairs));
    let posted = 0;
    watched.onPost = (message) => {
      if (typeof message === 'object' && ++posted === 5) throw new RangeError('Array buffer allocation failed');
    };
    const before = watched.answered;
    expect(differences(await tester.contacts(bodies, pairs), expected)).toEqual([]);
    expect([posted, watched.answered - before]).toEqual([5, 4]);
  });
});

test('an answer of a worker that was given up is not taken: its pairs are answered elsewhere', async () => {
  const watched = watchWorkers();
  const { tester } = openWithBackend(2);
  using one = await hullTester({ threads: 1 });
  await untilAnswered(watched, () => tester.contacts(bodies, pairs));
  using warmStart = tester.createWarmStart(pairs.length / 2);
  using otherStart = one.createWarmStart(pairs.length / 2);
  let isGivenUp = false;
  // Before the answer gets to the pool.
  watched.onAnswer = (worker) => {
    if (!isGivenUp) worker.emit('messageerror', new Error('of a test'));
    isGivenUp = true;
  };
  for (let i = 0; i < 2; i++) {
    const found = await tester.contacts(bodies, pairs, { warmStart, algorithm: 'gjk' });
    expect(differences(found, await one.contacts(bodies, pairs, { warmStart: otherStart, algorithm: 'gjk' }))).toEqual(
      [],
    );
  }
  expect(isGivenUp).toBe(true);
  tester.dispose();
});

test('a warm start for 2^27 pairs takes memory for those that it is used for', async () => {
  using tester = await hullTester({ threads: 1 });
  using warmStart = tester.createWarmStart(2 ** 27);
  const few = pairs.subarray(0, 200);
  await tester.contacts(bodies, few);
  const before = process.memoryUsage().arrayBuffers;
  await tester.contacts(bodies, few, { warmStart });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20);
});
