/** Which kernels a query runs, in order: the ladder of DESIGN, closed forms first. */
import type { QueryRequest } from '../backend.ts';
import { CORE_BOX, INFO_PENDING_EPA, INFO_PENDING_GJK } from '../generated/constants.ts';
import type { KernelName } from '../generated/kernels.ts';
import type { KernelVariant } from './kernels.ts';

/** A kernel over all pairs, or over those whose `info` has the bit `waitsFor`. */
export interface Stage extends KernelVariant {
  kernel: Extract<KernelName, `${string}-sat` | `${string}-gjk` | `${string}-epa`>;
  /** An `INFO_PENDING_` bit. */
  waitsFor?: number;
}

/** The stages of a query. SAT is left out where no two boxes can meet. */
export function stagesFor({ query, useSat, shapes }: QueryRequest): Stage[] {
  const hasBoxes = useSat && shapes.shapes.some((shape) => shape?.kind === CORE_BOX);
  const stages: Stage[] = hasBoxes
    ? [{ kernel: `${query}-sat` }, { kernel: `${query}-gjk`, isListed: true, waitsFor: INFO_PENDING_GJK }]
    : [{ kernel: `${query}-gjk` }];
  if (query === 'contacts') stages.push({ kernel: 'contacts-epa', isListed: true, waitsFor: INFO_PENDING_EPA });
  return stages;
}

/** The kernels that list pairs, and those that gather the listed records and count statuses. */
export const listKernels: readonly KernelVariant[] = [
  { kernel: 'list-count' },
  { kernel: 'list-scan' },
  { kernel: 'list-scatter' },
];
export const hitKernels: readonly KernelVariant[] = [...listKernels, { kernel: 'gather' }, { kernel: 'tally' }];
