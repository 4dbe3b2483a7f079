/** scripts/slow-tests.mjs, on reports like those of vitest. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const START = 1_800_000_000_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'slow-tests-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a report of files that took these milliseconds, and gives its path. */
function reportOf(name: string, files: Record<string, number>): string {
  const testResults = Object.entries(files).map(([file, milliseconds]) => ({
    name: join(root, file),
    startTime: START,
    endTime: START + milliseconds,
  }));
  const path = join(folder, `${name}.json`);
  writeFileSync(path, JSON.stringify({ testResults }));
  return path;
}

function run(...given: string[]): { status: number | null; lines: string[]; errors: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/slow-tests.mjs', ...given], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, lines: stdout.trimEnd().split('\n'), errors: stderr };
}

test('the files of all reports are printed, slowest first, and how many are over the limit', () => {
  const one = reportOf('one', { 'test/a.test.ts': 1500, 'test/b.test.ts': 61_000 });
  const other = reportOf('other', { 'test/c.test.ts': 7040 });
  expect(run(one, other)).toEqual({
    status: 0,
    lines: [
      '    61.0 s  test/b.test.ts',
      '     7.0 s  test/c.test.ts',
      '     1.5 s  test/a.test.ts',
      '    69.5 s  sum of 3 files, 1 of them over 60 s',
    ],
    errors: '',
  });
});

test('--most prints so many of them, and sums up all', () => {
  const report = reportOf('most', { 'test/a.test.ts': 1000, 'test/b.test.ts': 3000, 'test/c.test.ts': 2000 });
  expect(run('--most', '2', report).lines).toEqual([
    '     3.0 s  test/b.test.ts',
    '     2.0 s  test/c.test.ts',
    '     6.0 s  sum of 3 files, 0 of them over 60 s',
  ]);
});

test.each([
  [60_000, 0],
  [60_001, 1],
])('--strict: a file of %i ms gives the exit code %i', (milliseconds, code) => {
  const slow = reportOf(`slow-${milliseconds}`, { 'test/a.test.ts': 10, 'test/b.test.ts': milliseconds });
  const fast = reportOf(`fast-${milliseconds}`, { 'test/c.test.ts': 10 });
  expect(run('--strict', '--most', '1', fast, slow).status).toBe(code);
});

test('without a report it prints its usage', () => {
  const { status, errors } = run('--strict');
  expect([status, errors]).toEqual([2, expect.stringMatching(/^usage: /)]);
});
