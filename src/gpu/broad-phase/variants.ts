/** The kernels of the broad phase, and what they are compiled for. */
import type { Kernels, KernelVariant } from '../kernels.ts';

export interface BroadPhaseForm {
  isPlanar: boolean;
  /** Whether positions are 64-bit numbers. */
  hasFixedPoint: boolean;
  /** Whether boxes are those of motions, and whether these have a rotation. */
  isSwept: boolean;
  isRotating: boolean;
  hasGroups: boolean;
  hasFixed: boolean;
}

/** The kernels that sum values up, in order. */
export const SCAN = ['broad-phase/scan-sums', 'broad-phase/scan-blocks', 'broad-phase/scan-values'] as const;

/** The kernels of the broad phase. */
export function broadPhaseVariants(form: BroadPhaseForm, { isHardware }: Pick<Kernels, 'isHardware'>): KernelVariant[] {
  const { bounds, located, sorting, search, sortPairs } = variantsOf(form, isHardware);
  return [
    bounds,
    ...located,
    { kernel: 'broad-phase/choose-levels', constants: search.constants },
    ...SCAN.map((kernel) => ({ kernel })),
    sorting,
    search,
    sortPairs,
    { kernel: 'broad-phase/sort-long' },
  ];
}

export function variantsOf(
  { isPlanar, hasFixedPoint, isSwept, isRotating, hasGroups, hasFixed }: BroadPhaseForm,
  isHardware: boolean,
): {
  bounds: KernelVariant;
  located: [sizes: KernelVariant, cells: KernelVariant];
  sorting: KernelVariant;
  search: KernelVariant;
  sortPairs: KernelVariant;
} {
  const plane = { ...(isPlanar && { IS_PLANAR: 1 }) };
  const places = { ...plane, ...(hasFixedPoint && { HAS_FIXED_POINT: 1 }) };
  return {
    bounds: {
      kernel: isPlanar ? 'planar/broad-phase-bounds' : 'broad-phase/bounds',
      constants: { ...(isSwept && { IS_SWEPT: 1 }), ...(isRotating && { IS_ROTATING: 1 }) },
    },
    located: [
      { kernel: 'broad-phase/sizes', constants: places },
      { kernel: 'broad-phase/count-cells', constants: places },
    ],
    sorting: {
      kernel: 'broad-phase/sort-bodies',
      constants: { ...plane, ...(hasGroups && { HAS_GROUPS: 1 }), ...(hasFixed && { HAS_FIXED: 1 }) },
    },
    search: { kernel: 'broad-phase/search', constants: places },
    sortPairs: { kernel: 'broad-phase/sort-pairs', constants: isHardware ? {} : { MOST_SORTED_ALONE: 256 } },
  };
}
