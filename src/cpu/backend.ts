/**
 * Queries on the CPU in double precision: the reference where there is no WebGPU. It writes the kernels' records.
 *
 * A query begins on the caller's thread. If it takes long, the rest goes to workers once they are loaded. From then on
 * large queries in shared memory go to them at once, and they check the input. If workers fail, the caller's thread
 * answers their pairs. No answer depends on which thread answers a pair, or on how many pairs a thread answers at a
 * time: each pair is answered by itself.
 */
import { noTimings, type Backend } from '../request/backend.ts';
import { NarrowphaseError } from '../api/errors.ts';
import { throwIfAborted } from '../request/abort.ts';
import { MAX_HULL_VERTICES } from '../shapes/fields.ts';
import { TURN_MS, nextTurn } from '../util/turns.ts';
import { answerPairs } from './answer-pairs.ts';
import type { AnswerPair } from './asked-pairs.ts';
import { coreCount } from './threads/platform.ts';
import { createPool } from './threads/pool.ts';
import { isShared } from './threads/task.ts';
import { MOST_PAIRS, makeWork } from './threads/work.ts';
import { idsOf } from './warm-ids.ts';

/** Most workers of a tester. */
const MOST_THREADS = 8;

/** Milliseconds of work between two looks at the clock. */
const LOOK_MS = 1;

/** Milliseconds of work that a query does on the caller's thread at least. */
const KEPT_MS = 4;

/** Milliseconds of work that must be left for it to go to workers. */
const HANDED_MS = 4;

/** Milliseconds of work that must be left for workers to be started: they take about as long to load. */
const LOADING_MS = 25;

/**
 * With `wanted` workers, at most 8; with 1 there is none, and all is done on the caller's thread. `workerUrl`: as in the
 * options of testers.
 */
export function createCpuBackend(answerPair: AnswerPair, wanted = coreCount(), workerUrl?: URL): Backend {
  const threads = Math.min(wanted, MOST_THREADS);
  const timings = noTimings();
  const pool = threads > 1 ? createPool(threads, workerUrl) : undefined;
  let isDisposed = false;
  /** Since the event loop last had its turn, in this query and in those before it. */
  let busy = 0;
  return {
    name: 'cpu',
    adapter: { vendor: '', architecture: '', description: 'CPU reference, double precision', isSoftware: true },
    get fallback() {
      if (pool?.failure === undefined) return undefined;
      return `the CPU backend has 1 thread instead of ${threads}, as its workers failed: ${pool.failure}`;
    },
    limits: {
      maxBodies: 2 ** 31,
      maxShapes: 2 ** 31,
      maxHullVertices: MAX_HULL_VERTICES,
      maxPairsPerChunk: MOST_PAIRS,
    },
    timings,
    async run(request, sink) {
      Object.assign(timings, noTimings());
      await sink.loadDecoding();
      const { pairs, warmStart, check } = request.over;
      const work = makeWork(pairs.length / 2, sink);
      // All the memory that the query needs, at once.
      if (warmStart) idsOf(warmStart, 0, pairs.length / 2);
      let takesMore = true;

      async function handOver(isChecked: boolean): Promise<void> {
        const start = performance.now();
        const end = await pool!.run(request, work, isChecked);
        takesMore = end !== 'refused';
        timings.kernels += performance.now() - start;
        if (!isChecked && end !== 'answered') check!();
      }

      // Workers that are ready take all of a large query if they can share its memory.
      if (check) {
        if (pool?.isReady && isShared(request.over)) await handOver(false);
        else check();
      }
      while (!work.isDone) {
        throwIfAborted(request.signal);
        request.ensureIntact?.();
        if (isDisposed) throw new NarrowphaseError('DISPOSED', 'the tester was disposed while a query ran');
        if (pool && takesMore && timings.kernels >= KEPT_MS) {
          if (work.rest >= LOADING_MS) pool.start();
          if (pool.isReady && work.rest >= HANDED_MS) {
            await handOver(true);
            continue;
          }
        }
        const start = performance.now();
        const range = work.takeBack() ?? work.take(LOOK_MS)!;
        const { first, count } = range;
        const answers = answerPairs(answerPair, request, first, count, warmStart && idsOf(warmStart, first, count));
        const spent = performance.now() - start;
        work.put(range, answers, spent);
        timings.kernels += spent;
        busy += spent;
        if (busy < TURN_MS) continue;
        await nextTurn();
        busy = 0;
      }
    },
    // Nothing is compiled.
    async prepare() {},
    dispose() {
      isDisposed = true;
      pool?.dispose();
    },
  };
}
