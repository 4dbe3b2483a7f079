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
import { MOST_KEPT, SCAN_BLOCK, STATE_WORDS } from '../../generated/constants.ts';
import { kernels as kernelTable } from '../../generated/kernel-table.ts';
import { layouts } from '../../generated/layouts.ts';
import { packRecord } from '../../records/record.ts';
import { USAGE, type BufferPool } from '../buffers.ts';
import { gridWidth, workgroupsFor, type Dispatch, type Kernels, type KernelVariant } from '../kernels.ts';
import { LARGEST } from '../passes.ts';
import type { Region } from '../read-back.ts';
import { SCAN, variantsOf, type BroadPhaseForm } from './variants.ts';

export interface BroadPhaseSizes {
  bodyCount: number;
  /** Bodies that there is room for. */
  bodyCapacity: number;
  shapeCount: number;
  /** Pairs that there is room for. */
  pairCapacity: number;
  margin: number;
  /** Tolerance of the narrow phase's distances, as a share of the pair's size. */
  tolerance: number;
  /** Seconds of a motion. */
  duration: number;
  /** Edge length of the cells of fixed-point positions. */
  cellSize: number;
}

/** What the kernels read. */
export interface BroadPhaseInput {
  shapeRecords: GPUBuffer;
  geometry: GPUBuffer;
  poses: GPUBuffer;
  bodyShapes: GPUBuffer;
  velocities?: GPUBuffer;
  /** One u32 per body each. */
  groups?: GPUBuffer;
  fixedBodies?: GPUBuffer;
}

export interface BroadPhaseContext {
  device: GPUDevice;
  kernels: Kernels;
  /** Keeps the buffers and the bind groups. */
  pool: BufferPool;
  /** A uniform buffer of this name that holds `data`. Its first word is the number of bodies. */
  uniform: (name: string, data: ArrayBuffer) => GPUBuffer;
}

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

/** Greater margins count as this one: positions are below 1e30. */
const GREATEST_MARGIN = 8e30;
const LEAST_BUCKETS = 16;
/** A power of two, at least two buckets per body, so that few bodies of other rows are in a row's buckets. */
function bucketCount(bodyCapacity: number): number {
  return Math.max(LEAST_BUCKETS, 2 ** Math.ceil(Math.log2(2 * bodyCapacity)));
}

function blocksOf(values: number): number {
  return Math.ceil(values / SCAN_BLOCK);
}

/**
 * The dispatches on these buffers, with others from the pool; pairs go to `foundPairs`. Calling it again with the same
 * sizes gives the same buffers.
 */
export function bindBroadPhase(
  { device, kernels, pool, uniform }: BroadPhaseContext,
  form: BroadPhaseForm,
  sizes: BroadPhaseSizes,
  input: BroadPhaseInput,
  foundPairs: GPUBuffer,
): BoundBroadPhase {
  const { bodyCapacity } = sizes;
  const buckets = bucketCount(bodyCapacity);
  const blocks = Math.max(blocksOf(buckets), blocksOf(bodyCapacity));
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
    blockTotals: get('blockTotals', 8 * (blocks + 1)),
  };
  const { velocities = input.poses, groups = input.bodyShapes, fixedBodies = input.bodyShapes } = input;
  const buffers = { ...own, ...input, velocities, groups, fixedBodies, foundPairs };

  const parametersOf = (isWriting: number): GPUBuffer =>
    uniform(
      `parameters.broadPhase.${isWriting}`,
      packRecord(layouts.BroadPhaseParameters, {
        ...sizes,
        margin: Math.min(sizes.margin, GREATEST_MARGIN),
        duration: Math.min(sizes.duration, LARGEST),
        gridWidth: gridWidth(device, workgroupsFor('broad-phase/search', bodyCapacity)),
        bucketMask: buckets - 1,
        blockCount: blocksOf(bodyCapacity),
        isWriting,
      }),
    );
  const parameters = parametersOf(0);
  const bind = (variant: KernelVariant, invocations = bodyCapacity, uniforms = parameters): Dispatch =>
    kernels.bind(variant, { ...buffers, parameters: uniforms }, invocations, pool);
  const scan = (name: string, values: GPUBuffer, valueCount: number): Dispatch[] => {
    const blockCount = blocksOf(valueCount);
    const data = packRecord(layouts.ScanParameters, { valueCount, blockCount });
    // Not the caller's `uniform`: these do not begin with the number of bodies.
    const uniforms = pool.upload(`parameters.scan.${name}`, data, USAGE.UNIFORM | USAGE.COPY_DST);
    return SCAN.map((kernel) => {
      const workgroups = kernel === 'broad-phase/scan-blocks' ? 1 : blockCount;
      const named = { values, blockTotals: own.blockTotals, parameters: uniforms };
      return kernels.bind({ kernel }, named, workgroups * kernelTable[kernel].workgroupSize, pool);
    });
  };
  const { bounds, located, sorting, search, sortPairs } = variantsOf(form, kernels.isHardware);
  const [sizesVariant, cells] = located;
  return {
    state,
    cleared: [state, own.buckets, own.cursors],
    total: { buffer: own.blockTotals, offset: 8 * blocksOf(bodyCapacity), size: 8 },
    counting: [
      bind(bounds),
      bind(sizesVariant),
      bind({ kernel: 'broad-phase/choose-levels', constants: search.constants }, 1),
      bind(cells),
      ...scan('buckets', own.buckets, buckets),
      bind(sorting),
      bind(search),
      ...scan('pairs', own.cursors, bodyCapacity),
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
