/** The time of each kernel and list step of a case, at one size. */

import { median } from '../../verification/statistics/median.ts';
import type { FoundAdapter, OpenAdapter } from './adapter.ts';
import { STANDARD, type GpuCase, type Variant } from '../../verification/gpu-cases/cases.ts';
import { createClock } from '../../verification/gpu-cases/clock.ts';
import { createCaseCounter } from './count/case-counter.ts';
import type { CountedStage } from './count/counting-device.ts';
import { sumOf, type StageCount } from './count/counts.ts';
import { createRunner, mostPairs, turnsFor } from '../../verification/gpu-cases/runner.ts';
import { calibrate, warmUp } from '../../verification/gpu-cases/sampling.ts';
import { hostScene, uploadScene } from '../../verification/gpu-cases/scene.ts';
import { createStageClock } from './stage-clock.ts';
import { isPlanar } from '../../verification/gpu-cases/case-workload.ts';

export interface Stage {
  /** A kernel, `list for` the kernel that follows, or `copies`. */
  name: string;
  /** Nanoseconds per pair of the query: the median. */
  nanoseconds: number;
  /** Instructions and bytes per pair of the query; null: copies, or not counted. */
  counted: StageCount | null;
}

export interface CaseStages {
  name: string;
  pairs: number;
  bodies: Variant['bodies'];
  samples: number;
  stages: Stage[];
  /** Of the query as batches record it, in one pass: nanoseconds per pair, the median. */
  wholeNanoseconds: number;
  failure: string | null;
}

export interface StageSettings {
  pairs: number;
  basePairs: number;
  rounds: number;
  seed: number;
  counts: boolean;
}

export async function measureStages(
  found: FoundAdapter,
  gpuCase: GpuCase,
  settings: StageSettings,
): Promise<CaseStages> {
  const report: CaseStages = {
    name: gpuCase.name,
    pairs: settings.pairs,
    bodies: 'own',
    samples: settings.rounds,
    stages: [],
    wholeNanoseconds: 0,
    failure: null,
  };
  let opened: OpenAdapter | undefined;
  const counter = createCaseCounter(found, gpuCase, settings.seed);
  try {
    const counts = settings.counts ? await counter.count(STANDARD) : null;
    opened = await found.open({ dimension: isPlanar(gpuCase.workload) ? 2 : 3 });
    await sampleStages(opened, gpuCase, settings, counts, report);
    if (opened.errors.length > 0) report.failure = `the device complained: ${opened.errors[0]}`;
  } catch (error) {
    report.failure = (error as Error).message.split('\n')[0];
  }
  counter.dispose();
  opened?.tester.dispose();
  return report;
}

async function sampleStages(
  opened: OpenAdapter,
  gpuCase: GpuCase,
  { pairs: wanted, basePairs, rounds, seed }: StageSettings,
  counts: readonly CountedStage[] | null,
  report: CaseStages,
): Promise<void> {
  const { device, tester } = opened;
  const host = hostScene(gpuCase, basePairs, STANDARD.hitRate, seed);
  for (const shape of host.workload.shapes) tester.addShape(shape as never);
  const pairs = Math.min(wanted, mostPairs(opened, gpuCase));
  const own = { bodies: 'own', isMoving: false, pairCount: pairs } as const;
  const layout = turnsFor(opened, gpuCase, host, own) === null ? ({ ...own, bodies: 'shared' } as const) : own;
  const scene = uploadScene(device, host, layout);
  const clock = createClock(device);
  const stageClock = createStageClock(device);
  if (!clock || !stageClock) throw new Error('the device has no timestamps');
  const runner = await createRunner(opened, clock, gpuCase, scene, { pairs, turns: 1, isWarm: false });
  const sampling = { runner, ...(await calibrate(runner)) };
  await warmUp(sampling);
  await stageClock.sample(runner.batch);
  const whole: number[] = [];
  const samples: number[][] = [];
  for (let round = 0; round < rounds; round++) {
    whole.push((await runner.sample(sampling.repeats)).gpuMs!);
    samples.push(await stageClock.sample(runner.batch));
  }
  const perPair = (ms: number): number => (1e6 * ms) / pairs;
  report.pairs = pairs;
  report.bodies = layout.bodies;
  report.wholeNanoseconds = perPair(median(whole));
  report.stages = groupsOf(stageClock.kernels()).map(({ name, first, end }) => ({
    name,
    nanoseconds: perPair(median(samples.map((times) => times.slice(first, end).reduce((sum, ms) => sum + ms, 0)))),
    // Counts have no copies.
    counted: counts && first > 0 ? sumOf(counts.slice(first - 1, end - 1)) : null,
  }));
  runner.dispose();
  scene.destroy();
  clock.destroy();
  stageClock.destroy();
}

/** The kernels that make a list, which has the name of the kernel that follows. */
const LIST_KERNEL = /^compact-/;

/** Stages of a sequence of kernels: those of a list together. */
export function groupsOf(kernels: readonly string[]): { name: string; first: number; end: number }[] {
  const groups: { name: string; first: number; end: number }[] = [];
  for (let first = 0; first < kernels.length;) {
    let end = first + 1;
    while (LIST_KERNEL.test(kernels[first]) && kernels[end] && LIST_KERNEL.test(kernels[end])) end++;
    const isList = LIST_KERNEL.test(kernels[first]);
    groups.push({ name: isList ? `list for ${kernels[end] ?? 'the caller'}` : kernels[first], first, end });
    first = end;
  }
  return groups;
}
