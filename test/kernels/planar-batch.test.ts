/**
 * Batches of two-dimensional testers: each query's results are those of the tester's query, all but the points bit for
 * bit.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { QueryResults } from '../../src/api/queries.ts';
import { F32_ROUNDING } from '../../src/shapes/tolerances.ts';
import { type PlanarBodies, type PlanarTester, type Vec2 } from '../../src/api/types.ts';
import { openDefaultDevice } from '../helpers/gpu.ts';
import { mixPlanarTypes, usePlanarShapes } from '../helpers/planar-tester.ts';
import { frame, withoutPoints, type Placed, type PlanarBatch } from '../helpers/planar-batch.ts';

const SEED = 20_261_312;
const PAIRS = 600;

let device: GPUDevice;
let tester: PlanarTester;

beforeAll(async () => {
  device = await openDefaultDevice('planar-batch.device');
  tester = await createTester({ dimension: 2, device });
});

afterAll(() => {
  tester?.dispose();
  device?.destroy();
});

type Results = QueryResults<Vec2>;

function refusedAt(field: string): unknown {
  return expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringMatching(`^${field} is`) });
}

describe('queries of bodies that stand', () => {
  const { shapes, bodies, pairs } = mixPlanarTypes(['rectangle/polygon'], PAIRS, SEED);

  beforeAll(() => usePlanarShapes(tester, shapes));

  test.each(['intersects', 'distances', 'contacts', 'manifolds'] as const)(
    '%s are the tester’s, all and hits',
    async (query) => {
      for (const results of ['all', 'hits'] as const) {
        const options = { margin: 0.0625, results };
        const expected: Results[typeof query] = await tester[query](bodies, pairs, options);
        const batch = await tester.createBatch({ query, maxBodies: 2 * PAIRS + 10, maxPairs: PAIRS + 100, ...options });
        const found = await frame(batch as PlanarBatch<Results['contacts']>, { bodies, pairs });
        expect(withoutPoints(found)).toEqual(withoutPoints(expected));
        // `distances` have no points for pairs that overlap, and `intersects` never have any.
        expectPoints(
          found,
          expected,
          bodies,
          pairs,
          { intersects: 0, distances: 0.04 * PAIRS, contacts: 0.4 * PAIRS, manifolds: 0.4 * PAIRS }[query],
        );
        expect(found.count).toBeGreaterThan(PAIRS / 3);
        expect(await batch.readCounts()).toMatchObject({
          pairs: PAIRS,
          pairOverflow: 0,
          hitOverflow: 0,
          statusCounts: expected.statusCounts,
        });
        batch.dispose();
      }
    },
  );

  test('contacts by an algorithm of their own, with bounds, into a target', async () => {
    const options = { algorithm: 'mpr', mprDepth: 'ray', margin: 0.0625 } as const;
    const expected = await tester.contacts(bodies, pairs, { ...options, bounds: true });
    const batch = await tester.createBatch({ query: 'contacts', maxBodies: 2 * PAIRS, maxPairs: PAIRS, ...options });
    const target = await tester.contacts(bodies, pairs, { bounds: true });
    const found = await frame(batch, { bodies, pairs }, { target, bounds: true });
    expect(withoutPoints(found)).toEqual(withoutPoints(expected));
    expect(found.lower!.buffer).toBe(target.lower!.buffer);
    batch.dispose();
  });

  test('frames may have other bodies and other pairs, of which the batch keeps what is not written', async () => {
    const batch = await tester.createBatch({ query: 'distances', maxBodies: 2 * PAIRS, maxPairs: PAIRS });
    await frame(batch, { bodies, pairs });
    const half = pairs.subarray(0, PAIRS);
    expect(withoutPoints(await frame(batch, { pairs: half }))).toEqual(
      withoutPoints(await tester.distances(bodies, half)),
    );
    const moved = { ...bodies, positions: bodies.positions.map((x, i) => x + (i % 4 === 0 ? 1 : 0)) };
    expect(withoutPoints(await frame(batch, { bodies: moved }))).toEqual(
      withoutPoints(await tester.distances(moved, half)),
    );
    batch.dispose();
  });

  test('what can’t be used is refused by name, before anything is written', async () => {
    const batch = await tester.createBatch({ query: 'contacts', maxBodies: 2 * PAIRS, maxPairs: PAIRS });
    expect(() => batch.write({ bodies: { ...bodies, angles: undefined as never } })).toThrowError(
      refusedAt('bodies.angles'),
    );
    expect(() =>
      batch.write({ bodies: { ...bodies, quaternions: new Float32Array(8 * PAIRS) } as never }),
    ).toThrowError(refusedAt('bodies.quaternions'));
    expect(() => batch.write({ bodies: { ...bodies, positions: Float64Array.from(bodies.positions) } })).toThrowError(
      refusedAt('bodies.positions'),
    );
    expect(() => batch.write({ bodies, duration: 1 })).toThrowError(refusedAt('duration'));
    const poses = device.createBuffer({ size: 16 * 2 * PAIRS - 4, usage: 128 });
    await expect(
      tester.createBatch({ query: 'contacts', maxBodies: 2 * PAIRS, maxPairs: PAIRS, poses }),
    ).rejects.toEqual(refusedAt('options.poses.size'));
    await expect(
      tester.createBatch({ query: 'contacts', maxBodies: 2 * PAIRS, maxPairs: PAIRS, warmStart: true }),
    ).rejects.toEqual(refusedAt('options.warmStart'));
    batch.dispose();
  });
});

function coordinatesOf({ pointA = [], pointB = [], points = [] }: Placed): number[] {
  return [...pointA, ...pointB, ...points.flatMap(({ position }) => position)];
}

/** That points are the tester's but for rounding of the coordinates that they are sums of; so many at least. */
function expectPoints(
  found: Iterable<unknown>,
  expected: Iterable<unknown>,
  { positions }: PlanarBodies,
  pairs: Uint32Array,
  atLeast: number,
): void {
  const others = [...expected] as Placed[];
  let compared = 0;
  for (const [slot, item] of ([...found] as Placed[]).entries()) {
    const a = 2 * pairs[2 * item.pair];
    const theirs = coordinatesOf(others[slot]);
    const ours = coordinatesOf(item);
    ours.forEach((x, i) =>
      expect(Math.abs(x - theirs[i]), `slot ${slot}`).toBeLessThanOrEqual(
        4 * F32_ROUNDING * (Math.abs(theirs[i]) + Math.abs(positions[a + (i % 2)])),
      ),
    );
    if (ours.some((x) => x !== 0)) compared++;
  }
  expect(compared).toBeGreaterThanOrEqual(atLeast);
}
