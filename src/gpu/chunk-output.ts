/** The form in which a chunk's answers come to the host: arrays of the result, or records (record-output.ts). */
import { SLOTS_PER_INVOCATION } from '../generated/constants.ts';
import { usesFixedPoint } from '../records/bodies.ts';
import { fieldsOf } from '../records/result-fields.ts';
import type { AnswerForm, AskedQuery, QuerySink } from '../request/backend.ts';
import type { BufferPool } from './buffers.ts';
import type { Dispatch, KernelVariant } from './kernels.ts';
import type { QueryScope } from './query-buffers.ts';
import type { Region } from './read-back.ts';
import { arraysIn, arraysVariant, bindArrays, layOutArrays, writtenFields, type ArrayMode } from './result-arrays.ts';

/** Commands after the last step, and the regions that the host reads after them. */
export interface BoundOutput {
  dispatches: Dispatch[];
  regions: Region[];
}

export interface ChunkOutput {
  /** The kernels that it needs. */
  readonly variants: readonly KernelVariant[];
  /** Bytes per slot. */
  readonly slotBytes: number;
  /** Writes `slotCount` slots: a slot per pair, or per listed hit. */
  bind(scope: QueryScope, pool: BufferPool, firstPair: number, slotCount: number): BoundOutput;
  /** Passes the bytes of the regions to the sink. */
  deliver(sink: QuerySink, regions: readonly Uint8Array<ArrayBuffer>[], firstPair: number, slotCount: number): void;
}

/** Counts hits and statuses. */
export const COUNT: KernelVariant = { kernel: 'count-statuses' };

/** How the arrays of a query come from its records. */
export function modeOf(isListed: boolean, hasDoubles: boolean): ArrayMode {
  return { isListed, isGathered: false, hasDoubles };
}

/** The arrays of the result, as callers get them. */
export function arrayOutput(
  { what: { query }, over: { dimension, bodies } }: AskedQuery,
  { slots: slotsOf, fields: names }: AnswerForm & { type: 'arrays' },
): ChunkOutput {
  const mode = modeOf(slotsOf === 'hits', usesFixedPoint(bodies));
  const variant = arraysVariant(query, dimension, mode);
  const fields = fieldsOf(query, dimension.dimension);
  const written = writtenFields(fields, names, mode);
  const isWritten = Object.keys(written).length > 0;
  return {
    variants: [...(isWritten ? [variant] : []), COUNT],
    slotBytes: layOutArrays(written, SLOTS_PER_INVOCATION).bytes / SLOTS_PER_INVOCATION,
    bind({ context, sizes, buffers }, pool, firstPair, slotCount) {
      const layout = layOutArrays(written, slotCount);
      const arrays = pool.get('arrays', layout.bytes);
      const slots = { slotCount, bodyCount: sizes.bodyCount, firstPair };
      return {
        dispatches: isWritten
          ? [bindArrays(context, variant, slots, { offsets: layout.offsets, buffer: arrays }, buffers)]
          : [],
        regions: [{ buffer: arrays, offset: 0, size: layout.bytes }],
      };
    },
    deliver(sink, [bytes], firstPair, slotCount) {
      sink.writeArrays!({ firstPair, count: slotCount, arrays: arraysIn(bytes, written, slotCount) });
    },
  };
}
