/** Everything that the benchmark measures, in order. */

import { join } from 'node:path';
import type { Case } from '../cases.ts';
import { judgedPairs } from '../../../verification/judges/compare-answers.ts';
import type { Options } from '../options.ts';
import { peerCallsFor } from '../peers/catalogue.ts';
import type { BenchReport, CaseReport } from '../report/report.ts';
import type { EngineSpec } from '../protocol.ts';
import type { Truth } from '../../../verification/judges/compare-answers.ts';
import { writeWorkload } from '../workload-file.ts';
import { makeWorkload } from '../../../verification/workloads/make.ts';
import type { AnyWorkload } from '../../../verification/workloads/workload.ts';
import { contenderId, runCase, type Contender } from './case.ts';
import { CURVE_SERIES, runCurve, SIZES, type Curve } from './curves.ts';
import { judge } from './judge.ts';
import { describeEngines, describePeers, findEngines, nameOf } from './subjects.ts';
import { hitShare, workloadOf } from './workload.ts';

type Measured = Pick<BenchReport, 'engines' | 'peers' | 'cases' | 'curves'>;
type Say = (line: string) => void;

/** Milliseconds of a timed run: more for the cases that targets are set for. */
const BUDGET_MS = { main: 600, other: 250, quick: 60 };
/** Longest run of a curve. */
const LONGEST_MS = { full: 2500, quick: 250 };

export async function measureAll(options: Options, folder: string, say: Say): Promise<Measured> {
  const found = await findEngines();
  const wanted = found.filter((entry) => options.engines?.includes(nameOf(entry)) ?? true);
  const engines = wanted.flatMap((entry) => ('engine' in entry ? [entry.engine] : []));
  const cases: CaseReport[] = [];
  let last: { key: string; file: string; workload: AnyWorkload; indices: Uint32Array; truth: Truth } | undefined;
  for (const each of options.cases) {
    const key = `${each.workload}-${each.hitRate}-${each.query === 'impacts'}`;
    if (last?.key !== key) last = { key, ...(await prepare(each)) };
    const { workload, ...given } = last;
    const contenders = contendersOf(each, workload);
    say(`${each.name}: ${contenders.map(contenderId).join(', ')}`);
    const full = contenders.find((contender) => contender.kind === 'engine' && contender.engine.name !== 'cpu');
    const subjects = await runCase({
      ...given,
      case: each,
      pairs: options.pairs,
      contenders,
      full: each.isMain && full ? [full] : [],
      budgetMs: options.quick ? BUDGET_MS.quick : each.isMain ? BUDGET_MS.main : BUDGET_MS.other,
      rounds: options.rounds,
    });
    for (const { id, failure } of subjects) if (failure !== null) say(`  ${id}: ${failure}`);
    const hitRate = hitShare(given.truth);
    cases.push({
      name: each.name,
      workload: each.workload,
      query: each.query,
      hitRate,
      pairs: options.pairs,
      subjects,
    });
  }
  const curves = options.curves ? await measureCurves() : [];
  return { engines: describeEngines(wanted, cases), peers: describePeers(options.peers, cases), cases, curves };

  async function prepare(each: Case) {
    const file = join(folder, 'workload');
    const { pairs } = options;
    const workload = workloadOf(each, pairs, options.seed);
    writeWorkload(file, workload);
    const indices = judgedPairs(pairs);
    return { file, workload, indices, truth: await judge(file, indices) };
  }

  /**
   * For cases without targets, the first engine with a GPU and the CPU, unless engines were named. In 2-D the first
   * engine also gets the pairs as thin 3-D shapes. Contacts of hulls are also measured by `gjk`.
   */
  function contendersOf(
    { name, workload, query, hitRate, isMain }: Case,
    { dimension, shapes }: AnyWorkload,
  ): Contender[] {
    const calls = peerCallsFor(query, workload, new Set(shapes.map(({ type }) => type)), 'prepared').filter(
      ({ peer }) => options.peers.includes(peer),
    );
    const hasAll = options.engines !== null || (isMain && (!options.quick || name === options.cases[0].name));
    const gpu = engines.find((engine) => engine.name !== 'cpu');
    const chosen = hasAll ? engines : engines.filter((engine) => engine === gpu || engine.name === 'cpu');
    const specs: EngineSpec[] =
      dimension === 3
        ? [...chosen]
        : chosen.flatMap((engine): EngineSpec[] => [
            { ...engine, plane: 'flat' },
            ...(engine === chosen[0] ? [{ ...engine, plane: 'thin' as const }] : []),
          ]);
    // Hulls take the arcs of Gauss maps by `auto`, and EPA by `gjk`.
    if (query === 'contacts' && workload.startsWith('hull') && hitRate === 0.5 && !options.quick)
      specs.push(
        ...chosen
          .filter((engine) => engine === gpu || engine.name === 'cpu')
          .filter(({ adapter }) => adapter === undefined)
          .map((engine) => ({ ...engine, algorithm: 'gjk' as const })),
      );
    return [
      ...specs.map((engine) => ({ kind: 'engine' as const, engine })),
      ...calls.map((call) => ({ kind: 'peer' as const, call })),
    ];
  }

  async function measureCurves(): Promise<Curve[]> {
    const series = options.quick ? CURVE_SERIES.slice(0, 1) : CURVE_SERIES;
    const sizes = options.quick ? SIZES.slice(0, 4) : SIZES;
    const longestMs = options.quick ? LONGEST_MS.quick : LONGEST_MS.full;
    const measured: Curve[] = [];
    const file = join(folder, 'workload');
    let written = '';
    for (const { workload, query } of series) {
      if (written !== workload) writeWorkload(file, makeWorkload(workload, options.pairs, 0.5, options.seed));
      written = workload;
      // Browsers take seconds to start.
      for (const engine of engines.filter(({ adapter }) => !options.quick || adapter === undefined)) {
        say(`throughput of ${engine.name}: ${workload}/${query}`);
        measured.push(await runCurve(engine, workload, query, file, { longestMs, sizes, repeats: 3 }));
      }
    }
    return measured;
  }
}
