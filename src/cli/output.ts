/** Where reports go: stdout, or a file that is either the old one or the whole new one, never half of it. */

import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, constants, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CommandError, errorText, ExitCode, usageError } from './exit.ts';

/** Text that is made while it is written. */
type Pieces = Iterable<string> | AsyncIterable<string>;

/** Checks that `file` can be written and is none of the inputs, before any work is done for it. `noun`: what an input is. */
export async function checkOutput(file: string, inputs: string | readonly string[], noun = 'the scene'): Promise<void> {
  const target = await realpath(file).catch(() => resolve(file));
  for (const input of [inputs].flat()) {
    if (target === (await realpath(input))) throw usageError(`--out ${file} would overwrite ${noun}`);
  }
  const existing = await stat(target).catch(() => undefined);
  if (existing?.isDirectory()) throw usageError(`--out ${file} is a folder, expected a file`);
  const written = existing && !existing.isFile() ? target : dirname(target);
  await access(written, constants.W_OK).catch((error: unknown) => {
    throw usageError(`--out ${file} cannot be written: ${errorText(error)}`);
  });
}

/** Writes a file through a temporary one beside it; a device or pipe directly. */
export async function writeOutput(file: string, pieces: Pieces): Promise<void> {
  const target = await realpath(file).catch(() => resolve(file));
  const existing = await stat(target).catch(() => undefined);
  const direct = existing !== undefined && !existing.isFile();
  const written = direct ? target : join(dirname(target), `.${basename(target)}.${randomUUID()}`);
  try {
    await pipeline(Readable.from(pieces), createWriteStream(written, { flags: direct ? 'w' : 'wx' }));
    if (!direct) await rename(written, target);
  } catch (error) {
    if (!direct) await rm(written, { force: true });
    if (error instanceof CommandError) throw error;
    throw new CommandError(ExitCode.CannotRun, `narrowphase: --out ${file} was not written: ${errorText(error)}`, { cause: error });
  }
}

/** Prints on stdout. A reader that goes away, such as `head`, ends the printing without an error. */
export async function print(pieces: Pieces): Promise<void> {
  try {
    await pipeline(Readable.from(pieces), process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
    if (error instanceof CommandError) throw error;
    throw new CommandError(ExitCode.CannotRun, `narrowphase: stdout: ${errorText(error)}`, { cause: error });
  }
}

/** Tells people something on stderr, in place of a line of progress that stands there. */
export function notice(text: string): void {
  process.stderr.write(`${process.stderr.isTTY ? '\r\u001b[2K' : ''}narrowphase: ${printable(text)}\n`);
}

/** Text of a scene or a driver for a terminal: control, formatting and line-breaking characters become `?`. */
export function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
}
