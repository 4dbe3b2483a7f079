/** Families in the form that the brute-force oracle takes. */

import type { Family } from '../families/families.ts';
import { poseOf } from '../families/families.ts';
import { oracleShape, signedDistance, type OraclePose, type OracleShape } from './index.ts';

/** One pair. */
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
  return {
    a: shapes[bodies.shapes[a]],
    poseA: poseOf(family, a),
    b: shapes[bodies.shapes[b]],
    poseB: poseOf(family, b),
  };
}

export function oracleDistance(family: Family, shapes: readonly OracleShape[], pair: number): number {
  const { a, poseA, b, poseB } = oraclePair(family, shapes, pair);
  return signedDistance(a, poseA, b, poseB).distance;
}
