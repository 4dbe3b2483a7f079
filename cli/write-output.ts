/** Writes reports to stdout or to a file. A file is replaced as a whole: it is never left half written. */

import { randomUUID } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { access, chmod, chown, constants, readlink, realpath, rename, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError, errorText, ExitCode, usageError } from './exit.ts';
import { printable } from './terminal-text.ts';

/** Text or bytes that are generated while they are written. */
export type Parts = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** An output file, and the option that names it. */
export interface Output {
  option: '--out' | '--replay';
  file: string;
}

/**
 * Checks, before any work is done, that a file can be written and is not one of the inputs. `noun` names an input in
 * error messages.
 */
export async function checkOutput(
  { option, file }: Output,
  inputs: readonly string[],
  noun = 'the scene',
): Promise<void> {
  if (/(?:^|[/\\])$/.test(file)) throw usageError(`${option} is ${JSON.stringify(file)}, expected a file`);
  const target = await realPath(file);
  for (const input of inputs) {
    if (target === (await realPath(input))) throw usageError(`${option} ${file} would overwrite ${noun}`);
  }
  const existing = await stat(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw usageError(`${option} ${file} cannot be written: ${errorText(error)}`);
  });
  if (existing?.isDirectory()) throw usageError(`${option} ${file} is a folder, expected a file`);
  const written = existing && !existing.isFile() ? target : dirname(target);
  await access(written, constants.W_OK).catch((error: unknown) => {
    throw usageError(`${option} ${file} cannot be written: ${errorText(error)}`);
  });
}

/** Resolves a path. Follows a link whose target does not exist yet. A pipe keeps its path. */
async function realPath(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return resolve(file);
    const link = await readlink(file).catch(() => undefined);
    return link === undefined ? resolve(file) : realPath(resolve(dirname(file), link));
  }
}

/**
 * Writes a file through a temporary file in the same folder, which gets the permissions of the old file and, if
 * allowed, its owner. A device or pipe is written directly.
 */
export async function writeOutput({ option, file }: Output, parts: Parts): Promise<void> {
  const target = await realPath(file);
  const existing = await stat(target).catch(() => undefined);
  const direct = existing !== undefined && !existing.isFile();
  const written = direct ? target : join(dirname(target), `.narrowphase-${randomUUID()}`);
  const removeHalf = (): void => rmSync(written, { force: true });
  if (!direct) process.once('exit', removeHalf);
  try {
    const flags = direct ? 'w' : 'wx';
    await pipeline(Readable.from(parts), createWriteStream(written, { flags, mode: existing?.mode }));
    if (existing && !direct) {
      // Change the owner first, since that clears some permissions. Only root may give files away.
      await chown(written, existing.uid, existing.gid).catch(() => {});
      await chmod(written, existing.mode);
    }
    if (!direct) await rename(written, target);
    notice(`wrote ${file}`);
  } catch (error) {
    if (!direct) removeHalf();
    if (error instanceof CommandError) throw error;
    throw new CommandError(ExitCode.CannotRun, `narrowphase: ${option} ${file} was not written: ${errorText(error)}`, {
      cause: error,
    });
  } finally {
    process.off('exit', removeHalf);
  }
}

/** Prints text to stdout. */
export function print(parts: Iterable<string> | AsyncIterable<string>): Promise<void> {
  return printParts(parts);
}

/** Prints to stdout. If the reader closes the pipe, as `head` does, printing ends without an error. */
export async function printParts(parts: Parts): Promise<void> {
  try {
    await pipeline(Readable.from(parts), process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
    if (error instanceof CommandError) throw error;
    throw new CommandError(ExitCode.CannotRun, `narrowphase: stdout: ${errorText(error)}`, { cause: error });
  }
}

/** Prints a message to stderr, over the line of progress if there is one. */
export function notice(text: string): void {
  process.stderr.write(`${process.stderr.isTTY ? '\r\u001b[2K' : ''}narrowphase: ${printable(text)}\n`);
}
