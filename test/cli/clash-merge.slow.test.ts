/** Shards of clash checks: merged, they are the bytes of one run in every format; and what merge refuses. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { block, compoundOf, meshOf } from '../helpers/voxels.ts';
import { makeClashAssembly } from '../helpers/clash-assembly.ts';
import { atNight } from '../helpers/night.ts';
import { makeWorkplace } from './cli.ts';
import { ODD_NAMES, type ClashJson } from './clash-scenes.ts';

const { folder, narrowphase, write, read, files } = makeWorkplace();

const ASSEMBLY = makeClashAssembly(3, atNight(100, 250), atNight(6, 12)).scene;
const FORMATS = ['json', 'csv', 'junit', 'bcf', 'bcf3', 'html'] as const;
/** Clashes of convex bodies, compounds and meshes, with names of all kinds. */
const SCENE = {
  ...ASSEMBLY,
  shapes: [
    ...ASSEMBLY.shapes,
    ...ODD_NAMES.shapes,
    meshOf(block([3, 3, 1], (i, j) => i === 1 && j === 1)),
    compoundOf(block([2, 1, 1])),
  ],
  bodies: [
    ...ASSEMBLY.bodies,
    ...ODD_NAMES.bodies.map(({ position: [x], name }, i) => ({
      shape: ASSEMBLY.shapes.length + (i % 3),
      position: [x, -20, 0],
      quaternion: [0, 0, 0, 1],
      name,
    })),
  ],
  allowed: [['cell 1 *', 'cell 1 *']],
};
const ON_CPU = ['clash', 'scene.json', '--engine', 'cpu', '--tolerance', '0.001', '--clearance', '0.05'];

/** Runs a command that fails its check, with a report; gives the report's bytes. */
async function failing(args: string[], env?: Record<string, string>): Promise<Buffer> {
  const out = args[args.indexOf('--out') + 1];
  const { code, stderr } = await narrowphase(args, { env });
  expect(code, stderr).toBe(1);
  return readFileSync(join(folder, out));
}

async function shards(prefix: string, count: number, ...more: string[]): Promise<string[]> {
  const names = Array.from({ length: count }, (_, i) => `${prefix}-${i + 1}-of-${count}.json`);
  for (const [i, name] of names.entries()) {
    const { code, stderr } = await narrowphase([...ON_CPU, '--shard', `${i + 1}/${count}`, '--out', name, ...more]);
    expect([0, 1], stderr).toContain(code);
  }
  return names;
}

let three: string[];
beforeAll(async () => {
  write('scene.json', SCENE);
  three = await shards('part', 3);
}, 300_000);

test('the shards together have all clashes, and each shard has several categories', async () => {
  const reports = three.map((name) => JSON.parse(read(name)) as ClashJson);
  for (const { categories } of reports)
    expect(Object.values(categories).filter((n) => n > 0).length).toBeGreaterThan(1);
  expect(reports.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(atNight(50, 100));
});

describe('the merged report is that of one run, byte for byte', () => {
  test.each(atNight<readonly (typeof FORMATS)[number][]>(['json', 'html'], FORMATS))(
    'of three shards as %s',
    async (format) => {
      const whole = await failing([...ON_CPU, '--format', format, '--out', 'whole']);
      const merge = ['merge', ...[...three].reverse(), '--scene', 'scene.json', '--format', format, '--out', 'merged'];
      expect((await failing(merge)).equals(whole)).toBe(true);
    },
  );

  test.each(atNight([4], [1, 2, 4, 7]))('of %i shards', async (count) => {
    const whole = await failing([...ON_CPU, '--out', 'whole.json']);
    expect((await failing(['merge', ...(await shards('other', count)), '--out', 'merged.json'])).equals(whole)).toBe(
      true,
    );
  });

  test('the table too, except for the times', async () => {
    const whole = await narrowphase([...ON_CPU, '--limit', '20']);
    const { stdout } = await narrowphase(['merge', ...three, '--limit', '20']);
    expect(stdout).toBe(whole.stdout.replace(/\nload [^]*?\ntotal .*\n/, ''));
  });

  test('with rules and a baseline', async () => {
    write('rules.json', { rules: [{ between: ['cell *', '*'], clearance: 0.03 }] });
    await failing(['merge', ...three, '--out', 'baseline.json']);
    const known = JSON.parse(read('baseline.json')) as ClashJson;
    known.clashes = known.clashes.filter((_, i) => i % 2 === 0);
    const count = known.clashes.length;
    const categories = { ...known.categories };
    const verdicts = { ...known.verdicts };
    for (const key of Object.keys(categories)) {
      categories[key as keyof typeof categories] = known.clashes.filter(({ category }) => category === key).length;
    }
    for (const key of Object.keys(verdicts)) {
      verdicts[key as keyof typeof verdicts] = known.clashes.filter(({ verdict }) => verdict === key).length;
    }
    const check = { passed: false, failed: verdicts.fail, unanswered: 0 };
    write('baseline.json', { ...known, count, categories, verdicts, check });
    const more = ['--rules', 'rules.json', '--baseline', 'baseline.json'];
    const whole = await failing([...ON_CPU, ...more, '--out', 'whole.json']);
    expect((JSON.parse(whole.toString()) as ClashJson).verdicts.known).toBeGreaterThan(atNight(10, 20));
    const names = await shards('known', 3, ...more);
    expect((await failing(['merge', ...names, '--out', 'merged.json'])).equals(whole)).toBe(true);
  });
});

describe('the shard is that of the CI system', () => {
  test.each<[string, (index: number) => Record<string, string>, string[]]>([
    ['GitLab', (i) => ({ CI_NODE_INDEX: String(i), CI_NODE_TOTAL: '3' }), []],
    ['Kubernetes', (i) => ({ JOB_COMPLETION_INDEX: String(i - 1) }), ['--shards', '3']],
    ['a system that sets the index alone', (i) => ({ CI_NODE_INDEX: String(i) }), ['--shards', '3']],
  ])('%s', async (_, env, args) => {
    for (const i of atNight([2], [1, 2, 3])) {
      expect(
        (await failing([...ON_CPU, ...args, '--out', 'part.json'], env(i))).toString() === read(three[i - 1]),
      ).toBe(true);
    }
    const run = await narrowphase(['run', 'scene.json', '--engine', 'cpu', '--format', 'json', ...args], {
      env: env(2),
    });
    expect((JSON.parse(run.stdout) as { shard: unknown }).shard).toMatchObject({ index: 2, count: 3 });
  });

  test('--shard overrides variables', async () => {
    const env = { CI_NODE_INDEX: '2', CI_NODE_TOTAL: '3', JOB_COMPLETION_INDEX: '1' };
    const part = await failing([...ON_CPU, '--shard', '1/3', '--out', 'part.json'], env);
    expect(part.toString() === read(three[0])).toBe(true);
  });

  test.each<[Record<string, string>, string[], RegExp]>([
    [{}, ['--shards', '3'], /--shards is 3, expected JOB_COMPLETION_INDEX or CI_NODE_INDEX/],
    [
      { JOB_COMPLETION_INDEX: '3' },
      ['--shards', '3'],
      /JOB_COMPLETION_INDEX is "3", expected a whole number from 0 to 2/,
    ],
    [{ CI_NODE_INDEX: '0', CI_NODE_TOTAL: '3' }, [], /CI_NODE_INDEX is "0", expected a whole number from 1 to 3/],
    [{ CI_NODE_INDEX: '1', CI_NODE_TOTAL: 'x' }, [], /CI_NODE_TOTAL is "x", expected a whole number from 1 to /],
    [{}, ['--shard', '1/3', '--shards', '3'], /--shard 1\/3 and --shards 3 are both given, expected one of them/],
  ])('refuses %j %j', async (env, args, message) => {
    for (const command of ['clash', 'run']) {
      const { code, stderr } = await narrowphase([command, 'scene.json', '--engine', 'cpu', ...args], { env });
      expect(code).toBe(2);
      expect(stderr).toMatch(message);
    }
  });
});

/** Exit code 2, one line, nothing written. */
async function complaint(...args: string[]): Promise<string> {
  const before = files();
  const { code, stdout, stderr } = await narrowphase(['merge', ...args, '--out', 'new.json']);
  expect(code, stderr).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(files()).toEqual(before);
  return stderr;
}

/** What is said of the second shard after a change. */
async function complaintOf(change: (report: ClashJson) => unknown): Promise<string> {
  const report = JSON.parse(read(three[1])) as ClashJson;
  write('bad.json', change(report) ?? report);
  return complaint(three[0], 'bad.json', three[2]);
}

describe('an incomplete or mixed set of shards is refused', () => {
  test('a missing shard, one given twice, the whole', async () => {
    expect(await complaint(three[0], three[2])).toContain('shard 2 of 3 is missing');
    expect(await complaint(...three, three[0])).toContain('is given twice');
    await failing([...ON_CPU, '--out', 'whole.json']);
    expect(await complaint('whole.json')).toContain('whole.json: shard is null, expected a shard');
  });

  test('shards of other limits, another scene, another command', async () => {
    await failing([...ON_CPU, '--fail-on', 'overlap', '--shard', '2/3', '--out', 'other.json']);
    expect(await complaint(three[0], 'other.json', three[2])).toContain('other.json: failOn is ["overlap"], expected ');
    await narrowphase(['run', 'scene.json', '--engine', 'cpu', '--shard', '2/3', '--out', 'run.json']);
    expect(await complaint(three[0], 'run.json', three[2])).toMatch(/^run\.json: /);
    write('elsewhere.json', { ...SCENE, name: 'elsewhere' });
    expect(await complaint(...three, '--scene', 'elsewhere.json')).toContain(
      'elsewhere.json: the file has the SHA-256 ',
    );
    const html = await narrowphase(['merge', ...three, '--format', 'html']);
    expect([html.code, html.stdout]).toEqual([2, '']);
    expect(html.stderr).toContain('HTML is asked for without --scene FILE');
    expect(await complaint(...three, '--fail-on-overlap')).toContain('--fail-on-overlap is given for reports of clash');
    for (const option of ['--scene=scene.json', '--up=y', '--date=2026-01-01', '--hulls']) {
      expect(await complaint('run.json', option)).toContain(`${option.split('=')[0]} is given for reports of run`);
    }
  });

  test.each<[string, (report: ClashJson) => unknown, string]>([
    ['a clash too many', (report) => void report.clashes.push(report.clashes[0]), 'expected'],
    ['a wrong count', (report) => ({ ...report, count: report.count + 1 }), 'categories'],
    ['a wrong check', (report) => ({ ...report, check: { passed: true, failed: 0, unanswered: 0 } }), 'check is '],
    [
      'an unknown category',
      (report) => void Object.assign(report.clashes[0], { category: 'crash' }),
      'clashes[0].category is "crash"',
    ],
    [
      'a distance of another category',
      (report) => void Object.assign(report.clashes[0], { distance: 9 }),
      'clashes[0].distance is 9',
    ],
    [
      'a null distance',
      (report) => void Object.assign(report.clashes[0], { distance: null }),
      'clashes[0].distance is null',
    ],
    [
      'a vector too short',
      (report) => void Object.assign(report.clashes[0], { normal: [1, 0] }),
      'clashes[0].normal is [1,0]',
    ],
    ['a pair out of order', (report) => void report.clashes.reverse(), 'pairs in ascending order'],
    [
      'an unknown field',
      (report) => void Object.assign(report.clashes[0], { colour: 'red' }),
      'clashes[0].colour is unknown',
    ],
    ['clashes that are no list', (report) => ({ ...report, clashes: {} }), 'clashes'],
  ])('%s', async (_, change, message) => {
    expect(await complaintOf(change)).toContain(message);
  });
});
