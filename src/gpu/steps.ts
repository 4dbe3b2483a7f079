/** The steps of plans: lists of pairs, and kernels over them. */
import type { QueryName } from '../api/queries.ts';
import { ANY_KIND } from '../generated/constants.ts';
import type { KernelName } from '../generated/kernel-table.ts';
import { classOfKinds, type KindPair } from './classes.ts';
import { variantKey, type KernelVariant } from './kernels.ts';
import type { KindConstants } from './variants.ts';

/**
 * The work lists, all but the first in any order of pairs:
 *
 *     classes             all pairs, sorted by class
 *     gjk                 pairs that the lead stage left
 *     near                hits of the stages that have no depth to find
 *     arcs                pairs that GJK left for the arcs of Gauss maps
 *     arcsLeft            of these, those without points along their normal
 *     compact             pairs for compact EPA
 *     epa                 pairs that the arcs or compact EPA left: all those for the fallback steps
 *     openArcs            pairs that EPA left for the arcs
 *     openArcsLeft        of these, those without points along their normal
 *     openEpa             pairs that these leave
 *     refine, outside     curved pairs that EPA left, and that their refinement leaves
 *     cast                pairs that velocity EPA left for casts
 *     parting             pairs that overlap or touch at the start, and may part
 *     motion              pairs for the search over rotations
 */
export type WorkList =
  | 'classes'
  | 'gjk'
  | 'near'
  | 'arcs'
  | 'arcsLeft'
  | 'compact'
  | 'epa'
  | 'openArcs'
  | 'openArcsLeft'
  | 'openEpa'
  | 'refine'
  | 'outside'
  | 'cast'
  | 'parting'
  | 'motion';

/** Lists all pairs in `classes`, sorted by class. */
export interface ListStep {
  step: 'list';
  classCount: number;
  /** Whether the pairs are pairs of parts. */
  hasParts?: true;
}

export type Step = ListStep | KernelStep;

/** Classes of a list, from the first up to one before the end. */
export type ClassRange = readonly [first: number, end: number];

/** The lists of a kernel. */
export interface KernelLists {
  /** Default: the kernel takes all pairs. */
  reads?: WorkList;
  /** Lists that the kernel appends to, in the order that its WGSL has; nothing is appended to a list without a name. */
  appends?: readonly (WorkList | undefined)[];
}

/** Runs a kernel over all pairs or over classes of a list. */
export interface KernelStep extends KernelLists {
  step: 'kernel';
  variant: KernelVariant;
  /** Writes manifolds; default: records of the plan's `stageQuery`. */
  ofManifolds?: true;
  /** The selected classes of the list that it reads. */
  classes?: ClassRange;
  /** Invocations per pair that there is room for; default 1. A strided kernel of fewer takes all pairs too. */
  each?: number;
}

/** A step of a plan: the kernel for pairs of kinds, over selected classes of a list. */
export type MakeKernel = (
  name: KernelName,
  ofKinds: KindConstants,
  selected?: ClassRange,
  lists?: KernelLists,
) => KernelStep;

export interface Plan {
  query: QueryName;
  /** The query whose records the stages write: `contacts` for `manifolds`, otherwise the query itself. */
  stageQuery: QueryName;
  /** The kinds of the pairs' shapes, class by class, in the order of the stages. */
  classes: readonly (readonly KindPair[])[];
  /** The stages. */
  steps: readonly Step[];
  /**
   * The stages for pairs that those leave, with the status `CapacityExceeded` and in the list `epa`; empty if no pair
   * can be left.
   */
  fallbackSteps: readonly Step[];
  /** Features or manifolds of the hits; of pairs of parts, what they propose as contacts, and which impacts count. */
  lastSteps: readonly Step[];
  /** Of impacts of pairs of parts with surfaces: the plan of their contacts at the start, which runs before. */
  start?: Plan;
  /** Of contacts of pairs of parts: what is left to do once they are decided. */
  joinedSteps?: readonly KernelStep[];
}

/** What a batch runs, in one pass. */
export function batchPass({ steps, fallbackSteps, lastSteps }: Plan): Step[] {
  return [...steps, ...fallbackSteps, ...lastSteps];
}

/**
 * What a query runs, by submission. The second one is made only if pairs are left, and takes these alone, from the lists
 * of the first.
 */
export function queryPasses({ steps, fallbackSteps, lastSteps }: Plan): [first: Step[], second: Step[]] {
  return [[...steps, ...lastSteps], fallbackSteps.length > 0 ? [...fallbackSteps, ...overLeft(lastSteps)] : []];
}

/** The lists that a kernel of `append.wgsl` appends to, and its constant. */
export function appending(appends: readonly (WorkList | undefined)[]): {
  lists: KernelLists;
  constants: Record<string, number>;
} {
  const hasLists = appends.some((list) => list !== undefined);
  return { lists: hasLists ? { appends } : {}, constants: hasLists ? {} : { APPENDS: 0 } };
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
  kernel: (ofKinds: KindConstants, selected?: ClassRange) => KernelStep,
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

/** The kernels of these steps, each once, over the pairs for the fallback steps. */
function overLeft(steps: readonly Step[]): KernelStep[] {
  const kernels = new Map<string, KernelStep>();
  for (const step of steps) {
    if (step.step === 'list') continue;
    const { kernel, constants } = step.variant;
    const variant = { kernel, constants: { ...constants, IS_LISTED: 1 } };
    kernels.set(variantKey(variant), { ...step, variant, classes: [0, 1], reads: 'epa' });
  }
  return [...kernels.values()];
}
