/**
 * Properties of the reference that need no oracle, for every pair of shape types: what must not change under a swap, a
 * motion, a scale or a shuffle does not, and the step to touch that an answer names does what it says.
 */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contact, createShape, Status, type CpuContact, type CpuPose } from '../../src/cpu.ts';
import { CURVED_TOLERANCE, TOLERANCE as TOLERANCES } from '../../src/shapes/tolerances.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { corePieces, coreSupport, roundingRadius } from '../../verification/oracle/shape.ts';

const SEED = 20_250_106;
const RUNS = 400;

/**
 * Lengths on a coarse grid, which meet and coincide often, and any others, but for those below the contract's sizes.
 */
const withoutTiny = (x: number): number => (Math.abs(x) < 1e-6 ? 0 : x);
const coordinate = fc.oneof(
  fc.integer({ min: -8, max: 8 }).map((n) => n / 4),
  fc.double({ min: -2, max: 2, noNaN: true }).map(withoutTiny),
);
const size = fc.oneof(
  fc.integer({ min: 0, max: 8 }).map((n) => n / 8),
  fc.double({ min: 0, max: 1, noNaN: true }).map(withoutTiny),
);
const radius = fc.oneof(fc.constant(0), size);
const vector = fc.tuple(coordinate, coordinate, coordinate);
const quaternion = fc
  .oneof(
    fc.constantFrom([0, 0, 0, 1], [0, 0, 1, 1], [0.5, 0.5, 0.5, 0.5], [1, 0, 0, 0]),
    fc.tuple(coordinate, coordinate, coordinate, coordinate),
  )
  .filter((q) => Math.hypot(...q) > 0.1);

const shapes = {
  sphere: fc.record({ type: fc.constant('sphere'), radius: size }),
  box: fc.record({ type: fc.constant('box'), halfExtents: fc.tuple(size, size, size), radius }),
  capsule: fc.record({ type: fc.constant('capsule'), halfHeight: size, radius: size }),
  triangle: fc.record({
    type: fc.constant('triangle'),
    points: fc.tuple(vector, vector, vector).map((points) => points.flat()),
    radius,
  }),
  hull: fc.record({
    type: fc.constant('hull'),
    points: fc.array(vector, { minLength: 1, maxLength: 12 }).map((points) => points.flat()),
    radius,
  }),
  cylinder: fc.record({ type: fc.constant('cylinder'), halfHeight: size, radius: size }),
  cone: fc.record({ type: fc.constant('cone'), halfHeight: size, radius: size }),
  ellipsoid: fc.record({ type: fc.constant('ellipsoid'), radii: fc.tuple(size, size, size) }),
  halfspace: fc.record({
    type: fc.constant('halfspace'),
    normal: vector.filter((n) => Math.hypot(...n) > 0.1),
    offset: coordinate,
  }),
} satisfies Record<ShapeDescription['type'], fc.Arbitrary<ShapeDescription>>;

type ShapeType = keyof typeof shapes;

interface Body {
  shape: ShapeDescription;
  pose: CpuPose;
}

function bodyOf(type: ShapeType): fc.Arbitrary<Body> {
  return fc.record({
    shape: shapes[type] as fc.Arbitrary<ShapeDescription>,
    pose: fc.record({ position: vector, quaternion }),
  });
}

function ask(a: Body, b: Body): CpuContact {
  return contact(createShape(a.shape), a.pose, createShape(b.shape), b.pose, { margin: Infinity, algorithm: 'gjk' });
}

function reach({ shape, pose }: Body): number {
  if (shape.type === 'halfspace') return 0;
  return createShape(shape).boundingRadius * (pose.scale ?? 1);
}

/** max(s, |B - A|), and never 0: two points in one place have no size. */
function sizeOf(a: Body, b: Body): number {
  const between = Math.hypot(...[0, 1, 2].map((k) => b.pose.position[k] - a.pose.position[k]));
  return Math.max(reach(a) + reach(b), between, 1e-6);
}

function multiply(p: ArrayLike<number>, q: ArrayLike<number>): number[] {
  return [
    p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1],
    p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0],
    p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3],
    p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2],
  ];
}

/** v turned by the quaternion q of any length. */
function rotate(q: ArrayLike<number>, v: ArrayLike<number>): number[] {
  const squared = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
  const turned = multiply(multiply(q, [v[0], v[1], v[2], 0]), [-q[0], -q[1], -q[2], q[3]]);
  return turned.slice(0, 3).map((x) => x / squared);
}

function movedBy(body: Body, step: ArrayLike<number>): Body {
  return { ...body, pose: { ...body.pose, position: [0, 1, 2].map((k) => body.pose.position[k] + step[k]) } };
}

/** Greatest n · x over the body. */
function supportValue({ shape, pose }: Body, n: ArrayLike<number>): number {
  const [x, y, z, w] = Array.from(pose.quaternion);
  if (shape.type === 'halfspace') {
    // Any other direction leads on for ever.
    const cosine = dot(rotate([x, y, z, w], shape.normal), n) / Math.sqrt(dot(shape.normal, shape.normal));
    return cosine > 1 - 1e-12 ? dot(pose.position, n) + shape.offset * (pose.scale ?? 1) : Infinity;
  }
  return dot(pose.position, n) + coreSupport(corePieces(shape), rotate([-x, -y, -z, w], n)) + roundingRadius(shape);
}

function dot(v: ArrayLike<number>, n: ArrayLike<number>): number {
  return v[0] * n[0] + v[1] * n[1] + v[2] * n[2];
}

const CURVED = new Set<ShapeType>(['cylinder', 'cone', 'ellipsoid']);
const types = Object.keys(shapes) as ShapeType[];
/** Two half-spaces are no pair. */
const typePairs = types.flatMap((a, i) => types.slice(i).map((b) => ({ a, b }))).filter(({ a }) => a !== 'halfspace');

describe.each(typePairs)('$a and $b', ({ a: typeA, b: typeB }) => {
  /** As a share of max(s, |B - A|). */
  const TOLERANCE = [typeA, typeB].some((type) => CURVED.has(type))
    ? CURVED_TOLERANCE.reference.overlapping
    : TOLERANCES.reference;
  const check = <Extra>(extra: fc.Arbitrary<Extra>, property: (a: Body, b: Body, more: Extra) => void): void => {
    fc.assert(fc.property(bodyOf(typeA), bodyOf(typeB), extra, property), { seed: SEED, numRuns: RUNS });
  };
  const nothing = fc.constant(undefined);

  test('there is always an answer, whose supports along the normal and whose points reproduce the distance', () => {
    check(nothing, (a, b) => {
      const { status, distance, normal, pointA, pointB, lower, upper } = ask(a, b);
      const t = TOLERANCE * sizeOf(a, b);
      expect(status).toBe(distance <= 0 ? Status.Overlapping : Status.Separated);
      expect([distance, lower, upper, ...normal, ...pointA, ...pointB].every(Number.isFinite)).toBe(true);
      expect(Math.abs(Math.hypot(...normal) - 1)).toBeLessThanOrEqual(1e-12);
      const room =
        -supportValue(
          b,
          normal.map((x) => -x),
        ) - supportValue(a, normal);
      expect(Math.abs(room - distance)).toBeLessThanOrEqual(t);
      for (let k = 0; k < 3; k++) expect(Math.abs(pointB[k] - pointA[k] - distance * normal[k])).toBeLessThanOrEqual(t);
      expect(lower).toBeLessThanOrEqual(distance);
      expect(upper).toBeGreaterThanOrEqual(distance);
    });
  });

  test('the witness points lie on the surfaces', () => {
    check(nothing, (a, b) => {
      const { pointA, pointB } = ask(a, b);
      for (const [body, position] of [
        [a, pointA],
        [b, pointB],
      ] as const) {
        const point: Body = { shape: { type: 'sphere', radius: 0 }, pose: { position, quaternion: [0, 0, 0, 1] } };
        expect(Math.abs(ask(body, point).distance)).toBeLessThanOrEqual(TOLERANCE * sizeOf(a, b));
      }
    });
  });

  test('a swap keeps the distance', () => {
    check(nothing, (a, b) => {
      expect(Math.abs(ask(b, a).distance - ask(a, b).distance)).toBeLessThanOrEqual(TOLERANCE * sizeOf(a, b));
    });
  });

  test('a common motion keeps the distance', () => {
    check(fc.record({ turn: quaternion, step: vector }), (a, b, { turn, step }) => {
      const moved = (body: Body): Body => {
        const { position, quaternion: own } = body.pose;
        return {
          ...body,
          pose: { position: rotate(turn, position).map((x, k) => x + 16 * step[k]), quaternion: multiply(turn, own) },
        };
      };
      expect(Math.abs(ask(moved(a), moved(b)).distance - ask(a, b).distance)).toBeLessThanOrEqual(
        TOLERANCE * sizeOf(a, b),
      );
    });
  });

  test('a common scale scales the distance', () => {
    check(fc.double({ min: -6, max: 6, noNaN: true }), (a, b, exponent) => {
      const factor = 10 ** exponent;
      const scaled = ({ shape, pose }: Body): Body => ({
        shape,
        pose: { ...pose, position: Array.from(pose.position, (x) => factor * x), scale: factor },
      });
      expect(Math.abs(ask(scaled(a), scaled(b)).distance / factor - ask(a, b).distance)).toBeLessThanOrEqual(
        TOLERANCE * sizeOf(a, b),
      );
    });
  });

  test('the step to touch that it names leads there: less overlaps, more parts', () => {
    check(nothing, (a, b) => {
      const { distance, normal } = ask(a, b);
      const extent = sizeOf(a, b);
      const delta = 1000 * TOLERANCE * extent;
      const at = (room: number): CpuContact =>
        ask(
          a,
          movedBy(
            b,
            normal.map((x) => (room - distance) * x),
          ),
        );
      expect(Math.abs(at(0).distance)).toBeLessThanOrEqual(3 * TOLERANCE * extent);
      expect(at(delta).status).toBe(Status.Separated);
      // The way from the origin to the nearest point of B - A's border is inside.
      if (distance < -2 * delta) expect(at(-delta).status).toBe(Status.Overlapping);
    });
  });

  if (typeA === 'hull' || typeB === 'hull' || typeA === 'triangle' || typeB === 'triangle') {
    test('the order of points, repeated points and points inside change nothing', () => {
      check(
        fc.record({
          keys: fc.array(fc.nat(1000), { minLength: 14, maxLength: 14 }),
          weights: fc.tuple(size, size, size),
        }),
        (a, b, { keys, weights }) => {
          const shuffled = (body: Body): Body => {
            const { shape } = body;
            if (shape.type !== 'hull' && shape.type !== 'triangle') return body;
            const points = Array.from({ length: shape.points.length / 3 }, (_, i) =>
              [0, 1, 2].map((k) => shape.points[3 * i + k]),
            );
            if (shape.type === 'hull') points.push(points[0], blend(points, weights));
            const order = points
              .map((point, i) => ({ point, key: keys[i % keys.length] }))
              .sort((p, q) => p.key - q.key);
            return { ...body, shape: { ...shape, points: order.flatMap(({ point }) => point) } };
          };
          expect(Math.abs(ask(shuffled(a), shuffled(b)).distance - ask(a, b).distance)).toBeLessThanOrEqual(
            TOLERANCE * sizeOf(a, b),
          );
        },
      );
    });
  }
});

/** A point inside the hull of the points. */
function blend(points: number[][], weights: readonly number[]): number[] {
  const chosen = weights.map((weight, i) => ({ weight: weight + 0.01, point: points[(i * 5) % points.length] }));
  const total = chosen.reduce((sum, { weight }) => sum + weight, 0);
  return [0, 1, 2].map((k) => chosen.reduce((sum, { weight, point }) => sum + (weight * point[k]) / total, 0));
}
