/** Prefix sums on the device (shaders/kernels/broad-phase/scan.wgsl). */
import { SCAN_BLOCK } from '../../generated/constants.ts';
import { kernels as kernelTable } from '../../generated/kernel-table.ts';
import { layouts } from '../../generated/layouts.ts';
import { packRecord } from '../../records/record.ts';
import { USAGE } from '../buffers.ts';
import type { Dispatch } from '../kernels.ts';
import type { BroadPhaseContext } from './context.ts';
import { SCAN } from './variants.ts';

export function scanBlocks(valueCount: number): number {
  return Math.ceil(valueCount / SCAN_BLOCK);
}

/** Bytes of `blockTotals` for as many values. */
export function blockTotalsSize(valueCount: number): number {
  return 8 * (scanBlocks(valueCount) + 1);
}

/**
 * Replaces each of `values` by the sum of those before it; the sum of all follows the values. `areOfOwners`: they are the
 * rows of shaders/kernels/broad-phase/owners.wgsl.
 */
export function bindScan(
  { kernels, pool }: BroadPhaseContext,
  name: string,
  values: GPUBuffer,
  valueCount: number,
  blockTotals: GPUBuffer,
  areOfOwners = false,
): Dispatch[] {
  const blockCount = scanBlocks(valueCount);
  const data = packRecord(layouts.ScanParameters, { valueCount, blockCount, areOfOwners: Number(areOfOwners) });
  // Not the context's `uniform`: these do not begin with the number of bodies.
  const parameters = pool.upload(`parameters.scan.${name}`, data, USAGE.UNIFORM | USAGE.COPY_DST);
  return SCAN.map((variant) => {
    const workgroups = variant.kernel === 'broad-phase/scan-blocks' ? 1 : blockCount;
    const named = { values, blockTotals, parameters };
    return kernels.bind(variant, named, workgroups * kernelTable[variant.kernel].workgroupSize, pool);
  });
}
