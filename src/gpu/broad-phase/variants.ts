/** The kernels of the broad phase, and what they are compiled for. */
import type { Kernels, KernelVariant } from '../kernels.ts';

export interface BroadPhaseForm {
  isPlanar: boolean;
  /** Whether positions are 64-bit numbers. */
  hasFixedPoint: boolean;
}

/** A kernel of the broad phase, of those whose form decides what they are compiled for. */
type FormedKernel = 'bounds' | 'cells' | 'sorting' | 'weigh' | 'search' | 'gathering' | 'allPairs';

/** The kernels that sum values up, in order. */
export const SCAN = ['broad-phase/scan-sums', 'broad-phase/scan-blocks', 'broad-phase/scan-values'] as const;

/** The kernels for owners of more pairs, in order. */
export const VERY_LONG_LISTS = ['broad-phase/sort-very-long', 'broad-phase/store-owners'] as const;

/** Other kernels of the grid that are the same for all forms. */
const ONE_FORM = [
  'broad-phase/choose-levels',
  'broad-phase/sum-owners',
  'broad-phase/store-kept',
  'broad-phase/sort-pairs',
] as const;

/** The kernels that find pairs by the grid. Batches do without the one that weighs the search. */
export function gridVariants(
  form: BroadPhaseForm,
  kernels: Pick<Kernels, 'adapter'>,
  isWeighed: boolean,
): KernelVariant[] {
  const { bounds, cells, sorting, weigh, search } = variantsOf(form);
  return [
    bounds,
    cells,
    sorting,
    search,
    ...(isWeighed ? [weigh] : []),
    ...[...SCAN, ...ONE_FORM, kernels.adapter.sortLong, ...VERY_LONG_LISTS].map((kernel) => ({ kernel })),
  ];
}

/** The kernels that test all pairs. */
export function allPairsVariants(form: BroadPhaseForm): KernelVariant[] {
  const { bounds, gathering, allPairs } = variantsOf(form);
  return [bounds, gathering, allPairs, ...SCAN.map((kernel) => ({ kernel }))];
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
    gathering: { kernel: 'broad-phase/gather-bodies', constants: places },
    allPairs: { kernel: 'broad-phase/all-pairs', constants: places },
  };
}
