/** Clash reports as CSV (RFC 4180): a header, then one clash per line. It omits the report header. */

import { line, quoted, type Cell } from '../../report/csv.ts';
import type { Clash, ClashReport } from '../clash-report.ts';

const AXES = ['X', 'Y', 'Z'];
const COLUMNS = [
  'pair',
  'verdict',
  'category',
  'a',
  'b',
  'copyA',
  'copyB',
  'bodyA',
  'bodyB',
  'inside',
  'distance',
  'source',
  ...AXES.map((axis) => `point${axis}`),
  ...AXES.map((axis) => `normal${axis}`),
  'rule',
];

export async function* clashCsv({ clashes }: ClashReport): AsyncGenerator<string> {
  yield line(COLUMNS);
  for await (const batch of clashes()) yield batch.map((clash) => line(cells(clash))).join('');
}

function cells(clash: Clash): Cell[] {
  const { pair, verdict, category, a, b, copyA, copyB, bodyA, bodyB, inside, distance, source } = clash;
  const facts = [pair, verdict, category, quoted(a), quoted(b), copyA, copyB, bodyA, bodyB, inside, distance, source];
  return [...facts, ...clash.point, ...clash.normal, quoted(clash.rule)];
}
