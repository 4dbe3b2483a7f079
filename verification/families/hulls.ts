/** Seeded hulls of a given number of vertices. */

import type { HullDescription } from '../../src/api/shapes.ts';
import { createRandom, spread, uniform, unitVector, type Random } from './random.ts';

/** Cosine of the least angle between two vertices as seen from the origin. 200 vertices still fit on the sphere. */
const CROWDED = 0.98;

/**
 * `count` points (8 to 200), all of them extreme, on an ellipsoid around the origin. Its longest half axis is
 * `longest`, the others are 0.2 to 1 of it. The first eight are a cube's corners, each moved by less than the cube's
 * inradius, so that the origin is inside.
 */
export function hullOf(random: Random, count: number, longest = spread(random, 1, 4)): HullDescription {
  const axes = [longest, longest * uniform(random, 0.2, 1), longest * uniform(random, 0.2, 1)];
  const chosen: number[][] = [];
  for (let corner = 0; corner < 8; corner++) {
    const moved = unitVector(random, [0, 0, 0]).map((x, k) => (corner & (1 << k) ? 1 : -1) / Math.sqrt(3) + 0.4 * x);
    const length = Math.hypot(...moved);
    chosen.push(moved.map((x) => x / length));
  }
  while (chosen.length < count) {
    const candidate = unitVector(random, [0, 0, 0]);
    if (!chosen.some((p) => p[0] * candidate[0] + p[1] * candidate[1] + p[2] * candidate[2] > CROWDED))
      chosen.push(candidate);
  }
  return { type: 'hull', points: Float32Array.from(chosen.flatMap((p) => p.map((x, k) => axes[k] * x))) };
}

/** Vertices on a sphere: all of them are vertices of the hull, and all faces are triangles. */
export function ball(vertices: number): HullDescription {
  const random = createRandom(vertices);
  return { type: 'hull', points: Array.from({ length: vertices }, () => unitVector(random, [0, 0, 0])).flat() };
}
