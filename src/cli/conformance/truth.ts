/**
 * What is known of a family's pairs: signed distances by the double-precision reference and by the brute-force oracle,
 * and the sizes that errors are shares of.
 */

import type { Family } from '../../../test/families.ts';
import { poseOf } from '../../../test/families.ts';
import { oracleShape, pairSize, signedDistance, type OraclePose, type OracleShape } from '../../../test/oracle/index.ts';
import { contact, createShape } from '../../cpu/index.ts';
import type { Algorithm } from '../../types.ts';

/** What was answered, pair by pair. */
export interface Distances {
  distance: ArrayLike<number>;
  status: ArrayLike<number>;
}

/** One pair as the oracle takes it. */
export interface OraclePair {
  a: OracleShape;
  poseA: OraclePose;
  b: OracleShape;
  poseB: OraclePose;
}

export function oracleShapes({ shapes }: Family): OracleShape[] {
  return shapes.map(oracleShape);
}

export function oraclePair(family: Family, shapes: readonly OracleShape[], pair: number): OraclePair {
  const a = family.pairs[2 * pair];
  const b = family.pairs[2 * pair + 1];
  const { bodies } = family;
  return { a: shapes[bodies.shapes[a]], poseA: poseOf(family, a), b: shapes[bodies.shapes[b]], poseB: poseOf(family, b) };
}

/** max(s, |B - A|) of each pair. */
export function pairSizes(family: Family, shapes: readonly OracleShape[]): Float64Array {
  return Float64Array.from({ length: family.pairs.length / 2 }, (_, pair) => {
    const { a, poseA, b, poseB } = oraclePair(family, shapes, pair);
    const [p, q] = [poseA.position, poseB.position];
    return Math.max(pairSize(a, poseA, b, poseB), Math.hypot(q[0] - p[0], q[1] - p[1], q[2] - p[2]));
  });
}

export function oracleDistance(family: Family, shapes: readonly OracleShape[], pair: number): number {
  const { a, poseA, b, poseB } = oraclePair(family, shapes, pair);
  return signedDistance(a, poseA, b, poseB).distance;
}

/** Answers of the reference itself to the first `count` pairs; a tester would round them to f32. */
export function referenceDistances(family: Family, count: number, algorithm: Algorithm = 'auto'): { distance: Float64Array; status: Uint8Array } {
  const shapes = family.shapes.map(createShape);
  const { bodies, pairs } = family;
  const distance = new Float64Array(count);
  const status = new Uint8Array(count);
  for (let pair = 0; pair < count; pair++) {
    const [a, b] = [pairs[2 * pair], pairs[2 * pair + 1]];
    const answer = contact(shapes[bodies.shapes[a]], poseOf(family, a), shapes[bodies.shapes[b]], poseOf(family, b), { algorithm, margin: Infinity });
    distance[pair] = answer.distance;
    status[pair] = answer.status;
  }
  return { distance, status };
}
