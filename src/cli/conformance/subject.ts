/** A family with the truth about its pairs, found once and shared by all engines. */

import type { Family } from '../../../test/families.ts';
import type { OracleShape } from '../../../test/oracle/index.ts';
import { Status, type Algorithm } from '../../types.ts';
import { distanceErrors, TOLERANCE, type DistanceErrors } from './errors.ts';
import { oracleDistance, oracleShapes, pairSizes, referenceDistances } from './truth.ts';

export interface Subject {
  family: Family;
  pairs: number;
  /** SAT and GJK where all shapes are boxes, otherwise what the package takes by itself. */
  algorithms: readonly Algorithm[];
  shapes: OracleShape[];
  /** max(s, |B - A|) of each pair. */
  sizes: Float64Array;
  /** Signed distance of each pair: by the oracle where `byOracle` is 1, otherwise by the reference. */
  truth: Float64Array;
  byOracle: Uint8Array;
  judged: number;
  /** The reference against the oracle, on the judged pairs. */
  reference: DistanceErrors;
}

/** Judges the first `judged` pairs by the oracle, and those besides that the reference did not converge on. */
export function makeSubject(family: Family, judged: number): Subject {
  const pairs = family.pairs.length / 2;
  const shapes = oracleShapes(family);
  const sizes = pairSizes(family, shapes);
  const found = referenceDistances(family, pairs);
  const truth = found.distance.slice();
  const byOracle = new Uint8Array(pairs);
  const first = Math.min(judged, pairs);
  for (let pair = 0; pair < pairs; pair++) {
    if (pair >= first && found.status[pair] !== Status.NotConverged) continue;
    truth[pair] = oracleDistance(family, shapes, pair);
    byOracle[pair] = 1;
  }
  return {
    family,
    pairs,
    algorithms: family.shapes.every(({ type }) => type === 'box') ? ['sat', 'gjk'] : ['auto'],
    shapes,
    sizes,
    truth,
    byOracle,
    judged: byOracle.reduce((sum, one) => sum + one, 0),
    reference: distanceErrors(found, truth, sizes, first, TOLERANCE.reference),
  };
}
