/** Reports as JSON: the facts, then `contacts`, one a line, so that a report is read and cut line by line. */

import type { Report } from './report.ts';

/** What stands between the facts and the contacts, and behind them. */
export const CONTACTS_LINE = '  "contacts": [';
export const END_LINES = ['  ]', '}'];
export const INDENT = '    ';

export async function* jsonReport({ facts, lines }: Report): AsyncGenerator<string> {
  yield `${JSON.stringify(facts, null, 2).slice(0, -2)},\n${CONTACTS_LINE}`;
  let separator = '';
  for await (const batch of lines()) {
    yield `${separator}\n${INDENT}${batch.join(`,\n${INDENT}`)}`;
    separator = ',';
  }
  yield `\n${END_LINES.join('\n')}\n`;
}
