/** The form in which a chunk's answers come to the host: records, or arrays of the result (large-query.ts). */
import { LIST_HEADER } from '../generated/constants.ts';
import { countRecords, type Totals } from '../records/decode.ts';
import type { QueryRequest, QuerySink } from '../request/backend.ts';
import type { BufferPool } from './buffers.ts';
import { bindGathering } from './encode-query.ts';
import type { Dispatch, KernelVariant } from './kernels.ts';
import type { QueryScope } from './query-buffers.ts';
import type { Region } from './read-back.ts';

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
  /** Whether the device counts hits and statuses. If not, `count` does, from the bytes of the regions. */
  readonly hasCounts: boolean;
  count?(regions: readonly Uint8Array<ArrayBuffer>[], slotCount: number): Totals;
  /** Writes `slotCount` slots: a slot per pair, or per listed hit. */
  bind(scope: QueryScope, pool: BufferPool, firstPair: number, slotCount: number): BoundOutput;
  /** Passes the bytes of the regions to the sink. */
  deliver(sink: QuerySink, regions: readonly Uint8Array<ArrayBuffer>[], firstPair: number, slotCount: number): void;
}

/** Counts hits and statuses. */
export const COUNT: KernelVariant = { kernel: 'count-statuses' };

/** The kernels that the output of records needs. */
export function recordVariants(hitsOnly: boolean): KernelVariant[] {
  return hitsOnly ? [{ kernel: 'gather' }, COUNT] : [];
}

/** Output as records, for queries with few of them or whose records the host has to look at. */
export function recordOutput({ query, dimension, hitsOnly }: QueryRequest): ChunkOutput {
  const recordBytes = 4 * dimension.records.sizes[query].words;
  return {
    variants: recordVariants(hitsOnly),
    slotBytes: recordBytes,
    hasCounts: hitsOnly,
    count: ([records], slotCount) => countRecords(records, slotCount, dimension.records.sizes[query]),
    bind(scope, pool, _, slotCount) {
      const size = recordBytes * slotCount;
      if (!hitsOnly) return { dispatches: [], regions: [{ buffer: scope.buffers.records, offset: 0, size }] };
      const gathered = pool.get('gathered', size);
      const sizes = { ...scope.sizes, gatherCapacity: slotCount };
      return {
        dispatches: bindGathering({ ...scope, sizes, buffers: { ...scope.buffers, gathered } }),
        regions: [
          { buffer: gathered, offset: 0, size },
          { buffer: scope.buffers.list, offset: 4 * LIST_HEADER, size: 4 * slotCount },
        ],
      };
    },
    deliver(sink, [records, listed], firstPair, recordCount) {
      sink.write({
        firstPair,
        recordCount,
        // Copies: sinks of hits keep them.
        records: records.slice().buffer,
        listed: listed && new Uint32Array(listed.slice().buffer),
      });
    },
  };
}
