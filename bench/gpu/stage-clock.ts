/** Timestamps of the GPU behind each dispatch of a batch, which gets a compute pass of its own. */

import type { Batch } from '../../verification/gpu-cases/runner.ts';
import { splitPasses } from './split-passes.ts';
import { LIMITS, within } from '../../verification/gpu-cases/timeout.ts';
import { stageTimes } from '../../verification/gpu-cases/timestamps.ts';

export interface StageClock {
  /**
   * Runs a batch once, and tells milliseconds: of the copies before the kernels, then of each dispatch. Rejects if the
   * device's timestamps tell none.
   */
  sample(batch: Batch): Promise<number[]>;
  /** The names of what the last sample has times of. */
  kernels(): readonly string[];
  destroy(): void;
}

/** Bits of `GPUBufferUsage` and `GPUMapMode`, which Node has no globals for. */
const MAP_READ = 1;
const COPY_SRC = 4;
const COPY_DST = 8;
const QUERY_RESOLVE = 512;

/** No plan has as many dispatches. */
const MOST_STAMPS = 128;

/** undefined: the device has no timestamps. `areRounded`: they are not exact, so a short stage may take 0 ms. */
export function createStageClock(device: GPUDevice, areRounded = false): StageClock | undefined {
  if (!device.features.has('timestamp-query')) return undefined;
  const size = 8 * MOST_STAMPS;
  const querySet = device.createQuerySet({ label: 'stages.stamps', type: 'timestamp', count: MOST_STAMPS });
  const resolved = device.createBuffer({ label: 'stages.resolved', size, usage: QUERY_RESOLVE | COPY_SRC });
  const staging = device.createBuffer({ label: 'stages.staging', size, usage: MAP_READ | COPY_DST });
  let kernels: string[] = [];

  /** Taken when all that was recorded before has ended. */
  const stamp = (encoder: GPUCommandEncoder, index: number): void =>
    encoder.beginComputePass({ timestampWrites: { querySet, endOfPassWriteIndex: index } }).end();

  return {
    kernels: () => kernels,
    async sample(batch) {
      kernels = [];
      const encoder = device.createCommandEncoder({ label: 'stages.sample' });
      stamp(encoder, 0);
      batch.encode(
        splitPasses(encoder, {
          onPass() {
            kernels.push('copies');
            stamp(encoder, kernels.length);
          },
          onDispatch({ kernel }) {
            kernels.push(kernel);
            return { descriptor: { timestampWrites: { querySet, endOfPassWriteIndex: kernels.length } } };
          },
        }),
      );
      const count = kernels.length + 1;
      encoder.resolveQuerySet(querySet, 0, count, resolved, 0);
      encoder.copyBufferToBuffer(resolved, 0, staging, 0, 8 * count);
      device.queue.submit([encoder.finish()]);
      await within(staging.mapAsync(MAP_READ, 0, 8 * count), LIMITS.work, 'reading timestamps');
      const stamps = new BigUint64Array(staging.getMappedRange(0, 8 * count).slice(0));
      staging.unmap();
      return stageTimes(stamps, kernels, areRounded);
    },
    destroy() {
      querySet.destroy();
      resolved.destroy();
      staging.destroy();
    },
  };
}
