/** One case in a device of its own: first call, answers, then all its measurements by turns. */

import { NarrowphaseError } from '../../src/api/errors.ts';
import type { FoundAdapter, OpenAdapter } from './adapter.ts';
import { lineOf } from './case-section.ts';
import { STANDARD, variantsOf, type GpuCase, type Variant } from '../../verification/gpu-cases/cases.ts';
import { createClock, type Clock } from '../../verification/gpu-cases/clock.ts';
import { createCaseCounter, type CaseCounter } from './count/case-counter.ts';
import type { CountedStage } from './count/counting-device.ts';
import { measureFirstCall, measureReadBack } from './first-call.ts';
import { inspect, miscounted, type Inspected } from '../../verification/gpu-cases/inspect.ts';
import type { Peak } from './peaks.ts';
import { rateOfPoint, type CaseReport, type Point } from './report.ts';
import { limitOf } from './roofline.ts';
import { createRunner, mostPairs, turnsFor, type Runner } from '../../verification/gpu-cases/runner.ts';
import { calibrate, sampleByTurns } from '../../verification/gpu-cases/sampling.ts';
import {
  hostScene,
  uploadScene,
  type DeviceScene,
  type HostScene,
  type SceneLayout,
} from '../../verification/gpu-cases/scene.ts';
import { workOf } from './work.ts';
import { isPlanar } from '../../verification/gpu-cases/case-workload.ts';

export interface Settings {
  sizes: readonly number[];
  /** Pairs of a workload; larger sizes repeat them. */
  basePairs: number;
  /** The size that variants are measured at. */
  mainSize: number;
  rounds: number;
  seed: number;
  /** Whether instructions are counted. */
  counts: boolean;
  peak: Peak;
  /** On the clock of `performance.now`: what would end later is left out. */
  deadline: number;
  log: (line: string) => void;
}

/** A variant's scene, and what its pairs answer. */
interface Inputs {
  host: HostScene;
  scene: DeviceScene;
  inspected: Inspected;
  /** null: not counted. */
  counts: readonly CountedStage[] | null;
}

interface Measurement {
  pairs: number;
  variant: Variant;
}

/** A measurement whose runs have been made ready. */
interface Ready extends Measurement {
  inputs: Inputs;
  runner: Runner;
  repeats: number;
}

/** Pairs whose hits are read back, at most. */
const READ_BACK_PAIRS = 2 ** 20;

export async function measureCase(found: FoundAdapter, gpuCase: GpuCase, settings: Settings): Promise<CaseReport> {
  const start = performance.now();
  const report: CaseReport = {
    ...gpuCase,
    firstCall: null,
    answers: [],
    points: [],
    skipped: [],
    readBack: null,
    failure: null,
    countFailure: null,
    seconds: 0,
  };
  let opened: OpenAdapter | undefined;
  let clock: Clock | undefined;
  const counter = createCaseCounter(found, gpuCase, settings.seed);
  try {
    opened = await found.open({ dimension: isPlanar(gpuCase.workload) ? 2 : 3 });
    clock = createClock(opened.device);
    await measureAll(opened, clock, counter, gpuCase, settings, report);
    if (opened.errors.length > 0) report.failure = `the device complained: ${opened.errors[0]}`;
  } catch (error) {
    report.failure = [...(opened?.errors ?? []), (error as Error).message][0].split('\n')[0];
  }
  clock?.destroy();
  counter.dispose();
  opened?.tester.dispose();
  return { ...report, seconds: (performance.now() - start) / 1000 };
}

async function measureAll(
  opened: OpenAdapter,
  clock: Clock | undefined,
  counter: CaseCounter,
  gpuCase: GpuCase,
  settings: Settings,
  report: CaseReport,
): Promise<void> {
  const { sizes, basePairs, mainSize, rounds, seed, deadline } = settings;
  const host = hostScene(gpuCase, basePairs, STANDARD.hitRate, seed);
  for (const shape of host.workload.shapes) opened.tester.addShape(shape as never);
  const scenes: DeviceScene[] = [];
  const inputsOf = new Map<Variant, Inputs>();
  /** Milliseconds of a run by its pairs. */
  const runMs = new Map<number, number>();
  const standardPairs = Math.min(sizes.at(-1)!, mostPairs(opened, gpuCase));
  const scene = keep(uploadScene(opened.device, host, { bodies: 'shared', isMoving: false, pairCount: standardPairs }));
  report.firstCall = await measureFirstCall(opened, gpuCase, scene);
  await addInputs(STANDARD, host, scene);

  const upToMain = [
    ...sizes.filter((pairs) => pairs <= mainSize).map((pairs) => ({ pairs, variant: STANDARD })),
    ...variantsOf(gpuCase).map((variant) => ({ pairs: mainSize, variant })),
  ];
  await measureGroup(upToMain);
  if (performance.now() < deadline)
    report.readBack = await measureReadBack(
      opened,
      gpuCase,
      scene,
      Math.min(mainSize, READ_BACK_PAIRS, mostPairs(opened, gpuCase)),
    );
  // The largest take most of the memory: one at a time.
  for (const pairs of sizes.filter((size) => size > mainSize)) await measureGroup([{ pairs, variant: STANDARD }]);
  for (const each of scenes) each.destroy();

  function keep(made: DeviceScene): DeviceScene {
    scenes.push(made);
    return made;
  }

  async function addInputs(variant: Variant, from: HostScene, uploaded: DeviceScene): Promise<Inputs> {
    const inspected = await inspect(opened, gpuCase, from, uploaded, variant);
    report.answers.push({ ...inspected.comparison, variant });
    const counts = await countsOf(variant);
    const inputs = { host: from, scene: uploaded, inspected, counts };
    inputsOf.set(variant, inputs);
    return inputs;
  }

  /** Without them there is still something to measure. */
  async function countsOf(variant: Variant): Promise<readonly CountedStage[] | null> {
    if (!settings.counts || performance.now() > deadline) return null;
    return counter.count(variant).catch((error: unknown) => {
      report.countFailure = (error as Error).message.split('\n')[0];
      return null;
    });
  }

  /** All are sampled side by side. */
  async function measureGroup(measurements: readonly Measurement[]): Promise<void> {
    const ready: Ready[] = [];
    let plannedMs = 0;
    for (const measurement of measurements) {
      const left = deadline - performance.now() - plannedMs;
      const made = await makeReady(measurement, left).catch(reasonToSkip);
      if (typeof made === 'string') {
        report.skipped.push({ ...measurement, reason: made });
        continue;
      }
      ready.push(made.ready);
      plannedMs += made.plannedMs;
    }
    const sampled = await sampleByTurns(ready, rounds, () => performance.now() > deadline);
    for (const [i, { pairs, variant, inputs, runner }] of ready.entries()) {
      const work = workOf(gpuCase, inputs.host, inputs.inspected.iterations, inputs.counts, { pairs, ...variant });
      const limit = limitOf(work, settings.peak);
      const point: Point = {
        pairs,
        turns: runner.turns,
        variant,
        ...sampled[i],
        work,
        limit,
        shareOfLimit: rateOfPoint(sampled[i]) / limit.rate,
        miscounted: await miscounted(runner, inputs.inspected.status, variant.isWarm),
      };
      runner.dispose();
      report.points.push(point);
      settings.log(lineOf(gpuCase, point));
    }
  }

  /** Or the reason why it is left out. */
  async function makeReady(
    measurement: Measurement,
    leftMs: number,
  ): Promise<{ ready: Ready; plannedMs: number } | string> {
    const { pairs, variant } = measurement;
    const layout: SceneLayout = { bodies: variant.bodies, isMoving: variant.isWarm, pairCount: pairs };
    const from = inputsOf.get(variant)?.host ?? hostScene(gpuCase, basePairs, variant.hitRate, seed);
    const turns = turnsFor(opened, gpuCase, from, layout);
    if (turns === null) return 'the device binds no buffer as large';
    const expectedMs = (rounds + 4) * Math.max(30, expected(pairs));
    if (leftMs <= 0) return 'no time left';
    if (expectedMs > leftMs) return `no time: about ${Math.ceil(expectedMs / 1000)} s`;
    const perTurn = Math.ceil(pairs / turns);
    const inputs =
      inputsOf.get(variant) ??
      (await addInputs(variant, from, keep(uploadScene(opened.device, from, { ...layout, pairCount: perTurn }))));
    const runner = await createRunner(opened, clock, gpuCase, inputs.scene, { pairs, turns, isWarm: variant.isWarm });
    const { repeats, sampleMs } = await calibrate(runner);
    runMs.set(pairs, sampleMs / repeats);
    return { ready: { ...measurement, inputs, runner, repeats }, plannedMs: (rounds + 3) * sampleMs };
  }

  /** Milliseconds of a run, after the largest that there was; 0 before the first. */
  function expected(pairs: number): number {
    const largest = Math.max(0, ...runMs.keys());
    return largest === 0 ? 0 : (runMs.get(largest)! * Math.max(pairs, largest)) / largest;
  }
}

/** One measurement too large for the device is no reason to end the others. */
function reasonToSkip(error: unknown): string {
  if (error instanceof NarrowphaseError && (error.code === 'OUT_OF_MEMORY' || error.code === 'LIMIT_EXCEEDED'))
    return error.message;
  throw error;
}
