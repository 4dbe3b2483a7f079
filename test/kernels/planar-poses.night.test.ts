/**
 * Two-dimensional testers on the GPU and on the CPU are right wherever the bodies are, and however they are rotated and
 * scaled.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import { TOLERANCE } from '../../src/shapes/tolerances.ts';
import { Status, type PlanarBodies } from '../../src/api/types.ts';
import { makePlanarFamily, type PlanarFamily } from '../../verification/families/planar-families.ts';
import { summary } from '../../verification/families/test-pairs.ts';
import { answersOf, mixPlanarTypes } from '../helpers/planar-tester.ts';
import { openPlanarBackends, subjectsOf, type PlanarBackends, type Subject } from '../helpers/planar-backends.ts';

const SEED = 20_261_309;
const MARGIN = 0.05;

let backends: PlanarBackends;

beforeAll(async () => {
  backends = await openPlanarBackends('planar-poses.device');
});

afterAll(() => backends?.close());

describe('wherever the bodies stand', () => {
  // All of them a centimetre and more across, at places that doubles have far out, too.
  const still = mixPlanarTypes(['capsule/polygon'], 600, SEED + 3);
  const positions = Float64Array.from(still.bodies.positions, (x) => Math.round(x * 2 ** 20) / 2 ** 20);
  const family: PlanarFamily = { ...still, bodies: { ...still.bodies, positions } };
  const subjects = subjectsOf(family);

  beforeAll(() => backends.use(family));

  /** The family elsewhere, and its pairs there. */
  function moved([x, y]: readonly [number, number]): { there: PlanarFamily; subjects: Subject[] } {
    const shift = (values: ArrayLike<number>): Float64Array =>
      Float64Array.from(values, (value, i) => value + (i % 2 ? y : x));
    return {
      there: { ...family, bodies: { ...family.bodies, positions: shift(positions) } },
      subjects: subjects.map((subject) => ({
        ...subject,
        poseA: { ...subject.poseA, position: shift(subject.poseA.position) },
        poseB: { ...subject.poseB, position: shift(subject.poseB.position) },
      })),
    };
  }

  test.each([[[0, 0]], [[1e6, -1e6]], [[2 ** 27, 2 ** 26 + 0.5]], [[-(2 ** 31), 3]]] as const)(
    '64-bit positions around %j give right answers, with points there',
    async (shift) => {
      const { there, subjects: judged } = moved(shift);
      for (const query of ['intersects', 'distances', 'contacts', 'manifolds'] as const) {
        const asked = { seed: SEED, query, algorithm: 'auto', margin: MARGIN } as const;
        const { faults } = await backends.judge(there, judged, asked);
        expect(summary(faults)).toEqual([]);
      }
      const { pointA } = await backends.gpu.contacts(there.bodies, there.pairs);
      expect(pointA).toBeInstanceOf(Float64Array);
    },
  );

  test('a body far away costs the others no precision', async () => {
    // A disc of 10 km at 1e8 times its size, and discs of 1 m at places that f32 would round by up to 3e-5.
    backends.use({
      shapes: [
        { type: 'circle', radius: 1e4 },
        { type: 'circle', radius: 1 },
      ],
    });
    const gaps = Array.from({ length: 20 }, (_, i) => (i - 9.5) / 1000);
    const bodies: PlanarBodies = {
      shapes: Uint32Array.from([0, ...gaps.flatMap(() => [1, 1])]),
      positions: Float64Array.from([
        1e12,
        0,
        ...gaps.flatMap((gap, i) => [700 + 0.13 * i, 0, 702 + 0.13 * i + gap, 0]),
      ]),
      angles: new Float32Array(2 * gaps.length + 1),
    };
    const found = await backends.gpu.contacts(
      bodies,
      Uint32Array.from({ length: 2 * gaps.length }, (_, i) => i + 1),
      { margin: Infinity },
    );
    expect(Math.max(...gaps.map((gap, pair) => Math.abs(found.distance[pair] - gap)))).toBeLessThanOrEqual(
      2 * TOLERANCE.kernels,
    );
    expect(Array.from(found.status)).toEqual(gaps.map((gap) => (gap <= 0 ? Status.Overlapping : Status.Separated)));
    backends.use(family);
  });

  test('bodies of a millionth and of a million times the size give scaled answers', async () => {
    const here = await backends.gpu.contacts(still.bodies, still.pairs, { margin: Infinity });
    for (const factor of [2 ** -20, 2 ** 20]) {
      const scaled = {
        ...still.bodies,
        positions: still.bodies.positions.map((x) => factor * x),
        scales: still.bodies.scales.map((x) => factor * x),
      };
      const found = await backends.gpu.contacts(scaled, still.pairs, { margin: Infinity });
      expect(Array.from(found.distance, (x) => x / factor)).toEqual(Array.from(here.distance));
      expect(Array.from(found.pointB, (x) => x / factor)).toEqual(Array.from(here.pointB));
      expect(found.normal).toEqual(here.normal);
    }
  });
});

describe('however they are turned', () => {
  test.each(['turned', 'off-origin'] as const)('the family %s is right on both backends', async (name) => {
    // Two kinds only, since each two kinds have kernels of their own.
    const total = 2000;
    const all = makePlanarFamily(name, total, SEED + 4);
    const isFew = (body: number): boolean =>
      ['rectangle', 'polygon'].includes(all.shapes[all.bodies.shapes[body]].type);
    const few = Array.from({ length: all.pairs.length / 2 }, (_, i) => 2 * i).filter(
      (at) => isFew(all.pairs[at]) && isFew(all.pairs[at + 1]),
    );
    const family = { ...all, pairs: Uint32Array.from(few.flatMap((at) => [all.pairs[at], all.pairs[at + 1]])) };
    expect(few.length).toBeGreaterThan(0.15 * total);
    backends.use(family);
    const subjects = subjectsOf(family);
    const asked = { seed: SEED, query: 'contacts', algorithm: 'auto', margin: Infinity } as const;
    const { faults } = await backends.judge(family, subjects, asked);
    expect(summary(faults)).toEqual([]);
  });

  test('whole turns more change nothing beyond rounding of the angle', async () => {
    const { shapes, bodies, pairs } = mixPlanarTypes(['capsule/polygon'], 300, SEED + 5);
    backends.use({ shapes });
    for (const turns of [1, -160, 160, 1e4]) {
      // Angles as f32 has them out there, and the same within half a turn.
      const many = bodies.angles.map((angle) => angle + 2 * Math.PI * turns);
      const none = many.map((angle) => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI)));
      const expected = await backends.gpu.contacts({ ...bodies, angles: none }, pairs, { margin: Infinity });
      expect(answersOf(await backends.gpu.contacts({ ...bodies, angles: many }, pairs, { margin: Infinity }))).toEqual(
        answersOf(expected),
      );
    }
  });
});

test('a scaled shape is the shape of scaled lengths, rounding included', async () => {
  const small: PlanarShapeDescription[] = [
    { type: 'circle', radius: 0.5 },
    { type: 'segment', points: [-0.5, 0, 0.25, 1], radius: 0.125 },
    { type: 'capsule', halfHeight: 0.5, radius: 0.25 },
    { type: 'rectangle', halfExtents: [0.25, 0.75], radius: 0.125 },
    { type: 'polygon', points: [0, 0, 1, 0, 1.5, 1, 0, 0.5], radius: 0.25 },
  ];
  const doubled = (value: unknown): unknown =>
    typeof value === 'number' ? 2 * value : Array.isArray(value) ? value.map(doubled) : value;
  const large = small.map(
    (shape) =>
      Object.fromEntries(
        Object.entries(shape).map(([field, value]) => [field, doubled(value)]),
      ) as unknown as PlanarShapeDescription,
  );
  backends.use({ shapes: [...small, ...large] });
  const kinds = small.length;
  const all = small.flatMap((_, a) => small.map((__, b) => [a, b]));
  const at = (offset: number): PlanarBodies => ({
    shapes: Uint32Array.from(all.flatMap(([a, b]) => [a + offset, b + offset])),
    positions: Float32Array.from(all.flatMap((_, i) => [0, 0, 0.75 + 0.125 * i, 0.5])),
    angles: Float32Array.from(all.flatMap(() => [0, 0.7])),
  });
  const pairs = Uint32Array.from({ length: 2 * all.length }, (_, body) => body);
  for (const tester of backends.testers) {
    const scaled = await tester.contacts({ ...at(0), scales: new Float32Array(2 * all.length).fill(2) }, pairs, {
      margin: Infinity,
    });
    const described = await tester.contacts(at(kinds), pairs, { margin: Infinity });
    expect(Array.from(scaled.status)).toEqual(Array.from(described.status));
    expect(new Set(scaled.status)).toEqual(new Set([Status.Separated, Status.Overlapping]));
    for (const field of ['distance', 'normal', 'pointA', 'pointB'] as const) {
      scaled[field].forEach((value, i) =>
        expect(Math.abs(value - described[field][i]), `${tester.backend}, ${field}[${i}]`).toBeLessThanOrEqual(
          20 * TOLERANCE.kernels,
        ),
      );
    }
  }
});
