/** Batches as a caller's frame uses them, and results compared bit for bit. */

import type { Batch, BatchReadOptions } from '../../src/api/batch.ts';
import type { Contacts, Distances, Intersections, Manifolds, SpaceTypes, TesterTypes } from '../../src/api/types.ts';

export type AnyResult = Intersections | Distances | Contacts | Manifolds;
type Column = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

/** Everything that a result says, its arrays as bytes: equal when all bits are. */
export function bitsOf(result: AnyResult): Record<string, unknown> {
  const bits: Record<string, unknown> = {
    count: result.count,
    statusCounts: [...result.statusCounts],
    hits: (result as Intersections).hits,
  };
  for (const [name, values] of Object.entries(result)) {
    if (!ArrayBuffer.isView(values)) continue;
    const column = values as Column;
    const isManifold = 'pointCount' in result;
    const width =
      name === 'position'
        ? 12
        : ['normal', 'pointA', 'pointB'].includes(name)
          ? 3
          : isManifold && ['distance', 'feature'].includes(name)
            ? 4
            : 1;
    bits[name] = Buffer.from(
      column.buffer,
      column.byteOffset,
      column.BYTES_PER_ELEMENT * width * result.count,
    ).toString('hex');
  }
  return bits;
}

/** Names of what differs between two results, for `toEqual([])`. */
export function differences(found: AnyResult, expected: AnyResult): string[] {
  const [a, b] = [bitsOf(found), bitsOf(expected)];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    (name) => JSON.stringify(a[name]) !== JSON.stringify(b[name]),
  );
}

/** Records the batch and submits it. */
export function submit(batch: { readonly device: GPUDevice; encode(encoder: GPUCommandEncoder): void }): void {
  const encoder = batch.device.createCommandEncoder();
  batch.encode(encoder);
  batch.device.queue.submit([encoder.finish()]);
}

/** One frame from upload to result. */
export async function frame<Result, Types extends TesterTypes = SpaceTypes>(
  batch: Batch<Result, Types>,
  data: Parameters<Batch<Result, Types>['write']>[0],
  options?: BatchReadOptions<Result>,
): Promise<Result> {
  batch.write(data);
  submit(batch);
  return batch.read(options);
}

/** The bytes of a buffer, copied by commands of the caller's own. */
export async function readBuffer(device: GPUDevice, buffer: GPUBuffer, size = buffer.size): Promise<ArrayBuffer> {
  const staging = device.createBuffer({ label: 'test.staging', size, usage: 1 | 8 });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, size);
  device.queue.submit([encoder.finish()]);
  await staging.mapAsync(1);
  const bytes = staging.getMappedRange().slice(0);
  staging.destroy();
  return bytes;
}

/** A storage buffer of the caller's that holds `data`. */
export function storageBuffer(
  device: GPUDevice,
  label: string,
  data: ArrayBufferView<ArrayBuffer>,
  size = data.byteLength,
): GPUBuffer {
  const buffer = device.createBuffer({ label, size, usage: 128 | 4 | 8 });
  device.queue.writeBuffer(buffer, 0, data);
  return buffer;
}
