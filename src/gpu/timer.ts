/** Time in kernels, by timestamps if the device has them. */
import { USAGE } from './buffers.ts';
import type { Region } from './read-back.ts';

export interface Timer {
  /** Put into the descriptor of the compute pass to measure. */
  readonly writes: GPUComputePassTimestampWrites | undefined;
  /** Records the copy of the last pass's timestamps, and returns where they will be. */
  resolve(encoder: GPUCommandEncoder): Region;
  /** Milliseconds of a pass; 0 if the pass was measured before, or without timestamps, also where they are zeros. */
  elapsed(stamps: Uint8Array<ArrayBuffer>): number;
  destroy(): void;
}

export function createTimer(device: GPUDevice): Timer {
  const buffer = device.createBuffer({ label: 'timer.stamps', size: 16, usage: USAGE.QUERY_RESOLVE | USAGE.COPY_SRC });
  if (!device.features.has('timestamp-query')) {
    return {
      writes: undefined,
      resolve: () => ({ buffer, offset: 0, size: 0 }),
      elapsed: () => 0,
      destroy: () => buffer.destroy(),
    };
  }
  const querySet = device.createQuerySet({ label: 'timer.querySet', type: 'timestamp', count: 2 });
  let last = 0n;
  return {
    writes: { querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 },
    resolve(encoder) {
      encoder.resolveQuerySet(querySet, 0, 2, buffer, 0);
      return { buffer, offset: 0, size: 16 };
    },
    elapsed(stamps) {
      // A copy: the bytes need not begin at a multiple of eight.
      const [begin, end] = new BigUint64Array(stamps.slice().buffer);
      // Some devices write no stamps, or only the end's.
      if (begin === 0n || end === last || end < begin) return 0;
      last = end;
      return Number(end - begin) / 1e6;
    },
    destroy() {
      querySet.destroy();
      buffer.destroy();
    },
  };
}
