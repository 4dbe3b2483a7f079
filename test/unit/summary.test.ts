/** bench/results/summary.md, which the README's tables come from, is made from the reports beside it. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);

test('the summary is up to date with its reports', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/summary.mjs', '--check'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
});

test('the engines of the summary have no wrong answer', () => {
  const [, accuracy] = readFileSync(new URL('bench/results/summary.md', root), 'utf8').split('## Accuracy');
  const rows = accuracy
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()));
  expect(rows.length).toBe(4);
  for (const [, engine, , , ...faults] of rows) expect(faults.slice(0, 4), engine).toEqual(['0', '0', '0', '0']);
});
