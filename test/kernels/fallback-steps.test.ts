/**
 * Pairs that are left for the fallback steps: the steps after those, which make features and manifolds, run again over
 * these pairs alone.
 */

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTester } from '../../src/node.ts';
import { Status, type Tester } from '../../src/api/types.ts';
import { spatialPlanner } from '../../src/gpu/plan.ts';
import type { OpenPlan } from '../../src/gpu/planner.ts';
import type { Family } from '../../verification/families/family.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { browserFamily } from '../browser/families.ts';
import { differences } from '../helpers/batch.ts';
import { recordDispatches } from '../helpers/compiled.ts';

const SEED = 20_261_126;
const PAIRS = 1_000;
const MARGIN = 0.05;

const { gpu, dispatched } = recordDispatches();
const family: Family = browserFamily('curved', PAIRS, SEED);
let tester: Tester;
/** All pairs that are not left, and one that is. */
let pairs: Uint32Array;
beforeAll(async () => {
  tester = await createTester({ backend: 'webgpu', gpu });
  useShapes(tester, family.shapes);
  replan(() => ({ fallbackSteps: [] }));
  const { status } = await tester.contacts(family.bodies, family.pairs, { margin: MARGIN });
  const isLeft = (pair: number): boolean => status[pair] === Status.CapacityExceeded;
  const left = status.findIndex((_, pair) => isLeft(pair));
  expect(left).toBeGreaterThanOrEqual(0);
  const others = [...status.keys()].filter((pair) => !isLeft(pair));
  expect(others.length).toBeGreaterThan(0.5 * PAIRS);
  pairs = Uint32Array.from([left, ...others].flatMap((pair) => [...family.pairs.subarray(2 * pair, 2 * pair + 2)]));
  vi.restoreAllMocks();
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => tester?.dispose());

/** Changes the plans of the queries that follow. */
function replan(change: (plan: OpenPlan) => Partial<OpenPlan>): void {
  const plan = spatialPlanner.plan;
  vi.spyOn(spatialPlanner, 'plan').mockImplementation((request) => {
    const open = plan(request);
    return { ...open, ...change(open) };
  });
}

/** The kernel of a pipeline's label. */
function kernelOf(label: string): string {
  return label.split(' ')[0];
}

describe.each([
  ['contacts', ['contacts-features']],
  ['manifolds', ['manifolds', 'manifolds-none']],
] as const)('%s', (query, last) => {
  test('one pair that is left does not repeat the last kernels for the others', async () => {
    dispatched.length = 0;
    const found = await tester[query](family.bodies, pairs, { margin: MARGIN });
    expect(found.statusCounts[Status.CapacityExceeded]).toBe(0);
    expect(dispatched).toHaveLength(2);
    const [first, second] = dispatched.map((labels) => labels.filter((label) => !label.startsWith('count')));
    expect(first.slice(-last.length).map(kernelOf)).toEqual(last);
    // Straight after the last fallback kernel, without a list of all pairs, and over a list only.
    const ends = second.slice(-last.length - 1);
    expect(ends.map(kernelOf)).toEqual(['contacts-outside', ...last]);
    for (const label of ends) expect(label).toContain('IS_LISTED=1');
  });

  test.each([{}, { results: 'hits' }] as const)(
    '%j: the answers are those of all steps in one run',
    async (options) => {
      const found = await tester[query](family.bodies, pairs, { margin: MARGIN, ...options });
      replan(({ steps, fallbackSteps }) => ({ steps: [...steps, ...fallbackSteps], fallbackSteps: [] }));
      const expected = await tester[query](family.bodies, pairs, { margin: MARGIN, ...options });
      expect(differences(found, expected)).toEqual([]);
    },
  );
});
