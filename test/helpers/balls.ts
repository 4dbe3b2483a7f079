/**
 * Balls in a row whose distances are known exactly: any number of pairs with an analytic answer each, and no pair near
 * the boundary of a decision.
 */

import type { ShapeDescription } from '../../src/api/shapes.ts';
import type { PosedBodies } from '../../src/api/types.ts';

const BODIES = 4096;
const SPACING = 0.25;
const RADIUS = 0.4375;

export const ballShapes: readonly ShapeDescription[] = [{ type: 'sphere', radius: RADIUS }];

export const balls: PosedBodies = {
  shapes: new Uint32Array(BODIES),
  positions: Float32Array.from({ length: 3 * BODIES }, (_, i) => (i % 3 === 0 ? (SPACING * i) / 3 : 0)),
  quaternions: Float32Array.from({ length: 4 * BODIES }, (_, i) => (i % 4 === 3 ? 1 : 0)),
};

/** Pair i is a ball and the one 1 to 6 places farther on, in no obvious order: half of them overlap. */
export function ballPairs(count: number): Uint32Array {
  const pairs = new Uint32Array(2 * count);
  for (let i = 0; i < count; i++) {
    const mixed = Math.imul(i ^ (i >>> 7), 0x9e37_79b1) >>> 0;
    const a = mixed % (BODIES - 6);
    pairs[2 * i] = a;
    pairs[2 * i + 1] = a + 1 + ((mixed >>> 13) % 6);
  }
  return pairs;
}

/** The signed distance of a pair: -0.625, -0.375, -0.125, 0.125, 0.375 or 0.625. */
export function ballDistance(pairs: Uint32Array, pair: number): number {
  return (pairs[2 * pair + 1] - pairs[2 * pair]) * SPACING - 2 * RADIUS;
}

/** The pairs that overlap, ascending. */
export function overlappingBalls(pairs: Uint32Array): Uint32Array {
  const hits: number[] = [];
  for (let pair = 0; pair < pairs.length / 2; pair++) if (ballDistance(pairs, pair) < 0) hits.push(pair);
  return Uint32Array.from(hits);
}
