/** A family with the true distances of its pairs, computed once and used to judge all engines. */

import type { Family } from '../../verification/families/families.ts';
import { oracleError, type OracleShape } from '../../verification/oracle/index.ts';
import type { Scene } from '../scene/scene.ts';
import { toleranceOf } from '../../src/shapes/tolerances.ts';
import { Status, type Algorithm } from '../../src/api/types.ts';
import {
  askReference,
  createReference,
  setKnownDistance,
  poseOfPair,
  type Reference,
} from '../../verification/judges/reference.ts';
import { distanceErrors, type DistanceErrors } from '../../verification/statistics/distance-errors.ts';
import { judgedBodies } from '../../verification/families/judged-bodies.ts';
import { oracleDistance, oraclePair, oracleShapes } from '../../verification/oracle/family-oracle.ts';

export interface JudgedFamily {
  family: Family;
  scene: Scene;
  pairs: number;
  /** SAT and GJK if all shapes are boxes, otherwise `auto`. */
  algorithms: readonly Algorithm[];
  shapes: OracleShape[];
  /** The answer of the reference for each pair. */
  reference: { status: Uint8Array; distance: Float64Array; lower: Float64Array; upper: Float64Array };
  /** Signed distance of each pair by the oracle, if its `byOracle` is 1. */
  truth: Float64Array;
  byOracle: Uint8Array;
  judged: number;
  /** Errors of the reference on the pairs that the oracle judged. */
  errors: DistanceErrors;
  /** Number of pairs for which the reference has no answer. */
  unanswered: number;
}

/** For the judges, and for the scene files of the pairs that are listed. */
function familyScene(family: Family): Scene {
  const { name, shapes, pairs } = family;
  return { name, shapes, ...judgedBodies(family), bodyNames: new Map(), pairs, allowed: [] };
}

/** The oracle judges the first `judged` pairs, and all pairs for which the reference has no answer. */
export function makeJudgedFamily(family: Family, judged: number): JudgedFamily {
  const pairs = family.pairs.length / 2;
  const scene = familyScene(family);
  const shapes = oracleShapes(family);
  const numbers = (): Float64Array => new Float64Array(pairs);
  const found = { status: new Uint8Array(pairs), distance: numbers(), lower: numbers(), upper: numbers() };
  const sizes = numbers();
  const truth = numbers();
  const byOracle = new Uint8Array(pairs);
  const posedPair = createReference();
  const first = Math.min(judged, pairs);
  let unanswered = 0;
  for (let pair = 0; pair < pairs; pair++) {
    poseOfPair(scene, family.pairs[2 * pair], family.pairs[2 * pair + 1], posedPair);
    sizes[pair] = posedPair.size;
    const result = askReference(posedPair);
    for (const part of ['status', 'distance', 'lower', 'upper'] as const) found[part][pair] = result[part];
    const hasAnswer = result.status === Status.Separated || result.status === Status.Overlapping;
    if (!hasAnswer) unanswered++;
    if (pair >= first && hasAnswer) continue;
    truth[pair] = oracleDistance(family, shapes, pair);
    byOracle[pair] = 1;
  }
  return {
    family,
    scene,
    pairs,
    algorithms: family.shapes.every(({ type }) => type === 'box') ? ['sat', 'gjk'] : ['auto'],
    shapes,
    reference: found,
    truth,
    byOracle,
    judged: byOracle.reduce((sum, one) => sum + one, 0),
    errors: distanceErrors(found, truth, sizes, first, (pair) => {
      const [kindA, kindB] = [0, 1].map(
        (side) => scene.shapeData[family.bodies.shapes[family.pairs[2 * pair + side]]].kind,
      );
      return toleranceOf('reference', kindA, kindB, truth[pair] <= 0);
    }),
    unanswered,
  };
}

/** Fills in a pair and its known distance: by the oracle if it judged the pair, otherwise by the reference. */
export function loadPair(
  { family, scene, shapes, reference, truth, byOracle }: JudgedFamily,
  pair: number,
  to: Reference,
): void {
  poseOfPair(scene, family.pairs[2 * pair], family.pairs[2 * pair + 1], to);
  if (byOracle[pair]) {
    const { a, b } = oraclePair(family, shapes, pair);
    const error = oracleError(a, b) * to.size;
    Object.assign(to.known, {
      hasAnswer: true,
      low: truth[pair],
      high: truth[pair],
      lower: truth[pair] - error,
      upper: truth[pair] + error,
    });
  } else {
    setKnownDistance(
      {
        status: reference.status[pair] as Status,
        distance: reference.distance[pair],
        lower: reference.lower[pair],
        upper: reference.upper[pair],
      },
      to.known,
    );
  }
}
