/** What a batch left on the device: records, statuses, iterations, counts. */

import {
  COUNTS_PAIRS,
  COUNTS_STATUSES,
  INFO_HIT,
  INFO_ITERATIONS_SHIFT,
  INFO_POINTS_MASK,
  INFO_POINTS_SHIFT,
  INFO_STATUS_MASK,
  STATUS_COUNT,
} from '../../src/generated/constants.ts';
import { layouts } from '../../src/generated/layouts.ts';
import { planarRecords, spaceRecords } from '../../src/records/layout.ts';
import { Status } from '../../src/api/types.ts';
import type { GpuCase } from './cases.ts';
import type { Batch } from './runner.ts';
import { LIMITS, within } from './timeout.ts';
import { isPlanar } from './case-workload.ts';

export interface Records {
  status: Uint8Array;
  /** Whether the shapes overlap. */
  hit: Uint8Array;
  /** Sum over all stages. */
  iterations: Uint16Array;
  /** null: the query tells none. */
  distance: Float64Array | null;
  /** For `impacts`: seconds; Infinity where the pair does not meet. */
  time: Float64Array | null;
}

/** Bits of `GPUBufferUsage` and `GPUMapMode`, which Node has no globals for. */
const MAP_READ = 1;
const COPY_DST = 8;

/** The records of the first `count` pairs. */
export async function readRecords(
  batch: Batch,
  { query, workload }: Pick<GpuCase, 'query' | 'workload'>,
  count: number,
): Promise<Records> {
  const layout = isPlanar(workload) ? planarRecords : spaceRecords;
  const { words, info } = layout.sizes[query];
  const bytes = await copyOf(batch, batch.output.records, 4 * words * count);
  const integers = new Uint32Array(bytes);
  const floats = new Float32Array(bytes);
  // By status where the margin may be another one.
  const isHit = (bits: number): boolean =>
    query === 'intersects' || query === 'impacts'
      ? (bits & INFO_HIT) !== 0
      : (bits & INFO_STATUS_MASK) === Status.Overlapping;
  const infos = Uint32Array.from({ length: count }, (_, i) => integers[words * i + info]);
  const hasDistance = (bits: number): boolean =>
    query !== 'manifolds' || ((bits >>> INFO_POINTS_SHIFT) & INFO_POINTS_MASK) > 0;
  const at = query === 'manifolds' ? layout.manifold.contactDistance : layout.fields.distance;
  return {
    status: Uint8Array.from(infos, (bits) => bits & INFO_STATUS_MASK),
    hit: Uint8Array.from(infos, (bits) => (isHit(bits) ? 1 : 0)),
    iterations: Uint16Array.from(infos, (bits) => bits >>> INFO_ITERATIONS_SHIFT),
    distance:
      query === 'intersects' || query === 'impacts'
        ? null
        : Float64Array.from(infos, (bits, i) => (hasDistance(bits) ? floats[words * i + at] : NaN)),
    time:
      query === 'impacts'
        ? Float64Array.from(infos, (bits, i) =>
            isHit(bits) ? Math.max(0, floats[words * i + layout.impact.unclampedTime]) : Infinity,
          )
        : null,
  };
}

export interface Counts {
  pairs: number;
  /** Pairs of each status. */
  statuses: number[];
}

export async function readCounts(batch: Batch): Promise<Counts> {
  const words = new Uint32Array(await copyOf(batch, batch.output.counts, layouts.Counts.size));
  return { pairs: words[COUNTS_PAIRS], statuses: [...words.subarray(COUNTS_STATUSES, COUNTS_STATUSES + STATUS_COUNT)] };
}

/** Counts of a list of so many pairs that repeats the pairs of `status`. */
export function repeatedCounts(status: Uint8Array, pairs: number): Counts {
  const whole = Math.floor(pairs / status.length);
  const statuses = Array<number>(STATUS_COUNT).fill(0);
  status.forEach((value, i) => (statuses[value] += whole + (i < pairs % status.length ? 1 : 0)));
  return { pairs, statuses };
}

async function copyOf({ device }: Batch, buffer: GPUBuffer, size: number): Promise<ArrayBuffer> {
  const staging = device.createBuffer({ label: 'records.staging', size, usage: MAP_READ | COPY_DST });
  const encoder = device.createCommandEncoder({ label: 'records.copy' });
  encoder.copyBufferToBuffer(buffer, 0, staging, 0, size);
  device.queue.submit([encoder.finish()]);
  await within(staging.mapAsync(MAP_READ), LIMITS.work, 'reading records');
  const copy = staging.getMappedRange().slice(0);
  staging.destroy();
  return copy;
}
