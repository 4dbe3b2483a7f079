/** The dispatches of a plan on given buffers. */
import { INFO_HIT, LIST_COUNT, LIST_HEADER, PAIRS_PER_INVOCATION } from '../generated/constants.ts';
import { layouts } from '../generated/layouts.ts';
import { packRecord } from '../records/record.ts';
import type { Dimension } from '../request/dimension.ts';
import { classTable } from './classes.ts';
import {
  gridWidth,
  widthFor,
  workgroupsFor,
  type Dispatch,
  type KernelVariant,
  type PairInvocations,
} from './kernels.ts';
import type { EarliestOf, PassBuffers, PassContext, PassSizes, QueryScope } from './query-buffers.ts';
import type { KernelStep, ListStep, Plan, Step } from './steps.ts';
import type { ListPlace, WorkListPlaces } from './work-lists.ts';

/** Stands for infinity, which shaders need not support. */
export const LARGEST = 3e38;

/** Prefix of the names of uniform buffers with `Parameters`. */
export const PAIR_PARAMETERS = 'parameters.pairs.';

/** The kernels that a query or a batch needs for these steps, without those of its output. */
export function variantsOfQuery(
  steps: readonly Step[],
  dimension: Dimension,
  hitsOnly: boolean,
  earliest?: EarliestOf,
): KernelVariant[] {
  return [
    ...variantsOfSteps(steps),
    ...(hitsOnly ? listVariants({ classCount: 1 }) : []),
    ...(earliest ? earliestVariants(earliest, dimension) : []),
  ];
}

export function variantsOfSteps(steps: readonly Step[]): KernelVariant[] {
  return steps.flatMap((step) => (step.step === 'kernel' ? [step.variant] : listVariants(step)));
}

function listVariants({ classCount, hasParts }: Pick<ListStep, 'classCount' | 'hasParts'>): KernelVariant[] {
  const constants: Record<string, number> =
    classCount > 1 ? { IS_CLASSIFIED: 1, ...(hasParts && { HAS_PARTS: 1 }) } : {};
  return [{ kernel: 'compact-count', constants }, { kernel: 'compact-scan' }, { kernel: 'compact-scatter', constants }];
}

/** Steps of the plan, with the parameters of the scope's sizes. */
export function bindSteps({ context, plan, lists, sizes, buffers }: QueryScope, steps: readonly Step[]): Dispatch[] {
  const { kernels, pool } = context;
  const { pairCapacity } = sizes;
  const stageBuffers = { ...buffers, records: buffers.contacts ?? buffers.records };
  return steps.flatMap((step) => {
    if (step.step === 'list') {
      const list = { name: 'classes', buffer: buffers.workLists!, place: lists.of('classes') };
      return bindList(context, plan, { ...step, mask: 0 }, sizes, buffers, list);
    }
    // A kernel that takes all pairs and appends none has a binding for a list all the same.
    const list = step.reads || step.appends ? buffers.workLists! : buffers.list;
    const named = {
      ...((step.ofManifolds ? buffers : stageBuffers) as Required<PassBuffers>),
      list,
      workLists: list,
      parameters: uniformOfParameters(context, listName(step), sizes, pairCapacity, listParameters(step, lists)),
    };
    return [kernels.bind(step.variant, named, { pairs: pairCapacity, each: step.each ?? 1 }, pool)];
  });
}

/** The lists of a kernel, as its parameters have them. */
type ListParameters = Record<
  'firstClass' | 'endClass' | 'firstEntry' | `${'countWord' | 'firstEntry'}${0 | 1 | 2}`,
  number
>;

/** A list that a kernel does not append to. */
const NO_PLACE: ListPlace = { countWord: 0, firstEntry: 0 };

function listParameters(
  { classes, reads, appends = [] }: Omit<KernelStep, 'step' | 'variant'>,
  lists?: WorkListPlaces,
): ListParameters {
  const [first, second, third] = [0, 1, 2].map((i) => {
    const list = appends[i];
    return list && lists?.has(list) ? lists.of(list) : NO_PLACE;
  });
  const [firstClass, endClass] = classes ?? [0, 0];
  const place = reads && lists?.of(reads);
  return {
    // Lists with one class start in slot 0, which word 0 says.
    ...(place && reads !== 'classes' ? { firstClass: 0, endClass: place.countWord } : { firstClass, endClass }),
    firstEntry: place?.firstEntry ?? LIST_HEADER,
    countWord0: first.countWord,
    countWord1: second.countWord,
    countWord2: third.countWord,
    firstEntry0: first.firstEntry,
    firstEntry1: second.firstEntry,
    firstEntry2: third.firstEntry,
  };
}

/** Steps of the same name have the same lists. */
function listName({ classes = [0, 0], reads, appends = [] }: KernelStep): string {
  return [...classes, reads, ...appends].join('.');
}

/** Lists the hits, for callers. */
export function bindHitList(context: PassContext, plan: Plan, sizes: PassSizes, buffers: PassBuffers): Dispatch[] {
  const place = { countWord: LIST_COUNT, firstEntry: LIST_HEADER };
  return bindList(context, plan, { mask: INFO_HIT, classCount: 1 }, sizes, buffers, {
    name: 'hits',
    buffer: buffers.list,
    place,
  });
}

/** The pairs whose records have a bit of `mask` (0: all pairs), sorted by class. */
interface PairSelection extends Pick<ListStep, 'classCount' | 'hasParts'> {
  mask: number;
}

function bindList(
  context: PassContext,
  plan: Plan,
  selection: PairSelection,
  sizes: PassSizes,
  buffers: PassBuffers,
  { name, buffer, place }: { name: string; buffer: GPUBuffer; place: ListPlace },
): Dispatch[] {
  const { device, kernels, dimension, uniform, pool } = context;
  const { pairCount, pairCapacity, bodyCount, shapeCount } = sizes;
  const { words, info } = dimension.records.sizes[plan.query];
  const invocations = { pairs: pairCapacity, each: 1 / PAIRS_PER_INVOCATION };
  const parameters = uniform(
    `parameters.list.${plan.query}.${selection.mask}.${name}`,
    packRecord(layouts.CompactParameters, {
      pairCount,
      pairCapacity,
      bodyCount,
      shapeCount,
      wordCount: words,
      infoWord: info,
      mask: selection.mask,
      gridWidth: widthFor(device, 'compact-count', invocations),
      classCount: selection.classCount,
      shapeWords: dimension.shapeWords,
      kindWord: dimension.kindWord,
      ...place,
      classes: classTable(plan.classes),
    }),
  );
  const named = { ...buffers, list: buffer, parameters };
  return listVariants(selection).map((variant) =>
    kernels.bind(
      variant,
      named as Record<string, GPUBuffer>,
      variant.kernel === 'compact-scan' ? 1 : invocations,
      pool,
    ),
  );
}

/**
 * Counts hits and statuses into `buffers.counts`, which is zero before, and sizes the caller's next pass for all
 * pairs.
 */
export function bindCounts(context: PassContext, plan: Plan, sizes: PassSizes, buffers: PassBuffers): Dispatch[] {
  const invocations = { pairs: sizes.pairCapacity, each: 1 / PAIRS_PER_INVOCATION };
  return [bindRecords(context, plan, 'count-statuses', invocations, sizes, buffers)];
}

/** Copies the records of the listed hits into `buffers.gathered`, and sizes the caller's next pass for them. */
export function bindGather(context: PassContext, plan: Plan, sizes: PassSizes, buffers: PassBuffers): Dispatch[] {
  const { words } = context.dimension.records.sizes[plan.query];
  const invocations = { pairs: Math.max(1, sizes.gatherCapacity), each: words };
  return [bindRecords(context, plan, 'gather', invocations, sizes, buffers)];
}

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
  const wordVariant = (WORD: number): KernelVariant => ({
    kernel: 'earliest-word',
    constants: { ...constants, WORD },
  });
  if (of !== 'batch') return [wordVariant(0), { kernel: 'earliest-mark', constants: { ...constants, KEEPS_TIES: 1 } }];
  return [
    ...[0, 1, 2].map(wordVariant),
    { kernel: 'earliest-mark', constants },
    { kernel: 'earliest-first', constants },
  ];
}

/** Clears the hits of pairs that are not the first impact of either body. */
export function bindEarliest(context: PassContext, of: EarliestOf, sizes: PassSizes, buffers: PassBuffers): Dispatch[] {
  return earliestVariants(of, context.dimension).map((variant) => {
    const isOfBodies = variant.kernel === 'earliest-first';
    const count = isOfBodies ? sizes.bodyCount : sizes.pairCapacity;
    const parameters = uniformOfParameters(context, variant.kernel, sizes, count, listParameters({}));
    const named = { ...(buffers as Required<PassBuffers>), parameters };
    return context.kernels.bind(variant, named, isOfBodies ? count : { pairs: count, each: 1 }, context.pool);
  });
}

function uniformOfParameters(
  { device, uniform }: PassContext,
  name: string,
  sizes: PassSizes,
  invocations: number,
  lists: ListParameters,
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
      ...lists,
    }),
  );
}

function bindRecords(
  { device, kernels, dimension, uniform, pool }: PassContext,
  plan: Plan,
  kernel: 'count-statuses' | 'gather',
  invocations: number | PairInvocations,
  sizes: PassSizes,
  buffers: PassBuffers,
): Dispatch {
  const { words, info } = dimension.records.sizes[plan.query];
  const parameters = uniform(
    `parameters.${kernel}`,
    packRecord(layouts.RecordParameters, {
      pairCount: sizes.pairCount,
      pairCapacity: sizes.pairCapacity,
      wordCount: words,
      infoWord: info,
      gridWidth: widthFor(device, kernel, invocations),
      gatherCapacity: sizes.gatherCapacity,
      callersWorkgroupSize: sizes.callersWorkgroupSize,
      callersRowLength: device.limits.maxComputeWorkgroupsPerDimension,
    }),
  );
  return kernels.bind({ kernel }, { ...(buffers as Required<PassBuffers>), parameters }, invocations, pool);
}
