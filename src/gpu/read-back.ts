/** Copies of GPU buffers on the host. */
import { NarrowphaseError } from '../api/errors.ts';
import { MAP_READ, USAGE, type BufferPool } from './buffers.ts';

/** Bytes of a buffer to read, from `offset` on. */
export interface Region {
  buffer: GPUBuffer;
  offset: number;
  size: number;
}

/** Bytes up to the next multiple of eight: what begins there can be viewed by any typed array. */
export function alignedSize(bytes: number): number {
  return 8 * Math.ceil(bytes / 8);
}

/** Records the copy of the regions to the staging buffer. */
export function encodeCopies(pool: BufferPool, encoder: GPUCommandEncoder, regions: readonly Region[]): GPUBuffer {
  const staging = pool.get('staging', mappedSize(regions), USAGE.MAP_READ | USAGE.COPY_DST);
  let at = 0;
  for (const { buffer, offset, size } of regions) {
    if (size > 0) encoder.copyBufferToBuffer(buffer, offset, staging, at, size);
    at += alignedSize(size);
  }
  return staging;
}

/** The bytes of the regions. The commands that copy them must be submitted. */
export async function readCopies(staging: GPUBuffer, regions: readonly Region[]): Promise<ArrayBuffer[]> {
  await mapCopies(staging, regions);
  try {
    return viewCopies(staging, regions).map((bytes) => bytes.slice().buffer);
  } finally {
    staging.unmap();
  }
}

/** Maps the copies of the regions, once the commands that copy them have ended. */
export async function mapCopies(staging: GPUBuffer, regions: readonly Region[]): Promise<void> {
  await staging.mapAsync(MAP_READ, 0, mappedSize(regions));
}

/** Views of the regions' mapped copies, valid while these are mapped. */
export function viewCopies(staging: GPUBuffer, regions: readonly Region[]): Uint8Array<ArrayBuffer>[] {
  const mapped = mappedBytes(staging, mappedSize(regions));
  let at = 0;
  return regions.map(({ size }) => {
    const start = at;
    at += alignedSize(size);
    return mapped.subarray(start, start + size);
  });
}

function mappedSize(regions: readonly Region[]): number {
  return Math.max(
    regions.reduce((sum, { size }) => sum + alignedSize(size), 0),
    8,
  );
}

/**
 * The first bytes of a mapped buffer, valid as long as it is mapped. Throws `OUT_OF_MEMORY` if the host has no room for
 * them.
 */
export function mappedBytes(buffer: GPUBuffer, size: number): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(buffer.getMappedRange(0, size));
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new NarrowphaseError(
      'OUT_OF_MEMORY',
      `the mapping of ${buffer.label} needs ${size} bytes, expected no more than this process can allocate`,
      { cause },
    );
  }
}
