/** Merges the clash reports of all shards of a scene into the report of one run over all pairs. */

import { isDeepStrictEqual } from 'node:util';
import { invalidInput } from '../../src/api/errors.ts';
import { joinEngines, orderShards, sumCounts, type CommonField } from '../report/merge-shards.ts';
import { checkUnchanged, naming } from '../report/read.ts';
import { CATEGORIES, noCounts, VERDICTS } from './categories.ts';
import { checkOf, keepWorst, type Clash, type ClashHeader, type ClashReport } from './clash-report.ts';
import { checkIsShard, readClashes, readClashFile, type ClashFile } from './read-clashes.ts';

/** What all shards of a check have in common. The baseline may have had another name on another machine. */
const COMMON: CommonField<ClashHeader>[] = [
  ...(['tolerance', 'clearance', 'rules', 'failOn', 'leftOut'] as const).map((field): CommonField<ClashHeader> => [
    field,
    (header) => header[field],
  ]),
  ['baseline.sha256', ({ baseline }) => baseline?.sha256],
  ['baseline.clashes', ({ baseline }) => baseline?.clashes],
];

/** The merged report; `rows` of the table. Throws if the files are not all shards of one check. */
export async function mergeClashes(files: readonly string[], rows: number): Promise<ClashReport> {
  const given: ClashFile[] = [];
  for (const file of files) given.push(await checkIsShard(await readClashFile(file)));
  const shards = orderShards(given, COMMON);
  const worst = keepWorst<Clash>(rows, (clash) => clash);
  for (const shard of shards) await checkClashes(shard, worst.add);
  for (const shard of shards) await checkUnchanged(shard);
  const headers = shards.map(({ header }) => header);
  return {
    header: joinHeaders(headers),
    worst: worst.items(),
    clashes: async function* () {
      for (const shard of shards) yield* readClashes(shard);
    },
  };
}

/** Reads the clashes of a shard once. Throws unless their number in the header is right. */
async function checkClashes(shard: ClashFile, onClash: (clash: Clash) => void): Promise<void> {
  const categories = noCounts(CATEGORIES);
  const verdicts = noCounts(VERDICTS);
  for await (const clashes of readClashes(shard)) {
    for (const clash of clashes) {
      categories[clash.category]++;
      verdicts[clash.verdict]++;
      onClash(clash);
    }
  }
  await naming(shard.file, () => {
    for (const [field, counts] of Object.entries({ categories, verdicts })) {
      const given = shard.header[field as 'categories' | 'verdicts'];
      if (!isDeepStrictEqual(given, counts)) {
        invalidInput(field, given, `${JSON.stringify(counts)}, as many as clashes has`);
      }
    }
  });
}

function joinHeaders(headers: readonly ClashHeader[]): ClashHeader {
  const [first] = headers;
  const verdicts = sumCounts(headers.map((header) => header.verdicts));
  const unanswered = headers.flatMap((header) => header.unanswered);
  return {
    ...first,
    baseline: first.baseline && {
      ...first.baseline,
      found: headers.reduce((sum, { baseline }) => sum + baseline!.found, 0),
    },
    engines: joinEngines(headers),
    shard: null,
    count: headers.reduce((sum, { count }) => sum + count, 0),
    categories: sumCounts(headers.map((header) => header.categories)),
    verdicts,
    unanswered,
    check: checkOf(verdicts, unanswered.length),
  };
}
