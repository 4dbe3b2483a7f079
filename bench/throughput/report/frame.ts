/** The report on frames as Markdown. */

import { howMeasured, sceneSections, targetTable } from '../../frame/report.ts';
import type { FrameRun } from '../run/frame.ts';
import { heading } from './markdown.ts';
import type { BenchReport } from './report.ts';

export type FrameReport = FrameRun & Omit<BenchReport, 'curves' | 'pairs' | 'engines' | 'peers' | 'cases'>;

export function frameMarkdown(report: FrameReport): string {
  const { adapter, isSoftware, cases, rounds, seed } = report;
  const lines = [
    '# Frames',
    '',
    ...heading({ ...report, engines: [], peers: [], cases: [] }),
    `- Adapter: ${adapter}`,
    '',
    ...howMeasured(
      rounds,
      seed,
      cases.some(({ rapier }) => rapier),
    ),
    '',
    '## Targets',
    '',
    ...targetTable(cases, isSoftware),
    '',
    ...sceneSections(cases, isSoftware),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}
