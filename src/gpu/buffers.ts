/** Buffers by name that grow when they have to and are kept from query to query. */
import { NarrowphaseError } from '../errors.ts';

/** GPUBufferUsage and GPUMapMode, which Node has no globals for. */
export const USAGE = { MAP_READ: 1, COPY_SRC: 4, COPY_DST: 8, UNIFORM: 64, STORAGE: 128, QUERY_RESOLVE: 512 } as const;
export const MAP_READ = 1;

const STORAGE = USAGE.STORAGE | USAGE.COPY_SRC | USAGE.COPY_DST;

export interface BufferPool {
  /** The buffer of that name with room for `size` bytes; what was in a smaller one is gone. */
  get(name: string, size: number, usage?: number): GPUBuffer;
  /** The same, filled with `data`. */
  upload(name: string, data: ArrayBuffer | ArrayBufferView<ArrayBuffer>, usage?: number): GPUBuffer;
  destroy(): void;
}

export function createBufferPool(device: GPUDevice): BufferPool {
  const buffers = new Map<string, GPUBuffer>();

  function get(name: string, size: number, usage: number = STORAGE): GPUBuffer {
    const bytes = Math.max(16, Math.ceil(size / 4) * 4);
    const old = buffers.get(name);
    if (old && old.size >= bytes) return old;
    const limit = usage & USAGE.STORAGE ? Math.min(device.limits.maxBufferSize, device.limits.maxStorageBufferBindingSize) : device.limits.maxBufferSize;
    if (bytes > limit) {
      throw new NarrowphaseError('LIMIT_EXCEEDED', `buffer ${name} needs ${bytes} bytes, expected at most ${limit} on this device`);
    }
    old?.destroy();
    const buffer = device.createBuffer({ label: `buffers.${name}`, size: bytes, usage });
    buffers.set(name, buffer);
    return buffer;
  }

  return {
    get,
    upload(name, data, usage) {
      const buffer = get(name, data.byteLength, usage);
      device.queue.writeBuffer(buffer, 0, data);
      return buffer;
    },
    destroy() {
      for (const buffer of buffers.values()) buffer.destroy();
      buffers.clear();
    },
  };
}
