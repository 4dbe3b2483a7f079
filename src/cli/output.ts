/**
 * Writes reports to stdout or to a file. After a failure the file is the old one or the complete new one, never half of
 * it.
 */

import { randomUUID } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { access, chmod, chown, constants, readlink, realpath, rename, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError, errorText, ExitCode, usageError } from './exit.ts';

/** Text in pieces that are generated while they are written. */
type Pieces = Iterable<string> | AsyncIterable<string>;

/** A file to write, and the option that named it. */
export interface Output {
  option: '--out' | '--replay';
  file: string;
}

/**
 * Checks that a file can be written and is not one of the inputs, before any work is done. `noun` describes an input.
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

/** The absolute path of a file. It follows links, even to a file that doesn't exist yet. A pipe keeps its path. */
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
 * Writes a temporary file beside the target and renames it. The new file takes over the permissions of the old one, and
 * its owner if that is allowed. A device or pipe is written directly.
 */
export async function writeOutput({ option, file }: Output, pieces: Pieces): Promise<void> {
  const target = await realPath(file);
  const existing = await stat(target).catch(() => undefined);
  const direct = existing !== undefined && !existing.isFile();
  const written = direct ? target : join(dirname(target), `.narrowphase-${randomUUID()}`);
  const removeHalf = (): void => rmSync(written, { force: true });
  if (!direct) process.once('exit', removeHalf);
  try {
    const flags = direct ? 'w' : 'wx';
    await pipeline(Readable.from(pieces), createWriteStream(written, { flags, mode: existing?.mode }));
    if (existing && !direct) {
      // The owner comes before the permissions, since changing it clears some of them. Only root may give files away.
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

/** Prints on stdout. If the reader closes the pipe, as `head` does, printing ends without an error. */
export async function print(pieces: Pieces): Promise<void> {
  try {
    await pipeline(Readable.from(pieces), process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
    if (error instanceof CommandError) throw error;
    throw new CommandError(ExitCode.CannotRun, `narrowphase: stdout: ${errorText(error)}`, { cause: error });
  }
}

/** Prints text for the user on stderr, in place of the progress line. */
export function notice(text: string): void {
  process.stderr.write(`${process.stderr.isTTY ? '\r\u001b[2K' : ''}narrowphase: ${printable(text)}\n`);
}

/** Text of a scene or a driver for a terminal. Control, formatting and line-breaking characters become `?`. */
export function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
}
