/** The dispatches of a plan on given buffers: what both queries and batches record. */
import { BLOCK_SIZE, LIST_HEADER, PAIRS_PER_INVOCATION } from '../generated/constants.ts';
import { layouts } from '../generated/layouts.ts';
import { packRecord } from '../records/record.ts';
import type { Dimension } from '../request/dimension.ts';
import { classTable } from './classes.ts';
import { gridWidth, workgroupsFor, type Dispatch, type Kernels, type KernelVariant } from './kernels.ts';
import { hitList, type ListStep, type Plan, type Step } from './steps.ts';

/** Infinity is no value that a shader can be relied on to have. */
export const LARGEST = 3e38;

/** What the names of uniform buffers with `Parameters` start with. */
export const PAIR_PARAMETERS = 'parameters.pairs.';

/** Sizes that the kernels are told. */
export interface PassSizes {
  /** Pairs to answer, unless the parameters are overwritten on the GPU. */
  pairCount: number;
  /** Pairs that there is room for. */
  pairCapacity: number;
  bodyCount: number;
  shapeCount: number;
  margin: number;
  /** Of impacts: seconds. */
  duration: number;
  cellSize: number;
  /** Records that there is room for where hits are gathered. */
  gatherCapacity: number;
  /** Of the caller's pass over the records, whose arguments go to `dispatch`. */
  callersWorkgroupSize: number;
}

/** Buffers by their names in WGSL. */
export interface PassBuffers {
  shapeRecords: GPUBuffer;
  geometry: GPUBuffer;
  poses: GPUBuffer;
  bodyShapes: GPUBuffer;
  pairs: GPUBuffer;
  records: GPUBuffer;
  /** Of manifolds: the records of the contacts that they are made of. */
  contacts?: GPUBuffer;
  list: GPUBuffer;
  blockSums: GPUBuffer;
  /**
   * Simplices of earlier searches by pair, in a plan that starts warm; otherwise any buffer that no kernel of the plan
   * writes.
   */
  simplices: GPUBuffer | GPUBufferBinding;
  /** Of impacts. */
  velocities?: GPUBuffer;
  /** For the hits. */
  gathered?: GPUBuffer;
  counts?: GPUBuffer;
  /** `DISPATCH_BYTES`: arguments of the caller's next pass. */
  dispatch?: GPUBuffer;
  /** For the first impacts: `firstImpactBytes`, zero at the start. For batches, also the pair of each body. */
  firstImpacts?: GPUBuffer;
  first?: GPUBuffer;
}

export interface PassContext {
  device: GPUDevice;
  kernels: Kernels;
  space: Dimension;
  /** A uniform buffer of this name that holds `data`. */
  uniform: (name: string, data: ArrayBuffer) => GPUBuffer;
}

/** Arguments of an indirect dispatch: three counts of workgroups. */
export const DISPATCH_BYTES = 12;

/** Bytes of a list of pairs, and of the sums that go with it. */
export function listBytes(pairCapacity: number): number {
  return 4 * (LIST_HEADER + pairCapacity);
}

export function blockSumBytes(pairCapacity: number, classCount: number): number {
  return 4 * blocksOf(pairCapacity) * classCount;
}

function blocksOf(pairCapacity: number): number {
  return Math.max(1, Math.ceil(pairCapacity / BLOCK_SIZE));
}

/** Of each body's first impact as far as it is known. */
export function firstImpactBytes(bodyCount: number): number {
  return 12 * bodyCount;
}

/** The kernels that a query of this plan needs. */
export function variantsOfQuery(
  plan: Plan,
  space: Dimension,
  hitsOnly: boolean,
  earliest?: EarliestOf,
): KernelVariant[] {
  const variants = [
    ...variantsOfSteps(hitsOnly ? [...plan.steps, hitList] : plan.steps),
    ...(earliest ? earliestVariants(earliest, space) : []),
  ];
  return hitsOnly ? [...variants, { kernel: 'count-statuses' }, { kernel: 'gather' }] : variants;
}

export function variantsOfSteps(steps: readonly Step[]): KernelVariant[] {
  return steps.flatMap((step) => (step.step === 'kernel' ? [step.variant] : listVariants(step)));
}

function listVariants({ classCount }: ListStep): KernelVariant[] {
  const constants = classCount > 1 ? { IS_CLASSIFIED: 1 } : undefined;
  return [{ kernel: 'compact-count', constants }, { kernel: 'compact-scan' }, { kernel: 'compact-scatter', constants }];
}

/** Of kernels over all pairs, which read no list. */
const NO_CLASSES = [0, 0] as const;

/** Steps of a plan, whose parameters are those of `sizes`. */
export function bindSteps(
  context: PassContext,
  plan: Plan,
  steps: readonly Step[],
  sizes: PassSizes,
  buffers: PassBuffers,
): Dispatch[] {
  const { kernels } = context;
  const { pairCapacity } = sizes;
  const parametersOf = (first: number, end: number): GPUBuffer =>
    uniformOfParameters(context, `${first}.${end}`, sizes, pairCapacity, [first, end]);
  const rungs = { ...buffers, records: buffers.contacts ?? buffers.records };
  return steps.flatMap((step) => {
    if (step.step === 'list') return bindList(context, { ...plan, query: plan.ladder }, step, sizes, rungs);
    const named = {
      ...((step.ofManifolds ? buffers : rungs) as Required<PassBuffers>),
      parameters: parametersOf(...(step.classes ?? NO_CLASSES)),
    };
    return [kernels.bind(step.variant, named, Math.min(step.invocations ?? pairCapacity, pairCapacity))];
  });
}

/** The pairs whose records have a bit of the step's mask, sorted by class, into `buffers.list`. */
export function bindList(
  context: PassContext,
  plan: Plan,
  step: ListStep,
  sizes: PassSizes,
  buffers: PassBuffers,
): Dispatch[] {
  const { device, kernels, space, uniform } = context;
  const { pairCount, pairCapacity, bodyCount, shapeCount } = sizes;
  const { words, info } = space.records.sizes[plan.query];
  const invocations = Math.ceil(pairCapacity / PAIRS_PER_INVOCATION);
  const parameters = uniform(
    `parameters.list.${plan.query}.${step.mask}`,
    packRecord(layouts.CompactParameters, {
      pairCount,
      pairCapacity,
      bodyCount,
      shapeCount,
      wordCount: words,
      infoWord: info,
      mask: step.mask,
      gridWidth: gridWidth(device, workgroupsFor('compact-count', invocations)),
      blockCount: blocksOf(pairCapacity),
      classCount: step.classCount,
      shapeWords: space.shapeWords,
      kindWord: space.kindWord,
      classes: classTable(plan.classes),
    }),
  );
  const named = { ...buffers, parameters };
  return listVariants(step).map((variant) =>
    kernels.bind(variant, named as Record<string, GPUBuffer>, variant.kernel === 'compact-scan' ? 1 : invocations),
  );
}

/**
 * Counts hits and statuses into `buffers.counts`, which is zero before, and sizes the caller's next pass for all
 * pairs.
 */
export function bindTally(context: PassContext, plan: Plan, sizes: PassSizes, buffers: PassBuffers): Dispatch[] {
  const invocations = Math.ceil(sizes.pairCapacity / PAIRS_PER_INVOCATION);
  return [bindRecords(context, plan, 'count-statuses', invocations, sizes, buffers)];
}

/** Copies the records of the listed hits into `buffers.gathered`, and sizes the caller's next pass for them. */
export function bindGather(context: PassContext, plan: Plan, sizes: PassSizes, buffers: PassBuffers): Dispatch[] {
  return [
    bindRecords(
      context,
      plan,
      'gather',
      Math.max(1, sizes.gatherCapacity) * context.space.records.sizes[plan.query].words,
      sizes,
      buffers,
    ),
  ];
}

/**
 * Whose first impacts: those of a chunk, of which ties are left to others; the same, but impacts that the kernels left
 * open are left to others too; or those of a whole batch.
 */
export type EarliestOf = 'chunk' | 'openChunk' | 'batch';

function earliestVariants(
  of: EarliestOf,
  { dimension, records, poseWords, velocityWords }: Dimension,
): KernelVariant[] {
  const { words, info } = records.sizes.impacts;
  const constants: Record<string, number> = {
    RECORD_WORDS: words,
    TIME_WORD: records.impact.unclampedTime,
    INFO_WORD: info,
    AXES: dimension,
    POSE_WORDS: poseWords,
    VELOCITY_WORDS: velocityWords,
    ...(of === 'openChunk' && { KEEPS_OPEN: 1 }),
  };
  if (of !== 'batch')
    return [
      { kernel: 'earliest-time', constants },
      { kernel: 'earliest-mark', constants: { ...constants, KEEPS_TIES: 1 } },
    ];
  return (['earliest-time', 'earliest-projection', 'earliest-pair', 'earliest-mark', 'earliest-first'] as const).map(
    (kernel) => ({ kernel, constants }),
  );
}

/** Leaves only those pairs hits that are the first impact of one of their bodies. */
export function bindEarliest(context: PassContext, of: EarliestOf, sizes: PassSizes, buffers: PassBuffers): Dispatch[] {
  return earliestVariants(of, context.space).map((variant) => {
    const invocations = variant.kernel === 'earliest-first' ? sizes.bodyCount : sizes.pairCapacity;
    const parameters = uniformOfParameters(context, variant.kernel, sizes, invocations, NO_CLASSES);
    return context.kernels.bind(variant, { ...(buffers as Required<PassBuffers>), parameters }, invocations);
  });
}

function uniformOfParameters(
  { device, uniform }: PassContext,
  name: string,
  sizes: PassSizes,
  invocations: number,
  [firstClass, endClass]: readonly [number, number],
): GPUBuffer {
  const { pairCount, pairCapacity, bodyCount, shapeCount, margin, duration, cellSize } = sizes;
  return uniform(
    `${PAIR_PARAMETERS}${name}`,
    packRecord(layouts.Parameters, {
      pairCount,
      pairCapacity,
      bodyCount,
      shapeCount,
      gridWidth: gridWidth(device, workgroupsFor('contacts-gjk', invocations)),
      margin: Math.min(margin, LARGEST),
      duration: Math.min(duration, LARGEST),
      cellSize,
      firstClass,
      endClass,
    }),
  );
}

function bindRecords(
  { device, kernels, space, uniform }: PassContext,
  plan: Plan,
  kernel: 'count-statuses' | 'gather',
  invocations: number,
  sizes: PassSizes,
  buffers: PassBuffers,
): Dispatch {
  const { words, info } = space.records.sizes[plan.query];
  const parameters = uniform(
    `parameters.${kernel}`,
    packRecord(layouts.RecordParameters, {
      pairCount: sizes.pairCount,
      pairCapacity: sizes.pairCapacity,
      wordCount: words,
      infoWord: info,
      gridWidth: gridWidth(device, workgroupsFor(kernel, invocations)),
      gatherCapacity: sizes.gatherCapacity,
      callersWorkgroupSize: sizes.callersWorkgroupSize,
      callersRowLength: device.limits.maxComputeWorkgroupsPerDimension,
    }),
  );
  return kernels.bind({ kernel }, { ...(buffers as Required<PassBuffers>), parameters }, invocations);
}
