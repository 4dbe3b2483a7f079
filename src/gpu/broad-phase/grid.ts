/**
 * The broad phase by a grid: the dispatches that find the pairs of bodies whose boxes meet, on the buffers of a pool.
 *
 *     bounds        the box of each body, or that it is a half-space, or invalid; how many bodies there are of each size
 *     choose-levels the levels of the grid (shaders/broad-phase/grid.wgsl)
 *     count-cells   the cell of each body, and the bodies of each bucket
 *     scan-...      the first place of each bucket
 *     sort-bodies   the bodies in the order of their buckets
 *     weigh         how long the search takes (not in batches)
 *     search        the number of each owner's pairs; the owner of a pair is the body with the lower index
 *     scan-...      the first place of each owner's pairs
 *     store-kept    the pairs whose partners the search has kept
 *     search        the other pairs
 *     sort-...      the partners of each owner in ascending order
 */
import { FIRST_KEPT, LEAST_BUCKETS, LEVEL_COUNT, MOST_KEPT, SAMPLES, STATE_WORDS } from '../../generated/constants.ts';
import { layouts } from '../../generated/layouts.ts';
import type { Dispatch, KernelVariant } from '../kernels.ts';
import { ALL_SLOTS, createBinder } from './binder.ts';
import type { BoundBroadPhase, BroadPhaseContext, BroadPhaseInput, BroadPhaseSizes, SlotRange } from './context.ts';
import { bindScan, blockTotalsSize, scanBlocks } from './scan.ts';
import { variantsOf, veryLongLists, type BroadPhaseForm } from './variants.ts';

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
export function bindGrid(
  context: BroadPhaseContext,
  form: BroadPhaseForm,
  sizes: BroadPhaseSizes,
  input: BroadPhaseInput,
  foundPairs: GPUBuffer,
): BoundBroadPhase {
  const { kernels, pool } = context;
  const { bodyCapacity } = sizes;
  const buckets = bucketCount(bodyCapacity);
  const get = (name: string, bytes: number): GPUBuffer => pool.get(`broadPhase.${name}`, bytes);
  const state = get('state', 4 * STATE_WORDS);
  // 164 bytes per body. The largest comes first, so that it is the one that there may be no room for.
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
    listedOwners: partners,
    bodies: get('bodies', layouts.GridBody.size * bodyCapacity),
    state,
    steps: get('steps', 8 * bodyCapacity),
    buckets: get('buckets', 4 * (buckets + 1)),
    owners: get('owners', 12 * (bodyCapacity + 1)),
    blockTotals: get('blockTotals', blockTotalsSize(Math.max(buckets, bodyCapacity))),
    mostTests: get('mostTests', 4),
  };
  const { bind, parametersOf } = createBinder(context, sizes, input, { ...own, foundPairs }, { bucketCount: buckets });
  const variants = variantsOf(form);
  const { gridInvocations } = kernels.adapter;
  const strided = (
    variant: KernelVariant,
    name: string,
    range: SlotRange,
    limit = gridInvocations.counting,
    fields = {},
  ): Dispatch => {
    const invocations = Math.min(range.count, limit);
    return bind(variant, invocations, parametersOf(name, range, fields, invocations));
  };
  return {
    state,
    cleared: [state, own.buckets, own.owners, own.mostTests],
    total: { buffer: own.blockTotals, offset: 8 * scanBlocks(bodyCapacity), size: 8 },
    mostTests: { buffer: own.mostTests, offset: 0, size: 4 },
    ordering: [
      strided(variants.bounds, 'bounds', { ...ALL_SLOTS, count: bodyCapacity }),
      bind({ kernel: 'broad-phase/choose-levels' }, 1),
      bind(variants.cells),
      ...bindScan(context, 'buckets', own.buckets, buckets, own.blockTotals),
      bind(variants.sorting),
    ],
    weigh: () => [bind(variants.weigh, Math.min(SAMPLES, bodyCapacity))],
    search: (isWriting, range) =>
      strided(
        variants.search,
        isWriting ? 'write' : 'count',
        range,
        isWriting ? gridInvocations.writing : gridInvocations.counting,
        { isWriting: Number(isWriting) },
      ),
    summing: bindScan(context, 'pairs', own.owners, bodyCapacity, own.blockTotals, true),
    storing: [bind({ kernel: 'broad-phase/store-kept' })],
    sorting: [
      bind({ kernel: 'broad-phase/sort-pairs' }),
      bind({ kernel: 'broad-phase/sort-long' }, Infinity),
      ...veryLongLists(bodyCapacity).map((variant) => bind(variant, Infinity)),
    ],
  };
}

/** Bytes per body of `bodyCells`, as shaders/kernels/broad-phase/count-cells.wgsl has them. */
const BODY_CELL_BYTES = 12;

function aligned(bytes: number): number {
  return ALIGNMENT * Math.ceil(bytes / ALIGNMENT);
}

/** The partners of each body; before, its bounds and cell. */
function partnersBytes(bodyCapacity: number): number {
  const before = aligned(layouts.Bound.size * bodyCapacity) + BODY_CELL_BYTES * bodyCapacity;
  return Math.max(4 * (FIRST_KEPT + MOST_KEPT) * bodyCapacity, before);
}
