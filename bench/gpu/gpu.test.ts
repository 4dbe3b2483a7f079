/** The arithmetic of `npm run bench:gpu`: what is worked out from samples, records and layouts. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CASES, STANDARD, variantsOf } from '../../verification/gpu-cases/cases.ts';
import { storedReport } from '../../scripts/gpu-reports-plugin.ts';
import { caseSection } from './case-section.ts';
import { compileTimes, slugOf } from './facts.ts';
import { heading } from './heading.ts';
import { hostSection } from './host-table.ts';
import { lockstepMean, meanGreatestOf32, meanOf, orderByClass } from '../../verification/gpu-cases/lockstep.ts';
import { UsageError } from '../options.ts';
import { parseOptions } from './options.ts';
import { knownPeak } from './peaks.ts';
import { hasFaults, type CaseReport, type Point } from './report.ts';
import { limitOf } from './roofline.ts';
import { rateOf } from '../../verification/gpu-cases/sampling.ts';
import { judgeFirstCalls, judgeFlatness, judgeTargets } from './targets.ts';
import { groupsOf } from './stages.ts';
import { millisecondsBetween, stageTimes } from '../../verification/gpu-cases/timestamps.ts';

const H200 = { device: 'nvidia-h200', description: 'NVIDIA: 580.159.03', vendor: 'nvidia' };

describe('the command line', () => {
  it('measures all cases from 1 k to 16 M pairs by default, and few of both with --quick', () => {
    expect(parseOptions([])).toMatchObject({ cases: CASES, rounds: 9, out: 'bench/results' });
    expect(parseOptions([])!.sizes).toEqual([2, 3, 4, 5, 6, 7, 8, 9].map((k) => 4 ** k * 64));
    const quick = parseOptions(['--quick'])!;
    expect(quick.cases.length).toBeLessThan(CASES.length);
    expect(quick.out).not.toBe('bench/results');
  });

  it('takes cases by their first parts and sizes with units', () => {
    expect(parseOptions(['--workloads', 'hull32/contacts,mixed', '--sizes', '4M,1000,64k'])).toMatchObject({
      cases: [
        { name: 'hull32/contacts' },
        { name: 'hull32/contacts/gjk' },
        ...Array.from({ length: 4 }, () => ({ workload: 'mixed' })),
      ],
      sizes: [1000, 65_536, 4_194_304],
    });
  });

  it('measures whole queries at the largest size up to 1M, unless other cases are named', () => {
    expect(parseOptions([])!.hostPairs).toBe(2 ** 20);
    expect(parseOptions(['--quick'])!.hostPairs).toBe(2 ** 16);
    expect(parseOptions(['--workloads', 'mixed'])!.hostPairs).toBeNull();
    expect(parseOptions(['--workloads', 'host', '--sizes', '1k,4k'])).toMatchObject({ cases: [], hostPairs: 4096 });
  });

  it.each([
    [['--workloads', 'spheres'], '--workloads has "spheres"'],
    [['--sizes', '1G'], '--sizes has "1G"'],
    [['--time', 'long'], '--time is "long"'],
    [['--counts', 'maybe'], '--counts is "maybe"'],
    [['--fast'], "Unknown option '--fast'"],
  ])('refuses %j', (args, message) => {
    expect(() => parseOptions(args)).toThrow(UsageError);
    expect(() => parseOptions(args)).toThrow(message);
  });
});

describe('lockstep', () => {
  it('takes each group of 32 at its slowest, the last one too', () => {
    const values = Uint16Array.from({ length: 40 }, (_, i) => (i === 5 ? 9 : i < 32 ? 1 : 3));
    const order = Uint32Array.from({ length: 40 }, (_, i) => i);
    expect(lockstepMean(values, order)).toBe(6);
    expect(lockstepMean(values, order, (n) => n * n)).toBe((81 + 9) / 2);
    expect(meanOf(values, order)).toBe((31 + 9 + 24) / 40);
    expect(lockstepMean(values, [])).toBe(0);
  });

  it('groups pairs class by class', () => {
    expect([...orderByClass([1, 0, 1, 0])]).toEqual([1, 3, 0, 2]);
  });

  it('expects nearly the greatest of 32 draws', () => {
    expect(meanGreatestOf32([2, 2, 2])).toBeCloseTo(2, 12);
    expect(meanGreatestOf32([0, 1])).toBeCloseTo(1 - 2 ** -32, 12);
  });
});

describe('the roofline', () => {
  it('is what takes longer, bytes or operations', () => {
    const peak = knownPeak(H200)!;
    expect(peak).toEqual({ bandwidth: 4.8e12, instructions: 33.5e12 });
    const counted = { alone: 400, lockstep: 400, bytes: 96 };
    const byBytes = { rate: 4.8e12 / 84, by: 'bytes' };
    expect(limitOf({ leastBytes: 84, counted }, peak)).toEqual(byBytes);
    expect(limitOf({ leastBytes: 84, counted: null }, peak)).toEqual(byBytes);
    expect(limitOf({ leastBytes: 84, counted: { ...counted, lockstep: 4000 } }, peak)).toEqual({
      rate: 33.5e12 / 4000,
      by: 'operations',
    });
    expect(knownPeak({ device: 'llvmpipe', description: '' })).toBeUndefined();
  });
});

function point(pairs: number, rate: number, variant: Partial<typeof STANDARD> = {}): Point {
  return {
    pairs,
    variant: { ...STANDARD, ...variant },
    gpu: rateOf(pairs, [(1000 * pairs) / rate]),
    miscounted: null,
  } as Point;
}

describe('the rates that the bench page shows', () => {
  it('are read from a report: of shared bodies, half of the pairs overlapping, cold', () => {
    const rest = {
      turns: 1,
      latencyMs: 1,
      repeats: 1,
      samples: 1,
      shareOfLimit: 0.5,
      limit: { rate: 1e9, by: 'bytes' },
    };
    const written = (each: Point): Point =>
      ({ ...each, wall: rateOf(each.pairs, [1e-3 * each.pairs]), work: { leastBytes: 64 }, ...rest }) as Point;
    const points = [
      point(1000, 5e6),
      point(2 ** 16, 2.5e9),
      point(2 ** 22, 3e9),
      point(2 ** 22, 1e9, { isWarm: true }),
    ];
    const untimed = { ...written(point(2 ** 24, 1)), turns: 4, gpu: null } as Point;
    const others = [{ bodies: 'own' as const }, { hitRate: 0.05 }].map((variant) => point(2 ** 22, 2e9, variant));
    const text = [
      '# Kernels on anvil',
      ...heading({
        generator: 'narrowphase 0.1.0, commit 0123456789',
        command: 'npm run bench:gpu',
        date: '2026-11-22',
        seconds: 1,
        machine: {},
        adapter: { device: 'anvil' },
        webgpu: '0',
        openMs: 1,
        left: [],
        peak: { known: null, measured: { bandwidth: 1, instructions: 1 } },
      } as unknown as Parameters<typeof heading>[0]),
      '## Targets',
      ...caseSection({
        ...CASES[0],
        points: [...[...points, ...others].map(written), untimed],
        firstCall: null,
        answers: [],
        skipped: [],
        readBack: null,
        failure: null,
        countFailure: null,
        seconds: 1,
      }),
      '## A section that is no case',
    ].join('\n');
    expect(storedReport(`${text}\n`)).toEqual({
      adapter: 'anvil',
      generator: 'narrowphase 0.1.0, commit 0123456789',
      date: '2026-11-22',
      rates: {
        [CASES[0].name]: [
          [1000, 5e6],
          [2 ** 16, 2.5e9],
          [2 ** 22, 3e9],
          [2 ** 24, 1e6],
        ],
      },
    });
  });

  it('are in every stored report', () => {
    const text = readFileSync(new URL('../results/h200-gpu.md', import.meta.url), 'utf8');
    const { adapter, rates } = storedReport(text);
    expect(adapter).toBe('nvidia-h200');
    expect(Object.keys(rates).length).toBe(22);
    for (const [name, points] of Object.entries(rates)) expect(points.length, name).toBe(8);
  });
});

describe('verdicts', () => {
  const box = CASES[0];
  const report = (points: Point[]): CaseReport[] => [{ ...box, points, firstCall: { ms: 900 } } as CaseReport];
  const boxVerdict = (points: Point[], adapter = H200) =>
    judgeTargets(report(points), adapter).find(({ case: name }) => name === box.name)!.verdict;

  it('of targets go by bodies of each pair’s own, from 4 M pairs on, on the adapter that they are for', () => {
    expect(boxVerdict([point(2 ** 22, 40e9)])).toBe('met');
    expect(boxVerdict([point(2 ** 22, 40e9), point(2 ** 22, 30e9, { bodies: 'own' })])).toBe('not met');
    expect(boxVerdict([point(2 ** 22, 51e9)])).toBe('aim met');
    expect(boxVerdict([point(2 ** 20, 40e9)])).toBe('not judged');
    expect(boxVerdict([point(2 ** 22, 40e9, { hitRate: 0.05 })])).toBe('not judged');
    expect(boxVerdict([point(2 ** 22, 40e9)], { ...H200, device: 'llvmpipe' })).toBe('not judged');
  });

  it('of flatness need the whole range', () => {
    const curve = [point(2 ** 22, 10), point(2 ** 24, 9)];
    expect(judgeFlatness(report(curve), false)[0].verdict).toBe('flat');
    expect(judgeFlatness(report(curve), true)[0].verdict).toBe('not measured to the end');
    expect(judgeFlatness(report([point(2 ** 16, 20), ...curve]), true)[0]).toMatchObject({
      verdict: 'not flat',
      share: 0.45,
    });
    expect(judgeFlatness(report([point(2 ** 22, 10)]), false)).toEqual([]);
  });

  it('of first calls know the limits of software adapters and of the card', () => {
    expect(judgeFirstCalls(report([]), { device: 'swiftshader-device-subzero-', description: '' })).toEqual({
      case: box.name,
      ms: 900,
      limitMs: 2000,
    });
    expect(judgeFirstCalls(report([]), H200)!.limitMs).toBe(1000);
    expect(judgeFirstCalls(report([]), { device: 'another card', description: '' })!.limitMs).toBeNull();
    expect(judgeFirstCalls([], H200)).toBeNull();
  });
});

it('the kernels that make a list are one stage, named by the kernel that follows', () => {
  const kernels = ['copies', 'contacts-gjk', 'compact-count', 'compact-scan', 'compact-scatter', 'contacts-epa'];
  expect(groupsOf(kernels)).toEqual([
    { name: 'copies', first: 0, end: 1 },
    { name: 'contacts-gjk', first: 1, end: 2 },
    { name: 'list for contacts-epa', first: 2, end: 5 },
    { name: 'contacts-epa', first: 5, end: 6 },
  ]);
});

it('searches start warm where there are searches', () => {
  expect(variantsOf(CASES[0]).some(({ isWarm }) => isWarm)).toBe(false);
  expect(variantsOf(CASES[1]).filter(({ isWarm }) => isWarm)).toHaveLength(1);
});

it('compile times are added up, and told from begin to end', () => {
  expect(
    compileTimes([
      { begin: 10, end: 30 },
      { begin: 15, end: 20 },
    ]),
  ).toEqual({ pipelines: 2, sumMs: 25, wallMs: 20 });
  expect(compileTimes([])).toEqual({ pipelines: 0, sumMs: 0, wallMs: 0 });
});

it('files are named by the adapter', () => {
  expect(slugOf(H200)).toBe('nvidia-h200');
  expect(slugOf({ device: 'llvmpipe-llvm-15-0-6-256-bits-', description: 'llvmpipe: Mesa', vendor: 'mesa' })).toBe(
    'llvmpipe',
  );
  expect(slugOf({ device: '', description: '', vendor: '' })).toBe('unknown');
});

describe('whole queries in the report', () => {
  it('stand beside a memcpy of the same bytes, with a dash for what was not measured', () => {
    const query = { ms: 20, calls: 1, mainThreadMs: 5, parts: { kernels: 2 } };
    const sample = { ms: 20, whole: { fresh: query, target: { ...query, ms: 10 } } };
    const row = { query: 'contacts' as const, pairs: 2048, samples: [sample], failure: null };
    const text = hostSection([
      {
        ...row,
        write: { bytes: 4e6, ms: 6, memcpyMs: 2 },
        read: { bytes: 2e6, ms: 3, memcpyMs: 1, mapMs: 0.5 },
      },
      { ...row, query: 'impacts', write: null, read: null, failure: 'the device is lost' },
    ]).join('\n');
    expect(text).toContain('| contacts | 20.0 | 5.00 | 10.0 | 5.00 | – | – | – | 2.00 | – | – |');
    expect(text).toContain('| contacts | 4.00 | 6.00 | 2.00 | 3.00 | 2.00 | 3.00 | 1.00 | 3.00 | 0.500 |');
    expect(text).toContain('| impacts: the device is lost |');
    expect(text).toContain('| impacts | – | – | – | – | – | – | – | – | – |');
  });

  it('make the run fail where one fails', () => {
    const host = [{ query: 'contacts', pairs: 1, samples: [], write: null, read: null, failure: 'lost' } as const];
    expect(hasFaults({ cases: [], host: [] }, () => false)).toBe(false);
    expect(hasFaults({ cases: [], host: host.map((row) => ({ ...row, samples: [] })) }, () => false)).toBe(true);
  });
});

describe('timestamps', () => {
  const names = ['copies', 'contacts-gjk', 'contacts-epa'];

  it('tell the time of each stage; copies may take none', () => {
    const stamps = BigUint64Array.of(7_000_000n, 7_000_000n, 9_000_000n, 9_500_000n);
    expect(stageTimes(stamps, names)).toEqual([0, 2, 0.5]);
  });

  it('are refused if a kernel takes 0 ms, unless they are rounded', () => {
    const stamps = BigUint64Array.of(7_000_000n, 8_000_000n, 9_000_000n, 9_000_000n);
    expect(() => stageTimes(stamps, names)).toThrow('contacts-epa took 0 ms');
    expect(stageTimes(stamps, names, true)).toEqual([1, 1, 0]);
  });

  it.each([
    ['all are 0', [0n, 0n, 0n, 0n]],
    ['the first is 0', [0n, 1_000_000n, 2_000_000n, 3_000_000n]],
    ['one is 0', [1_000_000n, 2_000_000n, 0n, 3_000_000n]],
    ['they descend', [4_000_000n, 3_000_000n, 5_000_000n, 6_000_000n]],
  ])('are refused if %s, rounded or not', (_, stamps) => {
    expect(() => stageTimes(BigUint64Array.from(stamps), names)).toThrow(/timestamps of/);
    expect(() => stageTimes(BigUint64Array.from(stamps), names, true)).toThrow(/timestamps of/);
  });

  it('of a stretch are refused if its begin is 0', () => {
    expect(millisecondsBetween(5n, 2_000_005n, 'a run')).toBe(2);
    expect(() => millisecondsBetween(0n, 2_000_000n, 'a run')).toThrow('timestamps of a run are 0 and 2000000');
  });
});
