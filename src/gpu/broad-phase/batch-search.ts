/** The broad phase of a batch: it finds the pairs of bodies in resident buffers, in the commands of each `encode`. */
import type { BatchInput } from '../../api/batch.ts';
import { NarrowphaseError } from '../../api/errors.ts';
import {
  COUNTS_CANDIDATES,
  COUNTS_PAIRS,
  STATE_CANDIDATES,
  STATE_INVALID,
  STATE_PAIRS,
} from '../../generated/constants.ts';
import { layouts } from '../../generated/layouts.ts';
import type { BatchRequest } from '../../request/backend.ts';
import type { BatchTables } from '../batch-tables.ts';
import { writeBuffer, type BufferPool } from '../buffers.ts';
import { encodePass } from '../encode-query.ts';
import type { Dispatch, KernelVariant } from '../kernels.ts';
import { LARGEST } from '../passes.ts';
import type { PassBuffers } from '../query-buffers.ts';
import type { Session } from '../session.ts';
import { ALL_SLOTS } from './binder.ts';
import type { BoundBroadPhase } from './context.ts';
import { bindGrid } from './grid.ts';
import { encodeClearing, mostBodies, motionKind } from './search.ts';
import { toleranceOfTable } from './tolerance.ts';
import { gridVariants } from './variants.ts';

export interface BoundSearch extends Pick<BoundBroadPhase, 'state' | 'cleared'> {
  dispatches: readonly Dispatch[];
}

export interface BatchSearch {
  /** The kernels that it needs. */
  readonly variants: readonly KernelVariant[];
  /** Binds the buffers for the current shapes. */
  bind(buffers: PassBuffers, input: BatchInput): BoundSearch;
  /** Records the search, and the copy of the number of pairs to `input.pairCount`. */
  encode(encoder: GPUCommandEncoder, bound: BoundSearch, input: BatchInput): void;
  /** Records the copies of what was found to the counts of the batch. */
  encodeCounts(encoder: GPUCommandEncoder, bound: BoundSearch, counts: GPUBuffer): void;
  setDuration(duration: number): void;
}

/** Of a batch with a broad phase. Throws `LIMIT_EXCEEDED` for more bodies than the device's buffers have room for. */
export function createBatchSearch(
  { device, kernels }: Session,
  { dimension, maxBodies, maxPairs, shapes: table, broadPhase, motion }: BatchRequest,
  pool: BufferPool,
  tables: BatchTables,
): BatchSearch {
  const most = mostBodies(device.limits);
  if (maxBodies > most) {
    throw new NarrowphaseError(
      'LIMIT_EXCEEDED',
      `options.maxBodies is ${maxBodies}, expected at most ${most} with a broad phase on this device`,
    );
  }
  const form = {
    isPlanar: dimension.dimension === 2,
    hasFixedPoint: false,
  };
  let duration = motion?.duration ?? 0;
  const uniforms = new Map<string, GPUBuffer>();
  /** With the ones that recorded commands may still use. */
  const timed = new Set<GPUBuffer>();
  const uniform = (name: string, data: ArrayBuffer): GPUBuffer => {
    const buffer = tables.uniform(name, data);
    uniforms.set(name, buffer);
    timed.add(buffer);
    return buffer;
  };

  return {
    variants: gridVariants(form, maxBodies, false),

    bind({ shapeRecords, geometry }, { poses, shapes, velocities, groups, fixed, pairs }) {
      const sizes = {
        bodyCount: maxBodies,
        bodyCapacity: maxBodies,
        shapeCount: table.shapes.length,
        pairCapacity: maxPairs,
        margin: broadPhase!.margin,
        tolerance: toleranceOfTable(table.shapes, dimension),
        motion: motionKind(motion),
        duration,
        cellSize: 1,
      };
      const input = { shapeRecords, geometry, poses, bodyShapes: shapes, velocities, groups, fixedBodies: fixed };
      const bound = bindGrid({ device, kernels, pool, uniform }, form, sizes, input, pairs);
      const all = { ...ALL_SLOTS, count: maxBodies };
      const [counting, writing] = [false, true].map((isWriting) => bound.search(isWriting, all));
      const { state, cleared, ordering, summing, storing, sorting } = bound;
      return { state, cleared, dispatches: [...ordering, counting, ...summing, ...storing, writing, ...sorting] };
    },

    encode(encoder, bound, { bodyCount, pairCount }) {
      for (const buffer of uniforms.values()) encoder.copyBufferToBuffer(bodyCount!, 0, buffer, 0, 4);
      encodeClearing(encoder, bound);
      encodePass(encoder, bound.dispatches, { label: 'batch.broadPhase' });
      encoder.copyBufferToBuffer(bound.state, 4 * STATE_PAIRS, pairCount, 0, 4);
    },

    encodeCounts(encoder, { state }, counts) {
      // Pairs and the pairs left out; candidates and invalid bodies.
      encoder.copyBufferToBuffer(state, 4 * STATE_PAIRS, counts, 4 * COUNTS_PAIRS, 8);
      const words = STATE_INVALID + 1 - STATE_CANDIDATES;
      encoder.copyBufferToBuffer(state, 4 * STATE_CANDIDATES, counts, 4 * COUNTS_CANDIDATES, 4 * words);
    },

    setDuration(seconds) {
      duration = seconds;
      const { offset } = layouts.BroadPhaseParameters.fields.duration;
      const value = Float32Array.of(Math.min(seconds, LARGEST));
      for (const buffer of timed) writeBuffer(device.queue, buffer, offset, value);
    },
  };
}
