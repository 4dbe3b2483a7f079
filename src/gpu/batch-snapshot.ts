/**
 * The device's part of reading a batch: copies of one frame's output in a slot, made before a later frame writes the
 * output again, and from there the records that the host maps.
 */
import type { BatchInput, BatchOutput } from '../api/batch.ts';
import { LIST_HEADER } from '../generated/constants.ts';
import { layouts } from '../generated/layouts.ts';
import { packRecord } from '../records/record.ts';
import type { RecordChunk } from '../records/chunk.ts';
import type { BatchRequest } from '../request/backend.ts';
import { USAGE, createBufferPool, type BufferPool } from './buffers.ts';
import { encodePass } from './encode-query.ts';
import { scoped } from './error-scopes.ts';
import { gridWidth, workgroupsFor, type Dispatch, type KernelVariant } from './kernels.ts';
import type { Session } from './session.ts';

/** Copies of one frame's output, and the buffers that the host maps. */
export interface Slot {
  pool: BufferPool;
  isBusy: boolean;
  pointsToWorld?: PointsToWorld;
}

/** The dispatch that copies records into a slot, with the bodies of their pairs behind them or without. */
interface PointsToWorld {
  dispatch: Dispatch;
  copy: GPUBuffer;
  hasBodies: boolean;
}

/** What a read copies: the counts only, also the records, or also the bodies of their pairs. */
export type Contents = 'counts' | 'records' | 'bodies';

/** Copies that wait to be mapped, and how to see them as records. */
export interface Staged {
  staging: GPUBuffer;
  size: number;
  chunkOf: (bytes: ArrayBuffer) => RecordChunk;
}

export interface ReadBuffers {
  input: BatchInput;
  output: BatchOutput;
  list: GPUBuffer;
}

export interface Snapshots {
  /** Submits copies of this frame's output, or only of its counts. Nothing is awaited before the submission. */
  take(slot: Slot, what: Contents): void;
  /**
   * Copies the first `count` records of a slot, their pairs, and the bodies of the pairs if the slot has them, into a
   * buffer that can be mapped.
   */
  stageRecords(slot: Slot, count: number, hasBodies: boolean): Promise<Staged>;
  destroy(): void;
}

/** Bytes of the body indices of a pair. */
const PAIR_BYTES = 8;

export const STAGING = USAGE.MAP_READ | USAGE.COPY_DST;

/** The kernel that a batch needs for `read`. */
export function pointsToWorldVariant(hitsOnly: boolean, isMoving: boolean): KernelVariant {
  return {
    kernel: 'points-to-world',
    constants: { ...(hitsOnly && { IS_LISTED: 1 }), ...(isMoving && { IS_MOVING: 1 }) },
  };
}

/** Records that a batch's output has room for. */
export function outputCapacity({ hitsOnly, maxHits, maxPairs }: BatchRequest): number {
  return hitsOnly ? maxHits : maxPairs;
}

export function createSnapshots(
  { device, kernels, orLost }: Session,
  request: BatchRequest,
  { input, output, list }: ReadBuffers,
): Snapshots {
  const { query, dimension, maxBodies, hitsOnly } = request;
  const { sizes, impact } = dimension.records;
  const recordBytes = 4 * sizes[query].words;
  const capacity = outputCapacity(request);
  const shared = createBufferPool(device, `batch.${query}.read`);

  /** The dispatch that copies records and moves their points into world space. */
  function bindPointsToWorld(copy: GPUBuffer, hasBodies: boolean): PointsToWorld {
    const words = recordBytes / 4;
    const pairWords = hasBodies ? PAIR_BYTES / 4 : 0;
    const invocations = (words + pairWords) * capacity;
    // Missing points have the word behind the record.
    const [pointWord0 = words, pointWord1 = words, pointWord2 = words, pointWord3 = words] = pointWords(request);
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
        axes: dimension.dimension,
        poseWords: dimension.poseWords,
        velocityWords: dimension.velocityWords,
        pairWords,
        gridWidth: gridWidth(device, workgroupsFor('points-to-world', invocations)),
      }),
      USAGE.UNIFORM | USAGE.COPY_DST,
    );
    const { poses, velocities = poses, pairs } = input;
    const buffers = { parameters, poses, velocities, pairs, list, records: output.records, worldRecords: copy };
    const variant = pointsToWorldVariant(hitsOnly, request.motion !== undefined);
    return { dispatch: kernels.bind(variant, buffers, invocations), copy, hasBodies };
  }

  /**
   * A size with room for a few more bytes in later frames: a power of two, unless that is more than there can ever be.
   */
  function stagingBytes(bytes: number): number {
    return Math.min(2 ** Math.ceil(Math.log2(bytes)), (recordBytes + (hitsOnly ? 4 : 0) + PAIR_BYTES) * capacity);
  }

  function take(slot: Slot, what: Contents): void {
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
      if (slot.pointsToWorld?.copy !== copy || slot.pointsToWorld.hasBodies !== hasBodies)
        slot.pointsToWorld = bindPointsToWorld(copy, hasBodies);
      encodePass(encoder, [slot.pointsToWorld.dispatch], { label: 'batch.place' });
    }
    device.queue.submit([encoder.finish()]);
  }

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
    await orLost(verdict);
    const chunkOf = (bytes: ArrayBuffer): RecordChunk => ({
      firstPair: 0,
      recordCount: count,
      records: bytes,
      listed: hitsOnly ? new Uint32Array(bytes, size, count) : undefined,
      bodies: hasBodies ? new Uint32Array(bytes, size + listSize, 2 * count) : undefined,
    });
    return { staging, size: total, chunkOf };
  }

  return { take, stageRecords, destroy: () => shared.destroy() };
}

/** The first word of each point of a record. */
function pointWords({ query, dimension }: BatchRequest): readonly number[] {
  const { fields, manifold, impact } = dimension.records;
  if (query === 'intersects') return [];
  if (query === 'manifolds') return manifold.positions;
  return query === 'impacts' ? [impact.point] : [fields.pointA, fields.pointB];
}
