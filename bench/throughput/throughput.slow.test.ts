import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { CASES, chooseCases } from './cases.ts';
import { compareAnswers, judgedPairs, verdictOf } from './compare.ts';
import { UsageError } from '../options.ts';
import { parseOptions } from './options.ts';
import { PEER_CALLS, peerCallsFor } from './peers/catalogue.ts';
import { logScale, spreadLabels } from './report/axes.ts';
import { markdown, targetTables } from './report/markdown.ts';
import { throughputPlot } from './report/plot.ts';
import type { BenchReport } from './report/report.ts';
import type { SubjectResult } from './run/case.ts';
import { median, ratioOf } from '../statistics.ts';
import { thinId } from './protocol.ts';
import { RATE_TARGETS, RATIO_TARGETS, THIN_TARGETS } from './targets.ts';
import { readWorkload, writeWorkload } from './workloads/file.ts';
import { makeMovingWorkload, makeWorkload, WORKLOADS } from './workloads/make.ts';
import { makePlanarWorkload, PLANAR_WORKLOADS } from './workloads/planar.ts';
import { thicken } from './workloads/thin.ts';
import { bodiesNeeded, firstPairs, type PlanarWorkload } from './workloads/workload.ts';
import { contact, createShape, intersects, planar } from '../../src/cpu.ts';
import { poseOf } from '../../verification/families/families.ts';

describe('the command line of the benchmark', () => {
  it('measures everything at 262,144 pairs in seven rounds by default, and a few cases with --quick', () => {
    expect(parseOptions([])).toMatchObject({
      pairs: 262_144,
      rounds: 7,
      out: 'bench/results',
      curves: true,
      engines: null,
      cases: CASES,
    });
    const quick = parseOptions(['--quick'])!;
    expect(quick.pairs).toBeLessThan(262_144);
    expect(quick.out).not.toBe('bench/results');
    expect(quick.cases.length).toBeLessThan(5);
  });

  it('takes cases by name or by their first parts', () => {
    expect(parseOptions(['--cases', 'boxes/contacts/50'])).toMatchObject({
      cases: [{ name: 'boxes/contacts/50' }],
      curves: false,
    });
    expect(chooseCases(['hull32/contacts']).cases.map(({ name }) => name)).toEqual([
      'hull32/contacts/5',
      'hull32/contacts/50',
      'hull32/contacts/85',
    ]);
    expect(parseOptions(['--cases', 'curves'])).toMatchObject({ cases: [], curves: true });
  });

  it.each([
    [['--pairs', '12'], '--pairs is "12", expected a whole number from 64'],
    [['--rounds', 'many'], '--rounds is "many"'],
    [['--engines', 'dawn,vulkan'], '--engines has "vulkan", expected some of dawn'],
    [['--peers', 'bullet'], '--peers has "bullet"'],
    [['--cases', 'boxes/overlap'], '--cases has "boxes/overlap", which is no case'],
    [['--cases', 'box'], '--cases has "box"'],
    [['--fast'], "Unknown option '--fast'"],
  ])('refuses %j', (args, message) => {
    expect(() => parseOptions(args)).toThrow(UsageError);
    expect(() => parseOptions(args)).toThrow(message);
  });
});

describe('workloads', () => {
  it.each(WORKLOADS.filter((name) => name !== 'debris'))('%s have the share of hits that was asked for', (name) => {
    for (const wanted of [0.05, 0.5, 0.85])
      expect(Math.abs(hitRate(makeWorkload(name, 1000, wanted, 7), 1000) - wanted)).toBeLessThan(0.05);
  });

  it.each(PLANAR_WORKLOADS)('%s of the plane have the share of hits that was asked for', (name) => {
    for (const wanted of [0.05, 0.5, 0.85]) {
      const hits = planarDistances(makePlanarWorkload(name, 1000, wanted, 7)).filter(
        (distance) => distance <= 0,
      ).length;
      expect(Math.abs(hits / 1000 - wanted)).toBeLessThan(0.05);
    }
  });

  it.each(PLANAR_WORKLOADS)('%s have the same signed distances in space, where they are thin', (name) => {
    const workload = makePlanarWorkload(name, 500, 0.5, 7);
    const thin = thicken(workload);
    const shapes = thin.shapes.map((shape) => createShape(shape));
    const inPlane = planarDistances(workload);
    for (let i = 0; i < 500; i++) {
      const [a, b] = thin.pairs.subarray(2 * i);
      const inSpace = contact(
        shapes[thin.bodies.shapes[a]],
        poseOf(thin, a),
        shapes[thin.bodies.shapes[b]],
        poseOf(thin, b),
        { margin: Infinity },
      );
      expect(Math.abs(inSpace.distance - inPlane[i])).toBeLessThan(1e-6);
    }
  });

  it('polygon8 has eight corners, counter-clockwise', () => {
    for (const shape of makePlanarWorkload('polygon8', 1, 0.5, 7).shapes) {
      const { vertices, pointIndices } = planar.createShape(shape);
      expect(vertices.length).toBe(16);
      const first = pointIndices[0];
      expect(Array.from(pointIndices)).toEqual([0, 1, 2, 3, 4, 5, 6, 7].map((corner) => (corner + first) % 8));
    }
  });

  it('debris has pairs of different bodies, each once, some of which overlap', () => {
    const debris = makeWorkload('debris', 2000, 0.5, 7);
    const seen = new Set<string>();
    for (let i = 0; i < 2000; i++) {
      const pair = [debris.pairs[2 * i], debris.pairs[2 * i + 1]].sort((a, b) => a - b);
      expect(pair[0]).not.toBe(pair[1]);
      expect(pair[1]).toBeLessThan(debris.bodies.shapes.length);
      seen.add(pair.join());
    }
    expect(seen.size).toBe(2000);
    expect(hitRate(debris, 2000)).toBeGreaterThan(0.2);
    expect(hitRate(debris, 2000)).toBeLessThan(0.8);
  });

  it('are the same for the same seed', () => {
    expect(makeWorkload('mixed', 100, 0.5, 3)).toEqual(makeWorkload('mixed', 100, 0.5, 3));
    expect(makePlanarWorkload('rectangles', 100, 0.5, 3)).toEqual(makePlanarWorkload('rectangles', 100, 0.5, 3));
    expect(makeWorkload('mixed', 100, 0.5, 3).bodies.positions).not.toEqual(
      makeWorkload('mixed', 100, 0.5, 4).bodies.positions,
    );
  });

  it('repeat their pairs where more are wanted than there are', () => {
    const workload = makeWorkload('boxes', 3, 0.5, 1);
    expect(Array.from(firstPairs(workload, 2))).toEqual([0, 1, 2, 3]);
    expect(Array.from(firstPairs(workload, 5))).toEqual([0, 1, 2, 3, 4, 5, 0, 1, 2, 3]);
    expect(bodiesNeeded(workload, 2)).toBe(4);
  });

  it('come out of a file as they went in, velocities and duration too', () => {
    const folder = mkdtempSync(join(tmpdir(), 'narrowphase-bench-test-'));
    const file = join(folder, 'workload');
    try {
      for (const workload of [
        makeWorkload('boxes', 5, 0.5, 1),
        makeMovingWorkload('boxes', 5, 1),
        makePlanarWorkload('rectangles', 5, 0.5, 1),
      ]) {
        writeWorkload(file, workload);
        const read = readWorkload(file);
        expect({ ...read, shapes: [] }).toStrictEqual({ ...workload, shapes: [] });
        expect(read.shapes).toEqual(workload.shapes);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('answers against the reference', () => {
  const truth = { distance: Float64Array.of(-0.5, 0.5, 1e-7, -0.2, NaN), size: new Float64Array(5).fill(1) };

  it('agree within the tolerance; pairs near touch and without truth are left out', () => {
    const agreement = compareAnswers('intersects', { hit: Uint8Array.of(1, 0, 1, 1, 0), distance: null }, truth, 1e-5);
    expect(agreement).toMatchObject({ compared: 3, wrongFlags: 0, wrongDistances: 0, largestError: null });
    expect(verdictOf(agreement)).toBe('agrees');
  });

  it('a wrong flag counts once, and its distance not at all', () => {
    const found = compareAnswers(
      'contacts',
      { hit: Uint8Array.of(0, 0, 0, 1, 0), distance: Float64Array.of(NaN, NaN, NaN, -0.2, NaN) },
      truth,
      1e-5,
    );
    expect(found).toMatchObject({ wrongFlags: 1, wrongDistances: 0, farOff: 1, largestError: 0 });
    expect(verdictOf(found)).toBe('differs');
  });

  it('nothing to compare is no agreement', () => {
    const unknown = { distance: new Float64Array(2).fill(NaN), size: new Float64Array(2).fill(1) };
    expect(verdictOf(compareAnswers('intersects', { hit: Uint8Array.of(1, 0), distance: null }, unknown, 1e-5))).toBe(
      'differs',
    );
  });

  it('contacts are judged by depths, distances by gaps', () => {
    const hit = Uint8Array.of(1, 0, 0, 1, 0);
    const distance = Float64Array.of(-0.5, 0.4, 0, 0, 0);
    expect(compareAnswers('contacts', { hit, distance }, truth, 1e-5)).toMatchObject({
      wrongDistances: 1,
      largestError: 0.2,
    });
    const gaps = compareAnswers('distances', { hit, distance }, truth, 1e-5);
    expect(gaps.wrongDistances).toBe(1);
    expect(gaps.largestError).toBeCloseTo(0.1, 12);
  });

  it('an answer that is no number is wrong', () => {
    const found = compareAnswers(
      'contacts',
      { hit: Uint8Array.of(1, 0, 0, 1, 0), distance: Float64Array.of(NaN, 0, 0, -0.2, 0) },
      truth,
      1e-5,
    );
    expect(found).toMatchObject({ wrongDistances: 1, farOff: 1, largestError: NaN });
  });

  it('are compared for the first pairs and for some of all others', () => {
    expect(Array.from(judgedPairs(3))).toEqual([0, 1, 2]);
    const indices = judgedPairs(262_144);
    expect(new Set(indices).size).toBe(indices.length);
    expect(indices[4095]).toBe(4095);
    expect(indices.at(-1)).toBeLessThan(262_144);
    expect(indices.at(-1)).toBeGreaterThan(262_000);
  });
});

describe('figures', () => {
  it('a ratio is the median of the ratios of each round, not the ratio of medians', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    // The second round was slow for both.
    expect(ratioOf([10, 2, 12], [1, 0.2, 1])).toEqual({ median: 10, least: 10, greatest: 12 });
  });

  it('a subject that died has ratios of the rounds it took part in', () => {
    expect(ratioOf([10, 20, 30], [1, 4])).toEqual({ median: 7.5, least: 5, greatest: 10 });
  });
});

describe('axes', () => {
  it('a logarithmic axis begins and ends at powers around the values', () => {
    const scale = logScale(0.03, 40, 0, 400, 10, 7);
    expect(scale.ticks.map((tick) => Number(tick.toPrecision(3)))).toEqual([0.01, 0.1, 1, 10, 100]);
    expect(scale.at(0.01)).toBeCloseTo(0);
    expect(scale.at(1)).toBeCloseTo(200);
    expect(scale.at(100)).toBeCloseTo(400);
  });

  it('labels that would overlap move apart and keep their order, the others stay', () => {
    expect(spreadLabels([50, 10, 50], 10, 0, 100)).toEqual([45, 10, 55]);
    expect(spreadLabels([99, 98], 10, 0, 100)).toEqual([100, 90]);
  });
});

describe('peers and targets', () => {
  it('name cases and calls that there are', () => {
    expect(new Set(PEER_CALLS.map(({ id }) => id)).size).toBe(PEER_CALLS.length);
    for (const { case: name, peer, prepared } of RATIO_TARGETS) {
      const found = CASES.find((each) => each.name === name)!;
      const types = { boxes: 'box', hull32: 'hull', rectangles: 'rectangle', polygon8: 'polygon' } as const;
      const calls = peerCallsFor(
        found.query,
        found.workload,
        new Set([types[found.workload as keyof typeof types]]),
        'prepared',
      ).map(({ id }) => id);
      expect(calls).toContain(peer);
      if (prepared) expect(calls).toContain(prepared);
    }
    for (const { case: name } of [...RATE_TARGETS, ...THIN_TARGETS])
      expect(CASES.map((each) => each.name)).toContain(name);
  });

  it('only take shapes that they have', () => {
    expect(
      peerCallsFor('intersects', 'mixed', new Set(['box', 'sphere']), 'prepared').map(({ peer }) => peer),
    ).not.toContain('three');
    expect(peerCallsFor('intersects', 'boxes', new Set(['box']), 'prepared').map(({ peer }) => peer)).toContain(
      'three',
    );
    expect(peerCallsFor('contacts', 'rectangles', new Set(['rectangle']), 'prepared').map(({ id }) => id)).toEqual([
      'rapier2d:contactShape',
      'rapier2d:contactCollider',
    ]);
  });
});

describe('the report', () => {
  const report = sampleReport();

  it('has a verdict for each target whose case was asked for, and no other', () => {
    const text = targetTables(report).join('\n');
    expect(text).toMatch(/box contacts \(SAT\) \| dawn-lavapipe \| 20\.0 .* 50 \(50–50\) \| ≥ 40 \| met/);
    expect(text).toMatch(/box contacts, CPU backend \| cpu \| 2\.00 .* 5\.0 \(5\.0–5\.0\) \| ≥ 10 \| not met/);
    expect(text).toMatch(/box contact \| dawn-lavapipe \| 20\.0 \| 2\.8 \(FCL SAT\) \| passed/);
    expect(text).not.toMatch(/hull32|not measured/);
    const failed = report.cases.map((each) => ({
      ...each,
      subjects: each.subjects.filter(({ id }) => id !== 'rapier:contactShape'),
    }));
    expect(targetTables({ ...report, cases: failed }).join('\n')).toMatch(
      /box contacts \(SAT\) \| dawn-lavapipe \| 20\.0 .* not measured/,
    );
  });

  it('an engine with a wrong answer meets no target, and a peer with many is marked', () => {
    const subjectsLike = (wrong: string, verdict: 'some differ' | 'differs') =>
      report.cases.map((each) => ({
        ...each,
        subjects: each.subjects.map((one) => (one.id === wrong ? { ...one, verdict } : one)),
      }));
    const own = targetTables({ ...report, cases: subjectsLike('dawn-lavapipe', 'some differ') }).join('\n');
    expect(own).toMatch(/box contacts \(SAT\) \| dawn-lavapipe \| – .* not measured/);
    expect(own).toMatch(/box contact \| dawn-lavapipe \| – .* not measured/);
    const theirs = targetTables({ ...report, cases: subjectsLike('rapier:contactShape', 'differs') }).join('\n');
    expect(theirs).toMatch(/box contacts \(SAT\) \| dawn-lavapipe \| 20\.0 \| ✗ rapier .* met/);
  });

  it('holds shapes of the plane against thin ones in space on the same engine', () => {
    const contacts = {
      ...report.cases[0],
      name: 'polygon8/contacts/50',
      workload: 'polygon8',
      subjects: [subject('dawn-lavapipe', 20), subject(thinId('dawn-lavapipe'), 8, { kind: 'engine' })],
    };
    const text = markdown({ ...report, cases: [contacts] });
    expect(text).toMatch(/polygon contacts \| dawn-lavapipe \| 20\.0 \| 8\.00 \| 2\.5 \(2\.5–2\.5\) \| ≥ 2 \| met/);
    expect(text).toMatch(/\| dawn-lavapipe, thin in space \| 1,000 .* 2\.5 \(2\.5–2\.5\)/);
    const wrong = {
      ...contacts,
      subjects: [
        subject('dawn-lavapipe', 20),
        subject(thinId('dawn-lavapipe'), 8, { kind: 'engine', verdict: 'some differ' }),
      ],
    };
    expect(markdown({ ...report, cases: [wrong] })).toMatch(
      /polygon contacts \| dawn-lavapipe \| 20\.0 \| – .* not measured/,
    );
  });

  it('counts wrong times of impacts', () => {
    const agreement = {
      compared: 100,
      wrongFlags: 1,
      wrongDistances: 2,
      farOff: 0,
      largestError: 1e-3,
      medianError: 1e-8,
      hitRate: 0.5,
    };
    const impacts = {
      ...report.cases[0],
      name: 'boxes/impacts/50',
      query: 'impacts' as const,
      subjects: [subject('dawn-lavapipe', 20), subject('rapier:castShape', 0.4, { agreement })],
    };
    const text = markdown({ ...report, cases: [impacts] });
    expect(text).toContain('1,000 pairs, 50 % meeting.');
    expect(text).toMatch(/\| rapier Shape\.castShape.* 1 flags and 2 times of 100 differ \|/);
    expect(text).toMatch(/box impacts \| dawn-lavapipe \| 20\.0 .* 50 \(50–50\) \| ≥ 10 \| met/);
    expect(text).toMatch(/box impact \| dawn-lavapipe \| 20\.0 \| 2\.5 \(best shape cast\) \| passed/);
  });

  it('marks a subject whose answers differ and tells why one did not run', () => {
    const text = markdown(report);
    expect(text).toMatch(/\| ✗ cannon ConvexPolyhedron/);
    expect(text).toContain('chrome: not available: not installed');
    expect(text).toContain('jolt TransformedShape.CollideShape, closest hit: its process ended (SIGSEGV)');
  });

  it('has a plot that is well-formed, with a line for each engine and the rates of peers', () => {
    const svg = throughputPlot(report);
    expect(XMLValidator.validate(svg)).toBe(true);
    expect(svg).toContain('dawn-lavapipe 20');
    expect(svg).toContain('rapier contactShape 0.40');
    expect(svg).not.toContain('NaN');
  });
});

function planarDistances({ shapes: descriptions, bodies, pairs }: PlanarWorkload): number[] {
  const shapes = descriptions.map((shape) => planar.createShape(shape));
  const shapeOf = (body: number) => shapes[bodies.shapes[body]];
  const standing = (body: number) => ({
    position: bodies.positions.subarray(2 * body, 2 * body + 2),
    angle: bodies.angles[body],
  });
  return Array.from({ length: pairs.length / 2 }, (_, i) => {
    const [a, b] = pairs.subarray(2 * i);
    return planar.contact(shapeOf(a), standing(a), shapeOf(b), standing(b), { margin: Infinity }).distance;
  });
}

function hitRate(workload: ReturnType<typeof makeWorkload>, count: number): number {
  const shapes = workload.shapes.map((shape) => createShape(shape));
  let hits = 0;
  for (let i = 0; i < count; i++) {
    const [a, b] = workload.pairs.subarray(2 * i);
    const [shapeA, shapeB] = [a, b].map((body) => shapes[workload.bodies.shapes[body]]);
    if (intersects(shapeA, poseOf(workload, a), shapeB, poseOf(workload, b)).hit) hits++;
  }
  return hits / count;
}

function sampleReport(): BenchReport {
  return {
    version: 1,
    generator: 'narrowphase 0.0.0',
    command: 'npm run bench',
    date: '2026-01-01',
    seconds: 60,
    machine: { cpu: 'A & B', cores: 2, memoryGiB: 8, os: 'Linux', node: '20', loadAtStart: 0 },
    pairs: 1000,
    rounds: 2,
    seed: 1,
    engines: [engine('dawn-lavapipe'), engine('chrome', 'not installed'), engine('cpu')],
    peers: [{ name: 'rapier', runtime: 'rapier', unavailable: null }],
    cases: [
      {
        name: 'boxes/contacts/50',
        workload: 'boxes',
        query: 'contacts',
        hitRate: 0.5,
        pairs: 1000,
        subjects: [
          subject('dawn-lavapipe', 20),
          subject('cpu', 2),
          subject('rapier:contactShape', 0.4),
          subject('cannon:clipAgainstHull', 0.1, { verdict: 'differs' }),
          subject('jolt:CollideShape', 1, {
            samples: [],
            agreement: null,
            verdict: null,
            failure: 'its process ended (SIGSEGV)',
          }),
        ],
      },
    ],
    curves: [
      {
        engine: 'dawn-lavapipe',
        workload: 'boxes',
        query: 'contacts',
        points: [
          { pairs: 1024, ms: 1 },
          { pairs: 4096, ms: 4.096 / 20 },
          { pairs: 16_384, ms: null },
        ],
        failure: null,
      },
    ],
  };
}

function subject(id: string, rate: number, more: Partial<SubjectResult> = {}): SubjectResult {
  return {
    id,
    kind: id.includes(':') ? 'peer' : 'engine',
    opened: { runtime: id, openMs: 1 },
    loaded: {},
    pairs: 1000,
    samples: [{ ms: 1 / rate }, { ms: 1 / rate }],
    agreement: {
      compared: 100,
      wrongFlags: 0,
      wrongDistances: 0,
      farOff: 0,
      largestError: 1e-7,
      medianError: 1e-8,
      hitRate: 0.5,
    },
    verdict: 'agrees',
    iterations: null,
    failure: null,
    ...more,
  };
}

function engine(name: string, unavailable: string | null = null): BenchReport['engines'][number] {
  return { name, runtime: name, adapter: null, unavailable };
}
