/**
 * A tree of boxes on the GPU (shaders/broad-phase/tree.wgsl): the dispatches that build it, on the buffers of a pool.
 *
 *     bounds        the box of each body, or that it is a half-space, or invalid
 *     sample        how codes are made
 *     codes         the key of each body
 *     sort-...      the keys in order, digit by digit, with a scan for each
 *     leaves        the leaves, in the order of the keys
 *     blocks        the boxes of blocks of leaves, level by level
 *     inner         the inner nodes
 */
import { BLOCK_LEAVES, STATE_WORDS, TREE_WORDS } from '../../generated/constants.ts';
import { layouts } from '../../generated/layouts.ts';
import type { Dispatch, KernelVariant } from '../kernels.ts';
import { packParameters } from './parameters.ts';
import type { BroadPhaseContext, BroadPhaseInput, BroadPhaseSizes } from './context.ts';
import { bindSort, SORT_VARIANTS } from './sort.ts';
import { variantsOf, type BroadPhaseForm } from './variants.ts';

export interface BoundTree {
  /** Words as in shaders/broad-phase/state.wgsl. */
  state: GPUBuffer;
  /** Words as in shaders/broad-phase/tree.wgsl. */
  tree: GPUBuffer;
  nodes: GPUBuffer;
  /** Keys and bodies in the order of the leaves; half-spaces and invalid bodies come last. */
  sorted: GPUBuffer;
  /** Cleared before the dispatches. */
  cleared: readonly GPUBuffer[];
  dispatches: readonly Dispatch[];
}

/** The levels of blocks above `bodyCapacity` leaves. */
function levelsOf(bodyCapacity: number): number {
  let levels = 0;
  for (let room = bodyCapacity; room >= BLOCK_LEAVES; room = Math.floor(room / BLOCK_LEAVES)) levels++;
  return levels;
}

/** Inner nodes, leaves, and blocks. */
function nodesFor(bodyCapacity: number): number {
  let nodes = bodyCapacity;
  for (let room = bodyCapacity; room > 0; room = Math.floor(room / BLOCK_LEAVES)) nodes += room;
  return nodes;
}

/** Bytes of the largest buffer of a tree. */
export function treeBytes(bodyCapacity: number): number {
  return layouts.TreeNode.size * nodesFor(bodyCapacity);
}

function treeVariantsOf(form: BroadPhaseForm) {
  const { bounds } = variantsOf(form);
  const { constants } = bounds;
  return {
    bounds,
    sample: { kernel: 'tree/sample', constants },
    codes: { kernel: 'tree/codes', constants },
    leaves: { kernel: 'tree/leaves', constants },
    blocks: { kernel: 'tree/blocks' },
    inner: { kernel: 'tree/inner' },
  } as const satisfies Record<string, KernelVariant>;
}

/** The kernels that build trees. */
export function treeVariants(form: BroadPhaseForm): KernelVariant[] {
  return [...Object.values(treeVariantsOf(form)), ...SORT_VARIANTS];
}

/** Calling it again with the same sizes gives the same buffers. */
export function bindTree(
  context: BroadPhaseContext,
  form: BroadPhaseForm,
  sizes: BroadPhaseSizes,
  input: BroadPhaseInput,
): BoundTree {
  const { device, kernels, pool, uniform } = context;
  const { bodyCapacity } = sizes;
  const get = (name: string, bytes: number): GPUBuffer => pool.get(`tree.${name}`, bytes);
  // About 125 bytes per body. The largest comes first, so that it is the one that there may be no room for.
  const own = {
    nodes: get('nodes', treeBytes(bodyCapacity)),
    bounds: get('bounds', layouts.Bound.size * bodyCapacity),
    state: get('state', 4 * STATE_WORDS),
    tree: get('tree', 4 * TREE_WORDS),
  };
  const sorted = get('sorted', 8 * bodyCapacity);
  const buffers = {
    ...own,
    sortedFrom: sorted,
    sortedTo: sorted,
    ...input,
    velocities: input.velocities ?? input.poses,
  };
  const variants = treeVariantsOf(form);

  const parameters = uniform('parameters.tree', packParameters(device, sizes, bodyCapacity));
  const bind = (variant: KernelVariant, others: Record<string, GPUBuffer> = {}, invocations = bodyCapacity): Dispatch =>
    kernels.bind(variant, { ...buffers, parameters, ...others }, invocations, pool);
  const level = (step: number): Dispatch => {
    const invocations = Math.floor(bodyCapacity / BLOCK_LEAVES ** step);
    const data = packParameters(device, sizes, invocations, { step });
    return bind(variants.blocks, { parameters: uniform(`parameters.tree.level${step}`, data) }, invocations);
  };
  return {
    state: own.state,
    tree: own.tree,
    nodes: own.nodes,
    sorted,
    cleared: [own.state],
    dispatches: [
      bind(variants.bounds),
      bind(variants.sample, {}, 1),
      bind(variants.codes),
      ...bindSort(context, sizes, sorted, get('otherKeys', 8 * bodyCapacity)),
      bind(variants.leaves),
      ...Array.from({ length: levelsOf(bodyCapacity) }, (_, i) => level(i + 1)),
      bind(variants.inner),
    ],
  };
}
