/** The report as Markdown: one row per engine, then one row per family with each engine's largest error. */

import { CURVED_TOLERANCE as curved, F32_ROUNDING } from '../../src/shapes/tolerances.ts';
import { adapterText, printable } from '../terminal-text.ts';
import { FAULT_KINDS, FAULTS } from '../../verification/judges/faults.ts';
import type { ConformanceReport, EngineReport } from './report.ts';
import type { FamilyStatistics, JudgedPair } from './family-statistics.ts';

export function markdown(report: ConformanceReport): string {
  const { options, tolerance, reference } = report;
  const ran = report.engines.filter(({ facts }) => facts !== null);
  const lines = [
    '# Conformance',
    '',
    `\`narrowphase conformance --pairs ${options.pairs} --judged ${options.judged} --seed ${options.seed}` +
      `${options.families ? ` --families ${options.families.join(',')}` : ''}\` (${report.generator}) ` +
      'asks every engine for `contacts` with',
    '`margin: Infinity` and with the default margin, `distances` and `intersects`, of boxes by SAT and by GJK, each for all pairs and',
    'for the hits. The double-precision reference judges statuses and their counts, hits, distances, normals, witness points,',
    'features and bounds; a brute-force oracle judges some pairs of each family besides, all but their features and counts.',
    '',
    'Errors are |distance - truth| as shares of max(sum of the two bounding radii, distance of the bodies). The tolerance is',
    `${tolerance.kernels.toExponential()} for the kernels, which work in f32, and ` +
      `${tolerance.reference.toExponential()} for the reference, which works in f64; ` +
      'with a cylinder, a cone or an ellipsoid',
    `${curved.kernels.apart.toExponential()} apart and ${curved.kernels.overlapping.toExponential()} overlapping ` +
      `for the kernels, and ${curved.reference.apart.toExponential()} for the reference. ` +
      'The engine cpu is the reference with',
    `its results rounded to f32; that may change each by ${share(F32_ROUNDING)} of itself ` +
      'on top of the tolerance, and is what its largest errors show.',
    'They are those of the pairs judged by the oracle: of the others it would be held against itself. Below the table stands',
    'what the reference is off by before it is rounded. A pair did not converge where the engine says that it has no answer, and the',
    'oracle or the reference has one.',
    '',
    ...engineTable(ran),
    '',
    ...faultLines(ran),
    ...report.engines
      .filter(({ unavailable }) => unavailable !== null)
      .map(({ name, detail, unavailable }) => `- ${label(name, detail)} is not available: ${plain(unavailable!)}`),
    `- The reference itself, judged by the oracle on ${reference.pairs} pairs: ` +
      `largest error ${share(reference.largestError)}, outside tolerance ${reference.outside}, ` +
      `wrong signs ${reference.wrongSigns}; of all pairs without an answer: ${reference.unanswered}.`,
    '',
    'Each two types of shape, and each family of pairs on the verge. Iterations are means over all answers of `contacts`:',
    '',
    ...pairTable(ran),
    '',
    'Largest error of each family:',
    '',
    ...familyTable(report, ran),
    '',
    report.passed ? 'Passed.' : 'Failed.',
  ];
  return `${lines.join('\n')}\n`;
}

function engineTable(engines: EngineReport[]): string[] {
  const head = [
    'engine',
    'runtime',
    'adapter',
    'pairs',
    'judged by oracle',
    'largest error',
    'outside tolerance',
    'wrong signs',
    'other faults',
    'not converged',
    'iterations mean / max',
    'first call s',
  ];
  const rows = engines.map((engine) => [
    engine.name,
    plain(engine.facts!.runtime),
    plain(adapterText(engine.facts!)),
    engine.pairs,
    engine.judged,
    largestOf(engine, engine),
    engine.faults.distance + engine.faults.lowerBound,
    engine.faults.status,
    otherFaults(engine),
    engine.unanswered,
    `${engine.iterations.mean.toFixed(1)} / ${engine.iterations.max}`,
    engine.firstCall === null ? 'none' : (engine.firstCall / 1000).toFixed(2),
  ]);
  return table(head, rows, 3);
}

/** All faults except those in the columns for distances and statuses. */
function otherFaults({ faults, miscounts }: EngineReport): number {
  const all = FAULT_KINDS.reduce((sum, kind) => sum + faults[kind], miscounts.calls);
  return all - faults.distance - faults.lowerBound - faults.status;
}

/**
 * Details of the counts: every kind of fault, the first pairs with a fault or without an answer, and why an engine
 * died.
 */
function faultLines(engines: EngineReport[]): string[] {
  return engines.flatMap((engine) => {
    const name = label(engine.name, engine.detail);
    const died = engine.failure === null ? [] : [`- ${name} died: ${plain(engine.failure)}`];
    const kinds = FAULT_KINDS.filter((kind) => engine.faults[kind] > 0).map(
      (kind) => `- ${name}: ${engine.faults[kind]} × ${FAULTS[kind]}`,
    );
    if (engine.unanswered > 0) kinds.push(`- ${name}: ${engine.unanswered} × no answer where there is one`);
    const { calls, first } = engine.miscounts;
    if (first !== null) kinds.push(`- ${name}: ${calls} × wrong status counts: ${first}`);
    return [...died, ...kinds, ...engine.families.flatMap(worstLine)];
  });
}

function worstLine({ family, faulty, unanswered, worst }: FamilyStatistics): string[] {
  return faulty > 0 || unanswered.engine > 0 ? [`  - ${family}, ${pairText(worst[0])}`] : [];
}

function pairText({ pair, query, algorithm, margin, faults, oracle, engine, truth }: JudgedPair): string {
  const words = [...faults.map((kind) => FAULTS[kind]), ...oracle].join('; ') || 'no answer';
  const found = `status ${engine?.status ?? 'none'}, distance ${engine?.distance ?? 'none'}, true ${truth}`;
  return `pair ${pair}, ${query} by ${algorithm}, margin ${margin ?? 'infinite'}: ${words} (${found})`;
}

function familyTable({ reference }: ConformanceReport, engines: EngineReport[]): string[] {
  const several = new Set(engines.map(({ name }) => name).filter((name, i, names) => names.indexOf(name) !== i));
  const head = [
    'family',
    'pairs',
    ...engines.map(({ name, facts }) => (several.has(name) ? label(name, plain(facts!.runtime)) : name)),
    'reference (f64)',
  ];
  const rows = reference.families.map(({ family, largestError, pairs }, i) => [
    family,
    pairs,
    ...engines.map((engine) => (engine.families[i] ? largestOf(engine, engine.families[i]) : 'none')),
    share(largestError),
  ]);
  return table(head, rows, 1);
}

/** One row per family and engine. */
function pairTable(engines: EngineReport[]): string[] {
  const head = [
    'pairs of',
    'engine',
    'number',
    'largest error',
    '99.9 % below',
    'wrong signs',
    'not converged',
    'iterations mean',
  ];
  const rows = (engines[0]?.families ?? []).flatMap(({ family }, i) =>
    engines.flatMap((engine) => {
      const statistics = engine.families[i];
      if (!statistics) return [];
      const { pairs, faults, unanswered, iterations, percentile, percentileByOracle } = statistics;
      const mean = iterations.answers > 0 ? (iterations.sum / iterations.answers).toFixed(1) : 'none';
      const below = share(engine.name === 'cpu' ? percentileByOracle : percentile);
      return [
        [family, nameOf(engine), pairs, largestOf(engine, statistics), below, faults.status, unanswered.engine, mean],
      ];
    }),
  );
  return table(head, rows, 2);
}

/** A short name, with the driver if Dawn runs on several. */
function nameOf({ name, detail, facts }: EngineReport): string {
  return name === 'dawn' ? label(name, plain(facts!.adapter.vendor || detail)) : name;
}

/** The first `texts` columns hold text, the others numbers. */
function table(head: string[], rows: (string | number)[][], texts: number): string[] {
  const rule = head.map((_, i) => (i < texts ? '---' : '---:'));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

function label(name: string, detail: string): string {
  return detail === '' ? name : `${name} (${plain(detail)})`;
}

/** The engine `cpu` is the reference itself, so only the oracle can measure its errors. */
function largestOf(
  { name }: EngineReport,
  { largestError, largestErrorByOracle }: Pick<FamilyStatistics, 'largestError' | 'largestErrorByOracle'>,
): string {
  return share(name === 'cpu' ? largestErrorByOracle : largestError);
}

/** A share with two digits. NaN is worse than any number. */
function share(error: number | null): string {
  if (error === null) return 'no number';
  return error === 0 ? '0' : error.toExponential(1);
}

/** Text of a driver or a browser for a cell of a table. */
function plain(text: string): string {
  return printable(text).replaceAll('|', '/');
}
