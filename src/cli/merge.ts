/**
 * `narrowphase merge`: merges the reports of all shards of a scene into the report that one run over all pairs would
 * have written, byte for byte, even if another program has reformatted them. It reads all contacts twice, so that
 * everything is checked before anything is written.
 */

import { isDeepStrictEqual } from 'node:util';
import { invalidInput } from '../api/errors.ts';
import { parseCommand } from './arguments.ts';
import { CommandError, ExitCode, usageError } from './exit.ts';
import { checkOutputs } from './outputs.ts';
import { keepClosest, rankOf } from './report/contacts.ts';
import type { ReportContact } from './report/contacts.ts';
import { writeReport, OUTPUT_OPTIONS, readOutputOptions } from './report/write-report.ts';
import type { OutputOptions } from './report/write-report.ts';
import { checkOverlap, countAllowed, namedCounts, NONE_ALLOWED, STATUS_NAMES } from './report/report-header.ts';
import type { AllowedCounts, ReportHeader, NamedCounts } from './report/report-header.ts';
import { badFile, checkUnchanged, readContacts, readShard } from './report/read.ts';
import type { ShardFile } from './report/read.ts';
import type { Report } from './report/report.ts';

/** The generator field of the report is copied from the shards' reports. */
export async function merge(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseCommand(args, OUTPUT_OPTIONS);
  const output = readOutputOptions(values);
  if (positionals.length === 0) throw usageError("merge takes the JSON reports of all of a scene's shards, 0 given");
  await checkOutputs(output.outputs, positionals, 'one of the reports');
  return writeReport(await mergeReports(positionals, output), output);
}

type Judging = Pick<OutputOptions, 'limit' | 'failOnOverlap'>;

/** The merged report. Throws if the files are not all shards of one run. */
export async function mergeReports(files: readonly string[], { limit, failOnOverlap }: Judging): Promise<Report> {
  const shards: ShardFile[] = [];
  for (const file of files) shards.push(await readShard(file));
  for (const shard of shards) checkSameRun(shard, shards[0]);
  const report = await join(inOrder(shards), limit, failOnOverlap);
  for (const shard of shards) await checkUnchanged(shard);
  return report;
}

/** What all shards of a run have in common. The scene may have had another name on another machine. */
const COMMON: [field: string, of: (header: ReportHeader) => unknown][] = [
  ['generator', ({ generator }) => generator],
  ...(['sha256', 'bodies', 'bodiesByType', 'shapesByType', 'pairs'] as const).map(
    (field): [string, (header: ReportHeader) => unknown] => [`scene.${field}`, ({ scene }) => scene[field]],
  ),
  ['query.name', ({ query }) => query.name],
  ['query.margin', ({ query }) => query.margin],
  ['query.tolerance', ({ query }) => query.tolerance],
  ['candidatePairs', ({ candidatePairs }) => candidatePairs],
  ['shard.count', ({ shard }) => shard?.count],
];

function checkSameRun({ file, header }: ShardFile, first: ShardFile): void {
  for (const [field, of] of COMMON) {
    if (isDeepStrictEqual(of(header), of(first.header))) continue;
    try {
      invalidInput(field, of(header), `${JSON.stringify(of(first.header)) ?? 'nothing'} as in ${first.file}`);
    } catch (error) {
      throw badFile(file, error);
    }
  }
}

/** The shards by index. Throws unless each occurs once. */
function inOrder(shards: ShardFile[]): ShardFile[] {
  const { count } = shards[0].header.shard;
  const byIndex = new Map<number, ShardFile>();
  for (const shard of shards) {
    const { index } = shard.header.shard;
    const other = byIndex.get(index);
    if (other)
      throw new CommandError(
        ExitCode.BadInput,
        `${shard.file}: shard.index is ${index}, expected another one than ${other.file} has`,
      );
    byIndex.set(index, shard);
  }
  return Array.from({ length: count }, (_, i) => {
    const shard = byIndex.get(i + 1);
    if (!shard) throw usageError(`shard ${i + 1} of ${count} is missing, expected the reports of all ${count}`);
    return shard;
  });
}

/** The merged report. Reads all contacts once, to check them and to select those for the table. */
async function join(shards: ShardFile[], limit: number, failOnOverlap: boolean): Promise<Report> {
  const closest = keepClosest<ReportContact>(limit, ({ distance, allowed }) => rankOf(distance, allowed));
  const listed: NamedCounts = namedCounts([0, 0, 0, 0, 0]);
  for (const shard of shards) {
    const counts = await checkContacts(shard, closest.add);
    for (const status of STATUS_NAMES) listed[status] += counts[status];
  }
  return {
    header: joinHeaders(
      shards.map(({ header }) => header),
      failOnOverlap,
    ),
    listed,
    closest: closest.items(),
    contacts: () => allContacts(shards),
    lines: async function* () {
      for await (const contacts of allContacts(shards)) yield contacts.map((contact) => JSON.stringify(contact));
    },
  };
}

/** Checks the contacts of one shard and counts them by status. */
async function checkContacts(shard: ShardFile, onContact: (contact: ReportContact) => void): Promise<NamedCounts> {
  const { file, header } = shard;
  const counts = namedCounts([0, 0, 0, 0, 0]);
  const allowed = { ...NONE_ALLOWED };
  try {
    for await (const contacts of readContacts(shard)) {
      for (const contact of contacts) {
        counts[contact.status]++;
        if (contact.allowed) countAllowed(allowed, contact.allowed, contact.status);
        onContact(contact);
      }
    }
    for (const status of STATUS_NAMES) {
      // An overlapping pair is a hit at any margin, so all of them are listed. Pairs of other statuses may be left out.
      const least = status === 'overlapping' ? '' : 'at least ';
      const right =
        least === '' ? counts[status] === header.statusCounts[status] : counts[status] <= header.statusCounts[status];
      if (!right)
        invalidInput(
          `statusCounts.${status}`,
          header.statusCounts[status],
          `${least}${counts[status]}, as many as contacts has`,
        );
    }
    if (header.allowed && !isDeepStrictEqual(allowed, header.allowed)) {
      invalidInput('allowed', header.allowed, `${JSON.stringify(allowed)}, as many as contacts has`);
    }
  } catch (error) {
    throw badFile(file, error);
  }
  return counts;
}

function joinHeaders(shards: ReportHeader[], failOnOverlap: boolean): ReportHeader {
  const statusCounts = namedCounts([0, 0, 0, 0, 0]);
  for (const header of shards) for (const status of STATUS_NAMES) statusCounts[status] += header.statusCounts[status];
  const allowed = shards[0].allowed && sumAllowed(shards);
  const engines = shards.flatMap((header) => header.engines);
  return {
    ...shards[0],
    engines: engines.filter((engine, i) => engines.findIndex((other) => isDeepStrictEqual(other, engine)) === i),
    shard: null,
    hits: shards.reduce((sum, { hits }) => sum + hits, 0),
    statusCounts,
    ...(allowed && { allowed }),
    check: failOnOverlap || shards.some(({ check }) => check) ? checkOverlap(statusCounts, allowed) : null,
  };
}

function sumAllowed(shards: ReportHeader[]): AllowedCounts {
  const sum = { ...NONE_ALLOWED };
  for (const { allowed = NONE_ALLOWED } of shards) {
    sum.byPair += allowed.byPair;
    sum.byTolerance += allowed.byTolerance;
    sum.unanswered += allowed.unanswered;
  }
  return sum;
}

async function* allContacts(shards: ShardFile[]): AsyncGenerator<ReportContact[]> {
  for (const shard of shards) yield* readContacts(shard);
}
