/** Half-spaces against every bounded shape in the kernels, judged by the least height of the shape over the plane. */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { F32_ROUNDING, TOLERANCE as TOLERANCES } from '../../src/shapes/tolerances.ts';
import { Status, type Contacts, type Tester } from '../../src/api/types.ts';
import {
  boundedTypes,
  halfspacePairs,
  makeHalfspaceFamily,
  offSurface,
  type HalfspacePair,
} from '../../verification/families/halfspaces.ts';
import { oracleShape, signedDistance, type OracleShape } from '../../verification/oracle/index.ts';
import { frame, submit } from '../helpers/batch.ts';
import { atNight } from '../helpers/night.ts';
import { summary, useShapes } from '../../verification/families/test-pairs.ts';

const { kernels: TOLERANCE } = TOLERANCES;
const SEED = 20_261_208;
const PAIRS = atNight(1000, 5000);
const FACE = 3 * 2 ** 30;
const POINT = oracleShape({ type: 'sphere', radius: 0 });

/** Hulls take long to make. */
const madeShapes = new WeakMap<ShapeDescription, OracleShape>();

let gpu: Tester;

beforeAll(async () => {
  gpu = await createTester({ backend: 'webgpu' });
});

afterAll(() => gpu?.dispose());

function heightOf(shape: ShapeDescription, pose: HalfspacePair['poseA'], point: ArrayLike<number>): number {
  if (['cylinder', 'cone', 'ellipsoid'].includes(shape.type)) return offSurface(shape, pose, point);
  const made = madeShapes.get(shape) ?? oracleShape(shape);
  madeShapes.set(shape, made);
  return signedDistance(made, pose, POINT, { position: point, quaternion: [0, 0, 0, 1] }).distance;
}

function faultsOf(shapes: readonly ShapeDescription[], pairs: readonly HalfspacePair[], found: Contacts): string[] {
  return pairs.flatMap((pair) => {
    const { index, isFirst, shapeA, shapeB, poseA, poseB, distance: truth, normal } = pair;
    const t = TOLERANCE * pair.size;
    const wrong: string[] = [];
    const [n, p, q] = [found.normal, found.pointA, found.pointB].map((array) =>
      array.subarray(3 * index, 3 * index + 3),
    );
    const rounding =
      2 *
      F32_ROUNDING *
      [p, q, poseA.position, poseB.position].reduce((sum, v) => sum + Math.hypot(v[0], v[1], v[2]), 0);
    const distance = found.distance[index];
    if (!(Math.abs(distance - truth) <= t)) wrong.push(`distance ${distance}, true ${truth}`);
    if (Math.abs(truth) > t && (found.status[index] === Status.Overlapping) !== truth < 0)
      wrong.push(`status ${found.status[index]} at ${truth}`);
    if (!(found.lower![index] <= truth && truth <= found.upper![index]))
      wrong.push(`bounds ${found.lower![index]}, ${found.upper![index]} of ${truth}`);
    if (!(Math.hypot(...normal.map((x, k) => x - n[k])) < 2e-6)) wrong.push(`normal ${n}, true ${normal}`);
    const leap = Math.hypot(...[0, 1, 2].map((k) => q[k] - p[k] - distance * n[k]));
    if (!(leap <= t + rounding)) wrong.push(`points ${leap} off the normal`);
    const [bounded, pose, point] = isFirst ? [shapeB, poseB, q] : [shapeA, poseA, p];
    const height = heightOf(shapes[bounded], pose, point);
    if (!(Math.abs(height) <= t + rounding)) wrong.push(`the point is ${height} off its surface`);
    if ((isFirst ? found.featureA : found.featureB)[index] !== FACE)
      wrong.push(`features ${found.featureA[index]}, ${found.featureB[index]}`);
    if (found.iterations[index] !== 1) wrong.push(`${found.iterations[index]} iterations`);
    return wrong.map((fault) => `seed ${SEED}, pair ${index}, ${shapes[isFirst ? shapeB : shapeA].type}: ${fault}`);
  });
}

/** Each type has kernels of its own. In CI the contacts of all are asked for in one call, below. */
describe.each(atNight<readonly (typeof boundedTypes)[number][]>(['box', 'cylinder'], boundedTypes))('%s', (type) => {
  const family = makeHalfspaceFamily(type, PAIRS, SEED);
  const pairs = halfspacePairs(family);

  beforeAll(() => useShapes(gpu, family.shapes));

  test.each(['auto', 'gjk'] as const)(
    'contacts by %s have the distance, the normal and witness points of the lowest point',
    async (algorithm) => {
      const found = await gpu.contacts(family.bodies, family.pairs, { margin: Infinity, bounds: true, algorithm });
      expect(summary(faultsOf(family.shapes, pairs, found))).toEqual([]);
      expect(Math.min(found.statusCounts[0], found.statusCounts[1])).toBeGreaterThan(0.3 * PAIRS);
    },
  );

  test('distances have zeros for pairs that overlap, intersects has the hits of the margin', async () => {
    const distances = await gpu.distances(family.bodies, family.pairs);
    const intersections = await gpu.intersects(family.bodies, family.pairs, { margin: 0.125 });
    const faults = pairs.filter((pair) => {
      const { index, distance: truth } = pair;
      const t = TOLERANCE * pair.size;
      const isHit = Math.abs(truth - 0.125) <= t || (intersections.hit[index] === 1) === truth < 0.125;
      if (Math.abs(truth) <= t) return !isHit;
      const distance = distances.distance[index];
      const isZero = distance === 0 && distances.normal.subarray(3 * index, 3 * index + 3).every((x) => x === 0);
      return !(
        isHit &&
        (truth > 0 ? Math.abs(distance - truth) <= t : isZero) &&
        (intersections.status[index] === Status.Overlapping) === truth < 0
      );
    });
    expect(faults.map(({ index }) => index)).toEqual([]);
  });
});

describe('all types at once', () => {
  const families = boundedTypes.map((type) => makeHalfspaceFamily(type, 500, SEED + 1));
  const shapes = families.flatMap((family) => family.shapes);
  const first = families.map((_, i) => families.slice(0, i).reduce((sum, family) => sum + family.shapes.length, 0));
  const joined = <Field extends 'positions' | 'quaternions' | 'scales'>(field: Field): Float32Array =>
    Float32Array.from(families.flatMap((family) => Array.from(family.bodies[field]!)));
  const bodies = {
    shapes: Uint32Array.from(
      families.flatMap((family, i) => Array.from(family.bodies.shapes, (shape) => shape + first[i])),
    ),
    positions: joined('positions'),
    quaternions: joined('quaternions'),
    scales: joined('scales'),
  };
  const pairs = Uint32Array.from({ length: bodies.shapes.length }, (_, i) => i);
  const expected = families.flatMap((family, i) =>
    halfspacePairs(family).map((pair) => ({
      ...pair,
      index: pair.index + 500 * i,
      shapeA: pair.shapeA + first[i],
      shapeB: pair.shapeB + first[i],
    })),
  );

  test('contacts are right in one call, with 64-bit positions, too', async () => {
    useShapes(gpu, shapes);
    for (const positions of [bodies.positions, Float64Array.from(bodies.positions)]) {
      const found = await gpu.contacts({ ...bodies, positions }, pairs, { margin: Infinity, bounds: true });
      expect(summary(faultsOf(shapes, expected, found))).toEqual([]);
    }
  });

  test('half-spaces beside other pairs change nothing for these', async () => {
    const some: ShapeDescription[] = [
      { type: 'box', halfExtents: [1, 1, 1] },
      { type: 'hull', points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1] },
      { type: 'halfspace', normal: [0, 1, 0], offset: 0 },
    ];
    useShapes(gpu, some);
    const three = {
      shapes: Uint32Array.of(0, 1, 2),
      positions: Float32Array.of(0, 0.5, 0, 0.5, 1, 0, 0, 0, 0),
      quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
    };
    const alone = await gpu.contacts(three, Uint32Array.of(0, 1, 1, 0));
    const mixed = await gpu.contacts(three, Uint32Array.of(0, 1, 0, 2, 2, 1, 1, 0), { margin: 1 });
    expect([mixed.distance[0], mixed.distance[3]]).toEqual([...alone.distance]);
    expect([mixed.featureA[0], mixed.featureB[3]]).toEqual([alone.featureA[0], alone.featureB[1]]);
    expect([mixed.distance[1], mixed.distance[2]]).toEqual([-0.5, 1]);
    expect([mixed.featureB[1], mixed.featureA[2]]).toEqual([FACE, FACE]);
    expect([...mixed.iterations.subarray(1, 3)]).toEqual([1, 1]);
  });
});

describe('two half-spaces', () => {
  const shapes: ShapeDescription[] = [
    { type: 'halfspace', normal: [0, 1, 0], offset: 0 },
    { type: 'sphere', radius: 1 },
    { type: 'halfspace', normal: [1, 0, 0], offset: 1 },
  ];
  const bodies = {
    shapes: Uint32Array.of(0, 1, 2),
    positions: Float32Array.of(0, 0, 0, 4, 3, 0, 0, 0, 0),
    quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
  };

  test('are refused by name', async () => {
    useShapes(gpu, shapes);
    for (const query of ['contacts', 'distances', 'intersects'] as const) {
      const refusal = gpu[query](bodies, Uint32Array.of(0, 1, 2, 0) as never);
      await expect(refusal).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringMatching(/^pairs\[3\] is 0, expected a body with a bounded shape/),
      });
    }
  });

  test.each(['auto', 'gjk'] as const)(
    'are InvalidInput in a batch by %s, and the other pairs have their answers',
    async (algorithm) => {
      useShapes(gpu, shapes);
      const pairs = Uint32Array.of(0, 1, 2, 0, 1, 2, 0, 0);
      for (const query of ['contacts', 'distances', 'intersects'] as const) {
        const batch = await gpu.createBatch({ query, maxBodies: 3, maxPairs: 4, margin: 10, algorithm });
        const found = await frame(batch as never, { bodies, pairs });
        expect(Array.from((found as Contacts).status), query).toEqual([
          Status.Separated,
          Status.InvalidInput,
          Status.Separated,
          Status.InvalidInput,
        ]);
        if (query !== 'intersects') expect(Array.from((found as Contacts).distance)).toEqual([2, 0, 2, 0]);
        (batch as { dispose(): void }).dispose();
      }
    },
  );

  test('alone in a batch are InvalidInput', async () => {
    useShapes(gpu, [shapes[0]]);
    const batch = await gpu.createBatch({ query: 'contacts', maxBodies: 2, maxPairs: 1 });
    batch.write({
      bodies: {
        shapes: Uint32Array.of(0, 0),
        positions: new Float32Array(6),
        quaternions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1),
      },
      pairs: Uint32Array.of(0, 1),
    });
    submit(batch);
    expect(Array.from((await batch.read()).status)).toEqual([Status.InvalidInput]);
    batch.dispose();
  });
});
