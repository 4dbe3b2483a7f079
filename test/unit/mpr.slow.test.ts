/** Portal refinement on families of pairs, against the oracle: overlap, depths by both endings, and bounds. */
import { describe, expect, test } from 'vitest';
import { contact, createShape, distance, intersects, Status, type CpuPose, type CpuShape } from '../../src/cpu.ts';
import { TOLERANCE as TOLERANCES } from '../../src/shapes/tolerances.ts';
import type { MprDepth } from '../../src/api/types.ts';
import { judgeContact, signedDistance } from '../../verification/oracle/index.ts';
import {
  hardCases,
  anyFamily,
  everyFamily,
  pairsOf,
  summary,
  type AnyFamilyName,
  type FamilyPair,
} from '../../verification/families/test-pairs.ts';
import { judgeMprContact } from '../helpers/mpr.ts';
import { atNight } from '../helpers/night.ts';

const { reference: TOLERANCE } = TOLERANCES;
const SEED = 20_261_205;
const PAIRS = 800;
/** Pairs that the oracle judges, which is slow. */
const JUDGED = atNight(150, 800);
const ENDINGS = ['ray', 'normal'] as const satisfies MprDepth[];

type Ask<Answer> = (a: CpuShape, poseA: CpuPose, b: CpuShape, poseB: CpuPose) => Answer;

interface AnsweredFamily {
  shapes: CpuShape[];
  pairs: FamilyPair[];
  /** Signed distances by the oracle, as far as they are known: it takes its time. */
  truths: Map<FamilyPair, number>;
}

const families = new Map<AnyFamilyName, AnsweredFamily>();

function answersOf(name: AnyFamilyName): AnsweredFamily {
  const known = families.get(name);
  if (known) return known;
  const family = anyFamily(name, PAIRS, SEED);
  const asked = {
    shapes: family.shapes.map((shape) => createShape(shape)),
    pairs: pairsOf(family),
    truths: new Map<FamilyPair, number>(),
  };
  families.set(name, asked);
  return asked;
}

function askAll<Answer>(
  name: AnyFamilyName,
  ask: Ask<Answer>,
  count = PAIRS,
): { pair: FamilyPair; found: Answer; label: string }[] {
  const { shapes, pairs } = answersOf(name);
  return pairs.slice(0, count).map((pair) => ({
    pair,
    found: ask(shapes[pair.shapeA], pair.poseA, shapes[pair.shapeB], pair.poseB),
    label: `${name}, seed ${SEED}, pair ${pair.index}`,
  }));
}

describe.each(everyFamily)('%s', (name) => {
  const { truths } = answersOf(name);

  test.each(ENDINGS)(
    'contacts by the %s: status, supports, bounds and points are right, and no depth is less than the true one',
    (mprDepth) => {
      for (const margin of [0, Infinity]) {
        let overlapping = 0;
        const faults = askAll(
          name,
          (...bodies) => contact(...bodies, { algorithm: 'mpr', mprDepth, margin }),
          JUDGED,
        ).flatMap(({ pair, found, label }) => {
          const judgement = judgeMprContact(pair, found, TOLERANCE, 'f64', margin, truths.get(pair));
          truths.set(pair, judgement.truth);
          if (judgement.truth < 0) overlapping++;
          return judgement.faults.map((fault) => `${label}: ${fault}`);
        });
        expect(summary(faults)).toEqual([]);
        expect(overlapping).toBeGreaterThan(0.2 * JUDGED);
        expect(JUDGED - overlapping).toBeGreaterThan(0.1 * JUDGED);
      }
    },
  );

  test('distances and intersects are right', () => {
    const faults = askAll(
      name,
      (...bodies) => ({
        gap: distance(...bodies, { algorithm: 'mpr' }),
        ...intersects(...bodies, { algorithm: 'mpr', margin: 0.05 }),
      }),
      JUDGED,
    ).flatMap(({ pair, found: { gap, hit, status }, label }) => {
      const { a, b, poseA, poseB, size } = pair;
      const truth = truths.get(pair) ?? signedDistance(a, poseA, b, poseB).distance;
      const wrong = judgeContact(a, poseA, b, poseB, gap, TOLERANCE, { query: 'distances', points: 'f64', truth });
      const t = TOLERANCE * size;
      if (Math.abs(truth) > t && (status === Status.Overlapping) !== truth <= 0)
        wrong.push(`status ${status} at the true distance ${truth}`);
      if (Math.abs(truth - 0.05) > t && hit !== truth <= 0.05)
        wrong.push(`hit is ${hit} at the true distance ${truth}`);
      return wrong.map((fault) => `${label}: ${fault}`);
    });
    expect(summary(faults)).toEqual([]);
  });

  test("'normal' is never deeper than 'ray', and where they differ less deep", () => {
    let better = 0;
    const answers = askAll(name, (...bodies) =>
      ENDINGS.map((mprDepth) => contact(...bodies, { algorithm: 'mpr', mprDepth })),
    );
    for (const {
      pair,
      found: [byRay, byNormal],
      label,
    } of answers) {
      expect(byNormal.status, label).toBe(byRay.status);
      expect(byNormal.distance, label).toBeGreaterThanOrEqual(byRay.distance - TOLERANCE * pair.size);
      if (byNormal.distance > byRay.distance + TOLERANCE * pair.size) better++;
    }
    expect(better).toBeGreaterThan(0);
  });
});

test('no depth exceeds the true one by more than the difference is longer than it is deep', () => {
  // The origin lies on the way from the centre to the ray's end, and with the ball around the centre, of the depth of
  // bodies in one place, the difference holds one around the origin that is as much smaller as the end is nearer.
  let most = 0;
  for (const { pair, found, label } of askAll('box-box', (a, poseA, b, poseB) => ({
    byRay: contact(a, poseA, b, poseB, { algorithm: 'mpr', mprDepth: 'ray' }),
    truth: contact(a, poseA, b, poseB, { algorithm: 'gjk' }),
    deepest: contact(a, poseA, b, { ...poseB, position: poseA.position }, { algorithm: 'gjk' }),
  }))) {
    if (found.truth.distance > -1e-6 * pair.size) continue;
    const factor = found.byRay.distance / found.truth.distance;
    const greatest = (pair.a.boundingRadius + pair.b.boundingRadius) / -found.deepest.distance;
    expect(factor, label).toBeLessThanOrEqual(greatest * (1 + 1e-6));
    most = Math.max(most, factor);
  }
  expect(most).toBeGreaterThan(1.5);
});

test('poses that broke other libraries have the right status and no less depth than they should', () => {
  const { cases, family } = hardCases();
  const shapes = family.shapes.map((shape) => createShape(shape));
  const faults = pairsOf(family).flatMap((pair) =>
    ENDINGS.flatMap((mprDepth) => {
      const found = contact(shapes[pair.shapeA], pair.poseA, shapes[pair.shapeB], pair.poseB, {
        algorithm: 'mpr',
        mprDepth,
        margin: Infinity,
      });
      return judgeMprContact(pair, found, TOLERANCE, 'f64', Infinity).faults.map(
        (fault) => `${cases[pair.index].id} by the ${mprDepth}: ${fault}`,
      );
    }),
  );
  expect(summary(faults)).toEqual([]);
});
