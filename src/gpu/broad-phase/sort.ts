/** A stable sort of keys with their bodies on the device (shaders/kernels/tree/sort.wgsl). */
import { DIGITS, DIGIT_BITS, SORT_BLOCK } from '../../generated/constants.ts';
import type { Dispatch, KernelVariant } from '../kernels.ts';
import { packParameters } from './parameters.ts';
import { bindScan, blockTotalsSize } from './scan.ts';
import type { BroadPhaseContext, BroadPhaseSizes } from './context.ts';
import { SCAN } from './variants.ts';

export const SORT_VARIANTS: readonly KernelVariant[] = [
  { kernel: 'tree/sort-count' },
  { kernel: 'tree/sort-scatter' },
  ...SCAN,
];

/**
 * Passes that sort keys of so many bits. Their number is even, so the sorted keys end up where the unsorted ones were.
 */
function digitsFor(bits: number): number {
  return 2 * Math.ceil(bits / DIGIT_BITS / 2);
}

/**
 * Sorts the entries of `entries`, of a key and a body each, by their keys, which have `bits` bits. `others` is memory of
 * the same size.
 */
export function bindSort(
  context: BroadPhaseContext,
  sizes: BroadPhaseSizes,
  entries: GPUBuffer,
  others: GPUBuffer,
  bits = 32,
): Dispatch[] {
  const { device, kernels, pool, uniform } = context;
  const blockCount = Math.ceil(sizes.bodyCapacity / SORT_BLOCK);
  const countCount = DIGITS * blockCount;
  const digitCounts = pool.get('tree.digitCounts', 4 * (countCount + 1));
  const blockTotals = pool.get('tree.blockTotals', blockTotalsSize(countCount));
  const invocations = 256 * blockCount;
  return Array.from({ length: digitsFor(bits) }, (_, step) => {
    const data = packParameters(device, sizes, invocations, { step, blockCount });
    const [sortedFrom, sortedTo] = step % 2 === 0 ? [entries, others] : [others, entries];
    const named = { parameters: uniform(`parameters.tree.digit${step}`, data), digitCounts, sortedFrom, sortedTo };
    return [
      kernels.bind({ kernel: 'tree/sort-count' }, named, invocations, pool),
      ...bindScan(context, 'digits', digitCounts, countCount, blockTotals),
      kernels.bind({ kernel: 'tree/sort-scatter' }, named, invocations, pool),
    ];
  }).flat();
}
