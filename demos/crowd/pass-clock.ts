/** Times at which passes begin and end, if the device has timestamps. */

import type { StageTimes } from './crowd.ts';

export interface PassClock {
  /** Two u64 nanoseconds per pass: begin and end. Undefined: the device has no timestamps. */
  readonly buffer: GPUBuffer | undefined;
  /** Call before the first pass of a step. */
  start(): void;
  /** For the descriptor of the next pass. */
  next(): GPUComputePassTimestampWrites | undefined;
  resolve(encoder: GPUCommandEncoder): void;
  dispose(): void;
}

const PASSES = 6;

export function createPassClock(device: GPUDevice): PassClock {
  if (!device.features.has('timestamp-query')) {
    return { buffer: undefined, start() {}, next: () => undefined, resolve() {}, dispose() {} };
  }
  const querySet = device.createQuerySet({ type: 'timestamp', count: 2 * PASSES });
  const usage = GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC;
  const buffer = device.createBuffer({ label: 'Crowd.timestamps', size: 16 * PASSES, usage });
  let pass = 0;
  return {
    buffer,
    start() {
      pass = 0;
    },
    next() {
      const beginningOfPassWriteIndex = 2 * pass++;
      return { querySet, beginningOfPassWriteIndex, endOfPassWriteIndex: beginningOfPassWriteIndex + 1 };
    },
    resolve: (encoder) => encoder.resolveQuerySet(querySet, 0, 2 * PASSES, buffer, 0),
    dispose() {
      querySet.destroy();
      buffer.destroy();
    },
  };
}

/** From the times at which the six passes of a step began and ended: a query lies between two passes. */
export function stageTimes(stamps: BigUint64Array): StageTimes {
  // Some devices write zeros.
  const between = (from: number, to: number): number =>
    stamps[from] === 0n ? 0 : Math.max(Number(stamps[to] - stamps[from]) / 1e6, 0);
  return {
    impacts: between(1, 2) + between(5, 6) + between(7, 8),
    contacts: between(3, 4),
    check: between(9, 10),
    steering: [0, 2, 4, 6, 8, 10].reduce((sum, from) => sum + between(from, from + 1), 0),
  };
}
