/**
 * Times of impact, by the kernels and by the reference, beside Rapier's on a sample of the pairs that `npm run
 * differential` compares.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeMovingDifferentialFamily } from './families.ts';
import { compareTimes, impactsOf, type OurImpacts } from './impacts.ts';
import { isWrongHere } from './impacts-report.ts';
import { pairNames } from './peer.ts';
import { openMovingRapier } from './rapier-impacts.ts';
import { createTester } from '../../../src/node.ts';
import { joinMoving } from '../../../verification/families/moving-family.ts';
import { oracleShape, signedDistance } from '../../../verification/oracle/index.ts';
import { poseAt } from '../../../verification/oracle/motion.ts';
import { movingPairsOf } from '../../../verification/judges/moving-pairs.ts';
import { summary } from '../../../verification/families/test-pairs.ts';

const SEED = 20_261_122;
const PAIRS = 200;

const peer = await openMovingRapier();
const families = pairNames(peer.scope).map((name, index) => ({
  name,
  index,
  family: makeMovingDifferentialFamily(peer.scope, name, PAIRS, SEED),
}));

describe('where Rapier has other times of impact, the oracle is with us', () => {
  let tester: Awaited<ReturnType<typeof createTester>>;
  let ours: OurImpacts;
  // One query of all, as kernels are compiled for the kinds of shape that a query has.
  beforeAll(async () => {
    tester = await createTester({ backend: 'webgpu' });
    ours = await impactsOf(
      tester,
      joinMoving(
        'all',
        families.map(({ family }) => family),
      ),
    );
  });
  afterAll(() => tester?.dispose());

  test.each(families)('$name', ({ name, index, family }) => {
    const found = compareTimes({ ...ours, at: (pair) => ours.at(PAIRS * index + pair) }, peer, family);
    const { disagreements } = found;
    expect(summary(disagreements.filter(isWrongHere).map((wrong) => `seed ${SEED}: ${JSON.stringify(wrong)}`))).toEqual(
      [],
    );
    for (const { fault } of disagreements) expect(fault).not.toBeNull();
    expect(found.notConverged).toBe(0);
    expect(found.agreeing + found.inBand + disagreements.length).toBe(PAIRS);
    // The comparison is no idle one: there are impacts, and in nearly all Rapier has our time.
    expect(found.met).toBeGreaterThan(0.15 * PAIRS);
    expect(found.overlapping).toBeGreaterThan(0.2 * PAIRS);
    const hits = found.met + found.overlapping;
    expect(found.differences.length).toBeGreaterThan(0.8 * hits);
    expect(found.differences[Math.floor(0.5 * found.differences.length)]).toBeLessThan(1e-5);
    expect(found.agreeing).toBeGreaterThan(0.7 * PAIRS);
    if (name === 'sphere/sphere' || name.endsWith('/halfspace')) expect(disagreements).toEqual([]);
    // What Rapier is blamed by, distances at its times, is what the oracle of contacts has, by no algorithm of ours.
    const pairs = movingPairsOf(family);
    for (const { pair, there, distance, size } of disagreements
      .filter((wrong) => Number.isFinite(wrong.distance))
      .slice(0, 8)) {
      const { a, b } = pairs[pair];
      const truth = signedDistance(
        oracleShape(a.shape),
        poseAt(a.pose, there),
        oracleShape(b.shape),
        poseAt(b.pose, there),
      ).distance;
      expect(Math.abs(truth - distance), `seed ${SEED}, pair ${pair}`).toBeLessThan(2e-6 * size);
    }
  });
});
