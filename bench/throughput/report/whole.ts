/** Columns of a table of whole queries. */

import { digits } from '../../markdown.ts';
import { median } from '../../../verification/statistics/median.ts';
import { PARTS, TARGET_USES, type Sample, type TargetUse, type WholeQuery } from '../protocol.ts';

/** How the time of the main thread is measured. */
export const MAIN_THREAD =
  'Its time is processor time, which kernels of a software adapter on the same cores do not lengthen. In Node: that of ' +
  'the thread by `/proc/self/task/PID/schedstat`, without turns of the event loop of at most 0.05 ms, in which Dawn ' +
  "only polls. In Chrome: the growth of `TaskDuration` in `threadTicks`, all tasks of the page's main thread, by the " +
  'DevTools protocol.';

export const wholeColumns: readonly string[] = ['whole ms', 'main thread ms', 'with `target` ms', 'main thread ms'];

export function wholeCells(samples: readonly Sample[]): string[] {
  return TARGET_USES.flatMap((use) => [
    middle(samples, use, ({ ms }) => ms),
    middle(samples, use, ({ mainThreadMs }) => mainThreadMs),
  ]);
}

export const partColumns: readonly string[] = PARTS.map((part) => (part === 'readBack' ? 'read back' : part));

/** Without `target`. */
export function partCells(samples: readonly Sample[]): string[] {
  return PARTS.map((part) => middle(samples, 'fresh', ({ parts }) => parts[part]));
}

function middle(samples: readonly Sample[], use: TargetUse, of: (query: WholeQuery) => number | undefined): string {
  const values = samples.flatMap(({ whole }) => (whole && of(whole[use])) ?? []);
  return values.length > 0 ? digits(median(values)) : '–';
}
