/**
 * Properties of the planar reference that need no oracle: what a swap, a motion, a scale must not change does not, and
 * the step to touch leads there.
 */

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planar, Status } from '../../src/cpu.ts';
import type { PlanarShapeDescription } from '../../src/api/planar-shapes.ts';
import { TOLERANCE as TOLERANCES } from '../../src/shapes/tolerances.ts';

const SEED = 20_261_123;
const RUNS = 400;
const TOLERANCE = TOLERANCES.reference;

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
const vector = fc.tuple(coordinate, coordinate);
const angle = fc.oneof(
  fc.integer({ min: -4, max: 4 }).map((n) => (n * Math.PI) / 4),
  fc.double({ min: -10, max: 10, noNaN: true }),
);

const shapes = {
  circle: fc.record({ type: fc.constant('circle'), radius: size }),
  segment: fc.record({
    type: fc.constant('segment'),
    points: fc.tuple(vector, vector).map((points) => points.flat()),
    radius,
  }),
  capsule: fc.record({ type: fc.constant('capsule'), halfHeight: size, radius: size }),
  rectangle: fc.record({ type: fc.constant('rectangle'), halfExtents: fc.tuple(size, size), radius }),
  polygon: fc.record({
    type: fc.constant('polygon'),
    points: fc.array(vector, { minLength: 1, maxLength: 12 }).map((points) => points.flat()),
    radius,
    convexify: fc.constant(true),
  }),
} satisfies Record<PlanarShapeDescription['type'], fc.Arbitrary<PlanarShapeDescription>>;

type PlanarType = keyof typeof shapes;

interface Body {
  shape: PlanarShapeDescription;
  pose: planar.CpuPlanarPose;
}

function bodyOf(type: PlanarType): fc.Arbitrary<Body> {
  return fc.record({
    shape: shapes[type] as fc.Arbitrary<PlanarShapeDescription>,
    pose: fc.record({ position: vector, angle }),
  });
}

function ask(a: Body, b: Body, algorithm: 'auto' | 'gjk' = 'auto'): planar.CpuPlanarContact {
  return planar.contact(planar.createShape(a.shape), a.pose, planar.createShape(b.shape), b.pose, {
    margin: Infinity,
    algorithm,
  });
}

/** max(s, |B - A|), and never 0: two points in one place have no size. */
function sizeOf(a: Body, b: Body): number {
  const [reachA, reachB] = [a, b].map(
    ({ shape, pose }) => planar.createShape(shape).boundingRadius * (pose.scale ?? 1),
  );
  return Math.max(
    reachA + reachB,
    Math.hypot(b.pose.position[0] - a.pose.position[0], b.pose.position[1] - a.pose.position[1]),
    1e-6,
  );
}

function movedBy({ shape, pose }: Body, step: readonly number[]): Body {
  return { shape, pose: { ...pose, position: [0, 1].map((k) => pose.position[k] + step[k]) } };
}

const types = Object.keys(shapes) as PlanarType[];

describe.each(types.flatMap((a, i) => types.slice(i).map((b) => ({ a, b }))))('$a and $b', ({ a: typeA, b: typeB }) => {
  const check = <Extra>(extra: fc.Arbitrary<Extra>, property: (a: Body, b: Body, more: Extra) => void): void => {
    fc.assert(fc.property(bodyOf(typeA), bodyOf(typeB), extra, property), { seed: SEED, numRuns: RUNS });
  };
  const nothing = fc.constant(undefined);

  test('there is always an answer, the same by every algorithm', () => {
    check(nothing, (a, b) => {
      const { status, distance, normal, pointA, pointB, lower, upper } = ask(a, b);
      const t = TOLERANCE * sizeOf(a, b);
      expect(status).toBe(distance <= 0 ? Status.Overlapping : Status.Separated);
      expect([distance, lower, upper, ...normal, ...pointA, ...pointB].every(Number.isFinite)).toBe(true);
      expect(Math.abs(Math.hypot(...normal) - 1)).toBeLessThanOrEqual(1e-12);
      for (let k = 0; k < 2; k++) expect(Math.abs(pointB[k] - pointA[k] - distance * normal[k])).toBeLessThanOrEqual(t);
      expect(lower).toBeLessThanOrEqual(distance);
      expect(upper).toBeGreaterThanOrEqual(distance);
      expect(Math.abs(ask(a, b, 'gjk').distance - distance)).toBeLessThanOrEqual(t);
    });
  });

  test('the witness points lie on the surfaces', () => {
    check(nothing, (a, b) => {
      const { pointA, pointB } = ask(a, b);
      for (const [body, position] of [
        [a, pointA],
        [b, pointB],
      ] as const) {
        const point: Body = { shape: { type: 'circle', radius: 0 }, pose: { position, angle: 0 } };
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
    check(fc.record({ turn: angle, step: vector }), (a, b, { turn, step }) => {
      const [cosine, sine] = [Math.cos(turn), Math.sin(turn)];
      const moved = ({ shape, pose }: Body): Body => {
        const [x, y] = Array.from(pose.position);
        return {
          shape,
          pose: {
            position: [cosine * x - sine * y + 16 * step[0], sine * x + cosine * y + 16 * step[1]],
            angle: pose.angle + turn,
          },
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
      const at = (room: number): planar.CpuPlanarContact =>
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
});
