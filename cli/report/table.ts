/** Reports as text for a terminal of `width` columns. */

import { counted, integer, printable } from '../terminal-text.ts';
import type { ReportContact } from './contacts.ts';
import type { AllowedCounts, Check, ReportHeader } from './report-header.ts';
import type { Report } from './report.ts';
import {
  askedPairs,
  column,
  engineLines,
  measure,
  sceneLines,
  shorten,
  timingLines,
  titled,
  type Line,
  type RunTimings,
} from './table-parts.ts';

/** The whole table, newline at its end. A report merged from shards has no timings. */
export function reportTable({ header, closest }: Report, width: number, timings?: RunTimings): string {
  const facing = [...headerLines(header), ...(timings ? timingLines(askedPairs(header), timings) : [])];
  const lines = titled(header.scene.name, facing, width);
  const listing = [contactsTitle(header, closest.length), ...contactRows(header, closest, width)];
  const rows = closest.length > 0 ? ['', ...listing] : [];
  return `${lines.concat(rows).join('\n')}\n`;
}

const PAIRS_TEXT = { listed: 'listed in the scene', all: 'all pairs of bodies', 'broad-phase': 'from the broad phase' };

function headerLines(header: ReportHeader): Line[] {
  const { query, engines, statusCounts, allowed, check } = header;
  const lines: Line[] = sceneLines(header, PAIRS_TEXT[header.scene.pairs]);
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

function bodyLabel(index: number, name: string | undefined): string {
  return name === undefined ? `body ${index}` : `${index} ${printable(name)}`;
}
