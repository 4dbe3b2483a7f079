/** `read` and `readCounts` of a batch that casts rays: one copy of a record per ray. */
import type { BatchCounts, BatchOutput, BatchReadOptions } from '../../api/batch.ts';
import type { RayHits } from '../../api/motion.ts';
import { INFO_STATUS_MASK } from '../../generated/constants.ts';
import { layouts } from '../../generated/layouts.ts';
import type { BatchRequest } from '../../request/backend.ts';
import { resultFields } from '../../request/fields.ts';
import { RAY_READ_OPTIONS, READ_COUNTS_OPTIONS } from '../../request/options.ts';
import { createRayHits } from '../../request/ray-hits.ts';
import { countsIn, expectReadOptions, mapped, readInTurn } from '../batch-reader.ts';
import { createRing } from '../batch-ring.ts';
import type { Slot, Snapshots, Staged } from '../batch-snapshot.ts';
import { USAGE } from '../buffers.ts';
import type { WrittenFields } from '../result-arrays.ts';
import type { Session } from '../session.ts';
import { hitBytes } from './search.ts';

const STAGING = USAGE.MAP_READ | USAGE.COPY_DST;

/** The hits are copied as they are. */
const HITS: WrittenFields = {};

export interface RayReader {
  read(options: { fields?: unknown; target?: unknown; signal?: AbortSignal }): Promise<RayHits>;
  readCounts(options: { signal?: AbortSignal }): Promise<BatchCounts>;
  destroy(): void;
}

function staged({ pool }: Slot, name: string, size: number): Staged {
  return { buffer: pool.get(name, size, STAGING), size };
}

function stagedCounts(slot: Slot): Staged {
  return staged(slot, 'counts', layouts.Counts.size);
}

export function createRayReader(session: Session, request: BatchRequest, { records, counts }: BatchOutput): RayReader {
  const { device } = session;
  const { dimension, rayCasts } = request;
  const { maxRays } = rayCasts!;
  const axes = dimension.dimension;
  const hitWords = hitBytes(dimension) / 4;
  const stagedHits = (slot: Slot): Staged => staged(slot, 'hits', 4 * hitWords * maxRays);

  const snapshots: Pick<Snapshots, 'take'> = {
    take(slot, fields) {
      const encoder = device.createCommandEncoder({ label: 'batch.rayCasts.read' });
      encoder.copyBufferToBuffer(counts, 0, stagedCounts(slot).buffer, 0, layouts.Counts.size);
      if (fields) {
        const { buffer, size } = stagedHits(slot);
        encoder.copyBufferToBuffer(records, 0, buffer, 0, size);
      }
      device.queue.submit([encoder.finish()]);
    },
  };
  const ring = createRing(session, 'rayCasts', snapshots);

  return {
    read(options) {
      expectReadOptions(options, RAY_READ_OPTIONS);
      const { target, signal } = options as Pick<BatchReadOptions<unknown>, 'signal'> & { target?: unknown };
      const names = resultFields('rayCasts', axes, options);
      return readInTurn(ring, HITS, signal, (slot, before) =>
        mapped(
          session,
          [stagedCounts(slot), stagedHits(slot)],
          ([ofCounts, hits]) => {
            const { statusCounts } = countsIn(ofCounts, request);
            // Each ray of the last submission has a status.
            const rayCount = statusCounts.reduce((sum, count) => sum + count, 0);
            const words = new Uint32Array(hits.buffer, hits.byteOffset, hits.length / 4);
            const { result } = fillHits(words, rayCount, names, target);
            return Object.assign(result, { statusCounts: [...statusCounts] }) as unknown as RayHits;
          },
          before,
          signal,
        ),
      );
    },

    readCounts(options) {
      expectReadOptions(options, READ_COUNTS_OPTIONS);
      return readInTurn(ring, undefined, options.signal, (slot, before) =>
        mapped(session, [stagedCounts(slot)], ([bytes]) => countsIn(bytes, request), before, options.signal),
      );
    },

    destroy: () => ring.destroy(),
  };

  function fillHits(words: Uint32Array, count: number, names: readonly string[], target: unknown) {
    const { impact, sizes } = dimension.records;
    const { words: bodyWord, info } = sizes.impacts;
    const floats = new Float32Array(words.buffer, words.byteOffset, words.length);
    const hits = createRayHits(count, axes, false, names, target);
    const { time, body, status, normal, point } = hits;
    for (let ray = 0; ray < count; ray++) {
      const at = hitWords * ray;
      time[ray] = Math.max(floats[at + impact.unclampedTime], 0);
      body[ray] = words[at + bodyWord];
      status[ray] = words[at + info] & INFO_STATUS_MASK;
      for (let k = 0; k < axes; k++) {
        if (normal) normal[axes * ray + k] = floats[at + impact.normal + k];
        if (point) point[axes * ray + k] = floats[at + impact.point + k];
      }
    }
    return hits;
  }
}
