/**
 * How many pairs go into one submission: as many as its buffers hold, and no more than take a fraction of a second,
 * since drivers end what takes two. How long a pair takes is measured, for each plan by itself.
 */

/** Records of one chunk take at most this much, so that a query of any size runs in bounded memory. */
const CHUNK_BYTES = 64 * 2 ** 20;
/** What a chunk should take. */
const CHUNK_MS = 400;
/** Pairs of a chunk whose time nobody knows yet. */
const FIRST_PAIRS = 2 ** 16;
const LEAST_PAIRS = 2 ** 10;

/** What takes less says more about the way to the device and back than about the pairs. */
const SHORT_MS = 20;

/** A chunk has at most this many times the pairs of the one before. */
const GROWTH = 4;

export interface ChunkSizes {
  /** Pairs of the next chunk, whose largest buffer takes `pairBytes` a pair. `key` names what is run. */
  next(key: string, pairBytes: number): number;
  /** Tells how long a chunk of so many pairs took, from submission to its end. */
  measured(key: string, pairs: number, milliseconds: number): void;
  /** For other shapes, a pair of which may take a hundred times as long. */
  forget(): void;
}

/** Most pairs of one chunk whose largest buffer takes `pairBytes` a pair. */
export function largestChunk(device: Pick<GPUDevice, 'limits'>, pairBytes: number): number {
  // `pairs` takes 8 bytes a pair; lists have a header besides.
  const binding = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize, CHUNK_BYTES);
  return Math.floor((binding - 256) / Math.max(pairBytes, 8));
}

export function createChunkSizes(device: Pick<GPUDevice, 'limits'>): ChunkSizes {
  /** Pairs a millisecond. */
  const rates = new Map<string, number>();
  const firstRate = FIRST_PAIRS / CHUNK_MS;
  return {
    next(key, pairBytes) {
      const wanted = Math.max(LEAST_PAIRS, Math.floor(CHUNK_MS * (rates.get(key) ?? firstRate)));
      const pairs = Math.min(wanted, largestChunk(device, pairBytes));
      // A warm start's part for a chunk is bound at an offset, which has to be a multiple of 256 bytes.
      return Math.max(pairs - (pairs % 16), 16);
    },
    measured(key, pairs, milliseconds) {
      const rate = pairs / Math.max(milliseconds, 1e-3);
      const known = rates.get(key) ?? firstRate;
      // Pairs may be easy for once: growth is in steps. What took long may take longer: no mean of it and better times.
      if (rate > known) rates.set(key, Math.min(rate, GROWTH * known));
      else if (milliseconds >= SHORT_MS) rates.set(key, rate);
    },
    forget: () => rates.clear(),
  };
}
