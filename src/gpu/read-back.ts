/** Copies of GPU buffers on the host. */
import { MAP_READ, USAGE, type BufferPool } from './buffers.ts';

/** Bytes of a buffer to read, from `offset` on. */
export interface Region {
  buffer: GPUBuffer;
  offset: number;
  size: number;
}

/** Copies the regions to a staging buffer behind what `encoder` holds, submits it, and gives each region's bytes. */
export async function submitAndRead(
  device: GPUDevice,
  pool: BufferPool,
  encoder: GPUCommandEncoder,
  regions: readonly Region[],
  orLost: <T>(promise: Promise<T>) => Promise<T>,
): Promise<ArrayBuffer[]> {
  const total = regions.reduce((sum, region) => sum + region.size, 0);
  const staging = pool.get('staging', total, USAGE.MAP_READ | USAGE.COPY_DST);
  let at = 0;
  for (const { buffer, offset, size } of regions) {
    if (size > 0) encoder.copyBufferToBuffer(buffer, offset, staging, at, size);
    at += size;
  }
  device.queue.submit([encoder.finish()]);
  await orLost(staging.mapAsync(MAP_READ, 0, Math.max(total, 4)));
  const mapped = staging.getMappedRange(0, Math.max(total, 4));
  at = 0;
  const copies = regions.map(({ size }) => mapped.slice(at, (at += size)));
  staging.unmap();
  return copies;
}
