/** Whole queries from the caller's arrays to result arrays, on engines and by peers that are called in a loop. */

import { join } from 'node:path';
import type { Case } from '../cases.ts';
import { judgedPairs } from '../../../verification/judges/compare-answers.ts';
import type { Options } from '../options.ts';
import { ARRAY_CALLS, peerCallsFor } from '../peers/catalogue.ts';
import type { BenchReport, CaseReport } from '../report/report.ts';
import type { EngineName, EngineSpec, FoundEngine } from '../protocol.ts';
import { writeWorkload } from '../workload-file.ts';
import { runCase, type Contender } from './case.ts';
import { judge } from './judge.ts';
import { describeEngines, describePeers, findEngines, nameOf } from './subjects.ts';
import { hitShare, workloadOf } from './workload.ts';

/** Milliseconds of a run of the CPU backend or of a peer, which take fewer pairs if all would take longer. */
export const HOST_BUDGET_MS = 5000;

export async function measureHost(
  { engines: wanted, hostCases, peers: allPeers, rounds, seed }: Options,
  folder: string,
  say: (line: string) => void,
): Promise<Pick<BenchReport, 'engines' | 'peers' | 'cases'>> {
  const found = (await findEngines()).filter(isWanted(wanted));
  const engines = found.flatMap((entry) => ('engine' in entry ? [wholeEngine(entry.engine)] : []));
  const peers = allPeers.filter((name) => ARRAY_CALLS.some(({ peer }) => peer === name));
  const types = new Set(['box'] as const);
  const cases: CaseReport[] = [];
  const files = new Map<string, string>();
  for (const each of hostCases) {
    const pairs = each.pairs!;
    const file = fileOf(each);
    const indices = judgedPairs(pairs);
    const truth = await judge(file, indices);
    const gpu = engines.filter(({ name }) => name !== 'cpu').map((engine): Contender => ({ kind: 'engine', engine }));
    const others = [
      ...engines.filter(({ name }) => name === 'cpu').map((engine): Contender => ({ kind: 'engine', engine })),
      ...peerCallsFor(each.query, each.workload, types, 'host')
        .filter(({ peer }) => peers.includes(peer))
        .map((call): Contender => ({ kind: 'peer', call })),
    ];
    say(each.name);
    const contenders = [...gpu, ...others];
    const plan = { case: each, file, indices, truth, pairs, contenders, full: gpu, budgetMs: HOST_BUDGET_MS, rounds };
    const subjects = await runCase(plan);
    for (const { id, failure } of subjects) if (failure !== null) say(`  ${id}: ${failure}`);
    cases.push({ ...each, hitRate: hitShare(truth), pairs, subjects });
  }
  return { engines: describeEngines(found, cases), peers: describePeers(peers, cases), cases };

  /** A file with as many pairs as the largest case has. Smaller cases take the first of them. */
  function fileOf(each: Case): string {
    const key = each.query === 'impacts' ? 'moving' : 'still';
    let file = files.get(key);
    if (file === undefined) {
      file = join(folder, key);
      say(`pairs of bodies, ${key}`);
      writeWorkload(file, workloadOf(each, Math.max(...hostCases.map(({ pairs }) => pairs!)), seed));
      files.set(key, file);
    }
    return file;
  }
}

/** The CPU backend on as many threads as a tester takes by itself. */
export function wholeEngine(engine: EngineSpec): EngineSpec {
  return { ...engine, threads: undefined };
}

/** By default the first adapter in Node, Chrome and the CPU backend. */
function isWanted(names: readonly EngineName[] | null): (entry: FoundEngine, index: number) => boolean {
  return (entry, index) => {
    const name = nameOf(entry);
    return names === null ? index === 0 || name === 'chrome' || name === 'cpu' : names.includes(name);
  };
}
