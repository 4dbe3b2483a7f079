/** The report as Markdown: machine, targets, then a table a case. */

import { BANDS, DIFFERS } from '../../../verification/judges/compare-answers.ts';
import { PEER_CALLS, PREPARED_CALLS, type PeerCall } from '../peers/catalogue.ts';
import type { SubjectResult } from '../run/case.ts';
import type { Curve } from '../run/curves.ts';
import { digits, table } from '../../markdown.ts';
import { median, ratioOf, type Ratio } from '../../../verification/statistics/median.ts';
import type { Query } from '../../../verification/workloads/query.ts';
import {
  isInexact,
  measureRatio,
  measureThin,
  RATE_TARGETS,
  RATIO_TARGETS,
  rightRatesOf,
  targetEngine,
  THIN_TARGETS,
  type Measured,
} from '../targets.ts';
import { roundRates, type BenchReport, type CaseReport } from './report.ts';

export function markdown(report: BenchReport): string {
  const lines = [
    '# Benchmark',
    '',
    ...heading(report),
    '',
    '## Targets',
    '',
    ...targetTables(report),
    '',
    ...howMeasured(report),
    '',
    '## Cases',
    '',
    ...report.cases.flatMap((each) => [...caseTable(each), '']),
    ...(report.curves.length > 0
      ? [
          '## Throughput over batch size',
          '',
          '![Throughput over batch size](throughput.svg)',
          '',
          ...curveTable(report.curves),
          '',
        ]
      : []),
    '## Peers',
    '',
    ...peerTable(report, PREPARED_CALLS),
  ];
  return `${lines.join('\n')}\n`;
}

export function heading({
  generator,
  command,
  date,
  seconds,
  machine,
  engines,
  peers,
}: Omit<BenchReport, 'curves' | 'pairs'>): string[] {
  const { cpu, cores, memoryGiB, os, node, loadAtStart } = machine;
  return [
    `\`${command}\` of ${generator} on ${date}, in ${Math.round(seconds / 60)} minutes.`,
    '',
    `- Machine: ${cpu}, ${cores} cores, ${memoryGiB} GiB; ${os}; Node ${node}; load at the start ${loadAtStart}`,
    ...engines.map(({ name, runtime, adapter, unavailable }) =>
      unavailable === null
        ? `- ${name}: ${runtime ?? 'not asked for'}${adapter === null ? '' : `; ${adapter}`}`
        : `- ${name}: not available: ${unavailable}`,
    ),
    ...peers.map(({ name, runtime, unavailable }) =>
      unavailable === null ? `- ${name}: ${runtime ?? 'no case for it'}` : `- ${name}: not available: ${unavailable}`,
    ),
  ];
}

/** The targets whose cases were asked for, each with what was measured. */
export function targetTables(report: BenchReport): string[] {
  const ratios = asked(report, RATIO_TARGETS).map(({ target: { what, subject, peer, least, prepared }, found }) => {
    const engine = targetEngine(report, subject);
    const own = engine ? rightRatesOf(found, engine) : null;
    const measured = measureRatio(found, engine, peer);
    const other = prepared === undefined ? null : measureRatio(found, engine, prepared);
    return [
      what,
      engine ?? 'none',
      own ? rate(own.median) : '–',
      `${isInexact(found, peer) ? '✗ ' : ''}${callOf(peer)}`,
      measured ? rate(measured.rate) : '–',
      measured ? ratioText(measured.ratio) : '–',
      `≥ ${least}`,
      verdictOn(measured, least),
      other ? `${ratioText(other.ratio)} (${rate(other.rate)})` : '–',
    ];
  });
  const thin = asked(report, THIN_TARGETS).map(({ target: { what, least }, found }) => {
    const engine = targetEngine(report, 'gpu');
    const own = engine ? rightRatesOf(found, engine) : null;
    const measured = engine === undefined ? null : measureThin(found, engine);
    return [
      what,
      engine ?? 'none',
      own ? rate(own.median) : '–',
      measured ? rate(measured.rate) : '–',
      measured ? ratioText(measured.ratio) : '–',
      `≥ ${least}`,
      verdictOn(measured, least),
    ];
  });
  const rates = asked(report, RATE_TARGETS).map(({ target: { what, rate: native, native: library }, found }) => {
    const engine = targetEngine(report, 'gpu');
    const own = engine ? rightRatesOf(found, engine) : null;
    return [
      what,
      engine ?? 'none',
      own ? rate(own.median) : '–',
      `${native} (${library})`,
      own ? (own.median >= native ? 'passed' : 'not passed') : 'not measured',
    ];
  });
  return [
    `Ratios to single-threaded peers at ${report.pairs.toLocaleString('en-US')} pairs, half of them ` +
      `overlapping, of impacts about half meeting; in brackets the least and greatest of ${report.rounds} ` +
      'rounds.',
    'The last column has the ratio to the same library on shapes and poses that were made beforehand (its M ' +
      'pairs/s in brackets). ✗: inexact, see below.',
    ...titled(
      [],
      ['target', 'engine', 'M pairs/s', 'peer', 'its M pairs/s', 'ratio', 'wanted', '', 'prepared'],
      ratios,
      [2, 4, 5, 6, 8],
    ),
    ...titled(
      [
        'Shapes of the plane, and on the same engine the same pairs of thin shapes in space, prisms just so high ' +
          'that no depth lies across the plane:',
      ],
      ['target', 'engine', 'M pairs/s', 'thin M pairs/s', 'ratio', 'wanted', ''],
      thin,
      [2, 3, 4, 5],
    ),
    ...titled(
      ['Rates of native C++ libraries on two threads:'],
      ['', 'engine', 'M pairs/s', 'native M pairs/s', ''],
      rates,
      [2, 3],
    ),
  ];
}

function asked<Target extends { case: string }>(
  report: BenchReport,
  targets: readonly Target[],
): { target: Target; found: CaseReport }[] {
  return targets.flatMap((target) => {
    const found = report.cases.find(({ name }) => name === target.case);
    return found ? [{ target, found }] : [];
  });
}

/** Nothing where there are no rows. */
function titled(title: string[], columns: string[], rows: string[][], numeric: number[]): string[] {
  return rows.length === 0 ? [] : ['', ...title.flatMap((line) => [line, '']), ...table(columns, rows, numeric)];
}

function verdictOn(measured: Measured | null, least: number): string {
  return measured === null ? 'not measured' : measured.ratio.median >= least ? 'met' : 'not met';
}

function howMeasured({ rounds }: BenchReport): string[] {
  return [
    'All subjects of a case live side by side as processes of their own and run in turns, one at a time, ' +
      `${rounds} times; times are medians, ratios medians of the ratios`,
    'of each round. On a GPU "ms" goes from submission until the work is done with all inputs resident, ' +
      '"with read-back" until the results are on the host, "kernel ms" is by',
    'timestamps. Of the CPU backend and of peers it is the whole loop. The first call is one pair in a fresh ' +
      'process with compiling and empty shader caches (cold); all others are',
    'warm: code is compiled and poses repeat from run to run, of which only `World.step` makes use. A ' +
      'subject runs as many of the first pairs as fit into its time ("pairs").',
    '',
    'Half of the hits, as of the other pairs, are clear ones, a quarter are shallow, a quarter are within ' +
      '1e-3 of the size from touch. Answers were compared with the CPU',
    'reference in double precision before times were taken: flags where the distance is beyond the tolerance ' +
      `from 0, distances where the call tells them. The tolerance is ${BANDS.engine.toExponential()} of`,
    `max(sum of bounding radii, distance of the bodies) for narrowphase and ${BANDS.peer.toExponential()} ` +
      `for peers. A row marked ✗ is inexact or answers another question: ${100 * DIFFERS.share} % of its ` +
      `answers or more are wrong by more than ${DIFFERS.error}; NaN stands for no answer.`,
    'Of impacts bodies move along straight lines for a second; 5 % of the pairs overlap at the start, the ' +
      'others are 0.5 to 3 times the sum of their radii from touch. Flags are compared by the least',
    'distance on the way, and a time is off by how far the pair is apart then, or by how deep it has overlapped before.',
    'The same goes for pairs in the plane. "thin in space" are the same pairs in the same run asked of a ' +
      'tester in space: each rectangle a box and each polygon a hull of twice as many',
    'points, turned about z; they are as high as the least depth needs to lie in the plane, so that their ' +
      'answers are those of the plane, and are compared with them.',
    'Contacts of hulls: by default the arcs of Gauss maps find the depth; "by gjk" are the same pairs in the same run ' +
      'with EPA in their place.',
    'Bytes a pair are its indices and its record.',
  ];
}

function caseTable({ name, query, hitRate, pairs, subjects }: CaseReport): string[] {
  const first = subjects.find(({ kind, samples }) => kind === 'engine' && samples.length > 0);
  const rows = subjects.map((subject) =>
    subject.samples.length === 0 ? failedRow(subject) : row(subject, first, query),
  );
  const columns = [
    '',
    'pairs',
    'M pairs/s',
    'ms',
    'with read-back',
    'kernel ms',
    first ? `${first.id} is faster by` : '',
    'first call ms',
    'iterations',
    'bytes a pair',
    'answers',
    'largest error',
    'median error',
  ];
  return [
    `### ${name}`,
    '',
    `${pairs.toLocaleString('en-US')} pairs, ${(100 * hitRate).toFixed(0)} % ${query === 'impacts' ? 'meeting' : 'overlapping'}.`,
    '',
    ...table(columns, rows, columns.map((_, k) => k).slice(1)),
  ];
}

function row(subject: SubjectResult, first: SubjectResult | undefined, query: Query): string[] {
  const { id, kind, pairs, samples, loaded, agreement, verdict, iterations, failure } = subject;
  const ms = (of: 'ms' | 'readBackMs' | 'kernelMs'): string => {
    const values = samples.flatMap((sample) => sample[of] ?? []);
    return values.length > 0 ? digits(median(values)) : '–';
  };
  const name = kind === 'engine' ? id : `${id.split(':')[0]} ${callOf(id, false)}`;
  return [
    `${verdict === 'differs' ? '✗ ' : ''}${name}${failure === null ? '' : `, then: ${failure}`}`,
    pairs.toLocaleString('en-US'),
    rate(median(roundRates(subject)) / 1000),
    ms('ms'),
    ms('readBackMs'),
    ms('kernelMs'),
    first && first !== subject ? ratioText(ratioOf(roundRates(first), roundRates(subject))) : '–',
    loaded?.firstCallMs === undefined ? '–' : digits(loaded.firstCallMs),
    iterations === null ? '–' : iterations.toFixed(1),
    loaded?.bytesPerPair === undefined ? '–' : String(loaded.bytesPerPair),
    answersText(subject, query),
    error(agreement?.largestError),
    error(agreement?.medianError),
  ];
}

export function answersText({ agreement }: SubjectResult, query: Query): string {
  if (!agreement) return '–';
  const { compared, wrongFlags, wrongDistances } = agreement;
  const wrong = [
    ...(wrongFlags > 0 ? [`${wrongFlags} flags`] : []),
    ...(wrongDistances > 0 ? [`${wrongDistances} ${query === 'impacts' ? 'times' : 'distances'}`] : []),
  ];
  return wrong.length === 0 ? `${compared} agree` : `${wrong.join(' and ')} of ${compared} differ`;
}

function failedRow({ id, kind, failure }: SubjectResult): string[] {
  return [`${kind === 'engine' ? id : callOf(id)}: ${failure ?? 'no timed run'}`, ...Array<string>(12).fill('–')];
}

function curveTable(curves: Curve[]): string[] {
  const sizes = [...new Set(curves.flatMap(({ points }) => points.map(({ pairs }) => pairs)))].sort((a, b) => a - b);
  const rows = curves.map(({ engine, workload, query, points, failure }) => [
    `${workload} ${query}, ${engine}${failure === null ? '' : `: ${failure}`}`,
    ...sizes.map((size) => {
      const ms = points.find(({ pairs }) => pairs === size)?.ms;
      return ms ? rate(size / ms / 1000) : '–';
    }),
  ]);
  const head = sizes.map((size) => (size >= 2 ** 20 ? `${size / 2 ** 20} Mi` : `${size / 2 ** 10} Ki`));
  return [
    'M pairs/s, half of the pairs overlapping. Sizes beyond the pairs of a case repeat its list over the ' +
      'same bodies, and where the buffers of a device are too small for all',
    'pairs, a batch runs several times in one submission. – would take too long. Peers do not depend on the size.',
    '',
    ...table(
      ['', ...head],
      rows,
      sizes.map((_, k) => k + 1),
    ),
  ];
}

export function peerTable({ peers }: Pick<BenchReport, 'peers'>, known: readonly PeerCall[]): string[] {
  const calls = known.filter(({ peer }) => peers.some(({ name }) => name === peer));
  return table(
    ['peer', 'call', 'query', 'what it does and what it keeps'],
    calls.map(({ peer, call, query, does }) => [peer, call, query, does]),
    [],
  );
}

export function callOf(id: string, withPeer = true): string {
  const found = PEER_CALLS.find((call) => call.id === id);
  return found ? `${withPeer ? `${found.peer} ` : ''}${found.call}` : id;
}

/** Three digits. */
function rate(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

function ratioText({ median: middle, least, greatest }: Ratio): string {
  return `${factor(middle)} (${factor(least)}–${factor(greatest)})`;
}

function factor(value: number): string {
  return value >= 10 ? value.toFixed(0) : value.toPrecision(2);
}

function error(value: number | null | undefined): string {
  return value === null || value === undefined ? '–' : Number.isNaN(value) ? 'NaN' : value.toExponential(1);
}
