/** The time that each step of a trace is about: bodies are drawn as they are then. */

import type { TraceStep } from 'narrowphase/cpu';

/** `speed`: how fast the bodies translate relative to each other. */
export function timesOf(steps: readonly TraceStep[], speed: number): number[] {
  const last = steps.at(-1);
  const isMotion = last?.type === 'result' && last.query === 'impacts';
  if (!isMotion) return steps.map(() => 0);
  const times: (number | undefined)[] = steps.map((step) => timeOf(step, speed));
  // Searches within advancement come before the step that says when they were.
  for (let i = steps.length - 2; i >= 0; i--) if (isWithinAdvance(steps, i)) times[i] ??= times[i + 1];
  let before = 0;
  return times.map((time) => (before = time ?? before));
}

function timeOf(step: TraceStep, speed: number): number | undefined {
  if (step.type === 'advance') return step.time;
  if (step.type === 'cast' || step.type === 'cast-end') return speed > 0 ? step.travelled / speed : 0;
  if (step.type === 'swept' || step.type === 'crossing' || step.type === 'pair') return 0;
  if (step.type !== 'result' || !('unclampedTime' in step.result)) return undefined;
  const { unclampedTime } = step.result;
  return Number.isFinite(unclampedTime) ? unclampedTime : undefined;
}

/** Whether the next step with a time of its own is one of advancement. */
function isWithinAdvance(steps: readonly TraceStep[], i: number): boolean {
  if (['cast', 'cast-end', 'swept', 'crossing', 'pair'].includes(steps[i].type)) return false;
  const next = steps.slice(i + 1).find(({ type }) => ['advance', 'cast', 'swept', 'crossing', 'result'].includes(type));
  return next?.type === 'advance';
}
