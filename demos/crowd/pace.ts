/** How many people a machine can move in real time: measured unless the address gives the number. */

import { remark } from './remarks.ts';
import type { Simulation } from './simulation.ts';

export const AMOUNTS = [100, 200, 400, 1000, 2000, 3000, 4000, 6000];

/** Milliseconds that a step may take, so that a frame has time left for drawing. */
const BUDGET_MS = 10;
/** The pace is the median of the later half of the steps, since the first ones are slow. Measuring ends after LONGEST_MS. */
const MEASURED_STEPS = 40;
const LEAST_STEPS = 6;
const LONGEST_MS = 1000;

/**
 * Opens a plan with `people`, and again with fewer until a step is fast enough. `open` resolves to the simulation, which
 * is at its start afterwards.
 */
export async function openAtPace(
  people: number,
  open: (people: number) => Promise<Simulation>,
  device: GPUDevice | undefined,
): Promise<void> {
  for (let simulation = await open(people); ;) {
    const milliseconds = await measureStep(simulation, device);
    const fewer = fewerPeople(people, milliseconds);
    if (fewer === undefined) return;
    const [before, after] = [people.toLocaleString('en'), fewer.toLocaleString('en')];
    simulation = await open(fewer);
    remark('pace', `A step with ${before} people took ${milliseconds.toFixed(0)} ms here, so ${after} walk`);
    people = fewer;
  }
}

/** Milliseconds per step of a crowd from its start. Resets the crowd afterwards. */
async function measureStep(simulation: Simulation, device: GPUDevice | undefined): Promise<number> {
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
 * The number of people to try next if a step with `people` takes `milliseconds`, assuming that the time is proportional to
 * the number. Undefined if the step is fast enough or no smaller number is left.
 */
function fewerPeople(people: number, milliseconds: number): number | undefined {
  if (milliseconds <= BUDGET_MS) return undefined;
  const lower = AMOUNTS.filter((amount) => amount < people);
  return lower.filter((amount) => amount <= (people * BUDGET_MS) / milliseconds).at(-1) ?? lower[0];
}
