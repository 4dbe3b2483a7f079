/**
 * Reading a batch's output without stalling what comes after it. `read` submits, at once, copies of the output to a
 * slot of a ring; later submissions may write the output again. Then it maps the counts, and then as many records as
 * there are.
 *
 *     submit frame 1, read 1 -> slot 0
 *     submit frame 2, read 2 -> slot 1
 *     submit frame 3, read 3 -> slot 2
 *
 * A slot is free again when its read is over. With more reads under way than slots the ring grows; it never drops or
 * mixes, and reads end in the order of their calls.
 */
import { isAbort, orAborted, throwIfAborted, validateSignal } from '../request/abort.ts';
import { READ_COUNTS_OPTIONS, READ_OPTIONS } from '../request/options.ts';
import { allocate } from '../util/arrays.ts';
import { expectKnown } from '../util/known.ts';
import type { BatchRequest } from '../request/backend.ts';
import { NarrowphaseError, invalidInput } from '../api/errors.ts';
import { COUNTS_STATUSES, LIST_HEADER, STATUS_COUNT } from '../generated/constants.ts';
import { layouts } from '../generated/layouts.ts';
import { packRecord } from '../records/record.ts';
import type { QueryName, QueryResults } from '../api/queries.ts';
import type { RecordChunk } from '../records/chunk.ts';
import { createResult } from '../records/create-result.ts';
import { addCounts, decodeRecords } from '../records/decode.ts';
import { expectBoolean } from '../request/validate.ts';
import type { BatchCounts, BatchInput, BatchOutput, BatchReadOptions } from '../api/batch.ts';
import { NO_SLOT } from '../api/types.ts';
import { MAP_READ, USAGE, createBufferPool, type BufferPool } from './buffers.ts';
import { scoped } from './error-scopes.ts';
import { gridWidth, record, workgroupsFor, type Dispatch, type KernelVariant } from './kernels.ts';
import { mappedBytes } from './read-back.ts';
import type { Session } from './session.ts';

/** Reads that can be under way before the ring has to grow. */
const RING_SLOTS = 3;

/** Copies of one frame's output, and what the host maps. */
interface Slot {
  pool: BufferPool;
  isBusy: boolean;
  placing?: Placing;
}

/** The dispatch that fills a slot's copy of the records, with the bodies of their pairs behind them or without. */
interface Placing {
  dispatch: Dispatch;
  copy: GPUBuffer;
  hasBodies: boolean;
}

/** What a read copies: the counts alone, or besides the records, or besides these the bodies of their pairs. */
type Contents = 'counts' | 'records' | 'bodies';

/** Bytes of the body indices of a pair. */
const PAIR_BYTES = 8;

/** Copies that wait to be mapped, and what they are then. */
interface Staged {
  staging: GPUBuffer;
  size: number;
  chunkOf: (bytes: ArrayBuffer) => RecordChunk;
}

const STAGING = USAGE.MAP_READ | USAGE.COPY_DST;

/** The kernel that a batch needs for `read`. */
export function placeVariant(hitsOnly: boolean, isMoving: boolean): KernelVariant {
  return {
    kernel: 'points-to-world',
    constants: { ...(hitsOnly && { IS_LISTED: 1 }), ...(isMoving && { IS_MOVING: 1 }) },
  };
}

const NO_BODIES = { shapes: new Uint32Array(0), positions: new Float32Array(0), quaternions: new Float32Array(0) };
const NO_PAIRS = new Uint32Array(0);

export interface BatchReader<Q extends QueryName> {
  read(options: BatchReadOptions<QueryResults[Q]>): Promise<QueryResults[Q]>;
  readCounts(options: { signal?: AbortSignal }): Promise<BatchCounts>;
  destroy(): void;
}

export interface ReadBuffers {
  input: BatchInput;
  output: BatchOutput;
  list: GPUBuffer;
}

export function createBatchReader<Q extends QueryName>(
  session: Session,
  request: BatchRequest<Q>,
  { input, output, list }: ReadBuffers,
): BatchReader<Q> {
  const { device, kernels } = session;
  const { query, space, maxPairs, maxBodies, hitsOnly } = request;
  const { sizes, fields, manifold, impact } = space.records;
  const recordBytes = 4 * sizes[query].words;
  const capacity = hitsOnly ? request.maxHits : maxPairs;
  const shared = createBufferPool(device, `batch.${query}.read`);
  const slots: Slot[] = [];
  let isDestroyed = false;
  for (let i = 0; i < RING_SLOTS; i++) addSlot();

  function addSlot(): Slot {
    const slot = { pool: createBufferPool(device, `batch.${query}.slot`), isBusy: false };
    slots.push(slot);
    return slot;
  }

  function takeSlot(): Slot {
    const slot = slots.find(({ isBusy }) => !isBusy) ?? addSlot();
    slot.isBusy = true;
    return slot;
  }

  /** The first word of each point of a record. */
  function pointWords(): readonly number[] {
    if (query === 'intersects') return [];
    if (query === 'manifolds') return manifold.positions;
    return query === 'impacts' ? [impact.point] : [fields.pointA, fields.pointB];
  }

  /** Copies records and puts their points into the world. */
  function placing(copy: GPUBuffer, hasBodies: boolean): Placing {
    const words = recordBytes / 4;
    const pairWords = hasBodies ? PAIR_BYTES / 4 : 0;
    const invocations = (words + pairWords) * capacity;
    // What a record has fewer of than four lies behind it.
    const [pointWord0 = words, pointWord1 = words, pointWord2 = words, pointWord3 = words] = pointWords();
    const parameters = shared.upload(
      hasBodies ? 'parameters.bodies' : 'parameters',
      packRecord(layouts.PointsToWorldParameters, {
        capacity,
        bodyCount: maxBodies,
        wordCount: words,
        infoWord: sizes[query].info,
        pointWord0,
        pointWord1,
        pointWord2,
        pointWord3,
        timeWord: impact.unclampedTime,
        axes: space.dimension,
        poseWords: space.poseWords,
        velocityWords: space.velocityWords,
        pairWords,
        gridWidth: gridWidth(device, workgroupsFor('points-to-world', invocations)),
      }),
      USAGE.UNIFORM | USAGE.COPY_DST,
    );
    const { poses, velocities = poses, pairs } = input;
    const buffers = { parameters, poses, velocities, pairs, list, records: output.records, worldRecords: copy };
    const variant = placeVariant(hitsOnly, request.motion !== undefined);
    return { dispatch: kernels.bind(variant, buffers, invocations), copy, hasBodies };
  }

  /** Submits copies of this frame's output, or of its counts alone. Nothing is waited for before the submission. */
  function snapshot(slot: Slot, what: Contents): void {
    const encoder = device.createCommandEncoder({ label: 'batch.read' });
    const { pool } = slot;
    encoder.copyBufferToBuffer(
      output.counts,
      0,
      pool.get('counts', layouts.Counts.size, STAGING),
      0,
      layouts.Counts.size,
    );
    if (what === 'counts') {
      device.queue.submit([encoder.finish()]);
      return;
    }
    const hasBodies = what === 'bodies';
    const copy = pool.get('records', (recordBytes + (hasBodies ? PAIR_BYTES : 0)) * capacity);
    if (output.first)
      encoder.copyBufferToBuffer(output.first, 0, pool.get('first', 4 * maxBodies, STAGING), 0, 4 * maxBodies);
    if (hitsOnly) encoder.copyBufferToBuffer(list, 4 * LIST_HEADER, pool.get('hits', 4 * capacity), 0, 4 * capacity);
    if (query === 'intersects' && !hasBodies) {
      encoder.copyBufferToBuffer(output.records, 0, copy, 0, recordBytes * capacity);
    } else {
      if (slot.placing?.copy !== copy || slot.placing.hasBodies !== hasBodies) slot.placing = placing(copy, hasBodies);
      const pass = encoder.beginComputePass({ label: 'batch.place' });
      record(pass, [slot.placing.dispatch]);
      pass.end();
    }
    device.queue.submit([encoder.finish()]);
  }

  /**
   * What `use`, which must not keep them, makes of the first bytes of a buffer that can be mapped, at a time when all
   * that `before` stands for is over. Nothing is waited for between the last look at the signal and the end of `use`.
   */
  async function mapped<T>(
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

  function countsOf(slot: Slot): Promise<BatchCounts> {
    return mapped(slot.pool.get('counts', layouts.Counts.size, STAGING), layouts.Counts.size, (bytes) => {
      const words = new Uint32Array(bytes);
      const field = (name: keyof typeof layouts.Counts.fields): number => words[layouts.Counts.fields[name].offset / 4];
      return {
        pairs: field('pairs'),
        pairOverflow: field('pairOverflow'),
        hits: field('hits'),
        hitOverflow: field('hitOverflow'),
        statusCounts: [
          ...words.subarray(COUNTS_STATUSES, COUNTS_STATUSES + STATUS_COUNT),
        ] as unknown as BatchCounts['statusCounts'],
      };
    });
  }

  /** The slot of each body's first impact, of which the device knows the pair; pairs of slots ascend. */
  function firstSlots({ pool }: Slot, { pair, count }: QueryResults[Q]): Promise<Uint32Array> {
    return mapped(pool.get('first', 4 * maxBodies, STAGING), 4 * maxBodies, (bytes) => {
      const firsts = new Uint32Array(bytes);
      const slotsOfBodies = allocate('result.first', Uint32Array, maxBodies);
      for (let body = 0; body < maxBodies; body++) slotsOfBodies[body] = slotOf(pair, count, firsts[body]);
      return slotsOfBodies;
    });
  }

  /**
   * Copies the first `count` records of a slot, their pairs, and the bodies of those if the slot has them, to where
   * they can be mapped.
   */
  async function stageRecords({ pool }: Slot, count: number, hasBodies: boolean): Promise<Staged> {
    const size = recordBytes * count;
    const listSize = hitsOnly ? 4 * count : 0;
    const bodiesSize = hasBodies ? PAIR_BYTES * count : 0;
    const total = size + listSize + bodiesSize;
    const { result: staging, verdict } = scoped(device, () => {
      const buffer = pool.get('staging', stagingBytes(total), STAGING);
      const encoder = device.createCommandEncoder({ label: 'batch.read.records' });
      encoder.copyBufferToBuffer(pool.get('records', 0), 0, buffer, 0, size);
      if (listSize > 0) encoder.copyBufferToBuffer(pool.get('hits', 0), 0, buffer, size, listSize);
      if (bodiesSize > 0) {
        encoder.copyBufferToBuffer(pool.get('records', 0), recordBytes * capacity, buffer, size + listSize, bodiesSize);
      }
      device.queue.submit([encoder.finish()]);
      return buffer;
    });
    await session.orLost(verdict);
    const chunkOf = (bytes: ArrayBuffer): RecordChunk => ({
      firstPair: 0,
      recordCount: count,
      records: bytes,
      listed: hitsOnly ? new Uint32Array(bytes, size, count) : undefined,
      bodies: hasBodies ? new Uint32Array(bytes, size + listSize, 2 * count) : undefined,
    });
    return { staging, size: total, chunkOf };
  }

  /**
   * Room for so many bytes and for a few more in later frames: a power of two, unless that is more than there can ever
   * be.
   */
  function stagingBytes(bytes: number): number {
    return Math.min(2 ** Math.ceil(Math.log2(bytes)), (recordBytes + (hitsOnly ? 4 : 0) + PAIR_BYTES) * capacity);
  }

  /** Runs `use` on a slot that holds this moment's output. */
  async function withSlot<T>(what: Contents, use: (slot: Slot) => Promise<T>): Promise<T> {
    const slot = takeSlot();
    try {
      const { verdict } = scoped(device, () => snapshot(slot, what));
      await session.orLost(verdict);
      return await use(slot);
    } catch (error) {
      // After a refusal no buffer can be relied on, not even to exist.
      if (!isAbort(error)) {
        slot.pool.clear();
        slot.placing = undefined;
      }
      if (isDestroyed)
        throw new NarrowphaseError('DISPOSED', 'the batch was disposed while it was read', { cause: error });
      throw error;
    } finally {
      slot.isBusy = false;
    }
  }

  /** When all reads so far are over. */
  let earlier: Promise<unknown> = Promise.resolve();

  /** A read in its turn; `use` is to wait for `before` where the caller sees what it does. */
  function inTurn<T>(
    what: Contents,
    options: { signal?: AbortSignal },
    use: (slot: Slot, before: Promise<unknown>) => Promise<T>,
  ): Promise<T> {
    if (typeof options !== 'object' || options === null) invalidInput('options', options, 'an object');
    expectKnown(options, 'options', what === 'counts' ? READ_COUNTS_OPTIONS : READ_OPTIONS);
    const { signal } = options;
    validateSignal(signal);
    throwIfAborted(signal);
    const before = earlier;
    const answer = withSlot(what, (slot) => use(slot, before));
    earlier = answer.then(
      () => before,
      () => before,
    );
    return orAborted(answer, signal);
  }

  return {
    read(options) {
      // Checked by `inTurn`: options may be anything here.
      const { target, bounds, bodies = false, signal } = (options ?? {}) as BatchReadOptions<QueryResults[Q]>;
      expectBoolean('options.bodies', bodies);
      expectBoolean('options.bounds', bounds);
      return inTurn(bodies ? 'bodies' : 'records', options, async (slot, before) => {
        const counts = await countsOf(slot);
        const count = Math.min(hitsOnly ? counts.hits : counts.pairs, capacity);
        // The target is written in one go, in which nobody can abort.
        const fill = (chunk?: RecordChunk): QueryResults[Q] => {
          const result = createResult(query, space.dimension, count, NO_BODIES, { target, bounds, bodies });
          addCounts(result, counts.statusCounts, counts.hits);
          // The points are in the world already.
          if (chunk) decodeRecords(query, space.records, result, 0, chunk, NO_BODIES, NO_PAIRS);
          return result;
        };
        let result: QueryResults[Q];
        if (count === 0) {
          await before;
          throwIfAborted(signal);
          result = fill();
        } else {
          const { staging, size, chunkOf } = await stageRecords(slot, count, bodies);
          result = await mapped(staging, size, (bytes) => fill(chunkOf(bytes)), before, signal);
        }
        return output.first ? Object.assign(result, { first: await firstSlots(slot, result) }) : result;
      });
    },

    readCounts(options) {
      return inTurn('counts', options, async (slot, before) => {
        const counts = await countsOf(slot);
        await before;
        return counts;
      });
    },

    destroy() {
      isDestroyed = true;
      shared.destroy();
      for (const { pool } of slots) pool.destroy();
    },
  };
}

/** The slot of a pair among the first `count` of a list, which ascends. */
function slotOf(pairs: Uint32Array, count: number, pair: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (pairs[middle] < pair) low = middle + 1;
    else high = middle;
  }
  return low < count && pairs[low] === pair ? low : NO_SLOT;
}
