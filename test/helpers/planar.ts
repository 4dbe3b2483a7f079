/** The planar reference judged by the oracle, pair by pair of a family: every query with an algorithm and a margin. */

import { planar, Status, type CpuOptions } from '../../src/cpu.ts';
import { TOLERANCE } from '../../src/shapes/tolerances.ts';
import { judgePlanarContact, judgePlanarManifold, judgePlanarStatus } from '../../verification/judges/planar-judge.ts';
import { planarSignedDistance } from '../../verification/oracle/planar.ts';
import {
  planarPairsOf,
  type PlanarFamily,
  type PlanarFamilyPair,
} from '../../verification/families/planar-families.ts';

export const planarQueries = ['intersects', 'distances', 'contacts', 'manifolds'] as const;
type PlanarQuery = (typeof planarQueries)[number];

export interface PlanarSubject extends PlanarFamilyPair {
  truth: number;
  shapes: readonly [planar.CpuPlanarShape, planar.CpuPlanarShape];
}

/** A family's pairs with the true signed distance of each. */
export function planarSubjects(family: PlanarFamily): PlanarSubject[] {
  const shapes = family.shapes.map((shape) => planar.createShape(shape));
  return planarPairsOf(family).map((pair) => ({
    ...pair,
    truth: planarSignedDistance(pair.a, pair.poseA, pair.b, pair.poseB).distance,
    shapes: [shapes[pair.shapeA], shapes[pair.shapeB]],
  }));
}

export type PlanarOptions = Pick<CpuOptions, 'algorithm' | 'mprDepth'> & { margin: number };

/** What is wrong with the reference's answer, in words, and its status. `k` is the contract's factor. */
export function judgePlanarReference(
  query: PlanarQuery,
  subject: PlanarSubject,
  options: PlanarOptions,
  k: number = TOLERANCE.reference,
): { faults: string[]; status: Status } {
  const { a, b, poseA, poseB, truth, size, shapes } = subject;
  const [shapeA, shapeB] = shapes;
  const { margin, algorithm } = options;
  const judged = { margin, truth, points: 'f64', isUpperBound: algorithm === 'mpr' } as const;
  if (query === 'intersects') {
    const found = planar.intersects(shapeA, poseA, shapeB, poseB, options);
    return { faults: judgePlanarStatus(found, truth, k * size, margin), status: found.status };
  }
  if (query === 'manifolds') {
    const found = planar.manifold(shapeA, poseA, shapeB, poseB, options);
    const { distance } = planar.contact(shapeA, poseA, shapeB, poseB, options);
    return { faults: judgePlanarManifold(a, poseA, b, poseB, found, distance, k, judged), status: found.status };
  }
  const found =
    query === 'contacts'
      ? planar.contact(shapeA, poseA, shapeB, poseB, options)
      : planar.distance(shapeA, poseA, shapeB, poseB, options);
  return { faults: judgePlanarContact(a, poseA, b, poseB, found, k, { ...judged, query }), status: found.status };
}

/** `'sat'` takes shapes of edges alone. */
export function takesAlgorithm({ shapes: [a, b] }: PlanarSubject, algorithm: PlanarOptions['algorithm']): boolean {
  return algorithm !== 'sat' || (a.takesSat && b.takesSat);
}
