/**
 * Reads reports from files. The items of a report (contacts or clashes) may not fit in memory: a first pass reads the
 * header and a later one the items, so that everything can be checked before anything is written. Every error is a
 * `CommandError` of one line that starts with the file's name.
 */

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { NarrowphaseError } from '../../src/api/errors.ts';
import { checkList, checkObject, type JsonObject } from '../../src/util/json-fields.ts';
import { parseJson } from '../scene/json.ts';
import { CommandError, errorText, ExitCode } from '../exit.ts';
import { checkContact } from './check-contact.ts';
import { checkShardHeader } from './check-header.ts';
import type { ShardHeader } from './check-header.ts';
import type { ReportContact } from './contacts.ts';
import { createSplitter } from './split.ts';
import type { ListName, Splitter } from './split.ts';

/** A report whose header has been read. */
export interface ReportFile<Header> {
  /** Path as given on the command line. */
  file: string;
  header: Header;
  /** Tells whether the file is still the same. */
  identity: string;
}

export type ShardFile = ReportFile<ShardHeader>;

const CHUNK_BYTES = 2 ** 18;

/** Reads a report without its items. Nothing in it is checked but that it is JSON. `command` wrote it, if it is right. */
export async function readHeader(file: string, command?: 'run' | 'clash'): Promise<ReportFile<JsonObject>> {
  return naming(file, async () => {
    const identity = await identify(file);
    const splitter = createSplitter(command);
    for await (const _ of readTexts(file, splitter));
    return { file, header: checkObject(parseJson(splitter.end()), '', undefined, 'the report'), identity };
  });
}

/** Checks the header of a report of `run`. */
export async function checkShard({ file, header, identity }: ReportFile<JsonObject>): Promise<ShardFile> {
  return naming(file, () => {
    const { contacts, ...rest } = header;
    const checked = checkShardHeader(rest);
    checkList(contacts, 'contacts', 'a list of contacts', 0);
    return { file, header: checked, identity };
  });
}

/** Reads and checks the header of a report of `run`. */
export async function readShard(file: string): Promise<ShardFile> {
  return checkShard(await readHeader(file));
}

/** Runs a step of reading a file. Its errors name the file. */
export async function naming<Result>(file: string, step: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw badFile(file, error);
  }
}

/** Throws if the file is no longer the one whose header was read. */
export async function checkUnchanged({ file, identity }: Pick<ShardFile, 'file' | 'identity'>): Promise<void> {
  await naming(file, async () => {
    if ((await identify(file)) === identity) return;
    throw invalid('the file changed while it was read, expected it to stay the same');
  });
}

/** The contacts, each checked, with its fields in the order in which `run` writes them. */
export async function* readContacts({ file, header, identity }: ShardFile): AsyncGenerator<ReportContact[]> {
  let first = header.shard.firstPair;
  yield* readItems({ file, identity }, 'contacts', [header.hits, 'hits'], (text, path) => {
    const contact = checkContact(text, path, header, first);
    first = contact.pair + 1;
    return contact;
  });
}

/**
 * The items of a report. `check` parses and checks each; `path` names it in errors. `expected` is their number, and the
 * field of the header that says so.
 */
export async function* readItems<Item>(
  { file, identity }: Pick<ShardFile, 'file' | 'identity'>,
  list: ListName,
  [expected, field]: [number, string],
  check: (text: string, path: string) => Item,
): AsyncGenerator<Item[]> {
  try {
    await checkUnchanged({ file, identity });
    let seen = 0;
    for await (const texts of readTexts(file, createSplitter())) {
      const items = texts.map((text) => check(text, `${list}[${seen++}]`));
      if (items.length > 0) yield items;
    }
    if (seen !== expected) throw invalid(`${list} has ${seen} elements, expected ${expected} as ${field} says`);
  } catch (error) {
    throw badFile(file, error);
  }
}

/** The items' texts, in batches of as many as one read gives. */
async function* readTexts(file: string, splitter: Splitter): AsyncGenerator<string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES })) {
    yield splitter.push(decode(decoder, chunk as Buffer));
  }
  yield splitter.push(decode(decoder));
}

/** The text of the bytes; without bytes, the rest at the end. */
function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch (error) {
    throw new NarrowphaseError('INVALID_INPUT', 'not UTF-8, expected JSON', { cause: error });
  }
}

async function identify(file: string): Promise<string> {
  const stats = await stat(file, { bigint: true });
  if (!stats.isFile()) throw invalid('no regular file, expected one: reports are read more than once');
  return [stats.dev, stats.ino, stats.size, stats.mtimeNs].join();
}

function invalid(message: string): NarrowphaseError {
  return new NarrowphaseError('INVALID_INPUT', message);
}

/** Turns an error in a file or in reading it into one that names the file. Returns any other error unchanged. */
export function badFile(file: string, error: unknown): unknown {
  const isSystems = typeof (error as NodeJS.ErrnoException).syscall === 'string';
  if (!isSystems && !(error instanceof NarrowphaseError)) return error;
  const reason = isSystems ? `cannot be read: ${errorText(error)}` : errorText(error);
  return new CommandError(ExitCode.BadInput, `${file}: ${reason}`, { cause: error });
}
