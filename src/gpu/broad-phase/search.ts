/**
 * The broad phase on the GPU: the dispatches that find the pairs of bodies whose boxes meet, on the buffers of a pool.
 *
 *     bounds        the box of each body, or that it is a half-space, or invalid; how many bodies there are of each size
 *     choose-levels the levels of the grid (shaders/broad-phase/grid.wgsl)
 *     count-cells   the cell of each body, and the bodies of each bucket
 *     scan-...      the first place of each bucket
 *     sort-bodies   the bodies in the order of their buckets
 *     weigh         how long the search takes (not in batches)
 *     search        the number of each owner's pairs; the owner of a pair is the body with the lower index
 *     sum-owners    these numbers summed up for each owner
 *     scan-...      the first place of each owner's pairs
 *     store-kept    the pairs whose partners the search has kept
 *     search        the other pairs
 *     sort-...      the partners of each owner in ascending order
 */
import {
  FIRST_KEPT,
  LEAST_BUCKETS,
  LEVEL_COUNT,
  MOST_KEPT,
  MOTION_NONE,
  MOTION_STRAIGHT,
  MOTION_TURNING,
  NUMBER_BITS,
  SAMPLES,
  STATE_MOST_TESTS,
  STATE_WORDS,
} from '../../generated/constants.ts';
import { kernels as kernelTable } from '../../generated/kernel-table.ts';
import { layouts } from '../../generated/layouts.ts';
import { workgroupsFor, type Dispatch, type KernelVariant } from '../kernels.ts';
import type { Region } from '../read-back.ts';
import type { BroadPhaseContext, BroadPhaseInput, BroadPhaseSizes } from './context.ts';
import { packParameters } from './parameters.ts';
import { bindScan, blockTotalsSize, scanBlocks } from './scan.ts';
import { longListsOf, variantsOf, type BroadPhaseForm } from './variants.ts';

/** Bodies that are searched for; see `BoundBroadPhase.search`. */
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
  /**
   * The search: first, for the bodies with these places in the grid, it counts pairs; then it writes those that
   * `storing` does not, for the bodies with these places in the list of those that have more. All ranges share a uniform
   * buffer.
   */
  search: (isWriting: boolean, range: SlotRange) => Dispatch;
  /** The dispatches after the pairs are counted, the one that writes kept pairs, and those after all are written. */
  summing: readonly Dispatch[];
  storing: Dispatch;
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

/**
 * Invocations of the search for bodies with more partners than are kept. A software adapter is slow to start more; on a
 * card, each has a body even where all bodies of a heap have more.
 */
const SEARCHING_AGAIN = { hardware: 2 ** 16, software: 2 ** 12 };

/** Offsets of bindings are multiples of this on every device. */
const ALIGNMENT = 256;

/** Each level has at most twice as many buckets as bodies, or `LEAST_BUCKETS`. */
function bucketCount(bodyCapacity: number): number {
  return 2 * bodyCapacity + LEVEL_COUNT * LEAST_BUCKETS;
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
  // 152 bytes per body. The largest comes first, so that it is the one that there may be no room for.
  const partners = get('partners', partnersBytes(bodyCapacity));
  // Done with before the search keeps partners.
  const bounds = { buffer: partners, offset: 0, size: layouts.Bound.size * bodyCapacity };
  const bodyCells = { buffer: partners, offset: aligned(bounds.size), size: BODY_CELL_BYTES * bodyCapacity };
  const own = {
    partners,
    bounds,
    bodyCells,
    // After the search.
    longOwners: partners,
    sorted: get('sorted', layouts.GridBody.size * bodyCapacity),
    state,
    cells: get('cells', 12 * bodyCapacity),
    buckets: get('buckets', 4 * (buckets + 1)),
    owners: get('owners', 12 * (bodyCapacity + 1)),
    blockTotals: get('blockTotals', blockTotalsSize(Math.max(buckets, bodyCapacity))),
    mostTests: get('mostTests', 4),
  };
  const hasGroups = Number(input.groups !== undefined);
  const hasFixed = Number(input.fixedBodies !== undefined);
  // What is missing is not read.
  const { velocities = input.poses, groups = input.bodyShapes, fixedBodies = input.bodyShapes } = input;
  const buffers = { ...own, ...input, velocities, groups, fixedBodies, foundPairs };

  const parametersOf = (name: string, { first, count, mostTests }: SlotRange, others = {}): GPUBuffer =>
    uniform(
      `parameters.broadPhase.${name}`,
      packParameters(device, sizes, bodyCapacity, {
        hasGroups,
        hasFixed,
        bucketCount: buckets,
        blockCount: scanBlocks(bodyCapacity),
        firstSlot: first,
        endSlot: first + count,
        mostTests,
        ...others,
      }),
    );
  const parameters = parametersOf('all', { ...ALL_SLOTS, count: bodyCapacity });
  const bind = (variant: KernelVariant, invocations = bodyCapacity, uniforms = parameters): Dispatch =>
    kernels.bind(variant, { ...buffers, parameters: uniforms }, invocations, pool);
  const scan = (name: string, values: GPUBuffer, valueCount: number): Dispatch[] =>
    bindScan(context, name, values, valueCount, own.blockTotals);
  const variants = variantsOf(form);
  return {
    state,
    cleared: [state, own.buckets, own.owners, own.mostTests],
    total: { buffer: own.blockTotals, offset: 8 * scanBlocks(bodyCapacity), size: 8 },
    mostTests: { buffer: own.mostTests, offset: 0, size: 4 },
    grid: [
      bind(variants.bounds),
      bind({ kernel: 'broad-phase/choose-levels' }, 1),
      bind(variants.cells),
      ...scan('buckets', own.buckets, buckets),
      bind(variants.sorting),
    ],
    weigh: () => bind(variants.weigh, Math.min(SAMPLES, bodyCapacity)),
    search(isWriting, range) {
      const most = SEARCHING_AGAIN[kernels.isHardware ? 'hardware' : 'software'];
      const invocations = isWriting ? Math.min(range.count, most) : range.count;
      const searchStride =
        kernelTable['broad-phase/search'].workgroupSize * workgroupsFor('broad-phase/search', invocations);
      const others = { isWriting: Number(isWriting), searchStride };
      return bind(variants.search, invocations, parametersOf(isWriting ? 'write' : 'count', range, others));
    },
    summing: [bind({ kernel: 'broad-phase/sum-owners' }), ...scan('pairs', own.owners, bodyCapacity)],
    storing: bind({ kernel: 'broad-phase/store-kept' }),
    sorting: [
      bind({ kernel: 'broad-phase/sort-pairs' }),
      ...longListsOf(kernels).map((kernel) => bind({ kernel }, Infinity)),
    ],
  };
}

/** Bytes per body of `bodyCells`, as shaders/kernels/broad-phase/count-cells.wgsl has them. */
const BODY_CELL_BYTES = 16;

function aligned(bytes: number): number {
  return ALIGNMENT * Math.ceil(bytes / ALIGNMENT);
}

/** The partners of each body; before, its bounds and cell. */
function partnersBytes(bodyCapacity: number): number {
  const before = aligned(layouts.Bound.size * bodyCapacity) + BODY_CELL_BYTES * bodyCapacity;
  return Math.max(4 * (FIRST_KEPT + MOST_KEPT) * bodyCapacity, before);
}

/** The most bodies that the buffers of this device have room for, and that have numbers as kept partners. */
export function mostBodies(limits: GPUSupportedLimits): number {
  return Math.min(2 ** NUMBER_BITS, Math.floor(bindingSize(limits) / (4 * (FIRST_KEPT + MOST_KEPT))));
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
