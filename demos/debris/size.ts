/** How many bodies: as the address or the visitor says, otherwise as many as the adapter takes in real time. */

import type { PageDevice } from '../common/open-device.ts';
import { SOLVER_BYTES } from './gpu-solver.ts';
import { createSimulation, LARGEST_BUFFER_PER_BODY } from './simulation.ts';
import { makeScene } from './scenes.ts';

export const CPU_BODIES = 200;
const SOFTWARE_BODIES = 300;
export const LEAST_BODIES = 10;
const KEY = 'narrowphase-debris-bodies';
const COUNTS = [1000, 2000, 4000, 8000, 16_000, 32_000, 64_000];
/** Milliseconds for a step, so that a frame has time left for drawing. */
const BUDGET_MS = 7;
const MEASURED_STEPS = 12;

/** `?bodies=N`, or undefined without it. Throws if it is not a number of bodies. */
export function bodiesOf(parameters: URLSearchParams): number | undefined {
  const text = parameters.get('bodies');
  if (text === null) return undefined;
  const count = Number(text);
  if (!Number.isInteger(count) || count < LEAST_BODIES) {
    throw new Error(`?bodies=${text} is not a number of bodies, expected a whole number from ${LEAST_BODIES}`);
  }
  return count;
}

/** As many bodies as the device's buffers hold. */
export function mostBodies({ limits }: GPUDevice): number {
  const bytes = Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize);
  return Math.floor(bytes / Math.max(LARGEST_BUFFER_PER_BODY, SOLVER_BYTES.perTouch * 10));
}

/** As many bodies as the visitor's last choice or first visit says; on the first visit, measures the adapter. */
export async function chooseBodies(gpu: PageDevice | undefined, tell: (text: string) => void): Promise<number> {
  if (!gpu) return CPU_BODIES;
  if (gpu.isSoftware) return SOFTWARE_BODIES;
  const count = rememberedBodies() ?? (await measureBodies(gpu.device, tell));
  rememberBodies(count);
  return count;
}

function rememberedBodies(): number | undefined {
  const count = Number(localStorage.getItem(KEY));
  return Number.isInteger(count) && count >= LEAST_BODIES ? count : undefined;
}

export function rememberBodies(count: number): void {
  localStorage.setItem(KEY, String(count));
}

/** Runs a few steps of ever larger heaps, and returns the largest that keeps to the budget. */
async function measureBodies(device: GPUDevice, tell: (text: string) => void): Promise<number> {
  let best = COUNTS[0];
  for (const count of COUNTS.filter((candidate) => candidate <= mostBodies(device))) {
    tell(`Measuring the adapter: ${count.toLocaleString('en')} bodies…`);
    const simulation = await createSimulation(makeScene('wall', count), device);
    await simulation.step(2);
    await device.queue.onSubmittedWorkDone();
    const start = performance.now();
    await simulation.step(MEASURED_STEPS);
    await device.queue.onSubmittedWorkDone();
    const perStep = (performance.now() - start) / MEASURED_STEPS;
    simulation.dispose();
    if (perStep > BUDGET_MS) break;
    best = count;
  }
  return best;
}
