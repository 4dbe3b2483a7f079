/**
 * Properties of the reference that need no oracle, in both dimensions and for every pair of shape types: a swap, a
 * common motion, a common scale or a shuffle of points must not change the answer, and the step to touch that an answer
 * names must make the pair touch.
 */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contact, createShape, planar, Status, type CpuPose } from '../../src/cpu.ts';
import { CURVED_TOLERANCE, TOLERANCE } from '../../src/shapes/tolerances.ts';
import type { PlanarConvexDescription } from '../../src/api/planar-shapes.ts';
import type { ConvexDescription } from '../../src/api/shapes.ts';
import { corePieces, coreSupport, roundingRadius } from '../../verification/oracle/shape.ts';
import { atNight } from '../helpers/night.ts';

const RUNS = atNight(8, 400);

type Shape = ConvexDescription | PlanarConvexDescription;

interface Body {
  shape: Shape;
  position: number[];
  /** A quaternion in 3-D, one angle in 2-D. */
  rotation: number[];
  scale?: number;
}

/** What the references of both dimensions answer. */
interface Answer {
  status: Status;
  distance: number;
  lower: number;
  upper: number;
  normal: ArrayLike<number>;
  pointA: ArrayLike<number>;
  pointB: ArrayLike<number>;
}

interface Dimension {
  name: string;
  axes: 2 | 3;
  seed: number;
  shapes: Record<string, fc.Arbitrary<Shape>>;
  /** Types with the tolerances of curved shapes. */
  curved: readonly string[];
  /** Types of which two are not a pair. */
  unbounded: readonly string[];
  /** Types whose points may come in any order. */
  ofPoints: readonly string[];
  rotation: fc.Arbitrary<number[]>;
  point: Pick<Body, 'shape' | 'rotation'>;
  boundingRadius(shape: Shape): number;
  ask(a: Body, b: Body): Answer;
  rotate(rotation: readonly number[], vector: readonly number[]): number[];
  /** `first`, then `second`. */
  compose(first: readonly number[], second: readonly number[]): number[];
  /** What else is known of the answer. `t` is its tolerance. */
  checkAnswer(a: Body, b: Body, answer: Answer, t: number): void;
}

// Lengths are on a coarse grid, where they often coincide, or arbitrary, but not below the contract's sizes.
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
const vectorOf = (axes: number): fc.Arbitrary<number[]> => fc.tuple(...Array.from({ length: axes }, () => coordinate));
const pointsOf = (axes: number, least: number, most: number): fc.Arbitrary<number[]> =>
  fc.array(vectorOf(axes), { minLength: least, maxLength: most }).map((points) => points.flat());

const space: Dimension = {
  name: '3-D',
  axes: 3,
  seed: 20_250_106,
  shapes: {
    sphere: fc.record({ type: fc.constant('sphere'), radius: size }),
    box: fc.record({ type: fc.constant('box'), halfExtents: fc.tuple(size, size, size), radius }),
    capsule: fc.record({ type: fc.constant('capsule'), halfHeight: size, radius: size }),
    triangle: fc.record({ type: fc.constant('triangle'), points: pointsOf(3, 3, 3), radius }),
    hull: fc.record({ type: fc.constant('hull'), points: pointsOf(3, 1, 12), radius }),
    cylinder: fc.record({ type: fc.constant('cylinder'), halfHeight: size, radius: size }),
    cone: fc.record({ type: fc.constant('cone'), halfHeight: size, radius: size }),
    ellipsoid: fc.record({ type: fc.constant('ellipsoid'), radii: fc.tuple(size, size, size) }),
    halfspace: fc.record({
      type: fc.constant('halfspace'),
      normal: vectorOf(3).filter((n) => Math.hypot(...n) > 0.1),
      offset: coordinate,
    }),
  } satisfies Record<ConvexDescription['type'], fc.Arbitrary<ConvexDescription>>,
  curved: ['cylinder', 'cone', 'ellipsoid'],
  unbounded: ['halfspace'],
  ofPoints: ['triangle', 'hull'],
  rotation: fc
    .oneof(fc.constantFrom<number[]>([0, 0, 0, 1], [0, 0, 1, 1], [0.5, 0.5, 0.5, 0.5], [1, 0, 0, 0]), vectorOf(4))
    .filter((q) => Math.hypot(...q) > 0.1),
  point: { shape: { type: 'sphere', radius: 0 }, rotation: [0, 0, 0, 1] },
  boundingRadius: (shape) => createShape(shape as ConvexDescription).boundingRadius,
  ask(a, b) {
    const [shapeA, shapeB] = [a, b].map(({ shape }) => createShape(shape as ConvexDescription));
    return contact(shapeA, spatialPose(a), shapeB, spatialPose(b), { margin: Infinity, algorithm: 'gjk' });
  },
  rotate: rotateByQuaternion,
  compose: (first, second) => multiply(second, first),
  checkAnswer(a, b, { distance, normal }, t) {
    const n = Array.from(normal);
    const gap = -supportValue(b, negated(n)) - supportValue(a, n);
    expect(Math.abs(gap - distance)).toBeLessThanOrEqual(t);
  },
};

const plane: Dimension = {
  name: '2-D',
  axes: 2,
  seed: 20_261_123,
  shapes: {
    circle: fc.record({ type: fc.constant('circle'), radius: size }),
    segment: fc.record({ type: fc.constant('segment'), points: pointsOf(2, 2, 2), radius }),
    capsule: fc.record({ type: fc.constant('capsule'), halfHeight: size, radius: size }),
    rectangle: fc.record({ type: fc.constant('rectangle'), halfExtents: fc.tuple(size, size), radius }),
    polygon: fc.record({
      type: fc.constant('polygon'),
      points: pointsOf(2, 1, 12),
      radius,
      convexify: fc.constant(true),
    }),
  } satisfies Record<PlanarConvexDescription['type'], fc.Arbitrary<PlanarConvexDescription>>,
  curved: [],
  unbounded: [],
  ofPoints: ['segment', 'polygon'],
  rotation: fc
    .oneof(
      fc.integer({ min: -4, max: 4 }).map((n) => (n * Math.PI) / 4),
      fc.double({ min: -10, max: 10, noNaN: true }),
    )
    .map((angle) => [angle]),
  point: { shape: { type: 'circle', radius: 0 }, rotation: [0] },
  boundingRadius: (shape) => planar.createShape(shape as PlanarConvexDescription).boundingRadius,
  ask: (a, b) => askInPlane(a, b, 'auto'),
  rotate([angle], [x, y]) {
    const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
    return [cosine * x - sine * y, sine * x + cosine * y];
  },
  compose: ([first], [second]) => [first + second],
  checkAnswer(a, b, { distance }, t) {
    expect(Math.abs(askInPlane(a, b, 'gjk').distance - distance)).toBeLessThanOrEqual(t);
  },
};

function askInPlane(a: Body, b: Body, algorithm: 'auto' | 'gjk'): planar.CpuPlanarContact {
  const [shapeA, shapeB] = [a, b].map(({ shape }) => planar.createShape(shape as PlanarConvexDescription));
  return planar.contact(shapeA, planarPose(a), shapeB, planarPose(b), { margin: Infinity, algorithm });
}

function spatialPose({ position, rotation, scale }: Body): CpuPose {
  return { position, quaternion: rotation, scale };
}

function planarPose({ position, rotation: [angle], scale }: Body): planar.CpuPlanarPose {
  return { position, angle, scale };
}

function multiply(p: readonly number[], q: readonly number[]): number[] {
  return [
    p[3] * q[0] + p[0] * q[3] + p[1] * q[2] - p[2] * q[1],
    p[3] * q[1] - p[0] * q[2] + p[1] * q[3] + p[2] * q[0],
    p[3] * q[2] + p[0] * q[1] - p[1] * q[0] + p[2] * q[3],
    p[3] * q[3] - p[0] * q[0] - p[1] * q[1] - p[2] * q[2],
  ];
}

/** Rotates by a quaternion of any length. */
function rotateByQuaternion(q: readonly number[], v: readonly number[]): number[] {
  const squared = dot(q, q);
  const rotated = multiply(multiply(q, [...v, 0]), [-q[0], -q[1], -q[2], q[3]]);
  return rotated.slice(0, 3).map((x) => x / squared);
}

function dot(v: ArrayLike<number>, n: ArrayLike<number>): number {
  return Array.from(v).reduce((sum, x, k) => sum + x * n[k], 0);
}

function negated(v: readonly number[]): number[] {
  return v.map((x) => -x);
}

/** Greatest n · x over a 3-D body. */
function supportValue({ shape, position, rotation: [x, y, z, w], scale = 1 }: Body, n: readonly number[]): number {
  const description = shape as ConvexDescription;
  if (description.type === 'halfspace') {
    // It is unbounded in any other direction than its normal.
    const cosine =
      dot(rotateByQuaternion([x, y, z, w], Array.from(description.normal)), n) /
      Math.sqrt(dot(description.normal, description.normal));
    return cosine > 1 - 1e-12 ? dot(position, n) + description.offset * scale : Infinity;
  }
  const own = rotateByQuaternion([-x, -y, -z, w], n);
  return dot(position, n) + coreSupport(corePieces(description), own) + roundingRadius(description);
}

describe.each([space, plane])('$name', (dimension) => {
  const { axes, seed, shapes, curved, unbounded, ofPoints, rotation, point, rotate, compose, ask } = dimension;
  const vector = vectorOf(axes);

  const bodyOf = (type: string): fc.Arbitrary<Body> => fc.record({ shape: shapes[type], position: vector, rotation });

  const extentOf = ({ shape, scale = 1 }: Body): number =>
    unbounded.includes(shape.type) ? 0 : dimension.boundingRadius(shape) * scale;

  /** max(s, |B - A|), but never 0, which two points in one place have. */
  function sizeOf(a: Body, b: Body): number {
    const between = Math.hypot(...a.position.map((x, k) => b.position[k] - x));
    return Math.max(extentOf(a) + extentOf(b), between, 1e-6);
  }

  const types = Object.keys(shapes);
  const typePairs = types
    .flatMap((a, i) => types.slice(i).map((b) => ({ a, b })))
    .filter(({ a, b }) => !(unbounded.includes(a) && unbounded.includes(b)));

  describe.each(typePairs)('$a and $b', ({ a: typeA, b: typeB }) => {
    /** As a share of max(s, |B - A|). */
    const tolerance = [typeA, typeB].some((type) => curved.includes(type))
      ? CURVED_TOLERANCE.reference.overlapping
      : TOLERANCE.reference;
    const check = <Extra>(extra: fc.Arbitrary<Extra>, property: (a: Body, b: Body, more: Extra) => void): void => {
      fc.assert(fc.property(bodyOf(typeA), bodyOf(typeB), extra, property), { seed, numRuns: RUNS });
    };
    const nothing = fc.constant(undefined);

    test('there is always an answer, whose parts agree', () => {
      check(nothing, (a, b) => {
        const answer = ask(a, b);
        const { status, distance, lower, upper } = answer;
        const [normal, pointA, pointB] = [answer.normal, answer.pointA, answer.pointB].map((v) => Array.from(v));
        const t = tolerance * sizeOf(a, b);
        expect(status).toBe(distance <= 0 ? Status.Overlapping : Status.Separated);
        expect([distance, lower, upper, ...normal, ...pointA, ...pointB].every(Number.isFinite)).toBe(true);
        expect(Math.abs(Math.hypot(...normal) - 1)).toBeLessThanOrEqual(1e-12);
        for (let k = 0; k < axes; k++)
          expect(Math.abs(pointB[k] - pointA[k] - distance * normal[k])).toBeLessThanOrEqual(t);
        expect(lower).toBeLessThanOrEqual(distance);
        expect(upper).toBeGreaterThanOrEqual(distance);
        dimension.checkAnswer(a, b, answer, t);
      });
    });

    test('the witness points lie on the surfaces', () => {
      check(nothing, (a, b) => {
        const { pointA, pointB } = ask(a, b);
        for (const [body, position] of [
          [a, pointA],
          [b, pointB],
        ] as const) {
          const { distance } = ask(body, { ...point, position: Array.from(position) });
          expect(Math.abs(distance)).toBeLessThanOrEqual(tolerance * sizeOf(a, b));
        }
      });
    });

    test('a swap keeps the distance', () => {
      check(nothing, (a, b) => {
        expect(Math.abs(ask(b, a).distance - ask(a, b).distance)).toBeLessThanOrEqual(tolerance * sizeOf(a, b));
      });
    });

    test('a common motion keeps the distance', () => {
      check(fc.record({ turn: rotation, step: vector }), (a, b, { turn, step }) => {
        const moved = (body: Body): Body => ({
          ...body,
          position: rotate(turn, body.position).map((x, k) => x + 16 * step[k]),
          rotation: compose(body.rotation, turn),
        });
        expect(Math.abs(ask(moved(a), moved(b)).distance - ask(a, b).distance)).toBeLessThanOrEqual(
          tolerance * sizeOf(a, b),
        );
      });
    });

    test('a common scale scales the distance', () => {
      check(fc.double({ min: -6, max: 6, noNaN: true }), (a, b, exponent) => {
        const factor = 10 ** exponent;
        const scaled = (body: Body): Body => ({
          ...body,
          position: body.position.map((x) => factor * x),
          scale: factor,
        });
        expect(Math.abs(ask(scaled(a), scaled(b)).distance / factor - ask(a, b).distance)).toBeLessThanOrEqual(
          tolerance * sizeOf(a, b),
        );
      });
    });

    test('the step to touch that it names leads there: less overlaps, more separates', () => {
      check(nothing, (a, b) => {
        const { distance, normal } = ask(a, b);
        const extent = sizeOf(a, b);
        const delta = 1000 * tolerance * extent;
        const at = (gap: number): Answer =>
          ask(a, { ...b, position: b.position.map((x, k) => x + (gap - distance) * normal[k]) });
        expect(Math.abs(at(0).distance)).toBeLessThanOrEqual(3 * tolerance * extent);
        expect(at(delta).status).toBe(Status.Separated);
        // The segment from the origin to the nearest point of the border of B - A is inside.
        if (distance < -2 * delta) expect(at(-delta).status).toBe(Status.Overlapping);
      });
    });

    if ([typeA, typeB].some((type) => ofPoints.includes(type))) {
      test('the order of points, repeated points and points inside change nothing', () => {
        check(
          fc.record({
            keys: fc.array(fc.nat(1000), { minLength: 14, maxLength: 14 }),
            weights: fc.tuple(size, size, size),
          }),
          (a, b, { keys, weights }) => {
            const shuffled = (body: Body): Body => {
              const { shape } = body;
              if (!('points' in shape)) return body;
              const points = Array.from({ length: shape.points.length / axes }, (_, i) =>
                Array.from({ length: axes }, (__, k) => shape.points[axes * i + k]),
              );
              // Triangles and segments have a fixed number of points.
              if (shape.type === 'hull' || shape.type === 'polygon') points.push(points[0], blend(points, weights));
              const order = points
                .map((position, i) => ({ position, key: keys[i % keys.length] }))
                .sort((p, q) => p.key - q.key);
              return { ...body, shape: { ...shape, points: order.flatMap(({ position }) => position) } as Shape };
            };
            expect(Math.abs(ask(shuffled(a), shuffled(b)).distance - ask(a, b).distance)).toBeLessThanOrEqual(
              tolerance * sizeOf(a, b),
            );
          },
        );
      });
    }
  });
});

/** A point inside the hull of the points. */
function blend(points: readonly number[][], weights: readonly number[]): number[] {
  const chosen = weights.map((weight, i) => ({ weight: weight + 0.01, point: points[(i * 5) % points.length] }));
  const total = chosen.reduce((sum, { weight }) => sum + weight, 0);
  return points[0].map((_, k) => chosen.reduce((sum, { weight, point }) => sum + (weight * point[k]) / total, 0));
}
