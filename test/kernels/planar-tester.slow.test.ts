/**
 * Two-dimensional testers on the GPU and on the CPU: every query by every algorithm is right by the oracle on both, and
 * the same on both, wherever the bodies stand, however they are scaled and turned, and however many pairs are asked for
 * at once.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import { F32_ROUNDING, TOLERANCE } from '../../src/shapes/tolerances.ts';
import { Status, type PlanarBodies, type PlanarTester } from '../../src/api/types.ts';
import { judgePlanarContact, judgePlanarManifold, judgePlanarStatus } from '../../verification/judges/planar-judge.ts';
import { judgePlanarImpact, type PlanarOutcome } from '../../verification/oracle/planar-motion.ts';
import { planarSignedDistance } from '../../verification/oracle/planar.ts';
import {
  makePlanarFamily,
  planarPairsOf,
  planarTypePairNames,
  type PlanarFamily,
  type PlanarFamilyPair,
} from '../../verification/families/planar-families.ts';
import { planarMovingPair, setPlanarInMotion } from '../../verification/families/planar-moving-family.ts';
import { ballDistance, ballPairs, overlappingBalls } from '../helpers/balls.ts';
import { summary } from '../../verification/families/test-pairs.ts';
import { planarTesterWithChunks, type ChunkWatch } from '../helpers/chunk-sizes.ts';
import { openDefaultDevice, withoutErrors } from '../helpers/gpu.ts';
import { answersOf, discs, discShapes, mixPlanarTypes, usePlanarShapes } from '../helpers/planar-tester.ts';

const SEED = 20_261_309;
const MARGIN = 0.05;

let device: GPUDevice;
let gpu: PlanarTester;
let chunksOf: ChunkWatch<PlanarTester>['chunksOf'];
let cpu: PlanarTester;

beforeAll(async () => {
  device = await openDefaultDevice('planar-tester.device');
  ({ tester: gpu, chunksOf } = await planarTesterWithChunks(device));
  cpu = await createTester({ dimension: 2, backend: 'cpu' });
});

afterAll(() => {
  gpu?.dispose();
  cpu?.dispose();
  device?.destroy();
});

type Query = 'intersects' | 'distances' | 'contacts' | 'manifolds';
type Algorithm = 'auto' | 'gjk' | 'mpr' | 'sat';

interface Subject extends PlanarFamilyPair {
  truth: number;
}

function subjectsOf(family: PlanarFamily): Subject[] {
  return planarPairsOf(family).map((pair) => ({
    ...pair,
    truth: planarSignedDistance(pair.a, pair.poseA, pair.b, pair.poseB).distance,
  }));
}

/** Both testers get the family's shapes. */
function use({ shapes }: { shapes: readonly PlanarShapeDescription[] }): void {
  for (const tester of [gpu, cpu]) usePlanarShapes(tester, shapes);
}

/** The reference's records are f32. */
const FACTORS = { webgpu: TOLERANCE.kernels, cpu: TOLERANCE.reference + 4 * F32_ROUNDING } as const;

interface Question {
  query: Query;
  algorithm: Algorithm;
  /** undefined: the default. */
  margin?: number;
}

function marginOf({ query, margin }: Question): number {
  return margin ?? (query === 'distances' ? Infinity : 0);
}

type Items = { pair: number; status: number; hit?: boolean; distance?: number; points?: { distance: number }[] }[];

/** The signed distance that an item says, as far as it does, to hold against the other backend's. */
function distanceOf({ distance, points }: Items[number]): number | undefined {
  return distance ?? points?.[0]?.distance;
}

/** What is wrong with a backend's answers, in words. */
async function judge(
  tester: PlanarTester,
  { bodies, pairs }: PlanarFamily,
  subjects: Subject[],
  asked: Question,
): Promise<{ items: Items; faults: string[] }> {
  const { query, algorithm } = asked;
  const margin = marginOf(asked);
  const options = { algorithm, margin: asked.margin };
  const k = FACTORS[tester.backend];
  const terms = {
    margin,
    points: bodies.positions instanceof Float64Array ? 'f64' : 'f32',
    isUpperBound: algorithm === 'mpr',
  } as const;
  const answer = await tester[query](bodies, pairs, options);
  const depths = query === 'manifolds' ? (await tester.contacts(bodies, pairs, options)).distance : undefined;
  const items = [...answer] as Items;
  const counts = [0, 0, 0, 0, 0];
  const faults = subjects.flatMap(({ index, a, poseA, b, poseB, truth, size }) => {
    const item = items[index];
    counts[item.status]++;
    if (item.pair !== index) return [`slot ${index} is of pair ${item.pair}`];
    const found =
      query === 'intersects'
        ? judgePlanarStatus(item, truth, k * size, margin)
        : query === 'manifolds'
          ? judgePlanarManifold(a, poseA, b, poseB, item as never, depths![index], k, { ...terms, truth })
          : judgePlanarContact(a, poseA, b, poseB, item as never, k, { ...terms, truth, query });
    return found.map(
      (fault) => `${tester.backend}, ${query} by ${algorithm}, margin ${margin}, seed ${SEED}, pair ${index}: ${fault}`,
    );
  });
  expect(answer.statusCounts).toEqual(counts);
  expect(counts[Status.NotConverged]).toBe(0);
  return { items, faults };
}

/** Where two backends differ by more than both may be off. */
function disagreements(one: Items, other: Items, subjects: Subject[], asked: Question): string[] {
  const margin = marginOf(asked);
  return subjects.flatMap(({ index, truth, size }) => {
    const t = (FACTORS.webgpu + FACTORS.cpu) * size;
    const [a, b] = [one[index], other[index]];
    const label = `${asked.query} by ${asked.algorithm}, margin ${margin}, seed ${SEED}, pair ${index}`;
    const faults: string[] = [];
    if (a.status !== b.status && Math.abs(truth) > t)
      faults.push(`${label}: statuses ${a.status} and ${b.status} at ${truth}`);
    if (a.hit !== b.hit && Math.abs(truth - margin) > t)
      faults.push(`${label}: hits ${a.hit} and ${b.hit} at ${truth}`);
    const [x, y] = [distanceOf(a), distanceOf(b)];
    if (x === undefined || y === undefined) return faults;
    // Beyond the margin they are bounds, and by portals upper bounds of the depth.
    const isExempt = Math.min(x, y) > margin || (asked.algorithm === 'mpr' && truth <= t);
    if (!isExempt && !(Math.abs(x - y) <= t)) faults.push(`${label}: distances ${x} and ${y}`);
    return faults;
  });
}

/**
 * Every algorithm on pairs of few kinds, as each two kinds have kernels of their own, and the default one on pairs of
 * all types.
 */
const subjectsByAlgorithm: [Algorithm, readonly string[], number][] = [
  ['auto', planarTypePairNames, 150],
  ['gjk', ['capsule/polygon'], 1000],
  ['mpr', ['capsule/polygon'], 1000],
  ['sat', ['rectangle/polygon'], 1000],
];

describe.each(subjectsByAlgorithm)('by %s, pairs of %j', (algorithm, names, count) => {
  const family = mixPlanarTypes(names, count, SEED);
  const subjects = subjectsOf(family);
  const { bodies, pairs } = family;
  const pairCount = pairs.length / 2;

  beforeAll(() => use(family));

  test.each(['intersects', 'distances', 'contacts', 'manifolds'] as const)(
    '%s is right on both backends, and the same',
    async (query) => {
      for (const margin of query === 'contacts' ? [undefined, MARGIN, Infinity] : [undefined, MARGIN]) {
        const asked = { query, algorithm, margin };
        const onGpu = await withoutErrors(device, () => judge(gpu, family, subjects, asked));
        const onCpu = await judge(cpu, family, subjects, asked);
        expect(
          summary([...onGpu.faults, ...onCpu.faults, ...disagreements(onGpu.items, onCpu.items, subjects, asked)]),
        ).toEqual([]);
        const overlapping = onGpu.items.filter(({ status }) => status === Status.Overlapping).length;
        expect(overlapping).toBeGreaterThan(0.3 * pairCount);
        expect(pairCount - overlapping).toBeGreaterThan(0.3 * pairCount);
      }
    },
  );

  test.each(['intersects', 'distances', 'contacts', 'manifolds'] as const)(
    "%s with results: 'hits' are the hits among all, bit for bit, in order",
    async (query) => {
      const options = { algorithm, margin: MARGIN };
      for (const tester of [gpu, cpu]) {
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
    for (const tester of [gpu, cpu]) {
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
    ['gjk', false],
    ['epa', false],
  ] as const)('by %s, turning: %s, are right on both backends, and of as many pairs', async (algorithm, isTurning) => {
    // Straight ones by the default of pairs of all types, the others of two kinds.
    const names = algorithm === 'auto' && !isTurning ? planarTypePairNames : ['rectangle/polygon'];
    const family = setPlanarInMotion(mixPlanarTypes(names, names.length > 1 ? 60 : 400, SEED + 1), SEED + 2, isTurning);
    const { bodies, pairs, duration } = family;
    use(family);
    const moving = planarPairsOf(family).map((pair) => planarMovingPair(family, pair));
    const outcomes = [];
    for (const tester of [gpu, cpu]) {
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

describe('wherever the bodies stand', () => {
  // All of them a centimetre and more across, at places that doubles have far out, too.
  const still = mixPlanarTypes(['capsule/polygon'], 600, SEED + 3);
  const positions = Float64Array.from(still.bodies.positions, (x) => Math.round(x * 2 ** 20) / 2 ** 20);
  const family: PlanarFamily = { ...still, bodies: { ...still.bodies, positions } };
  const subjects = subjectsOf(family);

  beforeAll(() => use(family));

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
        const asked = { query, algorithm: 'auto', margin: MARGIN } as const;
        const onGpu = await judge(gpu, there, judged, asked);
        const onCpu = await judge(cpu, there, judged, asked);
        expect(
          summary([...onGpu.faults, ...onCpu.faults, ...disagreements(onGpu.items, onCpu.items, judged, asked)]),
        ).toEqual([]);
      }
      const { pointA } = await gpu.contacts(there.bodies, there.pairs);
      expect(pointA).toBeInstanceOf(Float64Array);
    },
  );

  test('a body far away costs the others no precision', async () => {
    // A disc of 10 km at 1e8 times its size, and discs of 1 m at places that f32 would round by up to 3e-5.
    use({
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
    const found = await gpu.contacts(
      bodies,
      Uint32Array.from({ length: 2 * gaps.length }, (_, i) => i + 1),
      { margin: Infinity },
    );
    expect(Math.max(...gaps.map((gap, pair) => Math.abs(found.distance[pair] - gap)))).toBeLessThanOrEqual(
      2 * TOLERANCE.kernels,
    );
    expect(Array.from(found.status)).toEqual(gaps.map((gap) => (gap <= 0 ? Status.Overlapping : Status.Separated)));
    use(family);
  });

  test('bodies of a millionth and of a million times the size give scaled answers', async () => {
    const here = await gpu.contacts(still.bodies, still.pairs, { margin: Infinity });
    for (const factor of [2 ** -20, 2 ** 20]) {
      const scaled = {
        ...still.bodies,
        positions: still.bodies.positions.map((x) => factor * x),
        scales: still.bodies.scales.map((x) => factor * x),
      };
      const found = await gpu.contacts(scaled, still.pairs, { margin: Infinity });
      expect(Array.from(found.distance, (x) => x / factor)).toEqual(Array.from(here.distance));
      expect(Array.from(found.pointB, (x) => x / factor)).toEqual(Array.from(here.pointB));
      expect(found.normal).toEqual(here.normal);
    }
  });
});

describe('however they are turned', () => {
  test.each(['turned', 'off-origin'] as const)('the family %s is right on both backends', async (name) => {
    // Of two kinds, as each two have kernels of their own.
    const all = makePlanarFamily(name, 2000, SEED + 4);
    const isFew = (body: number): boolean =>
      ['rectangle', 'polygon'].includes(all.shapes[all.bodies.shapes[body]].type);
    const few = Array.from({ length: all.pairs.length / 2 }, (_, i) => 2 * i).filter(
      (at) => isFew(all.pairs[at]) && isFew(all.pairs[at + 1]),
    );
    const family = { ...all, pairs: Uint32Array.from(few.flatMap((at) => [all.pairs[at], all.pairs[at + 1]])) };
    expect(few.length).toBeGreaterThan(300);
    use(family);
    const subjects = subjectsOf(family);
    const asked = { query: 'contacts', algorithm: 'auto', margin: Infinity } as const;
    const onGpu = await judge(gpu, family, subjects, asked);
    const onCpu = await judge(cpu, family, subjects, asked);
    expect(
      summary([...onGpu.faults, ...onCpu.faults, ...disagreements(onGpu.items, onCpu.items, subjects, asked)]),
    ).toEqual([]);
  });

  test('whole turns more change nothing beyond rounding of the angle', async () => {
    const { shapes, bodies, pairs } = mixPlanarTypes(['capsule/polygon'], 300, SEED + 5);
    use({ shapes });
    for (const turns of [1, -160, 160, 1e4]) {
      // Angles as f32 has them out there, and the same within half a turn.
      const many = bodies.angles.map((angle) => angle + 2 * Math.PI * turns);
      const none = many.map((angle) => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI)));
      const expected = await gpu.contacts({ ...bodies, angles: none }, pairs, { margin: Infinity });
      expect(answersOf(await gpu.contacts({ ...bodies, angles: many }, pairs, { margin: Infinity }))).toEqual(
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
  use({ shapes: [...small, ...large] });
  const kinds = small.length;
  const all = small.flatMap((_, a) => small.map((__, b) => [a, b]));
  const at = (offset: number): PlanarBodies => ({
    shapes: Uint32Array.from(all.flatMap(([a, b]) => [a + offset, b + offset])),
    positions: Float32Array.from(all.flatMap((_, i) => [0, 0, 0.75 + 0.125 * i, 0.5])),
    angles: Float32Array.from(all.flatMap(() => [0, 0.7])),
  });
  const pairs = Uint32Array.from({ length: 2 * all.length }, (_, body) => body);
  for (const tester of [gpu, cpu]) {
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

describe('more pairs than a chunk', () => {
  const PAIRS = 200_000;
  const pairs = ballPairs(PAIRS);

  test.each([
    ['all', Infinity],
    ['hits', 0.125],
  ] as const)("are answered pair for pair, in order, results: '%s'", async (results, margin) => {
    // Of shapes that are new nothing is known of the time a pair takes: the first chunk is none of all of them.
    use({ shapes: discShapes });
    const { chunks, result } = await chunksOf(() => gpu.contacts(discs, pairs, { results, margin }));
    expect(chunks.length).toBeGreaterThan(1);
    expect(chunks.reduce((sum, size) => sum + size)).toBe(PAIRS);
    const due = Array.from({ length: PAIRS }, (_, pair) => pair).filter((pair) => ballDistance(pairs, pair) <= margin);
    expect(result.pair).toEqual(Uint32Array.from(due));
    expect(result.distance).toEqual(Float32Array.from(due, (pair) => ballDistance(pairs, pair)));
    const overlapping = overlappingBalls(pairs).length;
    expect(result.statusCounts).toEqual([PAIRS - overlapping, overlapping, 0, 0, 0]);
  });

  test('of several kinds come in the order of the pairs, as they do one chunk at a time', async () => {
    const family = mixPlanarTypes(['circle/rectangle'], 500, SEED + 6);
    use(family);
    const many = new Uint32Array(2 * 100_000).map((_, i) => family.pairs[i % family.pairs.length]);
    // Asked first, while nothing is known of the time a pair takes.
    const { chunks, result } = await chunksOf(() => gpu.contacts(family.bodies, many, { margin: Infinity }));
    expect(chunks.length).toBeGreaterThan(1);
    const few = await gpu.contacts(family.bodies, family.pairs, { margin: Infinity });
    const count = family.pairs.length / 2;
    const wrong = result.pair.filter(
      (pair, slot) =>
        pair !== slot ||
        result.distance[slot] !== few.distance[slot % count] ||
        result.pointB[2 * slot + 1] !== few.pointB[2 * (slot % count) + 1],
    );
    expect(Array.from(wrong)).toEqual([]);
  });
});
