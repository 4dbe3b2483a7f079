/** Iterations from the records of a batch: results tell them for `contacts` alone. */

import { INFO_ITERATIONS_SHIFT } from '../../../src/generated/constants.ts';
import type { RecordSize } from '../../../src/records/layout.ts';
import type { Tester } from '../../../src/api/types.ts';

type Batch = Awaited<ReturnType<Tester['createBatch']>>;

/** Bits of `GPUBufferUsage` and `GPUMapMode`, which Node has no globals for. */
const MAP_READ = 1;
const COPY_DST = 8;

/** Mean over the first `count` records, of this size. */
export async function meanIterations(
  { device, output }: Pick<Batch, 'device' | 'output'>,
  { words, info }: RecordSize,
  count: number,
): Promise<number> {
  const staging = device.createBuffer({ label: 'bench.records', size: 4 * words * count, usage: MAP_READ | COPY_DST });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(output.records, 0, staging, 0, staging.size);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(MAP_READ);
  const records = new Uint32Array(staging.getMappedRange());
  let sum = 0;
  for (let i = 0; i < count; i++) sum += records[words * i + info] >>> INFO_ITERATIONS_SHIFT;
  staging.destroy();
  return sum / count;
}
