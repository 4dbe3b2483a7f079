/**
 * `batch.read` and `batch.readCounts`. A read submits the commands that write the arrays before it returns, then maps
 * the counts, and then as much of the arrays as is in use. Each array is copied once, from mapped memory to the result.
 */
import { orAborted, throwIfAborted, validateSignal } from '../request/abort.ts';
import { READ_COUNTS_OPTIONS, READ_OPTIONS } from '../request/options.ts';
import { allocate, type Numbers } from '../util/arrays.ts';
import { expectKnown, type Names } from '../util/known.ts';
import type { BatchRequest } from '../request/backend.ts';
import { invalidInput } from '../api/errors.ts';
import { COUNTS_STATUSES, STATUS_COUNT } from '../generated/constants.ts';
import { layouts } from '../generated/layouts.ts';
import type { QueryResult } from '../api/queries.ts';
import { createResult } from '../records/create-result.ts';
import { copyArrays, ownArrays } from '../records/result-arrays.ts';
import { fieldsOf } from '../records/result-fields.ts';
import { resultFields } from '../request/fields.ts';
import type { BatchCounts, BatchReadOptions, FoundPairs } from '../api/batch.ts';
import { NO_SLOT } from '../api/types.ts';
import { createRing, type Ring } from './batch-ring.ts';
import {
  arrayModeOf,
  createSnapshots,
  outputCapacity,
  type ReadBuffers,
  type Slot,
  type Staged,
} from './batch-snapshot.ts';
import { MAP_READ } from './buffers.ts';
import { mappedBytes } from './read-back.ts';
import { takesParts } from '../request/batch-request.ts';
import { arraysIn, writtenFields, type WrittenFields } from './result-arrays.ts';
import type { Session } from './session.ts';

const NO_BODIES = { shapes: new Uint32Array(0), positions: new Float32Array(0), quaternions: new Float32Array(0) };

/** Options of `read`. The types of `fields` and `target` depend on each other; they are checked at run time. */
type ReadOptions = Omit<BatchReadOptions<unknown>, 'fields' | 'target'> & { fields?: unknown; target?: unknown };

/** What is read of a batch that only finds pairs. */
const PAIR_FIELDS: WrittenFields = { pairs: { Type: Uint32Array, width: 2 } };

export interface BatchReader {
  read(options: ReadOptions): Promise<QueryResult | FoundPairs>;
  readCounts(options: { signal?: AbortSignal }): Promise<BatchCounts>;
  destroy(): void;
}

/** Checks the signal and reads in turn. */
export function readInTurn<T>(
  ring: Ring,
  fields: WrittenFields | undefined,
  signal: AbortSignal | undefined,
  use: (slot: Slot, before: Promise<unknown>) => Promise<T>,
): Promise<T> {
  validateSignal(signal);
  throwIfAborted(signal);
  return orAborted(ring.read(fields, use), signal);
}

export function createBatchReader(session: Session, request: BatchRequest, buffers: ReadBuffers): BatchReader {
  const { what, dimension, slots: slotsOf, listsParts } = request;
  const { query } = what;
  const axes = dimension.dimension;
  const capacity = outputCapacity(request);
  const mode = arrayModeOf(request);
  const snapshots = createSnapshots(session, request, buffers);
  const ring = createRing(session, request.name, snapshots);

  async function countsOf(slot: Slot): Promise<BatchCounts> {
    return mapped(session, [snapshots.counts(slot)], ([bytes]) => countsIn(bytes, request));
  }

  function readPairs(options: ReadOptions): Promise<FoundPairs> {
    expectReadOptions(options, READ_COUNTS_OPTIONS);
    return readInTurn(ring, PAIR_FIELDS, options.signal, async (slot, before) => {
      const { pairs: count } = await countsOf(slot);
      const fill = (bytes: Uint8Array<ArrayBuffer>[]): FoundPairs => {
        const pairs = allocate('result.pairs', Uint32Array, 2 * count);
        if (count > 0) pairs.set(arraysIn(bytes[0], PAIR_FIELDS, count).pairs as Uint32Array);
        return { count, pairs };
      };
      return mapped(session, await snapshots.stageArrays(slot, count), fill, before, options.signal);
    });
  }

  return {
    read(options) {
      if (request.isPairsOnly) return readPairs(options);
      expectReadOptions(options, READ_OPTIONS);
      const { target, signal } = options;
      const names = resultFields(query, axes, { ...options, parts: listsParts }, listsParts);
      const hasFirst = buffers.output.first !== undefined;
      // The slots of first impacts are found by their pairs.
      const needed = hasFirst && !names.includes('pair') ? [...names, 'pair'] : names;
      return readInTurn(ring, writtenFields(fieldsOf(query, axes), needed, mode), signal, async (slot, before) => {
        const counts = await countsOf(slot);
        const count = Math.min(slotsOf === 'all' ? counts.pairs : counts.hits, capacity);
        const staged = await snapshots.stageArrays(slot, count);
        const first = snapshots.first(slot);
        // The target is written in one go, which no abort can interrupt.
        const fill = (bytes: Uint8Array<ArrayBuffer>[]): QueryResult => {
          const arrays: Record<string, Numbers> = {};
          staged.forEach(({ fields }, i) => Object.assign(arrays, arraysIn(bytes[i], fields, count)));
          const views = { firstPair: 0, count, arrays };
          const chunk = target === undefined ? ownArrays(views) : views;
          const result = createResult(query, axes, count, NO_BODIES, names, { target, own: chunk.arrays });
          copyArrays(result, 0, chunk);
          const { statusCounts, hits } = counts;
          const slots = first && { first: firstSlots(bytes[staged.length], arrays.pair as Uint32Array) };
          return Object.assign(result, { statusCounts: [...statusCounts], hits }, slots);
        };
        return mapped(session, first ? [...staged, first] : staged, fill, before, signal);
      });
    },

    readCounts(options) {
      expectReadOptions(options, READ_COUNTS_OPTIONS);
      return readInTurn(ring, undefined, options.signal, async (slot, before) => {
        const counts = await countsOf(slot);
        await before;
        return counts;
      });
    },

    destroy: () => ring.destroy(),
  };
}

export function expectReadOptions(options: object, known: Names): void {
  if (typeof options !== 'object' || options === null) invalidInput('options', options, 'an object');
  expectKnown(options, 'options', known);
}

/**
 * Maps buffers, awaits `before`, and returns the result of `use`, which must not keep the bytes. Nothing is awaited
 * between the last check of the signal and the end of `use`.
 */
export async function mapped<T>(
  session: Session,
  staged: readonly Staged[],
  use: (bytes: Uint8Array<ArrayBuffer>[]) => T,
  before?: Promise<unknown>,
  signal?: AbortSignal,
): Promise<T> {
  await session.orLost(Promise.all(staged.map(({ buffer, size }) => buffer.mapAsync(MAP_READ, 0, size))));
  try {
    await before;
    if (session.lost) throw session.lost;
    throwIfAborted(signal);
    return use(staged.map(({ buffer, size }) => mappedBytes(buffer, size)));
  } finally {
    for (const { buffer } of staged) buffer.unmap();
  }
}

export function countsIn(
  { buffer }: Uint8Array<ArrayBuffer>,
  request: Pick<BatchRequest, 'name' | 'dimension' | 'broadPhase' | 'listsParts'>,
): BatchCounts {
  const { size, fields } = layouts.Counts;
  const words = new Uint32Array(buffer, 0, size / 4);
  const field = (of: keyof typeof fields): number => words[fields[of].offset / 4];
  const statuses = [...words.subarray(COUNTS_STATUSES, COUNTS_STATUSES + STATUS_COUNT)];
  return {
    pairs: field('pairs'),
    pairOverflow: field('pairOverflow'),
    hits: field('hits'),
    hitOverflow: field('hitOverflow'),
    statusCounts: statuses as unknown as BatchCounts['statusCounts'],
    ...(request.broadPhase && {
      candidates: field('candidates') + 2 ** 32 * field('candidatesHigh'),
      invalidBodies: field('invalidBodies'),
    }),
    ...(takesParts(request) && {
      partPairs: field('partPairs') + 2 ** 32 * field('partPairsHigh'),
      partPairOverflow: field('partPairOverflow'),
    }),
  };
}

/** The slot of each body's first impact. The device gives the pair of each body's first; pairs of slots ascend. */
function firstSlots(bytes: Uint8Array<ArrayBuffer>, pairs: Uint32Array = new Uint32Array(0)): Uint32Array {
  const firsts = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const slotsOfBodies = allocate('result.first', Uint32Array, firsts.length);
  for (let body = 0; body < firsts.length; body++) slotsOfBodies[body] = slotOf(pairs, firsts[body]);
  return slotsOfBodies;
}

/** The slot of a pair in a list in ascending order. */
function slotOf(pairs: Uint32Array, pair: number): number {
  let low = 0;
  let high = pairs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (pairs[middle] < pair) low = middle + 1;
    else high = middle;
  }
  return pairs[low] === pair ? low : NO_SLOT;
}
