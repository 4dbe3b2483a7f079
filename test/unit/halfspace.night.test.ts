/** Half-spaces against every bounded shape in the reference, judged by the least height of the shape over the plane. */

import { describe, expect, test } from 'vitest';
import { contact, createShape, distance, intersects, Status, type CpuOptions, type CpuPose } from '../../src/cpu.ts';
import { makeShapeData } from '../../src/shapes/shape-data.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { TOLERANCE as TOLERANCES } from '../../src/shapes/tolerances.ts';
import {
  boundedTypes,
  depth,
  halfspacePairs,
  makeHalfspaceFamily,
  offSurface,
} from '../../verification/families/halfspaces.ts';
import { oracleShape, signedDistance } from '../../verification/oracle/index.ts';
import { unitVector, createRandom } from '../../verification/families/random.ts';
import { summary } from '../../verification/families/test-pairs.ts';
import type { Vector } from '../../verification/oracle/shape.ts';

const { reference: TOLERANCE } = TOLERANCES;
const SEED = 20_261_207;
const PAIRS = 1500;
const FACE = 3 * 2 ** 30;
const POINT = oracleShape({ type: 'sphere', radius: 0 });

function heightOf(shape: ShapeDescription, pose: CpuPose, point: ArrayLike<number>): number {
  if (['cylinder', 'cone', 'ellipsoid'].includes(shape.type)) return offSurface(shape, pose, point);
  return signedDistance(oracleShape(shape), pose, POINT, { position: point, quaternion: [0, 0, 0, 1] }).distance;
}

describe.each(boundedTypes)('%s', (type) => {
  const family = makeHalfspaceFamily(type, PAIRS, SEED);
  // Half-spaces are rounded like the testers' shapes.
  const shapes = family.shapes.map((shape) => makeShapeData(shape));
  const pairs = halfspacePairs(family);

  test.each(['auto', 'gjk'] as const)(
    'contacts by %s have the distance, the normal and witness points of the lowest point',
    (algorithm) => {
      const statuses = [0, 0, 0, 0, 0];
      const faults = pairs.flatMap(
        ({ index, isFirst, shapeA, shapeB, poseA, poseB, distance: truth, normal, size }) => {
          const found = contact(shapes[shapeA], poseA, shapes[shapeB], poseB, { margin: Infinity, algorithm });
          statuses[found.status]++;
          const t = TOLERANCE * size;
          const wrong: string[] = [];
          if (!(Math.abs(found.distance - truth) <= t)) wrong.push(`distance ${found.distance}, true ${truth}`);
          if (Math.abs(truth) > t && (found.status === Status.Overlapping) !== truth < 0)
            wrong.push(`status ${found.status} at ${truth}`);
          if (!(
            found.lower <= truth + 1e-13 * size &&
            truth <= found.upper + 1e-13 * size &&
            found.upper - found.lower <= 2 * t
          ))
            wrong.push(`bounds ${found.lower}, ${found.upper} of ${truth}`);
          if (!(Math.hypot(...normal.map((x, k) => x - found.normal[k])) < 1e-12))
            wrong.push(`normal ${found.normal}, true ${normal}`);
          const leap = Math.hypot(
            ...[0, 1, 2].map((k) => found.pointB[k] - found.pointA[k] - found.distance * found.normal[k]),
          );
          if (!(leap <= t)) wrong.push(`points ${leap} off the normal`);
          const [bounded, pose, point] = isFirst ? [shapeB, poseB, found.pointB] : [shapeA, poseA, found.pointA];
          if (!(Math.abs(heightOf(family.shapes[bounded], pose, point)) <= t))
            wrong.push(`the point is ${heightOf(family.shapes[bounded], pose, point)} off its surface`);
          if ((isFirst ? found.featureA : found.featureB) !== FACE)
            wrong.push(`features ${found.featureA}, ${found.featureB}`);
          if (found.iterations !== 1) wrong.push(`${found.iterations} iterations`);
          return wrong.map((fault) => `${type}, seed ${SEED}, pair ${index}: ${fault}`);
        },
      );
      expect(summary(faults)).toEqual([]);
      expect(Math.min(statuses[0], statuses[1])).toBeGreaterThan(0.3 * PAIRS);
    },
  );

  test('distances have zeros for pairs that overlap, intersects has the hits of the margin', () => {
    const faults = pairs.flatMap(({ index, shapeA, shapeB, poseA, poseB, distance: truth, size }) => {
      const t = TOLERANCE * size;
      if (Math.abs(truth) <= t) return [];
      const found = distance(shapes[shapeA], poseA, shapes[shapeB], poseB);
      const isRight =
        truth > 0
          ? Math.abs(found.distance - truth) <= t
          : found.distance === 0 && Math.hypot(...found.normal, ...found.pointA, ...found.pointB) === 0;
      const { hit, status } = intersects(shapes[shapeA], poseA, shapes[shapeB], poseB, { margin: 0.125 });
      const isHit = Math.abs(truth - 0.125) <= t || hit === truth < 0.125;
      return isRight && isHit && (status === Status.Overlapping) === truth < 0
        ? []
        : [`${type}, seed ${SEED}, pair ${index}: ${found.distance}, hit ${hit}, true ${truth}`];
    });
    expect(summary(faults)).toEqual([]);
  });
});

const UPRIGHT: CpuPose = { position: [0, 0, 0], quaternion: [0, 0, 0, 1] };
const FLOOR = createShape({ type: 'halfspace', normal: [0, 2, 0], offset: -1 });

function overFloor(
  shape: ShapeDescription,
  position: readonly number[],
  quaternion: readonly number[] = [0, 0, 0, 1],
  options: CpuOptions = { margin: Infinity },
) {
  return contact(FLOOR, UPRIGHT, createShape(shape), { position, quaternion }, options);
}

const SIDEWAYS = [0, 0, Math.SQRT1_2, Math.SQRT1_2];

test.each([
  ['a cylinder upright', { type: 'cylinder', halfHeight: 2, radius: 1 }, [0, 3, 0], [0, 0, 0, 1], 2],
  ['a cylinder on its side', { type: 'cylinder', halfHeight: 2, radius: 1 }, [0, 3, 0], SIDEWAYS, 3],
  ['a cone on its base', { type: 'cone', halfHeight: 2, radius: 1 }, [0, 3, 0], [0, 0, 0, 1], 2],
  ['a cone on its apex', { type: 'cone', halfHeight: 2, radius: 1 }, [0, 3, 0], [1, 0, 0, 0], 2],
  ['an ellipsoid', { type: 'ellipsoid', radii: [1, 2, 3] }, [0, 3, 0], SIDEWAYS, 3],
  ['a flat ellipsoid', { type: 'ellipsoid', radii: [1, 0, 3] }, [0, 3, 0], [0, 0, 0, 1], 4],
  ['a disc in the floor', { type: 'cylinder', halfHeight: 0, radius: 1 }, [5, -1, 0], [0, 0, 0, 1], 0],
  ['a box deep below', { type: 'box', halfExtents: [1, 1, 1], radius: 0.5 }, [0, -9, 0], [0, 0, 0, 1], -9.5],
] as const)('%s over a floor', (_, shape, position, quaternion, expected) => {
  const found = overFloor(shape as ShapeDescription, position, quaternion);
  expect(found.distance).toBeCloseTo(expected, 14);
  expect(found.normal).toEqual([0, 1, 0]);
  expect(found.pointA[1]).toBeCloseTo(-1, 14);
  expect(found.pointB[1]).toBeCloseTo(expected - 1, 14);
});

test('the heights that judge curved shapes are those of their lowest points', () => {
  const random = createRandom(SEED);
  for (let i = 0; i < 200; i++) {
    const [x, y, z] = unitVector(random, [0, 0, 0]);
    const down: Vector = [x, y, z];
    const [u, v, w] = unitVector(random, [0, 0, 0]);
    const flat = Math.hypot(u, w);
    const most = (shape: ShapeDescription, point: readonly number[]) =>
      expect(point[0] * x + point[1] * y + point[2] * z).toBeLessThanOrEqual(depth(shape, down) + 1e-12);
    most({ type: 'ellipsoid', radii: [1, 2, 3] }, [u, 2 * v, 3 * w]);
    most({ type: 'cylinder', radius: 2, halfHeight: 1 }, [(2 * u) / flat, Math.sign(v), (2 * w) / flat]);
    most({ type: 'cone', radius: 2, halfHeight: 1 }, [(u / flat) * (1 - v), v, (w / flat) * (1 - v)]);
  }
});

test('margins leave pairs early, with a lower bound and the normal of the plane', () => {
  const found = overFloor({ type: 'sphere', radius: 1 }, [0, 5, 0], [0, 0, 0, 1], {});
  expect(found).toMatchObject({
    status: Status.Separated,
    hit: false,
    distance: 5,
    normal: [0, 1, 0],
    pointA: [0, 0, 0],
    pointB: [0, 0, 0],
  });
  expect(found.lower).toBeLessThanOrEqual(5);
  expect(found.upper).toBeGreaterThanOrEqual(5);
});

test('a plane far from its body keeps margins and bounds', () => {
  const far = createShape({ type: 'halfspace', normal: [0, 1, 0], offset: -1e6 });
  const ball = createShape({ type: 'sphere', radius: 1 });
  const found = contact(far, UPRIGHT, ball, UPRIGHT, { margin: Infinity });
  expect(found.distance).toBe(999_999);
  expect(found.lower <= 999_999 && found.upper >= 999_999).toBe(true);
  expect(contact(far, UPRIGHT, ball, { position: [0, -1e6, 0], quaternion: [0, 0, 0, 1] }).distance).toBe(-1);
});

test('two half-spaces are refused, and so is sat', () => {
  expect(() => contact(FLOOR, UPRIGHT, FLOOR, UPRIGHT)).toThrow(/^b is .*, expected a bounded shape/);
  expect(() =>
    overFloor({ type: 'box', halfExtents: [1, 1, 1] }, [0, 0, 0], [0, 0, 0, 1], { algorithm: 'sat' }),
  ).toThrow(/options.algorithm/);
});
