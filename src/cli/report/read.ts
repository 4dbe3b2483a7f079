/**
 * Reads the reports of shards from their files. They are read twice: everything is checked before anything is written,
 * and the contacts may not fit in memory. Every error is a `CommandError` of one line that starts with the file's name.
 */

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { NarrowphaseError } from '../../api/errors.ts';
import { checkList, checkObject } from '../../scene/fields.ts';
import { parseJson } from '../../scene/json.ts';
import { CommandError, errorText, ExitCode } from '../exit.ts';
import { checkContact } from './check-contact.ts';
import { checkShardHeader } from './check-header.ts';
import type { ShardHeader } from './check-header.ts';
import type { ReportContact } from './contacts.ts';
import { createSplitter } from './split.ts';
import type { Splitter } from './split.ts';

export interface ShardFile {
  /** Path as given on the command line. */
  file: string;
  header: ShardHeader;
  /** Tells whether the file is still the same. */
  identity: string;
}

const CHUNK_BYTES = 2 ** 18;

/** Reads and checks the header. */
export async function readShard(file: string): Promise<ShardFile> {
  try {
    const identity = await identify(file);
    const splitter = createSplitter();
    for await (const _ of readTexts(file, splitter));
    const { contacts, ...header } = checkObject(parseJson(splitter.end()), '', undefined, 'the report');
    const checked = checkShardHeader(header);
    checkList(contacts, 'contacts', 'a list of contacts', 0);
    return { file, header: checked, identity };
  } catch (error) {
    throw badFile(file, error);
  }
}

/** Throws if the file is no longer the one whose header was read. */
export async function checkUnchanged({ file, identity }: Pick<ShardFile, 'file' | 'identity'>): Promise<void> {
  try {
    if ((await identify(file)) === identity) return;
  } catch (error) {
    throw badFile(file, error);
  }
  throw badFile(file, invalid('the file changed while it was read, expected it to stay the same'));
}

/** The contacts, each checked, with its fields in the order in which `run` writes them. */
export async function* readContacts({ file, header, identity }: ShardFile): AsyncGenerator<ReportContact[]> {
  try {
    await checkUnchanged({ file, identity });
    const { firstPair } = header.shard;
    let seen = 0;
    let first = firstPair;
    for await (const texts of readTexts(file, createSplitter())) {
      const contacts = texts.map((text) => {
        const contact = checkContact(text, `contacts[${seen++}]`, header, first);
        first = contact.pair + 1;
        return contact;
      });
      if (contacts.length > 0) yield contacts;
    }
    if (seen !== header.hits) throw invalid(`contacts has ${seen} elements, expected ${header.hits} as hits says`);
  } catch (error) {
    throw badFile(file, error);
  }
}

/** The contacts' texts, in batches of as many as one read gives. */
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
