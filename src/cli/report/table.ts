/** Reports as text for a terminal of `width` columns. */

import type { CallTimings } from '../../../verification/engines/engine.ts';
import { printable } from '../write-output.ts';
import { adapterText, counted, engineText, integer, labelled } from '../terminal-text.ts';
import type { ReportContact } from './contacts.ts';
import type { AllowedCounts, Check, ReportHeader, ReportEngine } from './report-header.ts';
import type { Report } from './report.ts';

const LABEL_WIDTH = 11;

/** Milliseconds of the parts of a run. */
export interface RunTimings {
  /** Reading and checking the scene. */
  load: number;
  /** Making the candidate pairs. */
  pairs: number;
  /** Starting the engine and passing the shapes to it. */
  start: number;
  query: CallTimings;
}

/** The whole table, newline at its end. A report merged from shards has no timings. */
export function reportTable({ header, closest }: Report, width: number, timings?: RunTimings): string {
  const facing = [...headerLines(header), ...(timings ? timingLines(header, timings) : [])];
  const title = [printable(header.scene.name), '='.repeat(Math.min(width, [...header.scene.name].length))];
  const lines = title.concat(facing.flatMap(([label, text]) => labelled(label, text, width, LABEL_WIDTH)));
  const listing = [contactsTitle(header, closest.length), ...contactRows(header, closest, width)];
  const rows = closest.length > 0 ? ['', ...listing] : [];
  return `${lines.concat(rows).join('\n')}\n`;
}

type Line = [label: string, text: string];

function headerLines(header: ReportHeader): Line[] {
  const { scene, query, engines, shard, statusCounts, allowed, check } = header;
  const lines: Line[] = [
    ['scene', printable(scene.file)],
    ['bodies', countsText(scene.bodies, scene.bodiesByType)],
    [
      'shapes',
      countsText(
        Object.values(scene.shapesByType).reduce((sum, n) => sum + n, 0),
        scene.shapesByType,
      ),
    ],
    ['candidates', `${counted(header.candidatePairs, 'pair')}, ${PAIRS_TEXT[scene.pairs]}`],
  ];
  if (shard) lines.push(['shard', shardText(shard)]);
  const tolerance = query.tolerance === undefined ? '' : `, tolerance ${query.tolerance}`;
  lines.push(['query', `${query.name}, margin ${query.margin ?? 'infinite'}${tolerance}`]);
  lines.push(...engines.flatMap(engineLines), ['', '']);
  lines.push(
    ['hits', counted(header.hits, 'pair')],
    [
      'status',
      [
        `${integer(statusCounts.separated)} separated`,
        `${integer(statusCounts.overlapping)} overlapping`,
        `${integer(statusCounts.notConverged)} not converged`,
        `${integer(statusCounts.invalidInput)} invalid`,
        `${integer(statusCounts.capacityExceeded)} over capacity`,
      ].join(', '),
    ],
  );
  if (allowed) lines.push(['allowed', allowedText(allowed)]);
  const others = allowed && allowed.byPair + allowed.byTolerance > 0 ? ' but those that are allowed' : '';
  if (check) lines.push(['check', check.passed ? `passed: no pair overlaps${others}` : `failed: ${checkText(check)}`]);
  return lines;
}

function engineLines(engine: ReportEngine): Line[] {
  return [
    ['engine', printable(engineText(engine, engine.fallback))],
    ['adapter', printable(adapterText(engine))],
  ];
}

function shardText({ index, count, firstPair, pairs }: NonNullable<ReportHeader['shard']>): string {
  const range = pairs === 0 ? '' : `, from pair ${integer(firstPair)} on`;
  return `${integer(index)} of ${integer(count)}: ${counted(pairs, 'pair')}${range}`;
}

function timingLines(header: ReportHeader, { load, pairs, start, query }: RunTimings): Line[] {
  const asked = header.shard?.pairs ?? header.candidatePairs;
  return [
    ['', ''],
    ['load', milliseconds(load)],
    ['pairs', milliseconds(pairs)],
    ['start', milliseconds(start)],
    ['compile', milliseconds(query.compile)],
    ['kernels', milliseconds(query.kernels)],
    ['read-back', milliseconds(query.readBack)],
    ['query time', `${milliseconds(query.total)}, ${Number((asked / query.total / 1000).toPrecision(2))} M pairs/s`],
    ['total', milliseconds(load + pairs + start + query.total)],
  ];
}

const PAIRS_TEXT = { listed: 'listed in the scene', all: 'all pairs of bodies', 'broad-phase': 'from the broad phase' };

function allowedText({ byPair, byTolerance, unanswered }: AllowedCounts): string {
  const texts = [`${integer(byPair)} overlapping by the scene`, `${integer(byTolerance)} by the tolerance`];
  if (unanswered > 0) texts.push(`${counted(unanswered, 'pair')} without an answer by the scene`);
  return texts.join(', ');
}

/** Why a check failed. */
export function checkText(check: Check): string {
  const texts = [];
  if (check.overlapping > 0) texts.push(`${counted(check.overlapping, 'pair')} overlapping`);
  if (check.unanswered > 0) texts.push(`${counted(check.unanswered, 'pair')} without an answer`);
  return texts.join(', ');
}

function contactsTitle(header: ReportHeader, shown: number): string {
  const title = { intersects: 'Hits', distances: 'Closest pairs', contacts: 'Deepest contacts' }[header.query.name];
  return `${title} (${integer(shown)} of ${integer(header.hits)})`;
}

/** Columns: pair, both bodies, what the query gives, and the shapes. The bodies' columns share what width is left. */
function contactRows({ query, allowed }: ReportHeader, contacts: ReportContact[], width: number): string[] {
  const pair = column(
    'pair',
    contacts.map((contact) => String(contact.pair)),
    'right',
  );
  const shapes = column(
    'shapes',
    contacts.map((contact) => `${contact.shapeA} / ${contact.shapeB}`),
    'left',
  );
  const measures = measureColumns(query, contacts);
  if (allowed)
    measures.push(
      column(
        'allowed',
        contacts.map((contact) => contact.allowed ?? ''),
        'left',
      ),
    );
  const taken = [pair, shapes, ...measures].reduce((sum, cells) => sum + cells[0].length + 2, 0);
  const room = Math.max(8, Math.floor((width - taken) / 2) - 2);
  const bodyA = column(
    'A',
    contacts.map(({ a, nameA }) => shorten(bodyLabel(a, nameA), room)),
    'left',
  );
  const bodyB = column(
    'B',
    contacts.map(({ b, nameB }) => shorten(bodyLabel(b, nameB), room)),
    'left',
  );
  const columns = [pair, bodyA, bodyB, ...measures, shapes];
  return pair.map((_, row) => `  ${columns.map((cells) => cells[row]).join('  ')}`.trimEnd());
}

/** Depths where all pairs overlap, otherwise signed distances. */
function measureColumns({ name, margin }: ReportHeader['query'], contacts: ReportContact[]): string[][] {
  if (name === 'intersects')
    return [
      column(
        'status',
        contacts.map(({ status }) => status),
        'left',
      ),
    ];
  const normals = contacts.map(({ normal }) =>
    normal!
      .map((x) =>
        x
          .toFixed(3)
          .replace(/^-(?=[0.]+$)/, '')
          .padStart(6),
      )
      .join(' '),
  );
  const measured =
    name === 'contacts' && margin === 0
      ? column(
          'depth',
          contacts.map(({ distance }) => measure(-distance!)),
          'right',
        )
      : column(
          'distance',
          contacts.map(({ distance }) => measure(distance!)),
          'right',
        );
  return [measured, column('normal', normals, 'left')];
}

/** Header and cells, padded to the same length. */
function column(header: string, cells: string[], side: 'left' | 'right'): string[] {
  const width = cells.reduce((most, cell) => Math.max(most, cell.length), header.length);
  return [header, ...cells].map((cell) => (side === 'left' ? cell.padEnd(width) : cell.padStart(width)));
}

function bodyLabel(index: number, name: string | undefined): string {
  return name === undefined ? `body ${index}` : `${index} ${printable(name)}`;
}

function shorten(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}~` : text;
}

function countsText(total: number, byType: Record<string, number>): string {
  const parts = Object.entries(byType).map(([type, n]) => counted(n, type));
  return parts.length > 0 ? `${integer(total)}: ${parts.join(', ')}` : integer(total);
}

function milliseconds(ms: number): string {
  return `${ms.toFixed(1).padStart(9)} ms`;
}

function measure(x: number): string {
  const size = Math.abs(x);
  return x === 0 || (size >= 1e-4 && size < 1e5) ? x.toFixed(5) : x.toExponential(2);
}
