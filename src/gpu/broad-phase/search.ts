/**
 * The broad phase on the GPU: the dispatches that find the pairs of bodies whose boxes meet, on the buffers of a pool.
 *
 *     bounds        the box of each body, or that it is a half-space, or invalid
 *     sizes         how many bodies there are of each size
 *     choose-levels the levels of the grid (shaders/broad-phase/grid.wgsl)
 *     count-cells   the cell of each body, and the bodies of each bucket
 *     scan-...      the first place of each bucket
 *     sort-bodies   the bodies in the order of their buckets
 *     search        the number of each owner's pairs; the owner of a pair is the body with the lower index
 *     scan-...      the first place of each owner's pairs
 *     search        the pairs
 *     sort-...      the partners of each owner in ascending order
 */
import { MOST_KEPT, STATE_WORDS } from '../../generated/constants.ts';
import { layouts } from '../../generated/layouts.ts';
import type { Dispatch, KernelVariant } from '../kernels.ts';
import type { Region } from '../read-back.ts';
import type { BroadPhaseContext, BroadPhaseInput, BroadPhaseSizes } from './context.ts';
import { packParameters } from './parameters.ts';
import { bindScan, blockTotalsSize, scanBlocks } from './scan.ts';
import { variantsOf, type BroadPhaseForm } from './variants.ts';

export interface BoundBroadPhase {
  /** Words as in shaders/broad-phase/state.wgsl. */
  state: GPUBuffer;
  /** Cleared before the dispatches. */
  cleared: readonly GPUBuffer[];
  /** The dispatches that count pairs, and after these those that write them. */
  counting: readonly Dispatch[];
  writing: readonly Dispatch[];
  /** The number of pairs once they are counted: 64 bits, the low word first. */
  total: Region;
}

const LEAST_BUCKETS = 16;
/** A power of two, at least two buckets per body, so that few bodies of other rows are in a row's buckets. */
function bucketCount(bodyCapacity: number): number {
  return Math.max(LEAST_BUCKETS, 2 ** Math.ceil(Math.log2(2 * bodyCapacity)));
}

/**
 * The dispatches on these buffers, with others from the pool; pairs go to `foundPairs`. Calling it again with the same
 * sizes gives the same buffers.
 */
export function bindBroadPhase(
  context: BroadPhaseContext,
  form: BroadPhaseForm,
  sizes: BroadPhaseSizes,
  input: BroadPhaseInput,
  foundPairs: GPUBuffer,
): BoundBroadPhase {
  const { device, kernels, pool, uniform } = context;
  const { bodyCapacity } = sizes;
  const buckets = bucketCount(bodyCapacity);
  const get = (name: string, bytes: number): GPUBuffer => pool.get(`broadPhase.${name}`, bytes);
  const state = get('state', 4 * STATE_WORDS);
  // 168 to 176 bytes per body. The largest comes first, so that it is the one that there may be no room for.
  const own = {
    partners: get('partners', 4 * (1 + MOST_KEPT) * bodyCapacity),
    sorted: get('sorted', layouts.GridBody.size * bodyCapacity),
    bounds: get('bounds', layouts.Bound.size * bodyCapacity),
    state,
    columns: get('columns', 4 * bodyCapacity),
    buckets: get('buckets', 4 * (buckets + 1)),
    cursors: get('cursors', 4 * (bodyCapacity + 1)),
    longOwners: get('longOwners', 4 * bodyCapacity),
    blockTotals: get('blockTotals', blockTotalsSize(Math.max(buckets, bodyCapacity))),
  };
  const { velocities = input.poses, groups = input.bodyShapes, fixedBodies = input.bodyShapes } = input;
  const buffers = { ...own, ...input, velocities, groups, fixedBodies, foundPairs };

  const blockCount = scanBlocks(bodyCapacity);
  const parametersOf = (isWriting: number): GPUBuffer =>
    uniform(
      `parameters.broadPhase.${isWriting}`,
      packParameters(device, sizes, bodyCapacity, { bucketMask: buckets - 1, blockCount, isWriting }),
    );
  const parameters = parametersOf(0);
  const bind = (variant: KernelVariant, invocations = bodyCapacity, uniforms = parameters): Dispatch =>
    kernels.bind(variant, { ...buffers, parameters: uniforms }, invocations, pool);
  const { bounds, located, sorting, search, sortPairs } = variantsOf(form, kernels.isHardware);
  const [sizesVariant, cells] = located;
  return {
    state,
    cleared: [state, own.buckets, own.cursors],
    total: { buffer: own.blockTotals, offset: 8 * blockCount, size: 8 },
    counting: [
      bind(bounds),
      bind(sizesVariant),
      bind({ kernel: 'broad-phase/choose-levels', constants: search.constants }, 1),
      bind(cells),
      ...bindScan(context, 'buckets', own.buckets, buckets, own.blockTotals),
      bind(sorting),
      bind(search),
      ...bindScan(context, 'pairs', own.cursors, bodyCapacity, own.blockTotals),
    ],
    writing: [
      bind(search, bodyCapacity, parametersOf(1)),
      bind(sortPairs),
      bind({ kernel: 'broad-phase/sort-long' }, Infinity),
    ],
  };
}

/** The most bodies that the buffers of this device have room for. */
export function mostBodies(limits: GPUSupportedLimits): number {
  return Math.floor(bindingSize(limits) / (4 * (1 + MOST_KEPT)));
}

/** The most pairs that a buffer of this device has room for. */
export function mostPairs(limits: GPUSupportedLimits): number {
  return Math.floor(bindingSize(limits) / 8);
}

function bindingSize({ maxStorageBufferBindingSize, maxBufferSize }: GPUSupportedLimits): number {
  return Math.min(maxStorageBufferBindingSize, maxBufferSize);
}

/** Records the clearing of buffers that the dispatches need. */
export function encodeClearing(encoder: GPUCommandEncoder, { cleared }: BoundBroadPhase): void {
  for (const buffer of cleared) encoder.clearBuffer(buffer);
}
