/** What `npm run motion` prints: a summary, a table for each engine, and the pairs that were answered wrongly. */

import { CURVED_TOLERANCE, TOLERANCE } from '../../../src/shapes/tolerances.ts';
import type { OpenEngineName } from './engines.ts';
import { FAULTS, type Fault } from '../../../verification/judges/motion/judge.ts';
import type { Kind, TypePair } from './pairs.ts';
import { add, createStatistics, type Statistics } from './statistics.ts';

export interface Row {
  types: TypePair;
  kind: Kind;
  statistics: Statistics;
}

/** A wrong answer with all that it takes to ask again. */
export interface Example {
  engine: OpenEngineName;
  types: TypePair;
  kind: Kind;
  /** Number of the pair among those of its types and kind. */
  index: number;
  faults: Fault[];
  /** Largest errors, as the verdict has them. */
  errors: string;
  /** JSON of both shapes and poses, the duration, and the answer. */
  pair: string;
}

export interface EngineRows {
  name: OpenEngineName;
  description: string;
  rows: Row[];
}

export interface Report {
  command: string;
  engines: EngineRows[];
  examples: Example[];
  seconds: number;
}

const HEAD = [
  'pairs',
  'hits',
  'overlaps at the start',
  'misses',
  'not converged',
  'largest error',
  'outside',
  'early overlaps',
  'wrong misses',
  'largest point error',
  'largest normal error',
  'other faults',
];

export function markdown({ command, engines, examples, seconds }: Report): string {
  return `# Times of impact

\`${command}\`, in ${Math.round(seconds)} s.

Every answer is judged on its own, in double precision, by signed distances of the bodies where they are at some \
time: positions p + v t, rotations
exp(w t) q. Errors are shares of max(s, |B - A|), s being the sum of the bounding radii and |B - A| the greater \
distance of the bodies' origins of those at the
start and at the time of impact. The largest error is that of the distance at the time of impact, which ought to be \
0; of bodies that overlap at the start
that is when they met, as the answer has it. Normals are held against where the surfaces are along them, points \
against both surfaces. The tolerance is
${TOLERANCE.kernels}, with a cylinder, a cone or an ellipsoid ${CURVED_TOLERANCE.kernels.apart}; of the engine \
reference, which is narrowphase/cpu without rounding to f32, ${TOLERANCE.reference} and \
${CURVED_TOLERANCE.reference.apart}.

Early overlaps are of pairs that overlap by more than the tolerance before the time of impact, or that have a bound \
of it behind such an overlap; wrong misses of pairs
that overlap by more than the tolerance within the duration. No samples are taken: lower bounds of the distance hold \
over whole intervals of time.

${table(
  ['engine', 'what it is'],
  engines.map(({ name, description }) => [name, description]),
)}

${table(['engine', 'motion', ...HEAD], engines.flatMap(summary))}
${engines.map(engineTable).join('')}${examples.length > 0 ? exampleList(examples) : ''}`;
}

function summary({ name, rows }: EngineRows): string[][] {
  return (['straight', 'turning'] as const).flatMap((kind) => {
    const total = createStatistics();
    for (const row of rows) if (row.kind === kind) add(row.statistics, total);
    return total.pairs > 0 ? [[name, kind, ...cells(total)]] : [];
  });
}

function engineTable({ name, rows }: EngineRows): string {
  return `
## ${name}

${table(
  ['types', 'motion', ...HEAD],
  rows.map(({ types, kind, statistics }) => [types.join('/'), kind, ...cells(statistics)]),
)}
`;
}

const OTHERS = ['apart', 'unit', 'supports', 'point', 'form', 'refused'] as const satisfies Fault[];

function cells({ pairs, outcomes, faults, unknown, distanceError, supportError, pointError }: Statistics): string[] {
  const others = OTHERS.filter((fault) => faults[fault] > 0).map((fault) => `${fault} ${faults[fault]}`);
  if (unknown > 0) others.push(`unjudged ${unknown}`);
  return [
    pairs,
    outcomes.hit,
    outcomes.start,
    outcomes.miss,
    outcomes.open,
    share(distanceError),
    faults.outside,
    faults.early,
    faults.missed,
    share(pointError),
    share(supportError),
    others.join(', ') || 0,
  ].map(String);
}

function share(error: number): string {
  return error === 0 ? '0' : error.toExponential(1);
}

function table(head: string[], rows: string[][]): string {
  const isNumber = (column: number): boolean => rows.every((row) => /^(?:[\d.e+-]+|NaN)$/.test(row[column]));
  return [line(head), line(head.map((_, column) => (isNumber(column) ? '---:' : '---'))), ...rows.map(line)].join('\n');
}

function line(words: string[]): string {
  return `| ${words.join(' | ')} |`;
}

function exampleList(examples: Example[]): string {
  const kinds = [...new Set(examples.flatMap(({ faults }) => faults))].map((fault) => `- ${fault}: ${FAULTS[fault]}`);
  const items = examples.map(
    ({ engine, types, kind, index, faults, errors, pair }) =>
      `${engine}, ${types.join('/')}, ${kind}, pair ${index}: ${faults.join(', ')}; ${errors}\n\n\`\`\`json\n${pair}\n\`\`\`\n`,
  );
  return `
## Wrong answers

${kinds.join('\n')}

The first of each engine, pair of types, motion and kind:

${items.join('\n')}`;
}
