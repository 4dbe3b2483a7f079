/** Tests that run every kernel of a family of pairs once, beside the CPU reference. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { toleranceOf } from '../../src/shapes/tolerances.ts';
import { Status, type Tester } from '../../src/api/types.ts';
import type { Family } from '../../verification/families/family.ts';
import { setInMotion } from '../../verification/families/moving-family.ts';
import { pairsOf, summary, useShapes } from '../../verification/families/test-pairs.ts';
import { browserFamily } from '../browser/families.ts';
import { submit } from './batch.ts';

const SEED = 20_261_123;
const PAIRS = 200;
const MARGIN = 0.0625;

export interface EveryQuery {
  algorithms: readonly ('auto' | 'sat' | 'gjk' | 'mpr')[];
  ofImpacts: readonly ('auto' | 'cast' | 'velocity-epa')[];
  /** Whether batches start warm. */
  warm: readonly boolean[];
}

/** Each query of a family by each algorithm, on a few pairs. */
export function describeEveryQuery(
  name: 'box-box' | 'curved',
  gpu: GPU,
  { algorithms, ofImpacts, warm }: EveryQuery,
): void {
  describe(name, () => {
    let tester: Tester;
    let reference: Tester;
    const family = browserFamily(name, PAIRS, SEED);
    const { bodies, pairs } = family;
    const turning = setInMotion(family, SEED + 1, { isTurning: true });
    const straight = setInMotion(family, SEED + 1, { isTurning: false });
    let truth: Float32Array;
    beforeAll(async () => {
      tester = await createTester({ backend: 'webgpu', gpu });
      reference = await createTester({ backend: 'cpu', threads: 1 });
      useShapes(tester, family.shapes);
      useShapes(reference, family.shapes);
      truth = (await reference.contacts(bodies, pairs, { margin: Infinity })).distance;
    });

    afterAll(() => {
      tester?.dispose();
      reference?.dispose();
    });

    test.each(algorithms)('intersections, distances and contacts by %s', async (algorithm) => {
      const { status } = await tester.intersects(bodies, pairs, { algorithm });
      expect(statusFaults(family, status, truth)).toEqual([]);
      const distances = await tester.distances(bodies, pairs, { algorithm });
      expect(
        distanceFaults(
          family,
          distances.distance,
          truth.map((distance) => Math.max(distance, 0)),
        ),
      ).toEqual([]);
      const contacts = await tester.contacts(bodies, pairs, { algorithm, margin: Infinity });
      expect(statusFaults(family, contacts.status, truth)).toEqual([]);
      // The depth of portal refinement is an upper bound.
      const known = truth.map((distance, i) => (algorithm === 'mpr' && distance < 0 ? contacts.distance[i] : distance));
      expect(distanceFaults(family, contacts.distance, known)).toEqual([]);
      const hits = await tester.contacts(bodies, pairs, { algorithm, margin: MARGIN, results: 'hits' });
      expect(hits.count).toBeGreaterThan(0.3 * PAIRS);
    });

    test.each([0, MARGIN])('manifolds with a margin of %d', async (margin) => {
      const expected = await reference.manifolds(bodies, pairs, { margin });
      const found = await tester.manifolds(bodies, pairs, { margin });
      expect(statusFaults(family, found.status, truth)).toEqual([]);
      const alike = found.pointCount.filter((count, i) => count === expected.pointCount[i]).length;
      expect(alike).toBeGreaterThan((name === 'curved' ? 0.9 : 0.99) * PAIRS);
    });

    test.each(ofImpacts)('impacts by %s', async (algorithm) => {
      for (const moving of [straight, turning]) {
        const { duration } = moving;
        const found = await tester.impacts(moving.bodies, pairs, { duration, algorithm });
        const expected = await reference.impacts(moving.bodies, pairs, { duration });
        const alike = found.status.filter((status, i) => status === expected.status[i]).length;
        expect(alike).toBeGreaterThan(0.95 * PAIRS);
        expect(found.statusCounts[Status.Overlapping]).toBeGreaterThan(0.2 * PAIRS);
        const first = await tester.impacts(moving.bodies, pairs, { duration, algorithm, results: 'earliest' });
        expect(first.count).toBe(found.statusCounts[Status.Overlapping]);
      }
    });

    test('batches', async () => {
      const room = { maxBodies: 2 * PAIRS, maxPairs: PAIRS };
      for (const isWarm of warm) {
        const batch = { margin: Infinity, warmStart: isWarm };
        const contacts = await tester.createBatch({ query: 'contacts', ...room, ...batch });
        for (let turn = 0; turn < 2; turn++) {
          contacts.write({ bodies, pairs });
          submit(contacts);
          expect(distanceFaults(family, (await contacts.read()).distance, truth)).toEqual([]);
        }
        contacts.dispose();
      }
      const { duration } = straight;
      const options = { duration, results: 'earliest', stopAtPenetration: false } as const;
      const impacts = await tester.createBatch({ query: 'impacts', ...room, ...options });
      impacts.write({ bodies: straight.bodies, pairs });
      submit(impacts);
      const { count } = await tester.impacts(straight.bodies, pairs, options);
      expect(count).toBeGreaterThan(0.1 * PAIRS);
      expect((await impacts.read()).count).toBe(count);
      impacts.dispose();
    });
  });
}

/** Where the status is not that of the true distance. */
function statusFaults(family: Family, status: Uint8Array, truth: Float32Array): string[] {
  return summary(
    pairsOf(family).flatMap(({ index, a, b, size }) => {
      const distance = truth[index];
      const t = toleranceOf('kernels', a.core, b.core, distance <= 0) * size;
      const expected = distance <= 0 ? Status.Overlapping : Status.Separated;
      return Math.abs(distance) <= t || status[index] === expected
        ? []
        : [`seed ${SEED}, pair ${index}: status ${status[index]} at ${distance}`];
    }),
  );
}

function distanceFaults(family: Family, found: ArrayLike<number>, truth: Float32Array): string[] {
  return summary(
    pairsOf(family).flatMap(({ index, a, b, size }) => {
      const t = toleranceOf('kernels', a.core, b.core, truth[index] <= 0) * size;
      return Math.abs(found[index] - truth[index]) <= t
        ? []
        : [`seed ${SEED}, pair ${index}: distance ${found[index]}, expected ${truth[index]}`];
    }),
  );
}
