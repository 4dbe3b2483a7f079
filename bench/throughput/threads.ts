/**
 * How much faster the CPU backend is on several threads than on one, by the number of pairs:
 *
 *     npm run bench:threads -- [--threads N] [--rounds N] [--cases hull32/contacts,…] [--pairs N,…]
 *
 * One thread and several take turns, query by query, so that what slows a round down slows both. Prints a table.
 */

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Tester, TesterOptions } from '../../src/api/types.ts';
import { describeMachine } from '../machine.ts';
import { median, ratioOf } from '../../verification/statistics/median.ts';
import { createRunner } from './engines/narrowphase.ts';
import type { Query } from '../../verification/workloads/query.ts';
import { makeWorkload, type WorkloadName } from '../../verification/workloads/make.ts';

const PACKAGE = pathToFileURL(join(import.meta.dirname, '../../dist/node.js')).href;
const HIT_RATE = 0.5;
const SEED = 1;

const { values } = parseArgs({
  options: {
    threads: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '11' },
    cases: { type: 'string', default: 'hull32/contacts,boxes/contacts,hull32/manifolds,boxes/intersects' },
    pairs: { type: 'string', default: '256,1024,4096,16384,65536,262144' },
  },
});
const threads = Number(values.threads);
const rounds = Number(values.rounds);
const counts = values.pairs.split(',').map(Number);
interface Package {
  createTester(options: TesterOptions): Promise<Tester>;
}

/**
 * Node's own `import`: that of the runner rewrites what it loads, which changes how fast it is, on the caller's thread
 * alone.
 */
const importAsPublished = new Function('url', 'return import(url)') as (url: string) => Promise<Package>;
const { createTester } = await importAsPublished(PACKAGE);

const { cpu, cores, node, loadAtStart } = describeMachine();
console.log(`${cpu}, ${cores} cores, Node ${node}, load ${loadAtStart}; ${threads} threads against 1`);
console.log(`Medians of ${rounds} rounds, least and greatest in brackets\n`);
console.log(`| case | pairs | 1 thread ms | ${threads} threads ms | times as fast |`);
console.log('| --- | ---: | ---: | ---: | ---: |');
for (const name of values.cases.split(',')) {
  const [workloadName, query] = name.split('/') as [WorkloadName, Query];
  const workload = makeWorkload(workloadName, Math.max(...counts), HIT_RATE, SEED);
  const testers = [await createTester({ backend: 'cpu', threads: 1 }), await createTester({ backend: 'cpu', threads })];
  const runners = await Promise.all(testers.map((tester) => createRunner(tester, workload, query)));
  // The longest first: it has the workers loaded, and the code of both compiled.
  for (const count of [...counts].sort((a, b) => b - a)) {
    const times: number[][] = [[], []];
    for (const runner of runners) runner.reserve(count);
    for (let round = -3; round < rounds; round++) {
      for (const which of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const { ms } = await runners[which].run(count);
        if (round >= 0) times[which].push(ms);
      }
    }
    // Times, not rates: the one-thread times are divided by the others.
    const ratio = ratioOf(times[0], times[1]);
    const spread = `${ratio.least.toFixed(2)}–${ratio.greatest.toFixed(2)}`;
    const [one, several] = times.map((samples) => median(samples).toFixed(2));
    console.log(`| ${name} | ${count} | ${one} | ${several} | ${ratio.median.toFixed(2)} (${spread}) |`);
  }
  for (const tester of testers) {
    if (tester.fallback !== undefined) console.log(tester.fallback);
    tester.dispose();
  }
}
