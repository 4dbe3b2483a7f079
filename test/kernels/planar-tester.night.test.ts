/**
 * Two-dimensional testers on the GPU and on the CPU: every query by every algorithm is right by the oracle on both, and
 * the same on both.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { F32_ROUNDING, TOLERANCE } from '../../src/shapes/tolerances.ts';
import { Status } from '../../src/api/types.ts';
import { judgePlanarImpact, type PlanarOutcome } from '../../verification/oracle/planar-motion.ts';
import { planarPairsOf, planarTypePairNames } from '../../verification/families/planar-families.ts';
import { planarMovingPair, setPlanarInMotion } from '../../verification/families/planar-moving-family.ts';
import { summary } from '../../verification/families/test-pairs.ts';
import { answersOf, mixPlanarTypes } from '../helpers/planar-tester.ts';
import {
  FACTORS,
  openPlanarBackends,
  subjectsOf,
  type Items,
  type PlanarBackends,
} from '../helpers/planar-backends.ts';

const SEED = 20_261_309;
const MARGIN = 0.05;

let backends: PlanarBackends;

beforeAll(async () => {
  backends = await openPlanarBackends('planar-tester.device');
});

afterAll(() => backends?.close());

/** Pairs of two types alone. */
const MANY = 1000;

type Algorithm = 'auto' | 'gjk' | 'mpr' | 'sat';

/**
 * Every algorithm on pairs of few kinds, as each two kinds have kernels of their own, and the default one on pairs of
 * all types.
 */
const subjectsByAlgorithm: [Algorithm, readonly string[], number][] = [
  ['auto', planarTypePairNames, 150],
  ['gjk', ['capsule/polygon'], MANY],
  ['mpr', ['capsule/polygon'], MANY],
  ['sat', ['rectangle/polygon'], MANY],
];

describe.each(subjectsByAlgorithm)('by %s, pairs of %j', (algorithm, names, count) => {
  const family = mixPlanarTypes(names, count, SEED);
  const subjects = subjectsOf(family);
  const { bodies, pairs } = family;
  const pairCount = pairs.length / 2;

  beforeAll(() => backends.use(family));

  test.each(['intersects', 'distances', 'contacts', 'manifolds'] as const)(
    '%s is right on both backends, and the same',
    async (query) => {
      for (const margin of query === 'contacts' ? [undefined, MARGIN, Infinity] : [undefined, MARGIN]) {
        const asked = { seed: SEED, query, algorithm, margin };
        const { items, faults } = await backends.judge(family, subjects, asked);
        expect(summary(faults)).toEqual([]);
        const overlapping = items.filter(({ status }) => status === Status.Overlapping).length;
        expect(overlapping).toBeGreaterThan(0.3 * pairCount);
        expect(pairCount - overlapping).toBeGreaterThan(0.3 * pairCount);
      }
    },
  );

  test.each(['intersects', 'distances', 'contacts', 'manifolds'] as const)(
    "%s with results: 'hits' are the hits among all, bit for bit, in order",
    async (query) => {
      const options = { algorithm, margin: MARGIN };
      for (const tester of backends.testers) {
        const all = await tester[query](bodies, pairs, options);
        const hits = await tester[query](bodies, pairs, { ...options, results: 'hits' });
        const expected = ([...all] as Items).filter(
          (item) => item.hit ?? (item.points ? item.points.length > 0 : item.distance! <= MARGIN),
        );
        expect([...hits]).toEqual(expected);
        expect(hits.statusCounts).toEqual(all.statusCounts);
        expect(hits.count).toBeGreaterThan(0.4 * pairCount);
        expect(hits.count).toBeLessThan(0.9 * pairCount);
        // And again, into the same arrays.
        const before = answersOf(hits);
        expect(
          answersOf(await tester[query](bodies, pairs, { ...options, results: 'hits', target: hits as never })),
        ).toEqual(before);
      }
    },
  );

  test('bounds hold the true distance', async () => {
    for (const tester of backends.testers) {
      const { lower, upper, distance } = await tester.contacts(bodies, pairs, {
        algorithm,
        margin: Infinity,
        bounds: true,
      });
      const faults = subjects.flatMap(({ index, truth, size }) => {
        const isRight =
          lower![index] <= truth + 1e-14 * size &&
          truth - 1e-14 * size <= upper![index] &&
          lower![index] <= distance[index];
        // Portals give no lower bound of a depth.
        const isTight =
          upper![index] - lower![index] <= 2 * FACTORS[tester.backend] * size || (algorithm === 'mpr' && truth <= 0);
        return isRight && isTight
          ? []
          : [`${tester.backend}, seed ${SEED}, pair ${index}: ${lower![index]} <= ${truth} <= ${upper![index]}`];
      });
      expect(summary(faults)).toEqual([]);
    }
  });
});

describe('impacts', () => {
  test.each([
    ['auto', false],
    ['auto', true],
    ['cast', false],
    ['velocity-epa', false],
  ] as const)('by %s, turning: %s, are right on both backends, and of as many pairs', async (algorithm, isTurning) => {
    // Straight ones by the default of pairs of all types, the others of two kinds.
    const names = algorithm === 'auto' && !isTurning ? planarTypePairNames : ['rectangle/polygon'];
    const family = setPlanarInMotion(mixPlanarTypes(names, names.length > 1 ? 60 : 400, SEED + 1), SEED + 2, isTurning);
    const { bodies, pairs, duration } = family;
    backends.use(family);
    const moving = planarPairsOf(family).map((pair) => planarMovingPair(family, pair));
    const outcomes = [];
    for (const tester of backends.testers) {
      const found: Record<PlanarOutcome, number> = { hit: 0, start: 0, miss: 0, open: 0 };
      let unknown = 0;
      const faults = [...(await tester.impacts(bodies, pairs, { duration, algorithm }))].flatMap((item) => {
        // The reference's times are f32, and bodies go far in what that rounds off.
        const verdict = judgePlanarImpact(moving[item.pair], item, {
          tolerance: TOLERANCE.kernels,
          rounding: 4 * F32_ROUNDING,
        });
        found[verdict.outcome]++;
        if (verdict.isUnknown) unknown++;
        return verdict.faults.map((fault) => `${tester.backend}, seed ${SEED}, pair ${item.pair}: ${fault}`);
      });
      expect(summary(faults)).toEqual([]);
      expect(Math.min(found.hit, found.start, found.miss)).toBeGreaterThan(0.05 * moving.length);
      expect(found.open).toBeLessThan(0.01 * moving.length);
      expect(unknown).toBeLessThanOrEqual(isTurning ? 0.05 * moving.length : 0);
      outcomes.push(found);
      const all = await tester.impacts(bodies, pairs, { duration, algorithm });
      const hits = await tester.impacts(bodies, pairs, { duration, algorithm, results: 'hits' });
      expect([...hits]).toEqual([...all].filter(({ status }) => status !== Status.Separated));
      // Every body is in one pair: all impacts are first ones.
      const earliest = await tester.impacts(bodies, pairs, { duration, algorithm, results: 'earliest' });
      expect([...earliest]).toEqual([...hits]);
      expect(Array.from(earliest.first!.subarray(0, 2))).toEqual(
        hits.pair[0] === 0 ? [0, 0] : [0xffff_ffff, 0xffff_ffff],
      );
    }
    // But for what grazes.
    for (const outcome of ['hit', 'start', 'miss'] as const)
      expect(Math.abs(outcomes[0][outcome] - outcomes[1][outcome])).toBeLessThanOrEqual(0.02 * moving.length);
  });
});
