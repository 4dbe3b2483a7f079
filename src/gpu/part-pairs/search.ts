/**
 * The dispatches of a search for pairs of parts, on the buffers of a pool: stages (shaders/kernels/part-pairs/lists.wgsl),
 * and the sorting of what they find.
 */
import { partLayouts } from '../../generated/part-layouts.ts';
import { MOTION_NONE } from '../../generated/constants.ts';
import { packRecord } from '../../records/record.ts';
import type { BroadPhaseContext } from '../broad-phase/context.ts';
import { bindSort, SORT_VARIANTS } from '../broad-phase/sort.ts';
import type { Dispatch, KernelVariant } from '../kernels.ts';

/** Pairs of nodes and of parts that there is room for between two stages, and pairs of parts in the list. */
export interface PartRooms {
  items: number;
  candidates: number;
  found: number;
}

/** What kernels read. */
export interface PartSearchInput {
  placements: GPUBuffer;
  nodes: GPUBuffer;
  triangles: GPUBuffer;
  /** A `PartStage`. */
  stage: GPUBuffer;
}

export interface BoundPartSearch {
  /** The dispatches of one stage, which may be recorded any number of times. */
  stage: readonly Dispatch[];
  /** Cleared before the first stage. */
  cleared: readonly GPUBuffer[];
  /** A `PartCounters`. */
  counters: GPUBuffer;
  /** One word per pair of bodies. */
  verdicts: GPUBuffer;
}

export interface BoundPartOrder {
  dispatches: readonly Dispatch[];
  /** The pairs of bodies, the parts of A and the parts of B. */
  columns: GPUBuffer;
}

const STAGE = ['part-pairs/walk', 'part-pairs/advance', 'part-pairs/triangles'] as const;

/** The kernels of a search. */
export function partPairVariants(): KernelVariant[] {
  return [
    ...STAGE.map((kernel) => ({ kernel })),
    { kernel: 'part-pairs/keys' },
    { kernel: 'part-pairs/gather' },
    ...SORT_VARIANTS,
  ];
}

/** The most that a device has room for. */
export function mostRooms(mostBytes: number): PartRooms {
  const most = Math.floor(mostBytes / partLayouts.PartPair.size);
  return { items: Math.min(Math.floor(most / 2), MOST_ITEMS), candidates: most, found: most };
}

/** So that no stage takes long: drivers and browsers reset a device that does not answer for seconds. */
const MOST_ITEMS = 2 ** 23;

const NO_LIST = { listCount: 0, word: 0, isFirst: 0 };

/** The stages of a search among `pairCount` pairs of bodies; `test` is one of TEST_. */
export function bindPartSearch(
  { kernels, pool, uniform }: Pick<BroadPhaseContext, 'kernels' | 'pool' | 'uniform'>,
  pairCount: number,
  test: number,
  rooms: PartRooms,
  input: PartSearchInput,
): BoundPartSearch {
  const get = (name: string, bytes: number): GPUBuffer => pool.get(`partPairs.${name}`, bytes);
  const { size } = partLayouts.PartPair;
  const own = {
    items: get('items', 2 * size * rooms.items),
    candidates: get('candidates', size * rooms.candidates),
    found: get('found', size * rooms.found),
    counters: get('counters', partLayouts.PartCounters.size),
    verdicts: get('verdicts', 4 * pairCount),
  };
  const parameters = uniform(
    'parameters.partPairs',
    packRecord(partLayouts.PartPairParameters, {
      itemCapacity: rooms.items,
      candidateCapacity: rooms.candidates,
      listCapacity: rooms.found,
      test,
      ...NO_LIST,
    }),
  );
  const buffers = { ...own, ...input, parameters };
  return {
    stage: STAGE.map((kernel) =>
      kernels.bind({ kernel }, buffers, kernel === 'part-pairs/advance' ? 1 : Infinity, pool),
    ),
    cleared: [own.counters, own.verdicts],
    counters: own.counters,
    verdicts: own.verdicts,
  };
}

/** Greatest numbers in the list, by word: pairs of bodies, parts of A, parts of B. */
export type GreatestWords = readonly [number, number, number];

/** Sorts the list of `count` pairs of parts: by their last word first, as the sort is stable. */
export function bindPartOrder(context: BroadPhaseContext, count: number, greatest: GreatestWords): BoundPartOrder {
  const { kernels, pool, uniform } = context;
  const found = pool.get('partPairs.found', 0);
  const entries = pool.get('partPairs.entries', 8 * count);
  const others = pool.get('partPairs.otherEntries', 8 * count);
  const columns = pool.get('partPairs.columns', 12 * count);
  const sizes = {
    bodyCount: count,
    bodyCapacity: count,
    shapeCount: 0,
    pairCapacity: 0,
    margin: 0,
    tolerance: 0,
    motion: MOTION_NONE,
    duration: 0,
    cellSize: 1,
  };
  const bind = (kernel: 'part-pairs/keys' | 'part-pairs/gather', word: number): Dispatch => {
    const data = packRecord(partLayouts.PartPairParameters, {
      itemCapacity: 0,
      candidateCapacity: 0,
      listCapacity: 0,
      test: 0,
      listCount: count,
      word,
      isFirst: Number(word === 2),
    });
    const parameters = uniform(`parameters.partPairs.word${word}`, data);
    return kernels.bind({ kernel }, { parameters, found, entries, columns }, count, pool);
  };
  const sorting = [2, 1, 0].flatMap((word) => [
    bind('part-pairs/keys', word),
    ...bindSort(context, sizes, entries, others, bitsOf(greatest[word])),
  ]);
  return { dispatches: [...sorting, bind('part-pairs/gather', 0)], columns };
}

/** The bits of numbers up to this one. */
function bitsOf(greatest: number): number {
  return 32 - Math.clz32(greatest);
}
