/** Answers of a chunk as records, for queries whose records the host has to look at. */
import { LIST_HEADER } from '../generated/constants.ts';
import type { QueryRequest } from '../request/backend.ts';
import { COUNT, type ChunkOutput } from './chunk-output.ts';
import { bindGathering } from './encode-query.ts';
import type { KernelVariant } from './kernels.ts';

/** The kernels that the output of records needs. */
export function recordVariants(hitsOnly: boolean): KernelVariant[] {
  return hitsOnly ? [COUNT, { kernel: 'gather' }] : [COUNT];
}

export function recordOutput({ what, over, form }: QueryRequest): ChunkOutput {
  const hitsOnly = form.slots !== 'all';
  const recordBytes = 4 * over.dimension.records.sizes[what.query].words;
  return {
    variants: recordVariants(hitsOnly),
    slotBytes: recordBytes,
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
