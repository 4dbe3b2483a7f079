/** 100,000 clashes in bounded memory, in every format that takes so many. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { makeWorkplace } from './cli.ts';
import type { ClashJson } from './clash-scenes.ts';

const { folder, narrowphase, program, write, read, files } = makeWorkplace();

const COUNT = 100_000;
/** Size of the JavaScript heap. The JSON report alone has 20 MB. */
const CHECKING = { NODE_OPTIONS: '--max-old-space-size=96 --max-semi-space-size=4' };
const MERGING = { NODE_OPTIONS: '--max-old-space-size=16 --max-semi-space-size=2' };
const ON_CPU = ['clash', 'row.json', '--engine', 'cpu'];

beforeAll(async () => {
  // A row of boxes and balls, each 0.1 deep in the next.
  const bodies = Array.from({ length: COUNT + 1 }, (_, i) => ({
    shape: i % 2,
    position: [0.9 * i, 0, 0],
    name: `part ${i}`,
  }));
  const shapes = [
    { type: 'box', halfExtents: [0.5, 0.5, 0.5] },
    { type: 'sphere', radius: 0.5 },
  ];
  write('row.json', { version: 1, shapes, bodies, pairs: 'broad-phase' });
  for (const shard of ['1/2', '2/2']) {
    const { code, stderr } = await narrowphase([...ON_CPU, '--shard', shard, '--out', `part-${shard[0]}.json`]);
    expect(code, stderr).toBe(1);
  }
});

const FORMATS = ['json', 'csv', 'xml', 'html'];

/** The options that write a report in each of the formats. */
function outputs(name: string, formats: readonly string[]): string[] {
  return formats.flatMap((format) => ['--out', `${name}.${format}`]);
}

test('as JSON, CSV, JUnit XML and HTML', async () => {
  const { code, stderr } = await program([...ON_CPU, ...outputs('clashes', FORMATS)], { env: CHECKING });
  expect(code, stderr).toBe(1);
  expect(stderr).toContain('check failed: 100,000 clashes');
  for (const format of FORMATS)
    expect(statSync(join(folder, `clashes.${format}`)).size, format).toBeGreaterThan(format === 'html' ? 1e5 : 5e6);
});

test('merged from two shards', async () => {
  const formats = FORMATS.filter((format) => format !== 'html');
  const args = ['merge', 'part-1.json', 'part-2.json', ...outputs('merged', formats)];
  const { code, stderr } = await program(args, { env: MERGING });
  expect(code, stderr).toBe(1);
  for (const format of formats) expect(read(`merged.${format}`) === read(`clashes.${format}`), format).toBe(true);
});

test('as a baseline', async () => {
  const { code, stderr } = await narrowphase([...ON_CPU, '--baseline', 'merged.json', '--out', 'known.json']);
  expect(code, stderr).toBe(0);
  expect((JSON.parse(read('known.json')) as ClashJson).verdicts.known).toBe(COUNT);
});

test('are too many for BCF, which says so and writes nothing', async () => {
  const before = files();
  const { code, stdout, stderr } = await narrowphase([...ON_CPU, '--format', 'bcf', '--out', 'row.bcf']);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain('the report has 100000 clashes, expected at most 21844 for BCF: rules, ');
  expect(files()).toEqual(before);
});
