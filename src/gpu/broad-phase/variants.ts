/** The kernels of the broad phase, and what they are compiled for. */
import { MOST_TOGETHER } from '../../generated/constants.ts';
import type { KernelVariant } from '../kernels.ts';

export interface BroadPhaseForm {
  isPlanar: boolean;
  /** Whether positions are 64-bit numbers. */
  hasFixedPoint: boolean;
}

/** A kernel of the broad phase, of those whose form decides what they are compiled for. */
type FormedKernel = 'bounds' | 'cells' | 'sorting' | 'weigh' | 'search';

/** The kernels that sum values up, in order. */
export const SCAN = [
  { kernel: 'broad-phase/scan-sums' },
  { kernel: 'broad-phase/scan-blocks' },
  { kernel: 'broad-phase/scan-values' },
] as const satisfies readonly KernelVariant[];

/** The kernels for owners of more pairs than a workgroup sorts, in order. Without room for more bodies there are none. */
export function veryLongLists(bodyCapacity: number): readonly KernelVariant[] {
  if (bodyCapacity <= MOST_TOGETHER) return [];
  return [{ kernel: 'broad-phase/sort-very-long' }, { kernel: 'broad-phase/store-owners' }];
}

/** Other kernels of the grid that are the same for all forms. */
const ONE_FORM = [
  'broad-phase/choose-levels',
  'broad-phase/store-kept',
  'broad-phase/sort-pairs',
  'broad-phase/sort-long',
] as const;

/** The kernels that find pairs of up to `bodyCapacity` bodies. Batches do without the one that weighs the search. */
export function gridVariants(form: BroadPhaseForm, bodyCapacity: number, isWeighed: boolean): KernelVariant[] {
  const { bounds, cells, sorting, weigh, search } = variantsOf(form);
  return [
    bounds,
    cells,
    sorting,
    search,
    ...(isWeighed ? [weigh] : []),
    ...SCAN,
    ...ONE_FORM.map((kernel) => ({ kernel })),
    ...veryLongLists(bodyCapacity),
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
