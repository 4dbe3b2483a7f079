/**
 * Dispatches of a batch that are sized on the device, for the pairs that there are instead of those that there is room
 * for. A workgroup without pairs takes a software adapter about a microsecond.
 */
import { layouts } from '../../generated/layouts.ts';
import { packRecord } from '../../records/record.ts';
import { USAGE } from '../buffers.ts';
import type { Dispatch, KernelVariant } from '../kernels.ts';
import { DISPATCH_BYTES, type PassContext } from '../query-buffers.ts';

/** As many as the parameters have room for, four numbers each. */
const MOST_SIZED = layouts.NarrowPhaseParameters.fields.sizes.length / 4;

export const SIZE_NARROW_PHASE = { kernel: 'broad-phase/size-narrow-phase' } as const satisfies KernelVariant;

/** The dispatches, after one that sizes those whose workgroups grow with the pairs. */
export function sizeDispatches(
  { kernels, pool, uniform }: PassContext,
  pairCapacity: number,
  dispatches: readonly Dispatch[],
): Dispatch[] {
  const buffer = pool.get('dispatchSizes', DISPATCH_BYTES * MOST_SIZED, USAGE.STORAGE | USAGE.INDIRECT);
  /** Places in the buffer, by what decides the size. */
  const places = new Map<string, number>();
  const words: number[] = [];
  const sized = dispatches.map((dispatch): Dispatch => {
    const { pairsPerWorkgroup, width, height } = dispatch;
    if (pairsPerWorkgroup === undefined) return dispatch;
    const size = [pairsPerWorkgroup, width * height, width, 0];
    const key = size.join(' ');
    if (!places.has(key)) {
      if (places.size === MOST_SIZED) return dispatch;
      places.set(key, places.size);
      words.push(...size);
    }
    return { ...dispatch, indirect: { buffer, offset: DISPATCH_BYTES * places.get(key)! } };
  });
  const sizes = Uint32Array.from({ length: 4 * MOST_SIZED }, (_, i) => words[i] ?? 0);
  const parameters = uniform(
    'parameters.dispatchSizes',
    packRecord(layouts.NarrowPhaseParameters, { pairCount: 0, pairCapacity, sizes }),
  );
  return [kernels.bind(SIZE_NARROW_PHASE, { parameters, dispatchSizes: buffer }, 1, pool), ...sized];
}
