/** How many pairs of parts a device has room for. */
import { NarrowphaseError } from '../../api/errors.ts';

/** Bytes of a pair of parts. */
export const PART_PAIR_BYTES = 16;

export function mostPartPairs({ limits }: Pick<GPUDevice, 'limits'>): number {
  return Math.floor(Math.min(limits.maxStorageBufferBindingSize, limits.maxBufferSize) / PART_PAIR_BYTES);
}

/** Throws `LIMIT_EXCEEDED` for more pairs of parts than a buffer of the device has room for. */
export function expectPartRoom(device: Pick<GPUDevice, 'limits'>, maxPartPairs: number | undefined): void {
  const most = mostPartPairs(device);
  if (maxPartPairs === undefined || maxPartPairs <= most) return;
  throw new NarrowphaseError(
    'LIMIT_EXCEEDED',
    `options.maxPartPairs is ${maxPartPairs}, expected at most ${most} on this device`,
  );
}
