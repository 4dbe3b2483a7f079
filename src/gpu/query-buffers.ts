/** The buffers and sizes that kernels work on: one record of each, for chunks of queries and for batches. */
import { BLOCK_SIZE, LIST_HEADER } from '../generated/constants.ts';
import { layouts } from '../generated/layouts.ts';
import type { Dimension } from '../request/dimension.ts';
import { USAGE, type BufferPool } from './buffers.ts';
import type { Kernels } from './kernels.ts';
import type { Plan, Step } from './steps.ts';
import { placeWorkLists, type WorkListPlaces } from './work-lists.ts';

/** Sizes in the kernels' parameters. */
export interface PassSizes {
  /** Pairs to answer, unless the parameters are overwritten on the GPU. */
  pairCount: number;
  /** Pairs that the buffers have room for. */
  pairCapacity: number;
  bodyCount: number;
  shapeCount: number;
  margin: number;
  /** Seconds; for `impacts` only. */
  duration: number;
  cellSize: number;
  /** Records that there is room for if hits are gathered. */
  gatherCapacity: number;
  /** Workgroup size of the caller's pass over the records, whose arguments are written to `dispatch`. */
  callersWorkgroupSize: number;
}

/** What kernels read. */
export interface InputBuffers {
  shapeRecords: GPUBuffer;
  geometry: GPUBuffer;
  /** The trees of compounds and meshes, for kernels that find pairs of parts. */
  partNodes?: GPUBuffer;
  poses: GPUBuffer;
  /** Shape index per body, and with 64-bit positions their fixed-point coordinates. */
  bodyShapes: GPUBuffer;
  pairs: GPUBuffer | GPUBufferBinding;
  /** For `impacts` only. */
  velocities?: GPUBuffer;
  /** As the caller gave them, if they are 64-bit. The arrays of a result are written from them. */
  positions?: GPUBuffer;
}

/** Buffers by their names in WGSL. */
export interface PassBuffers extends InputBuffers {
  records: GPUBuffer;
  /** For `manifolds` only: the records of the contacts that the manifolds start from. */
  contacts?: GPUBuffer;
  /** The list of the hits. Bound in place of `workLists` by kernels that use none. */
  list: GPUBuffer;
  /** If steps have lists: all of those. The header is zero before the first pass. */
  workLists?: GPUBuffer;
  blockSums: GPUBuffer;
  /**
   * Simplices of earlier searches by pair, in a plan that starts warm. Otherwise it is `blockSums`: the binding needs a
   * buffer, and no kernel that binds `simplices` also binds `blockSums`.
   */
  simplices: GPUBuffer | GPUBufferBinding;
  /** What pairs of parts propose as contacts. */
  proposals?: GPUBuffer;
  /** Records of the hits. */
  gathered?: GPUBuffer;
  /** Counts of hits and statuses; zero before the pass. */
  counts?: GPUBuffer;
  /** Arguments of the caller's next pass. */
  dispatch: GPUBuffer;
  /** The first impact of each body as far as it is known; zero before the pass. */
  firstImpacts?: GPUBuffer;
  /** For batches: the pair of each body's first impact. */
  first?: GPUBuffer;
}

export interface PassContext {
  device: GPUDevice;
  kernels: Kernels;
  dimension: Dimension;
  /** Keeps the bind groups. */
  pool: BufferPool;
  /** A uniform buffer of this name that holds `data`. */
  uniform: (name: string, data: ArrayBuffer) => GPUBuffer;
}

/**
 * Which pairs compete for the first impact of a body: those of a chunk, and the host breaks ties; the same, and the
 * host also decides pairs that the kernels left open; or those of a whole batch.
 */
export type EarliestOf = 'chunk' | 'openChunk' | 'batch';

/** What a pass writes besides a record per pair. */
export interface PassOutput {
  hitsOnly: boolean;
  /** Whether hits and statuses are counted. */
  hasCounts: boolean;
  /** Whether the records of the hits are gathered. */
  gathersHits: boolean;
  /** Set if only first impacts are hits. */
  earliest?: EarliestOf;
}

/** All that encoding a query or a batch depends on. */
export interface QueryScope {
  context: PassContext;
  plan: Plan;
  lists: WorkListPlaces;
  sizes: PassSizes;
  buffers: PassBuffers;
  output: PassOutput;
}

/** Arguments of an indirect dispatch: three counts of workgroups. */
export const DISPATCH_BYTES = 12;

/** Bytes of a body's entry in `firstImpacts`. */
const FIRST_IMPACT_BYTES = 12;

/** Blocks of pairs whose sums a list is made from. */
function blocksOf(pairCapacity: number): number {
  return Math.max(1, Math.ceil(pairCapacity / BLOCK_SIZE));
}

/** The buffers of a batch that only finds pairs: its records are the pairs. The counts are zero, except for those copied. */
export function pairsBuffers(pool: BufferPool, input: InputBuffers & { pairs: GPUBuffer }): PassBuffers {
  const unused = pool.get('unused', 0);
  return {
    ...input,
    records: input.pairs,
    list: unused,
    blockSums: unused,
    simplices: unused,
    counts: pool.get('counts', layouts.Counts.size),
    dispatch: dispatchBuffer(pool),
  };
}

function dispatchBuffer(pool: BufferPool): GPUBuffer {
  return pool.get('dispatch', DISPATCH_BYTES, USAGE.STORAGE | USAGE.COPY_SRC | USAGE.INDIRECT);
}

/**
 * The scope of passes over `input`, with buffers from the pool for what kernels write. `steps` are those of all passes.
 * A warm start keeps its simplices in `input`. Calling it again with the same sizes gives the same buffers.
 */
export function queryScope(
  context: PassContext,
  plan: Plan,
  steps: readonly Step[],
  sizes: PassSizes,
  output: PassOutput,
  input: InputBuffers & Partial<Pick<PassBuffers, 'simplices' | 'proposals'>>,
): QueryScope {
  const { pool, dimension } = context;
  const { pairCapacity, bodyCount, gatherCapacity } = sizes;
  const { hitsOnly, hasCounts, gathersHits, earliest } = output;
  const lists = placeWorkLists(steps, pairCapacity);
  const recordBytes = 4 * dimension.records.sizes[plan.query].words;
  const blockSums = pool.get('blockSums', 4 * blocksOf(pairCapacity) * plan.classes.length);
  const buffers = {
    simplices: blockSums,
    ...input,
    workLists: lists.bytes > 0 ? pool.get('workLists', lists.bytes) : undefined,
    records: pool.get('results', recordBytes * pairCapacity),
    contacts: plan.stageQuery === plan.query ? undefined : pool.get('contacts', layouts.Contact.size * pairCapacity),
    list: pool.get('list', listBytes(hitsOnly ? pairCapacity : 1)),
    blockSums,
    gathered: gathersHits ? pool.get('gathered', recordBytes * gatherCapacity) : undefined,
    counts: hasCounts ? pool.get('counts', layouts.Counts.size) : undefined,
    dispatch: dispatchBuffer(pool),
    firstImpacts: earliest ? pool.get('firstImpacts', FIRST_IMPACT_BYTES * bodyCount) : undefined,
    first: earliest === 'batch' ? pool.get('first', 4 * bodyCount) : undefined,
  };
  return { context, plan, lists, sizes, buffers, output };
}

function listBytes(pairCapacity: number): number {
  return 4 * (LIST_HEADER + pairCapacity);
}
