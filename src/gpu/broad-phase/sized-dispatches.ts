/** Dispatches that are sized on the device, for the pairs or rays that there are. */
import { layouts } from '../../generated/layouts.ts';
import { packRecord } from '../../records/record.ts';
import { USAGE } from '../buffers.ts';
import type { Dispatch, KernelVariant } from '../kernels.ts';
import { DISPATCH_BYTES, type PassContext } from '../query-buffers.ts';

/** As many as the parameters have room for, four numbers each. */
const MOST_SIZED = layouts.SizeParameters.fields.sizes.length / 4;

export const SIZE_DISPATCHES = { kernel: 'broad-phase/size-dispatches' } as const satisfies KernelVariant;

/**
 * The dispatches of a batch, after one that sizes those whose workgroups grow with the pairs (bench/results/variants.md): a
 * workgroup without pairs takes a software adapter about a microsecond.
 */
export function sizeDispatches(
  context: PassContext,
  pairCapacity: number,
  dispatches: readonly Dispatch[],
): Dispatch[] {
  const buffer = context.pool.get('dispatchSizes', DISPATCH_BYTES * MOST_SIZED, USAGE.STORAGE | USAGE.INDIRECT);
  /** Places in the buffer, by what decides the size. */
  const places = new Map<string, number>();
  const words: number[] = [];
  const sized = dispatches.map((dispatch): Dispatch => {
    const { pairsPerWorkgroup, width, height } = dispatch;
    if (pairsPerWorkgroup === undefined) return dispatch;
    // One workgroup at least: it writes the counts, also if they are 0.
    const size = [pairsPerWorkgroup, width * height, width, 1];
    const key = size.join(' ');
    if (!places.has(key)) {
      if (places.size === MOST_SIZED) return dispatch;
      places.set(key, places.size);
      words.push(...size);
    }
    return { ...dispatch, indirect: { buffer, offset: DISPATCH_BYTES * places.get(key)! } };
  });
  return [bindSizes(context, 'parameters.dispatchSizes', pairCapacity, words, buffer), ...sized];
}

/** Sizes the caller's next pass for all pairs, or all rays, of up to `capacity`. */
export function bindCallersSize(
  context: PassContext,
  capacity: number,
  workgroupSize: number,
  dispatch: GPUBuffer,
): Dispatch {
  const rowLength = context.device.limits.maxComputeWorkgroupsPerDimension;
  return bindSizes(context, 'parameters.dispatch', capacity, [workgroupSize, 0xffffffff, rowLength, 0], dispatch);
}

function bindSizes(
  { kernels, pool, uniform }: PassContext,
  name: string,
  capacity: number,
  words: readonly number[],
  dispatchSizes: GPUBuffer,
): Dispatch {
  const sizes = Uint32Array.from({ length: 4 * MOST_SIZED }, (_, i) => words[i] ?? 0);
  const parameters = uniform(name, packRecord(layouts.SizeParameters, { count: 0, capacity, sizes }));
  return kernels.bind(SIZE_DISPATCHES, { parameters, dispatchSizes }, 1, pool);
}
