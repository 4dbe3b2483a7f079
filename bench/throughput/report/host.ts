/** The report on whole queries as Markdown: a table per number of pairs. */

import { ARRAY_CALLS } from '../peers/catalogue.ts';
import { digits, table } from '../../markdown.ts';
import { median } from '../../../verification/statistics/median.ts';
import { answersText, callOf, heading, peerTable } from './markdown.ts';
import type { BenchReport, CaseReport } from './report.ts';
import type { SubjectResult } from '../run/case.ts';
import { MAIN_THREAD, partCells, partColumns, wholeCells, wholeColumns } from './whole.ts';

export type HostReport = Omit<BenchReport, 'curves' | 'pairs'>;

export function hostMarkdown(report: HostReport): string {
  const sizes = [...new Set(report.cases.map(({ pairs }) => pairs))].sort((a, b) => a - b);
  const lines = [
    '# Whole queries',
    '',
    ...heading(report),
    '',
    ...howMeasured(report),
    '',
    '## Summary',
    '',
    ...summaryTable(report),
    '',
    ...sizes.flatMap((size) => sizeSection(report, size)),
    '## Peers',
    '',
    ...peerTable(report, ARRAY_CALLS),
  ];
  return `${lines.join('\n')}\n`;
}

function howMeasured({ rounds, seed }: HostReport): string[] {
  return [
    `Boxes (seed ${seed}). Half of the pairs overlap; for \`impacts\` about half meet. Each call ` +
      "takes the caller's arrays of shapes, positions,",
    'quaternions, velocities and pairs, and ends when all result arrays are filled. Every call passes everything again.',
    `Milliseconds per query, medians of ${rounds} rounds; all subjects of a case run in turns. A run calls a query ` +
      'several times if one call takes less than 50 ms.',
    '',
    `The main thread is the thread that calls. ${MAIN_THREAD}`,
    '',
    'The parts are those of `tester.timings`, without `target`. They overlap in time. – means that the build does not ' +
      'tell the part, or that it was not measured.',
    'In the summary, ≈ marks a time worked out from fewer pairs.',
    'The CPU backend has as many threads as a tester takes by itself. It and the peers take fewer pairs where all of them ' +
      'would take more than 5 s: the column of pairs tells how many.',
    'Peers are called on one thread. Two objects of the library are placed from the arrays before each call. Peers write ' +
      'whether a pair hits, and its distance or time: fewer arrays than narrowphase.',
    'Answers were compared with the CPU reference in double precision before times were taken. ✗ marks calls that are ' +
      'inexact or answer another question.',
  ];
}

/** A row per case, without `target`: each engine, and the fastest peer whose answers are right. */
function summaryTable({ cases }: HostReport): string[] {
  const engines = [...new Set(cases.flatMap(({ subjects }) => subjects.filter(isEngine).map(({ id }) => id)))];
  return table(
    ['pairs', 'query', ...engines.flatMap((id) => [`${id} ms`, 'main thread ms']), 'fastest peer ms'],
    cases.map(({ query, pairs, subjects }) => {
      const peers = subjects.filter((each) => !isEngine(each) && each.samples.length > 0 && each.verdict !== 'differs');
      const times = peers.map((peer) => ({ peer, ms: (medianMs(peer) * pairs) / peer.pairs }));
      const [fastest] = times.sort((a, b) => a.ms - b.ms);
      return [
        pairs.toLocaleString('en-US'),
        query,
        ...engines.flatMap((id) => {
          const found = subjects.find((each) => each.id === id);
          return found && found.pairs === pairs ? wholeCells(found.samples).slice(0, 2) : ['–', '–'];
        }),
        fastest === undefined
          ? '–'
          : `${fastest.peer.pairs < pairs ? '≈ ' : ''}${digits(fastest.ms)} (${callOf(fastest.peer.id)})`,
      ];
    }),
    [0, ...engines.flatMap((_, k) => [2 * k + 2, 2 * k + 3]), 2 * engines.length + 2],
  );
}

function isEngine({ kind }: SubjectResult): boolean {
  return kind === 'engine';
}

function medianMs({ samples }: SubjectResult): number {
  return median(samples.map(({ ms }) => ms));
}

function sizeSection({ cases }: HostReport, size: number): string[] {
  const rows = cases.filter(({ pairs }) => pairs === size).flatMap(caseRows);
  return [
    `## ${size.toLocaleString('en-US')} pairs over ${(2 * size).toLocaleString('en-US')} bodies`,
    '',
    ...table(
      ['query', 'by', 'pairs', ...wholeColumns, ...partColumns, 'M pairs/s', 'answers'],
      rows,
      [...wholeColumns, ...partColumns, 'pairs', 'M pairs/s'].map((_, k) => k + 2),
    ),
    '',
  ];
}

function caseRows({ query, subjects }: CaseReport): string[][] {
  return subjects.map((subject) => {
    const { id, kind, pairs, samples, failure, verdict } = subject;
    const name = kind === 'engine' ? id : callOf(id);
    if (samples.length === 0)
      return [
        query,
        `${name}: ${failure ?? 'no run'}`,
        ...Array<string>(wholeColumns.length + partColumns.length + 3).fill('–'),
      ];
    const ms = medianMs(subject);
    return [
      query,
      `${verdict === 'differs' ? '✗ ' : ''}${name}${failure === null ? '' : `, then: ${failure}`}`,
      pairs.toLocaleString('en-US'),
      // A peer's loop is synchronous: it keeps the main thread all the time.
      ...(kind === 'peer' ? [digits(ms), digits(ms), '–', '–'] : wholeCells(samples)),
      ...partCells(samples),
      digits(pairs / ms / 1000),
      answersText(subject, query),
    ];
  });
}
