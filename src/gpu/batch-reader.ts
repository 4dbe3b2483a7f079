/**
 * `batch.read` and `batch.readCounts`. A read submits copies of the output before it returns, then maps the counts, and
 * then as many records as there are.
 */
import { orAborted, throwIfAborted, validateSignal } from '../request/abort.ts';
import { READ_COUNTS_OPTIONS, READ_OPTIONS } from '../request/options.ts';
import { allocate } from '../util/arrays.ts';
import { expectKnown, type Names } from '../util/known.ts';
import type { BatchRequest } from '../request/backend.ts';
import { invalidInput } from '../api/errors.ts';
import { COUNTS_STATUSES, STATUS_COUNT } from '../generated/constants.ts';
import { layouts } from '../generated/layouts.ts';
import type { QueryResult } from '../api/queries.ts';
import type { RecordChunk } from '../records/chunk.ts';
import { createResult } from '../records/create-result.ts';
import { addTotals, decodeRecords, type Totals } from '../records/decode.ts';
import { resultFields } from '../request/fields.ts';
import type { BatchCounts, BatchReadOptions } from '../api/batch.ts';
import { NO_SLOT } from '../api/types.ts';
import { createRing } from './batch-ring.ts';
import {
  STAGING,
  createSnapshots,
  outputCapacity,
  type Contents,
  type ReadBuffers,
  type Slot,
} from './batch-snapshot.ts';
import { MAP_READ } from './buffers.ts';
import { mappedBytes } from './read-back.ts';
import type { Session } from './session.ts';

const NO_PAIRS = new Uint32Array(0);
const NO_BODIES = { shapes: new Uint32Array(0), positions: new Float32Array(0), quaternions: new Float32Array(0) };

/** Options of `read`. The types of `fields` and `target` depend on each other; they are checked at run time. */
type ReadOptions = Omit<BatchReadOptions<unknown>, 'fields' | 'target'> & { fields?: unknown; target?: unknown };

/** A result, and the pairs of its slots if it has `first`. */
interface Filled {
  result: QueryResult;
  pairs: Uint32Array;
}

export interface BatchReader {
  read(options: ReadOptions): Promise<QueryResult>;
  readCounts(options: { signal?: AbortSignal }): Promise<BatchCounts>;
  destroy(): void;
}

export function createBatchReader(session: Session, request: BatchRequest, buffers: ReadBuffers): BatchReader {
  const { query, dimension, maxBodies, hitsOnly } = request;
  const capacity = outputCapacity(request);
  const snapshots = createSnapshots(session, request, buffers);
  const ring = createRing(session, query, snapshots);

  /** Checks the signal and reads in turn. */
  function inTurn<T>(
    what: Contents,
    signal: AbortSignal | undefined,
    use: (slot: Slot, before: Promise<unknown>) => Promise<T>,
  ): Promise<T> {
    validateSignal(signal);
    throwIfAborted(signal);
    return orAborted(ring.read(what, use), signal);
  }

  return {
    read(options) {
      expectOptions(options, READ_OPTIONS);
      const { target, signal } = options;
      const names = resultFields(query, dimension.dimension, options);
      const hasBodies = names.includes('a') || names.includes('b');
      const hasFirst = buffers.output.first !== undefined;
      const isCounted = names.length === 0 && !hasFirst;
      return inTurn(isCounted ? 'counts' : hasBodies ? 'bodies' : 'records', signal, async (slot, before) => {
        const counts = await countsOf(session, slot);
        const count = Math.min(hitsOnly ? counts.hits : counts.pairs, capacity);
        // The target is written in one go, which no abort can interrupt.
        const fill = (chunk?: RecordChunk): Filled => {
          const result = createResult(query, dimension.dimension, count, NO_BODIES, names, target);
          addTotals(result as unknown as Totals, counts.statusCounts, counts.hits);
          if (chunk) decodeRecords(query, dimension.records, result, 0, chunk);
          return { result, pairs: hasFirst && chunk ? chunk.listed!.slice() : NO_PAIRS };
        };
        let filled: Filled;
        if (count === 0 || isCounted) {
          await before;
          throwIfAborted(signal);
          filled = fill();
        } else {
          const { staging, size, chunkOf } = await snapshots.stageRecords(slot, count, hasBodies);
          filled = await mapped(session, staging, size, (bytes) => fill(chunkOf(bytes)), before, signal);
        }
        const { result, pairs } = filled;
        if (!hasFirst) return result;
        return Object.assign(result, { first: await firstSlots(session, slot, maxBodies, pairs) });
      });
    },

    readCounts(options) {
      expectOptions(options, READ_COUNTS_OPTIONS);
      return inTurn('counts', options.signal, async (slot, before) => {
        const counts = await countsOf(session, slot);
        await before;
        return counts;
      });
    },

    destroy() {
      snapshots.destroy();
      ring.destroy();
    },
  };
}

function expectOptions(options: object, known: Names): void {
  if (typeof options !== 'object' || options === null) invalidInput('options', options, 'an object');
  expectKnown(options, 'options', known);
}

/**
 * Maps the first bytes of a buffer, awaits `before`, and returns the result of `use`, which must not keep the bytes.
 * Nothing is awaited between the last check of the signal and the end of `use`.
 */
async function mapped<T>(
  session: Session,
  buffer: GPUBuffer,
  size: number,
  use: (bytes: ArrayBuffer) => T,
  before?: Promise<unknown>,
  signal?: AbortSignal,
): Promise<T> {
  await session.orLost(buffer.mapAsync(MAP_READ, 0, size));
  try {
    await before;
    if (session.lost) throw session.lost;
    throwIfAborted(signal);
    return use(mappedBytes(buffer, size).buffer);
  } finally {
    buffer.unmap();
  }
}

function countsOf(session: Session, { pool }: Slot): Promise<BatchCounts> {
  const { size, fields } = layouts.Counts;
  return mapped(session, pool.get('counts', size, STAGING), size, (bytes) => {
    const words = new Uint32Array(bytes);
    const field = (name: keyof typeof fields): number => words[fields[name].offset / 4];
    const statuses = [...words.subarray(COUNTS_STATUSES, COUNTS_STATUSES + STATUS_COUNT)];
    return {
      pairs: field('pairs'),
      pairOverflow: field('pairOverflow'),
      hits: field('hits'),
      hitOverflow: field('hitOverflow'),
      statusCounts: statuses as unknown as BatchCounts['statusCounts'],
    };
  });
}

/** The slot of each body's first impact. The device gives the pair of each body's first; pairs of slots ascend. */
function firstSlots(session: Session, { pool }: Slot, bodyCount: number, pairs: Uint32Array): Promise<Uint32Array> {
  const size = 4 * bodyCount;
  return mapped(session, pool.get('first', size, STAGING), size, (bytes) => {
    const firsts = new Uint32Array(bytes);
    const slotsOfBodies = allocate('result.first', Uint32Array, bodyCount);
    for (let body = 0; body < bodyCount; body++) slotsOfBodies[body] = slotOf(pairs, firsts[body]);
    return slotsOfBodies;
  });
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
