/**
 * Reports as JSON: the header, then `contacts`, one per line, for programs that compare or search files line by line.
 */

import type { Report } from './report.ts';

const INDENT = '    ';

export async function* jsonReport({ header, lines }: Report): AsyncGenerator<string> {
  yield `${JSON.stringify(header, null, 2).slice(0, -2)},\n  "contacts": [`;
  let separator = '';
  for await (const batch of lines()) {
    yield `${separator}\n${INDENT}${batch.join(`,\n${INDENT}`)}`;
    separator = ',';
  }
  yield '\n  ]\n}\n';
}
