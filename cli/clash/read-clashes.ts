/** Reads clash reports from files: headers first, clashes when they are needed. */

import { invalidInput } from '../../src/api/errors.ts';
import type { JsonObject } from '../../src/util/json-fields.ts';
import { naming, readHeader, readItems, type ReportFile } from '../report/read.ts';
import { checkClash } from './check-clash.ts';
import type { Clash, ClashHeader } from './clash-report.ts';
import { headerOfReport } from './parse-report.ts';

export type ClashFile = ReportFile<ClashHeader>;

/** Reads and checks the header of a report. */
export async function readClashFile(file: string): Promise<ClashFile> {
  return checkClashFile(await readHeader(file, 'clash'));
}

/** Checks the header of a report. */
async function checkClashFile({ file, header, identity }: ReportFile<JsonObject>): Promise<ClashFile> {
  return naming(file, () => ({ file, header: headerOfReport(header), identity }));
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
