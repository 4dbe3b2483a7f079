/**
 * Every kind of wrong answer is noticed by `verify` and by `conformance` alike: each is given an engine that is right
 * but for that.
 */

import { afterAll, describe, expect, test } from 'vitest';
import { examine } from '../../cli/conformance/examine.ts';
import { engineReport, makeReport, type ConformanceReport } from '../../cli/conformance/report.ts';
import { makeJudgedFamily } from '../../cli/conformance/judged-family.ts';
import { openCpu } from '../../verification/engines/cpu.ts';
import { defaultMargin, QUERIES } from '../../verification/engines/engine.ts';
import type { Answer, Engine } from '../../verification/engines/engine.ts';
import { compare } from '../../cli/verify/compare.ts';
import { FAULT_KINDS, type FaultKind } from '../../verification/judges/faults.ts';
import { termsOf } from '../../verification/judges/contact.ts';
import { askReference, createReference, poseOfPair } from '../../verification/judges/reference.ts';
import { hasPassed } from '../../verification/statistics/verdict-statistics.ts';
import type { CommandQuery } from '../../verification/engines/engine.ts';
import { makeShapePairFamily } from '../../verification/families/families.ts';
import {
  countsOf,
  giveUpOn,
  replying,
  tampered,
  TAMPERINGS,
  withExtra,
  without,
  type Relist,
  type Which,
} from '../helpers/tampering.ts';
import { Status } from '../../src/api/types.ts';

const PAIRS = 40;
const family = makeShapePairFamily('box/hull', PAIRS, 4);
const subjects = { oracle: makeJudgedFamily(family, PAIRS), reference: makeJudgedFamily(family, 0) };
const { scene } = subjects.oracle;

const cpu = await openCpu();
await cpu.load(family.shapes, family.bodies);
/** Right answers by the tolerance of kernels, so that a change of some tolerances is far above the rounding of f32. */
const honest: Engine = { ...cpu, facts: { ...cpu.facts, backend: 'webgpu' } };
afterAll(() => cpu.close());

const posedPair = createReference();
const sizes = new Float64Array(PAIRS);
const distances = Float64Array.from({ length: PAIRS }, (_, pair) => {
  poseOfPair(scene, 2 * pair, 2 * pair + 1, posedPair);
  sizes[pair] = posedPair.size;
  return askReference(posedPair).distance;
});
const chosen: Record<Which, number> = {
  deep: distances.findIndex((distance, pair) => distance < -0.05 * sizes[pair]),
  apart: distances.findIndex((distance, pair) => distance > 0.05 * sizes[pair] && pair > 0),
};

async function verified(
  engine: Engine,
  query: CommandQuery,
  margin = defaultMargin(query),
): Promise<{ passed: boolean; kinds: FaultKind[]; unanswered: number; miscounts: number }> {
  const { statistics } = await compare(engine, scene, family.pairs, termsOf('webgpu', query, margin), 0);
  return {
    passed: hasPassed(statistics),
    kinds: FAULT_KINDS.filter((kind) => statistics.faults[kind] > 0),
    unanswered: statistics.unanswered.engine,
    miscounts: statistics.miscounts.calls,
  };
}

async function conformed(engine: Engine, by: keyof typeof subjects = 'reference'): Promise<ConformanceReport> {
  const examination = await examine({ ...engine, load: async () => {} }, [subjects[by]], () => {});
  return makeReport(
    'test',
    { pairs: PAIRS, judged: 0, seed: 4 },
    [subjects[by]],
    [engineReport({ name: 'dawn', detail: '', engine }, examination)],
  );
}

test('right answers pass', async () => {
  for (const query of QUERIES)
    for (const margin of [0, Infinity])
      expect(await verified(honest, query, margin)).toEqual({ passed: true, kinds: [], unanswered: 0, miscounts: 0 });
  for (const by of ['oracle', 'reference'] as const)
    expect(await conformed(honest, by)).toMatchObject({ passed: true });
});

test('a pair that an engine leaves without an answer does not pass', async () => {
  const open = tampered(
    honest,
    chosen.deep,
    (answer, slot) => {
      answer.status[slot] = Status.NotConverged;
    },
    undefined,
    ({ query }) => query === 'contacts',
  );
  expect(await verified(open, 'contacts')).toMatchObject({ passed: false, unanswered: 1 });
});

describe.each(TAMPERINGS)('$query: $what', ({ query, which, change, kind }) => {
  const pair = chosen[which];
  const engine = (): Engine =>
    tampered(
      honest,
      pair,
      (answer, slot) => change(answer, slot, sizes[pair]),
      undefined,
      (question) => question.query === query,
    );

  test('is noticed by verify', async () => {
    const { passed, kinds } = await verified(engine(), query, query === 'contacts' ? Infinity : undefined);
    expect(passed).toBe(false);
    expect(kinds).toContain(kind);
  });

  test.each(['oracle', 'reference'] as const)('is noticed by conformance, the truth known by the %s', async (by) => {
    const report = await conformed(engine(), by);
    expect(report.passed).toBe(false);
    const [{ faults, families, failure }] = report.engines;
    expect(failure).toBeNull();
    expect(faults[kind]).toBeGreaterThan(0);
    expect(families[0].worst[0]).toMatchObject({ pair, query, truthBy: by });
  });
});

/** What is wrong with all of an engine, or with its lists. */
const lists = (relist: Relist): Engine =>
  replying(honest, (answer, { results }) => (results === 'hits' ? relist(answer) : answer));
const counted = (answer: Answer): Answer => {
  const [separated, ...others] = answer.statusCounts;
  return { ...answer, statusCounts: [separated - 1, others[0] + 1, others[1], others[2], others[3]] };
};

const ENGINES: [what: string, engine: Engine][] = [
  [
    'all pairs without an answer',
    replying(honest, (answer, { pairs }) => ({ ...giveUpOn(answer), statusCounts: [0, 0, pairs.length / 2, 0, 0] })),
  ],
  ['one pair without an answer', tampered(honest, chosen.deep, ({ status }, slot) => (status[slot] = 2))],
  ['a pair that ran out of capacity', tampered(honest, chosen.deep, ({ status }, slot) => (status[slot] = 4))],
  [
    'wrong status counts of all pairs',
    replying(honest, (answer, { results }) => (results === 'all' ? counted(answer) : answer)),
  ],
  ['wrong status counts of the hits', lists(counted)],
  ['status counts of the listed pairs alone', lists((hits) => ({ ...hits, statusCounts: countsOf(hits) }))],
  ['a list without one hit', lists((hits) => without(hits, hits.pair.indexOf(chosen.deep)))],
  [
    'a list with a pair too many',
    replying(honest, (answer, { results, query, margin }) =>
      results === 'hits' && (margin ?? defaultMargin(query)) === 0
        ? withExtra(answer, answer.pair.filter((pair) => pair < chosen.apart).length - 1, chosen.apart)
        : answer,
    ),
  ],
  [
    'hits with other numbers than all pairs',
    lists((hits) => {
      if (hits.distance) hits.distance[0] = Math.fround(hits.distance[0] * (1 + 2 ** -23)) || 1e-40;
      else hits.status[0] = 0;
      return hits;
    }),
  ],
  [
    'an answer for a pair too few',
    replying(honest, (answer, { results }) => (results === 'all' ? { ...answer, count: answer.count - 1 } : answer)),
  ],
];

describe.each(ENGINES)('%s', (_, engine) => {
  test.each(QUERIES)('is noticed by verify: %s', async (query) => {
    expect((await verified(engine, query, 0)).passed).toBe(false);
  });

  test('is noticed by conformance', async () => {
    expect((await conformed(engine)).passed).toBe(false);
    expect((await conformed(engine, 'oracle')).passed).toBe(false);
  });
});

test('an engine that dies of the hits ends verify, and fails conformance', async () => {
  const engine = replying(honest, (answer, { results }) => {
    if (results === 'hits') throw new Error('no compaction');
    return answer;
  });
  await expect(verified(engine, 'contacts')).rejects.toThrow('no compaction');
  const report = await conformed(engine);
  expect(report).toMatchObject({ passed: false, engines: [{ failure: 'no compaction' }] });
});

test('a list that is no list of the pairs ends verify, and fails conformance', async () => {
  const engine = lists((hits) => ({ ...hits, pair: hits.pair.slice().reverse() }));
  await expect(verified(engine, 'contacts')).rejects.toThrow(/the engine lists pair \d+ after \d+ as a hit/);
  expect((await conformed(engine)).engines[0].failure).toContain('the engine lists pair');
});
