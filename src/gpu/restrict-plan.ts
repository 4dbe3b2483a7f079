/**
 * A plan for fewer kinds of pairs than it was made for. It keeps the same compiled kernels and drops the steps that
 * no pair needs, which take time even if their lists are empty. 100 pairs take about 1 ms on lavapipe, and a step 0.1.
 */
import { classOfKinds, includesKinds, type KindPair } from './classes.ts';
import type { KernelStep, ListStep, Plan, Step, WorkList } from './steps.ts';

/** The plan over pairs of `kinds`, all of which it has. The fallback steps stay, as they seldom run. */
export function restrictPlan(plan: Plan, kinds: readonly KindPair[]): Plan {
  const present = new Set(kinds.map((pair) => classOfKinds(plan.classes, pair)));
  const isTaken = ({ takes }: KernelStep): boolean => !takes || takes.some((pair) => includesKinds(kinds, pair));
  return { ...plan, steps: withoutOrder(withReaders(reachable(plan.steps, present, isTaken)), present.size) };
}

/** Without kernels whose lists are empty. */
function reachable(
  steps: readonly Step[],
  present: ReadonlySet<number>,
  isTaken: (step: KernelStep) => boolean,
): Step[] {
  /** Lists that may have pairs. */
  const filled = new Set<WorkList>();
  /** Whether the list without a name is sorted by class. */
  let isSorted = false;
  return steps.filter((step) => {
    if (step.step === 'list') {
      if (step.into) filled.add(step.into);
      else isSorted = step.classCount > 1;
      return true;
    }
    const { reads, classes, appends = [] } = step;
    const ofClasses = reads === undefined ? isSorted : reads === 'classes';
    const hasClass = !classes || !ofClasses || [...present].some((each) => each >= classes[0] && each < classes[1]);
    if (!hasClass || !isTaken(step) || (reads && !filled.has(reads))) return false;
    for (const list of appends) if (list) filled.add(list);
    return true;
  });
}

/** The kernels that read the list that step `i` makes. */
function readersOf(steps: readonly Step[], i: number): KernelStep[] {
  const { into } = steps[i] as ListStep;
  const next = steps.findIndex((step, j) => j > i && step.step === 'list' && step.into === into);
  return steps
    .slice(i + 1, next < 0 ? undefined : next)
    .filter((step): step is KernelStep => step.step === 'kernel' && step.reads === into && step.classes !== undefined);
}

/** Without lists that no kernel reads. */
function withReaders(steps: readonly Step[]): Step[] {
  return steps.filter((step, i) => step.step === 'kernel' || readersOf(steps, i).length > 0);
}

/** Without the list of all pairs if one kernel takes them all and is as fast without. */
function withoutOrder(steps: readonly Step[], classCount: number): Step[] {
  const [first] = steps;
  if (first?.step !== 'list' || first.mask !== 0) return [...steps];
  const readers = readersOf(steps, 0);
  if (readers.length > 1 || (classCount > 1 && !readers[0].isForAnyOrder)) return [...steps];
  return steps.slice(1).map((step) => (step === readers[0] ? { ...step, classes: undefined, reads: undefined } : step));
}
