/**
 * Cleans up after a browser, when the browser ends and when this process ends for any reason: kills the browser's
 * remaining processes, and deletes the temporary folder with its profile.
 *
 * A shell, the watch, waits for the end of its input, which comes with the end of this process at the latest. It then
 * kills the browser's process group and deletes the folder. The browser is also started by a shell, which first writes
 * the number of the group into the folder. The watch moves the folder away before it reads that number. Without the
 * folder the browser does not start, so no browser is missed.
 *
 * Windows has neither process groups nor that shell. There the folder is deleted when the browser ends and when this
 * process ends in order.
 */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Guard {
  /** For the browser's files. */
  folder: string;
  /** The command that starts the browser under the guard. */
  command(browser: string, args: string[]): { executablePath: string; args: string[] };
  /** Kills the browser's remaining processes and deletes the folder. */
  end(): Promise<void>;
}

const SHELL = '/bin/sh';
/** Until it is killed, the browser may recreate the folder, and for a moment longer it may write. */
const SWEEP = `read -r input
mv "$1" "$1.over" && read -r group < "$1.over/group" && kill -KILL "-$group"
for pause in 0 .1 .1 .2 .4 .8 1.6; do sleep $pause; rm -rf "$1" "$1.over" && break; done`;
const SWEEP_ARGUMENTS = ['-c', SWEEP, SHELL];
const START = 'echo $$ > "$0" && exec "$@"';

export function startGuard(): Guard {
  // A short name, since paths of sockets in it may have at most about 100 characters.
  const folder = mkdtempSync(join(tmpdir(), 'np-'));
  return process.platform === 'win32' ? unwatched(folder) : watched(folder);
}

function watched(folder: string): Guard {
  // Detached, so that it survives a signal to this process's group, such as Ctrl-C.
  const watch = spawn(SHELL, [...SWEEP_ARGUMENTS, folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  const over = once(watch, 'exit').catch(() => {});
  const input = watch.stdin as Socket;
  input.on('error', () => {});
  watch.unref();
  input.unref();
  const sweep = (): void => {
    if (!existsSync(folder) && !existsSync(`${folder}.over`)) return;
    spawnSync(SHELL, [...SWEEP_ARGUMENTS, folder], { stdio: 'ignore' });
  };
  process.on('exit', sweep);
  return {
    folder,
    command: (browser, args) => ({
      executablePath: SHELL,
      args: ['-c', START, join(folder, 'group'), browser, ...args],
    }),
    async end() {
      watch.ref();
      input.end();
      await over;
      sweep();
      process.off('exit', sweep);
    },
  };
}

function unwatched(folder: string): Guard {
  const erase = (): void => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    } catch {
      // Files that can't be deleted are left: a failure here must not replace the caller's error or answer.
    }
  };
  process.on('exit', erase);
  return {
    folder,
    command: (executablePath, args) => ({ executablePath, args }),
    async end() {
      process.off('exit', erase);
      erase();
    },
  };
}
