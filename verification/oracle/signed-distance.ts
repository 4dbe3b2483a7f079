/**
 * Signed distance of two convex shapes in double precision: of polytopes by brute force, of a half-space by the support
 * of the other shape, and of cylinders, cones or ellipsoids by a search over directions.
 */

import { curvedDistance } from './curved.ts';
import { polytopeDistance } from './polytopes.ts';
import type { OracleOptions, OracleResult } from './result.ts';
import {
  rotate,
  rotationMatrix,
  supportFromCentre,
  type OracleCurved,
  type OracleHalfspace,
  type OraclePolytope,
  type OraclePose,
  type OracleShape,
} from './shape.ts';

/** Throws for two half-spaces, which have no signed distance. */
export function signedDistance(
  shapeA: OracleShape,
  poseA: OraclePose,
  shapeB: OracleShape,
  poseB: OraclePose,
  options: OracleOptions = {},
): OracleResult {
  if (shapeA.kind === 'halfspace' || shapeB.kind === 'halfspace') {
    if (shapeA.kind !== 'halfspace') return flipped(halfspaceDistance(shapeB as OracleHalfspace, poseB, shapeA, poseA));
    if (shapeB.kind === 'halfspace') throw new Error('two half-spaces have no signed distance');
    return halfspaceDistance(shapeA, poseA, shapeB, poseB);
  }
  if (shapeA.kind === 'polytope' && shapeB.kind === 'polytope')
    return polytopeDistance(shapeA, poseA, shapeB, poseB, options);
  return curvedDistance(shapeA, poseA, shapeB, poseB, options);
}

/** The separation along the half-space's own normal. Along other directions there is none. */
function halfspaceDistance(
  halfspace: OracleHalfspace,
  poseA: OraclePose,
  b: OraclePolytope | OracleCurved,
  poseB: OraclePose,
): OracleResult {
  const normal = rotate(rotationMatrix(poseA.quaternion), halfspace.normal);
  const height = [0, 1, 2].reduce((sum, k) => sum + normal[k] * (poseB.position[k] - poseA.position[k]), 0);
  const lowest = supportFromCentre(
    b,
    poseB,
    normal.map((x) => -x),
  );
  return { distance: height - lowest - halfspace.offset * (poseA.scale ?? 1), normal };
}

function flipped({ distance, normal: [x, y, z] }: OracleResult): OracleResult {
  return { distance, normal: [-x, -y, -z] };
}
