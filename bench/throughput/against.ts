/**
 * Rates and first calls of this build of the package against those of another:
 *
 *     npm run bench:against -- --dist ../other/dist [--engines dawn-lavapipe,cpu] [--cases boxes,hull32/contacts,…]
 *     [--pairs N] [--rounds N]
 *
 * Both builds are alive side by side and take turns, case by case. Prints a table: each ratio is the median over the
 * rounds, with the least and the greatest in brackets; above 1 this build is faster. A first call compiles without a
 * cache on disk; there is one per case and build.
 *
 * The same program differs by several percent from process to process, on the CPU above all: it is compiled at another
 * moment. So a case whose ratio is low is measured in more pairs of processes, and all its rounds count.
 */

import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildPrograms } from './build.ts';
import { CASES, chooseCases, type Case } from './cases.ts';
import { judgedPairs } from './compare.ts';
import { describeMachine } from '../machine.ts';
import { roundRates } from './report/report.ts';
import { workloadOf } from './run/all.ts';
import { runCase, type Contender } from './run/case.ts';
import { startChild } from './run/child-process.ts';
import { judge } from './run/judge.ts';
import { median, ratioOf, type Ratio } from '../statistics.ts';
import type { EngineSpec, FinderSubject } from './protocol.ts';
import { writeWorkload } from './workloads/file.ts';

const FIND_MS = 60_000;

/** Milliseconds of a timed run. */
const BUDGET_MS = 400;

/** Ratios below this are measured again, and listed by name at the end if they stay there. */
const SLOWER = 0.97;

/** Most pairs of processes of a case. */
const MOST_PAIRS_OF_PROCESSES = 7;

const { values } = parseArgs({
  options: {
    dist: { type: 'string' },
    engines: { type: 'string', default: 'dawn-lavapipe,cpu' },
    cases: { type: 'string' },
    pairs: { type: 'string', default: '65536' },
    rounds: { type: 'string', default: '9' },
  },
});
if (values.dist === undefined || !existsSync(join(values.dist, 'node.js'))) {
  console.error(`bench:against: --dist is ${values.dist}, expected the dist folder of another build`);
  process.exit(2);
}
const other = resolve(values.dist);
const pairs = Number(values.pairs);
const rounds = Number(values.rounds);
const { cases, unknown } = values.cases ? chooseCases(values.cases.split(',')) : { cases: CASES, unknown: [] };
if (unknown.length > 0) {
  console.error(`bench:against: --cases has ${unknown[0]}, which is no case`);
  process.exit(2);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
const folder = mkdtempSync(join(tmpdir(), 'narrowphase-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

await buildPrograms();
const engines = await findEngines(values.engines.split(','));
const { cpu, cores, node, loadAtStart } = describeMachine();
console.log(`${cpu}, ${cores} cores, Node ${node}, load ${loadAtStart}; ${pairs} pairs, ${rounds} rounds\n`);
console.log('| case | engine | other M pairs/s | times as fast | other first call ms | first calls |');
console.log('| --- | --- | ---: | ---: | ---: | ---: |');
const slower: string[] = [];
const ratios: number[] = [];
const firstCalls: number[] = [];
for (const each of cases) for (const engine of engines) await compare(each, engine);
console.log(
  `\n${ratios.length} comparisons: rates ${median(ratios).toFixed(3)} times, first calls ` +
    `${median(firstCalls).toFixed(3)} times as fast (medians)`,
);
console.log(slower.length === 0 ? `none below ${SLOWER}` : `below ${SLOWER}: ${slower.join(', ')}`);
process.exit(0);

async function findEngines(names: string[]): Promise<EngineSpec[]> {
  const finder = startChild<FinderSubject>({ kind: 'finder' });
  const found = await finder.call('find', FIND_MS);
  await finder.end();
  return names.map((name) => {
    const engine = found.find((entry) => 'engine' in entry && entry.engine.name === name);
    if (engine && 'engine' in engine) return engine.engine;
    console.error(`bench:against: --engines has ${name}, which is not on this machine`);
    process.exit(2);
  });
}

async function compare(each: Case, engine: EngineSpec): Promise<void> {
  const file = join(folder, 'workload');
  const workload = workloadOf(each, pairs, 1);
  writeWorkload(file, workload);
  const indices = judgedPairs(pairs);
  const truth = await judge(file, indices);
  const plane = workload.dimension === 2 ? ({ plane: 'flat' } as const) : {};
  const contenders = [{ dist: other }, {}].map((build): Contender => ({
    kind: 'engine',
    engine: { ...engine, ...plane, ...build },
  }));
  const rates: [other: number[], own: number[]] = [[], []];
  const starts: [other: number[], own: number[]] = [[], []];
  let ratio: Ratio;
  do {
    const plan = { case: each, file, indices, truth, pairs, contenders, full: undefined, budgetMs: BUDGET_MS, rounds };
    const results = await runCase(plan);
    const failure = results.find((result) => result.failure !== null)?.failure;
    if (failure) {
      console.log(`| ${each.name} | ${engine.name} | ${failure} | | | |`);
      return;
    }
    results.forEach((result, which) => {
      rates[which].push(...roundRates(result));
      starts[which].push(result.loaded!.firstCallMs!);
    });
    ratio = ratioOf(rates[1], rates[0]);
  } while (ratio.median < SLOWER && starts[0].length < MOST_PAIRS_OF_PROCESSES);
  const firstCall = median(starts[0]) / median(starts[1]);
  ratios.push(ratio.median);
  firstCalls.push(firstCall);
  if (ratio.median < SLOWER) slower.push(`${each.name} on ${engine.name} ${ratio.median.toFixed(3)}`);
  console.log(
    `| ${each.name} | ${engine.name} | ${(median(rates[0]) / 1000).toFixed(3)} | ` +
      `${ratio.median.toFixed(3)} (${ratio.least.toFixed(2)}–${ratio.greatest.toFixed(2)}) | ` +
      `${median(starts[0]).toFixed(0)} | ${firstCall.toFixed(2)} |`,
  );
}
