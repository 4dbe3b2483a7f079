/** The time that each step of a trace is about: bodies are drawn as they are then. */

import type { Step } from './step.ts';

/**
 * `speed`: how fast the bodies translate relative to each other. `begin`: the time at which B is where step `pair` says, from
 * which on travelled distances are counted.
 */
export function timesOf(steps: readonly Step[], speed: number, begin: number): number[] {
  const last = steps.at(-1);
  const isMotion = last?.type === 'result' && last.query === 'impacts';
  if (!isMotion) return steps.map(() => 0);
  const times: (number | undefined)[] = steps.map((step) => timeOf(step, speed, begin));
  // Searches within advancement come before the step that says when they were.
  for (let i = steps.length - 2; i >= 0; i--) if (isWithinAdvance(steps, i)) times[i] ??= times[i + 1];
  let before = 0;
  return times.map((time) => (before = time ?? before));
}

function timeOf(step: Step, speed: number, begin: number): number | undefined {
  if (step.type === 'advance') return step.time;
  if (step.type === 'cast' || step.type === 'cast-end' || step.type === 'crossing-end')
    return begin + (speed > 0 ? step.travelled / speed : 0);
  if (step.type === 'swept' || step.type === 'crossing' || step.type === 'pair') return begin;
  if (step.type !== 'result' || !('unclampedTime' in step.result)) return undefined;
  const { unclampedTime } = step.result;
  return Number.isFinite(unclampedTime) ? unclampedTime : undefined;
}

/** Whether the next step with a time of its own is one of advancement. */
function isWithinAdvance(steps: readonly Step[], i: number): boolean {
  if (['cast', 'cast-end', 'swept', 'crossing', 'crossing-end', 'pair'].includes(steps[i].type)) return false;
  const next = steps.slice(i + 1).find(({ type }) => ['advance', 'cast', 'swept', 'crossing', 'result'].includes(type));
  return next?.type === 'advance';
}
