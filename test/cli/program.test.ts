/** The built program: each command once as a process, with its exit code and its streams. Other tests call it from source. */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CRATES, makeWorkplace } from './cli.ts';

const { program, write, read } = makeWorkplace();
write('crates.json', CRATES);
write('pair.json', readFileSync(new URL('../../verification/captures/fcl-388.json', import.meta.url)));

const NO_DRIVER = { VK_DRIVER_FILES: 'none.json', VK_ICD_FILENAMES: 'none.json' };
const CPU = ['--engine', 'cpu'];

test.each<[string[], number, stdout: RegExp, stderr: RegExp]>([
  [['--help'], 0, /^ *narrowphase run SCENE/m, /^$/],
  [['--version'], 0, /^\d+\.\d+\.\d+\S*\n$/, /^$/],
  [['walk'], 2, /^$/, /^narrowphase: unknown command "walk", expected .*\n$/],
  [['run', 'crates.json', ...CPU], 0, /^hits +1 pair$/m, /^narrowphase: 6 candidate pairs of 4 bodies on cpu\n$/],
  [['run', 'crates.json', ...CPU, '--fail-on-overlap'], 1, /^check +failed: 1 pair/m, /check failed: 1 pair overl/],
  [['run', 'none.json', ...CPU], 2, /^$/, /^none\.json: cannot be read: ENOENT[^\n]*\n$/],
  [['run', 'crates.json', '--engine', 'dawn'], 3, /^$/, /^narrowphase: engine dawn cannot run: /m],
  [['clash', 'crates.json', ...CPU], 1, /overlap/, /check failed: 1 clash/],
  [['inspect', 'pair.json'], 0, /^Capture pair\.json\n/, /^$/],
  [['verify', 'crates.json', ...CPU], 0, /^outcome +passed: no fault$/m, /^(narrowphase: [^\n]*\n)*$/],
  [['conformance', ...CPU, '--pairs', '2', '--judged', '1', '--families', 'sphere/box'], 0, /^Passed\.$/m, /^$/],
  [['devices', 'crates.json'], 2, /^$/, /^narrowphase: devices takes no file, 1 given .*\n$/],
])('narrowphase %j ends with %i', async (args, code, stdout, stderr) => {
  const ended = await program(args, { env: NO_DRIVER });
  expect(ended.stdout).toMatch(stdout);
  expect(ended.stderr).toMatch(stderr);
  expect(ended.code).toBe(code);
});

test('a scene comes on stdin, shards go to files, and merge makes one report of them', async () => {
  const input = JSON.stringify(CRATES);
  for (const i of [1, 2]) {
    const args = ['run', '-', ...CPU, '--shard', `${i}/2`, '--out', `part-${i}.json`];
    expect(await program(args, { input })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`wrote part-${i}`),
    });
  }
  const merged = await program(['merge', 'part-2.json', 'part-1.json', '--out', 'merged.json']);
  expect(merged).toMatchObject({ code: 0, stderr: 'narrowphase: wrote merged.json\n' });
  expect(JSON.parse(read('merged.json'))).toMatchObject({ hits: 1, contacts: [{ pair: 0, a: 0, b: 1 }] });
});
