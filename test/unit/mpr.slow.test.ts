/**
 * Portal refinement against the oracle and against GJK: overlap, depths by both endings, bounds, and how much of the
 * work it does.
 */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mpr, createMprResult } from '../../src/cpu/mpr.ts';
import { createPair, makePair } from '../../src/cpu/pair.ts';
import {
  contact,
  createShape,
  distance,
  intersects,
  Status,
  type CpuContact,
  type CpuOptions,
  type CpuPose,
  type CpuShape,
} from '../../src/cpu.ts';
import {
  MPR_FAR,
  MPR_MAX_ITERATIONS,
  MPR_NORMAL,
  MPR_OPEN,
  MPR_OVERLAP,
  MPR_OVERLAPPING,
  MPR_RAY,
} from '../../src/generated/constants.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { makeShapeData } from '../../src/shapes/shape-data.ts';
import { TOLERANCE as TOLERANCES } from '../../src/shapes/tolerances.ts';
import type { MprDepth } from '../../src/api/types.ts';
import { judgeContact, oraclePolytope, signedDistance } from '../../verification/oracle/index.ts';
import {
  hardCases,
  anyFamily,
  everyFamily,
  pairsOf,
  summary,
  type AnyFamilyName,
  type FamilyPair,
} from '../../verification/families/test-pairs.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';
import { judgeMprContact } from '../helpers/mpr.ts';

const { reference: TOLERANCE } = TOLERANCES;
const SEED = 20_261_205;
const PAIRS = 800;
const ENDINGS = ['ray', 'normal'] as const satisfies MprDepth[];
const HERE: CpuPose = { position: [0, 0, 0], quaternion: [0, 0, 0, 1] };

function at(x: number, y = 0, z = 0): CpuPose {
  return { ...HERE, position: [x, y, z] };
}

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

function askAll<Answer>(name: AnyFamilyName, ask: Ask<Answer>): { pair: FamilyPair; found: Answer; label: string }[] {
  const { shapes, pairs } = answersOf(name);
  return pairs.map((pair) => ({
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
        const faults = askAll(name, (...bodies) => contact(...bodies, { algorithm: 'mpr', mprDepth, margin })).flatMap(
          ({ pair, found, label }) => {
            const judgement = judgeMprContact(pair, found, TOLERANCE, 'f64', margin);
            truths.set(pair, judgement.truth);
            if (judgement.truth < 0) overlapping++;
            return judgement.faults.map((fault) => `${label}: ${fault}`);
          },
        );
        expect(summary(faults)).toEqual([]);
        expect(overlapping).toBeGreaterThan(0.2 * PAIRS);
        expect(PAIRS - overlapping).toBeGreaterThan(0.1 * PAIRS);
      }
    },
  );

  test('distances and intersects are right', () => {
    const faults = askAll(name, (...bodies) => ({
      gap: distance(...bodies, { algorithm: 'mpr' }),
      ...intersects(...bodies, { algorithm: 'mpr', margin: 0.05 }),
    })).flatMap(({ pair, found: { gap, hit, status }, label }) => {
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

/** How the search ends over a family, without the stages after it. */
function statesOf(
  name: AnyFamilyName,
  ending: number,
): { states: number[]; iterations: number; overlapping: number; left: number } {
  const family = anyFamily(name, PAIRS, SEED);
  const shapes = family.shapes.map((shape) => makeShapeData(shape, 'shape'));
  const pair = createPair();
  const found = createMprResult();
  const states = [0, 0, 0];
  let iterations = 0;
  let overlapping = 0;
  let left = 0;
  for (const { a, b, poseA, poseB, shapeA, shapeB, size } of pairsOf(family)) {
    const [x, y, z] = [0, 1, 2].map((k) => poseB.position[k] - poseA.position[k]);
    makePair(shapes[shapeA], { scale: 1, ...poseA }, shapes[shapeB], { scale: 1, ...poseB }, { x, y, z }, pair);
    mpr(pair, 0, ending, found);
    states[found.state]++;
    iterations = Math.max(iterations, found.iterations);
    const core = signedDistance({ ...a, radius: 0 }, poseA, { ...b, radius: 0 }, poseB).distance;
    if (core > 1e-6 * size) expect(found.state).not.toBe(MPR_OVERLAPPING);
    if (core < -1e-6 * size) {
      expect(found.state).not.toBe(MPR_FAR);
      overlapping++;
      if (found.state === MPR_OPEN) left++;
    }
  }
  return { states, iterations, overlapping, left };
}

describe('what is left to GJK', () => {
  const names = [
    'box-box',
    'hull32-hull32',
    'capsule-hull',
    'rounded-box-hull',
    'needles',
    'identical',
    'sizes',
  ] as const;

  test.each(names)('hardly any overlapping cores of %s', (name) => {
    for (const ending of [MPR_OVERLAP, MPR_RAY, MPR_NORMAL]) {
      const { states, iterations, overlapping, left } = statesOf(name, ending);
      expect(overlapping).toBeGreaterThan(100);
      expect(left).toBeLessThanOrEqual(0.01 * overlapping);
      expect(states[MPR_FAR] + states[MPR_OVERLAPPING] + states[MPR_OPEN]).toBe(PAIRS);
      expect(iterations).toBeLessThan(MPR_MAX_ITERATIONS);
    }
  });
});

test('a hull of 4,096 vertices, nearly a ball, is done by tolerance, not by vertices, in a few dozen supports', () => {
  const random = createRandom(SEED);
  const ball = createShape({
    type: 'hull',
    points: Array.from({ length: 4096 }, () => unitVector(random, [0, 0, 0])).flat(),
  });
  for (let i = 0; i < 100; i++) {
    const [x, y, z] = unitVector(random, [0, 0, 0]).map((component) => component * uniform(random, 0.01, 1.9));
    const turned = { position: [x, y, z], quaternion: unitVector(random, [0, 0, 0, 0]) };
    for (const mprDepth of ENDINGS) {
      const found = contact(ball, HERE, ball, turned, { algorithm: 'mpr', mprDepth });
      expect(found.iterations).toBeLessThan(mprDepth === 'ray' ? 40 : MPR_MAX_ITERATIONS);
      // The vertices are up to 0.1 apart, so that faces are up to 0.003 below the sphere.
      expect(Math.abs(found.distance + 2 - Math.hypot(x, y, z))).toBeLessThan(0.01);
    }
  }
});

describe('endings', () => {
  const bar = createShape({ type: 'box', halfExtents: [10, 1, 1] });
  const crate = createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] });

  test('a crate near the end of a bar leaves by the end along the ray, by a side along normals', () => {
    const [byRay, byNormal, byDefault] = (['ray', 'normal', undefined] as const).map((mprDepth) =>
      contact(bar, HERE, crate, at(8, 0.25, 0.25), { algorithm: 'mpr', mprDepth }),
    );
    expect([byRay.distance, ...byRay.normal]).toEqual([-2.5, 1, 0, 0]);
    expect(byNormal.distance).toBe(-1.25);
    expect(byNormal.normal[0]).toBeCloseTo(0, 15);
    expect(byDefault).toEqual(byNormal);
    expect(byRay.iterations).toBeLessThan(byNormal.iterations);
  });

  test('the side that normals end with need not be the nearest', () => {
    // 1.25 deep at the top; a search that only goes downhill ends at the front.
    const { distance: depth } = contact(bar, HERE, crate, at(8, 0.25, 0), { algorithm: 'mpr' });
    expect(depth).toBe(-1.5);
  });

  test('a depth comes with bounds: itself, and that the shapes overlap', () => {
    const {
      lower,
      upper,
      distance: depth,
    } = contact(bar, HERE, crate, at(8, 0.25, 0), { algorithm: 'mpr', mprDepth: 'ray' });
    expect(lower).toBeLessThanOrEqual(depth);
    expect(lower).toBeCloseTo(depth, 12);
    expect(upper).toBeCloseTo(0, 12);
    const rounded = createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5], radius: 0.25 });
    expect(contact(bar, HERE, rounded, at(8, 0.25, 0), { algorithm: 'mpr' }).upper).toBeCloseTo(-0.25, 12);
  });

  test('rounding adds to the depth of cores, and cores apart go on to GJK', () => {
    const rounded = createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5], radius: 0.25 });
    expect(contact(crate, HERE, rounded, at(0.75, 0.125, 0), { algorithm: 'mpr' }).distance).toBeCloseTo(-0.5, 12);
    const [byMpr, byGjk] = (['mpr', 'gjk'] as const).map((algorithm) =>
      contact(crate, HERE, rounded, at(1.125, 0.125, 0), { algorithm }),
    );
    expect(byMpr).toEqual(byGjk);
    const ball = createShape({ type: 'sphere', radius: 1 });
    expect(contact(ball, HERE, ball, at(0, 1.5, 0), { algorithm: 'mpr' }).distance).toBeCloseTo(-0.5, 12);
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

describe('centres that coincide', () => {
  test.each<[string, ShapeDescription, ShapeDescription, number]>([
    ['equal cubes', { type: 'box', halfExtents: [1, 1, 1] }, { type: 'box', halfExtents: [1, 1, 1] }, -2],
    ['a plate in a cube', { type: 'box', halfExtents: [1, 1, 1] }, { type: 'box', halfExtents: [2, 0.25, 3] }, -1.25],
    ['a ball in a box', { type: 'box', halfExtents: [1, 2, 3] }, { type: 'sphere', radius: 0.5 }, -1.5],
    ['a ball on a capsule', { type: 'capsule', halfHeight: 1, radius: 0.5 }, { type: 'sphere', radius: 0.5 }, -1],
    ['points', { type: 'hull', points: [1, 1, 1] }, { type: 'hull', points: [1, 1, 1] }, 0],
    [
      'crossing segments',
      { type: 'hull', points: [-1, 0, 0, 1, 0, 0] },
      { type: 'hull', points: [0, -1, 0, 0, 1, 0] },
      0,
    ],
  ])('%s', (_, a, b, expected) => {
    const [shapeA, shapeB] = [createShape(a), createShape(b)];
    for (const mprDepth of ENDINGS) {
      const { status, distance: depth } = contact(shapeA, HERE, shapeB, HERE, { algorithm: 'mpr', mprDepth });
      expect(status).toBe(Status.Overlapping);
      expect(depth).toBeCloseTo(expected, 12);
    }
    expect(intersects(shapeA, HERE, shapeB, HERE, { algorithm: 'mpr' })).toEqual({
      hit: true,
      status: Status.Overlapping,
    });
    expect(distance(shapeA, HERE, shapeB, HERE, { algorithm: 'mpr' })).toMatchObject({
      status: Status.Overlapping,
      distance: 0,
    });
  });
});

test('hulls that do not hold their origin are searched from their centroids', () => {
  // Two unit cubes, each described 50 to the side of its body's origin, where the line between the bodies misses both.
  const cube = [0, 1].flatMap((x) => [0, 1].flatMap((y) => [0, 1].flatMap((z) => [x + 50, y, z])));
  const [left, right] = [
    createShape({ type: 'hull', points: cube }),
    createShape({ type: 'hull', points: cube.map((x, i) => (i % 3 === 0 ? x - 100 : x)) }),
  ];
  const found = contact(left, HERE, right, at(100.75, 0.1, 0), { algorithm: 'mpr', mprDepth: 'ray' });
  expect(found.status).toBe(Status.Overlapping);
  expect(found.distance).toBeCloseTo(-0.25, 12);
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

const withoutTiny = (x: number): number => (Math.abs(x) < 1e-6 ? 0 : x);

describe('any two shapes on a coarse grid', () => {
  const coordinate = fc.oneof(
    fc.integer({ min: -8, max: 8 }).map((n) => n / 4),
    fc.double({ min: -2, max: 2, noNaN: true }).map(withoutTiny),
  );
  const size = fc.integer({ min: 0, max: 8 }).map((n) => n / 8);
  const vector = fc.tuple(coordinate, coordinate, coordinate);
  const quaternion = fc.constantFrom([0, 0, 0, 1], [0, 0, 1, 1], [0.5, 0.5, 0.5, 0.5], [0.1, 0.2, 0.3, 0.9]);
  const shape: fc.Arbitrary<ShapeDescription> = fc.oneof(
    fc.record({ type: fc.constant('box' as const), halfExtents: fc.tuple(size, size, size), radius: size }),
    fc.record({ type: fc.constant('capsule' as const), halfHeight: size, radius: size }),
    fc.record({
      type: fc.constant('hull' as const),
      points: fc.array(vector, { minLength: 1, maxLength: 10 }).map((points) => points.flat()),
      radius: fc.constantFrom(0, 0.25),
    }),
  );
  const body = fc.record({ shape, pose: fc.record({ position: vector, quaternion }) });
  type Body = typeof body extends fc.Arbitrary<infer T> ? T : never;
  const ask = (a: Body, b: Body, options: CpuOptions): CpuContact =>
    contact(createShape(a.shape), a.pose, createShape(b.shape), b.pose, { ...options, margin: Infinity });

  test.each(ENDINGS)(
    'the %s ends with an answer that GJK and EPA confirm, and so does the swapped pair',
    (mprDepth) => {
      const property = fc.property(body, body, (a, b) => {
        const truth = ask(a, b, { algorithm: 'gjk' });
        const between = Math.hypot(...[0, 1, 2].map((k) => b.pose.position[k] - a.pose.position[k]));
        const t =
          TOLERANCE *
          Math.max(createShape(a.shape).boundingRadius + createShape(b.shape).boundingRadius, between, 1e-6);
        for (const found of [ask(a, b, { algorithm: 'mpr', mprDepth }), ask(b, a, { algorithm: 'mpr', mprDepth })]) {
          if (Math.abs(truth.distance) > t) expect(found.status).toBe(truth.status);
          expect(found.distance).toBeLessThanOrEqual(truth.distance + t);
          if (truth.distance > t) expect(found.distance).toBeGreaterThanOrEqual(truth.distance - t);
          expect(found.lower).toBeLessThanOrEqual(truth.upper + t);
          expect(found.upper).toBeGreaterThanOrEqual(truth.lower - t);
          expect([found.distance, ...found.normal, ...found.pointA, ...found.pointB].every(Number.isFinite)).toBe(true);
          expect(Math.hypot(...found.normal)).toBeCloseTo(1, 10);
        }
      });
      fc.assert(property, { seed: SEED, numRuns: 3000 });
    },
  );
});

test('the centroid of a hull leaves a quarter of its width on each side of every face', () => {
  for (const name of ['hull32-hull32', 'sizes', 'prisms'] as const) {
    for (const description of anyFamily(name, 200, SEED).shapes) {
      if (description.type !== 'hull') continue;
      const { halfExtents, facePlanes, vertices } = createShape(description);
      for (let f = 0; f < facePlanes.length; f += 4) {
        const [nx, ny, nz, offset] = facePlanes.subarray(f, f + 4);
        const height = (x: number, y: number, z: number): number => nx * x + ny * y + nz * z - offset;
        let width = 0;
        for (let i = 0; i < vertices.length; i += 3)
          width = Math.max(width, -height(vertices[i], vertices[i + 1], vertices[i + 2]));
        expect(-height(...halfExtents)).toBeGreaterThanOrEqual((width * (1 - 1e-5)) / 4);
      }
    }
  }
  const { halfExtents } = createShape({ type: 'hull', points: [1, 1, 1, 3, 1, 1, 1, 4, 1] });
  expect(halfExtents[0]).toBeCloseTo(5 / 3, 12);
  expect(halfExtents[1]).toBeCloseTo(2, 12);
  expect(halfExtents[2]).toBe(1);
  expect(oraclePolytope({ type: 'hull', points: [1, 1, 1] }).vertices).toHaveLength(3);
});
