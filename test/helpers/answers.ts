/**
 * Statements about a tester that hold on every backend: where bodies stand and how large they are changes nothing,
 * results have the documented form, features are the shapes' own. Registered by a unit test for the CPU and a kernel
 * test for the GPU.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { buildHull } from '../../src/shapes/hull.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { F32_ROUNDING, TOLERANCE as TOLERANCES } from '../../src/shapes/tolerances.ts';
import { Status, type Bodies, type Contacts, type PosedBodies, type Tester } from '../../src/api/types.ts';
import { makeFamily, makeStructuredFamily, type Family } from '../../verification/families/families.ts';
import { judgeContact } from '../../verification/oracle/index.ts';
import { createRandom, spread } from '../../verification/families/random.ts';
import { pairsOf, summary, useShapes, type FamilyPair } from '../../verification/families/test-pairs.ts';

const SEED = 20_250_105;

/**
 * By which two answers of each backend may differ, as a share of the size: those of the reference, which come as f32,
 * by little more than that.
 */
const TOLERANCE = { webgpu: TOLERANCES.kernels, cpu: 5e-7 } as const;

/** What the oracle holds each backend to: the reference to its own tolerance and the rounding of results. */
const TERMS = { webgpu: { k: 'kernels', rounding: 0 }, cpu: { k: 'reference', rounding: F32_ROUNDING } } as const;

const UPRIGHT = [0, 0, 0, 1];

type Backend = keyof typeof TOLERANCE;

interface Body {
  shape: number;
  position: number[];
  quaternion?: number[];
}

function bodiesOf(list: Body[]): PosedBodies {
  return {
    shapes: Uint32Array.from(list, ({ shape }) => shape),
    positions: Float32Array.from(list.flatMap(({ position }) => position)),
    quaternions: Float32Array.from(list.flatMap(({ quaternion = UPRIGHT }) => quaternion)),
  };
}

/** The family with positions rounded to multiples of 2^-16, so that translations by whole numbers are exact. */
function onGrid(family: Family): Family {
  const positions = family.bodies.positions.map((x) => Math.round(x * 2 ** 16) / 2 ** 16);
  return { ...family, bodies: { ...family.bodies, positions } };
}

/** Where two results differ by more than `tolerance` of the size, other than by `shift` of the points. */
function differences(
  pairs: FamilyPair[],
  found: Contacts,
  expected: Contacts,
  tolerance: number,
  shift = [0, 0, 0],
  factor = 1,
): string[] {
  return pairs.flatMap(({ index, size }) => {
    const t = tolerance * size;
    const faults: string[] = [];
    const distance = found.distance[index] / factor;
    if (!(Math.abs(distance - expected.distance[index]) <= t))
      faults.push(`distance ${distance}, expected ${expected.distance[index]}`);
    if (found.status[index] !== expected.status[index] && Math.abs(expected.distance[index]) > t)
      faults.push(`status ${found.status[index]}, expected ${expected.status[index]}`);
    const gap =
      Math.hypot(
        ...[0, 1, 2].map(
          (k) =>
            found.pointB[3 * index + k] -
            found.pointA[3 * index + k] -
            found.distance[index] * found.normal[3 * index + k],
        ),
      ) / factor;
    const span = Math.hypot(...[0, 1, 2].map((k) => found.pointA[3 * index + k] / factor - shift[k]));
    // Within reach of the origin's result: what points a tie has is open, but they stay at the pair.
    if (!(gap <= t + rounding(found, index) / factor) || !(span <= 60 + 8 * size))
      faults.push(`points ${gap} off the normal, ${span} from where they were`);
    return faults.map((fault) => `seed ${SEED}, pair ${index}: ${fault}`);
  });
}

function rounding({ pointA, pointB }: Contacts, index: number): number {
  const unit = pointA instanceof Float32Array ? 2 ** -22 : 2 ** -51;
  return (
    unit * [pointA, pointB].reduce((sum, points) => sum + Math.hypot(...points.subarray(3 * index, 3 * index + 3)), 0)
  );
}

function vertex(index: number): number {
  return 2 ** 30 + index;
}

function edge(index: number): number {
  return 2 ** 31 + index;
}

function face(index: number): number {
  return 2 ** 31 + 2 ** 30 + index;
}

/** Features of A at the origin and B at `position` by GJK and EPA. */
async function featuresOf(
  tester: Tester,
  a: ShapeDescription,
  b: ShapeDescription,
  position: number[],
  quaternion = UPRIGHT,
): Promise<[number, number]> {
  // With other pairs far away, the kernels are those that other tests compile too.
  useShapes(tester, [a, b, { type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] }]);
  const bodies = bodiesOf([
    { shape: 0, position: [0, 0, 0] },
    { shape: 1, position, quaternion },
    { shape: 2, position: [100, 0, 0] },
    { shape: 0, position: [100, 3, 0] },
  ]);
  const { featureA, featureB } = await tester.contacts(bodies, Uint32Array.of(0, 1, 2, 2, 2, 3), {
    margin: Infinity,
    algorithm: 'gjk',
  });
  return [featureA[0], featureB[0]];
}

export function describeAnswers(backend: Backend): void {
  let tester: Tester;
  const tolerance = TOLERANCE[backend];
  const terms = TERMS[backend];

  beforeAll(async () => {
    tester = await createTester({ backend });
  });
  afterAll(() => tester?.dispose());

  describe.each(['box-box', 'capsule-hull'] as const)('%s', (name) => {
    const family = onGrid(makeFamily(name, 600, SEED));
    const pairs = pairsOf(family);
    let here: Contacts;

    const contactsWith = (changes: Partial<PosedBodies>): Promise<Contacts> =>
      tester.contacts({ ...family.bodies, ...changes }, family.pairs, { margin: Infinity, bounds: true });

    beforeAll(async () => {
      useShapes(tester, family.shapes);
      here = await contactsWith({});
    });

    test('a common translation that f32 can hold changes nothing but the points', async () => {
      // Positions are below 32 in multiples of 2^-16, and only these with few enough bits are kept.
      const shift = [64, -128, 96];
      const coarse = family.bodies.positions.map((x) => Math.round(x * 2 ** 12) / 2 ** 12);
      const [at, away] = [
        await contactsWith({ positions: coarse }),
        await contactsWith({ positions: coarse.map((x, i) => x + shift[i % 3]) }),
      ];
      expect(summary(differences(pairs, away, at, tolerance, shift))).toEqual([]);
    });

    test('64-bit positions at 1e8 times the size give what they give at the origin', async () => {
      const shift = [4e8, -3e8, 1.5e8];
      const positions = Float64Array.from(family.bodies.positions, (x, i) => x + shift[i % 3]);
      const away = await contactsWith({ positions });
      expect(away.pointA).toBeInstanceOf(Float64Array);
      expect(summary(differences(pairs, away, here, tolerance, shift))).toEqual([]);
      const moved = (pose: { position: ArrayLike<number>; quaternion: ArrayLike<number> }) => ({
        ...pose,
        position: shift.map((x, i) => x + pose.position[i]),
      });
      const items = [...away];
      const faults = pairs.flatMap(({ index, a, b, poseA, poseB }) =>
        judgeContact(a, moved(poseA), b, moved(poseB), items[index], terms.k, {
          points: 'f64',
          rounding: terms.rounding,
        }).map((fault) => `seed ${SEED}, pair ${index}: ${fault}`),
      );
      expect(summary(faults)).toEqual([]);
    });

    test('64-bit positions near the origin give what 32-bit ones give', async () => {
      const found = await contactsWith({ positions: Float64Array.from(family.bodies.positions) });
      expect(found.pointB).toBeInstanceOf(Float64Array);
      expect(here.pointB).toBeInstanceOf(Float32Array);
      expect(summary(differences(pairs, found, here, tolerance))).toEqual([]);
    });

    test('bodies of 1e-6 and of 1e6 give scaled answers', async () => {
      for (const factor of [2 ** -20, 2 ** 20]) {
        const found = await contactsWith({
          positions: family.bodies.positions.map((x) => factor * x),
          scales: new Float32Array(family.bodies.shapes.length).fill(factor),
        });
        expect(summary(differences(pairs, found, here, tolerance, [0, 0, 0], factor))).toEqual([]);
      }
    });

    test('quaternions of any length give what unit ones give', async () => {
      for (const factor of [1e-5, 3, 1e6]) {
        const found = await contactsWith({ quaternions: family.bodies.quaternions.map((x) => factor * x) });
        expect(summary(differences(pairs, found, here, tolerance))).toEqual([]);
      }
    });

    test('swapping the bodies keeps distances and turns normals', async () => {
      const swapped = await tester.contacts(family.bodies, family.pairs.slice().reverse(), { margin: Infinity });
      const count = pairs.length;
      let opposed = 0;
      for (const { index, size } of pairs) {
        const there = count - 1 - index;
        expect(
          Math.abs(swapped.distance[there] - here.distance[index]),
          `seed ${SEED}, pair ${index}`,
        ).toBeLessThanOrEqual(2 * tolerance * size);
        const cosine = [0, 1, 2].reduce(
          (sum, k) => sum + swapped.normal[3 * there + k] * here.normal[3 * index + k],
          0,
        );
        if (cosine < -0.9999) opposed++;
      }
      // Elsewhere two directions tie.
      expect(opposed).toBeGreaterThan(0.98 * count);
    });

    test('bounds hold the true distance, and are left out unless asked for', async () => {
      const items = [...here];
      const faults = pairs.flatMap(({ index, a, b, poseA, poseB }) =>
        judgeContact(a, poseA, b, poseB, items[index], terms.k, { rounding: terms.rounding }).map(
          (fault) => `seed ${SEED}, pair ${index}: ${fault}`,
        ),
      );
      expect(summary(faults)).toEqual([]);
      expect(items.every(({ lower, upper }) => lower !== undefined && upper !== undefined && lower <= upper)).toBe(
        true,
      );
      const plain = await tester.contacts(family.bodies, family.pairs.subarray(0, 2));
      expect('lower' in plain || 'upper' in plain || 'lower' in [...plain][0]).toBe(false);
    });

    test('queries started at once give the answers that they give one after the other', async () => {
      const half = family.pairs.subarray(0, family.pairs.length / 2);
      const rest = family.pairs.subarray(family.pairs.length / 2);
      const options = { margin: Infinity } as const;
      const queries = [
        () => tester.contacts(family.bodies, half, options),
        () => tester.distances(family.bodies, rest),
        () => tester.contacts(family.bodies, rest, options),
        () => tester.intersects(family.bodies, half, { results: 'hits' }),
      ];
      const together = await Promise.all(queries.map((query) => query()));
      for (const [i, query] of queries.entries()) expect({ ...together[i] }).toEqual({ ...(await query()) });
      expect((together[0] as Contacts).distance).toEqual(here.distance.slice(0, half.length / 2));
      expect((together[2] as Contacts).distance).toEqual(here.distance.slice(half.length / 2));
    });

    test('iteration gives the slots as plain objects', async () => {
      const found = await contactsWith({});
      const items = [...found];
      expect(items.length).toBe(pairs.length);
      for (const slot of [0, 1, pairs.length - 1]) {
        const vector = (values: ArrayLike<number>) => [0, 1, 2].map((k) => values[3 * slot + k]);
        expect(items[slot]).toEqual({
          pair: slot,
          status: found.status[slot],
          distance: found.distance[slot],
          normal: vector(found.normal),
          pointA: vector(found.pointA),
          pointB: vector(found.pointB),
          featureA: found.featureA[slot],
          featureB: found.featureB[slot],
          iterations: found.iterations[slot],
          lower: found.lower?.[slot],
          upper: found.upper?.[slot],
        });
      }
      const [gap] = await tester.distances(family.bodies, family.pairs);
      expect(Object.keys(gap).sort()).toEqual(['distance', 'normal', 'pair', 'pointA', 'pointB', 'status']);
      const [hit] = await tester.intersects(family.bodies, family.pairs);
      expect(hit).toEqual({ pair: 0, status: here.status[0], hit: here.distance[0] <= 0 });
    });
  });

  test('a body far away costs the others no precision', async () => {
    // A ball of 10 km at 1e8 times its size, and balls of 1 m at places that f32 would round by up to 3e-5.
    useShapes(tester, [
      { type: 'sphere', radius: 1e4 },
      { type: 'sphere', radius: 1 },
    ]);
    const gaps = Array.from({ length: 20 }, (_, i) => (i - 9.5) / 1000);
    const bodies: Bodies = {
      shapes: Uint32Array.from([0, ...gaps.flatMap(() => [1, 1])]),
      positions: Float64Array.from([
        1e12,
        0,
        0,
        ...gaps.flatMap((gap, i) => [700 + 0.13 * i, 0, 0, 702 + 0.13 * i + gap, 0, 0]),
      ]),
      quaternions: Float32Array.from([UPRIGHT, ...gaps.flatMap(() => [UPRIGHT, UPRIGHT])].flat()),
    };
    const found = await tester.contacts(
      bodies,
      Uint32Array.from({ length: 2 * gaps.length }, (_, i) => i + 1),
      { margin: Infinity },
    );
    const errors = gaps.map((gap, pair) => Math.abs(found.distance[pair] - gap));
    expect(Math.max(...errors)).toBeLessThanOrEqual(2 * tolerance);
    expect(Array.from(found.status)).toEqual(gaps.map((gap) => (gap <= 0 ? Status.Overlapping : Status.Separated)));
  });

  describe('scales', () => {
    const random = createRandom(SEED + 1);

    test.each(['sphere-box', 'rounded-box-hull', 'capsule-hull'] as const)(
      'a factor a body scales core and rounding of %s',
      async (name) => {
        const family = makeFamily(name, 400, SEED + 1);
        const scales = Float32Array.from(family.bodies.shapes, () => spread(random, 4, 6));
        useShapes(tester, family.shapes);
        const items = [...(await tester.contacts({ ...family.bodies, scales }, family.pairs, { margin: Infinity }))];
        const statuses = [0, 0, 0];
        const faults = pairsOf(family).flatMap(({ index, a, b, poseA, poseB }) => {
          const [bodyA, bodyB] = family.pairs.subarray(2 * index);
          statuses[items[index].status]++;
          return judgeContact(
            a,
            { ...poseA, scale: scales[bodyA] },
            b,
            { ...poseB, scale: scales[bodyB] },
            items[index],
            terms.k,
            { rounding: terms.rounding },
          ).map((fault) => `seed ${SEED + 1}, pair ${index}: ${fault}`);
        });
        expect(summary(faults)).toEqual([]);
        expect(Math.min(statuses[0], statuses[1])).toBeGreaterThan(50);
        expect(statuses[2]).toBe(0);
      },
    );

    test('a scaled shape is the shape of scaled lengths, rounding radius included', async () => {
      const small: ShapeDescription[] = [
        { type: 'sphere', radius: 0.5 },
        { type: 'box', halfExtents: [0.25, 0.5, 0.75], radius: 0.125 },
        { type: 'capsule', halfHeight: 0.5, radius: 0.25 },
        { type: 'triangle', points: [0, 0, 0, 1, 0, 0, 0, 1, 0.5], radius: 0.0625 },
        { type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1], radius: 0.25 },
      ];
      const doubled = (value: unknown): unknown =>
        typeof value === 'number' ? 2 * value : Array.isArray(value) ? value.map(doubled) : value;
      const large = small.map(
        (shape) =>
          Object.fromEntries(
            Object.entries(shape).map(([field, value]) => [field, doubled(value)]),
          ) as unknown as ShapeDescription,
      );
      useShapes(tester, [...small, ...large]);
      const kinds = small.length;
      const all = [...small.keys()].flatMap((a) => [...small.keys()].map((b) => [a, b]));
      const at = (offset: number): Body[] =>
        all.flatMap(([a, b], i) => [
          { shape: a + offset, position: [0, 0, 0] },
          { shape: b + offset, position: [0.75 + 0.125 * i, 0.5, -0.25], quaternion: [0.1, 0.2, 0.3, 0.9] },
        ]);
      const pairs = Uint32Array.from({ length: 2 * all.length }, (_, body) => body);
      const options = { margin: Infinity, bounds: true } as const;
      const scaled = await tester.contacts(
        { ...bodiesOf(at(0)), scales: new Float32Array(2 * all.length).fill(2) },
        pairs,
        options,
      );
      const described = await tester.contacts(bodiesOf(at(kinds)), pairs, options);
      expect(Array.from(scaled.status)).toEqual(Array.from(described.status));
      expect(new Set(scaled.status)).toEqual(new Set([Status.Separated, Status.Overlapping]));
      for (const field of ['distance', 'normal', 'pointA', 'pointB'] as const) {
        scaled[field].forEach((value, i) =>
          expect(Math.abs(value - described[field][i]), `${field}[${i}]`).toBeLessThanOrEqual(20 * tolerance),
        );
      }
    });
  });

  describe('features', () => {
    const box: ShapeDescription = { type: 'box', halfExtents: [1, 1, 1] };
    const ball: ShapeDescription = { type: 'sphere', radius: 0.5 };
    const capsule: ShapeDescription = { type: 'capsule', halfHeight: 1, radius: 0.25 };
    // An octahedron whose points come with its middle, twice, and a point inside before and between them.
    const octahedron = [0, 0, 0, 0, 0, -1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0.125, 0.25, 0.125, -1, 0, 0, 0, 0, 1, 0, -1, 0];
    const hull: ShapeDescription = { type: 'hull', points: octahedron };

    test.each([
      [[2, 0, 0], face(1)],
      [[-2, 0.25, 0], face(0)],
      [[0, 2, 0.5], face(3)],
      [[0, -2, 0], face(2)],
      [[0, 0, 2], face(5)],
      [[0, 0, -2], face(4)],
      [[0, 2, 2], edge(3)],
      [[0.5, -2, 2], edge(2)],
      [[2, 0, -2], edge(6)],
      [[-2, 0, 2], edge(5)],
      [[2, 2, 0], edge(11)],
      [[2, -2, 0], edge(9)],
      [[2, 2, 2], vertex(7)],
      [[-2, -2, -2], vertex(0)],
      [[2, -2, 2], vertex(5)],
      [[-2, 2, -2], vertex(2)],
    ])('a ball at %j touches the box at feature %d, and has its only vertex there', async (position, feature) => {
      expect(await featuresOf(tester, box, ball, position)).toEqual([feature, vertex(0)]);
      expect(
        await featuresOf(
          tester,
          ball,
          box,
          position.map((x) => -x),
        ),
      ).toEqual([vertex(0), feature]);
    });

    test('a box on a box touches with the lower face and the upper one', async () => {
      expect(await featuresOf(tester, box, box, [0, 2.25, 0])).toEqual([face(3), face(2)]);
      expect(await featuresOf(tester, box, box, [0, 1.75, 0.25])).toEqual([face(3), face(2)]);
    });

    test('boxes that cross at edges touch there', async () => {
      // B stands on its edge along x, turned by 45 degrees about that, over A's edge along z at x = 1, y = 1.
      const turned = [Math.sin(Math.PI / 8), 0, 0, Math.cos(Math.PI / 8)];
      const [featureA, featureB] = await featuresOf(tester, box, box, [0, 2.75, 0], turned);
      expect(featureA).toBe(face(3));
      expect(featureB >>> 30).toBe(2);
      expect((featureB & 0x3fff_ffff) >> 2).toBe(0);
    });

    test.each([
      [[0, 3, 0], vertex(1)],
      [[0.25, -3, 0], vertex(0)],
      [[2, 0.5, 0], edge(0)],
    ])('a ball at %j touches the capsule at feature %d', async (position, feature) => {
      expect(await featuresOf(tester, capsule, ball, position)).toEqual([feature, vertex(0)]);
    });

    test.each([
      [[2, 0, 0], 2],
      [[0, 2, 0], 4],
      [[-2, 0, 0], 6],
      [[0, 0, 2], 7],
      [[0, -2, 0], 8],
      [[0, 0, -2], 1],
    ])("a ball at %j touches the hull's vertex with the caller's point index %d", async (position, point) => {
      expect(await featuresOf(tester, hull, ball, position)).toEqual([vertex(point), vertex(0)]);
    });

    test("edges and faces of a hull are those of the hull builder's lists", async () => {
      const built = buildHull(octahedron);
      const pointOf = (v: number): number => built.source[v];
      const [edgeFeature] = await featuresOf(tester, hull, ball, [2, 2, 0]);
      expect(edgeFeature >>> 30).toBe(2);
      const e = edgeFeature & 0x3fff_ffff;
      expect([pointOf(built.edges[2 * e]), pointOf(built.edges[2 * e + 1])].sort()).toEqual([2, 4]);
      const [faceFeature] = await featuresOf(tester, hull, ball, [1, 1, 1]);
      expect(faceFeature >>> 30).toBe(3);
      const f = faceFeature & 0x3fff_ffff;
      const loop = Array.from(built.faceVertices.subarray(built.faceStart[f], built.faceStart[f + 1]), pointOf);
      expect(loop.sort()).toEqual([2, 4, 7]);
    });

    test('the distances query and an early exit have none', async () => {
      useShapes(tester, [box]);
      const bodies = bodiesOf([
        { shape: 0, position: [0, 0, 0] },
        { shape: 0, position: [5, 0, 0] },
      ]);
      const { featureA, featureB } = await tester.contacts(bodies, Uint32Array.of(0, 1));
      expect([featureA[0], featureB[0]]).toEqual([0, 0]);
    });
  });

  test('coplanar flat shapes that overlap have distance 0 and the normal of their plane', async () => {
    const family = makeStructuredFamily('flat', 1, SEED);
    useShapes(tester, [
      { type: 'triangle', points: [-1, 0, 0, 1, 0, 0, 0, 1, 0] },
      { type: 'box', halfExtents: [0.5, 0.5, 0] },
      ...family.shapes,
    ]);
    const bodies = bodiesOf([
      { shape: 0, position: [3, 4, 5] },
      { shape: 1, position: [3.125, 4.25, 5] },
    ]);
    const [found] = await tester.contacts(bodies, Uint32Array.of(0, 1));
    expect(found.status).toBe(Status.Overlapping);
    expect(Math.abs(found.distance)).toBeLessThanOrEqual(tolerance * 2);
    expect(found.normal.map((x) => Math.abs(x))).toEqual([0, 0, 1]);
  });
}
