/**
 * A batch of narrowphase, whose inputs are in buffers of the GPU when the clock starts. Timed are submissions until
 * their work is done, and one more until its results are on the host. A device that hangs is the benchmark's to notice,
 * which ends the process.
 */

import type { BatchOptions } from '../../../src/api/batch-options.ts';
import { planarRecords, spaceRecords } from '../../../src/records/layout.ts';
import type { Throttle } from '../../../src/gpu/session.ts';
import type { Algorithm, Tester } from '../../../src/api/types.ts';
import { firstPairs, type AnyWorkload } from '../../../verification/workloads/workload.ts';
import { meanIterations } from './iterations.ts';
import { createKernelClock, type KernelClock } from './kernel-clock.ts';
import type { Query } from '../../../verification/workloads/query.ts';
import type { Sample } from '../protocol.ts';
import { answersOf, durationOf, type Result, type StartedRunner } from './result.ts';

type Batch = Awaited<ReturnType<Tester['createBatch']>>;

/**
 * Clocks of browsers tell tenths of a millisecond, and Firefox tells that work is done at the next tick of a timer of
 * 100 ms: what is over sooner is submitted several times in a row and waited for once.
 */
const LEAST_SAMPLE_MS = 100;
const LEAST_TICKS = 4;
const MOST_REPEATS = 256;

/**
 * Bytes of a batch's largest buffer, as far as the device allows it; more pairs run as turns of one batch in one
 * submission.
 */
const LARGEST_BUFFER = 2 ** 28;
/** The least size of an entry in a buffer with an entry per pair: records, or the lists between passes. */
const LEAST_BYTES_PER_PAIR = 16;

export async function createBatchRunner(
  tester: Tester,
  workload: AnyWorkload,
  query: Query,
  algorithm: Algorithm,
  rest: Throttle = (promise) => promise,
): Promise<StartedRunner> {
  const { bodies } = workload;
  const duration = durationOf(workload);
  const record = (workload.dimension === 2 ? planarRecords : spaceRecords).sizes[query];
  let turns = 1;
  let repeats = 1;
  let result: Result | undefined;
  const start = performance.now();
  let batch = await makeBatch(1);
  const { device } = batch;
  const { queue } = device;
  await submissions(1);
  const firstCallMs = performance.now() - start;

  const clock = createKernelClock(device);
  const leastSample = Math.max(LEAST_SAMPLE_MS, LEAST_TICKS * (await tick()));

  return {
    firstCallMs,
    async reserve(count) {
      batch.dispose();
      result = undefined;
      turns = Math.ceil(count / mostPairs());
      batch = await makeBatch(Math.ceil(count / turns));
      await submissions(1);
      repeats = 1;
      for (let ms = await submissions(1); ms < leastSample && repeats < MOST_REPEATS; ms = await submissions(repeats)) {
        repeats = Math.min(MOST_REPEATS, Math.ceil(repeats * Math.max(2, leastSample / ms)));
      }
    },
    async run() {
      const sample: Sample = { ms: (await submissions(repeats)) / repeats };
      // With several turns, only the records of the last one are left to be read.
      if (turns > 1) return sample;
      const begin = performance.now();
      queue.submit([recorded(clock)]);
      result = (await batch.read({ target: result as never })) as Result;
      sample.readBackMs = performance.now() - begin;
      const kernelMs = await clock?.read();
      return { ...sample, ...(kernelMs !== undefined && { kernelMs }) };
    },
    async answers(indices) {
      return { ...answersOf(result!, indices), iterations: await meanIterations(batch, record, result!.count) };
    },
  };

  async function makeBatch(maxPairs: number): Promise<Batch> {
    const made = (await tester.createBatch({
      query,
      algorithm,
      maxBodies: bodies.shapes.length,
      maxPairs,
      ...(query === 'impacts' && { duration }),
    } as BatchOptions)) as Batch;
    made.write({ bodies: bodies as never, pairs: firstPairs(workload, maxPairs) });
    return made;
  }

  function recorded(timed?: KernelClock): GPUCommandBuffer {
    const encoder = device.createCommandEncoder();
    timed?.begin(encoder);
    for (let turn = 0; turn < turns; turn++) batch.encode(encoder);
    timed?.end(encoder);
    return encoder.finish();
  }

  /** Milliseconds from the first submission until the last one's work is done. */
  async function submissions(count: number): Promise<number> {
    const commands = Array.from({ length: count }, () => recorded());
    const begin = performance.now();
    for (const each of commands) queue.submit([each]);
    await rest(queue.onSubmittedWorkDone());
    return performance.now() - begin;
  }

  /** Milliseconds until word comes that nothing was to be done. */
  async function tick(): Promise<number> {
    let least = Infinity;
    for (let i = 0; i < 4; i++) {
      const begin = performance.now();
      queue.submit([device.createCommandEncoder().finish()]);
      await rest(queue.onSubmittedWorkDone());
      least = Math.min(least, performance.now() - begin);
    }
    return least;
  }

  function mostPairs(): number {
    const { maxStorageBufferBindingSize, maxBufferSize } = device.limits;
    const largest = Math.min(LARGEST_BUFFER, maxStorageBufferBindingSize, maxBufferSize);
    return Math.floor(largest / Math.max(LEAST_BYTES_PER_PAIR, 4 * record.words));
  }
}
