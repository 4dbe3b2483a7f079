/** `narrowphase clash`: categories, rules, baselines, verdicts and exit codes, and what it refuses. */

import { beforeAll, describe, expect, test } from 'vitest';
import { makeWorkplace } from './cli.ts';
import { PLANT, type ClashJson } from './clash-scenes.ts';

const { narrowphase, write, read, files } = makeWorkplace();

beforeAll(() => {
  write('plant.json', PLANT);
});

const ON_CPU = ['clash', 'plant.json', '--engine', 'cpu', '--clearance', '0.05'];

async function check(...args: string[]): Promise<{ code: number | null; stderr: string; report: ClashJson }> {
  const { code, stdout, stderr } = await narrowphase([...ON_CPU, '--format', 'json', ...args]);
  expect(stdout, stderr).not.toBe('');
  return { code, stderr, report: JSON.parse(stdout) as ClashJson };
}

function listed({ clashes }: ClashJson): string[] {
  return clashes.map(({ a, b, category, verdict, distance }) => {
    const rounded = Math.round(distance * 1e6) / 1e6 + 0;
    return `${a} + ${b}: ${category} ${rounded} ${verdict}`;
  });
}

test('each clash has its category and depth or gap, and the check fails with 1', async () => {
  const { code, stderr, report } = await check();
  expect(code).toBe(1);
  expect(stderr).toMatch(/\nnarrowphase: check failed: 5 clashes\n$/);
  expect(listed(report)).toEqual([
    'pipe-1 + beam-1: overlap -0.05 fail',
    'pipe-1 + beam-2: touching 0 pass',
    'pipe-1 + beam-3: clearance 0.03 fail',
    'pipe-2 + pipe-2 again: duplicate -0.2 fail',
    'pipe-2 + lost bolt: contained -0.06 fail',
    'pipe-2 again + lost bolt: contained -0.06 fail',
  ]);
  const overlap = report.clashes[0];
  expect(Object.keys(overlap).join(' ')).toBe(
    'pair a b bodyA bodyB category verdict distance source point normal size',
  );
  expect(overlap).toMatchObject({ pair: 0, bodyA: 0, bodyB: 1, source: 'exact' });
  expect(overlap.normal[2]).toBeCloseTo(1, 6);
  expect(overlap.point[2]).toBeCloseTo(0.075, 6);
  expect(report.clashes[4].inside).toBe('b');
  expect(report).toMatchObject({
    command: 'clash',
    tolerance: 1e-4,
    clearance: 0.05,
    rules: null,
    failOn: ['overlap', 'contained', 'duplicate', 'clearance'],
    count: 6,
    categories: { overlap: 1, contained: 2, duplicate: 1, touching: 1, clearance: 1 },
    verdicts: { fail: 5, known: 0, allowed: 0, pass: 1 },
    check: { passed: false, failed: 5, unanswered: 0 },
  });
});

test('--fail-on names the categories that fail', async () => {
  expect((await check('--fail-on', 'touching')).report.check.failed).toBe(1);
  expect((await check('--fail-on', 'overlap,contained')).report.check.failed).toBe(3);
  const none = await check('--fail-on', 'none');
  expect(none.code).toBe(0);
  expect(none.report.verdicts).toEqual({ fail: 0, known: 0, allowed: 0, pass: 6 });
});

test('--tolerance makes overlaps touch and gaps close', async () => {
  const { report } = await check('--tolerance', '0.055', '--clearance', '0.04');
  expect(listed(report)).toContain('pipe-1 + beam-1: touching -0.05 pass');
  expect(listed(report)).toContain('pipe-1 + beam-3: touching 0.03 pass');
});

test('--pairs and --rules limit the check', async () => {
  const pairs = await check('--pairs', 'pipe-1:beam*', '--pairs', 'lost*:pipe-2');
  expect(listed(pairs.report)).toEqual([
    'pipe-1 + beam-1: overlap -0.05 fail',
    'pipe-1 + beam-2: touching 0 pass',
    'pipe-1 + beam-3: clearance 0.03 fail',
    'pipe-2 + lost bolt: contained -0.06 fail',
  ]);
  expect(pairs.report.clashes[3].rule).toBe('lost*:pipe-2');
  write('rules.json', {
    groups: { steel: ['beam*'] },
    rules: [{ name: 'steel', between: ['pipe*', 'steel'], clearance: 0.02 }],
    ignore: [['pipe-1', 'beam-1']],
  });
  const rules = await check('--rules', 'rules.json');
  expect(listed(rules.report)).toEqual(['pipe-1 + beam-2: touching 0 pass']);
  expect(rules.code).toBe(0);
});

test('clashes that the scene or --allow allows are listed and do not fail', async () => {
  write('allowed.json', { ...PLANT, allowed: [['pipe-1', 'beam-?']] });
  const { code, stdout } = await narrowphase(
    'clash allowed.json --engine cpu --format json --allow pipe-2*:*'.split(' '),
  );
  expect(code).toBe(0);
  expect(new Set((JSON.parse(stdout) as ClashJson).clashes.map(({ verdict }) => verdict))).toEqual(
    new Set(['allowed']),
  );
});

describe('a baseline', () => {
  test('makes its clashes known; new and deeper clashes fail', async () => {
    await narrowphase([...ON_CPU, '--out', 'baseline.json']);
    const same = await check('--baseline', 'baseline.json');
    expect(same.code).toBe(0);
    expect(same.report.verdicts).toEqual({ fail: 0, known: 5, allowed: 0, pass: 1 });
    expect(same.report.baseline).toMatchObject({ file: 'baseline.json', clashes: 6, found: 6 });
    const changed = structuredClone(PLANT);
    // Deeper, gone, and new; bodies change their place in the file.
    changed.bodies[1].position = [0, 0, 0.14];
    changed.bodies.splice(6, 1);
    changed.bodies[4].position = [0, 1.8, 0.24];
    changed.bodies.reverse();
    write('changed.json', changed);
    const { code, stdout } = await narrowphase(
      'clash changed.json --engine cpu --clearance 0.05 --baseline baseline.json --out changed-report.json'.split(' '),
    );
    expect(code).toBe(1);
    expect(stdout).toContain('of the baseline no longer there');
    const report = JSON.parse(read('changed-report.json')) as ClashJson;
    expect(listed(report).sort()).toEqual([
      'beam-1 + pipe-1: overlap -0.06 fail',
      'beam-2 + pipe-1: touching 0 pass',
      'beam-3 + pipe-1: clearance 0.03 known',
      'beam-4 + pipe-1: clearance 0.04 fail',
      'lost bolt + pipe-2: contained -0.06 known',
    ]);
  });

  test('of one shard is refused', async () => {
    await narrowphase([...ON_CPU, '--shard', '1/2', '--out', 'part.json']);
    const { code, stderr } = await narrowphase([...ON_CPU, '--baseline', 'part.json']);
    expect(code).toBe(2);
    expect(stderr).toBe(
      'part.json: shard is 1 of 2, expected the report of all pairs; merge makes it from the shards\n',
    );
  });
});

test('several files are written at once, and the table is printed', async () => {
  const outs = ['all.json', 'all.csv', 'all.xml', 'all.bcf', 'all.html'];
  const { stdout } = await narrowphase([...ON_CPU, ...outs.flatMap((file) => ['--out', file])]);
  expect(stdout).toMatch(/^clashes +6: 1 overlap, 2 contained, 1 duplicate, 1 touching, 1 clearance$/m);
  expect(stdout).toMatch(/^ +fail +duplicate +pipe-2 +pipe-2 again +-0\.20000 +exact /m);
  for (const file of outs) expect(read(file).length, file).toBeGreaterThan(500);
});

test('a scene without bodies passes in every format', async () => {
  write('empty.json', { version: 1, shapes: [], bodies: [], pairs: 'broad-phase' });
  for (const format of ['table', 'json', 'csv', 'junit', 'bcf', 'bcf3', 'html']) {
    const { code, stdout, stderr } = await narrowphase(['clash', 'empty.json', '--engine', 'cpu', '--format', format]);
    expect([code, stderr]).toEqual([0, 'narrowphase: 0 candidate pairs of 0 bodies on cpu\n']);
    expect(stdout).not.toBe('');
  }
});

test('no stray output: reports go to stdout, progress and notices to stderr', async () => {
  const { stdout, stderr } = await narrowphase([...ON_CPU, '--format', 'csv']);
  expect(stdout.split('\r\n').filter(Boolean).length).toBe(7);
  expect(stderr).toBe('narrowphase: 6 candidate pairs of 8 bodies on cpu\nnarrowphase: check failed: 5 clashes\n');
});

test('--help lists the command and its options', async () => {
  const { stdout } = await narrowphase(['--help']);
  expect(stdout).toMatch(/^ {2}narrowphase clash SCENE /m);
  for (const option of ['--clearance', '--pairs', '--rules', '--baseline', '--fail-on', '--shards', '--up', '--date']) {
    expect(stdout).toContain(`\n  ${option} `);
  }
});

describe('bad usage and bad input end with 2, one line, and nothing written', () => {
  beforeAll(() => {
    write('two-planes.json', {
      version: 1,
      shapes: [{ type: 'halfspace', normal: [0, 1, 0], offset: 0 }],
      bodies: [
        { shape: 0, position: [0, 0, 0], name: 'floor' },
        { shape: 0, position: [0, 1, 0] },
      ],
      pairs: [[0, 1]],
    });
    write('no-json.json', '{"rules": ');
    write('odd-rules.json', { rules: [{ between: ['pipe*', 'beem*'] }] });
    write('no-report.json', { version: 1 });
    write('run-report.json', { version: 1, contacts: [] });
    write('huge.json', `{"rules": "${'x'.repeat(17 * 2 ** 20)}"}`);
  });

  test.each<[string[], string | RegExp]>([
    [['clash'], 'narrowphase: clash takes one scene file, 0 given (see narrowphase --help)'],
    [['clash', 'plant.json', 'plant.json'], /clash takes one scene file, 2 given/],
    [['clash', 'none.json'], /^none\.json: cannot be read: ENOENT/],
    [
      ['clash', 'two-planes.json'],
      'two-planes.json: pairs[0] is ["floor",1], expected at least one bounded body: two half-spaces have no distance',
    ],
    [['clash', 'plant.json', '--fail-on', 'overlaps'], /--fail-on is "overlaps", expected overlap, contained, /],
    [['clash', 'plant.json', '--fail-on', ''], /--fail-on is "", expected overlap, contained, /],
    [['clash', 'plant.json', '--clearance', '-1'], /--clearance is "-1", expected a finite number of at least 0/],
    [['clash', 'plant.json', '--tolerance', 'NaN'], /--tolerance is "NaN", expected a finite number of at least 0/],
    [['clash', 'plant.json', '--pairs', 'pipe*'], /--pairs is "pipe\*", expected A:B/],
    [['clash', 'plant.json', '--pairs', 'pipe*:bean*'], /the nearest name is "beam-1"/],
    [['clash', 'plant.json', '--pairs', 'a:b', '--rules', 'x'], /--pairs and --rules are both given, expected one/],
    [['clash', 'plant.json', '--rules', 'none.json'], /^none\.json: cannot be read: ENOENT/],
    [['clash', 'plant.json', '--rules', 'no-json.json'], /^no-json\.json: line 1, column \d+: /],
    [['clash', 'plant.json', '--rules', 'odd-rules.json'], /^odd-rules\.json: rules\[0\]\.between\[1\] is "beem\*"/],
    [['clash', 'plant.json', '--rules', 'huge.json'], /^huge\.json: the file has more than 16777216 bytes/],
    [['clash', 'plant.json', '--baseline', 'none.json'], /^none\.json: /],
    [['clash', 'plant.json', '--baseline', 'no-report.json'], /^no-report\.json: is not a JSON report of clash/],
    [['clash', 'plant.json', '--baseline', 'run-report.json'], /^run-report\.json: /],
    [['clash', 'plant.json', '--baseline', 'plant.json'], /^plant\.json: /],
    [
      ['clash', 'plant.json', '--format', 'pdf'],
      /--format is "pdf", expected table, json, csv, junit, bcf, bcf3 or html/,
    ],
    [['clash', 'plant.json', '--date', '1979-12-31'], /--date is "1979-12-31", expected a date of 1980 to 2107/],
    [['clash', 'plant.json', '--date', '2026-02-30x'], /--date is "2026-02-30x"/],
    [['clash', 'plant.json', '--up', 'x'], /--up is "x", expected y or z/],
    [['clash', 'plant.json', '--shard', '3/2'], /--shard is "3\/2", expected I\/N/],
    [['clash', 'plant.json', '--query', 'contacts'], /Unknown option '--query'/],
    [['clash', 'plant.json', '--out', 'plant.json'], /--out plant\.json would overwrite an input/],
    [['clash', 'plant.json', '--rules', 'odd-rules.json', '--out', 'odd-rules.json'], /^odd-rules\.json: /],
  ])('%j', async (args, message) => {
    const before = files();
    const { code, stdout, stderr } = await narrowphase([
      ...args,
      ...(args.includes('--out') ? [] : ['--out', 'new.json']),
    ]);
    expect(code, stderr).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^[^\n]+\n$/);
    if (typeof message === 'string') expect(stderr).toBe(`${message}\n`);
    else expect(stderr).toMatch(message);
    expect(files()).toEqual(before);
    expect(JSON.parse(read('plant.json'))).toEqual(PLANT);
  });
});
