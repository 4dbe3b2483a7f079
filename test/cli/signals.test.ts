/** A program that is ended from outside leaves nothing behind: no half report, no browser, no profile of one. */

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findBrowser } from '../../src/cli/engines/find-browser.ts';
import { CRATES, makeWorkplace, PROGRAM } from './cli.ts';

const { write, files, folder } = makeWorkplace();

function launch(args: string[], env: Record<string, string> = {}): { child: ChildProcess; ended: Promise<number | null> } {
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: folder, env: { ...process.env, ...env }, stdio: 'ignore' });
  return { child, ended: new Promise((done) => child.once('exit', done)) };
}

/** What `look` gives as soon as it gives something. */
async function until<T>(look: () => T | undefined, what: string): Promise<T> {
  for (const start = performance.now(); performance.now() - start < 60_000; ) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise((done) => setTimeout(done, 2));
  }
  throw new Error(`${what} did not come within a minute`);
}

test.each([['SIGINT', 130], ['SIGTERM', 143]] as const)('%s while the report is written: exit code %i, the old file, no other', async (signal, code) => {
  const bodies = Array.from({ length: 640 }, (_, i) => ({ shape: 0, position: [i, 0, 0] }));
  write('row.json', { ...CRATES, bodies, pairs: 'all', margin: 1000 });
  write('report.json', 'the report of the last run');
  const before = files();
  const { child, ended } = launch(['run', 'row.json', '--engine', 'cpu', '--out', 'report.json']);
  await until(() => files().find((name) => name.startsWith('.narrowphase-')), 'the temporary file');
  child.kill(signal);
  expect(await ended).toBe(code);
  expect(files()).toEqual(before);
  expect(readFileSync(join(folder, 'report.json'), 'utf8')).toBe('the report of the last run');
});

test.each([['chrome', 'CHROME_PATH'], ['firefox', 'FIREFOX_PATH']] as const)('SIGTERM while %s works ends the browser too, and takes its profile away', async (name, variable) => {
  const pidFile = join(folder, `${name}.pid`);
  const script = write(`${name}.sh`, `#!/bin/sh\necho $$ > ${pidFile}\nexec ${await findBrowser(name)} "$@"\n`);
  chmodSync(join(folder, script), 0o755);
  write('crates.json', CRATES);
  mkdirSync(join(folder, `${name}.tmp`));
  const { child, ended } = launch(['run', 'crates.json', '--engine', name], { [variable]: join(folder, script), TMPDIR: join(folder, `${name}.tmp`) });
  const pid = await until(() => (existsSync(pidFile) && Number(readFileSync(pidFile, 'utf8'))) || undefined, 'the browser');
  child.kill('SIGTERM');
  expect(await ended).toBe(143);
  await until(() => isGone(pid) || undefined, `the end of ${name}`);
  expect(readdirSync(join(folder, `${name}.tmp`))).toEqual([]);
});

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
