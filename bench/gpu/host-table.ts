/** Whole queries in the report. */

import { digits, table } from '../markdown.ts';
import { MAIN_THREAD, partCells, partColumns, wholeCells, wholeColumns } from '../throughput/report/whole.ts';
import type { HostRow, Transfer } from './host.ts';

export function hostSection(rows: readonly HostRow[]): string[] {
  if (rows.length === 0) return [];
  return [
    '## Whole queries',
    '',
    `${rows[0].pairs.toLocaleString('en-US')} pairs of boxes over twice as many bodies, half of them overlapping, from ` +
      "the caller's arrays to result arrays. Milliseconds, medians.",
    `The main thread is the thread that calls. ${MAIN_THREAD} The parts are those of \`tester.timings\`; they overlap in time.`,
    '',
    ...table(
      ['', ...wholeColumns, ...partColumns],
      rows.map(({ query, samples, failure }) => [
        `${query}${failure === null ? '' : `: ${failure}`}`,
        ...wholeCells(samples),
        ...partCells(samples),
      ]),
    ),
    '',
    '`batch.write` of all bodies and pairs, `batch.read({ target })` once the work is done, and beside each a memcpy of ' +
      'the same bytes. Copy and map: the bytes of the result copied to a staging buffer, which is then mapped.',
    '',
    ...table(
      [
        '',
        'written MB',
        'write ms',
        'memcpy ms',
        'of the memcpy',
        'read MB',
        'read ms',
        'memcpy ms',
        'of the memcpy',
        'copy and map ms',
      ],
      rows.map(({ query, write, read }) => [
        query,
        ...transferCells(write),
        ...transferCells(read),
        read?.mapMs === undefined ? '–' : digits(read.mapMs),
      ]),
    ),
    '',
  ];
}

function transferCells(transfer: Transfer | null): string[] {
  if (transfer === null) return ['–', '–', '–', '–'];
  const { bytes, ms, memcpyMs } = transfer;
  return [digits(bytes / 1e6), digits(ms), digits(memcpyMs), digits(ms / memcpyMs)];
}
