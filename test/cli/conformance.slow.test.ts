/**
 * `narrowphase conformance` on every engine of this machine: each is there and right, and the report says what it was
 * judged by.
 */

import { beforeAll, describe, expect, test } from 'vitest';
import type { ConformanceReport, EngineReport } from '../../cli/conformance/report.ts';
import { openDawn } from '../../verification/engines/dawn.ts';
import { dawnDrivers } from '../../src/node/dawn.ts';
import { NarrowphaseError } from '../../src/api/errors.ts';
import { CURVED_TOLERANCE, F32_ROUNDING, TOLERANCE } from '../../src/shapes/tolerances.ts';
import { conformanceFamilies } from '../../verification/families/conformance.ts';
import { atNight } from '../helpers/night.ts';
import { makeWorkplace, type Ended } from './cli.ts';

const { narrowphase, write, read } = makeWorkplace();

/** Software adapters compile for long when nothing is cached. */
const COLD = 600_000;
const PAIRS = 30;
const JUDGED = 10;
/**
 * With all families the engines compile for minutes. In CI, test/kernels runs the kernels of the others, and the fixtures.
 */
const FULL = atNight(['sphere/box'], ['sphere/box', 'box/box', 'hull/hull']);
/** Fixtures, of which there are fewer than random pairs. */
const FIXTURES = atNight<string[]>([], ['hard-cases', 'regressions']);
const SOME = [...FULL, ...FIXTURES].join(',');
const FAMILIES = FULL.length + FIXTURES.length;

function conformance(...args: string[]): Promise<Ended> {
  return narrowphase(['conformance', '--pairs', `${PAIRS}`, '--judged', `${JUDGED}`, ...args]);
}

function cells(row: string): string[] {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** The rows of the table whose head starts with `name`. */
function rowsOf(markdown: string, name: string): string[][] {
  const lines = markdown.split('\n');
  const head = lines.findIndex((line) => line.startsWith(`| ${name} |`));
  const end = lines.findIndex((line, i) => i > head && !line.startsWith('|'));
  return lines.slice(head + 2, end).map(cells);
}

/** What Dawn calls its adapters, each once. */
async function dawnAdapters(): Promise<string[]> {
  const found = new Set<string>();
  for (const driver of await dawnDrivers()) {
    try {
      const engine = await openDawn(driver);
      found.add(engine.facts.adapter.description);
      await engine.close();
    } catch (error) {
      if (!(error instanceof NarrowphaseError)) throw error;
    }
  }
  return [...found];
}

/** The families have pairs without a closed form. */
function expectIterations({ name, families, pairs, iterations }: EngineReport): void {
  expect(
    families.reduce((sum, { leftEarly }) => sum + leftEarly, 0),
    name,
  ).toBeGreaterThan(pairs / 10);
  expect(iterations.mean, name).toBeGreaterThan(1);
  expect(iterations.max, name).toBeGreaterThan(iterations.mean);
}

describe('on every engine', () => {
  let ended: Ended;
  let report: ConformanceReport;
  let ran: EngineReport[];

  test(
    'it passes',
    async () => {
      ended = await conformance('--families', SOME, '--out', 'report.json');
      expect(ended.code, `${ended.stdout}${ended.stderr}`).toBe(0);
      report = JSON.parse(read('report.json')) as ConformanceReport;
      expect(report).toMatchObject({
        version: 1,
        passed: true,
        options: { pairs: PAIRS, judged: JUDGED, seed: 1, families: SOME.split(',') },
        tolerance: TOLERANCE,
      });
      expect(report.generator).toMatch(/^narrowphase \d+\.\d+\.\d+/);
      ran = report.engines.filter(({ unavailable }) => unavailable === null);
    },
    COLD,
  );

  test('Dawn on each driver, Chrome, Firefox and the CPU are among them', async () => {
    expect(new Set(ran.map(({ name }) => name))).toEqual(new Set(['dawn', 'chrome', 'firefox', 'cpu']));
    const dawn = ran.filter(({ name }) => name === 'dawn').map(({ facts }) => facts!.adapter.description);
    expect(dawn).toEqual(await dawnAdapters());
  });

  test('each answers all pairs, right', () => {
    for (const engine of ran) {
      const about = `${engine.name} ${engine.detail}`;
      expect(engine.failure, about).toBeNull();
      expect(engine.facts!.backend, about).toBe(engine.name === 'cpu' ? 'cpu' : 'webgpu');
      expect(
        Object.values(engine.faults).filter((n) => n > 0),
        about,
      ).toEqual([]);
      expect(engine, about).toMatchObject({ faulty: 0, unanswered: 0, miscounts: { calls: 0, first: null } });
      expect(engine.largestError!, about).toBeLessThan(
        engine.name === 'cpu' ? 2 * F32_ROUNDING : CURVED_TOLERANCE.kernels.overlapping,
      );
      expect(engine.families, about).toHaveLength(FAMILIES);
      expect(engine.pairs, about).toBe(engine.families.reduce((sum, { pairs }) => sum + pairs, 0));
      expect(engine.pairs, about).toBeGreaterThanOrEqual(FULL.length * PAIRS + FIXTURES.length);
      expect(engine.judged, about).toBeGreaterThanOrEqual(FULL.length * JUDGED);
      expect(engine.answers, about).toBeGreaterThanOrEqual(4 * engine.pairs);
      if (FULL.includes('hull/hull')) expectIterations(engine);
      expect(engine.firstCall, about).toBeGreaterThan(0);
      expect(engine.speed.contacts.calls, about).toBeGreaterThan(0);
    }
  });

  test('the reference is judged by the oracle', () => {
    expect(report.reference).toMatchObject({ outside: 0, wrongSigns: 0, unanswered: 0 });
    expect(report.reference.pairs).toBeGreaterThanOrEqual(FULL.length * JUDGED);
    expect(report.reference.largestError).toBeLessThan(CURVED_TOLERANCE.reference.apart);
    expect(report.reference.families).toHaveLength(FAMILIES);
  });

  test('what is not available has a reason, in the table too', () => {
    for (const { unavailable } of report.engines.filter(({ facts }) => facts === null)) {
      expect(unavailable).not.toBe('');
      expect(ended.stdout).toContain(unavailable);
    }
  });

  test('the table has a row for each engine, and one for each family with a column for each engine', () => {
    const engines = rowsOf(ended.stdout, 'engine');
    expect(engines.map(([name]) => name)).toEqual(ran.map(({ name }) => name));
    engines.forEach(([, , , pairs, judged, , outside, wrong, other, missing], i) => {
      expect([pairs, judged].map(Number)).toEqual([ran[i].pairs, ran[i].judged]);
      expect([outside, wrong, other, missing]).toEqual(['0', '0', '0', '0']);
    });
    const families = rowsOf(ended.stdout, 'family');
    expect(families.map(([name]) => name)).toEqual(report.reference.families.map(({ family }) => family));
    for (const row of families) expect(row).toHaveLength(2 + ran.length + 1);
    expect(ended.stdout).toContain('Passed.');
  });
});

async function cpuReport(...args: string[]): Promise<ConformanceReport> {
  const { code, stdout, stderr } = await conformance('--engine', 'cpu', '--format', 'json', ...args);
  expect(code, stderr).toBe(0);
  // No terminal, so no progress.
  expect(stderr).toBe('');
  return JSON.parse(stdout) as ConformanceReport;
}

describe('on one engine', () => {
  const families = atNight(['--families', 'sphere/box,box/hull'], []);
  let first: ConformanceReport;
  beforeAll(async () => {
    first = await cpuReport(...families);
  });

  test('iterations are counted, and pairs that are left early', () => {
    expectIterations(first.engines[0]);
  });

  test('without --families all of them are asked', async () => {
    const { engines } = await cpuReport('--pairs', '1', '--judged', '0');
    const names = [...conformanceFamilies(1, 1)].map(({ name }) => name);
    expect(engines[0].families.map(({ family }) => family)).toEqual(names);
  });

  test('the seed makes the pairs: the same one the same report, another one other pairs', async () => {
    const again = await cpuReport(...families);
    expect(first.engines.map(({ name }) => name)).toEqual(['cpu']);
    expect(again.engines[0].families).toEqual(first.engines[0].families);
    const [before] = first.engines[0].families;
    const [other] = (await cpuReport('--seed', '2', '--families', before.family)).engines[0].families;
    expect(other.family).toBe(before.family);
    expect(other.worst[0].scene).not.toEqual(before.worst[0].scene);
  });

  test('the worst pair of a family can be run again', async () => {
    const [engine] = first.engines;
    const [worst] = engine.families.find(({ family }) => family === 'box/hull')!.worst;
    write('worst.json', worst.scene);
    const { code, stdout, stderr } = await narrowphase([
      'run',
      'worst.json',
      '--engine',
      'cpu',
      '--margin',
      '1e30',
      '--format',
      'json',
    ]);
    expect(code, stderr).toBe(0);
    const { contacts } = JSON.parse(stdout) as { contacts: { distance: number }[] };
    expect(contacts).toHaveLength(1);
    expect(contacts[0].distance).toBeCloseTo(worst.truth!, 4);
  });

  test('one that is named and cannot run here ends it with 3', async () => {
    const { code, stderr } = await narrowphase(
      ['conformance', '--engine', 'chrome', '--pairs', '2', '--families', 'sphere/box'],
      {
        env: { CHROME_PATH: '/nowhere/chrome' },
      },
    );
    expect(code).toBe(3);
    expect(stderr).toContain('engine chrome cannot run');
  });
});

test.each([
  [['--pairs', '0'], '--pairs is "0", expected a whole number of at least 1'],
  [['--judged', 'some'], '--judged is "some", expected a whole number of at least 0'],
  [['--engine', 'auto'], '--engine is "auto", expected chrome, firefox, dawn or cpu'],
  [['--format', 'csv'], '--format is "csv", expected markdown or json'],
  [['scene.json'], 'conformance takes no files, "scene.json" given'],
  [['--out', '/nowhere/report.json'], '--out /nowhere/report.json cannot be written'],
])('%j is bad usage', async (args, message) => {
  const { code, stdout, stderr } = await narrowphase(['conformance', ...args]);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
});
