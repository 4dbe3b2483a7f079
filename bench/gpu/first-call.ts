/** What a caller waits for once, and what results cost on their way to the host. */

import type { BatchOptions } from '../../src/api/batch-options.ts';
import { median } from '../../verification/statistics/median.ts';
import type { OpenAdapter } from './adapter.ts';
import { compileTimes } from './facts.ts';
import type { GpuCase } from '../../verification/gpu-cases/cases.ts';
import type { FirstCall, ReadBack } from './report.ts';
import { createRunner, motionOptions, recordOf, type Batch } from '../../verification/gpu-cases/runner.ts';
import type { DeviceScene } from '../../verification/gpu-cases/scene.ts';
import { LIMITS, within } from '../../verification/gpu-cases/timeout.ts';

const FIRST_PAIRS = 1024;
const READS = 5;

/** In a device that has compiled nothing yet. */
export async function measureFirstCall(opened: OpenAdapter, gpuCase: GpuCase, scene: DeviceScene): Promise<FirstCall> {
  await within(opened.device.queue.onSubmittedWorkDone(), LIMITS.work, 'the upload');
  const begin = performance.now();
  const runner = await createRunner(opened, undefined, gpuCase, scene, { pairs: FIRST_PAIRS, turns: 1, isWarm: false });
  await runner.start(1);
  const ms = performance.now() - begin;
  runner.dispose();
  return { pairs: FIRST_PAIRS, ms, compile: compileTimes(opened.compiling) };
}

/** Measures reading back the hits among the first pairs of a scene. */
export async function measureReadBack(
  { tester, device }: OpenAdapter,
  gpuCase: GpuCase,
  scene: DeviceScene,
  pairs: number,
): Promise<ReadBack> {
  const { query, algorithm, motion } = gpuCase;
  const { poses, shapes, velocities, bodyCount } = scene;
  const making = tester.createBatch({
    query,
    algorithm,
    results: 'hits',
    maxBodies: bodyCount,
    maxPairs: pairs,
    ...motionOptions(motion, velocities),
    poses,
    shapes,
  } as BatchOptions);
  const batch = (await within(making, LIMITS.compile, 'createBatch for hits')) as Batch;
  const encoder = device.createCommandEncoder({ label: 'readBack.pairs' });
  encoder.copyBufferToBuffer(scene.pairs, 0, batch.input.pairs, 0, 8 * pairs);
  device.queue.submit([encoder.finish()]);
  device.queue.writeBuffer(batch.input.pairCount, 0, Uint32Array.of(pairs));
  const reads: number[] = [];
  const trips: number[] = [];
  let target: unknown;
  let hits = 0;
  for (let i = 0; i <= READS; i++) {
    submit();
    await within(device.queue.onSubmittedWorkDone(), LIMITS.work, 'the query for hits');
    reads.push(await timedRead(performance.now()));
    const begin = performance.now();
    submit();
    trips.push(await timedRead(begin));
  }
  batch.dispose();
  const bytes = hits * (4 * recordOf(gpuCase).words + 4);
  // The first read makes its buffers.
  return { pairs, hits, bytes, readMs: median(reads.slice(1)), roundTripMs: median(trips.slice(1)) };

  function submit(): void {
    const commands = device.createCommandEncoder({ label: 'readBack' });
    batch.encode(commands);
    device.queue.submit([commands.finish()]);
  }

  async function timedRead(begin: number): Promise<number> {
    const result = await within(batch.read({ target: target as never }), LIMITS.work, 'reading hits');
    const ms = performance.now() - begin;
    target = result;
    hits = result.count;
    return ms;
  }
}
