/** Portal refinement against GJK and EPA on any two shapes. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contact, createShape, type CpuContact, type CpuOptions } from '../../src/cpu.ts';
import type { ShapeDescription } from '../../src/api/shapes.ts';
import { TOLERANCE as TOLERANCES } from '../../src/shapes/tolerances.ts';
import type { MprDepth } from '../../src/api/types.ts';

const { reference: TOLERANCE } = TOLERANCES;
const SEED = 20_261_205;
const ENDINGS = ['ray', 'normal'] as const satisfies MprDepth[];

const withoutTiny = (x: number): number => (Math.abs(x) < 1e-6 ? 0 : x);

describe('any two shapes on a coarse grid', () => {
  const coordinate = fc.oneof(
    fc.integer({ min: -8, max: 8 }).map((n) => n / 4),
    fc.double({ min: -2, max: 2, noNaN: true }).map(withoutTiny),
  );
  const size = fc.integer({ min: 0, max: 8 }).map((n) => n / 8);
  const vector = fc.tuple(coordinate, coordinate, coordinate);
  const quaternion = fc.constantFrom([0, 0, 0, 1], [0, 0, 1, 1], [0.5, 0.5, 0.5, 0.5], [0.1, 0.2, 0.3, 0.9]);
  const shape: fc.Arbitrary<ShapeDescription> = fc.oneof(
    fc.record({ type: fc.constant('box' as const), halfExtents: fc.tuple(size, size, size), radius: size }),
    fc.record({ type: fc.constant('capsule' as const), halfHeight: size, radius: size }),
    fc.record({
      type: fc.constant('hull' as const),
      points: fc.array(vector, { minLength: 1, maxLength: 10 }).map((points) => points.flat()),
      radius: fc.constantFrom(0, 0.25),
    }),
  );
  const body = fc.record({ shape, pose: fc.record({ position: vector, quaternion }) });
  type Body = typeof body extends fc.Arbitrary<infer T> ? T : never;
  const ask = (a: Body, b: Body, options: CpuOptions): CpuContact =>
    contact(createShape(a.shape), a.pose, createShape(b.shape), b.pose, { ...options, margin: Infinity });

  test.each(ENDINGS)(
    'the %s ends with an answer that GJK and EPA confirm, and so does the swapped pair',
    (mprDepth) => {
      const property = fc.property(body, body, (a, b) => {
        const truth = ask(a, b, { algorithm: 'gjk' });
        const between = Math.hypot(...[0, 1, 2].map((k) => b.pose.position[k] - a.pose.position[k]));
        const t =
          TOLERANCE *
          Math.max(createShape(a.shape).boundingRadius + createShape(b.shape).boundingRadius, between, 1e-6);
        for (const found of [ask(a, b, { algorithm: 'mpr', mprDepth }), ask(b, a, { algorithm: 'mpr', mprDepth })]) {
          if (Math.abs(truth.distance) > t) expect(found.status).toBe(truth.status);
          expect(found.distance).toBeLessThanOrEqual(truth.distance + t);
          if (truth.distance > t) expect(found.distance).toBeGreaterThanOrEqual(truth.distance - t);
          expect(found.lower).toBeLessThanOrEqual(truth.upper + t);
          expect(found.upper).toBeGreaterThanOrEqual(truth.lower - t);
          expect([found.distance, ...found.normal, ...found.pointA, ...found.pointB].every(Number.isFinite)).toBe(true);
          expect(Math.hypot(...found.normal)).toBeCloseTo(1, 10);
        }
      });
      fc.assert(property, { seed: SEED, numRuns: 3000 });
    },
  );
});
