/** Binds the kernels of the broad phase to buffers and parameters. */
import type { Dispatch, KernelVariant } from '../kernels.ts';
import type { BroadPhaseContext, BroadPhaseInput, BroadPhaseSizes, SlotRange } from './context.ts';
import { packParameters } from './parameters.ts';
import { scanBlocks } from './scan.ts';

/** Of all bodies, however many tests there are; `count` is the capacity. */
export const ALL_SLOTS = { first: 0, mostTests: 2 ** 32 - 1 };

export interface Binder {
  /** By default, an invocation per body with the parameters of all bodies. */
  bind(variant: KernelVariant, invocations?: number, parameters?: GPUBuffer): Dispatch;
  /** A uniform buffer of this name, with these fields besides those of all bodies; by default, one invocation per body. */
  parametersOf(
    name: string,
    range: SlotRange,
    fields?: Parameters<typeof packParameters>[3],
    invocations?: number,
  ): GPUBuffer;
}

/** `own` has the buffers between kernels, and `common` the fields of all parameters. */
export function createBinder(
  { device, kernels, pool, uniform }: BroadPhaseContext,
  sizes: BroadPhaseSizes,
  input: BroadPhaseInput,
  own: Record<string, GPUBuffer | GPUBufferBinding>,
  common: Parameters<typeof packParameters>[3] = {},
): Binder {
  const { bodyCapacity } = sizes;
  // What is missing is not read.
  const { velocities = input.poses, groups = input.bodyShapes, fixedBodies = input.bodyShapes } = input;
  const buffers = { ...own, ...input, velocities, groups, fixedBodies };
  const parametersOf: Binder['parametersOf'] = (
    name,
    { first, count, mostTests },
    fields = {},
    invocations = bodyCapacity,
  ) =>
    uniform(
      `parameters.broadPhase.${name}`,
      packParameters(device, sizes, invocations, {
        hasGroups: Number(input.groups !== undefined),
        hasFixed: Number(input.fixedBodies !== undefined),
        blockCount: scanBlocks(bodyCapacity),
        firstSlot: first,
        endSlot: first + count,
        mostTests,
        ...common,
        ...fields,
      }),
    );
  const ofAll = parametersOf('all', { ...ALL_SLOTS, count: bodyCapacity });
  return {
    parametersOf,
    bind: (variant, invocations = bodyCapacity, parameters = ofAll) =>
      kernels.bind(variant, { ...buffers, parameters }, invocations, pool),
  };
}
