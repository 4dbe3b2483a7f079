/** Buffers by name, which grow when necessary and are kept from query to query. */
import { copyOf, type Numbers } from '../util/arrays.ts';
import { NarrowphaseError } from '../api/errors.ts';

/** GPUBufferUsage and GPUMapMode, which Node has no globals for. */
export const USAGE = {
  MAP_READ: 1,
  COPY_SRC: 4,
  COPY_DST: 8,
  UNIFORM: 64,
  STORAGE: 128,
  INDIRECT: 256,
  QUERY_RESOLVE: 512,
} as const;
export const MAP_READ = 1;

const STORAGE = USAGE.STORAGE | USAGE.COPY_SRC | USAGE.COPY_DST;

/**
 * Writes `data` to a buffer from byte `offset` on. Arrays of callers go to a queue only through this function or
 * `uploadable`.
 */
export function writeBuffer(queue: GPUQueue, buffer: GPUBuffer, offset: number, data: ArrayBuffer | Numbers): void {
  queue.writeBuffer(buffer, offset, uploadable(data) as ArrayBuffer);
}

/**
 * The data, or a copy of it: Dawn for Node crashes on shared memory, and browsers refuse memory that can be resized.
 * Throws `OUT_OF_MEMORY` if there is no memory for a copy.
 */
export function uploadable<Data extends ArrayBuffer | Numbers>(data: Data): Data {
  return data instanceof ArrayBuffer || isFixed(data.buffer) ? data : (copyOf('uploaded bytes', data) as typeof data);
}

function isFixed(memory: ArrayBufferLike): boolean {
  return memory instanceof ArrayBuffer && !(memory as ResizableBuffer).resizable;
}

/** `ArrayBuffer` of ES2024. */
type ResizableBuffer = ArrayBuffer & { readonly resizable?: boolean };

export interface BufferPool {
  /** The buffer of that name with room for `size` bytes. A smaller one is replaced, and its contents are lost. */
  get(name: string, size: number, usage?: number): GPUBuffer;
  /** Has the next `get` make another buffer of that name. Commands that use this one stay valid until `clear`. */
  release(name: string): void;
  /** The same, filled with `data`. */
  upload(name: string, data: ArrayBuffer | Numbers, usage?: number): GPUBuffer;
  /** A uniform buffer that holds `data`. Uploads nothing if it does already. */
  uniform(name: string, data: ArrayBuffer): GPUBuffer;
  /** The bind group of that name for these resources. It is made again only for other resources. */
  bindGroup(name: string, resources: readonly GPUBufferBinding[], make: () => GPUBindGroup): GPUBindGroup;
  /** Throws `DISPOSED` once the pool is destroyed. */
  ensureOpen(): void;
  /** Destroys all buffers. The pool makes new ones on demand. */
  clear(): void;
  /** Destroys all buffers for good; `get` throws `DISPOSED` from then on. */
  destroy(): void;
}

/** Name of the buffer that holds an array as the caller gave it. */
export function givenBuffer(array: string): string {
  return `input.${array}`;
}

/**
 * `label` precedes the names of the buffers in their labels. Replaced buffers are destroyed, unless `keepsReplaced`: then
 * the caller may still submit commands that use them.
 */
export function createBufferPool(device: GPUDevice, label = 'buffers', { keepsReplaced = false } = {}): BufferPool {
  const buffers = new Map<string, GPUBuffer>();
  /** Buffers let go of by `release`: the garbage collector frees one when no recorded command uses it. */
  const released = new Set<WeakRef<GPUBuffer>>();
  /** What uniform buffers hold. */
  const uniforms = new Map<GPUBuffer, Uint32Array>();
  const bindGroups = new Map<string, { resources: readonly GPUBufferBinding[]; bindGroup: GPUBindGroup }>();
  let isDestroyed = false;

  function ensureOpen(): void {
    if (isDestroyed) throw new NarrowphaseError('DISPOSED', 'the tester or the batch was disposed');
  }

  function get(name: string, size: number, usage: number = STORAGE): GPUBuffer {
    ensureOpen();
    const bytes = Math.max(16, Math.ceil(size / 4) * 4);
    const old = buffers.get(name);
    if (old && old.size >= bytes) return old;
    const limit =
      usage & USAGE.STORAGE
        ? Math.min(device.limits.maxBufferSize, device.limits.maxStorageBufferBindingSize)
        : device.limits.maxBufferSize;
    if (bytes > limit) {
      throw new NarrowphaseError(
        'LIMIT_EXCEEDED',
        `buffer ${name} needs ${bytes} bytes, expected at most ${limit} on this device`,
      );
    }
    if (keepsReplaced) release(name);
    else old?.destroy();
    const buffer = device.createBuffer({ label: `${label}.${name}`, size: bytes, usage });
    buffers.set(name, buffer);
    return buffer;
  }

  function release(name: string): void {
    const buffer = buffers.get(name);
    if (!buffer) return;
    for (const each of released) if (!each.deref()) released.delete(each);
    released.add(new WeakRef(buffer));
    buffers.delete(name);
    uniforms.delete(buffer);
    for (const [key, { resources }] of bindGroups)
      if (resources.some((resource) => resource.buffer === buffer)) bindGroups.delete(key);
  }

  function clear(): void {
    for (const buffer of buffers.values()) buffer.destroy();
    for (const each of released) each.deref()?.destroy();
    released.clear();
    buffers.clear();
    uniforms.clear();
    bindGroups.clear();
  }

  function upload(name: string, data: ArrayBuffer | Numbers, usage?: number): GPUBuffer {
    const buffer = get(name, data.byteLength, usage);
    writeBuffer(device.queue, buffer, 0, data);
    return buffer;
  }

  return {
    get,
    release,
    upload,
    uniform(name, data) {
      const buffer = get(name, data.byteLength, USAGE.UNIFORM | USAGE.COPY_DST);
      const words = new Uint32Array(data);
      if (!areEqual(uniforms.get(buffer), words)) {
        writeBuffer(device.queue, buffer, 0, data);
        uniforms.set(buffer, words);
      }
      return buffer;
    },
    bindGroup(name, resources, make) {
      const known = bindGroups.get(name);
      if (known?.resources.every((resource, i) => isSameBinding(resource, resources[i]))) return known.bindGroup;
      const bindGroup = make();
      bindGroups.set(name, { resources, bindGroup });
      return bindGroup;
    },
    ensureOpen,
    clear,
    destroy() {
      isDestroyed = true;
      clear();
    },
  };
}

function areEqual(known: Uint32Array | undefined, words: Uint32Array): boolean {
  return known?.length === words.length && known.every((word, i) => word === words[i]);
}

function isSameBinding(a: GPUBufferBinding, b: GPUBufferBinding): boolean {
  return a.buffer === b.buffer && a.offset === b.offset && a.size === b.size;
}
