/** Rays among the bodies of a scene of the broad phase. */
import type { Rays } from '../../src/api/types.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';

/** Some rays have no radius, and one in four meets only some groups. */
export function makeRays(count: number, seed: number): Required<Rays> {
  const random = createRandom(seed);
  const numbers = (length: number, low: number, high: number): Float32Array =>
    Float32Array.from({ length }, () => uniform(random, low, high));
  return {
    origins: numbers(3 * count, -2, 9),
    directions: numbers(3 * count, -1, 1),
    maxTimes: numbers(count, 0, 20),
    radii: numbers(count, -0.2, 0.2).map((radius) => Math.max(radius, 0)),
    groups: Uint32Array.from({ length: count }, (_, ray) => (ray % 4 === 0 ? 0x0001_0001 : 0xffff_ffff)),
  };
}
