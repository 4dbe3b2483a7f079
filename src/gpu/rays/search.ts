/**
 * The bodies that rays may meet, on the GPU: the dispatches after those of a tree (broad-phase/tree.ts), on the buffers
 * of a pool. Rays are moving balls, and follow the room for bodies in the buffers of bodies.
 *
 *     prepare       the rays that boxes are tested with
 *     find          the number of each ray's pairs
 *     scan-...      the first place of each ray's pairs
 *     find          the pairs of one part: so many from `firstPair` on
 *     (impacts)     their impacts, by the kernels of `impacts`
 *     first         of these and of those of earlier parts, the first of each ray; in a batch, also statuses
 */
import { layouts } from '../../generated/layouts.ts';
import type { Dimension } from '../../request/dimension.ts';
import { packParameters } from '../broad-phase/parameters.ts';
import { bindScan, blockTotalsSize, scanBlocks } from '../broad-phase/scan.ts';
import type { BroadPhaseContext, BroadPhaseInput, BroadPhaseSizes } from '../broad-phase/context.ts';
import type { BoundTree } from '../broad-phase/tree.ts';
import { variantsOf, type BroadPhaseForm } from '../broad-phase/variants.ts';
import type { Dispatch, KernelVariant } from '../kernels.ts';
import type { Region } from '../read-back.ts';

export interface RaySizes extends BroadPhaseSizes {
  rayCount: number;
  /** Rays that there is room for. */
  rayCapacity: number;
}

export interface RayInput extends BroadPhaseInput {
  velocities: GPUBuffer;
  /** One number per ray. */
  maxTimes: GPUBuffer;
}

export interface BoundRays {
  /** Cleared before the dispatches. */
  cleared: readonly GPUBuffer[];
  /** The dispatches that count pairs. */
  counting: readonly Dispatch[];
  /** The number of pairs once they are counted: 64 bits, the low word first. */
  total: Region;
  /** The dispatches that write the pairs from `firstPair` on, and those that keep their first impacts. */
  part(firstPair: number, records: GPUBuffer): { finding: Dispatch[]; keeping: Dispatch[] };
  /** Records of `hitBytes` bytes per ray. */
  hits: GPUBuffer;
}

/** Bytes of a ray's hit: the record of an impact, and the body. */
export function hitBytes({ dimension }: Pick<Dimension, 'dimension'>): number {
  return (dimension === 2 ? layouts.PlanarRayHit : layouts.RayHit).size;
}

/** The kernels that find the bodies that rays may meet, and keep the first impacts. */
export function rayVariants(form: BroadPhaseForm, dimension: Dimension) {
  const { words, info } = dimension.records.sizes.impacts;
  return {
    prepare: { kernel: 'rays/prepare', constants: variantsOf(form).bounds.constants },
    find: { kernel: 'rays/find' },
    first: {
      kernel: 'rays/first',
      constants: {
        ...(form.isPlanar && { IS_PLANAR: 1 }),
        POINT_WORD: dimension.records.impact.point,
        RECORD_WORDS: words,
        TIME_WORD: dimension.records.impact.unclampedTime,
        INFO_WORD: info,
        HIT_WORDS: hitBytes(dimension) / 4,
      },
    },
  } as const satisfies Record<string, KernelVariant>;
}

/**
 * Pairs go to `input.foundPairs`, `sizes.pairCapacity` of them in each part. `counts`: those of a batch, whose rays are
 * answered whole.
 */
export function bindRays(
  context: BroadPhaseContext,
  dimension: Dimension,
  form: BroadPhaseForm,
  sizes: RaySizes,
  { tree, nodes }: BoundTree,
  { counts, ...input }: RayInput & { foundPairs: GPUBuffer; counts?: GPUBuffer },
): BoundRays {
  const { device, kernels, pool, uniform } = context;
  const { rayCount, rayCapacity } = sizes;
  const get = (name: string, bytes: number): GPUBuffer => pool.get(`rays.${name}`, bytes);
  const own = {
    rayHits: get('hits', hitBytes(dimension) * rayCapacity),
    rays: get('rays', layouts.Ray.size * rayCapacity),
    cursors: get('cursors', 4 * (rayCapacity + 1)),
    blockTotals: get('blockTotals', blockTotalsSize(rayCapacity)),
    // Without a batch, nothing is written there, but kernels need the binding.
    counts: counts ?? get('counts', layouts.Counts.size),
  };
  const buffers = { ...own, ...input, tree, nodes, groups: input.groups ?? input.bodyShapes };
  const variants = rayVariants(form, dimension);
  const parametersOf = (name: string, others: { isWriting?: number; firstPair?: number }): GPUBuffer =>
    uniform(
      `parameters.rays.${name}`,
      packParameters(device, sizes, rayCapacity, {
        hasGroups: Number(input.groups !== undefined),
        rayCount,
        rayCapacity,
        blockCount: scanBlocks(rayCapacity),
        isOfBatch: Number(counts !== undefined),
        ...others,
      }),
    );
  const bind = (variant: KernelVariant, named: Record<string, GPUBuffer>): Dispatch =>
    kernels.bind(variant, { ...buffers, ...named }, rayCapacity, pool);
  const parameters = parametersOf('count', {});
  return {
    cleared: [own.cursors],
    counting: [
      bind(variants.prepare, { parameters }),
      bind(variants.find, { parameters }),
      ...bindScan(context, 'rays', own.cursors, rayCapacity, own.blockTotals),
    ],
    total: { buffer: own.blockTotals, offset: 8 * scanBlocks(rayCapacity), size: 8 },
    part(firstPair, records) {
      const named = { parameters: parametersOf('part', { isWriting: 1, firstPair }), records };
      return { finding: [bind(variants.find, named)], keeping: [bind(variants.first, named)] };
    },
    hits: own.rayHits,
  };
}
