/**
 * Reports of shards, read back from their files. The facts are read at once; the contacts, of which there can be
 * hundreds of megabytes, are passed on line by line, as often as they are wanted. Every error is a `CommandError` of one
 * line that starts with the file's name.
 */

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { invalidInput, NarrowphaseError } from '../../errors.ts';
import { parseJson } from '../../scene/json.ts';
import { CommandError, errorText, ExitCode } from '../exit.ts';
import { checkShardFacts } from './check-facts.ts';
import type { ShardFacts } from './check-facts.ts';
import { CONTACTS_LINE, END_LINES, INDENT } from './json.ts';

export interface ShardFile {
  /** As given on the command line. */
  file: string;
  facts: ShardFacts;
  /** Where the contacts begin. */
  contactsByte: number;
  /** Tells whether the file is still the same. */
  identity: string;
}

/** Most characters of the facts, and of a line: many times what `run` writes. */
const MAX_FACTS = 2 ** 20;
const MAX_LINE = 2 ** 20;
const CHUNK_BYTES = 2 ** 18;

/** Reads and checks the facts. */
export async function readShard(file: string): Promise<ShardFile> {
  try {
    const identity = await identify(file);
    const text = await readFacts(file);
    const facts = checkShardFacts(parseJson(`${text.replace(/,\n$/, '\n')}}`));
    return { file, facts, contactsByte: Buffer.byteLength(`${text}${CONTACTS_LINE}\n`), identity };
  } catch (error) {
    throw badFile(file, error);
  }
}

/** The text in front of the contacts. */
async function readFacts(file: string): Promise<string> {
  let text = '';
  for await (const lines of readLines(file, 0)) {
    const end = lines.indexOf(CONTACTS_LINE);
    text += lines.slice(0, end < 0 ? undefined : end).map((line) => `${line}\n`).join('');
    if (text.length > MAX_FACTS) break;
    if (end >= 0) return text;
  }
  throw invalid(`the line ${JSON.stringify(CONTACTS_LINE)} is missing, expected a JSON report of narrowphase run`);
}

/** The contacts, each as JSON that is still to be checked. Their number is checked, and what follows them. */
export async function* readContacts({ file, facts, contactsByte, identity }: ShardFile): AsyncGenerator<string[]> {
  try {
    if ((await identify(file)) !== identity) throw invalid('the file changed while it was read, expected it to stay the same');
    let seen = 0;
    const after: string[] = [];
    for await (const lines of readLines(file, contactsByte)) {
      const contacts = lines.splice(0, facts.hits - seen).map((line) => {
        const end = ++seen < facts.hits ? ',' : '';
        if (!line.startsWith(`${INDENT}{`) || !line.endsWith(`}${end}`)) {
          throw invalid(`contacts[${seen - 1}] is ${quoted(line)}, expected ${quoted(`${INDENT}{...}${end}`)}: hits is ${facts.hits}`);
        }
        return line.slice(INDENT.length, line.length - end.length);
      });
      if (contacts.length > 0) yield contacts;
      for (const line of lines) {
        const expected = END_LINES[after.length];
        if (line !== expected) invalidInput(`line ${after.length + 1} after the contacts`, line, expected === undefined ? 'nothing' : `${quoted(expected)}: hits is ${facts.hits}`);
        after.push(line);
      }
    }
    if (seen < facts.hits) throw invalid(`the file ends after ${seen} contacts, expected ${facts.hits} as hits says`);
    if (after.length < END_LINES.length) throw invalid(`the file ends after its contacts, expected ${quoted(END_LINES[after.length])}`);
  } catch (error) {
    throw badFile(file, error);
  }
}

/** Lines of a file from a byte on, as many at a time as are read at once. */
async function* readLines(file: string, start: number): AsyncGenerator<string[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let rest = '';
  for await (const chunk of createReadStream(file, { start, highWaterMark: CHUNK_BYTES })) {
    const lines = (rest + decode(decoder, chunk as Buffer)).split('\n');
    rest = lines.pop()!;
    if (rest.length > MAX_LINE) throw invalid(`a line has more than ${MAX_LINE} characters, expected a JSON report of narrowphase run`);
    yield lines;
  }
  rest += decode(decoder);
  // A last line that nothing ends.
  if (rest !== '') yield [rest];
}

/** The text of the bytes, or what is left at the end. */
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

/** The start of a line, as a JSON string. */
function quoted(line: string): string {
  return JSON.stringify(line.length > 60 ? `${line.slice(0, 57)}...` : line);
}

/** What is wrong with a file, or with reading it, as an error that names it; any other error as it is. */
export function badFile(file: string, error: unknown): unknown {
  const isSystems = typeof (error as NodeJS.ErrnoException).syscall === 'string';
  if (!isSystems && !(error instanceof NarrowphaseError)) return error;
  const reason = isSystems ? `cannot be read: ${errorText(error)}` : errorText(error);
  return new CommandError(ExitCode.BadInput, `${file}: ${reason}`, { cause: error });
}
