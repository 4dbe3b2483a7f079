/**
 * A plan for fewer kinds of pairs than it was made for. It keeps the same compiled kernels and drops the steps that
 * no pair needs, which take time even if their lists are empty. 100 pairs take about 1 ms on lavapipe, and a step 0.1.
 */
import { classOfKinds, includesKinds, type KindPair } from './classes.ts';
import type { KernelStep, Plan, Step, WorkList } from './steps.ts';

/** The plan over pairs of `kinds`, all of which it has. The fallback steps stay, as they seldom run. */
export function restrictPlan(plan: Plan, kinds: readonly KindPair[]): Plan {
  const present = new Set(kinds.map((pair) => classOfKinds(plan.classes, pair)));
  const isTaken = ({ takes }: KernelStep): boolean => !takes || takes.some((pair) => includesKinds(kinds, pair));
  return { ...plan, steps: withoutOrder(reachable(plan.steps, present, isTaken), present.size) };
}

/** Without kernels whose lists are empty. */
function reachable(
  steps: readonly Step[],
  present: ReadonlySet<number>,
  isTaken: (step: KernelStep) => boolean,
): Step[] {
  /** Lists that may have pairs. */
  const filled = new Set<WorkList>();
  return steps.filter((step) => {
    if (step.step === 'list') {
      filled.add(step.into);
      return true;
    }
    const { reads, classes, appends = [] } = step;
    const ofClasses = reads === 'classes' && classes;
    const hasClass = !ofClasses || [...present].some((each) => each >= classes[0] && each < classes[1]);
    if (!hasClass || !isTaken(step) || (reads && !filled.has(reads))) return false;
    for (const list of appends) if (list) filled.add(list);
    return true;
  });
}

/** Without the list of all pairs if no kernel reads it, or if one takes them all and is as fast without. */
function withoutOrder(steps: readonly Step[], classCount: number): Step[] {
  const [first, ...others] = steps;
  if (first?.step !== 'list') return [...steps];
  const readers = others.filter((step) => step.step === 'kernel' && step.reads === first.into) as KernelStep[];
  const isNeeded = readers.length > 1 || (classCount > 1 && readers.some(({ isForAnyOrder }) => !isForAnyOrder));
  if (isNeeded) return [...steps];
  return others.map((step) => (step === readers[0] ? { ...step, classes: undefined, reads: undefined } : step));
}
