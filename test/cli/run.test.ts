import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { atNight } from '../helpers/night.ts';
import { CRATES, makeWorkplace, PROGRAM } from './cli.ts';
import type { Ended, Report } from './cli.ts';

const { narrowphase, program, write, read, folder } = makeWorkplace();
write('crates.json', CRATES);
write('apart.json', {
  ...CRATES,
  pairs: [
    [0, 2],
    [0, 3],
  ],
});

async function report(...args: string[]): Promise<Report> {
  const { code, stdout, stderr } = await narrowphase(['run', 'crates.json', '--format', 'json', ...args]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Report;
}

describe.each(['cpu', 'dawn'])('on engine %s', (engine) => {
  test('contacts: the crates overlap by a tenth along x', async () => {
    const { contacts, ...facts } = await report('--engine', engine);
    expect(facts).toEqual({
      version: 1,
      generator: expect.stringMatching(/^narrowphase \d+\.\d+\.\d+/) as string,
      scene: {
        file: 'crates.json',
        sha256: createHash('sha256').update(read('crates.json')).digest('hex'),
        name: 'crates',
        bodies: 4,
        bodiesByType: { box: 2, sphere: 1, hull: 1 },
        shapesByType: { box: 1, sphere: 1, hull: 1 },
        pairs: 'all',
      },
      query: { name: 'contacts', margin: 0 },
      engines: [
        {
          name: engine,
          backend: engine === 'cpu' ? 'cpu' : 'webgpu',
          runtime: expect.stringMatching(/./) as string,
          adapter: {
            vendor: expect.any(String) as string,
            architecture: expect.any(String) as string,
            description: expect.any(String) as string,
            isSoftware: expect.any(Boolean) as boolean,
          },
          fallback: null,
        },
      ],
      candidatePairs: 6,
      shard: null,
      hits: 1,
      statusCounts: { separated: 5, overlapping: 1, notConverged: 0, invalidInput: 0, capacityExceeded: 0 },
      check: null,
    });
    expect(contacts).toHaveLength(1);
    expect(contacts[0]).toMatchObject({ pair: 0, a: 0, b: 1, nameA: 'left', shapeB: 'box', status: 'overlapping' });
    expect(contacts[0].distance).toBeCloseTo(-0.1, 5);
    [1, 0, 0].forEach((x, k) => expect(contacts[0].normal![k]).toBeCloseTo(x, 5));
    expect(contacts[0].pointA![0]).toBeCloseTo(0.5, 5);
    expect(contacts[0].pointB![0]).toBeCloseTo(0.4, 5);
  });

  test('the same question has the same report, byte for byte', async () => {
    const args = ['run', 'crates.json', '--engine', engine, '--margin', '100', '--format', 'json'];
    expect((await narrowphase(args)).stdout).toBe((await narrowphase(args)).stdout);
  });

  test('distances: every pair, overlap unresolved', async () => {
    const { query, contacts } = await report('--engine', engine, '--query', 'distances');
    expect(query).toEqual({ name: 'distances', margin: null });
    expect(contacts.map(({ pair }) => pair)).toEqual([0, 1, 2, 3, 4, 5]);
    [0, 1.4, 49.5, 0.5, 48.6, 47.1].forEach((distance, i) => expect(contacts[i].distance).toBeCloseTo(distance, 4));
  });

  test('intersects: hits without geometry', async () => {
    const { contacts } = await report('--engine', engine, '--query', 'intersects');
    expect(contacts).toHaveLength(1);
    expect(contacts[0]).toMatchObject({ pair: 0, status: 'overlapping' });
    expect(contacts[0]).not.toHaveProperty('distance');
  });
});

// The report is made of the answers of any engine.
describe.each(atNight(['cpu'], ['cpu', 'dawn']))('a report of engine %s', (engine) => {
  test('a shard is asked about its own pairs, whose indices are those of the whole list', async () => {
    const { candidatePairs, shard, hits, statusCounts, contacts } = await report(
      '--engine',
      engine,
      '--margin',
      '100',
      '--shard',
      '2/4',
    );
    expect(candidatePairs).toBe(6);
    expect(shard).toEqual({ index: 2, count: 4, firstPair: 1, pairs: 2 });
    expect(hits).toBe(2);
    expect(statusCounts).toMatchObject({ separated: 2, overlapping: 0 });
    expect(contacts.map(({ pair, a, b }) => [pair, a, b])).toEqual([
      [1, 0, 2],
      [2, 0, 3],
    ]);
  });

  test('more shards than pairs: some are empty', async () => {
    const { shard, hits, contacts } = await report('--engine', engine, '--shard', '1/7');
    expect(shard).toEqual({ index: 1, count: 7, firstPair: 0, pairs: 0 });
    expect([hits, contacts]).toEqual([0, []]);
  });

  test('a margin lists the pairs up to it', async () => {
    const { query, hits, contacts } = await report('--engine', engine, '--margin', '0.55');
    expect(query.margin).toBe(0.55);
    expect(hits).toBe(2);
    expect(contacts.map(({ pair, status }) => [pair, status])).toEqual([
      [0, 'overlapping'],
      [3, 'separated'],
    ]);
    expect(contacts[1].distance).toBeCloseTo(0.5, 5);
  });

  test('the check fails with 1 where pairs overlap, and passes with 0 where none does', async () => {
    const failed = await narrowphase(['run', 'crates.json', '--engine', engine, '--fail-on-overlap']);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain('check failed: 1 pair overlapping');
    expect(failed.stdout).toMatch(/^check +failed: 1 pair overlapping$/m);
    const passed = await narrowphase(['run', 'apart.json', '--engine', engine, '--fail-on-overlap']);
    expect(passed.code, passed.stderr).toBe(0);
    expect(passed.stdout).toMatch(/^check +passed/m);
  });

  test('the table names the contact, and fits 100 columns', async () => {
    const { code, stdout } = await narrowphase(['run', 'crates.json', '--engine', engine]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Deepest contacts \(1 of 1\)$/m);
    for (const label of ['load', 'pairs', 'start', 'compile', 'kernels', 'read-back', 'total']) {
      expect(stdout).toMatch(new RegExp(`^${label} +\\d+\\.\\d ms$`, 'm'));
    }
    expect(stdout).toMatch(/^query time +\d+\.\d ms, [\d.,]+ (M )?pairs\/s$/m);
    expect(stdout).toMatch(/^ +0 +0 left +1 right +0\.10000 +1\.000 +0\.000 +0\.000 +box \/ box$/m);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
    // oxlint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  test('an empty scene has no pairs', async () => {
    write('empty.json', { version: 1, shapes: [], bodies: [], pairs: 'broad-phase' });
    const { code, stdout, stderr } = await narrowphase(['run', 'empty.json', '--engine', engine, '--fail-on-overlap']);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^candidates +0 pairs, from the broad phase$/m);
  });
});

test('auto takes no software adapter but the CPU, and names the adapter', async () => {
  const [dawn] = (await report('--engine', 'dawn')).engines;
  expect(dawn).toMatchObject({ name: 'dawn', backend: 'webgpu', adapter: { isSoftware: true }, fallback: null });
  const [engine] = (await report()).engines;
  expect(engine).toMatchObject({ name: 'cpu', backend: 'cpu' });
  expect(engine.fallback).toMatch(/no hardware adapter, only a software one \(.+\)/);
});

test('without an adapter auto falls back to the CPU and says so, and dawn ends with 3', async () => {
  const env = { VK_DRIVER_FILES: 'none.json', VK_ICD_FILENAMES: 'none.json' };
  const fallback = await narrowphase(['run', 'crates.json', '--format', 'json'], { env });
  expect(fallback.code).toBe(0);
  expect(fallback.stderr).toContain('no WebGPU, running on the CPU');
  const [engine] = (JSON.parse(fallback.stdout) as Report).engines;
  expect(engine.backend).toBe('cpu');
  expect(engine.fallback).not.toBeNull();
  expect((await narrowphase(['run', 'crates.json'], { env })).stdout).toMatch(
    /^engine +cpu on Node \S+, since there is no WebGPU: /m,
  );

  const none = await narrowphase(['run', 'crates.json', '--engine', 'dawn'], { env });
  expect(none.code).toBe(3);
  expect(none.stdout).toBe('');
  expect(none.stderr).toMatch(/^narrowphase: engine dawn cannot run: /m);
});

/** Checks a scene on the CPU. */
function run(scene: object, ...args: string[]): Promise<Ended> {
  write('tolerated.json', scene);
  return narrowphase(['run', 'tolerated.json', '--engine', 'cpu', '--fail-on-overlap', ...args]);
}

async function reportOf(scene: object, ...args: string[]): Promise<Report> {
  return JSON.parse((await run(scene, '--format', 'json', ...args)).stdout) as Report;
}

describe('--tolerance and allowed pairs', () => {
  /** Five crates in a row; neighbours overlap by 0.1, 0.01, 0.001 and, those that touch, by 0. */
  const ROW = {
    ...CRATES,
    bodies: [0, 0.9, 1.89, 2.889, 3.889].map((x, i) => ({ shape: 0, position: [x, 0, 0], name: `crate ${i}` })),
    pairs: [
      [0, 1],
      [1, 2],
      [3, 2],
      [3, 4],
    ],
  };

  test.each([
    ['0.2', 0, 4],
    ['0.1', 0, 4],
    ['0.0999', 1, 3],
    ['0.01', 1, 3],
    ['0.001', 2, 2],
    ['0', 3, 1],
  ])('a tolerance of %s: %i overlaps fail, %i do not', async (tolerance, failing, passing) => {
    const { code, stdout } = await run(ROW, '--tolerance', tolerance);
    expect(code).toBe(failing > 0 ? 1 : 0);
    expect(stdout).toMatch(new RegExp(`^query +contacts, margin 0, tolerance ${tolerance}$`, 'm'));
    expect(stdout).toMatch(new RegExp(`^allowed +0 overlapping by the scene, ${passing} by the tolerance$`, 'm'));
    const { query, statusCounts, allowed, check, contacts } = await reportOf(ROW, '--tolerance', tolerance);
    expect(query).toEqual({ name: 'contacts', margin: 0, tolerance: Number(tolerance) });
    expect(statusCounts.overlapping).toBe(4);
    expect(allowed).toEqual({ byPair: 0, byTolerance: passing, unanswered: 0 });
    expect(check).toEqual({ passed: failing === 0, overlapping: failing, unanswered: 0 });
    for (const contact of contacts)
      expect(contact.allowed).toBe(-contact.distance! <= Number(tolerance) ? 'tolerance' : undefined);
  });

  test('allowed pairs do not fail, whatever their depth and their order', async () => {
    const scene = {
      ...ROW,
      allowed: [
        ['crate 1', 'crate ?'],
        ['*2', 'crate 3'],
      ],
    };
    expect((await run(scene)).code).toBe(1);
    const { allowed, check, contacts } = await reportOf(scene);
    expect(allowed).toEqual({ byPair: 3, byTolerance: 0, unanswered: 0 });
    expect(check).toEqual({ passed: false, overlapping: 1, unanswered: 0 });
    expect(contacts.map((contact) => contact.allowed)).toEqual(['pair', 'pair', 'pair', undefined]);
    const both = await reportOf(scene, '--tolerance', '0.001');
    expect(both.allowed).toEqual({ byPair: 3, byTolerance: 1, unanswered: 0 });
    expect(both.check!.passed).toBe(true);
  });

  test('what fails comes first in the table', async () => {
    const { stdout } = await run({ ...ROW, allowed: [['crate 0', 'crate 1']] }, '--limit', '2');
    expect(stdout).toMatch(/^ +1 +1 crate 1 +2 crate 2 +0\.01000 /m);
    expect(stdout).toMatch(/^ +2 +3 crate 3 +2 crate 2 +0\.00100 /m);
    expect(stdout).not.toContain('0 crate 0');
  });

  test.each(['intersects', 'distances'])('allowed pairs pass %s too', async (query) => {
    const { code, stdout } = await run({ ...ROW, allowed: [['crate *', 'crate *']] }, '--query', query);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^check +passed: no pair overlaps but those that are allowed$/m);
  });

  test('JUnit has them passed, CSV says why', async () => {
    const scene = { ...ROW, allowed: [['crate 0', 'crate 1']] };
    const junit = (await run(scene, '--tolerance', '0.001', '--format', 'junit')).stdout;
    expect(junit).toContain('tests="4" failures="1" errors="0"');
    expect(junit.match(/<system-out>allowed by (pair|tolerance): pair \d, depth [\d.]+, normal/g)).toHaveLength(3);
    expect(junit.match(/<failure /g)).toHaveLength(1);
    const rows = (await run(scene, '--tolerance', '0.001', '--format', 'csv')).stdout.trimEnd().split('\r\n');
    expect(rows.map((row) => row.split(',').at(-2))).toEqual(['allowed', 'pair', '', 'tolerance', 'tolerance']);
  });

  describe('a depth that is only a lower bound', () => {
    /** A square duct along z, with walls 0.004 thick. */
    const duct = {
      type: 'compound',
      parts: [
        [-0.5, 0],
        [0.5, 0],
        [0, -0.5],
        [0, 0.5],
      ].map(([x, y]) => ({
        shape: { type: 'box', halfExtents: x === 0 ? [0.5, 0.002, 2] : [0.002, 0.5, 2] },
        position: [x, y, 0],
      })),
    };
    const cube = {
      type: 'mesh',
      positions: Array.from({ length: 24 }, (_, i) =>
        (i % 3 === 0 ? i / 3 : i % 3 === 1 ? i / 6 : i / 12) & 1 ? 0.5 : -0.5,
      ),
      indices: [
        [0, 2, 3, 0, 3, 1],
        [4, 5, 7, 4, 7, 6],
        [0, 1, 5, 0, 5, 4],
        [2, 6, 7, 2, 7, 3],
        [0, 4, 6, 0, 6, 2],
        [1, 3, 7, 1, 7, 5],
      ].flat(),
    };
    const SCENE = {
      version: 1,
      name: 'bounds',
      shapes: [duct, cube],
      bodies: [
        { shape: 0, position: [0, 0, 0], name: 'duct' },
        { shape: 0, position: [0.001, 0.001, 1], name: 'duct in its place' },
        { shape: 1, position: [9, 0, 0], name: 'cube' },
        { shape: 1, position: [9, 0.999, 0], name: 'cube on it' },
      ],
      pairs: [
        [0, 1],
        [2, 3],
      ],
    };

    test('is not forgiven by a tolerance, that of solids that touch is', async () => {
      const { contacts, allowed, check } = await reportOf(SCENE, '--tolerance', '0.005');
      expect(contacts.map(({ distance }) => -distance! <= 0.005)).toEqual([true, true]);
      expect(contacts.map((contact) => [contact.allowed, contact.bound])).toEqual([
        [undefined, true],
        ['tolerance', undefined],
      ]);
      expect(allowed).toEqual({ byPair: 0, byTolerance: 1, unanswered: 0 });
      expect(check).toEqual({ passed: false, overlapping: 1, unanswered: 0 });
      const { code, stderr } = await run(SCENE, '--tolerance', '0.005');
      expect(code).toBe(1);
      expect(stderr).toContain('1 overlap has a depth within the tolerance that is only a lower bound');
    });

    test('is said to be one in every format', async () => {
      const args = ['--tolerance', '0.005', '--format'];
      const junit = (await run(SCENE, ...args, 'junit')).stdout;
      expect(junit.match(/at least: the bodies may be deeper/g)!.length).toBeGreaterThan(0);
      const rows = (await run(SCENE, ...args, 'csv')).stdout.trimEnd().split('\r\n');
      expect(rows.map((row) => row.split(',').slice(-2))).toEqual([
        ['allowed', 'bound'],
        ['', 'true'],
        ['tolerance', ''],
      ]);
    });

    test('may be allowed by name, and is the same merged from shards', async () => {
      const scene = { ...SCENE, allowed: [['duct*', 'duct*']] };
      const { contacts, check } = await reportOf(scene, '--tolerance', '0.005');
      expect(contacts.map((contact) => [contact.allowed, contact.bound])).toEqual([
        ['pair', undefined],
        ['tolerance', undefined],
      ]);
      expect(check!.passed).toBe(true);
      const args = ['--tolerance', '0.005'];
      for (const i of [1, 2]) await run(SCENE, ...args, '--shard', `${i}/2`, '--out', `bound-${i}.json`);
      const merged = await narrowphase(['merge', 'bound-1.json', 'bound-2.json', '--format', 'json']);
      expect(merged.code, merged.stderr).toBe(1);
      expect(merged.stdout).toBe((await run(SCENE, ...args, '--format', 'json')).stdout);
      write('bound-1.json', read('bound-1.json').replace(/,\s*"bound":\s*true/, ''));
      const forged = await narrowphase(['merge', 'bound-1.json', 'bound-2.json']);
      expect([forged.code, forged.stderr]).toEqual([2, expect.stringContaining('contacts[0].allowed is undefined')]);
    });
  });

  test.each(['json', 'csv', 'junit'])('merged from shards the %s is the same', async (format) => {
    const scene = { ...ROW, allowed: [['crate 0', 'crate 1']] };
    const args = ['--tolerance', '0.001'];
    for (const i of [1, 2, 3])
      expect((await run(scene, ...args, '--shard', `${i}/3`, '--out', `part-${i}.json`)).code).toBe(i === 2 ? 1 : 0);
    const merged = await narrowphase(['merge', 'part-2.json', 'part-3.json', 'part-1.json', '--format', format]);
    expect(merged.code, merged.stderr).toBe(1);
    expect(merged.stdout).toBe((await run(scene, ...args, '--format', format)).stdout);
    await run(scene, '--tolerance', '0.002', '--shard', '2/3', '--out', 'other.json');
    const mixed = await narrowphase(['merge', 'part-1.json', 'other.json', 'part-3.json']);
    expect([mixed.code, mixed.stderr]).toEqual([
      2,
      'other.json: query.tolerance is 0.002, expected 0.001 as in part-1.json\n',
    ]);
    write(
      'part-2.json',
      read('part-2.json')
        .replace('"byTolerance": 0', '"byTolerance": 1')
        .replace('"overlapping": 1,\n    "unanswered"', '"overlapping": 0,\n    "unanswered"')
        .replace('"passed": false', '"passed": true'),
    );
    const forged = await narrowphase(['merge', 'part-1.json', 'part-2.json', 'part-3.json']);
    expect(forged.code).toBe(2);
    expect(forged.stderr).toMatch(
      /^part-2\.json: allowed is \{.*\}, expected \{"byPair":0,"byTolerance":0,"unanswered":0\}, as many as contacts has\n$/,
    );
  });

  test('without either nothing of it is reported', async () => {
    const plain = await reportOf(ROW);
    expect(plain).not.toHaveProperty('allowed');
    expect(plain.query).toEqual({ name: 'contacts', margin: 0 });
  });
});

test('--limit sets the rows of the table, which come deepest first', async () => {
  const bodies = [0, 0.9, 1.7, 2.4].map((x) => ({ shape: 0, position: [x, 0, 0] }));
  write('row.json', { ...CRATES, bodies, pairs: 'broad-phase' });
  const { stdout } = await narrowphase(['run', 'row.json', '--engine', 'cpu', '--limit', '2']);
  const rows = stdout.slice(stdout.indexOf('Deepest')).trimEnd().split('\n');
  expect(rows[0]).toBe('Deepest contacts (2 of 3)');
  expect(rows.slice(2).map((row) => /0\.\d{5}/.exec(row)![0])).toEqual(['0.30000', '0.20000']);
  expect((await narrowphase(['run', 'row.json', '--engine', 'cpu', '--limit', '0'])).stdout).not.toContain('Deepest');
});

test("the scene's margin counts where none is given, and gives way to --margin", async () => {
  write('wide.json', { ...CRATES, margin: 0.55 });
  for (const [args, hits] of [
    [[], [0, 3]],
    [['--margin', '0'], [0]],
    [
      ['--query', 'distances'],
      [0, 3],
    ],
  ] as const) {
    const { stdout } = await narrowphase(['run', 'wide.json', '--engine', 'cpu', '--format', 'json', ...args]);
    expect((JSON.parse(stdout) as Report).contacts.map(({ pair }) => pair)).toEqual(hits);
  }
});

test('the table of a shard says which pairs it had', async () => {
  const { stdout } = await narrowphase(['run', 'crates.json', '--engine', 'cpu', '--shard', '3/4']);
  expect(stdout).toMatch(/^candidates +6 pairs, all pairs of bodies$/m);
  expect(stdout).toMatch(/^shard +3 of 4: 1 pair, from pair 3 on$/m);
});

test('a table of a hundred thousand rows', async () => {
  const bodies = {
    shapes: Array.from({ length: 450 }, () => 1),
    positions: Array.from({ length: 1350 }, (_, i) => 1e-4 * i),
    quaternions: Array.from({ length: 1800 }, () => 1),
  };
  write('crowd.json', { ...CRATES, bodies });
  const { code, stdout, stderr } = await narrowphase(['run', 'crowd.json', '--engine', 'cpu', '--limit', '1000000']);
  expect(code, stderr).toBe(0);
  expect(stdout).toContain('Deepest contacts (101,025 of 101,025)');
});

test('a scene on standard input is the scene', async () => {
  const { code, stdout, stderr } = await narrowphase(['run', '-', '--engine', 'cpu', '--out', 'piped.json'], {
    input: JSON.stringify(CRATES),
  });
  expect(code, stderr).toBe(0);
  expect(stdout).toMatch(/^hits +1 pair$/m);
  expect(stderr).toMatch(/^narrowphase: wrote piped\.json$/m);
  const [piped, named] = [
    read('piped.json'),
    (await narrowphase(['run', 'crates.json', '--engine', 'cpu', '--format', 'json'])).stdout,
  ];
  expect(piped.replace('"file": "-"', '"file": "crates.json"')).toBe(named);
});

test.runIf(process.platform !== 'win32')(
  'without anybody to read its notices it does its work all the same',
  async () => {
    const command =
      `"${process.execPath}" "${PROGRAM}" run crates.json --engine cpu --out unread.json 2>&1 >/dev/null | ` +
      `true; echo "\${PIPESTATUS[0]}"`;
    const { stdout } = spawnSync('bash', ['-c', command], { cwd: folder, encoding: 'utf8' });
    expect(stdout).toBe('0\n');
    expect((JSON.parse(read('unread.json')) as Report).hits).toBe(1);
  },
);

test('a reader that goes away ends the program quietly', async () => {
  const bodies = Array.from({ length: 1500 }, (_, i) => ({ shape: 0, position: [0.001 * i, 0, 0] }));
  write('many.json', { ...CRATES, bodies, pairs: bodies.slice(1).map((_, i) => [i, i + 1]) });
  const args = ['run', 'many.json', '--engine', 'cpu', '--format', 'json'];
  const { code, stdout, stderr } = await program(args, { closeEarly: true });
  expect(stdout.length).toBeLessThan(200_000);
  expect(stderr).not.toContain('EPIPE');
  expect(code).toBe(0);
});
