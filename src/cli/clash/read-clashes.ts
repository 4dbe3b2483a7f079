/** Reads clash reports from files: headers first, clashes when they are needed. */

import { invalidInput, NarrowphaseError } from '../../api/errors.ts';
import { checkList, type JsonObject } from '../../util/json-fields.ts';
import { naming, readHeader, readItems, type ReportFile } from '../report/read.ts';
import { checkClash } from './check-clash.ts';
import { checkClashHeader } from './check-clash-header.ts';
import type { Clash, ClashHeader } from './clash-report.ts';

export type ClashFile = ReportFile<ClashHeader>;

/** Whether a report is one of `clash`. */
export function isClashReport({ header }: ReportFile<JsonObject>): boolean {
  return header.command === 'clash' || header.clashes !== undefined;
}

/** Reads and checks the header of a report. */
export async function readClashFile(file: string): Promise<ClashFile> {
  return checkClashFile(await readHeader(file, 'clash'));
}

/** Checks the header of a report. */
async function checkClashFile(report: ReportFile<JsonObject>): Promise<ClashFile> {
  const { file, header, identity } = report;
  return naming(file, () => {
    if (!isClashReport(report)) throw new NarrowphaseError('INVALID_INPUT', 'is not a JSON report of clash');
    const { clashes, ...rest } = header;
    const checked = checkClashHeader(rest);
    checkList(clashes, 'clashes', 'a list of clashes', 0);
    return { file, header: checked, identity };
  });
}

/** Throws for the report of all pairs. */
export async function checkIsShard(report: ClashFile): Promise<ClashFile> {
  await naming(report.file, () => {
    if (report.header.shard === null)
      invalidInput('shard', null, "a shard: this is the report of all the scene's pairs");
  });
  return report;
}

/** The clashes, each checked, with its fields in the order in which `clash` writes them. */
export async function* readClashes(report: ClashFile): AsyncGenerator<Clash[]> {
  const { header } = report;
  let first = header.shard?.firstPair ?? 0;
  yield* readItems(report, 'clashes', [header.count, 'count'], (text, path) => {
    const clash = checkClash(text, path, header, first);
    first = clash.pair + 1;
    return clash;
  });
}
