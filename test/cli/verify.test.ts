/**
 * `narrowphase verify` in a terminal. That it finds every kind of wrong answer is shown in
 * test/unit/verify-judge.test.ts.
 */

import { describe, expect, test } from 'vitest';
import { atNight } from '../helpers/night.ts';
import { CRATES, makeWorkplace } from './cli.ts';
import { crowd, renumbered, type Report } from './verify-report.ts';

const { narrowphase, write, read, files } = makeWorkplace();
write('crates.json', CRATES);

async function report(file: string, ...args: string[]): Promise<Report> {
  const { code, stdout, stderr } = await narrowphase(['verify', file, '--format', 'json', ...args]);
  expect(code, stderr + stdout.slice(0, 3000)).toBe(0);
  return JSON.parse(stdout) as Report;
}

describe.each(['cpu', 'dawn'])('on engine %s', (engine) => {
  test.each(['contacts', 'distances', 'intersects'])(
    '%s pass, and the report says what was compared',
    async (query) => {
      const found = await report('crates.json', '--engine', engine, '--query', query, '--margin', '0.55');
      expect(found.generator).toMatch(/^narrowphase \d/);
      expect(found.scene).toMatchObject({
        file: 'crates.json',
        name: 'crates',
        bodies: 4,
        shapes: 3,
        pairs: 'all',
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      });
      expect(found.query).toEqual({ name: query, margin: 0.55 });
      expect(found.engine).toMatchObject({
        name: engine,
        backend: engine === 'cpu' ? 'cpu' : 'webgpu',
        fallback: null,
      });
      expect(found.tolerance).toBe(engine === 'cpu' ? 1e-9 : 5e-6);
      expect(found).toMatchObject({
        pairs: 6,
        passed: true,
        faulty: 0,
        faults: [],
        unanswered: { engine: 0, reference: 0, both: 0 },
      });
      expect(found.timings.all.total).toBeGreaterThan(0);
      expect(found.timings.reference).toBeGreaterThan(0);
      for (const { measured, largest, zeros, histogram } of Object.values(found.errors)) {
        expect(histogram.reduce((sum, { pairs }) => sum + pairs, zeros)).toBe(measured);
        if (measured > 0) expect(largest!.error).toBeLessThan(found.tolerance);
      }
      // `contacts` has everything of all but the pairs that are farther apart than the margin, `distances` nothing of
      // the overlap.
      const measured = { contacts: [6, 6, 2], distances: [5, 5, 1], intersects: [0, 0, 0] }[query];
      expect(Object.values(found.errors).map((errors) => errors.measured)).toEqual(measured);
    },
  );

  test('every pair of a crowd far from the origin, and its worst pairs again with the same errors', async () => {
    write('crowd.json', crowd());
    const first = await report(
      'crowd.json',
      '--engine',
      engine,
      '--margin',
      '0.3',
      '--worst',
      '7',
      '--replay',
      'again.json',
    );
    expect(first).toMatchObject({ pairs: 400, passed: true });
    expect(first.worst).toHaveLength(7);
    const shares = first.worst.map(({ errors }) =>
      Math.max(...Object.values(errors as Record<string, number | null>).map(Number)),
    );
    expect(shares).toEqual([...shares].sort((a, b) => b - a));
    if (engine === 'dawn') expect(shares[6]).toBeGreaterThan(0);

    const again = await report('again.json', '--engine', engine, '--worst', '7');
    expect(again).toMatchObject({ pairs: 7, query: { margin: 0.3 } });
    expect(renumbered(again.worst)).toEqual(renumbered(first.worst));
  });

  test('the table says the outcome, the histogram with the tolerance, and the worst pairs with all digits', async () => {
    const { code, stdout, stderr } = await narrowphase([
      'verify',
      'crates.json',
      '--engine',
      engine,
      '--worst',
      '1',
      '--margin',
      '9',
    ]);
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(/^checked +6 pairs/m);
    expect(stdout).toMatch(/^outcome +passed: no fault$/m);
    expect(stdout).toMatch(/^reference +[\d.]+ ms, [\d.]+ M pairs\/s$/m);
    expect(stdout).toMatch(/^ +errors +distance +normal +points$/m);
    expect(stdout).toContain(`-- tolerance ${engine === 'cpu' ? '1e-9' : '5e-6'} --`);
    expect(stdout).toMatch(/^Worst pairs \(1 of 6\)$/m);
    expect(stdout).toMatch(/^ +A +body \d/m);
    expect(stdout).toMatch(/^ +\{ "type": "/m);
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });

  test('a scene without pairs passes', async () => {
    write('empty.json', { version: 1, shapes: [], bodies: [], pairs: 'broad-phase' });
    expect(await report('empty.json', '--engine', engine, '--replay', 'nothing.json')).toMatchObject({
      pairs: 0,
      passed: true,
      worst: [],
    });
    expect(JSON.parse(read('nothing.json'))).toMatchObject({ version: 1, pairs: [] });
  });
});

// In CI, conformance.slow.test.ts asks the browsers.
test.each(atNight<string[]>([], ['chrome', 'firefox']))('%s answers every pair right', async (engine) => {
  write('balls.json', crowd('sphere-box'));
  const found = await report('balls.json', '--engine', engine);
  expect(found).toMatchObject({ pairs: 400, passed: true, engine: { name: engine, backend: 'webgpu' } });
});

test('the replay of `distances` is run with that query, as the report says', async () => {
  const { stdout } = await narrowphase([
    'verify',
    'crates.json',
    '--engine',
    'cpu',
    '--query',
    'distances',
    '--replay',
    'gaps.json',
    '--worst',
    '2',
  ]);
  expect(stdout.replace(/\s+/g, ' ')).toContain('narrowphase verify gaps.json --engine cpu --query distances');
  expect(JSON.parse(read('gaps.json'))).not.toHaveProperty('margin');
  expect(await report('gaps.json', '--engine', 'cpu', '--query', 'distances')).toMatchObject({
    pairs: 2,
    query: { margin: null },
  });
});

describe('nothing is written when something is wrong', () => {
  test.each([
    [['verify'], 2, 'verify takes one scene file, 0 given'],
    [['verify', 'crates.json', '--engine', 'gpu'], 2, '--engine is "gpu", expected auto, chrome, firefox, dawn or cpu'],
    [['verify', 'crates.json', '--worst', '-1'], 2, /worst/],
    [['verify', 'crates.json', '--worst', '1.5'], 2, '--worst is "1.5", expected a whole number of at least 0'],
    [['verify', 'crates.json', '--format', 'csv'], 2, '--format is "csv", expected table or json'],
    [
      ['verify', 'crates.json', '--timeout', '0'],
      2,
      '--timeout is "0", expected a number of seconds above 0, at most 86400',
    ],
    [['verify', 'crates.json', '--replay', './crates.json'], 2, '--replay ./crates.json would overwrite the scene'],
    [
      ['verify', 'crates.json', '--out', 'old.json', '--replay', './old.json'],
      2,
      '--out and --replay are both ./old.json, expected two files',
    ],
    [['verify', 'none.json', '--out', 'old.json'], 2, /^none\.json: cannot be read/],
    [
      ['verify', 'crates.json', '--out', 'old.json', '--replay', 'no/such.json'],
      2,
      /^narrowphase: --replay no\/such\.json cannot be written: ENOENT/,
    ],
    [
      ['verify', 'crates.json', '--out', 'old.json', '--replay', 'older.json', '--engine', 'dawn'],
      3,
      /^narrowphase: engine dawn cannot run: /m,
    ],
  ] as const)('%j', async (args, exitCode, message) => {
    write('old.json', 'the report of the last run');
    write('older.json', 'the scene of the last run');
    const before = files();
    const env = { VK_DRIVER_FILES: 'none.json', VK_ICD_FILENAMES: 'none.json' };
    const { code, stdout, stderr } = await narrowphase([...args], { env });
    expect(code, stderr).toBe(exitCode);
    expect(stdout).toBe('');
    if (typeof message === 'string') expect(stderr).toBe(`narrowphase: ${message} (see narrowphase --help)\n`);
    else expect(stderr).toMatch(message);
    expect(read('old.json')).toBe('the report of the last run');
    expect(read('older.json')).toBe('the scene of the last run');
    expect(files()).toEqual(before);
    expect(JSON.parse(read('crates.json'))).toEqual(CRATES);
  });
});
