/** Answers of a chunk as records, for queries whose records the host has to look at. */
import { INFO_HIT, INFO_STATUS_MASK, LIST_HEADER } from '../generated/constants.ts';
import type { RecordSize } from '../records/layout.ts';
import { noTotals, type Totals } from '../records/totals.ts';
import type { QueryRequest } from '../request/backend.ts';
import { COUNT, type ChunkOutput } from './chunk-output.ts';
import { bindGathering } from './encode-query.ts';
import type { KernelVariant } from './kernels.ts';

/** The kernels that the output of records needs. */
export function recordVariants(hitsOnly: boolean): KernelVariant[] {
  return hitsOnly ? [{ kernel: 'gather' }, COUNT] : [];
}

export function recordOutput({ what, over, form }: QueryRequest): ChunkOutput {
  const size = over.dimension.records.sizes[what.query];
  const hitsOnly = form.slots !== 'all';
  const recordBytes = 4 * size.words;
  return {
    variants: recordVariants(hitsOnly),
    slotBytes: recordBytes,
    hasCounts: hitsOnly,
    count: ([records], slotCount) => countRecords(records, slotCount, size),
    bind(scope, pool, _, slotCount) {
      const bytes = recordBytes * slotCount;
      if (!hitsOnly) return { dispatches: [], regions: [{ buffer: scope.buffers.records, offset: 0, size: bytes }] };
      const gathered = pool.get('gathered', bytes);
      const sizes = { ...scope.sizes, gatherCapacity: slotCount };
      return {
        dispatches: bindGathering({ ...scope, sizes, buffers: { ...scope.buffers, gathered } }),
        regions: [
          { buffer: gathered, offset: 0, size: bytes },
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

/** The counts of consecutive records. */
function countRecords(bytes: Uint8Array<ArrayBuffer>, recordCount: number, { words, info }: RecordSize): Totals {
  const integers = new Uint32Array(bytes.buffer, bytes.byteOffset, words * recordCount);
  const totals = noTotals();
  for (let at = info; at < integers.length; at += words) {
    totals.statusCounts[integers[at] & INFO_STATUS_MASK]++;
    if (integers[at] & INFO_HIT) totals.hits++;
  }
  return totals;
}
