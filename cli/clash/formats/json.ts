/** Clash reports as JSON: the format that `merge` and `--baseline` read. */

import { jsonList } from '../../report/json.ts';
import type { Batches } from '../../report/report.ts';
import type { Clash, ClashReport } from '../clash-report.ts';

export function clashJson({ header, clashes }: ClashReport): AsyncGenerator<string> {
  return jsonList(header, 'clashes', linesOf(clashes()));
}

async function* linesOf(clashes: Batches<Clash>): AsyncGenerator<string[]> {
  for await (const batch of clashes) yield batch.map((clash) => JSON.stringify(clash));
}
