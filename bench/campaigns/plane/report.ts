/** What `npm run accuracy:plane` prints. */

import { TOLERANCE } from '../../../src/shapes/tolerances.ts';
import type { EngineName } from './engines.ts';
import { addRow, emptyRow, type Row } from './measure.ts';

export interface EngineRows {
  name: EngineName;
  description: string;
  rows: Row[];
}

/** Answers that are not as they ought to be. */
export function wrongIn({
  outside,
  wrongSigns,
  wrongHits,
  notConverged,
  wrongManifolds,
  faults,
  distanceError,
  normalError,
}: Row): number {
  const isNumber = Number.isFinite(distanceError) && Number.isFinite(normalError);
  return outside + wrongSigns + wrongHits + notConverged + wrongManifolds + faults + (isNumber ? 0 : 1);
}

const HEAD = [
  'pairs',
  'overlapping',
  'largest error',
  'of supports',
  'outside',
  'wrong signs',
  'wrong hits',
  'not converged',
  'wrong manifolds',
  'judged by oracle',
  'faults',
];

export function markdown(command: string, engines: readonly EngineRows[], seconds: number): string {
  return `# Accuracy in the plane

\`${command}\`, in ${Math.round(seconds)} s.

\`contacts\`, \`distances\`, \`intersects\` and \`manifolds\` of each pair, held against the double-precision \
reference (\`planar\` of narrowphase/cpu), and of the first pairs of each family against
a brute-force oracle besides, with points and bounds. Errors are of the signed distance, and of what the shapes' \
supports along the normal give, as shares of max(s, |B - A|); the tolerance is
${TOLERANCE.kernels}. Pairs of two types come in sizes far apart, plain and rounded, half of them with scales; a \
quarter is within 1e-3 of the size from touching.

${table(
  ['engine', 'adapter', ...HEAD],
  engines.map(({ name, description, rows }) => [name, description, ...cells(sumOf(rows))]),
)}

${engines
  .map(
    ({ name, rows }) =>
      `## ${name}\n\n${table(
        ['family', ...HEAD],
        rows.map((row) => [row.family, ...cells(row)]),
      )}\n${examples(rows)}`,
  )
  .join('\n')}`;
}

function examples(rows: readonly Row[]): string {
  return rows
    .filter(({ example }) => example)
    .map(({ family, example }) => `\n- ${family}: ${example}\n`)
    .join('');
}

function sumOf(rows: readonly Row[]): Row {
  const sum = emptyRow('all');
  for (const row of rows) addRow(row, sum);
  return sum;
}

function cells(row: Row): string[] {
  return [
    row.pairs,
    row.overlapping,
    row.distanceError.toExponential(1),
    row.normalError.toExponential(1),
    row.outside,
    row.wrongSigns,
    row.wrongHits,
    row.notConverged,
    row.wrongManifolds,
    row.judged,
    row.faults,
  ].map(String);
}

function table(head: string[], rows: string[][]): string {
  const words = head.findIndex((title) => title === 'pairs');
  return [head, head.map((_, i) => (i < words ? '---' : '---:')), ...rows]
    .map((line) => `| ${line.join(' | ')} |`)
    .join('\n');
}
