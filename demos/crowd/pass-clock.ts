/** Times at which passes begin and end, if the device has timestamps. */

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
