/** Measures cases as `npm run bench:gpu` does, with the same workloads, sizes of samples and checks of the answers. */

import { createTester, type PlanarTester, type Tester } from 'narrowphase';
import { isWrong, type Comparison } from '../../verification/gpu-cases/answers.ts';
import { isPlanar, type CaseWorkload } from '../../verification/gpu-cases/case-workload.ts';
import { STANDARD, type GpuCase } from '../../verification/gpu-cases/cases.ts';
import { createClock, type Clock } from '../../verification/gpu-cases/clock.ts';
import { inspect } from '../../verification/gpu-cases/inspect.ts';
import { createRunner, mostPairs } from '../../verification/gpu-cases/runner.ts';
import { calibrate, rateOf, sampleByTurns, type Rate } from '../../verification/gpu-cases/sampling.ts';
import { hostScene, uploadScene, type DeviceScene } from '../../verification/gpu-cases/scene.ts';
import { LIMITS, within } from '../../verification/gpu-cases/timeout.ts';
import type { CaseResult } from './messages.ts';
import { BASE_PAIRS, SEED } from './settings.ts';

export interface CaseSettings {
  pairs: number;
  rounds: number;
  /** Called at each step. */
  onStep(step: string): void;
}

/** Throws an error if the device fails, and if answers are wrong. */
export async function measureOnGpu(
  device: GPUDevice,
  gpuCase: GpuCase,
  { rounds, onStep, ...settings }: CaseSettings,
): Promise<CaseResult> {
  onStep('making pairs');
  const host = hostScene(gpuCase, BASE_PAIRS.webgpu, STANDARD.hitRate, SEED);
  const opening = createTester({ backend: 'webgpu', device, dimension: host.workload.dimension as 3 });
  const tester = (await within(opening, LIMITS.open, 'opening a tester')) as Tester | PlanarTester as Tester;
  let clock: Clock | undefined;
  let scene: DeviceScene | undefined;
  try {
    const opened = { tester, device, facts: { limits: device.limits } };
    clock = createClock(device);
    const pairs = Math.min(settings.pairs, mostPairs(opened, gpuCase));
    for (const shape of host.workload.shapes) tester.addShape(shape as never);
    device.pushErrorScope('out-of-memory');
    scene = uploadScene(device, host, { bodies: 'shared', isMoving: false, pairCount: pairs });
    const failure = await within(device.popErrorScope(), LIMITS.work, 'the upload');
    if (failure) throw new Error(`The device has no memory for ${pairs} pairs`);
    onStep('compiling, checking answers');
    const { comparison } = await inspect(opened, gpuCase, host, scene, STANDARD);
    if (isWrong(comparison)) throw new Error(`Answers are wrong: ${JSON.stringify(comparison)}`);
    onStep('timing');
    const runner = await createRunner(opened, clock, gpuCase, scene, { pairs, turns: 1, isWarm: false });
    try {
      const { repeats } = await calibrate(runner);
      const [{ gpu, wall }] = await sampleByTurns([{ runner, repeats }], rounds, () => false);
      return resultOf(gpuCase, pairs, gpu ?? wall, gpu ? 'timestamps' : 'wall', comparison);
    } finally {
      runner.dispose();
    }
  } finally {
    scene?.destroy();
    clock?.destroy();
    tester.dispose();
  }
}

/** The same on the CPU backend, by its public queries. */
export async function measureOnCpu(
  gpuCase: GpuCase,
  { rounds, onStep, ...settings }: CaseSettings,
): Promise<CaseResult> {
  onStep('making pairs');
  const pairs = Math.min(settings.pairs, BASE_PAIRS.cpu);
  const { workload } = hostScene(gpuCase, BASE_PAIRS.cpu, STANDARD.hitRate, SEED);
  const dimension = isPlanar(gpuCase.workload) ? 2 : 3;
  const tester = (await createTester({ backend: 'cpu', dimension: dimension as 3 })) as Tester | PlanarTester as Tester;
  try {
    for (const shape of workload.shapes) tester.addShape(shape as never);
    const { bodies, options } = queryOf(gpuCase, workload);
    const list = workload.pairs.slice(0, 2 * pairs);
    const times: number[] = [];
    onStep('timing');
    for (let round = -1; round < rounds; round++) {
      const begin = performance.now();
      await tester[gpuCase.query as 'contacts'](bodies as never, list, options);
      if (round >= 0) times.push(performance.now() - begin);
    }
    return resultOf(gpuCase, pairs, rateOf(pairs, times), 'wall', null);
  } finally {
    tester.dispose();
  }
}

/** The arguments of the public query. */
function queryOf({ algorithm }: GpuCase, { bodies, motion }: CaseWorkload): { bodies: object; options: object } {
  if (!motion) return { bodies, options: { algorithm } };
  const { linear: linearVelocities, angular: angularVelocities, duration } = motion;
  return { bodies: { ...bodies, linearVelocities, angularVelocities }, options: { duration } };
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
