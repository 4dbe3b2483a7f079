/**
 * Time that stretches of a command encoder take, by timestamps of the GPU. A batch opens its compute pass itself, so
 * the stamps are written by empty passes before and after it: a stamp is taken when all that was recorded before has
 * ended.
 */

import { LIMITS, within } from './timeout.ts';
import { millisecondsBetween } from './timestamps.ts';

export interface Clock {
  begin(encoder: GPUCommandEncoder): void;
  end(encoder: GPUCommandEncoder): void;
  /** Recorded behind the last stretch. */
  resolve(encoder: GPUCommandEncoder): void;
  /** Milliseconds of all stretches since the last `read`, together. Rejects if the device's timestamps tell none. */
  read(): Promise<number>;
  destroy(): void;
}

/** Stretches between two reads: WebGPU's least limit is 4096 stamps. */
export const MOST_STRETCHES = 2048;

/** Bits of `GPUBufferUsage` and `GPUMapMode`, which Node has no globals for. */
const MAP_READ = 1;
const COPY_SRC = 4;
const COPY_DST = 8;
const QUERY_RESOLVE = 512;

/** undefined: the device has no timestamps. */
export function createClock(device: GPUDevice): Clock | undefined {
  if (!device.features.has('timestamp-query')) return undefined;
  const size = 16 * MOST_STRETCHES;
  const querySet = device.createQuerySet({ label: 'clock.stamps', type: 'timestamp', count: 2 * MOST_STRETCHES });
  const resolved = device.createBuffer({ label: 'clock.resolved', size, usage: QUERY_RESOLVE | COPY_SRC });
  const staging = device.createBuffer({ label: 'clock.staging', size, usage: MAP_READ | COPY_DST });
  let stretches = 0;
  return {
    begin(encoder) {
      encoder.beginComputePass({ timestampWrites: { querySet, endOfPassWriteIndex: 2 * stretches } }).end();
    },
    end(encoder) {
      encoder.beginComputePass({ timestampWrites: { querySet, beginningOfPassWriteIndex: 2 * stretches + 1 } }).end();
      stretches++;
    },
    resolve(encoder) {
      encoder.resolveQuerySet(querySet, 0, 2 * stretches, resolved, 0);
      encoder.copyBufferToBuffer(resolved, 0, staging, 0, 16 * stretches);
    },
    async read() {
      const bytes = 16 * stretches;
      stretches = 0;
      await within(staging.mapAsync(MAP_READ, 0, bytes), LIMITS.work, 'reading timestamps');
      const stamps = new BigUint64Array(staging.getMappedRange(0, bytes).slice(0));
      staging.unmap();
      let sum = 0;
      for (let i = 0; i < stamps.length; i += 2)
        sum += millisecondsBetween(stamps[i], stamps[i + 1], `stretch ${i / 2}`);
      return sum;
    },
    destroy() {
      querySet.destroy();
      resolved.destroy();
      staging.destroy();
    },
  };
}
