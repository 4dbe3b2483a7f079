/** What merging has in common for all reports: shards of one run, each once, in order. */

import { isDeepStrictEqual } from 'node:util';
import { invalidInput } from '../../src/api/errors.ts';
import { CommandError, ExitCode, usageError } from '../exit.ts';
import { badFile, type ReportFile } from './read.ts';
import type { ReportEngine, ReportHeader, Shard } from './report-header.ts';

/** What the header of any report has. */
export interface AnyHeader {
  generator: string;
  scene: ReportHeader['scene'];
  engines: ReportEngine[];
  candidatePairs: number;
  shard: Shard | null;
}

/** A field that all shards of a run have in common, and its value. */
export type CommonField<Header> = [field: string, of: (header: Header) => unknown];

/** The scene may have had another name on another machine. */
const COMMON: CommonField<AnyHeader>[] = [
  ['generator', ({ generator }) => generator],
  ...(['sha256', 'bodies', 'bodiesByType', 'shapesByType', 'pairs'] as const).map((field): CommonField<AnyHeader> => [
    `scene.${field}`,
    ({ scene }) => scene[field],
  ]),
];
const LAST: CommonField<AnyHeader>[] = [
  ['candidatePairs', ({ candidatePairs }) => candidatePairs],
  ['shard.count', ({ shard }) => shard?.count],
];

/** The shards by index. Throws unless they are all shards of one run. `fields` are common besides those of any header. */
export function orderShards<Header extends AnyHeader>(
  shards: readonly ReportFile<Header>[],
  fields: readonly CommonField<Header>[],
): ReportFile<Header>[] {
  for (const shard of shards) checkSameRun(shard, shards[0], [...COMMON, ...fields, ...LAST]);
  return inOrder(shards);
}

function checkSameRun<Header>(
  { file, header }: ReportFile<Header>,
  first: ReportFile<Header>,
  fields: readonly CommonField<Header>[],
): void {
  for (const [field, of] of fields) {
    if (isDeepStrictEqual(of(header), of(first.header))) continue;
    try {
      invalidInput(field, of(header), `${JSON.stringify(of(first.header)) ?? 'nothing'} as in ${first.file}`);
    } catch (error) {
      throw badFile(file, error);
    }
  }
}

/** The shards by index. Throws unless each occurs once. */
function inOrder<Header extends AnyHeader>(shards: readonly ReportFile<Header>[]): ReportFile<Header>[] {
  const count = shards[0].header.shard!.count;
  const byIndex = new Map<number, ReportFile<Header>>();
  for (const shard of shards) {
    const { index } = shard.header.shard!;
    const other = byIndex.get(index);
    if (other)
      throw new CommandError(
        ExitCode.BadInput,
        other.file === shard.file
          ? `${shard.file} is given twice`
          : `${shard.file}: shard.index is ${index}, expected another one than ${other.file} has`,
      );
    byIndex.set(index, shard);
  }
  return Array.from({ length: count }, (_, i) => {
    const shard = byIndex.get(i + 1);
    if (!shard) throw usageError(`shard ${i + 1} of ${count} is missing, expected the reports of all ${count}`);
    return shard;
  });
}

/** The distinct engines of all shards, in the order of the shards. */
export function joinEngines(headers: readonly AnyHeader[]): ReportEngine[] {
  const engines = headers.flatMap((header) => header.engines);
  return engines.filter((engine, i) => engines.findIndex((other) => isDeepStrictEqual(other, engine)) === i);
}

/** Sums of counts. The fields are those of the first. */
export function sumCounts<Counts extends { [Name in keyof Counts]: number }>(counts: readonly Counts[]): Counts {
  const names = Object.keys(counts[0]) as (keyof Counts)[];
  return Object.fromEntries(
    names.map((name) => [name, counts.reduce((sum, each) => sum + each[name], 0)]),
  ) as unknown as Counts;
}
