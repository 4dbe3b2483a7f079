/**
 * Pairs that are left for the fallback steps: the steps after those, which make features and manifolds, run again over
 * these pairs alone.
 */

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTester } from '../../src/node.ts';
import { Status, type Tester } from '../../src/api/types.ts';
import { spatialPlanner } from '../../src/gpu/plan.ts';
import type { Plan } from '../../src/gpu/steps.ts';
import type { Family } from '../../verification/families/family.ts';
import { useShapes } from '../../verification/families/test-pairs.ts';
import { browserFamily } from '../browser/families.ts';
import { differences } from '../helpers/batch.ts';
import { recordDispatches } from '../helpers/compiled.ts';
import { HARDWARE } from '../helpers/gpu.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_126;
const MARGIN = 0.05;

/** Changes the plans of the queries that follow. */
function replan(change: (plan: Plan) => Partial<Plan>): void {
  const plan = spatialPlanner.plan;
  vi.spyOn(spatialPlanner, 'plan').mockImplementation((request) => {
    const open = plan(request);
    return { ...open, ...change(open) };
  });
}

/** These pairs of a family whose pair i has bodies 2i and 2i + 1. */
function pairsAmong(family: Family, chosen: readonly number[]): Family {
  const { shapes, positions, quaternions, scales } = family.bodies;
  const take = (values: ArrayLike<number>, width: number): number[] =>
    chosen.flatMap((pair) => Array.from({ length: 2 * width }, (_, k) => values[2 * width * pair + k]));
  const bodies = {
    shapes: Uint32Array.from(take(shapes, 1)),
    positions: Float32Array.from(take(positions, 3)),
    quaternions: Float32Array.from(take(quaternions, 4)),
    ...(scales && { scales: Float32Array.from(take(scales, 1)) }),
  };
  return { ...family, bodies, pairs: Uint32Array.from({ length: 2 * chosen.length }, (_, i) => i) };
}

/** The kernel of a pipeline's label. */
function kernelOf(label: string): string {
  return label.split(' ')[0];
}

// Few pairs are left.
const COUNT = atNight(6000, 20_000);
const CLASSES = { hardware: HARDWARE.info, software: undefined };
describe.each(atNight(['hardware'] as const, ['hardware', 'software'] as const))('%s', (name) => {
  const info = CLASSES[name];
  const family: Family = browserFamily('curved', COUNT, SEED);
  const { gpu, dispatched } = recordDispatches(info);
  let tester: Tester;

  async function open(): Promise<Tester> {
    const opened = await createTester({ backend: 'webgpu', gpu });
    useShapes(opened, family.shapes);
    return opened;
  }

  /** One pair that is left, and others. */
  let some: Family;
  beforeAll(async () => {
    replan(() => ({ fallbackSteps: [] }));
    // Testers keep their plans.
    using other = await open();
    const { status } = await other.contacts(family.bodies, family.pairs, { margin: MARGIN });
    const isLeft = (pair: number): boolean => status[pair] === Status.CapacityExceeded;
    const left = status.findIndex((__, pair) => isLeft(pair));
    expect(left).toBeGreaterThanOrEqual(0);
    const others = [...status.keys()].filter((pair) => !isLeft(pair));
    expect(others.length).toBeGreaterThan(0.5 * COUNT);
    some = pairsAmong(family, [left, ...others.slice(0, 900)]);
    vi.restoreAllMocks();
    tester = await open();
  });
  afterEach(() => vi.restoreAllMocks());
  afterAll(() => tester?.dispose());

  describe.each([
    ['contacts', ['contacts-features']],
    ['manifolds', ['manifolds', 'manifolds-none']],
  ] as const)('%s', (query, last) => {
    test('one pair that is left does not repeat the last kernels for the others', async () => {
      dispatched.length = 0;
      const found = await tester[query](some.bodies, some.pairs, { margin: MARGIN });
      expect(found.statusCounts[Status.CapacityExceeded]).toBe(0);
      const passes = dispatched.filter((labels) => !labels.some((label) => label.startsWith('pack-bodies')));
      expect(passes).toHaveLength(2);
      const [first, second] = passes.map((labels) => labels.filter((label) => !/^(count|arrays)/.test(label)));
      expect([...new Set(first.map(kernelOf))].slice(-last.length)).toEqual(last);
      // Straight after the last fallback kernel, without a list of all pairs, and over a list only.
      const ends = second.slice(-last.length - 1);
      expect(ends.map(kernelOf)).toEqual(['contacts-outside', ...last]);
      for (const label of ends) expect(label).toContain('IS_LISTED=1');
    });

    test.each([{}, { results: 'hits' }] as const)(
      '%j: the answers are those of all steps in one run',
      async (options) => {
        const found = await tester[query](some.bodies, some.pairs, { margin: MARGIN, ...options });
        replan(({ steps, fallbackSteps }) => ({ steps: [...steps, ...fallbackSteps], fallbackSteps: [] }));
        using other = await open();
        const expected = await other[query](some.bodies, some.pairs, { margin: MARGIN, ...options });
        expect(differences(found, expected)).toEqual([]);
      },
    );
  });
});
