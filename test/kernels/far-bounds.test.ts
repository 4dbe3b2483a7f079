/** Bounds of pairs that GJK leaves early, as they are farther apart than the margin. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTester } from '../../src/node.ts';
import type { Tester } from '../../src/api/types.ts';
import { hullOf } from '../../verification/families/hulls.ts';
import { createRandom, uniform, unitVector } from '../../verification/families/random.ts';

const PAIRS = 400;

let gpu: Tester;
let cpu: Tester;
beforeAll(async () => {
  gpu = await createTester({ backend: 'webgpu' });
  cpu = await createTester({ backend: 'cpu', threads: 1 });
});
afterAll(() => {
  gpu?.dispose();
  cpu?.dispose();
});

/** The distance from the origin to the farthest of some points (x, y, z of each). */
function farthest(points: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < points.length; i += 3) most = Math.max(most, Math.hypot(points[i], points[i + 1], points[i + 2]));
  return most;
}

test('the upper bound is the distance of two points of the bodies, on either backend', async () => {
  const random = createRandom(20_261_123);
  const hulls = Array.from({ length: 4 }, () => hullOf(random, 16));
  const radius = Math.max(...hulls.map(({ points }) => farthest(points)));
  for (const tester of [gpu, cpu]) hulls.forEach((hull) => tester.addShape(hull));
  const positions = Float32Array.from(
    Array.from({ length: PAIRS }, () => {
      const apart = uniform(random, 3, 30);
      return [0, 0, 0, ...unitVector(random, [0, 0, 0]).map((x) => apart * x)];
    }).flat(),
  );
  const bodies = {
    shapes: Uint32Array.from({ length: 2 * PAIRS }, (_, i) => i % hulls.length),
    positions,
    quaternions: Float32Array.from({ length: 8 * PAIRS }, (_, i) => (i % 4 === 3 ? 1 : 0)),
  };
  const pairs = Uint32Array.from({ length: 2 * PAIRS }, (_, i) => i);
  const truth = await cpu.distances(bodies, pairs);
  for (const tester of [gpu, cpu]) {
    const { lower = [], upper = [] } = await tester.contacts(bodies, pairs, { bounds: true, algorithm: 'gjk' });
    for (let i = 0; i < PAIRS; i++) {
      expect(lower[i]).toBeLessThanOrEqual(truth.distance[i] * (1 + 1e-5));
      expect(upper[i]).toBeGreaterThanOrEqual(truth.distance[i] * (1 - 1e-5));
      // Any two points are at most the sum of the diameters farther apart than the nearest ones.
      expect(upper[i]).toBeLessThanOrEqual(truth.distance[i] + 4 * radius + 1e-4);
    }
  }
});
