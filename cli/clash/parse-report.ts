/** Checks clash reports: their headers, and whole reports that are in memory. */

import { NarrowphaseError } from '../../src/api/errors.ts';
import { parseJson } from '../scene/json.ts';
import { checkList, checkObject, type JsonObject } from '../../src/util/json-fields.ts';
import { inBatches } from '../report/report.ts';
import { createSplitter } from '../report/split.ts';
import { checkClashHeader } from './check-clash-header.ts';
import { checkClash } from './check-clash.ts';
import type { ClashHeader, ClashReport } from './clash-report.ts';

/** Whether a report, whose list of items is empty or left out, is one of `clash`. */
export function isClashReport(report: JsonObject): boolean {
  return report.command === 'clash' || report.clashes !== undefined;
}

/** The checked header of a report whose list of clashes is empty. */
export function headerOfReport(report: JsonObject): ClashHeader {
  if (!isClashReport(report)) throw new NarrowphaseError('INVALID_INPUT', 'is not a JSON report of clash');
  const { clashes, ...rest } = report;
  const header = checkClashHeader(rest);
  checkList(clashes, 'clashes', 'a list of clashes', 0);
  return header;
}

/** Parses and checks a report of `clash`. Every error names the field, its value and what was expected. */
export function parseClashReport(text: string): ClashReport {
  const splitter = createSplitter('clash');
  const items = splitter.push(text);
  const header = headerOfReport(checkObject(parseJson(splitter.end()), '', undefined, 'the report'));
  let first = header.shard?.firstPair ?? 0;
  const clashes = items.map((item, i) => {
    const clash = checkClash(item, `clashes[${i}]`, header, first);
    first = clash.pair + 1;
    return clash;
  });
  if (clashes.length !== header.count) {
    const counts = `clashes has ${clashes.length} elements, expected ${header.count} as count says`;
    throw new NarrowphaseError('INVALID_INPUT', counts);
  }
  return { header, worst: [], clashes: () => inBatches(clashes.length, (i) => clashes[i]) };
}
