/** What a manifold promises, checked by the oracle. */

import type { ManifoldPoint } from '../../src/api/types.ts';
import { F32_ROUNDING } from '../../src/shapes/tolerances.ts';
import { oracleShape, pairSize, signedDistance } from '../../verification/oracle/index.ts';
import type { FamilyPair } from '../../verification/families/test-pairs.ts';

export interface FoundManifold {
  normal: ArrayLike<number>;
  /** Only manifolds of testers have this. */
  contactDistance?: number;
  points: readonly ManifoldPoint[];
}

/** Corners that are less deep by less, as a share of the sum of the bounding radii, are as good as the deepest. */
const LEVEL = 1e-4;

export interface FoundContact {
  hit: boolean;
  distance: number;
  normal: ArrayLike<number>;
}

const POINT = oracleShape({ type: 'sphere', radius: 0 });
const UNTURNED = [0, 0, 0, 1];

/**
 * What is wrong with the manifold of a pair whose contact is known. `tolerance` is a share of the pair's size;
 * positions that went through f32 carry the rounding of their coordinates besides; contacts of curved pairs may be
 * known less well.
 */
export function manifoldFaults(
  pair: FamilyPair,
  found: FoundManifold,
  contact: FoundContact,
  margin: number,
  tolerance: number,
  isSingle: boolean,
  contactTolerance = tolerance,
): string[] {
  const { a, b, poseA, poseB, size, index } = pair;
  const { points, normal } = found;
  const t = tolerance * size;
  const faults: string[] = [];
  const fault = (text: string): void => void faults.push(`pair ${index}: ${text}`);
  for (let k = 0; k < 3; k++)
    if (!Object.is(normal[k] + 0, contact.normal[k] + 0))
      fault(`normal ${Array.from(normal)}, the contact's ${Array.from(contact.normal)}`);
  if (found.contactDistance !== undefined && found.contactDistance !== contact.distance)
    fault(`contactDistance ${found.contactDistance}, contact ${contact.distance}`);
  if (!contact.hit) {
    if (points.length > 0) fault(`${points.length} points of a pair that is no hit`);
    return faults;
  }
  if (points.length === 0 || points.length > 4) fault(`${points.length} points of a hit`);
  const deepest = Math.min(...points.map(({ distance }) => distance));
  const contactT = contactTolerance * size;
  if (!(points[0]?.distance <= deepest + t)) fault(`first point ${points[0]?.distance}, another ${deepest}`);
  if (!(deepest >= contact.distance - contactT))
    fault(`deepest point ${deepest}, contact ${contact.distance}, t = ${contactT}`);
  // Four of more corners need not have the very deepest.
  const level = points.length < 3 ? 0 : LEVEL * pairSize(a, poseA, b, poseB);
  if (!(deepest <= contact.distance + level + contactT))
    fault(`deepest point ${deepest}, contact ${contact.distance}, t = ${contactT}`);
  points.forEach(({ position, distance, feature }, i) => {
    if (!(distance <= margin)) fault(`distance ${distance} beyond the margin`);
    const other = position.map((x, k) => x + distance * normal[k]);
    const rounding = isSingle ? 4 * F32_ROUNDING * (norm(position) + norm(other) + norm(poseA.position)) : 0;
    const offA = signedDistance(a, poseA, POINT, { position, quaternion: UNTURNED }).distance;
    const offB = signedDistance(b, poseB, POINT, { position: other, quaternion: UNTURNED }).distance;
    if (!(Math.abs(offA) <= t + rounding)) fault(`point ${i} (${feature.toString(16)}) is ${offA} off A, t = ${t}`);
    if (!(Math.abs(offB) <= t + rounding)) fault(`point ${i} (${feature.toString(16)}) is ${offB} off B, t = ${t}`);
    for (const earlier of points.slice(0, i)) {
      if (norm(position.map((x, k) => x - earlier.position[k])) === 0) fault(`point ${i} is there twice`);
      if (feature === earlier.feature)
        fault(`points ${points.indexOf(earlier)} and ${i} have the feature ${feature.toString(16)} both`);
    }
  });
  return faults;
}

function norm(v: ArrayLike<number>): number {
  return Math.hypot(v[0], v[1], v[2]);
}
