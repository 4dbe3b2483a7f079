/**
 * The closed forms of the reference: sphere, capsule, box and triangle as far as they have one, against the oracle and
 * against GJK and EPA, on families full of ties and degenerate cases.
 */

import { describe, expect, test } from 'vitest';
import { hasFeature } from '../../verification/judges/features.ts';
import { contact, createShape, distance, intersects, Status, type CpuPose } from '../../src/cpu.ts';
import { hasClosedForm } from '../../src/request/closed-form.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { TOLERANCE as TOLERANCES } from '../../src/shapes/tolerances.ts';
import { boxRegion, closedFamilyNames, makeClosedFamily } from '../../verification/families/closed-families.ts';
import { judgeContact, signedDistance } from '../../verification/oracle/index.ts';
import { rotate, rotationMatrix } from '../../verification/oracle/shape.ts';
import { pairsOf, summary } from '../../verification/families/test-pairs.ts';

const { reference: TOLERANCE } = TOLERANCES;
const SEED = 20_261_205;
const PAIRS = 3000;

describe.each(closedFamilyNames)('%s', (name) => {
  const family = makeClosedFamily(name, PAIRS, SEED);
  const shapes = family.shapes.map((shape) => createShape(shape));
  const pairs = pairsOf(family);
  const label = (index: number): string => `${name}, seed ${SEED}, pair ${index}`;

  test('have a closed form, which takes one iteration', () => {
    const iterations = pairs.map(
      ({ shapeA, shapeB, poseA, poseB }) => contact(shapes[shapeA], poseA, shapes[shapeB], poseB).iterations,
    );
    expect(pairs.every(({ shapeA, shapeB }) => hasClosedForm(shapes[shapeA].kind, shapes[shapeB].kind))).toBe(true);
    expect(new Set(iterations)).toEqual(new Set([1]));
  });

  test.each([0, 0.05, Infinity])('contacts are those of the oracle, margin %s', (margin) => {
    const statuses = [0, 0, 0, 0, 0];
    const faults = pairs.flatMap(({ index, shapeA, shapeB, a, b, poseA, poseB }) => {
      const found = contact(shapes[shapeA], poseA, shapes[shapeB], poseB, { margin });
      statuses[found.status]++;
      const wrong = judgeContact(a, poseA, b, poseB, found, TOLERANCE, { points: 'f64', margin });
      if (found.upper - found.lower > 2 * TOLERANCE * Math.max(pairs[index].size, 1e-30))
        wrong.push(`bounds ${found.lower} and ${found.upper}`);
      const hasPoints = Math.hypot(...found.pointA, ...found.pointB) > 0;
      if (hasPoints && !(hasFeature(shapes[shapeA], found.featureA) && hasFeature(shapes[shapeB], found.featureB)))
        wrong.push(`features ${found.featureA}, ${found.featureB}`);
      return wrong.map((fault) => `${label(index)}: ${fault}`);
    });
    expect(summary(faults)).toEqual([]);
    expect(Math.min(statuses[0], statuses[1])).toBeGreaterThan(0.2 * PAIRS);
    expect(statuses.slice(2)).toEqual([0, 0, 0]);
  });

  test('GJK and EPA find the same distances', () => {
    const faults = pairs.flatMap(({ index, shapeA, shapeB, poseA, poseB, size }) => {
      const found = contact(shapes[shapeA], poseA, shapes[shapeB], poseB, { margin: Infinity });
      const expected = contact(shapes[shapeA], poseA, shapes[shapeB], poseB, { margin: Infinity, algorithm: 'gjk' });
      return Math.abs(found.distance - expected.distance) <= 2 * TOLERANCE * size
        ? []
        : [`${label(index)}: ${found.distance}, GJK ${expected.distance}`];
    });
    expect(summary(faults)).toEqual([]);
  });

  test('the shapes in the other order have the same distance, and the normal turned round where it is the only one', () => {
    let turned = 0;
    const faults = pairs.flatMap(({ index, shapeA, shapeB, a, b, poseA, poseB, size }) => {
      const found = contact(shapes[shapeA], poseA, shapes[shapeB], poseB, { margin: Infinity });
      const swapped = contact(shapes[shapeB], poseB, shapes[shapeA], poseA, { margin: Infinity });
      const wrong =
        Math.abs(found.distance - swapped.distance) <= 2 * TOLERANCE * size
          ? []
          : [`${label(index)}: ${found.distance}, swapped ${swapped.distance}`];
      // Cores that are apart have one normal.
      if (found.distance + a.radius + b.radius > 1e-3 * size) {
        turned++;
        if (Math.hypot(...found.normal.map((x, k) => x + swapped.normal[k])) > 1e-6)
          wrong.push(`${label(index)}: ${found.normal}, swapped ${swapped.normal}`);
      }
      return wrong;
    });
    expect(summary(faults)).toEqual([]);
    expect(turned).toBeGreaterThan(0.3 * PAIRS);
  });

  test('distances are right, and zeros for pairs that overlap', () => {
    const faults = pairs.flatMap(({ index, shapeA, shapeB, a, b, poseA, poseB }) => {
      const found = distance(shapes[shapeA], poseA, shapes[shapeB], poseB);
      const wrong = judgeContact(a, poseA, b, poseB, found, TOLERANCE, { query: 'distances', points: 'f64' });
      if (found.iterations !== 1) wrong.push(`${found.iterations} iterations`);
      return wrong.map((fault) => `${label(index)}: ${fault}`);
    });
    expect(summary(faults)).toEqual([]);
  });

  test.each([0, 0.05])('intersects knows status and hits, margin %s', (margin) => {
    const faults = pairs.flatMap(({ index, shapeA, shapeB, a, b, poseA, poseB, size }) => {
      const { status, hit } = intersects(shapes[shapeA], poseA, shapes[shapeB], poseB, { margin });
      const truth = signedDistance(a, poseA, b, poseB).distance;
      const isWrong =
        (Math.abs(truth) > TOLERANCE * size && (status === Status.Overlapping) !== truth < 0) ||
        (Math.abs(truth - margin) > TOLERANCE * size && hit !== truth < margin);
      return isWrong ? [`${label(index)}: status ${status}, hit ${hit}, true distance ${truth}`] : [];
    });
    expect(summary(faults)).toEqual([]);
  });
});

test('all 27 regions of the box are reached, and spheres of which the centre is inside', () => {
  const family = makeClosedFamily('sphere-box', PAIRS, SEED);
  const counts = Array.from({ length: 27 }, () => 0);
  for (let i = 0; i < PAIRS; i++) counts[boxRegion(family, i)]++;
  expect(Math.min(...counts)).toBeGreaterThan(PAIRS / 100);
});

const UPRIGHT: CpuPose = { position: [0, 0, 0], quaternion: [0, 0, 0, 1] };

/** A contact of shapes at the origin, B's position and turn as given. */
function contactAt(
  a: ShapeDescription,
  b: ShapeDescription,
  position: readonly number[],
  quaternion: readonly number[] = [0, 0, 0, 1],
) {
  return contact(createShape(a), UPRIGHT, createShape(b), { position, quaternion }, { margin: Infinity });
}

const [VERTEX, EDGE, FACE] = [1, 2, 3].map((kind) => kind * 2 ** 30);

describe('capsules', () => {
  const capsule = { type: 'capsule', halfHeight: 1, radius: 0.25 } as const;
  const SIDEWAYS = [0, 0, Math.SQRT1_2, Math.SQRT1_2];

  test('whose axes cross are as deep as both radii, along the normal of both axes', () => {
    for (const [height, across] of [
      [0, 0],
      [0.5, 0.25],
      [1, 0.5],
      [-1, -1],
    ]) {
      const { distance: depth, normal } = contactAt(capsule, capsule, [across, height, 0], SIDEWAYS);
      expect(depth).toBeCloseTo(-0.5, 14);
      expect(normal.map((x) => Math.abs(x))).toEqual([0, 0, 1]);
    }
  });

  test('in one place, and on one axis, are as deep as both radii, across the axis', () => {
    for (const height of [0, 0.5, 2]) {
      const { distance: depth, normal } = contactAt(capsule, capsule, [0, height, 0]);
      expect(depth).toBe(-0.5);
      expect(normal[1]).toBe(0);
    }
  });

  test('side by side meet in the middle of what faces the other, along their edges', () => {
    const found = contactAt(capsule, capsule, [2, 0.5, 0]);
    expect(found).toMatchObject({
      distance: 1.5,
      normal: [1, 0, 0],
      pointA: [0.25, 0.25, 0],
      pointB: [1.75, 0.25, 0],
      featureA: EDGE,
      featureB: EDGE,
    });
  });

  test('end to end meet at their ends', () => {
    const found = contactAt(capsule, capsule, [0, 3, 0]);
    expect(found).toMatchObject({
      distance: 0.5,
      normal: [0, 1, 0],
      pointA: [0, 1.25, 0],
      pointB: [0, 1.75, 0],
      featureA: VERTEX + 1,
      featureB: VERTEX,
    });
  });

  test('of no length are spheres', () => {
    const point = { type: 'capsule', halfHeight: 0, radius: 0.25 } as const;
    expect(contactAt(point, point, [0, 0, 2])).toMatchObject({ distance: 1.5, normal: [0, 0, 1] });
    expect(contactAt(point, point, [0, 0, 0]).distance).toBe(-0.5);
    const { distance: depth, normal } = contactAt(capsule, point, [0, 0.5, 0]);
    expect([depth, normal[1]]).toEqual([-0.5, 0]);
  });

  test('that hardly cross have their normal across both axes, however small the gap is', () => {
    const q = [0.1, 0.2, 0.3, 0.9];
    const axis = rotate(rotationMatrix(q), [0, 1, 0]);
    const sine = Math.hypot(axis[0], axis[2]);
    const across = [axis[2] / sine, 0, -axis[0] / sine];
    for (let gap = 1; gap > 1e-15; gap /= 10) {
      const { distance: found, normal } = contactAt(
        capsule,
        capsule,
        across.map((x) => x * gap),
        q,
      );
      expect(found).toBeCloseTo(gap - 0.5, 14);
      expect(
        Math.abs(normal[0] * axis[0] + normal[1] * axis[1] + normal[2] * axis[2]) + Math.abs(normal[1]),
      ).toBeLessThan(1e-15);
    }
  });
});

describe('a sphere and a box', () => {
  const box = { type: 'box', halfExtents: [1, 2, 3], radius: 0.5 } as const;
  const ball = { type: 'sphere', radius: 0.25 } as const;

  test.each([
    [[0.9, 0, 0], -0.85, [1, 0, 0]],
    [[-0.5, 0, 2.75], -1, [0, 0, 1]],
    [[0, -1.5, 0], -1.25, [0, -1, 0]],
    [[0, 0, 0], -1.75, [1, 0, 0]],
    [[1, 0, 0], -0.75, [1, 0, 0]],
    [[0, 0, -3], -0.75, [0, 0, -1]],
    [[4, 0, 0], 2.25, [1, 0, 0]],
  ])('whose centre is at %j: distance %d along %j', (centre, expected, normal) => {
    const found = contactAt(box, ball, centre);
    expect(found.distance).toBeCloseTo(expected, 15);
    expect(found.normal).toEqual(normal);
    const swapped = contact(
      createShape(ball),
      { position: centre, quaternion: [0, 0, 0, 1] },
      createShape(box),
      UPRIGHT,
      { margin: Infinity },
    );
    expect(swapped.distance).toBe(found.distance);
    expect(swapped.normal.map((x) => -x + 0)).toEqual(normal);
  });

  test('off a corner are as far apart as the corner is, not its planes', () => {
    const found = contactAt(box, ball, [4, 6, 15]);
    expect(found.distance).toBeCloseTo(13 - 0.75, 14);
    expect(found.featureA).toBe(VERTEX + 7);
    expect(found.normal.map((x) => x * 13)).toEqual([3, 4, 12].map((x) => expect.closeTo(x, 12)));
  });

  test('off an edge and a face have these as features', () => {
    expect(contactAt(box, ball, [2, 3, 0]).featureA).toBe(EDGE + 8 + 3);
    expect(contactAt(box, ball, [0, 0, -4]).featureA).toBe(FACE + 4);
  });
});

describe('a sphere and a triangle', () => {
  const triangle = { type: 'triangle', points: [-1, -1, 0, 1, -1, 0, 0, 1, 0], radius: 0.5 } as const;
  const ball = { type: 'sphere', radius: 0.25 } as const;

  test.each([
    [0, 0, 0],
    [0, -1, 0],
    [-1, -1, 0],
    [0, 1, 0],
  ])(
    'whose centre is in the triangle at %d, %d, %d are as deep as the radii, along the normal of the plane',
    (...centre) => {
      const { distance: depth, normal } = contactAt(triangle, ball, centre);
      expect(depth).toBeCloseTo(-0.75, 15);
      expect(normal.map((x) => Math.abs(x))).toEqual([0, 0, 1]);
    },
  );

  test('whose centre is beside the triangle in its plane are apart in the plane', () => {
    for (const [y, gap] of [
      [-3, 1.25],
      [4, 2.25],
    ]) {
      const { distance: found, normal } = contactAt(triangle, ball, [0, y, 0]);
      expect([found, ...normal.map((x) => x + 0)]).toEqual([gap, 0, Math.sign(y), 0]);
    }
  });

  test('over and under it have the normal of its plane', () => {
    for (const height of [2, -2, 1e-3, -1e-9]) {
      const found = contactAt(triangle, ball, [0.1, 0.2, height]);
      expect(found.normal.map((x) => Math.round(x * 1e12) / 1e12 + 0)).toEqual([0, 0, Math.sign(height)]);
      expect(found.distance).toBeCloseTo(Math.abs(height) - 0.75, 14);
    }
  });

  test.each([
    ['a segment', [0, 0, 0, 2, 0, 0, 1, 0, 0], [1, 3, 0], 2.25],
    ['a segment of two corners in one place', [0, 0, 0, 0, 0, 0, 2, 0, 0], [5, 0, 0], 2.25],
    ['a point', [1, 1, 1, 1, 1, 1, 1, 1, 1], [1, 1, 4], 2.25],
    ['a point at the centre', [1, 1, 1, 1, 1, 1, 1, 1, 1], [1, 1, 1], -0.75],
    ['a segment through the centre', [0, 0, 0, 2, 0, 0, 1, 0, 0], [1, 0, 0], -0.75],
  ])('%s is answered, too', (_, points, centre, expected) => {
    const found = contactAt({ type: 'triangle', points, radius: 0.5 }, ball, centre);
    expect(found.distance).toBeCloseTo(expected, 14);
    expect(found.status).toBe(expected > 0 ? Status.Separated : Status.Overlapping);
    expect(Math.hypot(...found.normal)).toBeCloseTo(1, 14);
  });
});
