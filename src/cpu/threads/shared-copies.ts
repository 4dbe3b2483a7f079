/** Copies of a query's arrays in memory that threads share. The next query's copies use the same memory. */
import { allocateShared, type Numbers } from '../../util/arrays.ts';

export interface SharedCopies {
  /** The array itself if it is in shared memory; otherwise a copy, which replaces the last one of this name. */
  of<Values extends Numbers>(name: string, array: Values): Values;
  /** Lets go of memory that no array was copied to since the last call. */
  dropUnused(): void;
  /** Lets go of all memory: workers may still read it. */
  renew(): void;
}

/** How many times as large as its copy memory may be to be used again. */
const MOST_SLACK = 4;

/** Pages share memory only when they are isolated from other origins. */
export function canShare(): boolean {
  return typeof SharedArrayBuffer === 'function' && globalThis.crossOriginIsolated !== false;
}

export function createSharedCopies(): SharedCopies {
  const kept = new Map<string, SharedArrayBuffer>();
  const used = new Set<string>();
  return {
    of(name, array) {
      if (array.buffer instanceof SharedArrayBuffer) return array;
      const bytes = array.byteLength;
      let memory = kept.get(name);
      if (!memory || memory.byteLength < bytes || memory.byteLength > MOST_SLACK * bytes) {
        kept.delete(name);
        memory = allocateShared('a copy for the workers', bytes);
        kept.set(name, memory);
      }
      used.add(name);
      const Shared = array.constructor as new (
        memory: SharedArrayBuffer,
        offset: number,
        length: number,
      ) => typeof array;
      const copy = new Shared(memory, 0, array.length);
      copy.set(array);
      return copy;
    },
    dropUnused() {
      for (const name of kept.keys()) if (!used.has(name)) kept.delete(name);
      used.clear();
    },
    renew: () => kept.clear(),
  };
}
