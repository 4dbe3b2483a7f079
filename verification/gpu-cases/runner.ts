/** One measurement's batch on a scene, and samples of the time that it takes. */

import type { BatchOptions } from '../../src/api/batch-options.ts';
import { planarRecords, spaceRecords, type RecordSize } from '../../src/records/layout.ts';
import type { Tester } from '../../src/api/types.ts';
import { DURATION } from '../workloads/aim.ts';
import type { OpenDevice } from './open-device.ts';
import type { GpuCase } from './cases.ts';
import { MOST_STRETCHES, type Clock } from './clock.ts';
import { largestSceneBuffer, type DeviceScene, type HostScene, type SceneLayout } from './scene.ts';
import { LIMITS, within } from './timeout.ts';
import { isPlanar } from './case-workload.ts';

export type Batch = Awaited<ReturnType<Tester['createBatch']>>;

/** Milliseconds of the query over all pairs, once. */
export interface Sample {
  /** By timestamps; null without them. */
  gpuMs: number | null;
  /** From submission until the work is done. */
  wallMs: number;
}

export interface Runner {
  batch: Batch;
  pairs: number;
  /** Runs of the batch that all pairs take. */
  turns: number;
  /** Runs the query so many times in one submission. */
  sample(repeats: number): Promise<Sample>;
  /** Runs the query for the first time: so many times, and some drivers compile now. */
  start(repeats: number): Promise<void>;
  /** Most repeats of one submission. */
  mostRepeats: number;
  dispose(): void;
}

/** Bits of `GPUBufferUsage`, which Node has no global for. */
const COPY_SRC = 4;
const COPY_DST = 8;

/** Bytes per pair in the list of pairs, and in the simplices that warm searches keep. */
const PAIR_BYTES = 8;
const SIMPLEX_BYTES = 16;

/** The record of a pair. */
export function recordOf({ workload, query }: Pick<GpuCase, 'query' | 'workload'>): RecordSize {
  return (isPlanar(workload) ? planarRecords : spaceRecords).sizes[query];
}

/** Pairs that one batch can have on this device. */
export function mostPairs(
  { facts }: Pick<OpenDevice, 'facts'>,
  gpuCase: Pick<GpuCase, 'query' | 'workload'>,
  isWarm = false,
): number {
  return Math.floor(
    bindableBytes(facts.limits) / Math.max(PAIR_BYTES, isWarm ? SIMPLEX_BYTES : 0, 4 * recordOf(gpuCase).words),
  );
}

/**
 * Runs of a batch that so many pairs take, all over the first pairs of the list: more pairs than a buffer of records
 * holds run as several batches of a size one after the other. null: the device can't have them, as they need a larger
 * buffer of bodies, or as every pair has to keep what its search ended with.
 */
export function turnsFor(
  opened: Pick<OpenDevice, 'facts'>,
  gpuCase: Pick<GpuCase, 'query' | 'workload'>,
  host: HostScene,
  layout: SceneLayout,
): number | null {
  let turns = 1;
  while (layout.pairCount / turns > mostPairs(opened, gpuCase, layout.isMoving)) turns *= 2;
  const isWhole = layout.bodies === 'own' || layout.isMoving;
  if (isWhole && (turns > 1 || largestSceneBuffer(host, layout) > bindableBytes(opened.facts.limits))) return null;
  return turns;
}

function bindableBytes({ maxBufferSize, maxStorageBufferBindingSize }: OpenDevice['facts']['limits']): number {
  return Math.min(maxBufferSize, maxStorageBufferBindingSize);
}

/** The options of a batch over bodies in motion. */
export function motionOptions(motion: GpuCase['motion'], velocities: GPUBuffer | undefined): object {
  if (motion === null) return {};
  const duration = motion === 'rays' ? Infinity : DURATION;
  return { duration, velocities, ...(motion === 'turning' && { turning: true }) };
}

export interface RunnerOptions {
  pairs: number;
  turns: number;
  isWarm: boolean;
}

export async function createRunner(
  opened: OpenDevice,
  clock: Clock | undefined,
  gpuCase: Pick<GpuCase, 'query' | 'algorithm' | 'motion'>,
  scene: DeviceScene,
  { pairs, turns, isWarm }: RunnerOptions,
): Promise<Runner> {
  const { tester, device } = opened;
  const { queue } = device;
  const perTurn = Math.ceil(pairs / turns);
  const pairCount = device.createBuffer({ label: 'runner.pairCount', size: 4, usage: COPY_SRC | COPY_DST });
  queue.writeBuffer(pairCount, 0, Uint32Array.of(perTurn));
  const { query, algorithm, motion } = gpuCase;
  const { poses, shapes, velocities, bodyCount, frames } = scene;
  const making = tester.createBatch({
    query,
    algorithm,
    maxBodies: bodyCount,
    maxPairs: perTurn,
    ...(isWarm && { warmStart: true }),
    ...motionOptions(motion, velocities),
    poses,
    shapes,
    pairs: scene.pairs,
    pairCount,
  } as BatchOptions);
  const batch = (await within(making, LIMITS.compile, `createBatch of ${query}`)) as Batch;

  function record(repeats: number): GPUCommandBuffer {
    const encoder = device.createCommandEncoder({ label: 'runner.sample' });
    if (!frames) clock?.begin(encoder);
    for (let i = 0; i < repeats; i++) {
      if (frames) {
        encoder.copyBufferToBuffer(frames[i % 2], 0, poses, 0, frames[0].size);
        clock?.begin(encoder);
      }
      for (let turn = 0; turn < turns; turn++) batch.encode(encoder);
      if (frames) clock?.end(encoder);
    }
    if (!frames) clock?.end(encoder);
    clock?.resolve(encoder);
    return encoder.finish();
  }

  async function submit(repeats: number, seconds: number): Promise<number> {
    const commands = record(repeats);
    const begin = performance.now();
    queue.submit([commands]);
    await within(queue.onSubmittedWorkDone(), seconds, `${repeats} runs of ${pairs} pairs`);
    return performance.now() - begin;
  }

  return {
    batch,
    pairs,
    turns,
    mostRepeats: frames ? MOST_STRETCHES / 4 : MOST_STRETCHES,
    async sample(repeats) {
      const wallMs = (await submit(repeats, LIMITS.work)) / repeats;
      const gpuMs = clock ? (await clock.read()) / repeats : null;
      return { gpuMs, wallMs };
    },
    async start(repeats) {
      await submit(repeats, LIMITS.compile);
      await clock?.read();
    },
    dispose() {
      batch.dispose();
      pairCount.destroy();
    },
  };
}
