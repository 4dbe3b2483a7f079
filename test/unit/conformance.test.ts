/**
 * What `narrowphase conformance` asks, adds up and reports. That it notices every kind of wrong answer stands in
 * tampering.test.ts.
 */

import { describe, expect, test } from 'vitest';
import { distanceErrors } from '../../verification/statistics/distance-errors.ts';
import { examine } from '../../cli/conformance/examine.ts';
import { conformanceFamilies } from '../../verification/families/conformance.ts';
import { engineReport, makeReport, type EngineReport } from '../../cli/conformance/report.ts';
import { makeJudgedFamily, type JudgedFamily } from '../../cli/conformance/judged-family.ts';
import { markdown } from '../../cli/conformance/tables.ts';
import { openCpu } from '../../verification/engines/cpu.ts';
import type { Answer, Engine, Question } from '../../verification/engines/engine.ts';
import { parseScene } from '../../cli/scene/scene.ts';
import { F32_ROUNDING, TOLERANCE } from '../../src/shapes/tolerances.ts';
import { Status } from '../../src/api/types.ts';
import { makeShapePairFamily } from '../../verification/families/families.ts';
import { replying, tampered } from '../helpers/tampering.ts';

const PAIRS = 60;
const family = makeShapePairFamily('box/hull', PAIRS, 4);
const judgedFamily = makeJudgedFamily(family, PAIRS);
const boxes = makeJudgedFamily(makeShapePairFamily('box/box', 20, 4), 5);
const OPTIONS = { pairs: PAIRS, judged: PAIRS, seed: 4 };

/** The first pair with a wide gap. */
const apart = judgedFamily.truth.findIndex((truth) => truth > 0.1);

async function reportOf(
  change: (honest: Engine) => Engine = (honest) => honest,
  judgedFamilies: JudgedFamily[] = [judgedFamily, boxes],
): Promise<EngineReport> {
  const engine = change(await openCpu());
  const examination = await examine(engine, judgedFamilies, () => {});
  await engine.close();
  return engineReport({ name: 'cpu', detail: '', engine }, examination);
}

/** The engine cpu, of which `tell` hears every question and answer. */
function heard(tell: (question: Question, answer: Answer) => void): (honest: Engine) => Engine {
  return (honest) => replying(honest, (answer, question) => (tell(question, answer), answer));
}

/** Queries, margins and bounds that a family is asked by each of the algorithms, for all pairs and for the hits. */
function questions(algorithms: string[]): string[] {
  return [
    'contacts ALGORITHM Infinity true',
    'contacts ALGORITHM  true',
    'distances ALGORITHM  false',
    'intersects ALGORITHM  false',
  ].flatMap((question) =>
    algorithms.flatMap((algorithm) =>
      ['all', 'hits'].map((results) => `${question.replace('ALGORITHM', algorithm)} ${results}`),
    ),
  );
}

describe('an engine', () => {
  test('is asked for contacts, distances and hits, each for all pairs and for the hits; boxes by SAT and by GJK', async () => {
    const asked: string[] = [];
    const report = await reportOf(
      heard(({ query, algorithm, margin, bounds, results }) =>
        asked.push([query, algorithm, margin, bounds, results].join(' ')),
      ),
    );
    expect(asked).toEqual([...questions(['auto']), ...questions(['sat', 'gjk'])]);
    expect(report).toMatchObject({
      unavailable: null,
      failure: null,
      pairs: PAIRS + 20,
      judged: PAIRS + 5,
      answers: 4 * PAIRS + 8 * 20,
      faulty: 0,
      unanswered: 0,
    });
    expect(report.firstCall).toBeGreaterThan(0);
    expect(report.iterations.max).toBeGreaterThan(report.iterations.mean);
    expect(makeReport('test', OPTIONS, [judgedFamily, boxes], [report]).passed).toBe(true);
  });

  test('has pairs that leave early, and gives f32 points, at the default margin of contacts', async () => {
    const report = await reportOf(
      heard(({ query }, { pointA }) => query === 'contacts' && expect(pointA).toBeInstanceOf(Float32Array)),
      [judgedFamily],
    );
    expect(report.families[0].leftEarly).toBeGreaterThan(PAIRS / 10);
  });

  test('with a wrong answer fails, and the table tells the pair', async () => {
    const engine = await reportOf((honest) =>
      tampered(
        honest,
        0,
        ({ hit }, slot) => (hit![slot] = 1 - hit![slot]),
        undefined,
        ({ query }) => query === 'intersects',
      ),
    );
    // Boxes are asked about twice.
    expect(engine.faults.listing).toBe(3);
    const report = makeReport('test', OPTIONS, [judgedFamily, boxes], [engine]);
    expect(report.passed).toBe(false);
    expect(markdown(report)).toContain(
      'box/hull, pair 0, intersects by auto, margin 0: the list of hits says other than the list of all pairs',
    );
    expect(markdown(report)).toContain('Failed.');
  });

  test('without an answer fails, and the table tells the pair', async () => {
    const engine = await reportOf(
      (honest) => tampered(honest, 3, ({ status }, slot) => (status[slot] = Status.NotConverged)),
      [judgedFamily],
    );
    expect(engine).toMatchObject({ faulty: 0, unanswered: 4 });
    const report = makeReport('test', OPTIONS, [judgedFamily], [engine]);
    expect(report.passed).toBe(false);
    expect(markdown(report)).toContain('cpu: 4 × no answer where there is one');
    expect(markdown(report)).toMatch(/box\/hull, pair 3, .*: no answer \(status notConverged/);
  });

  test('that dies keeps the families it finished, with the reason, and fails', async () => {
    const engine = await reportOf(
      heard(({ algorithm }) => {
        if (algorithm === 'gjk') throw new Error('device | lost');
      }),
    );
    expect(engine).toMatchObject({ failure: 'device | lost', pairs: PAIRS });
    expect(engine.families.map(({ family: name }) => name)).toEqual(['box/hull']);
    const report = makeReport('test', OPTIONS, [judgedFamily, boxes], [engine]);
    expect(report.passed).toBe(false);
    expect(markdown(report)).toContain('- cpu died: device / lost');
  });

  test('that is not available is named with the reason, and no failure', () => {
    const engine = engineReport({ name: 'firefox', detail: '', reason: 'no Firefox here' }, null);
    const report = makeReport('test', OPTIONS, [judgedFamily], [engine]);
    expect(report.passed).toBe(true);
    expect(markdown(report)).toContain('- firefox is not available: no Firefox here');
  });
});

/** The engine cpu with one gap of `distances` off by the share `by` of itself. */
function off(by: number): (honest: Engine) => Engine {
  return (honest) =>
    tampered(
      honest,
      apart,
      ({ distance }, slot) => (distance![slot] = Math.fround(distance![slot] * (1 + by))),
      undefined,
      ({ query }) => query === 'distances',
    );
}

describe('the engine cpu', () => {
  test('is held to 1e-9 beyond the rounding to f32, by the oracle and by the reference', async () => {
    expect(await reportOf(off(0), [judgedFamily])).toMatchObject({ faulty: 0 });
    for (const by of [PAIRS, 0]) {
      const { faults, families } = await reportOf(off(2 ** -20), [makeJudgedFamily(family, by)]);
      expect(faults.distance).toBe(1);
      expect(faults.oracle).toBe(by > 0 ? 1 : 0);
      expect(families[0].worst[0]).toMatchObject({
        pair: apart,
        query: 'distances',
        truthBy: by > 0 ? 'oracle' : 'reference',
      });
    }
  });

  test('shows the rounding of its results as its error, of the pairs that the oracle judged', async () => {
    const report = await reportOf();
    expect(report.largestErrorByOracle).toBeGreaterThan(TOLERANCE.reference);
    expect(report.largestErrorByOracle).toBeLessThanOrEqual(F32_ROUNDING);
    const text = markdown(makeReport('test', OPTIONS, [judgedFamily, boxes], [report]));
    expect(text).toContain(`| ${report.largestErrorByOracle!.toExponential(1)} | 0 | 0 | 0 | 0 |`);
    const unjudged = makeJudgedFamily(family, 0);
    expect((await reportOf((honest) => honest, [unjudged])).largestErrorByOracle).toBe(0);
  });
});

test('no number is the largest error there is', async () => {
  const { largestError, families } = await reportOf(
    (honest) => tampered(honest, apart, ({ distance }, slot) => distance && (distance[slot] = NaN)),
    [judgedFamily],
  );
  expect(largestError).toBeNull();
  expect(families[0].worst[0].pair).toBe(apart);
});

describe('a pair that the reference has no answer for', () => {
  const unsure = makeJudgedFamily(family, 0);
  unsure.reference.status[apart] = Status.NotConverged;

  test('fails the report, whatever the engines say: the oracle knows', async () => {
    unsure.unanswered = 1;
    const report = makeReport('test', OPTIONS, [unsure], [await reportOf((honest) => honest, [unsure])]);
    expect(report.engines[0]).toMatchObject({ faulty: 0, unanswered: 0 });
    expect(report).toMatchObject({ passed: false, reference: { unanswered: 1 } });
  });

  test('is judged by the oracle where that was asked, and then nobody may leave it unanswered', async () => {
    unsure.byOracle[apart] = 1;
    unsure.truth[apart] = judgedFamily.truth[apart];
    expect(await reportOf((honest) => honest, [unsure])).toMatchObject({ faulty: 0, unanswered: 0 });
    const silent = await reportOf(
      (honest) => tampered(honest, apart, ({ status }, slot) => (status[slot] = Status.NotConverged)),
      [unsure],
    );
    expect(silent.unanswered).toBe(4);
  });
});

test('a bad pair comes as a scene file, the pair alone in its list', async () => {
  const { families } = await reportOf(
    (honest) => tampered(honest, apart, ({ distance }, slot) => distance && (distance[slot] += 1)),
    [judgedFamily],
  );
  const scene = parseScene(JSON.stringify(families[0].worst[0].scene));
  const bodies = [2 * apart, 2 * apart + 1];
  expect([...scene.pairs]).toEqual([0, 1]);
  expect([0, 1].map((body) => scene.shapes[scene.bodies.shapes[body]].type)).toEqual(
    bodies.map((body) => family.shapes[family.bodies.shapes[body]].type),
  );
  expect([...scene.bodies.positions.subarray(0, 6)]).toEqual([
    ...family.bodies.positions.subarray(6 * apart, 6 * apart + 6),
  ]);
  expect(scene.bodies.quaternions.slice(0, 8)).toEqual(family.bodies.quaternions.slice(8 * apart, 8 * apart + 8));
  expect(scene.bodies.scales.slice(0, 2)).toEqual(family.bodies.scales!.slice(2 * apart, 2 * apart + 2));
});

describe('errors of distances', () => {
  test('the largest, the percentile, and what is outside or of the wrong sign; what did not converge is only counted', () => {
    const distance = [1, 2.001, -1, 5, NaN];
    const status = [Status.Separated, Status.Overlapping, Status.Separated, Status.NotConverged, Status.Separated];
    const errors = distanceErrors({ distance, status }, [1, 2, -1, 1, 1], [1, 1, 1, 1, 1], 4, 1e-2);
    expect(errors).toMatchObject({ pairs: 4, overlapping: 1, outside: 0, wrongSigns: 2, notConverged: 1 });
    expect(errors.largest).toBeCloseTo(1e-3, 9);
    expect(distanceErrors({ distance, status }, [1, 2, -1, 1, 1], [1, 1, 1, 1, 1], 5, 1e-4)).toMatchObject({
      outside: 2,
      largest: Infinity,
    });
  });
});

test('every family is there once: of types, degenerate, overlapping polytopes, on a grid, of fixtures', () => {
  const names = [...conformanceFamilies(2, 1)].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(
    expect.arrayContaining([
      'sphere/sphere',
      'hull/hull',
      'needles',
      'thin-plates',
      'grid',
      'hard-cases',
      'regressions',
    ]),
  );
  expect(names).toContain('nearly-round');
  expect(names).toHaveLength(44 + 11 + 7 + 4);
});
