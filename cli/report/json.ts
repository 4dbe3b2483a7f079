/**
 * Reports as JSON: the header, then the list of items (contacts or clashes), one per line, for programs that compare or
 * search files line by line.
 */

import type { Batches, Report } from './report.ts';
import type { ListName } from './split.ts';

const INDENT = '    ';

export function jsonReport({ header, lines }: Pick<Report, 'header' | 'lines'>): AsyncGenerator<string> {
  return jsonList(header, 'contacts', lines());
}

/** `lines` has each item as JSON. */
export async function* jsonList(header: object, list: ListName, lines: Batches<string>): AsyncGenerator<string> {
  yield `${JSON.stringify(header, null, 2).slice(0, -2)},\n  "${list}": [`;
  let separator = '';
  for await (const batch of lines) {
    yield `${separator}\n${INDENT}${batch.join(`,\n${INDENT}`)}`;
    separator = ',';
  }
  yield '\n  ]\n}\n';
}
