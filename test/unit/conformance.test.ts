/** The judgement of `narrowphase conformance`: right answers have no fault, and each kind of wrong one is counted. */

import { describe, expect, test } from 'vitest';
import { distanceErrors } from '../../src/cli/conformance/errors.ts';
import { examine } from '../../src/cli/conformance/examine.ts';
import { conformanceFamilies } from '../../src/cli/conformance/families.ts';
import { termsOf, type Fault } from '../../src/cli/conformance/judge.ts';
import { engineReport, faultsOf, makeReport, type EngineReport } from '../../src/cli/conformance/report.ts';
import { makeSubject } from '../../src/cli/conformance/subject.ts';
import { markdown } from '../../src/cli/conformance/tables.ts';
import { Tally, type FamilyTally } from '../../src/cli/conformance/tally.ts';
import { openCpu } from '../../src/cli/engines/cpu.ts';
import type { Answer, Engine, Question, Reply } from '../../src/cli/engines/engine.ts';
import { parseScene } from '../../src/scene/scene.ts';
import { Status } from '../../src/types.ts';
import { makeShapePairFamily } from '../families.ts';

const PAIRS = 60;
const subject = makeSubject(makeShapePairFamily('box/hull', PAIRS, 4), PAIRS);
const boxes = makeSubject(makeShapePairFamily('box/box', 20, 4), 5);
const GPU = termsOf('webgpu');
const OPTIONS = { pairs: PAIRS, judged: PAIRS, seed: 4 };

/** The first pair whose distance is clearly of the sign, several times its tolerance from 0. */
function pairOf(sign: 1 | -1): number {
  return subject.truth.findIndex((truth, pair) => truth * sign > 1e-2 * subject.sizes[pair]);
}
const apart = pairOf(1);
const overlapping = pairOf(-1);

async function answerOf(query: Question['query']): Promise<Answer> {
  const engine = await openCpu();
  await engine.load(subject.family.shapes, subject.family.bodies);
  const question: Question = { query, pairs: subject.family.pairs, results: 'all' };
  const { answer } = await engine.ask(query === 'contacts' ? { ...question, margin: Infinity, bounds: true } : question);
  await engine.close();
  return answer;
}

/** What the tally makes of an answer that `change` has tampered with. */
async function tallied(query: Question['query'], change: (answer: Answer) => void, terms = GPU): Promise<FamilyTally> {
  const answer = { ...(await answerOf(query)) };
  change(answer);
  const statusCounts = [0, 0, 0, 0, 0];
  for (const status of answer.status) statusCounts[status]++;
  const tally = new Tally(subject, terms);
  tally.add({ query, algorithm: 'auto' }, { ...answer, statusCounts: statusCounts as unknown as Answer['statusCounts'] });
  return tally.result();
}

/** The counts that are not 0. */
function faultsIn({ faults }: FamilyTally): Partial<Record<Fault, number>> {
  return Object.fromEntries(Object.entries(faults).filter(([, count]) => count > 0));
}

describe.each(['contacts', 'distances', 'intersects'] as const)('right answers to %s', (query) => {
  test.each(['webgpu', 'cpu'] as const)('have no fault on %s', async (backend) => {
    const found = await tallied(query, () => {}, termsOf(backend));
    expect(found).toMatchObject({ pairs: PAIRS, judged: PAIRS, answers: PAIRS, notConverged: 0, faulty: [] });
    expect(faultsIn(found)).toEqual({});
  });
});

test('the engine cpu is held to 1e-9 beyond the rounding to f32', async () => {
  const { largestError } = await tallied('contacts', () => {}, termsOf('cpu'));
  expect(largestError).toBeLessThan(1e-14);
  const found = await tallied('contacts', ({ distance }) => (distance![apart] *= 1 + 2 ** -20), termsOf('cpu'));
  expect(found.faults.outside).toBe(1);
  expect(found.worst?.pair).toBe(apart);
});

function makeOverlap({ status, distance, normal, pointA, pointB }: Answer): void {
  status[apart] = Status.Overlapping;
  distance![apart] = 0;
  for (const array of [normal!, pointA!, pointB!]) scaleAt(array, apart, 0);
}

function scaleAt(array: Float32Array | Float64Array, pair: number, factor: number): void {
  for (let k = 0; k < 3; k++) array[3 * pair + k] *= factor;
}

function moveAlong({ normal, pointA, pointB }: Answer, pair: number, step: number): void {
  for (const points of [pointA!, pointB!]) for (let k = 0; k < 3; k++) points[3 * pair + k] += step * normal![3 * pair + k];
}

function size(pair: number): number {
  return subject.sizes[pair];
}

describe('a wrong answer', () => {
  const cases: [what: string, query: Question['query'], change: (answer: Answer) => void, expected: Partial<Record<Fault, number>>][] = [
    // The normal and the points belong to another distance, too.
    ['distance', 'contacts', ({ distance }) => (distance![overlapping] -= 1e-5 * size(overlapping)), { outside: 1, wrongNormal: 1, wrongPoint: 1 }],
    ['gap of `distances`', 'distances', ({ distance }) => (distance![apart] += 1e-5 * size(apart)), { outside: 1, wrongNormal: 1, wrongPoint: 1 }],
    ['distance that is no number', 'contacts', ({ distance }) => (distance![apart] = NaN), { outside: 1, wrongNormal: 1, wrongPoint: 1 }],
    ['distance of an overlap in `distances`', 'distances', ({ distance }) => (distance![overlapping] = 1e-9), { outside: 1 }],
    ['normal of an overlap in `distances`', 'distances', ({ normal }) => (normal![3 * overlapping] = 1), { wrongNormal: 1 }],
    ['point of an overlap in `distances`', 'distances', ({ pointB }) => (pointB![3 * overlapping + 2] = 1), { wrongPoint: 1 }],
    ['status', 'contacts', ({ status }) => (status[apart] = Status.Overlapping), { wrongSign: 1 }],
    ['status of `intersects`', 'intersects', ({ status }) => (status[overlapping] = Status.Separated), { wrongSign: 1 }],
    ['gap called an overlap by `distances`', 'distances', makeOverlap, { wrongSign: 1, outside: 1 }],
    ['refusal of valid input', 'contacts', ({ status }) => (status[apart] = Status.InvalidInput), { wrongSign: 1 }],
    ['hit', 'intersects', ({ hit }) => (hit![apart] = 1), { wrongHit: 1 }],
    ['missing hit', 'intersects', ({ hit }) => (hit![overlapping] = 0), { wrongHit: 1 }],
    ['length of the normal', 'contacts', ({ normal }) => scaleAt(normal!, apart, 1 + 2e-5), { wrongNormal: 1 }],
    ['normal that is no number', 'contacts', ({ normal }) => (normal![3 * apart] = NaN), { wrongNormal: 1, wrongPoint: 1 }],
    ['direction of the normal', 'contacts', ({ normal }) => scaleAt(normal!, apart, -1), { wrongNormal: 1, wrongPoint: 1 }],
    ['point', 'contacts', ({ pointA }) => (pointA![3 * apart] += 1e-3 * size(apart)), { wrongPoint: 1 }],
    ['pair of points off their surfaces', 'contacts', (answer) => moveAlong(answer, apart, 1e-3 * size(apart)), { wrongPoint: 1 }],
    ['lower bound', 'contacts', ({ lower, distance }) => (lower![apart] = distance![apart] * (1 + 1e-6)), { brokenBound: 1 }],
    ['upper bound', 'contacts', ({ upper, distance }) => (upper![overlapping] = distance![overlapping] * (1 + 1e-6)), { brokenBound: 1 }],
  ];

  test.each(cases)('is counted: %s', async (_, query, change, expected) => {
    const found = await tallied(query, change);
    expect(faultsIn(found)).toEqual(expected);
    expect(found.faulty).toHaveLength(1);
    expect(found.faulty[0]).toMatchObject({ query, algorithm: 'auto', truthBy: 'oracle', faults: expect.arrayContaining(Object.keys(expected)) });
  });

  test('no number is the largest error there is', async () => {
    const { largestError, worst } = await tallied('contacts', ({ distance }) => (distance![apart] = NaN));
    expect(largestError).toBeNull();
    expect(worst).toMatchObject({ pair: apart, distance: null, error: null });
  });

  test('that is of another pair, or missing, or miscounted, is none at all', async () => {
    const answer = await answerOf('intersects');
    const add = (changes: Partial<Answer>) => () => new Tally(subject, GPU).add({ query: 'intersects', algorithm: 'auto' }, { ...answer, ...changes });
    expect(add({})).not.toThrow();
    expect(add({ count: PAIRS - 1 })).toThrow(`it answered ${PAIRS - 1} pairs of ${PAIRS}`);
    expect(add({ pair: answer.pair.slice().reverse() })).toThrow(`slot 0 of its answer is of pair ${PAIRS - 1}`);
    expect(add({ statusCounts: [PAIRS, 0, 0, 0, 0] })).toThrow('it counted statuses');
  });
});

describe('a pair that did not converge', () => {
  test('is counted, and no fault', async () => {
    const found = await tallied('contacts', ({ status, distance, normal }) => {
      status[apart] = Status.NotConverged;
      distance![apart] = 0.5 * subject.truth[apart];
      normal!.fill(0, 3 * apart, 3 * apart + 3);
    });
    expect(found.notConverged).toBe(1);
    expect(faultsIn(found)).toEqual({});
  });

  test('has a lower bound for distance, and bounds that hold', async () => {
    const found = await tallied('contacts', ({ status, distance, upper }) => {
      status[apart] = Status.NotConverged;
      distance![apart] = 1.1 * subject.truth[apart];
      upper![apart] = 0.9 * subject.truth[apart];
    });
    expect(faultsIn(found)).toEqual({ outside: 1, brokenBound: 1 });
  });
});

test('the pair of the largest error comes as a scene file of that pair alone', async () => {
  const { worst } = await tallied('contacts', ({ distance }) => (distance![apart] += 1));
  const scene = parseScene(JSON.stringify(worst!.scene));
  const { family } = subject;
  const bodies = [2 * apart, 2 * apart + 1];
  expect(scene.shapes.map(({ type }) => type)).toEqual(bodies.map((body) => family.shapes[family.bodies.shapes[body]].type));
  expect([...scene.bodies.positions]).toEqual([...family.bodies.positions.subarray(6 * apart, 6 * apart + 6)]);
  expect(scene.bodies.quaternions).toEqual(family.bodies.quaternions.slice(8 * apart, 8 * apart + 8));
  expect(scene.bodies.scales).toEqual(family.bodies.scales!.slice(2 * apart, 2 * apart + 2));
  expect([...scene.pairs]).toEqual([0, 1]);
});

describe('errors of distances', () => {
  test('the largest, the percentile, and what is outside or of the wrong sign; what did not converge is only counted', () => {
    const distance = [1, 2.001, -1, 5, NaN];
    const status = [Status.Separated, Status.Overlapping, Status.Separated, Status.NotConverged, Status.Separated];
    const errors = distanceErrors({ distance, status }, [1, 2, -1, 1, 1], [1, 1, 1, 1, 1], 4, 1e-2);
    expect(errors).toMatchObject({ pairs: 4, overlapping: 1, outside: 0, wrongSigns: 2, notConverged: 1 });
    expect(errors.largest).toBeCloseTo(1e-3, 9);
    expect(distanceErrors({ distance, status }, [1, 2, -1, 1, 1], [1, 1, 1, 1, 1], 5, 1e-4)).toMatchObject({ outside: 2, largest: Infinity });
  });
});

/** The engine `cpu`, with `change` made to each of its replies. */
async function engineWith(change: (question: Question, reply: Reply) => void): Promise<Engine> {
  const engine = await openCpu();
  return {
    ...engine,
    async ask(question) {
      const reply = await engine.ask(question);
      change(question, reply);
      return reply;
    },
  };
}

async function reportOf(change: (question: Question, reply: Reply) => void = () => {}): Promise<EngineReport> {
  const engine = await engineWith(change);
  const examination = await examine(engine, [subject, boxes], () => {});
  await engine.close();
  return engineReport({ name: 'cpu', detail: '', engine }, examination);
}

describe('an engine', () => {
  test('is asked for contacts first, then distances and hits; of boxes by SAT and by GJK', async () => {
    const asked: string[] = [];
    const report = await reportOf(({ query, algorithm, margin, bounds, results }) => asked.push([query, algorithm, margin, bounds, results].join(' ')));
    expect(asked).toEqual([
      'contacts auto Infinity true all', 'distances auto   all', 'intersects auto   all',
      ...['sat', 'gjk'].map((algorithm) => `contacts ${algorithm} Infinity true all`),
      ...['sat', 'gjk'].map((algorithm) => `distances ${algorithm}   all`),
      ...['sat', 'gjk'].map((algorithm) => `intersects ${algorithm}   all`),
    ]);
    expect(report).toMatchObject({ unavailable: null, failure: null, pairs: PAIRS + 20, judged: PAIRS + 5, answers: 3 * PAIRS + 6 * 20, notConverged: 0 });
    expect(report.firstCall).toBeGreaterThan(0);
    expect(report.iterations.max).toBeGreaterThan(report.iterations.mean);
    expect(makeReport('test', OPTIONS, [subject, boxes], [report]).passed).toBe(true);
  });

  test('with a wrong answer fails, and the table tells the pair', async () => {
    const engine = await reportOf(({ query }, { answer }) => query === 'intersects' && (answer.hit![0] = 1 - answer.hit![0]));
    expect(faultsOf(engine)).toBe(engine.faults.wrongHit);
    expect(engine.faults.wrongHit).toBeGreaterThan(0);
    const report = makeReport('test', OPTIONS, [subject, boxes], [engine]);
    expect(report.passed).toBe(false);
    expect(markdown(report)).toContain('box/hull, pair 0, intersects by auto: wrong hit');
    expect(markdown(report)).toContain('Failed.');
  });

  test('that dies keeps what it answered, with the reason, and fails', async () => {
    const engine = await reportOf(({ algorithm }) => {
      if (algorithm === 'gjk') throw new Error('device | lost');
    });
    expect(engine).toMatchObject({ failure: 'device | lost', pairs: PAIRS });
    expect(engine.families.map(({ family }) => family)).toEqual(['box/hull']);
    const report = makeReport('test', OPTIONS, [subject, boxes], [engine]);
    expect(report.passed).toBe(false);
    expect(markdown(report)).toContain('- cpu died: device / lost');
  });

  test('that is not available is named with the reason, and no failure', () => {
    const engine = engineReport({ name: 'firefox', detail: '', reason: 'no Firefox here' }, null);
    const report = makeReport('test', OPTIONS, [subject], [engine]);
    expect(report.passed).toBe(true);
    expect(markdown(report)).toContain('- firefox is not available: no Firefox here');
  });
});

test('every family is there once: of types, degenerate, on a grid, of fixtures', () => {
  const names = [...conformanceFamilies(2, 1)].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(['sphere/sphere', 'hull/hull', 'needles', 'grid', 'hard-cases', 'regressions']));
  expect(names).toHaveLength(15 + 6 + 3);
});
