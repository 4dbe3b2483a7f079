/** The report of `narrowphase run` as text for a terminal of `width` columns. */

import type { QueryName } from '../pack/results.ts';
import { printable } from './output.ts';
import { closestSlots, contactAt } from './report.ts';
import type { CallTimings, ReportContact, ReportHits, RunFacts } from './report.ts';

const LABEL_WIDTH = 11;

/** The whole table, newline at its end. `limit`: rows of contacts. */
export function reportTable(facts: RunFacts, hits: ReportHits, limit: number, width: number): string {
  const rows = closestSlots(hits.answer, limit).map((slot) => contactAt(hits, slot));
  const lines = [
    printable(facts.scene.name),
    '='.repeat(Math.min(width, [...facts.scene.name].length)),
    ...factLines(facts).flatMap(([label, text]) => labelled(label, text, width)),
  ];
  if (rows.length > 0) lines.push('', contactsTitle(facts, rows.length), ...contactRows(facts.query.name, rows, width));
  return `${lines.join('\n')}\n`;
}

function factLines(facts: RunFacts): [label: string, text: string][] {
  const { scene, query, engine, statusCounts, check, agreement, timings } = facts;
  const { adapter } = engine;
  const kind = engine.backend === 'cpu' ? '' : adapter.isSoftware ? ' (software)' : ' (hardware)';
  const lines: [string, string][] = [
    ['scene', printable(scene.file)],
    ['bodies', countsText(scene.bodies, scene.bodiesByType)],
    ['shapes', countsText(Object.values(scene.shapesByType).reduce((sum, n) => sum + n, 0), scene.shapesByType)],
    ['candidates', `${counted(facts.candidatePairs, 'pair')}, ${PAIRS_TEXT[scene.pairs]}`],
    ['query', `${query.name}, margin ${query.margin ?? 'infinite'}`],
    ['engine', engine.fallback === null ? engine.name : printable(`${engine.name}, since there is no WebGPU: ${engine.fallback}`)],
    ['adapter', printable([adapter.vendor, adapter.architecture, adapter.description].filter(Boolean).join(', ')) + kind],
    ['', ''],
    ['hits', counted(facts.hits, 'pair')],
    ['status', [
      `${integer(statusCounts.separated)} separated`,
      `${integer(statusCounts.overlapping)} overlapping`,
      `${integer(statusCounts.notConverged)} not converged`,
      `${integer(statusCounts.invalidInput)} invalid`,
      `${integer(statusCounts.capacityExceeded)} over capacity`,
    ].join(', ')],
  ];
  if (check) lines.push(['check', check.passed ? 'passed: no pair overlaps' : `failed: ${checkText(check)}`]);
  lines.push(
    ['agreement', agreement ? agreementText(facts, agreement) : 'not compared: the engine is the reference'],
    ['', ''],
    ['load', milliseconds(timings.load)],
    ['pairs', milliseconds(timings.pairs)],
    ['start', milliseconds(timings.engine)],
    ['first call', callText(timings.firstCall)],
    ['second call', `${callText(timings.secondCall)}; ${(facts.candidatePairs / timings.secondCall.total / 1000).toFixed(2)} M pairs/s`],
  );
  return lines;
}

const PAIRS_TEXT = { listed: 'listed in the scene', all: 'all pairs of bodies', 'broad-phase': 'from the broad phase' };

/** Why a check failed. */
export function checkText(check: NonNullable<RunFacts['check']>): string {
  const texts = [];
  if (check.overlapping > 0) texts.push(`${counted(check.overlapping, 'pair')} overlapping`);
  if (check.unanswered > 0) texts.push(`${counted(check.unanswered, 'pair')} without an answer`);
  return texts.join(', ');
}

function agreementText(facts: RunFacts, agreement: NonNullable<RunFacts['agreement']>): string {
  const { checked, seed, unanswered, largestDifference, disagreements, tolerance, worst } = agreement;
  const sample = seed === null ? 'all' : `a sample (seed ${seed}) of`;
  const left = unanswered > 0 ? `, ${integer(unanswered)} without an answer` : '';
  const text = `with the CPU reference, over ${sample} ${counted(checked, 'pair')}${left}: ${integer(disagreements)} differ in status beyond ${tolerance.toExponential()}; largest difference ${largestDifference === 0 ? 0 : largestDifference.toExponential(1)}`;
  if (worst === null || largestDifference === 0) return text;
  const given = worst.distance === null ? `no ${facts.query.name === 'intersects' ? 'distance' : 'hit'}` : worst.distance.toPrecision(8);
  return `${text}, pair ${worst.pair} (bodies ${worst.a} and ${worst.b}): ${given}, reference ${worst.reference.toPrecision(8)}`;
}

function contactsTitle(facts: RunFacts, shown: number): string {
  const title = { intersects: 'Hits', distances: 'Closest pairs', contacts: 'Deepest contacts' }[facts.query.name];
  return `${title} (${integer(shown)} of ${integer(facts.hits)})`;
}

/** Columns: pair, both bodies, what the query gives, and the shapes. The bodies' columns share what width is left. */
function contactRows(query: QueryName, contacts: ReportContact[], width: number): string[] {
  const pair = column('pair', contacts.map((contact) => String(contact.pair)), 'right');
  const shapes = column('shapes', contacts.map((contact) => `${contact.shapeA} / ${contact.shapeB}`), 'left');
  const measures = measureColumns(query, contacts);
  const taken = [pair, shapes, ...measures].reduce((sum, cells) => sum + cells[0].length + 2, 0);
  const room = Math.max(8, Math.floor((width - taken) / 2) - 2);
  const bodyA = column('A', contacts.map(({ a, nameA }) => shorten(bodyLabel(a, nameA), room)), 'left');
  const bodyB = column('B', contacts.map(({ b, nameB }) => shorten(bodyLabel(b, nameB), room)), 'left');
  const columns = [pair, bodyA, bodyB, ...measures, shapes];
  return pair.map((_, row) => `  ${columns.map((cells) => cells[row]).join('  ')}`.trimEnd());
}

function measureColumns(query: QueryName, contacts: ReportContact[]): string[][] {
  if (query === 'intersects') return [column('status', contacts.map(({ status }) => status), 'left')];
  const normals = contacts.map(({ normal }) => normal!.map((x) => x.toFixed(3).padStart(6)).join(' '));
  const measured =
    query === 'contacts'
      ? column('depth', contacts.map(({ distance }) => measure(-distance!)), 'right')
      : column('distance', contacts.map(({ distance }) => measure(distance!)), 'right');
  return [measured, column('normal', normals, 'left')];
}

/** Header and cells, padded to the same length. */
function column(header: string, cells: string[], side: 'left' | 'right'): string[] {
  const width = Math.max(header.length, ...cells.map((cell) => cell.length));
  return [header, ...cells].map((cell) => (side === 'left' ? cell.padEnd(width) : cell.padStart(width)));
}

function bodyLabel(index: number, name: string | undefined): string {
  return name === undefined ? `body ${index}` : `${index} ${printable(name)}`;
}

function shorten(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}~` : text;
}

/** A label and its text, broken at spaces to fit `width`. */
function labelled(label: string, text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines[lines.length - 1];
    if (line !== '' && line.length + 1 + word.length > width - LABEL_WIDTH - 2) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line, i) => `${(i === 0 ? label : '').padEnd(LABEL_WIDTH)}  ${line}`.trimEnd());
}

function countsText(total: number, byType: Record<string, number>): string {
  const parts = Object.entries(byType).map(([type, n]) => counted(n, type));
  return parts.length > 0 ? `${integer(total)}: ${parts.join(', ')}` : integer(total);
}

/** `1 box`, `2,000 boxes`. */
export function counted(n: number, noun: string): string {
  if (n === 1) return `1 ${noun}`;
  if (noun.endsWith('y')) return `${integer(n)} ${noun.slice(0, -1)}ies`;
  return `${integer(n)} ${noun}${noun.endsWith('x') ? 'es' : 's'}`;
}

/** With a comma between groups of three digits. */
function integer(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ',');
}

function callText({ total, compile, kernels, readBack }: CallTimings): string {
  return `${milliseconds(total)}: compile ${compile.toFixed(1)}, kernels ${kernels.toFixed(1)}, read-back ${readBack.toFixed(1)}`;
}

function milliseconds(ms: number): string {
  return `${ms.toFixed(1).padStart(9)} ms`;
}

function measure(x: number): string {
  const size = Math.abs(x);
  return x === 0 || (size >= 1e-4 && size < 1e5) ? x.toFixed(5) : x.toExponential(2);
}
