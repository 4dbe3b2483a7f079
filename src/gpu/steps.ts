/** The steps of plans: lists of pairs, and kernels over them. */
import type { QueryName } from '../api/queries.ts';
import {
  ANY_KIND,
  INFO_HIT,
  INFO_PENDING_ARCS,
  INFO_PENDING_EPA,
  INFO_PENDING_REFINE,
} from '../generated/constants.ts';
import { classOfKinds, type KindPair } from './classes.ts';
import type { KernelVariant } from './kernels.ts';
import type { KindConstants } from './variants.ts';

/** Sorts the pairs whose records have a bit of `mask` (0: all pairs) by class into a list. */
export interface ListStep {
  step: 'list';
  mask: number;
  classCount: number;
  /** Default: the list that the next list step overwrites. */
  into?: WorkList;
}

/**
 * Lists of one class with a buffer of their own. Kernels append hits to them, or pairs that wait for GJK or for the first
 * stage after it, in any order; a list step makes that of the pairs that are left for the fallback steps.
 */
export const WORK_LISTS = ['hits', 'pendingGjk', 'pendingEpa', 'left'] as const;
export type WorkList = (typeof WORK_LISTS)[number];

export type Step = ListStep | KernelStep;

/** Runs a kernel over all pairs or over classes of the list. */
export interface KernelStep {
  step: 'kernel';
  variant: KernelVariant;
  /** Writes manifolds; default: records of the plan's `stageQuery`. */
  ofManifolds?: true;
  /** The selected classes of the list, from the first up to one before the end; default: all pairs, unlisted. */
  classes?: readonly [first: number, end: number];
  /** The list; default: that of the last list step without `into`. */
  reads?: WorkList;
  /** Several kernels may append to one list. */
  appendsTo?: WorkList;
}

export interface Plan {
  query: QueryName;
  /** The query whose records the stages write: `contacts` for `manifolds`, otherwise the query itself. */
  stageQuery: QueryName;
  /** The kinds of the pairs' shapes, class by class, in the order of the stages. */
  classes: readonly (readonly KindPair[])[];
  steps: readonly Step[];
  /** Steps for pairs that are left with the status `CapacityExceeded` and a pending bit; empty if no pair can be. */
  fallbackSteps: readonly Step[];
}

export function listOf(mask: number, classCount: number): ListStep {
  return { step: 'list', mask, classCount };
}

/**
 * If a stage has more classes than this, one kernel for all kinds serves all of them, since compile times add up. The
 * list is sorted by class in both cases.
 */
const SPECIALISED_CLASSES = 1;

/** A kernel over the pairs of these kinds in a list of all classes; over all pairs if there is no list. */
export function stepsOverClasses(
  classes: readonly (readonly KindPair[])[],
  selected: readonly KindPair[],
  isListed: boolean,
  kernel: (ofKinds: KindConstants, selected?: readonly [number, number]) => KernelStep,
): KernelStep[] {
  const numbers = selected.map((pair) => classOfKinds(classes, pair));
  if (selected.length > SPECIALISED_CLASSES)
    return runsOf(numbers).map((run) => kernel({ KIND_A: ANY_KIND, KIND_B: ANY_KIND }, run));
  return selected.map(([KIND_A, KIND_B], i) =>
    kernel({ KIND_A, KIND_B }, isListed ? [numbers[i], numbers[i] + 1] : undefined),
  );
}

/** Runs of consecutive numbers among ascending ones, as first and end. */
function runsOf(numbers: readonly number[]): [first: number, end: number][] {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && number <= last[1]) last[1] = number + 1;
    else runs.push([number, number + 1]);
  }
  return runs;
}

/** The work lists that steps write. */
export function workListsOf(steps: readonly Step[]): WorkList[] {
  return WORK_LISTS.filter((name) =>
    steps.some((step) => (step.step === 'list' ? step.into : step.appendsTo) === name),
  );
}

/** The list of pairs that are left for the fallback steps. */
export const leftList: ListStep = {
  ...listOf(INFO_PENDING_EPA | INFO_PENDING_ARCS | INFO_PENDING_REFINE, 1),
  into: 'left',
};

/** The kernels of these steps over the pairs of `leftList`. */
export function overLeft(steps: readonly Step[]): KernelStep[] {
  const kernels = steps.filter((step) => step.step === 'kernel');
  return kernels.map((step) => ({
    ...step,
    variant: { ...step.variant, constants: { ...step.variant.constants, IS_LISTED: 1 } },
    classes: [0, 1],
    reads: 'left',
  }));
}

/** The list of the hits. */
export const hitList: ListStep = listOf(INFO_HIT, 1);
