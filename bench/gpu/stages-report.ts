/** `--stages`: where the time of each case goes, as Markdown. */

import { digits, table } from '../markdown.ts';
import { STANDARD_HIT_RATE } from '../../verification/gpu-cases/cases.ts';
import { percent, size } from './figures.ts';
import { heading, type Heading } from './heading.ts';
import type { Peak } from './peaks.ts';
import { peakOf } from './report.ts';
import { WARM_UP_MS } from '../../verification/gpu-cases/sampling.ts';
import type { CaseStages } from './stages.ts';

export interface StagesReport extends Heading {
  version: 1;
  settings: { basePairs: number; rounds: number; warmUpMs: number; seed: number };
  cases: CaseStages[];
}

export function stagesMarkdown(report: StagesReport): string {
  const { adapter, cases, settings } = report;
  return `${[
    `# Stages on ${adapter.device || adapter.description}`,
    '',
    ...heading(report),
    '',
    `Workloads of ${settings.basePairs} pairs (seed ${settings.seed}), ${percent(STANDARD_HIT_RATE)} of them hits, ` +
      'repeated to the size. Each dispatch has a compute pass of its own with a timestamp behind it; the dispatches ' +
      `that make a list are one stage. Times are medians of ${settings.rounds} samples after ${WARM_UP_MS} ms of the ` +
      'same query, in nanoseconds per pair of the query. "In one pass" is the query as batches record it.',
    '',
    ...cases.flatMap((each) => caseStages(each, peakOf(report))),
  ].join('\n')}\n`;
}

export function caseStages(
  { name, pairs, bodies, stages, wholeNanoseconds, failure }: CaseStages,
  { instructions }: Peak,
): string[] {
  const sum = stages.reduce((total, { nanoseconds }) => total + nanoseconds, 0);
  const isCounted = stages.some(({ counted }) => counted !== null);
  const blank = isCounted ? ['', '', ''] : [];
  const row = ({ name: stage, nanoseconds, counted }: CaseStages['stages'][number]): string[] => [
    stage,
    digits(nanoseconds),
    percent(nanoseconds / sum),
    ...(counted
      ? [
          `${Math.round(counted.alone)}, ${Math.round(counted.lockstep)}`,
          String(Math.round(counted.bytes)),
          percent((1e9 * counted.lockstep) / instructions / nanoseconds),
        ]
      : blank),
  ];
  return [
    `## ${name}`,
    '',
    ...(failure === null ? [] : [`Failed: ${failure}`, '']),
    ...table(
      [
        `${size(pairs)} pairs, ${bodies} bodies`,
        'ns per pair',
        'of the sum',
        ...(isCounted ? ['instructions', 'bytes', 'of the peak'] : []),
      ],
      stages.length === 0
        ? []
        : [
            ...stages.map(row),
            ['sum', digits(sum), '', ...blank],
            ['in one pass', digits(wholeNanoseconds), percent(wholeNanoseconds / sum), ...blank],
          ],
    ),
    '',
  ];
}
