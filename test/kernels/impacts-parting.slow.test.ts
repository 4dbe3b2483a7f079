/**
 * `stopAtPenetration: false` of testers and batches: bodies that overlap or touch to begin with are hits only where
 * they close in.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import { Status, type ImpactOptions, type PlanarTester, type Tester } from '../../src/api/types.ts';
import {
  DURATION,
  overlappingPairs,
  overlappingPlanarPairs,
  partingFault,
} from '../../verification/families/overlapping-movers.ts';
import { submit } from '../helpers/batch.ts';
import { atNight } from '../helpers/night.ts';

const SEED = 20_261_341;
const PAIRS = atNight(16, 300);
/** By default boxes and half-spaces that do not turn have a kernel of their own, and other pairs are cast. */
const ALGORITHMS = ['auto', 'cast', 'velocity-epa'] as const;
const IN_SPACE = atNight<readonly (typeof ALGORITHMS)[number][]>(['velocity-epa'], ALGORITHMS);
const IN_PLANE = atNight<readonly (typeof ALGORITHMS)[number][]>(['auto'], ALGORITHMS);

const testers: Partial<Record<'webgpu' | 'cpu', { space: Tester; plane: PlanarTester }>> = {};

beforeAll(async () => {
  for (const backend of ['webgpu', 'cpu'] as const) {
    testers[backend] = { space: await createTester({ backend }), plane: await createTester({ backend, dimension: 2 }) };
  }
});

afterAll(() => {
  for (const { space, plane } of Object.values(testers)) {
    space.dispose();
    plane.dispose();
  }
});

/** The oracle evaluates a pair at over a thousand times, so all tests share its answers. */
function judgedOnce<T>(judge: (isTurning: boolean) => T): (isTurning: boolean) => T {
  const judged = new Map<boolean, T>();
  return (isTurning) => {
    if (!judged.has(isTurning)) judged.set(isTurning, judge(isTurning));
    return judged.get(isTurning)!;
  };
}

const spatialPairs = judgedOnce((isTurning) => overlappingPairs(PAIRS, SEED, isTurning));
const planarPairs = judgedOnce((isTurning) => overlappingPlanarPairs(PAIRS, SEED, isTurning));

const pairsOf = (count: number): Uint32Array => Uint32Array.from({ length: 2 * count }, (_, i) => i);

function spatialBodies(tester: Tester, isTurning: boolean) {
  const pairs = spatialPairs(isTurning);
  const ids = new Map<string, number>();
  const idOf = (shape: Parameters<Tester['addShape']>[0]): number => {
    const key = JSON.stringify(shape);
    if (!ids.has(key)) ids.set(key, tester.addShape(shape));
    return ids.get(key)!;
  };
  const all = pairs.flatMap(({ a, b }) => [a, b]);
  const flat = (of: (pose: (typeof all)[number]) => ArrayLike<number>): Float32Array =>
    Float32Array.from(all.flatMap((pose) => Array.from(of(pose))));
  const bodies = {
    shapes: Uint32Array.from(pairs.flatMap(({ shapeA, shapeB }) => [idOf(shapeA), idOf(shapeB)])),
    positions: flat(({ position }) => position),
    quaternions: flat(({ quaternion }) => quaternion),
    linearVelocities: flat(({ linearVelocity }) => linearVelocity),
    ...(isTurning && { angularVelocities: flat(({ angularVelocity }) => angularVelocity!) }),
  };
  return { pairs, bodies, free: () => ids.forEach((id) => tester.removeShape(id)) };
}

function planarBodies(tester: PlanarTester, isTurning: boolean) {
  const pairs = planarPairs(isTurning);
  const all = pairs.flatMap(({ a, b }) => [a, b]);
  const bodies = {
    shapes: Uint32Array.from(pairs.flatMap(({ shapeA, shapeB }) => [tester.addShape(shapeA), tester.addShape(shapeB)])),
    positions: Float32Array.from(all.flatMap(({ position }) => Array.from(position))),
    angles: Float32Array.from(all, ({ angle }) => angle),
    linearVelocities: Float32Array.from(all.flatMap(({ linearVelocity }) => Array.from(linearVelocity))),
    ...(isTurning && { angularVelocities: Float32Array.from(all, ({ angularVelocity = 0 }) => angularVelocity) }),
  };
  return { pairs, bodies, free: () => bodies.shapes.forEach((id) => tester.removeShape(id)) };
}

const OPTIONS = { duration: DURATION, stopAtPenetration: false } satisfies ImpactOptions;

function faultsOf(
  pairs: readonly Parameters<typeof partingFault>[0][],
  { status, time }: { status: Uint8Array; time: Float32Array },
): string[] {
  return pairs.flatMap((pair, i) => {
    const fault = partingFault(pair, { status: status[i], time: time[i] });
    return fault ? [`seed ${SEED}, ${i}: ${fault}`] : [];
  });
}

describe.each(['webgpu', 'cpu'] as const)('on %s', (backend) => {
  describe.each([false, true])('turning: %s', (isTurning) => {
    test.each(isTurning ? (['auto'] as const) : IN_SPACE)(
      "in space, by '%s', as the oracle has it",
      async (algorithm) => {
        const { space } = testers[backend]!;
        const { pairs, bodies, free } = spatialBodies(space, isTurning);
        expect(faultsOf(pairs, await space.impacts(bodies, pairsOf(PAIRS), { ...OPTIONS, algorithm }))).toEqual([]);
        // By default each of them is a hit at once.
        const stopped = await space.impacts(bodies, pairsOf(PAIRS), { duration: DURATION, algorithm });
        expect(stopped.statusCounts).toEqual([0, PAIRS, 0, 0, 0]);
        expect(Math.max(...stopped.time)).toBe(0);
        free();
      },
    );

    test.each(isTurning ? atNight<'auto'[]>([], ['auto']) : IN_PLANE)(
      "in the plane, by '%s', as the oracle has it",
      async (algorithm) => {
        const { plane } = testers[backend]!;
        const { pairs, bodies, free } = planarBodies(plane, isTurning);
        expect(faultsOf(pairs, await plane.impacts(bodies, pairsOf(PAIRS), { ...OPTIONS, algorithm }))).toEqual([]);
        const stopped = await plane.impacts(bodies, pairsOf(PAIRS), { duration: DURATION, algorithm });
        expect(stopped.statusCounts).toEqual([0, PAIRS, 0, 0, 0]);
        free();
      },
    );
  });

  test("'hits' and 'earliest' list those that close in alone", async () => {
    const { space } = testers[backend]!;
    const { bodies, free } = spatialBodies(space, false);
    const list = pairsOf(PAIRS);
    const all = await space.impacts(bodies, list, OPTIONS);
    const closing = Array.from(list.subarray(0, PAIRS)).filter((pair) => all.status[pair] === Status.Overlapping);
    expect(closing.length).toBeGreaterThan(PAIRS / 4);
    for (const results of ['hits', 'earliest'] as const) {
      const { pair, count, first } = await space.impacts(bodies, list, { ...OPTIONS, results });
      expect(Array.from(pair.subarray(0, count))).toEqual(closing);
      if (results === 'earliest')
        expect(Array.from(first!).filter((slot) => slot !== 0xffff_ffff)).toHaveLength(2 * closing.length);
    }
    free();
  });

  test('anything else than a boolean is refused by name', async () => {
    const { space, plane } = testers[backend]!;
    const still = {
      shapes: new Uint32Array(0),
      positions: new Float32Array(0),
      quaternions: new Float32Array(0),
      linearVelocities: new Float32Array(0),
    };
    const bad = { duration: 1, stopAtPenetration: 0 as unknown as boolean };
    await expect(space.impacts(still, new Uint32Array(0), bad)).rejects.toThrow(
      /options\.stopAtPenetration is 0, expected a boolean/,
    );
    const flat = {
      shapes: new Uint32Array(0),
      positions: new Float32Array(0),
      angles: new Float32Array(0),
      linearVelocities: new Float32Array(0),
    };
    await expect(plane.impacts(flat, new Uint32Array(0), bad)).rejects.toThrow(
      /options\.stopAtPenetration is 0, expected a boolean/,
    );
  });
});

describe('batches', () => {
  test.each([false, true])('give what the query gives, in space, turning: %s', async (turning) => {
    const { space } = testers.webgpu!;
    const { bodies, free } = spatialBodies(space, turning);
    const pairs = pairsOf(PAIRS);
    const expected = await space.impacts(bodies, pairs, OPTIONS);
    const batch = await space.createBatch({
      query: 'impacts',
      maxBodies: 2 * PAIRS,
      maxPairs: PAIRS,
      turning,
      ...OPTIONS,
    });
    batch.write({ bodies, pairs });
    submit(batch);
    const found = await batch.read();
    expect([...found.status]).toEqual([...expected.status]);
    expect([...found.unclampedTime]).toEqual([...expected.unclampedTime]);
    batch.dispose();
    free();
  });

  test.each(atNight([false], [false, true]))(
    'give what the query gives, in the plane, turning: %s',
    async (turning) => {
      const { plane } = testers.webgpu!;
      const { pairs: movers, bodies, free } = planarBodies(plane, turning);
      const pairs = pairsOf(PAIRS);
      const expected = await plane.impacts(bodies, pairs, OPTIONS);
      expect(faultsOf(movers, expected)).toEqual([]);
      const batch = await plane.createBatch({
        query: 'impacts',
        maxBodies: 2 * PAIRS,
        maxPairs: PAIRS,
        turning,
        ...OPTIONS,
      });
      batch.write({ bodies, pairs });
      submit(batch);
      const found = await batch.read();
      expect([...found.status]).toEqual([...expected.status]);
      expect([...found.unclampedTime]).toEqual([...expected.unclampedTime]);
      batch.dispose();
      free();
    },
  );

  test('refuse the option for other queries, and anything else than a boolean', async () => {
    const { space } = testers.webgpu!;
    const common = { maxBodies: 1, maxPairs: 1 };
    await expect(
      space.createBatch({ query: 'contacts', ...common, stopAtPenetration: false } as never),
    ).rejects.toThrow(/options\.stopAtPenetration is false, expected undefined for contacts/);
    const bad = { query: 'impacts', ...common, duration: 1, stopAtPenetration: 1 as unknown as boolean } as const;
    await expect(space.createBatch(bad)).rejects.toThrow(/options\.stopAtPenetration is 1, expected a boolean/);
  });
});
