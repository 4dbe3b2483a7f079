/**
 * Signed distance of two shapes of which at least one is a cylinder, a cone or an ellipsoid: the minimum over all
 * directions of the support function h of their difference body, negated.
 *
 * 1. Starts: normals of facets and discs, the line between the positions, and directions of a coarse grid. The best few
 *    that are well separated are polished by Newton steps.
 * 2. If the shapes are apart, h has one minimum. A point of the body that is equally near to the origin proves that it
 *    was found.
 * 3. Otherwise branch and bound over all directions, with Newton steps from any value below the best so far, until no
 *    direction can be lower by more than a tolerance, or the budget is spent. The result is a lower bound of the signed
 *    distance; `high` contains what the budget left open.
 *
 * The exhaustive search is branch and bound alone, down to a coarser tolerance. It checks starts, Newton steps and
 * witnesses.
 */

import { coverSphere, witnessOf, type Covered } from './cover.ts';
import { createSupport, differenceBody, supportOf, type DifferenceBody } from './difference-body.ts';
import { polish, type Minimum } from './polish.ts';
import { rotate, type OracleCurved, type OraclePolytope, type OraclePose, type Vector } from './shape.ts';
import type { OracleOptions, OracleResult } from './result.ts';

/** As shares of max(s, |B - A|); the budgets are numbers of triangles. */
const TOLERANCE = 1e-9;
const BUDGET = 50_000;
const EXHAUSTIVE_TOLERANCE = 1e-6;
const EXHAUSTIVE_BUDGET = 1_000_000;
/** How close the bounds must be when the shapes are apart. */
const PROVEN_GAP = 1e-11;

const STARTS = 4;
/** Cosine of the least angle between two starts. */
const SEPARATE = 0.97;

/** The 26 neighbours of a cell of a cubic grid. */
const GRID = [-1, 0, 1]
  .flatMap((x) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z) => [x, y, z])))
  .filter((v) => v.some((x) => x !== 0))
  .map((v) => v.map((x) => x / Math.hypot(...v)) as Vector);

const support = createSupport();

export function curvedDistance(
  shapeA: OracleCurved | OraclePolytope,
  poseA: OraclePose,
  shapeB: OracleCurved | OraclePolytope,
  poseB: OraclePose,
  { exhaustive = false }: OracleOptions,
): OracleResult {
  const body = differenceBody(shapeA, poseA, shapeB, poseB);
  const { best, proven } = exhaustive ? coverSphere(body, [], EXHAUSTIVE_TOLERANCE, EXHAUSTIVE_BUDGET) : search(body);
  const radii = shapeA.radius * (poseA.scale ?? 1) + shapeB.radius * (poseB.scale ?? 1);
  const distance = -best.value * body.unit - radii;
  return { distance, normal: rotate(body.rotationA, best.n), low: distance, high: -proven * body.unit - radii };
}

function search(body: DifferenceBody): Covered {
  const minima = starts(body)
    .map((n) => polish(body, n))
    .sort((p, q) => p.value - q.value);
  const [best] = minima;
  if (best.value < 0) {
    const proven = -Math.hypot(...witnessOf(body, best));
    if (proven >= best.value - PROVEN_GAP) return { best, proven };
  }
  return coverSphere(body, minima, TOLERANCE, BUDGET);
}

/** The lowest few directions that are well separated. */
function starts(body: DifferenceBody): Vector[] {
  const { normals } = body;
  const candidates: Minimum[] = [];
  const addCandidate = (n: Vector): void => {
    candidates.push({ n, value: supportOf(body, ...n, support).value });
  };
  for (let i = 0; i < normals.length; i += 3) addCandidate([normals[i], normals[i + 1], normals[i + 2]]);
  GRID.forEach(addCandidate);
  candidates.sort((p, q) => p.value - q.value);
  const chosen: Vector[] = [];
  for (const { n } of candidates) {
    const isNew = chosen.every((other) => n[0] * other[0] + n[1] * other[1] + n[2] * other[2] < SEPARATE);
    if (isNew && chosen.push(n) === STARTS) break;
  }
  return chosen;
}
