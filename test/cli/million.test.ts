/**
 * Large scenes in Chrome: a million pairs in time and in bounded memory, and a hundred thousand the same in two parts.
 * Parts of other numbers, on the CPU: merge.slow.test.ts.
 */

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { below, createRandom, uniform, unitVector } from '../../verification/families/random.ts';

const PAIRS = 1_000_000;
const BODIES = 200_000;
/** Bodies come in crowds of this many; pairs are within a crowd. */
const CROWD = 8;
const LIMIT_MS = 60_000;
/** Command line, browser and all its processes: the scene takes 30 MB as text, its answers 80. */
const LIMIT_BYTES = 3 * 2 ** 30;

const folder = mkdtempSync(join(tmpdir(), 'narrowphase-'));
afterAll(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'million.json'), JSON.stringify(makeScene(PAIRS)));
writeFileSync(join(folder, 'smaller.json'), JSON.stringify(makeScene(PAIRS / 10)));

/** To six digits behind the point. */
function fixed(x: number): number {
  return Number(x.toFixed(6));
}

function makeScene(pairCount: number): object {
  const random = createRandom(3);
  const hull = () => ({
    type: 'hull',
    points: Array.from({ length: 16 }, () => unitVector(random, [0, 0, 0]).map((x) => fixed(x / 2))).flat(),
  });
  const shapes = [
    { type: 'box', halfExtents: [0.4, 0.5, 0.3] },
    { type: 'sphere', radius: 0.5 },
    { type: 'capsule', halfHeight: 0.3, radius: 0.3 },
    { type: 'triangle', points: [0, 0, 0.5, 0.5, 0, -0.5, -0.5, 0, -0.5], radius: 0.05 },
    hull(),
    hull(),
    hull(),
    hull(),
  ];
  const bodies = { shapes: [] as number[], positions: [] as number[], quaternions: [] as number[] };
  for (let body = 0; body < BODIES; body++) {
    const crowd = Math.floor(body / CROWD);
    const cell = [crowd % 100, Math.floor(crowd / 100) % 100, Math.floor(crowd / 10_000)];
    bodies.shapes.push(below(random, shapes.length));
    bodies.positions.push(...cell.map((c) => fixed(4 * c + uniform(random, -0.6, 0.6))));
    bodies.quaternions.push(...unitVector(random, [0, 0, 0, 0]).map(fixed));
  }
  const pairs = Array.from({ length: pairCount }, (_, i) => {
    const a = i % BODIES;
    const other = 1 + below(random, CROWD - 1);
    return [a, a - (a % CROWD) + ((a + other) % CROWD)];
  });
  return { version: 1, shapes, bodies, pairs };
}

interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
  milliseconds: number;
  /** Most memory that the program and its children held at once; 0 where /proc tells nothing. */
  bytes: number;
}

function narrowphase(...args: string[]): Promise<Run> {
  return new Promise((done, fail) => {
    const start = performance.now();
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
      done({ code, stdout, stderr, milliseconds: performance.now() - start, bytes });
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

async function digest(name: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(join(folder, name))) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

test('a million pairs go through Chrome within a minute, in bounded memory', { timeout: 300_000 }, async () => {
  const { code, stdout, stderr, milliseconds, bytes } = await narrowphase(
    'run',
    'million.json',
    '--engine',
    'chrome',
    '--out',
    'million-report.json',
  );
  expect(code, stderr).toBe(0);
  const hits = /^hits +([\d,]+) pairs$/m.exec(stdout);
  console.log(
    `1,000,000 pairs in Chrome: ${(milliseconds / 1000).toFixed(1)} s, ${(bytes / 2 ** 20).toFixed(0)} MiB at most, ${hits?.[1]} hits`,
  );
  expect(stdout).toMatch(/^candidates +1,000,000 pairs, listed in the scene$/m);
  expect(Number(hits![1].replaceAll(',', ''))).toBeGreaterThan(400_000);
  expect(stdout).toMatch(/ 0 not converged, 0 invalid, 0 over capacity$/m);
  expect(milliseconds).toBeLessThan(LIMIT_MS);
  if (process.platform === 'linux') expect(bytes).toBeGreaterThan(2 ** 27);
  expect(bytes).toBeLessThan(LIMIT_BYTES);
});

test('two shards merged are byte for byte the report of the one run', { timeout: 300_000 }, async () => {
  const names = ['2', '1'];
  for (const args of [['--out', 'whole.json'], ...names.map((i) => ['--shard', `${i}/2`, '--out', `part-${i}.json`])]) {
    const { code, stderr } = await narrowphase('run', 'smaller.json', '--engine', 'chrome', ...args);
    expect(code, stderr).toBe(0);
  }
  const merged = await narrowphase('merge', ...names.map((i) => `part-${i}.json`), '--out', 'merged.json');
  expect(merged.code, merged.stderr).toBe(0);
  expect(await digest('merged.json')).toBe(await digest('whole.json'));
});
