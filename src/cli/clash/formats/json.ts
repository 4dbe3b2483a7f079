/** Clash reports as JSON: the format that `merge` and `--baseline` read. */

import { jsonList } from '../../report/json.ts';
import type { ClashReport } from '../clash-report.ts';

export function clashJson({ header, clashes }: ClashReport): AsyncGenerator<string> {
  return jsonList(header, 'clashes', lines({ clashes }));
}

async function* lines({ clashes }: Pick<ClashReport, 'clashes'>): AsyncGenerator<string[]> {
  for await (const batch of clashes()) yield batch.map((clash) => JSON.stringify(clash));
}
