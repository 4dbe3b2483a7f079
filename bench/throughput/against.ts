/**
 * Rates and first calls, or whole queries, of this build of the package against those of another:
 *
 *     npm run bench:against -- --dist ../other/dist [--engines dawn-lavapipe,cpu] [--cases boxes,host/contacts,…]
 *     [--pairs N] [--rounds N]
 *
 * Both builds are alive side by side and take turns, case by case. Prints a table: each ratio is the median over the
 * rounds, with the least and the greatest in brackets; above 1 this build is faster. A first call compiles without a
 * cache on disk; there is one per case and build.
 *
 * The same program differs by several percent from process to process, on the CPU above all: it is compiled at another
 * moment. So a case whose ratio is low is measured in more pairs of processes, and all its rounds count.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HELP, parseOptions } from './against-options.ts';
import { buildPrograms } from './build.ts';
import type { Case } from './cases.ts';
import { judgedPairs } from '../../verification/judges/compare-answers.ts';
import { describeMachine } from '../machine.ts';
import { digits } from '../markdown.ts';
import { optionsOrExit } from '../options.ts';
import { roundRates } from './report/report.ts';
import { runCase, type CasePlan, type Contender, type SubjectResult } from './run/case.ts';
import { HOST_BUDGET_MS, wholeEngine } from './run/host.ts';
import { judge } from './run/judge.ts';
import { findEngines } from './run/subjects.ts';
import { workloadOf } from './run/workload.ts';
import { median, ratioOf, type Ratio } from '../../verification/statistics/median.ts';
import { TARGET_USES, type EngineName, type EngineSpec, type Sample } from './protocol.ts';
import { writeWorkload } from './workload-file.ts';

const SEED = 1;

/** Milliseconds of a timed run. */
const BUDGET_MS = 400;

/** Ratios below this are measured again, and listed by name at the end if they stay there. */
const SLOWER = 0.97;

/** Most pairs of processes of a case. */
const MOST_PAIRS_OF_PROCESSES = 7;

const options = optionsOrExit('bench:against', HELP, parseOptions);
const { rounds } = options;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const folder = mkdtempSync(join(tmpdir(), 'narrowphase-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

await buildPrograms();
const engines = await enginesOf(options.engines);
const { cpu, cores, node, loadAtStart } = describeMachine();
console.log(`${cpu}, ${cores} cores, Node ${node}, load ${loadAtStart}; ${rounds} rounds\n`);
const slower: string[] = [];
const [prepared, whole] = (['prepared', 'host'] as const).map((arrays) =>
  options.cases.filter((each) => each.arrays === arrays),
);
if (prepared.length > 0) await compareRates();
if (whole.length > 0) await compareWhole();
console.log(slower.length === 0 ? `none below ${SLOWER}` : `below ${SLOWER}: ${slower.join(', ')}`);
process.exit(0);

async function enginesOf(names: readonly EngineName[]): Promise<EngineSpec[]> {
  const found = await findEngines();
  return names.map((name) => {
    const engine = found.find((entry) => 'engine' in entry && entry.engine.name === name);
    if (engine && 'engine' in engine) return engine.engine;
    console.error(`bench:against: --engines has ${name}, which is not on this machine`);
    process.exit(2);
  });
}

async function compareRates(): Promise<void> {
  console.log('| case | engine | other M pairs/s | times as fast | other first call ms | first calls |');
  console.log('| --- | --- | ---: | ---: | ---: | ---: |');
  const ratios: number[] = [];
  const firstCalls: number[] = [];
  await compareAll(prepared, BUDGET_MS, roundRates, ({ id, rounds: rates, starts, ratio }) => {
    const firstCall = median(starts[0]) / median(starts[1]);
    ratios.push(ratio.median);
    firstCalls.push(firstCall);
    const rate = (median(rates[0]) / 1000).toFixed(3);
    return [...id, rate, ratioText(ratio), median(starts[0]).toFixed(0), firstCall.toFixed(2)];
  });
  console.log(
    `\n${ratios.length} comparisons: rates ${median(ratios).toFixed(3)} times, first calls ` +
      `${median(firstCalls).toFixed(3)} times as fast (medians)\n`,
  );
}

/** Whole queries without and with `target`, and the time that they keep the main thread busy. */
async function compareWhole(): Promise<void> {
  const uses = TARGET_USES.flatMap((use) => [
    { title: use === 'fresh' ? 'whole' : 'with target', of: (sample: Sample) => sample.whole![use].ms },
    { title: 'main thread', of: (sample: Sample) => sample.whole![use].mainThreadMs ?? NaN },
  ]);
  console.log(`| case | engine | ${uses.map(({ title }) => `other ${title} ms | times as fast`).join(' | ')} |`);
  console.log(`| --- | --- |${' ---: | ---: |'.repeat(uses.length)}`);
  await compareAll(whole, HOST_BUDGET_MS, wholeRates, ({ id, samples }) => [
    ...id,
    ...uses.flatMap(({ of }) => {
      const [before, after] = samples.map((each) => each.map(of));
      return [digits(median(before)), ratioText(ratioOf(before, after))];
    }),
  ]);
}

/** Rates with `target`, which are steadier: nothing is allocated. */
function wholeRates({ pairs, samples }: SubjectResult): number[] {
  return samples.map(({ whole: queries }) => pairs / queries!.target.ms);
}

interface Comparison {
  /** Case and engine. */
  id: [string, string];
  /** Rates of each round, samples, and milliseconds of first calls: for the other build, then for this one. */
  rounds: number[][];
  samples: Sample[][];
  starts: number[][];
  ratio: Ratio;
}

async function compareAll(
  cases: readonly Case[],
  budgetMs: number,
  ratesOf: (result: SubjectResult) => number[],
  row: (comparison: Comparison) => string[],
): Promise<void> {
  for (const each of cases) {
    const pairs = each.pairs ?? options.pairs;
    const file = join(folder, 'workload');
    const workload = workloadOf(each, pairs, SEED);
    writeWorkload(file, workload);
    const indices = judgedPairs(pairs);
    const given = { case: each, file, pairs, indices, truth: await judge(file, indices), budgetMs, rounds };
    for (const engine of engines) {
      const spec = each.arrays === 'host' ? wholeEngine(engine) : engine;
      const plane = workload.dimension === 2 ? ({ plane: 'flat' } as const) : {};
      const contenders = [{ dist: options.dist }, {}].map((build): Contender => ({
        kind: 'engine',
        engine: { ...spec, ...plane, ...build },
      }));
      const full = each.arrays === 'host' && engine.name !== 'cpu' ? contenders : [];
      const found = await compare({ ...given, contenders, full }, ratesOf);
      const id: Comparison['id'] = [each.name, engine.name];
      console.log(`| ${(typeof found === 'string' ? [...id, found] : row({ id, ...found })).join(' | ')} |`);
      if (typeof found !== 'string' && found.ratio.median < SLOWER)
        slower.push(`${id.join(' on ')} ${found.ratio.median.toFixed(3)}`);
    }
  }
}

/** What failed, where something did. */
async function compare(
  plan: CasePlan,
  ratesOf: (result: SubjectResult) => number[],
): Promise<Omit<Comparison, 'id'> | string> {
  const found: Omit<Comparison, 'id' | 'ratio'> = { rounds: [[], []], samples: [[], []], starts: [[], []] };
  let ratio: Ratio;
  do {
    const results = await runCase(plan);
    const failure = results.find((result) => result.failure !== null)?.failure;
    if (failure) return failure;
    results.forEach((result, which) => {
      found.rounds[which].push(...ratesOf(result));
      found.samples[which].push(...result.samples);
      found.starts[which].push(result.loaded!.firstCallMs!);
    });
    ratio = ratioOf(found.rounds[1], found.rounds[0]);
  } while (ratio.median < SLOWER && found.starts[0].length < MOST_PAIRS_OF_PROCESSES);
  return { ...found, ratio };
}

function ratioText({ median: middle, least, greatest }: Ratio): string {
  return `${middle.toFixed(3)} (${least.toFixed(2)}–${greatest.toFixed(2)})`;
}
