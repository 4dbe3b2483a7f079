/** Clash reports as text for a terminal of `width` columns. */

import { counted, integer, printable } from '../../terminal-text.ts';
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
} from '../../report/table-parts.ts';
import { CATEGORIES } from '../categories.ts';
import type { Clash, ClashCheck, ClashHeader, ClashReport } from '../clash-report.ts';
import { namesOf } from '../describe.ts';

/** The whole table, newline at its end. A report merged from shards has no timings. */
export function clashTable({ header, worst }: ClashReport, width: number, timings?: RunTimings): string {
  const facing = [...headerLines(header), ...(timings ? timingLines(askedPairs(header), timings) : [])];
  const lines = titled(header.scene.name, facing, width);
  const listing = [`Clashes (${integer(worst.length)} of ${integer(header.count)})`, ...clashRows(worst, width)];
  return `${lines.concat(worst.length > 0 ? ['', ...listing] : []).join('\n')}\n`;
}

function headerLines(header: ClashHeader): Line[] {
  const { baseline, engines, categories, verdicts, check, unanswered } = header;
  const origin = header.scene.pairs === 'listed' ? 'listed in the scene' : 'from the broad phase';
  const lines = sceneLines(header, origin);
  lines.push(['rules', rulesText(header)], ['tolerance', limitsText(header)]);
  if (baseline) lines.push(['baseline', `${printable(baseline.file)}: ${counted(baseline.clashes, 'clash')}`]);
  lines.push(...engines.flatMap(engineLines), ['', '']);
  lines.push([
    'clashes',
    `${integer(header.count)}: ${CATEGORIES.map((category) => `${integer(categories[category])} ${category}`).join(', ')}`,
  ]);
  if (verdicts.allowed > 0) lines.push(['allowed', `${counted(verdicts.allowed, 'clash')}, by the scene`]);
  if (baseline) lines.push(['known', knownText(header)]);
  if (unanswered.length > 0) {
    const pairs = unanswered.slice(0, 3).map(({ a, b, status }) => `${a} and ${b} (${status})`);
    lines.push(['unanswered', printable(`${counted(unanswered.length, 'pair')}: ${pairs.join(', ')}`)]);
  }
  lines.push(['check', check.passed ? passedText(header) : `failed: ${checkText(check)}`]);
  return lines;
}

function rulesText({ rules, leftOut }: ClashHeader): string {
  const parts = [rules === null ? 'none, all pairs are checked' : counted(rules.length, 'rule')];
  if (leftOut.unmatched > 0) parts.push(`${counted(leftOut.unmatched, 'pair')} without a rule`);
  if (leftOut.ignored > 0) parts.push(`${counted(leftOut.ignored, 'pair')} ignored`);
  return parts.join(', ');
}

function limitsText({ tolerance, clearance }: ClashHeader): string {
  return clearance === null ? String(tolerance) : `${tolerance}, clearance ${clearance}`;
}

function knownText({ baseline, verdicts, shard }: ClashHeader): string {
  const known = counted(verdicts.known, 'clash');
  const gone = baseline!.clashes - baseline!.found;
  // A shard does not see the other shards' clashes.
  return shard || gone === 0 ? known : `${known}; ${counted(gone, 'clash')} of the baseline no longer there`;
}

function passedText({ failOn }: ClashHeader): string {
  return failOn.length === 0 ? 'passed: no category fails' : `passed: none of ${failOn.join(', ')}`;
}

/** Why a check failed. */
export function checkText({ failed, unanswered }: ClashCheck): string {
  const texts = [];
  if (failed > 0) texts.push(counted(failed, 'clash'));
  if (unanswered > 0) texts.push(`${counted(unanswered, 'pair')} without an answer`);
  return texts.join(', ');
}

/** The bodies' columns share what width is left. */
function clashRows(clashes: readonly Clash[], width: number): string[] {
  const cells = (header: string, of: (clash: Clash) => string, side: 'left' | 'right' = 'left'): string[] =>
    column(header, clashes.map(of), side);
  const verdict = cells('verdict', (clash) => clash.verdict);
  const category = cells('category', (clash) => clash.category);
  const distance = cells('distance', (clash) => measure(clash.distance), 'right');
  const source = cells('source', (clash) => clash.source);
  const point = cells('point', (clash) => clash.point.map(coordinate).join(' '));
  const taken = [verdict, category, distance, source, point].reduce((sum, [header]) => sum + header.length + 2, 0);
  const room = Math.max(8, Math.floor((width - taken) / 2) - 2);
  const body = (header: string, of: (clash: Clash) => string): string[] =>
    cells(header, (clash) => shorten(printable(of(clash)), room));
  const columns = [
    verdict,
    category,
    body('A', (clash) => namesOf(clash)[0]),
    body('B', (clash) => namesOf(clash)[1]),
    distance,
    source,
    point,
  ];
  return verdict.map((_, row) => `  ${columns.map((rows) => rows[row]).join('  ')}`.trimEnd());
}

function coordinate(x: number): string {
  return Math.abs(x) < 1e6 ? x.toFixed(3).replace(/^-(?=[0.]+$)/, '') : x.toExponential(3);
}
