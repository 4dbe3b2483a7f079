/** A large scene in Chrome in two parts: merged, they are the report of one run. */
import { expect, test } from 'vitest';
import { makeCrowdScene } from '../../verification/families/crowd-scene.ts';
import { makeWorkplace } from './cli.ts';

const PAIRS = 100_000;

const { narrowphase, write, read } = makeWorkplace();

test('two shards merged are byte for byte the report of the one run', async () => {
  write('crowd.json', makeCrowdScene(PAIRS));
  const names = ['2', '1'];
  for (const args of [['--out', 'whole.json'], ...names.map((i) => ['--shard', `${i}/2`, '--out', `part-${i}.json`])]) {
    const { code, stderr } = await narrowphase(['run', 'crowd.json', '--engine', 'chrome', ...args]);
    expect(code, stderr).toBe(0);
  }
  const merged = await narrowphase(['merge', ...names.map((i) => `part-${i}.json`), '--out', 'merged.json']);
  expect(merged.code, merged.stderr).toBe(0);
  expect(read('merged.json') === read('whole.json')).toBe(true);
});
