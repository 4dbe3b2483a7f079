/** The arithmetic of `npm run bench:gpu`: what is worked out from samples, records and layouts. */

import { describe, expect, it } from 'vitest';
import { CASES, STANDARD, variantsOf } from './cases.ts';
import { compileTimes, slugOf } from './facts.ts';
import { hostSection } from './host-table.ts';
import { lockstepMean, meanGreatestOf32, meanOf, orderByClass } from './lockstep.ts';
import { epaOperations, fixedOperations, gjkOperations, type ShapeCosts } from './operations.ts';
import { UsageError } from '../options.ts';
import { parseOptions } from './options.ts';
import { knownPeak } from './peaks.ts';
import { repeatedCounts } from './records.ts';
import { hasFaults, type CaseReport, type Point } from './report.ts';
import { limitOf } from './roofline.ts';
import { turnsFor } from './runner.ts';
import { rateOf } from './sampling.ts';
import { hostScene, MOTION } from './scene.ts';
import { judgeFirstCalls, judgeFlatness, judgeTargets } from './targets.ts';
import { bytesOf, workOf } from './work.ts';
import type { BoxDescription } from '../../src/api/shapes.ts';

const BOXES: ShapeCosts = { hullShare: 0, candidates: 0, vertices: 0, faces: 0 };
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
      cases: [{ name: 'hull32/contacts' }, { workload: 'mixed' }, { workload: 'mixed' }, { workload: 'mixed' }],
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

describe('bytes a pair', () => {
  const facts = {
    bodiesPerPair: 2,
    isWarm: false,
    isSorted: false,
    epaShare: 0,
    hitRate: 0.5,
    supports: 0,
    shapes: BOXES,
  };

  it('are its indices, two bodies and its record at the least', () => {
    expect(bytesOf({ ...facts, gpuCase: { query: 'intersects', searches: 'sat' } }).least).toBe(8 + 72 + 4);
    expect(bytesOf({ ...facts, gpuCase: { query: 'distances', searches: 'gjk' } }).least).toBe(8 + 72 + 48);
    expect(bytesOf({ ...facts, gpuCase: { query: 'contacts', searches: 'gjk+epa' }, isWarm: true }).least).toBe(
      8 + 72 + 64 + 32,
    );
    expect(bytesOf({ ...facts, gpuCase: { query: 'manifolds', searches: 'sat' } }).least).toBe(8 + 72 + 112);
  });

  it('grow with the pairs that go on to EPA, and shrink where bodies are shared', () => {
    const gpuCase = { query: 'contacts', searches: 'gjk+epa' } as const;
    expect(bytesOf({ ...facts, gpuCase, epaShare: 0.5 }).moved).toBeGreaterThan(bytesOf({ ...facts, gpuCase }).moved);
    expect(bytesOf({ ...facts, gpuCase, bodiesPerPair: 0.5 }).least).toBe(8 + 18 + 64);
  });
});

describe('operations a pair', () => {
  const hulls: ShapeCosts = { hullShare: 1, candidates: 2, vertices: 32, faces: 60 };

  it('grow with iterations, candidates and warm guesses', () => {
    expect(gjkOperations(6, BOXES, false)).toBeGreaterThan(gjkOperations(5, BOXES, false));
    expect(gjkOperations(5, hulls, false)).toBeGreaterThan(gjkOperations(5, BOXES, false));
    expect(gjkOperations(5, hulls, false)).toBeLessThan(gjkOperations(5, { ...hulls, candidates: 3 }, false));
    expect(gjkOperations(1, BOXES, true)).toBeGreaterThan(gjkOperations(1, BOXES, false));
    expect(epaOperations(4, BOXES)).toBeGreaterThan(epaOperations(3, BOXES) + 1000);
  });

  it('of SAT are fewer than of GJK', () => {
    expect(fixedOperations('intersects', 'sat', BOXES, false, 0.5)).toBeLessThan(
      fixedOperations('intersects', 'gjk', BOXES, false, 0.5) + gjkOperations(4, BOXES, false),
    );
  });

  it('of manifolds grow with the hits, from those of contacts without features on', () => {
    const [few, many] = [0.1, 0.9].map((hitRate) => fixedOperations('manifolds', 'sat', BOXES, false, hitRate));
    expect(many - few).toBeGreaterThan(1000);
    expect(few).toBeGreaterThan(fixedOperations('contacts', 'sat', BOXES, false, 0.1));
  });

  it('in lockstep are at least those of a pair alone', () => {
    const host = hostScene('mixed', 256, 0.5, 3);
    const all = Uint16Array.from({ length: 256 }, (_, i) => 3 + (i % 7));
    const work = workOf(
      CASES.find(({ name }) => name === 'mixed/contacts')!,
      host,
      { all, gjk: all.map((n) => Math.min(n, 6)) },
      { pairs: 256, bodies: 'own', isWarm: false, hitRate: 0.5 },
    );
    expect(work.operations.lockstep).toBeGreaterThan(work.operations.alone);
    expect(work.gjk).toMatchObject({ share: 1 });
    expect(work.epa!.share).toBeCloseTo(3 / 7, 1);
    expect(work.bytes.least).toBe(8 + 72 + 64);
  });
});

describe('the roofline', () => {
  it('is what takes longer, bytes or operations', () => {
    const peak = knownPeak(H200)!;
    expect(peak).toEqual({ bandwidth: 4.8e12, instructions: 33.5e12 });
    const bytes = { least: 84, moved: 88, cached: 96 };
    expect(limitOf({ bytes, operations: { alone: 400, lockstep: 400 } }, peak)).toEqual({
      rate: 4.8e12 / 84,
      by: 'bytes',
    });
    expect(limitOf({ bytes, operations: { alone: 400, lockstep: 4000 } }, peak)).toEqual({
      rate: 33.5e12 / 4000,
      by: 'operations',
    });
    expect(knownPeak({ device: 'llvmpipe', description: '' })).toBeUndefined();
  });
});

describe('workloads on the device', () => {
  it('move bodies by a share of their size from frame to frame', () => {
    const { workload, moved } = hostScene('boxes', 64, 0.5, 3);
    for (let body = 0; body < 128; body++) {
      const half = workload.shapes[workload.bodies.shapes[body]] as BoxDescription;
      const step = Math.hypot(
        ...[0, 1, 2].map((k) => moved.positions[3 * body + k] - workload.bodies.positions[3 * body + k]),
      );
      expect(step / Math.hypot(...Array.from(half.halfExtents))).toBeCloseTo(MOTION, 3);
      const dot = [0, 1, 2, 3].reduce(
        (sum, k) => sum + moved.quaternions[4 * body + k] * workload.bodies.quaternions[4 * body + k],
        0,
      );
      expect(dot / Math.hypot(...moved.quaternions.subarray(4 * body, 4 * body + 4))).toBeCloseTo(
        Math.cos(MOTION / 2),
        6,
      );
    }
  });

  it('run in turns where a buffer is too small, unless every pair needs memory of its own', () => {
    const host = hostScene('boxes', 64, 0.5, 3);
    const opened = {
      facts: { limits: { maxBufferSize: 2 ** 32, maxStorageBufferBindingSize: 2 ** 27 } },
    } as Parameters<typeof turnsFor>[0];
    const layout = { bodies: 'shared', isMoving: false, pairCount: 2 ** 24 } as const;
    expect(turnsFor(opened, { query: 'intersects' }, host, layout)).toBe(1);
    expect(turnsFor(opened, { query: 'contacts' }, host, layout)).toBe(8);
    expect(turnsFor(opened, { query: 'contacts' }, host, { ...layout, bodies: 'own' })).toBeNull();
    expect(turnsFor(opened, { query: 'intersects' }, host, { ...layout, bodies: 'own', pairCount: 2 ** 21 })).toBe(1);
    expect(turnsFor(opened, { query: 'intersects' }, host, { ...layout, isMoving: true })).toBeNull();
  });

  it('have known counts when they are repeated', () => {
    expect(repeatedCounts(Uint8Array.of(0, 1, 1), 7)).toEqual({ pairs: 7, statuses: [3, 4, 0, 0, 0] });
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

describe('verdicts', () => {
  const box = CASES[0];
  const report = (points: Point[]): CaseReport[] => [{ ...box, points, firstCall: { ms: 900 } } as CaseReport];
  const boxVerdict = (points: Point[], adapter = H200) => judgeTargets(report(points), adapter)[0].verdict;

  it('of targets go by bodies of each pair’s own, from 4 M pairs on, on the adapter that they are for', () => {
    expect(boxVerdict([point(2 ** 22, 26e9)])).toBe('met');
    expect(boxVerdict([point(2 ** 22, 26e9), point(2 ** 22, 20e9, { bodies: 'own' })])).toBe('not met');
    expect(boxVerdict([point(2 ** 22, 51e9)])).toBe('stretch met');
    expect(boxVerdict([point(2 ** 20, 26e9)])).toBe('untold');
    expect(boxVerdict([point(2 ** 22, 26e9, { hitRate: 0.05 })])).toBe('untold');
    expect(boxVerdict([point(2 ** 22, 26e9)], { ...H200, device: 'llvmpipe' })).toBe('untold');
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

  it('of first calls know the limits of software adapters', () => {
    expect(judgeFirstCalls(report([]), { device: 'swiftshader-device-subzero-', description: '' })).toEqual({
      case: box.name,
      ms: 900,
      limitMs: 1000,
    });
    expect(judgeFirstCalls(report([]), H200)!.limitMs).toBeNull();
    expect(judgeFirstCalls([], H200)).toBeNull();
  });
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
