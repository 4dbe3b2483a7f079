/** A frame on a GPU: bodies move, and a batch finds their pairs and answers them. */

import { layouts } from '../../src/generated/layouts.ts';
import type { BatchCounts } from '../../src/api/batch.ts';
import type { Tester } from '../../src/api/types.ts';
import { createStageClock } from '../gpu/stage-clock.ts';
import { createMover } from './mover.ts';
import type { FrameScene } from './scenes.ts';

export type FrameQuery = 'pairs' | 'manifolds';

/** Milliseconds of the kernels of each stage. */
export interface FrameStages {
  /** Boxes, and the grid. */
  bounds: number;
  pairs: number;
  narrowPhase: number;
}

/** Milliseconds until the counts of a frame are on the host, and of all threads of this process. */
export interface FrameTime {
  wallMs: number;
  processorMs: number;
}

export interface GpuFrame {
  /** Bytes of the batch's buffers. */
  readonly bytes: number;
  readonly maxPairs: number;
  /** Moves the bodies to a frame, searches, and waits for the counts. */
  run(frame: number): Promise<FrameTime & { counts: BatchCounts }>;
  /** Each kernel in a compute pass of its own, by timestamps; undefined: the device has none. */
  stages(): Promise<FrameStages | undefined>;
  dispose(): void;
}

/** Kernels of the broad phase are in this folder. The first that looks for pairs is `FIRST_OF_PAIRS`. */
const BROAD_PHASE = 'broad-phase/';
const FIRST_OF_PAIRS = 'broad-phase/search';

/** Whether this device has buffers for so many pairs of a query. */
export function hasRoomFor(device: GPUDevice, query: FrameQuery, maxPairs: number): boolean {
  const { maxStorageBufferBindingSize, maxBufferSize } = device.limits;
  const perPair = query === 'pairs' ? 8 : layouts.Manifold.size;
  return perPair * maxPairs <= Math.min(maxStorageBufferBindingSize, maxBufferSize);
}

/** `shape` is the box of the scene. */
export async function createGpuFrame(
  tester: Tester,
  device: GPUDevice,
  scene: FrameScene,
  query: FrameQuery,
  maxPairs: number,
  shape: number,
): Promise<GpuFrame> {
  const mover = createMover(device, scene);
  const { value: batch, bytes } = await countingBytes(device, () =>
    tester.createBatch({ query, maxBodies: scene.count, maxPairs, broadPhase: true, poses: mover.poses }),
  );
  device.queue.writeBuffer(batch.input.shapes, 0, new Uint32Array(scene.count).fill(shape));
  const clock = createStageClock(device, true);
  return {
    bytes,
    maxPairs,
    async run(frame) {
      const start = performance.now();
      const before = process.cpuUsage();
      const encoder = device.createCommandEncoder({ label: 'frame' });
      mover.encode(encoder, frame);
      batch.encode(encoder);
      device.queue.submit([encoder.finish()]);
      const counts = await batch.readCounts();
      const wallMs = performance.now() - start;
      const { user, system } = process.cpuUsage(before);
      return { counts, wallMs, processorMs: (user + system) / 1000 };
    },
    async stages() {
      const times = await clock?.sample(batch);
      return times && stagesOf(clock!.kernels(), times);
    },
    dispose() {
      clock?.destroy();
      batch.dispose();
      mover.destroy();
    },
  };
}

/** Adds up the times, or other amounts, of dispatches by stage. */
export function stagesOf(kernels: readonly string[], amounts: readonly number[]): FrameStages {
  const firstOfPairs = kernels.findIndex((kernel) => kernel === FIRST_OF_PAIRS);
  const lastOfPairs = kernels.map((kernel) => kernel.startsWith(BROAD_PHASE)).lastIndexOf(true);
  if (firstOfPairs < 0) throw new Error(`no kernel is ${FIRST_OF_PAIRS}, among ${kernels.join(', ')}`);
  const stages: FrameStages = { bounds: 0, pairs: 0, narrowPhase: 0 };
  for (const [i, amount] of amounts.entries())
    stages[i < firstOfPairs ? 'bounds' : i <= lastOfPairs ? 'pairs' : 'narrowPhase'] += amount;
  return stages;
}

/** What `make` gives, and the bytes of the buffers that it creates on the device. */
async function countingBytes<Value>(
  device: GPUDevice,
  make: () => Promise<Value>,
): Promise<{ value: Value; bytes: number }> {
  const createBuffer = device.createBuffer.bind(device);
  let bytes = 0;
  device.createBuffer = (descriptor) => {
    bytes += descriptor.size;
    return createBuffer(descriptor);
  };
  try {
    const value = await make();
    return { value, bytes };
  } finally {
    device.createBuffer = createBuffer;
  }
}
