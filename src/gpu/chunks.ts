/**
 * How many pairs go into one submission: as many as its buffers hold, and no more than take a fraction of a second, since
 * drivers end what takes two. How long a pair takes is measured, for each plan by itself.
 */

/** Records of one chunk take at most this much, so that a query of any size runs in bounded memory. */
const CHUNK_BYTES = 64 * 2 ** 20;
/** What a chunk should take. */
const CHUNK_MS = 400;
/** Pairs of a chunk whose time nobody knows yet. */
const FIRST_PAIRS = 2 ** 16;
const LEAST_PAIRS = 2 ** 10;

export interface ChunkSizes {
  /** Pairs of the next chunk. `key` names what is run. */
  next(key: string, recordBytes: number): number;
  /** Tells how long a chunk of so many pairs took, from submission to its end. */
  measured(key: string, pairs: number, milliseconds: number): void;
}

/** Most pairs of one chunk whose records take `recordBytes` each. */
export function largestChunk(device: GPUDevice, recordBytes: number): number {
  // No other buffer takes more a pair than the records do, or the 8 bytes of `pairs`; lists have a header besides.
  const binding = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize, CHUNK_BYTES);
  return Math.floor((binding - 256) / Math.max(recordBytes, 8));
}

export function createChunkSizes(device: GPUDevice): ChunkSizes {
  const rates = new Map<string, number>();
  return {
    next(key, recordBytes) {
      const rate = rates.get(key);
      const wanted = rate === undefined ? FIRST_PAIRS : Math.max(LEAST_PAIRS, Math.floor(CHUNK_MS * rate));
      const pairs = Math.min(wanted, largestChunk(device, recordBytes));
      // A warm start's part for a chunk is bound at an offset, which has to be a multiple of 256 bytes.
      return Math.max(pairs - (pairs % 16), 16);
    },
    measured(key, pairs, milliseconds) {
      // Small chunks say more about the way to the device and back than about the pairs.
      const rate = pairs / Math.max(milliseconds, 1e-3);
      const known = rates.get(key);
      rates.set(key, known === undefined || rate > known ? rate : 0.5 * (rate + known));
    },
  };
}
