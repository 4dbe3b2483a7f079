/**
 * Benchmark of the kernels on one GPU; see options.ts for the command line. Everything that is found is written after
 * every case, so that a run that is cut short loses one case at most.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describeMachine } from '../machine.ts';
import { rounded } from '../markdown.ts';
import { commandLine, optionsOrExit } from '../options.ts';
import { createLog } from '../progress.ts';
import { setRests } from '../rests.ts';
import { findAdapter, type FoundAdapter } from './adapter.ts';
import { slugOf } from './facts.ts';
import { isWrong } from '../../verification/gpu-cases/answers.ts';
import { createClock } from '../../verification/gpu-cases/clock.ts';
import type { Heading } from './heading.ts';
import { markdown } from './markdown.ts';
import { frameMarkdown, measureFrameCases, type FrameReport } from './frame.ts';
import { measureHost } from './host.ts';
import { measureCase } from './measure-case.ts';
import { HELP, parseOptions } from './options.ts';
import { knownPeak, measurePeak } from './peaks.ts';
import { hasFaults, peakOf, type GpuReport } from './report.ts';
import { SAMPLE_MS, WARM_UP_MS } from '../../verification/gpu-cases/sampling.ts';
import { MOTION } from '../../verification/gpu-cases/scene.ts';
import { caseStages, stagesMarkdown, type StagesReport } from './stages-report.ts';
import { measureStages } from './stages.ts';
import { summary } from './summary.ts';

/** Package, version and commit; put there by build.ts. */
declare const GENERATOR: string;

/** Pairs of a workload; sizes beyond repeat them. */
const BASE_PAIRS = 2 ** 16;
const QUICK_BASE_PAIRS = 2 ** 14;
/** Where variants are measured, if there is such a size. */
const MAIN_SIZE = 2 ** 22;
const SOFTWARE_MAIN_SIZE = 2 ** 18;
/** An early case may take this many times its part of the time: later ones are less important, and often quicker. */
const GENEROSITY = 2;
/** A case is not begun with less time than so many of the slowest first calls so far. */
const LEAST_STARTS = 3;
/** In a row: the device is gone. */
const MOST_FAILURES = 3;

// Compiling is timed: drivers must not remember what earlier runs compiled.
Object.assign(process.env, { MESA_SHADER_CACHE_DISABLE: 'true', __GL_SHADER_DISK_CACHE: '0' });

const start = performance.now();
const log = createLog(start);
const options = optionsOrExit('bench-gpu', HELP, parseOptions);
const basePairs = options.quick ? QUICK_BASE_PAIRS : BASE_PAIRS;
if (options.driver !== undefined) process.env.VK_DRIVER_FILES = process.env.VK_ICD_FILENAMES = options.driver;
const found = await findAdapter(log, options.asHardware);
if (!found) {
  console.error('bench-gpu: no Vulkan driver gives an adapter');
  process.exit(3);
}
setRests(found.facts.isSoftware);
const head = await describe(found, performance.now() - start);
const slug = slugOf(found.facts);
const counts = options.counts ?? !found.facts.isSoftware;
process.exit((await (options.stages ? measureAllStages(found) : measureAll(found))) ? 1 : 0);

/** Whether something is wrong. */
async function measureAll(adapter: FoundAdapter): Promise<boolean> {
  const report: GpuReport = {
    version: 1,
    ...head,
    settings: {
      basePairs,
      rounds: options.rounds,
      sampleMs: SAMPLE_MS,
      warmUpMs: WARM_UP_MS,
      seed: options.seed,
      motion: MOTION,
      counts,
    },
    cases: [],
    host: [],
  };
  const { hostPairs, rounds, seed } = options;
  if (hostPairs !== null) {
    report.host = await measureHost(adapter, { pairs: hostPairs, rounds, seed, log });
    write('gpu', report, markdown);
  }
  const hasFrames = options.hasFrames ? await measureFrames(adapter) : true;
  const isDone = await measureCases(adapter, report);
  console.log(summary(report).join('\n'));
  log(`${join(options.out, `gpu-${slug}.md`)}${isDone ? '' : '; some cases were left out'}`);
  return hasFaults(report, isWrong) || !hasFrames;
}

/** False if a frame failed. */
async function measureFrames(adapter: FoundAdapter): Promise<boolean> {
  const { hasSizes, sizes, rounds, seed } = options;
  const frames: FrameReport = { ...head, settings: { rounds, seed }, cases: [], counts: [] };
  const settings = { sizes: hasSizes ? sizes : null, rounds, seed, counts, log };
  const failure = await measureFrameCases(adapter, settings, frames).catch((error: Error) => error.message);
  if (failure) log(`frames FAILED: ${failure}`);
  write('frame', frames, frameMarkdown);
  log(join(options.out, `frame-${slug}.md`));
  return !failure;
}

/** `--stages`. Whether something failed. */
async function measureAllStages(adapter: FoundAdapter): Promise<boolean> {
  const { cases, rounds, seed, seconds } = options;
  const pairs = options.hasSizes ? options.sizes.at(-1)! : mainSizeOf(adapter);
  const report: StagesReport = {
    version: 1,
    ...head,
    settings: { basePairs, rounds, warmUpMs: WARM_UP_MS, seed },
    cases: [],
  };
  for (const gpuCase of cases) {
    if (performance.now() - start > 1000 * seconds) {
      report.left.push(gpuCase.name);
      continue;
    }
    const measured = await measureStages(adapter, gpuCase, { pairs, basePairs, rounds, seed, counts });
    report.cases.push(measured);
    write('stages', report, stagesMarkdown);
    log(caseStages(measured, peakOf(report)).join('\n'));
  }
  write('stages', report, stagesMarkdown);
  log(join(options.out, `stages-${slug}.md`));
  return report.cases.some(({ failure }) => failure !== null);
}

async function describe({ facts, open }: FoundAdapter, openMs: number): Promise<Heading> {
  const opened = await open({ dimension: 3 });
  const clock = createClock(opened.device);
  const measured = await measurePeak(opened, clock);
  clock?.destroy();
  opened.tester.dispose();
  log(
    `${facts.device}, ${facts.description}: ${(measured.bandwidth / 1e9).toPrecision(3)} GB/s, ` +
      `${(measured.instructions / 1e9).toPrecision(3)} G multiply-adds/s`,
  );
  return {
    generator: GENERATOR,
    command: commandLine('npm run bench:gpu'),
    date: new Date().toISOString().slice(0, 10),
    seconds: 0,
    machine: describeMachine(),
    adapter: facts,
    webgpu: webgpuVersion(),
    openMs,
    peak: { known: knownPeak(facts) ?? null, measured },
    left: [],
  };
}

/** False where time ran out or the device hung. */
async function measureCases(adapter: FoundAdapter, to: GpuReport): Promise<boolean> {
  const { cases, sizes, rounds, seed, seconds } = options;
  const wanted = mainSizeOf(adapter);
  const mainSize = sizes.filter((pairs) => pairs <= wanted).at(-1) ?? sizes[0];
  let failures = 0;
  let slowestStartMs = 1000;
  for (const [i, gpuCase] of cases.entries()) {
    const leftMs = 1000 * seconds - (performance.now() - start);
    if (leftMs < LEAST_STARTS * slowestStartMs || failures >= MOST_FAILURES) {
      to.left.push(gpuCase.name);
      continue;
    }
    const deadline = performance.now() + Math.min(leftMs, (GENEROSITY * leftMs) / (cases.length - i));
    const measured = await measureCase(adapter, gpuCase, {
      sizes,
      mainSize,
      rounds,
      seed,
      deadline,
      log,
      basePairs,
      counts,
      peak: peakOf(to),
    });
    failures = measured.failure === null ? 0 : failures + 1;
    if (measured.failure !== null) {
      log(`${gpuCase.name} FAILED: ${measured.failure}`);
    }
    slowestStartMs = Math.max(slowestStartMs, measured.firstCall?.ms ?? 0);
    to.cases.push(measured);
    write('gpu', to, markdown);
  }
  write('gpu', to, markdown);
  return to.left.length === 0;
}

function mainSizeOf({ facts }: FoundAdapter): number {
  return facts.isSoftware ? SOFTWARE_MAIN_SIZE : MAIN_SIZE;
}

function write<Report extends Heading>(
  kind: 'gpu' | 'stages' | 'frame',
  of: Report,
  text: (of: Report) => string,
): void {
  of.seconds = Math.round((performance.now() - start) / 1000);
  mkdirSync(options.out, { recursive: true });
  writeFileSync(join(options.out, `${kind}-${slug}.json`), `${JSON.stringify(of, rounded, 1)}\n`);
  writeFileSync(join(options.out, `${kind}-${slug}.md`), text(of));
}

function webgpuVersion(): string {
  try {
    return (createRequire(import.meta.url)('webgpu/package.json') as { version: string }).version;
  } catch {
    return 'unknown';
  }
}
