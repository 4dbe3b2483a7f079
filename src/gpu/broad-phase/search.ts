/**
 * The broad phase on the GPU: the dispatches that find the pairs of bodies whose boxes meet, on the buffers of a pool.
 *
 *     bounds        the box of each body, or that it is a half-space, or invalid
 *     sizes         how many bodies there are of each size
 *     choose-levels the levels of the grid (shaders/broad-phase/grid.wgsl)
 *     count-cells   the cell of each body, and the bodies of each bucket
 *     scan-...      the first place of each bucket
 *     sort-bodies   the bodies in the order of their buckets
 *     weigh         how long the search takes (not in batches)
 *     search        the number of each owner's pairs; the owner of a pair is the body with the lower index
 *     scan-...      the first place of each owner's pairs
 *     search        the pairs
 *     sort-...      the partners of each owner in ascending order
 */
import {
  MOST_KEPT,
  MOTION_NONE,
  MOTION_STRAIGHT,
  MOTION_TURNING,
  SAMPLES,
  STATE_MOST_TESTS,
  STATE_WORDS,
} from '../../generated/constants.ts';
import { layouts } from '../../generated/layouts.ts';
import type { Dispatch, KernelVariant } from '../kernels.ts';
import type { Region } from '../read-back.ts';
import type { BroadPhaseContext, BroadPhaseInput, BroadPhaseSizes } from './context.ts';
import { packParameters } from './parameters.ts';
import { bindScan, blockTotalsSize, scanBlocks } from './scan.ts';
import { LONG_LISTS, variantsOf, type BroadPhaseForm } from './variants.ts';

/** Places in the grid whose bodies are searched for. */
export interface SlotRange {
  first: number;
  count: number;
  /** Nothing is searched if a body has more tests; see `BoundBroadPhase.weigh`. */
  mostTests: number;
}

export interface BoundBroadPhase {
  /** Words as in shaders/broad-phase/state.wgsl. */
  state: GPUBuffer;
  /** The dispatches that sort the bodies into the grid. */
  grid: readonly Dispatch[];
  /** Finds the most tests of a body. */
  weigh: () => Dispatch;
  /** The search, first to count pairs and then to write them. All ranges share a uniform buffer. */
  search: (isWriting: boolean, range: SlotRange) => Dispatch;
  /** The dispatches after the pairs are counted, and those after they are written. */
  summing: readonly Dispatch[];
  sorting: readonly Dispatch[];
  /** The number of pairs once they are summed up: 64 bits, the low word first. */
  total: Region;
  /** The most tests of a body, one u32. */
  mostTests: Region;
  /** Cleared before the dispatches. */
  cleared: readonly GPUBuffer[];
}

/** Of all bodies, however many tests there are; `count` is the capacity. */
export const ALL_SLOTS = { first: 0, mostTests: 2 ** 32 - 1 };

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
    mostTests: get('mostTests', 4),
  };
  const hasGroups = Number(input.groups !== undefined);
  const hasFixed = Number(input.fixedBodies !== undefined);
  // What is missing is not read.
  const { velocities = input.poses, groups = input.bodyShapes, fixedBodies = input.bodyShapes } = input;
  const buffers = { ...own, ...input, velocities, groups, fixedBodies, foundPairs };

  const parametersOf = (name: string, isWriting: boolean, { first, count, mostTests }: SlotRange): GPUBuffer =>
    uniform(
      `parameters.broadPhase.${name}`,
      packParameters(device, sizes, bodyCapacity, {
        hasGroups,
        hasFixed,
        bucketMask: buckets - 1,
        blockCount: scanBlocks(bodyCapacity),
        isWriting: Number(isWriting),
        firstSlot: first,
        endSlot: first + count,
        mostTests,
      }),
    );
  const parameters = parametersOf('all', false, { ...ALL_SLOTS, count: bodyCapacity });
  const bind = (variant: KernelVariant, invocations = bodyCapacity, uniforms = parameters): Dispatch =>
    kernels.bind(variant, { ...buffers, parameters: uniforms }, invocations, pool);
  const scan = (name: string, values: GPUBuffer, valueCount: number): Dispatch[] =>
    bindScan(context, name, values, valueCount, own.blockTotals);
  const variants = variantsOf(form, kernels.isHardware);
  return {
    state,
    cleared: [state, own.buckets, own.cursors, own.mostTests],
    total: { buffer: own.blockTotals, offset: 8 * scanBlocks(bodyCapacity), size: 8 },
    mostTests: { buffer: own.mostTests, offset: 0, size: 4 },
    grid: [
      bind(variants.bounds),
      bind(variants.sizes),
      bind({ kernel: 'broad-phase/choose-levels' }, 1),
      bind(variants.cells),
      ...scan('buckets', own.buckets, buckets),
      bind(variants.sorting),
    ],
    weigh: () => bind(variants.weigh, Math.min(SAMPLES, bodyCapacity)),
    search: (isWriting, range) =>
      bind(variants.search, range.count, parametersOf(isWriting ? 'write' : 'count', isWriting, range)),
    summing: scan('pairs', own.cursors, bodyCapacity),
    sorting: [bind(variants.sortPairs), ...LONG_LISTS.map((kernel) => bind({ kernel }, Infinity))],
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

/** Records the copy of the most tests to where the search finds it. */
export function encodeMostTests(encoder: GPUCommandEncoder, { mostTests, state }: BoundBroadPhase): void {
  encoder.copyBufferToBuffer(mostTests.buffer, 0, state, 4 * STATE_MOST_TESTS, 4);
}

/** Records the clearing of buffers that the dispatches need. */
export function encodeClearing(encoder: GPUCommandEncoder, { cleared }: Pick<BoundBroadPhase, 'cleared'>): void {
  for (const buffer of cleared) encoder.clearBuffer(buffer);
}

/** How bodies move, for the parameters. */
export function motionKind(motion: { isRotating: boolean } | undefined): number {
  if (!motion) return MOTION_NONE;
  return motion.isRotating ? MOTION_TURNING : MOTION_STRAIGHT;
}
