/**
 * A large scene in Chrome: a million pairs in bounded memory. A hundred thousand in two parts: shards.night.test.ts; parts
 * of other numbers, on the CPU: merge.slow.test.ts. How long a million take: `npm run bench:cli`.
 */

import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeCrowdScene } from '../../verification/families/crowd-scene.ts';

const PAIRS = 1_000_000;
/** Command line, browser and all its processes: the scene takes 30 MB as text, its answers 80. */
const LIMIT_BYTES = 3 * 2 ** 30;

const folder = mkdtempSync(join(tmpdir(), 'narrowphase-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'million.json'), JSON.stringify(makeCrowdScene(PAIRS)));

interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
  /** Most memory that the program and its children held at once; 0 where /proc tells nothing. */
  bytes: number;
}

function narrowphase(...args: string[]): Promise<Run> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [resolve('dist/narrowphase.js'), ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr, bytes] = ['', '', 0];
    const sampling = setInterval(() => (bytes = Math.max(bytes, memoryOf(child.pid!))), 250);
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', fail).on('close', (code) => {
      clearInterval(sampling);
      done({ code, stdout, stderr, bytes });
    });
  });
}

/** Proportional memory of a process and all that it started, in bytes: what processes share is counted once. */
function memoryOf(root: number): number {
  const parents = new Map<number, number>();
  for (const name of process.platform === 'linux' ? readdirSync('/proc') : []) {
    const stat = /^\d+$/.test(name) ? readOrEmpty(`/proc/${name}/stat`) : '';
    // The program's name, in parentheses, may hold anything.
    if (stat !== '') parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const isInside = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === root || isInside(parents.get(pid)));
  let bytes = 0;
  for (const pid of parents.keys()) {
    const pss = isInside(pid) ? /^Pss:\s+(\d+) kB/m.exec(readOrEmpty(`/proc/${pid}/smaps_rollup`)) : null;
    if (pss) bytes += 1024 * Number(pss[1]);
  }
  return bytes;
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

test('a million pairs go through Chrome in bounded memory', { timeout: 300_000 }, async () => {
  const { code, stdout, stderr, bytes } = await narrowphase(
    'run',
    'million.json',
    '--engine',
    'chrome',
    '--out',
    'million-report.json',
  );
  expect(code, stderr).toBe(0);
  const hits = /^hits +([\d,]+) pairs$/m.exec(stdout);
  expect(stdout).toMatch(/^candidates +1,000,000 pairs, listed in the scene$/m);
  expect(Number(hits![1].replaceAll(',', ''))).toBeGreaterThan(400_000);
  expect(stdout).toMatch(/ 0 not converged, 0 invalid, 0 over capacity$/m);
  if (process.platform === 'linux') expect(bytes).toBeGreaterThan(2 ** 27);
  expect(bytes).toBeLessThan(LIMIT_BYTES);
});
