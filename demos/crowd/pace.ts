/** How many people a machine takes in real time. It is measured unless the address says how many. */

import type { Simulation } from './simulation.ts';

export const AMOUNTS = [100, 200, 400, 1000, 2000, 3000, 4000, 6000];

/** Milliseconds that a step may take, so that a frame has time left for drawing. */
const BUDGET_MS = 10;
/** The pace is that of the later half of so many steps, or of as many as fit in so long, since the first ones are slow. */
const MEASURED_STEPS = 40;
const LEAST_STEPS = 6;
const LONGEST_MS = 1000;

/** Milliseconds per step of a crowd at its start, which it is set back to. */
export async function measureStep(simulation: Simulation, device: GPUDevice | undefined): Promise<number> {
  const times: number[] = [];
  const from = performance.now();
  let now = from;
  while (times.length < LEAST_STEPS || (times.length < MEASURED_STEPS && now - from < LONGEST_MS)) {
    await simulation.step();
    await device?.queue.onSubmittedWorkDone();
    const last = now;
    now = performance.now();
    times.push(now - last);
  }
  simulation.reset();
  const later = times.slice(times.length >> 1).sort((a, b) => a - b);
  return later[later.length >> 1];
}

/**
 * The amount to try next where a step with so many people takes so long, as if it took time in proportion. Undefined:
 * the step is fast enough, or there are no fewer people to try.
 */
export function fewerPeople(people: number, milliseconds: number): number | undefined {
  if (milliseconds <= BUDGET_MS) return undefined;
  const lower = AMOUNTS.filter((amount) => amount < people);
  return lower.filter((amount) => amount <= (people * BUDGET_MS) / milliseconds).at(-1) ?? lower[0];
}
