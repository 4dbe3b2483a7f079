/** A program that is ended from outside leaves nothing behind: no half report, no browser, no profile of one. */

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { BROWSERS, findBrowser, type BrowserName } from '../../verification/engines/find-browser.ts';
import { atNight } from '../helpers/night.ts';
import { CRATES, makeWorkplace, PROGRAM } from './cli.ts';

const { write, files, folder } = makeWorkplace();

function launch(
  args: string[],
  env: Record<string, string> = {},
): { child: ChildProcess; ended: Promise<number | null> } {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: 'ignore',
  });
  return { child, ended: new Promise((done) => child.once('exit', done)) };
}

/** What `look` gives as soon as it gives something. */
async function until<T>(look: () => T | undefined, what: string, limit = 20_000): Promise<T> {
  for (const start = performance.now(); performance.now() - start < limit;) {
    const found = look();
    if (found !== undefined) return found;
    await new Promise((done) => setTimeout(done, 2));
  }
  throw new Error(`${what} did not come within ${limit / 1000} s`);
}

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s while the report is written: exit code %i, the old file, no other', async (signal, code) => {
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

/** The temporary folder of a program that runs with a browser, and the browser's process, the leader of its group. */
interface Guest {
  child: ChildProcess;
  ended: Promise<number | null>;
  temporary: string;
  leader: number;
}

/** A scene whose pairs need a single kernel. */
const BALLS = { ...CRATES, shapes: CRATES.shapes.map(({ id }) => ({ id, type: 'sphere', radius: 0.5 })) };

const VARIABLES = { chrome: 'CHROME_PATH', firefox: 'FIREFOX_PATH' };
let guests = 0;

/** Starts the program on one of the browsers; comes back when the browser is there. */
async function invite(name: BrowserName, scene: string, args: string[] = []): Promise<Guest> {
  const temporary = join(folder, `${name}-${++guests}`);
  mkdirSync(temporary);
  const script = write(
    `${name}-${guests}.sh`,
    `#!/bin/sh\necho $$ > ${temporary}.pid\nexec ${await findBrowser(name)} "$@"\n`,
  );
  chmodSync(join(folder, script), 0o755);
  const { child, ended } = launch(['run', scene, '--engine', name, ...args], {
    [VARIABLES[name]]: join(folder, script),
    TMPDIR: temporary,
  });
  const leader = await until(() => leaderOf(temporary) || undefined, 'the browser');
  return { child, ended, temporary, leader };
}

/** 0: there is none yet. */
function leaderOf(temporary: string): number {
  return existsSync(`${temporary}.pid`) ? Number(readFileSync(`${temporary}.pid`, 'utf8')) : 0;
}

/** No files at once, no processes soon. */
async function expectNothing(guest: Guest): Promise<void> {
  expect(readdirSync(guest.temporary)).toEqual([]);
  await until(() => processesOf(guest).length === 0 || undefined, 'the end of the browser', 20_000);
}

/** Each case with its browsers: at night both, in CI one or none, since each case starts a browser or two. */
function inBrowsers<Case extends object>(...cases: [of: Case, inCi?: BrowserName][]): (Case & { name: BrowserName })[] {
  return cases.flatMap(([of, inCi]) =>
    atNight<readonly BrowserName[]>(inCi ? [inCi] : [], BROWSERS).map((name) => ({ ...of, name })),
  );
}

describe('a browser leaves no process and no file', () => {
  beforeAll(() => {
    write('balls.json', BALLS);
    const bodies = Array.from({ length: 2000 }, (_, i) => ({ shape: i % 3, position: [0.001 * i, 0, 0] }));
    write('crowd.json', { ...CRATES, bodies, pairs: 'all' });
  });

  test.each(
    inBrowsers<{ what: string; args: string[]; code: number }>(
      [{ what: 'a run', args: [], code: 0 }, 'chrome'],
      [{ what: 'a check that fails', args: ['--fail-on-overlap'], code: 1 }, 'firefox'],
      [{ what: 'a report that can not be written', args: ['--out', '/dev/full'], code: 3 }],
    ),
  )('after $what: $name', async ({ args, code, name }) => {
    const guest = await invite(name, 'balls.json', args);
    expect(await guest.ended).toBe(code);
    await expectNothing(guest);
  });

  test.each(
    inBrowsers<{ signal: NodeJS.Signals; code: number }>(
      [{ signal: 'SIGHUP', code: 129 }],
      [{ signal: 'SIGINT', code: 130 }, 'firefox'],
      [{ signal: 'SIGTERM', code: 143 }, 'chrome'],
    ),
  )('after $signal while it starts: $name', async ({ signal, code, name }) => {
    const guest = await invite(name, 'balls.json');
    guest.child.kill(signal);
    expect(await guest.ended).toBe(code);
    await expectNothing(guest);
  });

  test.each(inBrowsers<{ when: 'starts' | 'works' }>([{ when: 'starts' }, 'firefox'], [{ when: 'works' }]))(
    'after SIGKILL of the program while it $when: $name',
    async ({ when, name }) => {
      const guest = await invite(name, 'crowd.json');
      if (when === 'works')
        await until(
          () => processesOf(guest).some((command) => /--type=renderer| tab$/.test(command)) || undefined,
          'a page',
        );
      guest.child.kill('SIGKILL');
      expect(await guest.ended).toBe(null);
      await until(
        () => readdirSync(guest.temporary).length === 0 || undefined,
        `the end of the files of ${name}`,
        20_000,
      );
      await expectNothing(guest);
    },
  );

  // In CI, browser-engine.slow.test.ts kills a browser twice.
  for (const name of atNight<readonly BrowserName[]>([], BROWSERS)) {
    test(`after it was killed itself, twice: ${name}`, async () => {
      const guest = await invite(name, 'crowd.json');
      process.kill(-guest.leader, 'SIGKILL');
      const second = await until(
        () => [leaderOf(guest.temporary)].find((pid) => pid > 0 && pid !== guest.leader),
        'the second start',
      );
      process.kill(-second, 'SIGKILL');
      expect(await guest.ended).toBe(3);
      await expectNothing(guest);
      await expectNothing({ ...guest, leader: second });
    });
  }
});

/**
 * Command lines of the processes that a browser has: those of its group, and those that work in its temporary folder.
 */
function processesOf({ leader, temporary }: Guest): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      const [state, , group] = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      // One that has ended and waits for its parent to take notice is none.
      return state !== 'Z' && (Number(group) === leader || command.includes(temporary)) ? [command] : [];
    } catch {
      return [];
    }
  });
}
