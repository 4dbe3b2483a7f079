/** The report: tables of targets, marks of wrong answers, and the plot. */
import { XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { markdown, targetTables } from './markdown.ts';
import { throughputPlot } from './plot.ts';
import type { BenchReport } from './report.ts';
import type { SubjectResult } from '../run/case.ts';
import { thinId } from '../protocol.ts';

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
