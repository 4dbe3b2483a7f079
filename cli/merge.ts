/**
 * `narrowphase merge`: merges the reports of all shards of a scene into the report that one run over all pairs would
 * have written, byte for byte, even if another program has reformatted them. It reads all contacts twice, so that
 * everything is checked before anything is written.
 */

import { isDeepStrictEqual } from 'node:util';
import { invalidInput } from '../src/api/errors.ts';
import { parseCommand } from './arguments.ts';
import { withHulls, type SolidScene } from './clash/solids/convex-meshes.ts';
import { mergeClashes } from './clash/merge-clashes.ts';
import { isClashReport } from './clash/parse-report.ts';
import { CLASH_OUTPUT_OPTIONS, readClashOutputOptions, writeClashes } from './clash/write-clashes.ts';
import { CommandError, ExitCode, usageError } from './exit.ts';
import type { ClashHeader } from './clash/clash-report.ts';
import { readScene, SCENE_OPTIONS } from './scene-file.ts';
import { checkOutputs } from './outputs.ts';
import { keepClosest, rankOf } from './report/contacts.ts';
import type { ReportContact } from './report/contacts.ts';
import { writeReport, OUTPUT_OPTIONS, readOutputOptions } from './report/write-report.ts';
import type { OutputOptions } from './report/write-report.ts';
import { checkOverlap, countAllowed, namedCounts, NONE_ALLOWED, STATUS_NAMES } from './report/report-header.ts';
import type { ReportHeader, NamedCounts } from './report/report-header.ts';
import { joinEngines, orderShards, sumCounts, type CommonField } from './report/merge-shards.ts';
import type { ShardHeader } from './report/check-header.ts';
import { badFile, checkUnchanged, readContacts, readHeader, readShard } from './report/read.ts';
import type { ShardFile } from './report/read.ts';
import type { Report } from './report/report.ts';

/** The generator field of the report is copied from the shards' reports. */
export async function merge(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseCommand(args, {
    ...OUTPUT_OPTIONS,
    ...CLASH_OUTPUT_OPTIONS,
    ...SCENE_OPTIONS,
    scene: { type: 'string' },
  });
  if (positionals.length === 0) throw usageError("merge takes the JSON reports of all of a scene's shards, 0 given");
  if (isClashReport((await readHeader(positionals[0])).header)) return mergeOfClashes(values, positionals);
  for (const option of ['scene', 'hulls', 'date', 'up'] as const) {
    if (values[option]) {
      throw usageError(`--${option} is given for reports of run, expected it with reports of clash only`);
    }
  }
  const output = readOutputOptions({ ...values, limit: values.limit ?? OUTPUT_OPTIONS.limit.default });
  await checkOutputs(output.outputs, positionals, 'one of the reports');
  return writeReport(await mergeReports(positionals, output), output);
}

async function mergeOfClashes(
  values: Parameters<typeof readClashOutputOptions>[0] & { 'fail-on-overlap': boolean; scene?: string; hulls: boolean },
  files: readonly string[],
): Promise<ExitCode> {
  if (values['fail-on-overlap']) {
    throw usageError('--fail-on-overlap is given for reports of clash, expected none: they have their own checks');
  }
  const output = readClashOutputOptions(values);
  const { scene } = values;
  await checkOutputs(output.outputs, scene === undefined ? files : [...files, scene], 'one of the inputs');
  const report = await mergeClashes(files, output.rows);
  return writeClashes(
    scene === undefined ? report : { ...report, solids: await solidsOf(report.header, scene, values.hulls) },
    output,
  );
}

/** The solids of the scene that a report is of. */
async function solidsOf({ scene: { sha256 } }: ClashHeader, file: string, hulls: boolean): Promise<SolidScene> {
  const given = await readScene(file, { hulls });
  if (given.sha256 === sha256) return withHulls(given.scene);
  throw new CommandError(
    ExitCode.BadInput,
    `${file}: the file has the SHA-256 ${given.sha256}, expected ${sha256} as in the reports`,
  );
}

type Judging = Pick<OutputOptions, 'limit' | 'failOnOverlap'>;

/** The merged report. Throws if the files are not all shards of one run. */
export async function mergeReports(files: readonly string[], { limit, failOnOverlap }: Judging): Promise<Report> {
  const shards: ShardFile[] = [];
  for (const file of files) shards.push(await readShard(file));
  const report = await join(orderShards(shards, COMMON), limit, failOnOverlap);
  for (const shard of shards) await checkUnchanged(shard);
  return report;
}

/** What all shards of a run have in common. */
const COMMON: CommonField<ShardHeader>[] = [
  ['query.name', ({ query }) => query.name],
  ['query.margin', ({ query }) => query.margin],
  ['query.tolerance', ({ query }) => query.tolerance],
];

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
  const statusCounts = sumCounts(shards.map((header) => header.statusCounts));
  const allowed = shards[0].allowed && sumCounts(shards.map((header) => header.allowed ?? NONE_ALLOWED));
  return {
    ...shards[0],
    engines: joinEngines(shards),
    shard: null,
    hits: shards.reduce((sum, { hits }) => sum + hits, 0),
    statusCounts,
    ...(allowed && { allowed }),
    check: failOnOverlap || shards.some(({ check }) => check) ? checkOverlap(statusCounts, allowed) : null,
  };
}

async function* allContacts(shards: ShardFile[]): AsyncGenerator<ReportContact[]> {
  for (const shard of shards) yield* readContacts(shard);
}
