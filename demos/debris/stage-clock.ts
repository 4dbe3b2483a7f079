/** Times of stages on the GPU, by timestamps between them. */

export interface StageClock<Stage extends string> {
  /** Marks the beginning of stage `index`, or with the number of stages the end of the last. */
  mark(encoder: GPUCommandEncoder, index: number): void;
  /** Milliseconds of each stage as last submitted. Undefined while an earlier read is in flight. */
  read(): Promise<Record<Stage, number> | undefined>;
  dispose(): void;
}

/** Undefined if the device has no timestamps. */
export function createStageClock<Stage extends string>(
  device: GPUDevice,
  stages: readonly Stage[],
): StageClock<Stage> | undefined {
  if (!device.features.has('timestamp-query')) return undefined;
  const count = stages.length + 1;
  const querySet = device.createQuerySet({ type: 'timestamp', count });
  const resolved = device.createBuffer({ size: 8 * count, usage: 0x200 | 0x04 }); // QUERY_RESOLVE | COPY_SRC
  const staging = device.createBuffer({ size: 8 * count, usage: 0x01 | 0x08 }); // MAP_READ | COPY_DST
  let isReading = false;
  return {
    mark(encoder, index) {
      // An empty pass: its timestamp is written when the passes before it have ended.
      encoder.beginComputePass({ timestampWrites: { querySet, beginningOfPassWriteIndex: index } }).end();
    },
    async read() {
      if (isReading) return undefined;
      isReading = true;
      const encoder = device.createCommandEncoder();
      encoder.resolveQuerySet(querySet, 0, count, resolved, 0);
      encoder.copyBufferToBuffer(resolved, 0, staging, 0, 8 * count);
      device.queue.submit([encoder.finish()]);
      try {
        await staging.mapAsync(0x01);
        const times = new BigUint64Array(staging.getMappedRange().slice(0));
        staging.unmap();
        const entries = stages.map((stage, i) => [stage, between(times[i], times[i + 1])]);
        return Object.fromEntries(entries) as Record<Stage, number>;
      } finally {
        isReading = false;
      }
    },
    dispose() {
      querySet.destroy();
      resolved.destroy();
      staging.destroy();
    },
  };
}

/** Milliseconds. Some devices write zeros in place of times. */
function between(begin: bigint, end: bigint): number {
  return begin === 0n ? 0 : Math.max(Number(end - begin) / 1e6, 0);
}
