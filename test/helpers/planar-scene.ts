/** 2-D bodies for the broad phase. */
import type { PlanarScene } from './broad-phase.ts';
import { createRandom, uniform } from '../../verification/families/random.ts';

const SHAPES = [
  { type: 'circle', radius: 0.4 },
  { type: 'rectangle', halfExtents: [0.5, 0.2] },
  { type: 'capsule', halfHeight: 0.4, radius: 0.1 },
  { type: 'polygon', points: [0.5, 0, 0, 0.4, -0.3, -0.3], radius: 0.05 },
] as const satisfies PlanarScene['shapes'];

/** Sizes are from `least` to 1, evenly in their logarithms. */
export function planarScene(count: number, seed: number, least = 1) {
  const random = createRandom(seed);
  const numbers = (length: number, low: number, high: number): Float32Array =>
    Float32Array.from({ length }, () => uniform(random, low, high));
  const bodies = {
    shapes: Uint32Array.from({ length: count }, (_, i) => i % SHAPES.length),
    positions: numbers(2 * count, 0, 0.55 * Math.sqrt(count)),
    angles: numbers(count, -3, 3),
    scales: numbers(count, 0, 1).map((x) => least ** x),
  };
  return { shapes: SHAPES, bodies };
}
