/**
 * How many pairs go into one submission: as many as its buffers hold, and no more than take a fraction of a second,
 * since drivers abort submissions that take two seconds. The time per pair is measured for each plan.
 */

/** Chunks that are on the device or on their way at the same time, each with buffers of its own. */
export const CHUNKS_IN_FLIGHT = 2;

/**
 * The most that the records of one chunk take. A query of any size runs in the memory of `CHUNKS_IN_FLIGHT` chunks.
 */
const CHUNK_BYTES = 64 * 2 ** 20;
/** Bytes of a pair. */
export const PAIR_BYTES = 8;
/** How long a chunk should take. */
const CHUNK_MS = 400;
/** The most pairs of a chunk of unknown duration. */
const FIRST_PAIRS = 2 ** 16;
/** Features and faces of a hull are searched among all of its own: from so many vertices on, they take most time. */
const LARGE_HULL = 128;
/** A pair that turns takes the time of so many: distances are searched for at several times, up to 512. */
const TURNING = 8;
const LEAST_PAIRS = 2 ** 10;

/** Below this, a time depends more on the way to the device and back than on the pairs. */
const SHORT_MS = 20;

/** A chunk has at most this many times the pairs of the one before. */
const GROWTH = 4;

export interface ChunkSizes {
  /**
   * Pairs of the next chunk, whose largest buffer takes `pairBytes` per pair. `key` identifies the plan, `first` is for
   * a plan whose rate is not known.
   */
  next(key: string, pairBytes: number, first?: number): number;
  /** Whether the rate of this plan is known: a chunk of it has been measured, and took long enough. */
  isKnown(key: string): boolean;
  /** Tells how many milliseconds a chunk took on the device, at most and at least. */
  measured(key: string, pairs: number, most: number, least?: number): void;
  /**
   * Tells the version of the shape table that the next chunks are for. If it is another one, all measurements are forgotten:
   * pairs of other shapes may take a hundred times as long.
   */
  useShapes(version: number): void;
}

/** Most pairs of one chunk whose largest buffer takes `pairBytes` per pair. */
export function largestChunk(device: Pick<GPUDevice, 'limits'>, pairBytes: number): number {
  // Lists have a header besides.
  const binding = Math.min(device.limits.maxStorageBufferBindingSize, device.limits.maxBufferSize, CHUNK_BYTES);
  return Math.floor((binding - 256) / Math.max(pairBytes, PAIR_BYTES));
}

/** Pairs of the first chunk of a plan: fewer where pairs may take long. */
export function firstPairs({ shapes: { shapes }, motion, dimension: { dimension } }: PairsOfChunk): number {
  const most = shapes.reduce((count, shape) => Math.max(count, (shape?.vertices?.length ?? 0) / dimension), 0);
  return FIRST_PAIRS / (Math.max(1, most / LARGE_HULL) * (motion?.angular ? TURNING : 1));
}

/** What the time of a pair depends on. */
interface PairsOfChunk {
  shapes: { shapes: readonly ({ vertices?: ArrayLike<number> } | undefined)[] };
  motion?: { angular?: unknown };
  dimension: { dimension: 2 | 3 };
}

export function createChunkSizes(device: Pick<GPUDevice, 'limits'>): ChunkSizes {
  /** Pairs per millisecond. */
  const rates = new Map<string, number>();
  /** The same, of plans whose rate is not known: that of their first chunk, if it takes as long as it should. */
  const assumed = new Map<string, number>();
  let shapesVersion: number | undefined;
  const rateOf = (key: string): number => rates.get(key) ?? assumed.get(key) ?? FIRST_PAIRS / CHUNK_MS;
  return {
    next(key, pairBytes, first = FIRST_PAIRS) {
      assumed.set(key, first / CHUNK_MS);
      const wanted = Math.max(LEAST_PAIRS, Math.floor(CHUNK_MS * rateOf(key)));
      const pairs = Math.min(wanted, largestChunk(device, pairBytes));
      // Parts of longer buffers are bound at offsets, which have to be multiples of 256 bytes. A pair takes 8 bytes.
      return Math.max(pairs - (pairs % 32), 32);
    },
    isKnown: (key) => rates.has(key),
    measured(key, pairs, most, least = most) {
      const known = rateOf(key);
      const rate = pairs / Math.max(most, 1e-3);
      // Some pairs are easier than others, so growth is in steps. A chunk that took long counts at once: the next one
      // may take as long.
      if (rate > known) rates.set(key, Math.min(rate, GROWTH * known));
      else if (least >= SHORT_MS && pairs / least <= known) rates.set(key, pairs / least);
    },
    useShapes(version) {
      if (version === shapesVersion) return;
      shapesVersion = version;
      rates.clear();
      assumed.clear();
    },
  };
}
