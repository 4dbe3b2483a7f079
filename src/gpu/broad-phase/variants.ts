/** The kernels of the broad phase, and what they are compiled for. */
import type { Kernels, KernelVariant } from '../kernels.ts';

export interface BroadPhaseForm {
  isPlanar: boolean;
  /** Whether positions are 64-bit numbers. */
  hasFixedPoint: boolean;
}

/** A kernel of the broad phase, of those whose form decides what they are compiled for. */
type FormedKernel = 'bounds' | 'cells' | 'sorting' | 'weigh' | 'search';

/** The kernels that sum values up, in order. */
export const SCAN = ['broad-phase/scan-sums', 'broad-phase/scan-blocks', 'broad-phase/scan-values'] as const;

/** The kernels for owners of many pairs, in order. */
export function longListsOf({ isHardware }: Pick<Kernels, 'isHardware'>) {
  const sortLong = isHardware ? 'broad-phase/sort-long' : 'broad-phase/sort-long-alone';
  return [sortLong, 'broad-phase/sort-very-long', 'broad-phase/store-owners'] as const;
}

/** The kernels of the broad phase. Batches do without the one that weighs the search. */
export function broadPhaseVariants(
  form: BroadPhaseForm,
  kernels: Pick<Kernels, 'isHardware'>,
  isWeighed: boolean,
): KernelVariant[] {
  const { weigh, ...others } = variantsOf(form);
  return [
    ...Object.values(others),
    ...(isWeighed ? [weigh] : []),
    ...[...SCAN, ...longListsOf(kernels)].map((kernel) => ({ kernel })),
    { kernel: 'broad-phase/choose-levels' },
    { kernel: 'broad-phase/sum-owners' },
    { kernel: 'broad-phase/store-kept' },
    { kernel: 'broad-phase/sort-pairs' },
  ];
}

export function variantsOf({ isPlanar, hasFixedPoint }: BroadPhaseForm): Record<FormedKernel, KernelVariant> {
  const plane = { ...(isPlanar && { IS_PLANAR: 1 }) };
  const places = { ...plane, ...(hasFixedPoint && { HAS_FIXED_POINT: 1 }) };
  return {
    bounds: { kernel: isPlanar ? 'planar/broad-phase-bounds' : 'broad-phase/bounds', constants: places },
    cells: { kernel: 'broad-phase/count-cells', constants: places },
    sorting: { kernel: 'broad-phase/sort-bodies', constants: plane },
    weigh: { kernel: 'broad-phase/weigh', constants: places },
    search: { kernel: 'broad-phase/search', constants: places },
  };
}
