/** Kernels that count their own instructions, and the stages of a query, on an adapter of this machine. */

import { beforeAll, expect, it } from 'vitest';
import { findAdapter, type FoundAdapter } from '../adapter.ts';
import { CASES, STANDARD } from '../../../verification/gpu-cases/cases.ts';
import { measureStages } from '../stages.ts';
import { createCaseCounter } from './case-counter.ts';

let found: FoundAdapter;
beforeAll(async () => {
  found = (await findAdapter(() => undefined))!;
});

const caseOf = (name: string) => CASES.find((each) => each.name === name)!;

it('every pair of boxes takes the same instructions of SAT for overlap, and loads the same bytes', async () => {
  const counter = createCaseCounter(found, caseOf('boxes/intersects/sat'), 1);
  const stages = await counter.count(STANDARD);
  counter.dispose();
  expect(stages.map(({ kernel }) => kernel)).toEqual(['intersects-closed', 'count-statuses']);
  const [sat] = stages;
  // By hand: 187 to load the pair, 178 for 15 separations, 40 for the greatest and the record, and loads.
  expect(sat.alone).toBeGreaterThan(400);
  expect(sat.alone).toBeLessThan(550);
  expect(sat.lockstep / sat.alone).toBeLessThan(1.01);
  // Two indices, two shape ids, two poses of 32 bytes, two shapes, and the record.
  expect(sat.bytes).toBe(8 + 2 * 4 + 2 * 32 + 2 * 48 + 4);
});

it('pairs that overlap take instructions that others do not', async () => {
  const counter = createCaseCounter(found, caseOf('boxes/contacts/sat'), 1);
  const half = await counter.count(STANDARD);
  const few = await counter.count({ ...STANDARD, hitRate: 0.05 });
  counter.dispose();
  expect(half[0].kernel).toBe('contacts-closed');
  expect(half[0].alone).toBeGreaterThan(few[0].alone);
  expect(half[0].lockstep).toBeGreaterThan(half[0].alone);
});

it('the stages of a query are its kernels in order', async () => {
  const settings = { pairs: 1024, basePairs: 1024, rounds: 3, seed: 1, counts: false };
  const { stages, failure } = await measureStages(found, caseOf('boxes/distances/auto'), settings);
  expect(failure).toBeNull();
  expect(stages.map(({ name }) => name)).toEqual(['copies', 'distances-newton', 'distances-gjk', 'count-statuses']);
  for (const { name, nanoseconds } of stages) expect([name, nanoseconds > 0]).toEqual([name, true]);
});
