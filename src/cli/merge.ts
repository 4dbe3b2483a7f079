/**
 * `narrowphase merge`: the reports of all shards of a scene become the report that one run over all pairs would have
 * written, byte for byte. All files are gone through twice: everything is checked before anything is written.
 */

import { isDeepStrictEqual } from 'node:util';
import { invalidInput } from '../errors.ts';
import { parseCommand } from './arguments.ts';
import { CommandError, ExitCode, usageError } from './exit.ts';
import { checkOutput } from './output.ts';
import { checkContact } from './report/check-contact.ts';
import { keepClosest } from './report/contacts.ts';
import type { ReportContact } from './report/contacts.ts';
import { deliver, DELIVERY_OPTIONS, readDelivery } from './report/deliver.ts';
import { checkOverlap, namedCounts, STATUS_NAMES } from './report/facts.ts';
import type { Facts, NamedCounts } from './report/facts.ts';
import { badFile, readContacts, readShard } from './report/read.ts';
import type { ShardFile } from './report/read.ts';
import type { Report } from './report/report.ts';

/** The generator is that of the reports. */
export async function merge(args: string[]): Promise<ExitCode> {
  const { values, positionals } = parseCommand(args, DELIVERY_OPTIONS);
  const delivery = readDelivery(values);
  if (positionals.length === 0) throw usageError("merge takes the JSON reports of all of a scene's shards, 0 given");
  const shards: ShardFile[] = [];
  for (const file of positionals) shards.push(await readShard(file));
  if (delivery.out !== undefined) await checkOutput({ option: '--out', file: delivery.out }, positionals, 'one of the reports');
  for (const shard of shards) checkSameRun(shard, shards[0]);
  const ordered = inOrder(shards);
  return deliver(await join(ordered, delivery), delivery);
}

/** What all shards of a run have in common. The scene may have had another name on another machine. */
const COMMON: [field: string, of: (facts: Facts) => unknown][] = [
  ['generator', ({ generator }) => generator],
  ...(['sha256', 'bodies', 'bodiesByType', 'shapesByType', 'pairs'] as const).map(
    (field): [string, (facts: Facts) => unknown] => [`scene.${field}`, ({ scene }) => scene[field]],
  ),
  ['query.name', ({ query }) => query.name],
  ['query.margin', ({ query }) => query.margin],
  ['candidatePairs', ({ candidatePairs }) => candidatePairs],
  ['shard.count', ({ shard }) => shard?.count],
];

function checkSameRun({ file, facts }: ShardFile, first: ShardFile): void {
  for (const [field, of] of COMMON) {
    if (isDeepStrictEqual(of(facts), of(first.facts))) continue;
    try {
      invalidInput(field, of(facts), `${JSON.stringify(of(first.facts))} as in ${first.file}`);
    } catch (error) {
      throw badFile(file, error);
    }
  }
}

/** The shards by index, each once. */
function inOrder(shards: ShardFile[]): ShardFile[] {
  const { count } = shards[0].facts.shard;
  const byIndex = new Map<number, ShardFile>();
  for (const shard of shards) {
    const { index } = shard.facts.shard;
    const other = byIndex.get(index);
    if (other) throw new CommandError(ExitCode.BadInput, `${shard.file}: shard.index is ${index}, expected another one than ${other.file} has`);
    byIndex.set(index, shard);
  }
  return Array.from({ length: count }, (_, i) => {
    const shard = byIndex.get(i + 1);
    if (!shard) throw usageError(`shard ${i + 1} of ${count} is missing, expected the reports of all ${count}`);
    return shard;
  });
}

/** The report of all shards; reads all contacts once, for their checks and for the table's. */
async function join(shards: ShardFile[], { limit, failOnOverlap }: { limit: number; failOnOverlap: boolean }): Promise<Report> {
  const closest = keepClosest<ReportContact>(limit, ({ distance }) => distance ?? 0);
  const listed: NamedCounts = namedCounts([0, 0, 0, 0, 0]);
  for (const shard of shards) {
    const counts = await checkContacts(shard, closest.add);
    for (const status of STATUS_NAMES) listed[status] += counts[status];
  }
  return {
    facts: joinFacts(shards.map(({ facts }) => facts), failOnOverlap),
    listed,
    closest: closest.items(),
    lines: () => allLines(shards),
    contacts: async function* () {
      for await (const lines of allLines(shards)) yield lines.map((line) => JSON.parse(line) as ReportContact);
    },
  };
}

/** Goes through the contacts of one shard, and counts them by status. */
async function checkContacts(shard: ShardFile, onContact: (contact: ReportContact) => void): Promise<NamedCounts> {
  const { file, facts } = shard;
  const counts = namedCounts([0, 0, 0, 0, 0]);
  let seen = 0;
  let first = facts.shard.firstPair;
  try {
    for await (const lines of readContacts(shard)) {
      for (const line of lines) {
        const contact = checkContact(line, `contacts[${seen++}]`, facts, first);
        first = contact.pair + 1;
        counts[contact.status]++;
        onContact(contact);
      }
    }
    for (const status of STATUS_NAMES) {
      // Overlapping pairs are hits whatever the margin; of the others some may not be listed.
      const least = status === 'overlapping' ? '' : 'at least ';
      const right = least === '' ? counts[status] === facts.statusCounts[status] : counts[status] <= facts.statusCounts[status];
      if (!right) invalidInput(`statusCounts.${status}`, facts.statusCounts[status], `${least}${counts[status]}, as many as contacts has`);
    }
  } catch (error) {
    throw badFile(file, error);
  }
  return counts;
}

function joinFacts(shards: Facts[], failOnOverlap: boolean): Facts {
  const statusCounts = namedCounts([0, 0, 0, 0, 0]);
  for (const facts of shards) for (const status of STATUS_NAMES) statusCounts[status] += facts.statusCounts[status];
  const engines = shards.flatMap((facts) => facts.engines);
  return {
    ...shards[0],
    engines: engines.filter((engine, i) => engines.findIndex((other) => isDeepStrictEqual(other, engine)) === i),
    shard: null,
    hits: shards.reduce((sum, { hits }) => sum + hits, 0),
    statusCounts,
    check: failOnOverlap || shards.some(({ check }) => check) ? checkOverlap(statusCounts) : null,
  };
}

async function* allLines(shards: ShardFile[]): AsyncGenerator<string[]> {
  for (const shard of shards) yield* readContacts(shard);
}
