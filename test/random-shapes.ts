/** Seeded shapes of sizes mostly 0.1 to 2, all around their origin, all numbers f32. */

import type {
  BoxDescription,
  CapsuleDescription,
  HullDescription,
  SphereDescription,
} from '../src/shapes/descriptions.ts';
import { below, spread, uniform, unitVector, type Random } from './random.ts';

export function randomSphere(random: Random): SphereDescription {
  return { type: 'sphere', radius: Math.fround(spread(random, 1, 4)) };
}

/** Longest edge 0.1 to 2, the others down to a tenth of it; one box in 16 is a plate or a needle of 100:1. */
export function randomBox(random: Random, index: number): BoxDescription {
  const longest = spread(random, 1, 4);
  const ratios = index % 16 === 7 ? [1, 0.01, random() < 0.5 ? 0.01 : 1] : [1, uniform(random, 0.1, 1), uniform(random, 0.1, 1)];
  const turn = below(random, 3);
  return { type: 'box', halfExtents: [0, 1, 2].map((k) => Math.fround(longest * ratios[(k + turn) % 3])) };
}

export function randomRoundedBox(random: Random, index: number): BoxDescription {
  const box = randomBox(random, index);
  const middle = Array.from(box.halfExtents).sort((a, b) => a - b)[1];
  return { ...box, radius: Math.fround(middle * uniform(random, 0.05, 0.5)) };
}

export function randomCapsule(random: Random): CapsuleDescription {
  const radius = Math.fround(spread(random, 0.5, 3));
  return { type: 'capsule', halfHeight: Math.fround(radius * uniform(random, 0, 5)), radius };
}

export function randomHull(random: Random): HullDescription {
  return { type: 'hull', points: hull32Points(random, spread(random, 1, 4)) };
}

/**
 * 32 points, all of them extreme, on an ellipsoid around the origin whose longest half axis is `longest` and whose others
 * are 0.2 to 1 of it. They are at least 0.2 radians apart before the stretch, so that rounding to f32 buries none.
 */
export function hull32Points(random: Random, longest: number): Float32Array {
  const axes = [longest, longest * uniform(random, 0.2, 1), longest * uniform(random, 0.2, 1)];
  const chosen: number[][] = [];
  while (chosen.length < 32) {
    const candidate = unitVector(random, [0, 0, 0]);
    const crowded = chosen.some((p) => p[0] * candidate[0] + p[1] * candidate[1] + p[2] * candidate[2] > 0.98);
    if (!crowded) chosen.push(candidate);
  }
  return Float32Array.from(chosen.flatMap((p) => p.map((coordinate, k) => axes[k] * coordinate)));
}
