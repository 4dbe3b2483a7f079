/**
 * EPA on compact polytopes: beside EPA on the large polytope, and pairs that are not ordinary. Both
 * forms of EPA run on the same pairs by plans that lack the kernels of one.
 */

import { afterEach, describe, expect, test, vi } from 'vitest';
import { createTester } from '../../src/node.ts';
import { Status, type Contacts } from '../../src/api/types.ts';
import { spatialPlanner } from '../../src/gpu/plan.ts';
import type { Plan, Step } from '../../src/gpu/steps.ts';
import { toleranceOf } from '../../src/shapes/tolerances.ts';
import { judge, termsOf } from '../../verification/judges/contact.ts';
import { createVerdict } from '../../verification/judges/faults.ts';
import { askReference, createReference, poseOfPair, setKnownDistance } from '../../verification/judges/reference.ts';
import { judgedBodies } from '../../verification/families/judged-bodies.ts';
import { emptyFamily, putBody, type Family } from '../../verification/families/family.ts';
import { makeStructuredFamily } from '../../verification/families/families.ts';
import { ball } from '../../verification/families/hulls.ts';
import { makePolytopeFamily } from '../../verification/families/overlapping-polytopes.ts';
import { below, createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { pairsOf, summary, useShapes } from '../../verification/families/test-pairs.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';

const SEED = 20_261_125;
const COUNT = 1_500;

afterEach(() => vi.restoreAllMocks());

/** Overlapping pairs of these shapes, at random. */
function overlapping(name: string, shapes: ShapeDescription[]): Family {
  const random = createRandom(SEED);
  const family = emptyFamily(name, shapes, COUNT);
  for (let pair = 0; pair < COUNT; pair++) {
    const turn = (): number[] => unitVector(random, [0, 0, 0, 0]);
    const offset = unitVector(random, [0, 0, 0]).map((x) => x * uniform(random, 0.05, 0.6));
    putBody(family, 2 * pair, below(random, shapes.length), { position: [0, 0, 0], quaternion: turn() });
    putBody(family, 2 * pair + 1, below(random, shapes.length), { position: offset, quaternion: turn() });
    family.pairs.set([2 * pair, 2 * pair + 1], 2 * pair);
  }
  return family;
}

const boxes = overlapping('boxes', [
  { type: 'box', halfExtents: [0.5, 0.6, 0.7] },
  { type: 'box', halfExtents: [1, 0.5, 0.5] },
]);
const hulls = overlapping('hulls', [ball(32), ball(64)]);
const curved = overlapping('curved', [
  { type: 'cylinder', radius: 0.4, halfHeight: 0.5 },
  { type: 'cone', radius: 0.5, halfHeight: 0.5 },
]);

function isCompact(step: Step): boolean {
  return step.step === 'kernel' && step.variant.kernel === 'contacts-epa-compact';
}

/** The large polytope in place of the compact one. */
function overCompact(step: Step): Step {
  return step.step === 'kernel' && step.reads === 'epa' ? { ...step, reads: 'compact' } : step;
}

/** Changes the plans of the queries that follow. */
function replan(change: (plan: Plan) => Partial<Plan>): void {
  const plan = spatialPlanner.plan;
  vi.spyOn(spatialPlanner, 'plan').mockImplementation((request) => {
    const made = plan(request);
    return { ...made, ...change(made) };
  });
}

/** Asks a tester of its own, since testers keep their plans. */
async function ask({ shapes, bodies, pairs }: Family): Promise<Contacts> {
  using tester = await createTester({ backend: 'webgpu' });
  useShapes(tester, shapes);
  return await tester.contacts(bodies, pairs, { algorithm: 'gjk', bounds: true });
}

/** Number of pairs that the compact kernel leaves. */
async function leftAfter(family: Family): Promise<number> {
  replan(({ steps }) => {
    const last = steps.findIndex(isCompact);
    expect(last).toBeGreaterThan(0);
    return { steps: steps.slice(0, last + 1), fallbackSteps: [] };
  });
  const { statusCounts } = await ask(family);
  vi.restoreAllMocks();
  return statusCounts[Status.CapacityExceeded];
}

/** What the reference finds wrong with answers. */
function faultsOf(family: Family, found: Contacts): string[] {
  const bodies = judgedBodies(family);
  const reference = createReference();
  const verdict = createVerdict();
  const terms = termsOf('webgpu', 'contacts', 0, 'gjk');
  return summary(
    pairsOf(family).flatMap(({ index }) => {
      poseOfPair(bodies, family.pairs[2 * index], family.pairs[2 * index + 1], reference);
      setKnownDistance(askReference(reference), reference.known);
      const { faults, isUnanswered } = judge(found, index, found.distance[index] <= 0, reference, terms, verdict);
      return faults.length > 0 || isUnanswered
        ? [`seed ${SEED}, pair ${index}: ${faults.join()}, ${isUnanswered}`]
        : [];
    }),
  );
}

describe.each([boxes, hulls, curved])('$name', (family) => {
  test('the compact polytope gives the answers of the large one', async () => {
    const compact = await ask(family);
    replan(({ steps, fallbackSteps }) => ({
      steps: [...steps.filter((step) => !isCompact(step)), ...fallbackSteps.map(overCompact)],
      fallbackSteps: [],
    }));
    const large = await ask(family);
    expect(compact.statusCounts[Status.Overlapping]).toBeGreaterThan(0.9 * COUNT);
    expect([...compact.status]).toEqual([...large.status]);
    const faults = pairsOf(family).flatMap(({ index, a, b, size }) => {
      const t = toleranceOf('kernels', a.core, b.core, true) * size;
      return Math.abs(compact.distance[index] - large.distance[index]) <= t ? [] : [`seed ${SEED}, pair ${index}`];
    });
    expect(summary(faults)).toEqual([]);
    // Rounding decides between faces that tie.
    const alike = compact.iterations.filter((count, i) => count === large.iterations[i]).length;
    expect(alike).toBeGreaterThan((family === curved ? 0.5 : 0.9) * COUNT);
  });

  test('few pairs exceed its capacity, and these have their answers too', async () => {
    expect(await leftAfter(family)).toBeLessThan(0.1 * COUNT);
    const found = await ask(family);
    expect(found.statusCounts[Status.CapacityExceeded]).toBe(0);
    expect(faultsOf(family, found)).toEqual([]);
  });
});

describe.each([
  makeStructuredFamily('identical', COUNT, SEED),
  makeStructuredFamily('flat', COUNT, SEED),
  makeStructuredFamily('concentric', COUNT, SEED),
  makePolytopeFamily('equal-hulls', COUNT, SEED),
  makePolytopeFamily('prisms-by-15-degrees', COUNT, SEED),
  makePolytopeFamily('grids-in-one-pose', COUNT, SEED),
])('$name', (family) => {
  test('pairs that are not ordinary reach the large polytope, and have their answers', async () => {
    expect(await leftAfter(family)).toBeGreaterThan(0);
    const found = await ask(family);
    expect(found.statusCounts[Status.CapacityExceeded]).toBe(0);
    expect(faultsOf(family, found)).toEqual([]);
  });
});
