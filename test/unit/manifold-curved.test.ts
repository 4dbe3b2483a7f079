/** Contact faces of curved shapes and half-spaces, for contacts that are known. */

import { describe, expect, test } from 'vitest';
import { createShape, type CpuShape } from '../../src/cpu.ts';
import { vec3 } from '../../src/cpu/math.ts';
import { createPair, makePair } from '../../src/cpu/pair.ts';
import { manifoldOfContact } from '../../src/cpu/queries/manifolds.ts';
import { createPairResult } from '../../src/cpu/queries/result.ts';

interface Placed {
  shape: CpuShape;
  position: number[];
  quaternion: number[];
}

const UPRIGHT = [0, 0, 0, 1];
const SIDEWAYS = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
const MARGIN = 0.01;
const DEPTH = 0.001;

function placed(shape: CpuShape, position: number[], quaternion = UPRIGHT): Placed {
  return { shape, position, quaternion };
}

interface Point {
  onA: number[];
  onB: number[];
  distance: number;
  feature: number;
}

/** Points of a contact with this normal and A's point; all in world axes. */
function pointsOf(a: Placed, b: Placed, normal: number[], pointA: number[], distance = -DEPTH): Point[] {
  const between = b.position.map((x, k) => x - a.position[k]);
  const pair = makePair(
    a.shape,
    { scale: 1, quaternion: a.quaternion },
    b.shape,
    { scale: 1, quaternion: b.quaternion },
    vec3(...between),
    createPair(),
  );
  const to = createPairResult();
  Object.assign(to, {
    normal: vec3(...normal),
    pointA: vec3(...pointA.map((x, k) => x - a.position[k])),
    distance,
    hit: true,
    hasPoints: true,
  });
  const { pointCount, positions, distances, features } = manifoldOfContact(pair, a.shape, b.shape, MARGIN, to);
  return Array.from({ length: pointCount }, (_, i) => {
    const onA = a.position.map((x, k) => x + positions[3 * i + k]);
    return { onA, onB: onA.map((x, k) => x + distances[i] * normal[k]), distance: distances[i], feature: features[i] };
  });
}

const UP = [0, 1, 0];
const box = placed(createShape({ type: 'box', halfExtents: [5, 1, 5] }), [0, -1, 0]);
const ground = placed(createShape({ type: 'halfspace', normal: [0, 2, 0], offset: -3 }), [7, 3, 5]);
const cylinder = createShape({ type: 'cylinder', radius: 0.5, halfHeight: 1 });
const cone = createShape({ type: 'cone', radius: 0.5, halfHeight: 1 });

function sorted(values: number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

describe.each([
  ['a box', box],
  ['a half-space', ground],
] as const)('on %s', (_, floor) => {
  test('a standing cylinder has four points of its rim', () => {
    const points = pointsOf(floor, placed(cylinder, [0.2, 1 - DEPTH, 0.1], [0, 0.3, 0, 0.954]), UP, [0.2, 0, 0.1]);
    expect(points.length).toBe(4);
    for (const {
      onB: [x, y, z],
      distance,
    } of points) {
      expect(Math.hypot(x - 0.2, z - 0.1)).toBeCloseTo(0.5, 12);
      expect([y, distance]).toEqual([expect.closeTo(-DEPTH, 12), expect.closeTo(-DEPTH, 12)]);
    }
    // A square in the circle.
    for (const { onB } of points)
      expect(Math.max(...points.map((other) => Math.hypot(...onB.map((x, k) => x - other.onB[k]))))).toBeCloseTo(1, 9);
  });

  test('a lying cylinder has both ends of a line', () => {
    const points = pointsOf(floor, placed(cylinder, [0.2, 0.5 - DEPTH, 0.1], SIDEWAYS), UP, [0.2, 0, 0.1]);
    expect(sorted(points.map(({ onB }) => onB[0]))).toEqual([expect.closeTo(-0.8, 12), expect.closeTo(1.2, 12)]);
    for (const { onB, distance } of points)
      expect([onB[1], onB[2], distance]).toEqual([
        expect.closeTo(-DEPTH, 12),
        expect.closeTo(0.1, 12),
        expect.closeTo(-DEPTH, 12),
      ]);
  });

  test('a cylinder on its rim has that point, wherever around it', () => {
    const tilt = 0.3;
    // Turned about its axis first, so that none of the rim's fixed points is the lowest.
    const [s, c, t, d] = [Math.sin(tilt / 2), Math.cos(tilt / 2), Math.sin(0.15), Math.cos(0.15)];
    const half = [s * d, c * t, s * t, c * d];
    const height = Math.cos(tilt) + 0.5 * Math.sin(tilt);
    const points = pointsOf(floor, placed(cylinder, [0, height - DEPTH, 0], half), UP, [0, 0, 0]);
    expect(points[0].distance).toBeCloseTo(-DEPTH, 12);
    expect(points[0].feature).toBe(0x6000_0000 + 19);
  });

  test('a cone stands on four points and lies on two', () => {
    const standing = pointsOf(floor, placed(cone, [0, 1 - DEPTH, 0]), UP, [0, 0, 0]);
    expect(standing.length).toBe(4);
    for (const {
      onB: [x, , z],
    } of standing)
      expect(Math.hypot(x, z)).toBeCloseTo(0.5, 12);
    // Turned about z until the side line is level: the axis drops by half the angle at the apex.
    const angle = -Math.PI / 2 - Math.atan(0.25);
    const turn = [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
    const height = Math.sin(Math.atan(0.25));
    const lying = pointsOf(floor, placed(cone, [0, height - DEPTH, 0], turn), UP, [0, 0, 0]);
    expect(lying.length).toBe(2);
    for (const { onB, distance } of lying)
      expect([onB[1], distance]).toEqual([expect.closeTo(-DEPTH, 12), expect.closeTo(-DEPTH, 12)]);
    expect(sorted(lying.map(({ feature }) => feature & 31))).toEqual([16, 17]);
    const [a, b] = lying.map(({ onB }) => onB);
    expect(Math.hypot(...a.map((x, k) => x - b[k]))).toBeCloseTo(Math.hypot(2, 0.5), 12);
  });

  test('an ellipsoid has one point', () => {
    const points = pointsOf(
      floor,
      placed(createShape({ type: 'ellipsoid', radii: [1, 0.5, 0.25] }), [0.3, 0.5 - DEPTH, 0]),
      UP,
      [0.3, 0, 0],
    );
    expect(points).toEqual([
      {
        onA: [expect.closeTo(0.3, 12), expect.closeTo(0, 12), expect.closeTo(0, 12)],
        onB: [expect.closeTo(0.3, 12), expect.closeTo(-DEPTH, 12), expect.closeTo(0, 12)],
        distance: expect.closeTo(-DEPTH, 12),
        feature: 0x6000_0000,
      },
    ]);
  });

  test('a cube, a capsule and a hull have what they have on a box, on either side', () => {
    const shapes = [
      [createShape({ type: 'box', halfExtents: [0.5, 0.5, 0.5] }), UPRIGHT, 0.5, 4],
      [createShape({ type: 'capsule', halfHeight: 1, radius: 0.25 }), SIDEWAYS, 0.25, 2],
      [createShape({ type: 'hull', points: [0, 1, 0, 1, -0.5, 0, -1, -0.5, 1, -1, -0.5, -1] }), UPRIGHT, 0.5, 3],
      [createShape({ type: 'box', halfExtents: [0.4, 0.4, 0.4], radius: 0.1 }), UPRIGHT, 0.5, 4],
    ] as const;
    for (const [shape, quaternion, height, count] of shapes) {
      const other = placed(shape, [0, height - DEPTH, 0], [...quaternion]);
      const below = pointsOf(floor, other, UP, [0, 0, 0]);
      const above = pointsOf(other, floor, [0, -1, 0], [0, -DEPTH, 0]);
      expect([below.length, above.length]).toEqual([count, count]);
      for (const { onA, onB } of below)
        expect([onA[1], onB[1]]).toEqual([expect.closeTo(0, 12), expect.closeTo(-DEPTH, 12)]);
      for (const { onA, onB } of above)
        expect([onA[1], onB[1]]).toEqual([expect.closeTo(-DEPTH, 12), expect.closeTo(0, 12)]);
      expect(sorted(above.map(({ onA }) => onA[0] + 10 * onA[2]))).toEqual(
        sorted(below.map(({ onB }) => onB[0] + 10 * onB[2])).map((x) => expect.closeTo(x, 9)),
      );
    }
  });
});

test('cylinders side by side have the ends of where they overlap', () => {
  const [a, b] = [placed(cylinder, [0, 0, 0]), placed(cylinder, [0.999, 0.5, 0])];
  const points = pointsOf(a, b, [1, 0, 0], [0.5, 0, 0]);
  expect(sorted(points.map(({ onA }) => onA[1]))).toEqual([expect.closeTo(-0.5, 12), expect.closeTo(1, 12)]);
  for (const { onA, onB } of points) {
    expect(Math.hypot(onA[0], onA[2])).toBeCloseTo(0.5, 12);
    expect(Math.hypot(onB[0] - 0.999, onB[2])).toBeCloseTo(0.5, 12);
  }
});
