/** Which kernels a query runs, in order: a ladder from what is decided in one step to what takes long, closed forms first. */
import type { QueryRequest } from '../backend.ts';
import { CORE_BOX, INFO_PENDING_EPA, INFO_PENDING_GJK } from '../generated/constants.ts';
import type { KernelName } from '../generated/kernels.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { KernelVariant } from './kernels.ts';

/** A kernel over all pairs, or over those whose `info` has the bit `waitsFor`. */
export interface Stage extends KernelVariant {
  kernel: Extract<KernelName, `${string}-sat` | `${string}-gjk` | `${string}-epa`>;
  /** An `INFO_PENDING_` bit. */
  waitsFor?: number;
}

/** The stages of a query. A kernel that no pair of these bodies can need is left out, so that nobody waits for its compiling. */
export function stagesFor({ query, useSat, shapes, bodies, margin }: QueryRequest): Stage[] {
  const isUsed = new Uint8Array(shapes.shapes.length);
  for (const id of bodies.shapes) isUsed[id] = 1;
  const used = shapes.shapes.filter((shape, id): shape is ShapeData => shape !== undefined && isUsed[id] === 1);
  const stages: Stage[] = [];
  if (useSat && used.some(isBox)) {
    stages.push({ kernel: `${query}-sat` });
    // SAT knows overlap and separation; how far apart two boxes are is left to GJK.
    if (margin === 0 && used.every((shape) => isBox(shape) && shape.radius === 0)) return stages;
    stages.push({ kernel: `${query}-gjk`, isListed: true, waitsFor: INFO_PENDING_GJK });
  } else {
    stages.push({ kernel: `${query}-gjk` });
  }
  if (query === 'contacts') stages.push({ kernel: 'contacts-epa', isListed: true, waitsFor: INFO_PENDING_EPA });
  return stages;
}

function isBox(shape: ShapeData): boolean {
  return shape.kind === CORE_BOX;
}

/** The kernels that list pairs, and those that gather the listed records and count statuses. */
export const listKernels: readonly KernelVariant[] = [
  { kernel: 'list-count' },
  { kernel: 'list-scan' },
  { kernel: 'list-scatter' },
];
export const hitKernels: readonly KernelVariant[] = [...listKernels, { kernel: 'gather' }, { kernel: 'tally' }];
