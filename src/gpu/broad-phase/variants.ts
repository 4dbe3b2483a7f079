/** The kernels of the broad phase, and what they are compiled for. */
import type { Kernels, KernelVariant } from '../kernels.ts';

export interface BroadPhaseForm {
  isPlanar: boolean;
  /** Whether positions are 64-bit numbers. */
  hasFixedPoint: boolean;
}

/** A kernel of the broad phase, of those whose form decides what they are compiled for. */
type FormedKernel = 'bounds' | 'sizes' | 'cells' | 'sorting' | 'weigh' | 'search' | 'sortPairs';

/** The kernels that sum values up, in order. */
export const SCAN = ['broad-phase/scan-sums', 'broad-phase/scan-blocks', 'broad-phase/scan-values'] as const;

/** The kernels for bodies with many pairs, in order. */
export const LONG_LISTS = ['broad-phase/sort-long', 'broad-phase/sort-very-long', 'broad-phase/store-owners'] as const;

/** The kernels of the broad phase. Batches do without the one that weighs the search. */
export function broadPhaseVariants(
  form: BroadPhaseForm,
  { isHardware }: Pick<Kernels, 'isHardware'>,
  isWeighed: boolean,
): KernelVariant[] {
  const { weigh, ...others } = variantsOf(form, isHardware);
  return [
    ...Object.values(others),
    ...(isWeighed ? [weigh] : []),
    ...[...SCAN, ...LONG_LISTS].map((kernel) => ({ kernel })),
    { kernel: 'broad-phase/choose-levels' },
  ];
}

export function variantsOf(
  { isPlanar, hasFixedPoint }: BroadPhaseForm,
  isHardware: boolean,
): Record<FormedKernel, KernelVariant> {
  const plane = { ...(isPlanar && { IS_PLANAR: 1 }) };
  const places = { ...plane, ...(hasFixedPoint && { HAS_FIXED_POINT: 1 }) };
  return {
    bounds: { kernel: isPlanar ? 'planar/broad-phase-bounds' : 'broad-phase/bounds' },
    sizes: { kernel: 'broad-phase/sizes', constants: places },
    cells: { kernel: 'broad-phase/count-cells', constants: places },
    sorting: { kernel: 'broad-phase/sort-bodies', constants: plane },
    weigh: { kernel: 'broad-phase/weigh', constants: places },
    search: { kernel: 'broad-phase/search', constants: places },
    sortPairs: { kernel: 'broad-phase/sort-pairs', constants: isHardware ? {} : { MOST_SORTED_ALONE: 256 } },
  };
}
