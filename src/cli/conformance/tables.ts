/** The report as Markdown: a row an engine, then a row a family with each engine's largest error. */

import { printable } from '../output.ts';
import { adapterText } from '../text.ts';
import { FAULT_NAMES, FAULTS, type Fault } from './judge.ts';
import { faultsOf, type ConformanceReport, type EngineReport } from './report.ts';

/** These have columns of their own. */
const COLUMNS: readonly Fault[] = ['outside', 'wrongSign'];

export function markdown(report: ConformanceReport): string {
  const { options, tolerance, reference } = report;
  const ran = report.engines.filter(({ facts }) => facts !== null);
  const lines = [
    '# Conformance',
    '',
    `\`narrowphase conformance --pairs ${options.pairs} --judged ${options.judged} --seed ${options.seed}\` (${report.generator}) asks every engine for \`contacts\` with`,
    '`margin: Infinity` and bounds, `distances` and `intersects`, of boxes by SAT and by GJK. Errors are shares of max(sum of the two',
    `bounding radii, distance of the bodies); the tolerance is ${tolerance.kernels} for the kernels and ${tolerance.reference} for the double-precision reference,`,
    'which is the engine cpu, there besides the rounding of its results to f32. The oracle judges some pairs of each family, the',
    'reference the others. Pairs that did not converge are counted, and no fault as long as their bounds hold.',
    '',
    ...engineTable(ran),
    '',
    ...faultLines(ran),
    ...report.engines.filter(({ unavailable }) => unavailable !== null).map(({ name, detail, unavailable }) => `- ${label(name, detail)} is not available: ${plain(unavailable!)}`),
    `- The reference itself, judged by the oracle on ${reference.pairs} pairs: largest error ${share(reference.largestError)}, outside tolerance ${reference.outside}, wrong signs ${reference.wrongSigns}, not converged ${reference.notConverged}.`,
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
  const head = ['engine', 'runtime', 'adapter', 'pairs', 'judged by oracle', 'largest error', 'outside tolerance', 'wrong signs', 'other faults', 'not converged', 'iterations mean / max', 'first call s'];
  const rows = engines.map((engine) => [
    engine.name,
    plain(engine.facts!.runtime),
    plain(adapterText(engine.facts!)),
    engine.pairs,
    engine.judged,
    share(engine.largestError),
    engine.faults.outside,
    engine.faults.wrongSign,
    faultsOf(engine) - COLUMNS.reduce((sum, fault) => sum + engine.faults[fault], 0),
    engine.notConverged,
    `${engine.iterations.mean.toFixed(1)} / ${engine.iterations.max}`,
    engine.firstCall === null ? 'none' : (engine.firstCall / 1000).toFixed(2),
  ]);
  return table(head, rows, 3);
}

/** What is behind the counts: every kind of fault, the first pairs that have one, and why an engine died. */
function faultLines(engines: EngineReport[]): string[] {
  return engines.flatMap((engine) => {
    const name = label(engine.name, engine.detail);
    const died = engine.failure === null ? [] : [`- ${name} died: ${plain(engine.failure)}`];
    const kinds = FAULT_NAMES.filter((fault) => engine.faults[fault] > 0).map((fault) => `- ${name}: ${engine.faults[fault]} × ${FAULTS[fault]}`);
    const first = engine.families.flatMap(({ family, faulty }) =>
      faulty.slice(0, 1).map(({ pair, query, algorithm, faults, distance, truth }) => `  - ${family}, pair ${pair}, ${query} by ${algorithm}: ${faults.map((fault) => FAULTS[fault]).join('; ')} (distance ${distance}, true ${truth})`),
    );
    return [...died, ...kinds, ...first];
  });
}

function familyTable({ reference }: ConformanceReport, engines: EngineReport[]): string[] {
  const several = new Set(engines.map(({ name }) => name).filter((name, i, names) => names.indexOf(name) !== i));
  const head = ['family', 'pairs', ...engines.map(({ name, facts }) => (several.has(name) ? label(name, plain(facts!.runtime)) : name)), 'reference (f64)'];
  const rows = reference.families.map(({ family, largestError, pairs }, i) => [
    family,
    pairs,
    ...engines.map(({ families }) => (families[i] ? share(families[i].largestError) : 'none')),
    share(largestError),
  ]);
  return table(head, rows, 1);
}

/** The first `texts` columns hold text, the others numbers. */
function table(head: string[], rows: (string | number)[][], texts: number): string[] {
  const rule = head.map((_, i) => (i < texts ? '---' : '---:'));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
}

function label(name: string, detail: string): string {
  return detail === '' ? name : `${name} (${plain(detail)})`;
}

/** A share in two digits; no number is worse than any. */
function share(error: number | null): string {
  if (error === null) return 'no number';
  return error === 0 ? '0' : error.toExponential(1);
}

/** Text of a driver or a browser in a cell of a table. */
function plain(text: string): string {
  return printable(text).replaceAll('|', '/');
}
