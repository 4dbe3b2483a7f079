/** Measures cases as `npm run bench:gpu` does, with the same workloads, sizes of samples and checks of the answers. */

import { createTester, type PlanarTester, type Tester } from 'narrowphase';
import { isWrong, type Comparison } from '../../verification/gpu-cases/answers.ts';
import { isPlanar } from '../../verification/gpu-cases/case-workload.ts';
import { CASES, STANDARD, type GpuCase } from '../../verification/gpu-cases/cases.ts';
import { createClock } from '../../verification/gpu-cases/clock.ts';
import { inspect } from '../../verification/gpu-cases/inspect.ts';
import { createRunner, mostPairs } from '../../verification/gpu-cases/runner.ts';
import { calibrate, rateOf, sampleByTurns, type Rate } from '../../verification/gpu-cases/sampling.ts';
import { hostScene, uploadScene } from '../../verification/gpu-cases/scene.ts';
import { LIMITS, within } from '../../verification/gpu-cases/timeout.ts';
import type { PageDevice } from '../common/open-device.ts';

/** Cases at rest: judging bodies in motion takes seconds, in which the page would not answer. */
export const PAGE_CASES: readonly GpuCase[] = CASES.filter(({ motion }) => motion === null);

/** Pairs of a workload; larger sizes repeat them. */
export const BASE_PAIRS = { webgpu: 8192, cpu: 2048 } as const;
export const SEED = 1;

export interface CaseSettings {
  pairs: number;
  rounds: number;
  signal: AbortSignal;
  /** Called at each step. */
  onStep(step: string): void;
}

export interface CaseResult {
  name: string;
  pairs: number;
  /** Pairs per second: by timestamps of the GPU where there are any, otherwise from submission until the work is done. */
  rate: Rate;
  /** Milliseconds of one run over all pairs: the median. */
  ms: number;
  clock: 'timestamps' | 'wall';
  /** null: the CPU backend, which is the reference. */
  answers: Comparison | null;
}

/** Throws an error if the device fails, if answers are wrong, and when `signal` is aborted. */
export async function measureOnGpu(
  { device }: PageDevice,
  gpuCase: GpuCase,
  settings: CaseSettings,
): Promise<CaseResult> {
  const { rounds, signal, onStep } = settings;
  onStep('making pairs');
  await breathe(signal);
  const host = hostScene(gpuCase, BASE_PAIRS.webgpu, STANDARD.hitRate, SEED);
  const opening = createTester({ backend: 'webgpu', device, dimension: host.workload.dimension as 3 });
  const tester = (await within(opening, LIMITS.open, 'opening a tester')) as Tester | PlanarTester as Tester;
  const opened = { tester, device, facts: { limits: device.limits } };
  const clock = createClock(device);
  const pairs = Math.min(settings.pairs, mostPairs(opened, gpuCase));
  for (const shape of host.workload.shapes) tester.addShape(shape as never);
  device.pushErrorScope('out-of-memory');
  const scene = uploadScene(device, host, { bodies: 'shared', isMoving: false, pairCount: pairs });
  const failure = await within(device.popErrorScope(), LIMITS.work, 'the upload');
  try {
    if (failure) throw new Error(`The device has no memory for ${pairs} pairs`);
    onStep('compiling, checking answers');
    await breathe(signal);
    const { comparison } = await inspect(opened, gpuCase, host, scene, STANDARD);
    if (isWrong(comparison)) throw new Error(`Answers are wrong: ${JSON.stringify(comparison)}`);
    onStep('timing');
    await breathe(signal);
    const runner = await createRunner(opened, clock, gpuCase, scene, { pairs, turns: 1, isWarm: false });
    try {
      const { repeats } = await calibrate(runner);
      signal.throwIfAborted();
      const [{ gpu, wall }] = await sampleByTurns([{ runner, repeats }], rounds, () => signal.aborted);
      signal.throwIfAborted();
      return resultOf(gpuCase, pairs, gpu ?? wall, gpu ? 'timestamps' : 'wall', comparison);
    } finally {
      runner.dispose();
    }
  } finally {
    scene.destroy();
    clock?.destroy();
    tester.dispose();
  }
}

/** The same on the CPU backend, by its public queries. */
export async function measureOnCpu(
  gpuCase: GpuCase,
  { rounds, signal, onStep, ...settings }: CaseSettings,
): Promise<CaseResult> {
  onStep('making pairs');
  await breathe(signal);
  const { query, algorithm, workload } = gpuCase;
  const pairs = Math.min(settings.pairs, BASE_PAIRS.cpu);
  const { workload: made } = hostScene(gpuCase, BASE_PAIRS.cpu, STANDARD.hitRate, SEED);
  const dimension = isPlanar(workload) ? 2 : 3;
  const tester = (await createTester({ backend: 'cpu', dimension: dimension as 3 })) as Tester | PlanarTester as Tester;
  try {
    for (const shape of made.shapes) tester.addShape(shape as never);
    const list = made.pairs.slice(0, 2 * pairs);
    const times: number[] = [];
    onStep('timing');
    for (let round = -1; round < rounds; round++) {
      await breathe(signal);
      const begin = performance.now();
      await tester[query as 'contacts'](made.bodies as never, list, { algorithm, signal });
      if (round >= 0) times.push(performance.now() - begin);
    }
    return resultOf(gpuCase, pairs, rateOf(pairs, times), 'wall', null);
  } finally {
    tester.dispose();
  }
}

function resultOf(
  { name }: GpuCase,
  pairs: number,
  rate: Rate,
  clock: CaseResult['clock'],
  answers: Comparison | null,
): CaseResult {
  return { name, pairs, rate, ms: (1000 * pairs) / rate.median, clock, answers };
}

/** Lets the page draw and take clicks. */
async function breathe(signal: AbortSignal): Promise<void> {
  await new Promise((done) => setTimeout(done));
  signal.throwIfAborted();
}
