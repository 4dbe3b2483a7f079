/** Copies of GPU buffers on the host. */
import { MAP_READ, USAGE, type BufferPool } from './buffers.ts';

/** Bytes of a buffer to read, from `offset` on. */
export interface Region {
  buffer: GPUBuffer;
  offset: number;
  size: number;
}

/** Records the copy of the regions to the staging buffer. */
export function encodeCopies(pool: BufferPool, encoder: GPUCommandEncoder, regions: readonly Region[]): GPUBuffer {
  const total = regions.reduce((sum, region) => sum + region.size, 0);
  const staging = pool.get('staging', total, USAGE.MAP_READ | USAGE.COPY_DST);
  let at = 0;
  for (const { buffer, offset, size } of regions) {
    if (size > 0) encoder.copyBufferToBuffer(buffer, offset, staging, at, size);
    at += size;
  }
  return staging;
}

/** The regions' bytes, once the commands that copy them are submitted. */
export async function readCopies(staging: GPUBuffer, regions: readonly Region[]): Promise<ArrayBuffer[]> {
  const total = regions.reduce((sum, region) => sum + region.size, 0);
  const size = Math.max(total, 4);
  await staging.mapAsync(MAP_READ, 0, size);
  const mapped = staging.getMappedRange(0, size);
  let at = 0;
  const copies = regions.map((region) => mapped.slice(at, (at += region.size)));
  staging.unmap();
  return copies;
}
