/**
 * The device's part of reading a batch: the arrays of one frame's result in a slot, made before a later frame writes the
 * output again, and from there the part that is used in buffers that the host maps.
 */
import type { BatchInput, BatchOutput } from '../api/batch.ts';
import { layouts } from '../generated/layouts.ts';
import type { BatchRequest } from '../request/backend.ts';
import { USAGE, type BufferPool } from './buffers.ts';
import { encodePass } from './encode-query.ts';
import { scoped } from './error-scopes.ts';
import type { KernelVariant } from './kernels.ts';
import {
  arraysVariant,
  bindArrays,
  layOutArrays,
  type ArrayLayout,
  type ArrayMode,
  type WrittenFields,
} from './result-arrays.ts';
import { groupArrays } from './group-arrays.ts';
import type { Session } from './session.ts';

/** One frame's output, and the buffers that the host maps. */
export interface Slot {
  pool: BufferPool;
  isBusy: boolean;
  /** The arrays of the result. */
  groups: readonly ArrayGroup[];
}

/** Arrays in one buffer, with room for as many slots as the output has. */
interface ArrayGroup {
  fields: WrittenFields;
  layout: ArrayLayout;
  buffer: GPUBuffer;
}

/** A buffer that can be mapped. */
export interface Staged {
  buffer: GPUBuffer;
  /** Bytes in use. */
  size: number;
}

/** A buffer that can be mapped, with arrays as `layOutArrays` places them. */
export interface StagedArrays extends Staged {
  fields: WrittenFields;
}

export interface ReadBuffers {
  input: BatchInput;
  output: BatchOutput;
  list: GPUBuffer;
  /** If the output has pairs of parts: the pair of bodies of each. */
  pairOfParts?: GPUBuffer;
}

export interface Snapshots {
  /**
   * Submits copies of this frame's counts and, with `fields`, of the first impacts and these arrays. Nothing is awaited
   * before the submission.
   */
  take(slot: Slot, fields: WrittenFields | undefined): void;
  /** The counts in a slot. */
  counts(slot: Slot): Staged;
  /** The pairs of the bodies' first impacts in a slot, if the output has them. */
  first(slot: Slot): Staged | undefined;
  /** Copies the first `count` elements of each array in a slot. */
  stageArrays(slot: Slot, count: number): Promise<StagedArrays[]>;
}

const STAGING = USAGE.MAP_READ | USAGE.COPY_DST;

/** How the arrays of a batch come from its records. */
export function arrayModeOf({ slots, listsParts }: BatchRequest): ArrayMode {
  const hitsOnly = slots !== 'all';
  return { isListed: hitsOnly, isGathered: hitsOnly, hasDoubles: false, hasParts: listsParts };
}

/** The kernel that a batch needs for `read`. */
export function arraysOfBatch(request: BatchRequest): KernelVariant {
  return arraysVariant(request.what.query, request.dimension, arrayModeOf(request));
}

/** Slots that a batch's output has room for. */
export function outputCapacity({ slots, maxHits, maxPairs }: BatchRequest): number {
  return slots === 'all' ? maxPairs : maxHits;
}

/** A size with room for a few more bytes in later frames: a power of two, unless that is more than `most`. */
function stagingBytes(bytes: number, most: number): number {
  return Math.min(2 ** Math.ceil(Math.log2(bytes)), most);
}

function stagedCounts({ pool }: Slot): Staged {
  const { size } = layouts.Counts;
  return { buffer: pool.get('counts', size, STAGING), size };
}

export function createSnapshots(
  { device, kernels, orLost }: Session,
  request: BatchRequest,
  { input, output, list, pairOfParts }: ReadBuffers,
): Snapshots {
  const { maxBodies, slots: slotsOf, isPairsOnly } = request;
  const capacity = outputCapacity(request);
  const variant = arraysOfBatch(request);
  const slots = { slotCount: capacity, bodyCount: maxBodies, firstPair: 0 };

  const stagedFirst = ({ pool }: Slot): Staged | undefined => {
    const size = 4 * maxBodies;
    return output.first && { buffer: pool.get('first', size, STAGING), size };
  };

  /** Copies the pairs of a batch that only finds pairs, as an array. */
  function encodePairs(encoder: GPUCommandEncoder, slot: Slot, fields: WrittenFields): void {
    const layout = layOutArrays(fields, capacity);
    const buffer = slot.pool.get('arrays.0', layout.bytes);
    slot.groups = [{ fields, layout, buffer }];
    encoder.copyBufferToBuffer(input.pairs, 0, buffer, 0, 8 * capacity);
  }

  /** Makes the buffers of a slot, and records the kernel that fills them. */
  function encodeArrays(encoder: GPUCommandEncoder, slot: Slot, fields: WrittenFields): void {
    const { pool } = slot;
    const { maxBufferSize, maxStorageBufferBindingSize } = device.limits;
    const limit = Math.min(maxBufferSize, maxStorageBufferBindingSize);
    slot.groups = groupArrays(fields, capacity, limit).map((group, i) => {
      const layout = layOutArrays(group, capacity);
      return { fields: group, layout, buffer: pool.get(`arrays.${i}`, layout.bytes) };
    });
    const { poses, velocities } = input;
    const pairs = output.partPairs ?? input.pairs;
    const dispatches = slot.groups.map(({ layout, buffer }, i) => {
      const uniform = (name: string, data: ArrayBuffer): GPUBuffer => {
        const parameters = pool.uniform(name, data);
        // Fewer slots, if fewer pairs were answered.
        if (slotsOf === 'all') {
          const { pairs: pairCount } = layouts.Counts.fields;
          const { slotCount } = layouts.ArrayParameters.fields;
          encoder.copyBufferToBuffer(output.counts, pairCount.offset, parameters, slotCount.offset, 4);
        }
        return parameters;
      };
      const buffers = { poses, velocities, pairs, list, records: output.records, pairOfParts };
      const name = `parameters.arrays.${i}`;
      return bindArrays(
        { device, kernels, uniform, pool },
        variant,
        slots,
        { offsets: layout.offsets, buffer, name },
        buffers,
      );
    });
    if (dispatches.length > 0) encodePass(encoder, dispatches, { label: 'batch.arrays' });
  }

  return {
    counts: stagedCounts,
    first: stagedFirst,

    take(slot, fields) {
      const encoder = device.createCommandEncoder({ label: 'batch.read' });
      const counts = stagedCounts(slot);
      encoder.copyBufferToBuffer(output.counts, 0, counts.buffer, 0, counts.size);
      const first = fields && stagedFirst(slot);
      if (first) encoder.copyBufferToBuffer(output.first!, 0, first.buffer, 0, first.size);
      if (fields) (isPairsOnly ? encodePairs : encodeArrays)(encoder, slot, fields);
      device.queue.submit([encoder.finish()]);
    },

    async stageArrays({ pool, groups }, count) {
      if (groups.length === 0 || count === 0) return [];
      const { result, verdict } = scoped(device, () => {
        const encoder = device.createCommandEncoder({ label: 'batch.read.arrays' });
        const staged = groups.map(({ fields, layout, buffer }, i) => {
          const { offsets, sizes, bytes } = layOutArrays(fields, count);
          const staging = pool.get(`staging.${i}`, stagingBytes(bytes, layout.bytes), STAGING);
          for (const name of Object.keys(fields))
            encoder.copyBufferToBuffer(buffer, layout.offsets[name], staging, offsets[name], sizes[name]);
          return { fields, buffer: staging, size: bytes };
        });
        device.queue.submit([encoder.finish()]);
        return staged;
      });
      await orLost(verdict);
      return result;
    },
  };
}
