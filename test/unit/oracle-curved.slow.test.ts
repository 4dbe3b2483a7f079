/**
 * The oracle of cylinders, cones, ellipsoids and half-spaces against closed forms, against branch and bound without any
 * Newton step, and against itself.
 */

import { describe, expect, test } from 'vitest';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { makeShapePairFamily, poseOf, shapePairNames, type Family } from '../../verification/families/families.ts';
import {
  oracleError,
  oracleShape,
  pairSize,
  separation,
  signedDistance,
  supportValue,
  type OraclePose,
  type OracleShape,
} from '../../verification/oracle/index.ts';
import { rotate, rotationMatrix } from '../../verification/oracle/shape.ts';
import { createRandom, uniform, unitVector, type Random } from '../../verification/families/random.ts';
import { makeCurvedGridFamily } from '../../verification/families/grid.ts';
import { summary } from '../../verification/families/test-pairs.ts';
import { atNight } from '../helpers/night.ts';

/** Shares of max(s, |B - A|). */
const ROUNDING = 1e-13;
const PROVEN = 1.5e-9;
const BALLS = atNight(300, 1000);
const PAIRS = atNight(40, 200);
const GRID_PAIRS = atNight(400, 1500);

function at(x: number, y: number, z: number, quaternion: ArrayLike<number> = [0, 0, 0, 1], scale?: number): OraclePose {
  return { position: [x, y, z], quaternion, scale };
}

const HERE = at(0, 0, 0);
const LYING = [0, 0, Math.SQRT1_2, Math.SQRT1_2];

function cylinder(halfHeight: number, radius: number): OracleShape {
  return oracleShape({ type: 'cylinder', halfHeight, radius });
}

function cone(halfHeight: number, radius: number): OracleShape {
  return oracleShape({ type: 'cone', halfHeight, radius });
}

function ellipsoid(x: number, y: number, z: number): OracleShape {
  return oracleShape({ type: 'ellipsoid', radii: [x, y, z] });
}

function halfspace(normal: number[], offset: number): OracleShape {
  return oracleShape({ type: 'halfspace', normal, offset });
}

function sphere(radius: number): OracleShape {
  return oracleShape({ type: 'sphere', radius });
}

function box(x: number, y: number, z: number): OracleShape {
  return oracleShape({ type: 'box', halfExtents: [x, y, z] });
}

function distanceOf(a: OracleShape, poseA: OraclePose, b: OracleShape, poseB: OraclePose): number {
  return signedDistance(a, poseA, b, poseB).distance;
}

/**
 * Signed distance of the point (x, y), x being 0 or more, from a convex polygon symmetric about the y axis: its right
 * half, counter-clockwise.
 */
function fromProfile(corners: number[][], x: number, y: number): number {
  let outside = Infinity;
  let depth = Infinity;
  for (let i = 0; i + 1 < corners.length; i++) {
    const [[px, py], [qx, qy]] = [corners[i], corners[i + 1]];
    const length = Math.hypot(qx - px, qy - py);
    const [ux, uy] = [(qx - px) / length, (qy - py) / length];
    const along = Math.min(Math.max((x - px) * ux + (y - py) * uy, 0), length);
    outside = Math.min(outside, Math.hypot(x - px - along * ux, y - py - along * uy));
    depth = Math.min(depth, ux * (y - py) - uy * (x - px));
  }
  return depth >= 0 ? -depth : outside;
}

/**
 * Signed distance of a point off the planes of symmetry from an ellipsoid: the nearest point of the surface is
 * r² p / (t + r²) for the greatest root t of its equation (Eberly 2013, "Distance from a point to an ellipse, an
 * ellipsoid, or a hyperellipsoid"), which bisection finds.
 */
function fromEllipsoid(radii: number[], p: number[]): number {
  const level = (t: number): number => radii.reduce((sum, r, k) => sum + ((r * p[k]) / (t + r * r)) ** 2, -1);
  let low = -(Math.min(...radii) ** 2);
  let high = Math.max(...radii) * Math.hypot(...p);
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2;
    if (level(middle) > 0) low = middle;
    else high = middle;
  }
  const gap = Math.hypot(...p.map((x, k) => (x * high) / (high + radii[k] * radii[k])));
  return level(0) > 0 ? gap : -gap;
}

/** A random pose, and a point of its frame up to `reach` from the origin. */
function somewhere(random: Random, reach: number): [OraclePose, number[]] {
  const local = unitVector(random, [0, 0, 0]).map((x) => reach * random() * x);
  const quaternion = unitVector(random, [0, 0, 0, 0]);
  const position = unitVector(random, [0, 0, 0]);
  const scale = uniform(random, 0.5, 2);
  return [{ position, quaternion, scale }, local];
}

/** Where a point of the body's frame is in the world. */
function inWorld({ position, quaternion, scale = 1 }: OraclePose, local: number[]): number[] {
  return rotate(rotationMatrix(quaternion), local).map((x, k) => position[k] + scale * x);
}

describe('closed forms', () => {
  test('a ball and a cylinder or a cone: distance in the half plane through its centre', () => {
    const random = createRandom(31);
    let inside = 0;
    for (let i = 0; i < BALLS; i++) {
      const [h, r] = [uniform(random, 0.01, 1), uniform(random, 0.01, 1)];
      const [pose, local] = somewhere(random, i % 2 ? 1.5 * Math.min(h, r) : 3);
      const ball = uniform(random, 0, 0.5);
      const [x, y, z] = inWorld(pose, local);
      const centre = [Math.hypot(local[0], local[2]), local[1]] as const;
      const expected = [
        fromProfile(
          [
            [0, -h],
            [r, -h],
            [r, h],
            [0, h],
          ],
          ...centre,
        ),
        fromProfile(
          [
            [0, -h],
            [r, -h],
            [0, h],
          ],
          ...centre,
        ),
      ];
      [cylinder(h, r), cone(h, r)].forEach((shape, which) => {
        const wanted = pose.scale! * expected[which] - ball;
        expect(Math.abs(distanceOf(shape, pose, sphere(ball), at(x, y, z)) - wanted), `pair ${i}`).toBeLessThan(1e-9);
        expect(
          Math.abs(distanceOf(sphere(ball), at(x, y, z), shape, pose) - wanted),
          `pair ${i}, swapped`,
        ).toBeLessThan(1e-9);
        if (expected[which] < 0) inside++;
      });
    }
    expect(inside).toBeGreaterThan(BALLS / 5);
  });

  test('a ball and an ellipsoid: the nearest point of its surface', () => {
    const random = createRandom(32);
    let inside = 0;
    for (let i = 0; i < BALLS; i++) {
      const radii = [uniform(random, 0.05, 1), uniform(random, 0.05, 1), uniform(random, 0.05, 1)];
      const [pose, local] = somewhere(random, i % 2 ? Math.min(...radii) : 3);
      const [x, y, z] = inWorld(pose, local);
      const expected = fromEllipsoid(radii, local);
      const [rx, ry, rz] = radii;
      expect(
        Math.abs(distanceOf(ellipsoid(rx, ry, rz), pose, sphere(0.25), at(x, y, z)) - (pose.scale! * expected - 0.25)),
        `pair ${i}`,
      ).toBeLessThan(1e-9);
      if (expected < 0) inside++;
    }
    expect(inside).toBeGreaterThan(BALLS / 5);
  });

  test('an ellipsoid with equal half axes is a ball', () => {
    expect(ellipsoid(0.5, 0.5, 0.5)).toMatchObject({
      kind: 'polytope',
      dimension: 0,
      radius: 0.5,
      boundingRadius: 0.5,
    });
    expect(distanceOf(ellipsoid(0.5, 0.5, 0.5), HERE, cylinder(1, 0.25), at(2, 0, 0))).toBeCloseTo(1.25, 14);
  });

  test('cylinders: side by side, cap on cap, coaxial, crossed, one in the other', () => {
    const [a, b] = [cylinder(1, 0.5), cylinder(2, 0.25)];
    expect(distanceOf(a, HERE, b, at(3, 0.5, 0))).toBeCloseTo(2.25, 14);
    expect(distanceOf(a, HERE, b, at(0.25, 4, 0))).toBeCloseTo(1, 14);
    expect(distanceOf(a, HERE, b, HERE)).toBeCloseTo(-0.75, 12);
    expect(distanceOf(a, HERE, b, at(0, 0, 0.25))).toBeCloseTo(-0.5, 12);
    expect(distanceOf(a, HERE, b, at(0, 0, 0.25, LYING))).toBeCloseTo(-0.5, 12);
    expect(distanceOf(a, HERE, b, at(0, 2.75, 0))).toBeCloseTo(-0.25, 14);
    expect(distanceOf(a, HERE, b, at(0, 0, 2, LYING))).toBeCloseTo(1.25, 14);
    // Rim to rim, both axes in a plane.
    expect(distanceOf(a, HERE, cylinder(1, 0.5), at(1.3, 2.4, 0))).toBeCloseTo(0.5, 14);
  });

  test('cones: apex to apex, apex on a box, base on a base, point downwards into a cap', () => {
    const upsideDown = [1, 0, 0, 0];
    expect(distanceOf(cone(1, 0.5), HERE, cone(1, 0.5), at(0, 3, 0, upsideDown))).toBeCloseTo(1, 14);
    expect(distanceOf(cone(1, 0.5), HERE, box(1, 1, 1), at(0.25, 2.5, 0.25))).toBeCloseTo(0.5, 14);
    expect(distanceOf(cone(1, 0.5), at(0, 0, 0, upsideDown), cone(1, 0.5), at(0, 2.5, 0))).toBeCloseTo(0.5, 14);
    expect(distanceOf(cylinder(1, 2), HERE, cone(1, 0.5), at(0, 1.75, 0, upsideDown))).toBeCloseTo(-0.25, 14);
    // The side of a cone of half angle 45 degrees beside a ball.
    expect(distanceOf(cone(1, 2), HERE, sphere(0.5), at(3, 2, 0))).toBeCloseTo(4 / Math.SQRT2 - 0.5, 14);
  });

  test('ellipsoids along their axes', () => {
    expect(distanceOf(ellipsoid(1, 2, 3), HERE, ellipsoid(3, 1, 1), at(6, 0, 0))).toBeCloseTo(2, 14);
    expect(distanceOf(ellipsoid(1, 2, 3), HERE, ellipsoid(1, 2, 3), HERE)).toBeCloseTo(-2, 12);
    expect(distanceOf(ellipsoid(1, 2, 3), HERE, box(1, 1, 1), at(0, 4, 0.5))).toBeCloseTo(1, 14);
  });

  test('without height or thickness they are discs, segments and points', () => {
    const disc = cylinder(0, 1);
    expect(distanceOf(disc, HERE, disc, at(0, 0.5, 1))).toBeCloseTo(0.5, 14);
    const coplanar = signedDistance(disc, HERE, ellipsoid(0.5, 0, 0.25), at(0.5, 0, 0));
    expect(Math.abs(coplanar.distance)).toBeLessThan(1e-15);
    expect(Math.abs(coplanar.normal[1])).toBe(1);
    expect(distanceOf(disc, HERE, ellipsoid(0.5, 0, 0.25), at(2, 0, 0))).toBeCloseTo(0.5, 14);
    expect(distanceOf(cone(0, 1), HERE, box(2, 2, 2), HERE)).toBeCloseTo(-2, 12);
    for (const segment of [cylinder(1, 0), cone(1, 0), ellipsoid(0, 1, 0)]) {
      expect(segment).toMatchObject({ kind: 'polytope', dimension: 1, boundingRadius: 1 });
      expect(distanceOf(segment, HERE, disc, at(0, 0.25, 0))).toBeCloseTo(-0.75, 14);
    }
    for (const point of [cylinder(0, 0), cone(0, 0), ellipsoid(0, 0, 0)])
      expect(point).toMatchObject({ kind: 'polytope', dimension: 0, boundingRadius: 0 });
  });

  test('a half-space: the height of the lowest point over its plane', () => {
    const floor = halfspace([0, 4, 0], 0.5);
    const tilted = [0, 0, Math.sin(0.2), Math.cos(0.2)];
    const reach = Math.cos(0.4) + Math.sin(0.4) * 0.5;
    const { distance, normal } = signedDistance(floor, at(7, 1, -9), cylinder(1, 0.5), at(0, 4, 0, tilted));
    expect(distance).toBeCloseTo(2.5 - reach, 14);
    expect(normal).toEqual([0, 1, 0]);
    expect(signedDistance(cylinder(1, 0.5), at(0, 4, 0, tilted), floor, at(7, 1, -9))).toEqual({
      distance,
      normal: [-0, -1, -0],
    });
    expect(distanceOf(floor, at(0, 0, 0, LYING, 2), box(1, 1, 1), at(-10, 3, 3))).toBeCloseTo(8, 14);
    expect(distanceOf(floor, HERE, ellipsoid(1, 2, 3), at(0, 2, 0))).toBeCloseTo(-0.5, 14);
    expect(pairSize(floor, at(0, 0, 0, LYING, 2), sphere(3), HERE)).toBe(3);
    expect(() => signedDistance(floor, HERE, floor, HERE)).toThrow('two half-spaces');
  });

  test('a half-space has a finite support along its own normal alone', () => {
    const pose = at(1, 2, 3, [0.1, -0.4, 0.2, 0.7], 2);
    const shape = halfspace([1, -2, 3], 0.25);
    const { normal } = signedDistance(shape, pose, sphere(1), HERE);
    const height = normal[0] + 2 * normal[1] + 3 * normal[2];
    expect(supportValue(shape, pose, normal)).toBeCloseTo(height + 0.5, 13);
    expect(
      supportValue(
        shape,
        pose,
        normal.map((x) => -x),
      ),
    ).toBe(Infinity);
    expect(separation(shape, pose, sphere(1), HERE, [1, 0, 0])).toBe(-Infinity);
  });
});

function forEachPair(
  family: Family,
  use: (a: OracleShape, poseA: OraclePose, b: OracleShape, poseB: OraclePose, label: string) => void,
): void {
  const shapes = family.shapes.map(oracleShape);
  for (let i = 0; i < family.pairs.length; i += 2) {
    const [a, b] = [family.pairs[i], family.pairs[i + 1]];
    const of = (body: number) => shapes[family.bodies.shapes[body]];
    const types = [a, b].map((body) =>
      JSON.stringify(family.shapes[family.bodies.shapes[body]] satisfies ShapeDescription),
    );
    use(of(a), poseOf(family, a), of(b), poseOf(family, b), `${family.name}, pair ${i / 2}, ${types.join(' ')}`);
  }
}

function sizeOf(a: OracleShape, poseA: OraclePose, b: OracleShape, poseB: OraclePose): number {
  return Math.max(
    pairSize(a, poseA, b, poseB),
    Math.hypot(...[0, 1, 2].map((k) => poseB.position[k] - poseA.position[k])),
  );
}

/** Most room along random directions around the reported normal, near and far. */
function sampledRoom(
  random: Random,
  a: OracleShape,
  poseA: OraclePose,
  b: OracleShape,
  poseB: OraclePose,
  normal: number[],
): number {
  let most = -Infinity;
  for (let spread = 4; spread > 1e-7; spread *= 0.8) {
    const shift = unitVector(random, [0, 0, 0]);
    const moved = normal.map((x, k) => x + spread * shift[k]);
    const length = Math.hypot(...moved);
    most = Math.max(
      most,
      separation(
        a,
        poseA,
        b,
        poseB,
        moved.map((x) => x / length),
      ),
    );
  }
  return most;
}

/** `turned`: pairs whose distance is proven, but whose normal is off by more. */
const counted = { apart: 0, overlapping: 0, unproven: 0, turned: 0 };

/** What is wrong with the oracle's answer for a pair. `thorough`: branch and bound without Newton steps as well. */
function inconsistencies(
  random: Random,
  a: OracleShape,
  poseA: OraclePose,
  b: OracleShape,
  poseB: OraclePose,
  thorough: boolean,
): string[] {
  const faults: string[] = [];
  const size = sizeOf(a, poseA, b, poseB);
  const found = signedDistance(a, poseA, b, poseB);
  const { distance, normal } = found;
  const expectWithin = (what: string, value: number, low: number, high: number) => {
    if (!(value >= low && value <= high)) faults.push(`${what}: ${value}, expected ${low} to ${high}`);
  };
  const expectNear = (what: string, value: number, wanted: number, share: number) =>
    expectWithin(what, value, wanted - share * size, wanted + share * size);
  counted[distance > 0 ? 'apart' : 'overlapping']++;
  if (!(found.high! - found.low! <= PROVEN * size)) counted.unproven++;
  expectNear('length of the normal', size * Math.hypot(...normal), size, ROUNDING);
  expectNear('room along the normal', separation(a, poseA, b, poseB, normal), distance, ROUNDING);
  expectNear('swapped', distanceOf(b, poseB, a, poseA), distance, PROVEN);
  expectWithin('sampled room', sampledRoom(random, a, poseA, b, poseB, normal), -Infinity, distance + PROVEN * size);
  const moved = { ...poseB, position: [0, 1, 2].map((k) => poseB.position[k] - distance * normal[k]) };
  const touching = distanceOf(a, poseA, b, moved);
  const near = PROVEN * size + 2 ** -52 * Math.hypot(...moved.position);
  // The way from surface to surface is at least `low` long along the normal, and no longer than `high`: what it has
  // across is left over.
  const across = distance > 0 ? Math.sqrt(Math.max((found.high! - found.low!) * (found.high! + found.low!), 0)) : 0;
  expectWithin('moved to touch', touching, -near, Math.max(across, near));
  if (touching > near) counted.turned++;
  if (thorough) {
    const { low, high } = signedDistance(a, poseA, b, poseB, { exhaustive: true });
    expectWithin('by branch and bound alone', distance, low! - ROUNDING * size, high! + ROUNDING * size);
    expectNear('proven interval', high!, low!, 1.001e-6);
  }
  return faults;
}

const isCurved = (shape: OracleShape) => shape.kind === 'curved';

describe('every two types with a cylinder, a cone or an ellipsoid', () => {
  const names = shapePairNames.filter((name) => /cylinder|cone|ellipsoid/.test(name) && !name.includes('halfspace'));

  test.each(names)(
    '%s: proven to 1e-9, reached, never exceeded, symmetric, and what branch and bound alone finds',
    (name) => {
      const random = createRandom(5);
      const faults: string[] = [];
      Object.assign(counted, { apart: 0, overlapping: 0, unproven: 0, turned: 0 });
      forEachPair(makeShapePairFamily(name, PAIRS, 23), (a, poseA, b, poseB, label) => {
        if (!isCurved(a) && !isCurved(b)) return;
        faults.push(...inconsistencies(random, a, poseA, b, poseB, true).map((fault) => `${label}, seed 23: ${fault}`));
      });
      expect(summary(faults)).toEqual([]);
      expect(counted).toMatchObject({ unproven: 0, turned: 0 });
      expect(counted.apart).toBeGreaterThan(0.35 * PAIRS);
      expect(counted.overlapping).toBeGreaterThan(0.35 * PAIRS);
    },
  );

  test('on a grid, coaxial, concentric, identical and flat', () => {
    const random = createRandom(6);
    const faults: string[] = [];
    Object.assign(counted, { apart: 0, overlapping: 0, unproven: 0, turned: 0 });
    forEachPair(makeCurvedGridFamily(GRID_PAIRS, 29), (a, poseA, b, poseB, label) => {
      if ((!isCurved(a) && !isCurved(b)) || a.kind === 'halfspace' || b.kind === 'halfspace') return;
      faults.push(...inconsistencies(random, a, poseA, b, poseB, false).map((fault) => `${label}, seed 29: ${fault}`));
    });
    expect(summary(faults)).toEqual([]);
    expect(counted.unproven).toBe(0);
    expect(counted.turned).toBeLessThanOrEqual(atNight(0, 1));
    expect(counted.apart).toBeGreaterThan(GRID_PAIRS / 5);
    expect(counted.overlapping).toBeGreaterThan(GRID_PAIRS / 15);
  });
});

test('where nearly every direction is as good, the search ends, with bounds that hold the answer', () => {
  const almostBall = ellipsoid(1, 1, 1 + 1e-9);
  const found = signedDistance(almostBall, HERE, almostBall, at(0, 0, 1e-9));
  expect(found.distance).toBeCloseTo(-2, 8);
  expect(found.low).toBeLessThanOrEqual(found.distance);
  expect(found.high! - found.low!).toBeLessThan(0.01);
});

test('the error that judges grant the oracle is what it proves', () => {
  expect(oracleError(cylinder(1, 1), sphere(1))).toBeGreaterThan(PROVEN);
  expect(oracleError(box(1, 1, 1), sphere(1))).toBe(ROUNDING);
  expect(oracleError(cylinder(1, 1), halfspace([0, 1, 0], 0))).toBe(ROUNDING);
});
