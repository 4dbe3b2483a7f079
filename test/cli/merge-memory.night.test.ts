/** `narrowphase merge` reads shards piece by piece. clash-many.night.test.ts has the same for reports of clashes. */
import { beforeAll, expect, test } from 'vitest';
import { CRATES, makeWorkplace } from './cli.ts';

const { narrowphase, program, write, read } = makeWorkplace();

const BODIES = 450;
const SHARDS = ['crowd-1.json', 'crowd-2.json'];

beforeAll(async () => {
  const bodies = {
    shapes: Array.from({ length: BODIES }, () => 1),
    positions: Array.from({ length: 3 * BODIES }, (_, i) => Math.sin(i)),
    quaternions: Array.from({ length: 4 * BODIES }, () => 1),
  };
  write('crowd.json', { ...CRATES, bodies, pairs: 'all', margin: 10 });
  for (const [i, out] of SHARDS.entries()) {
    const shard = ['--shard', `${i + 1}/${SHARDS.length}`, '--out', out, '--limit', '0'];
    const { code, stderr } = await narrowphase(['run', 'crowd.json', '--engine', 'cpu', ...shard]);
    expect(code, stderr).toBe(0);
  }
});

test.each(['json', 'csv', 'xml'])(
  'shards of many times the memory that the program may use are merged, as %s',
  async (ending) => {
    expect(SHARDS.reduce((sum, name) => sum + read(name).length, 0)).toBeGreaterThan(25e6);
    const env = { NODE_OPTIONS: '--max-old-space-size=16 --max-semi-space-size=2' };
    const out = `merged.${ending}`;
    const { code, stderr } = await program(['merge', ...SHARDS, '--out', out], { env });
    expect(code, stderr).toBe(0);
    expect(read(out).split('\n').length).toBeGreaterThan((BODIES * (BODIES - 1)) / 2);
  },
);
