/**
 * Time between two points of a command encoder by timestamps of the GPU. Browsers round them to tenths of a
 * millisecond.
 */

import { millisecondsBetween } from '../../../verification/gpu-cases/timestamps.ts';

export interface KernelClock {
  begin(encoder: GPUCommandEncoder): void;
  end(encoder: GPUCommandEncoder): void;
  /** Milliseconds, once submitted. */
  read(): Promise<number>;
}

/** Bits of `GPUBufferUsage` and `GPUMapMode`, which Node has no globals for. */
const MAP_READ = 1;
const COPY_SRC = 4;
const COPY_DST = 8;
const QUERY_RESOLVE = 512;

/** undefined: the device has no timestamps. */
export function createKernelClock(device: GPUDevice): KernelClock | undefined {
  if (!device.features.has('timestamp-query')) return undefined;
  const querySet = device.createQuerySet({ label: 'bench.timestamps', type: 'timestamp', count: 2 });
  const resolved = device.createBuffer({ label: 'bench.timestamps', size: 16, usage: QUERY_RESOLVE | COPY_SRC });
  const staging = device.createBuffer({ label: 'bench.timestamps on the host', size: 16, usage: MAP_READ | COPY_DST });
  return {
    // Timestamps are written by passes alone: empty ones before and after.
    begin(encoder) {
      encoder.beginComputePass({ timestampWrites: { querySet, endOfPassWriteIndex: 0 } }).end();
    },
    end(encoder) {
      encoder.beginComputePass({ timestampWrites: { querySet, beginningOfPassWriteIndex: 1 } }).end();
      encoder.resolveQuerySet(querySet, 0, 2, resolved, 0);
      encoder.copyBufferToBuffer(resolved, 0, staging, 0, 16);
    },
    async read() {
      await staging.mapAsync(MAP_READ);
      const [start, end] = new BigUint64Array(staging.getMappedRange().slice(0));
      staging.unmap();
      return millisecondsBetween(start, end, 'a run');
    },
  };
}
