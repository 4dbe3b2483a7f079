/**
 * Local minima of h, the support function of a difference body, over the unit sphere, by Newton steps.
 *
 * h is the maximum of smooth functions, one for each piece of A and each piece of -B, and its minima often lie where
 * several are equal. So a minimum is guessed by its active pieces: one of each core (a smooth minimum), two of one (an
 * edge, a cylinder's side, a cone's generator), three of one or two of each (which leave no freedom). Guesses use the
 * pieces that extend farthest. For each guess, h of the first pieces is minimised subject to the others being equal to
 * them: a Lagrange-Newton step on the tangent plane (Nocedal and Wright, "Numerical optimization", chapter 18), where
 * the second derivatives on the sphere are those of h minus h itself. A wrong guess does no harm, since only h itself
 * at the visited directions counts.
 */

import {
  createSupport,
  derivativesOf,
  farthestPieces,
  supportOf,
  type Derivatives,
  type DifferenceBody,
} from './difference-body.ts';
import type { Vector } from './shape.ts';

/** A direction and h there. */
export interface Minimum {
  n: Vector;
  value: number;
}

/** Numbers of active pieces of A and of -B. */
const GUESSES = [
  [1, 1],
  [2, 1],
  [1, 2],
  [2, 2],
  [3, 1],
  [1, 3],
] as const;
const MOST_ROUNDS = 20;
const MOST_STEPS = 12;
/**
 * Rounding error of h. Near a minimum h says little about the direction, so among equal values the later step is
 * better.
 */
const NOISE = 1e-15;
/** Radians. Second derivatives are not valid for longer steps. */
const LONGEST_STEP = 0.5;

const support = createSupport();

/** The lowest direction found from the unit vector `start`. */
export function polish(body: DifferenceBody, start: Vector): Minimum {
  let best: Minimum = { n: start, value: supportOf(body, ...start, support).value };
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = best.value;
    const piecesA = farthestPieces(body.a, best.n, 3);
    const piecesB = farthestPieces(body.b, best.n, 3);
    const from = best.n;
    for (const [countA, countB] of GUESSES) {
      if (countA > piecesA.length || countB > piecesB.length) continue;
      best = descend(body, from, piecesA.slice(0, countA), piecesB.slice(0, countB), best);
    }
    if (!(best.value < before - 1e-16)) break;
  }
  return best;
}

const [ofA, ofB, other] = [0, 1, 2].map(() => new Float64Array(10));
const constraints = [0, 1].map(() => new Float64Array(10));
const objective: Derivatives = new Float64Array(10);

/** Newton steps with the given pieces active. Returns the best visited direction if it is better than `best`. */
function descend(body: DifferenceBody, from: Vector, piecesA: number[], piecesB: number[], best: Minimum): Minimum {
  let n = from;
  for (let step = 0; step < MOST_STEPS; step++) {
    derivativesOf(body.a, piecesA[0], n, ofA);
    derivativesOf(body.b, piecesB[0], n, ofB);
    for (let k = 0; k < 10; k++) objective[k] = ofA[k] + ofB[k];
    let count = 0;
    for (const [side, pieces, first] of [
      [body.a, piecesA, ofA],
      [body.b, piecesB, ofB],
    ] as const)
      for (const piece of pieces.slice(1)) {
        derivativesOf(side, piece, n, other);
        for (let k = 0; k < 10; k++) constraints[count][k] = first[k] - other[k];
        count++;
      }
    const [t1, t2] = tangents(n);
    const u = newtonStep(count, t1, t2);
    const length = Math.hypot(u[0], u[1]);
    if (!(length > 0 && length < Infinity)) break;
    const factor = Math.min(1, LONGEST_STEP / length);
    const moved = n.map((x, k) => x + factor * (u[0] * t1[k] + u[1] * t2[k])) as Vector;
    const norm = Math.hypot(...moved);
    n = moved.map((x) => x / norm) as Vector;
    const { value } = supportOf(body, ...n, support);
    if (value < best.value + NOISE) best = { n, value };
    if (length < 1e-15) break;
  }
  return best;
}

/** A step in coordinates along two tangents, for the objective and the first `count` constraints. */
function newtonStep(count: number, t1: Vector, t2: Vector): [number, number] {
  const g = slope(objective, t1, t2);
  if (count === 0) {
    const w = bend(objective, t1, t2);
    return solveDownhill(w, g);
  }
  const a = slope(constraints[0], t1, t2);
  if (count === 2) {
    const b = slope(constraints[1], t1, t2);
    const determinant = a[0] * b[1] - a[1] * b[0];
    const [p, q] = [-constraints[0][0], -constraints[1][0]];
    return [(p * b[1] - q * a[1]) / determinant, (a[0] * q - b[0] * p) / determinant];
  }
  const squared = a[0] * a[0] + a[1] * a[1];
  const multiplier = (a[0] * g[0] + a[1] * g[1]) / squared;
  const ofObjective = bend(objective, t1, t2);
  const ofConstraint = bend(constraints[0], t1, t2);
  const w = ofObjective.map((x, k) => x - multiplier * ofConstraint[k]);
  // To the curve on which both are equal, and along it.
  const across = -constraints[0][0] / squared;
  const size = Math.sqrt(squared);
  const along = [-a[1] / size, a[0] / size];
  const turned = [w[0] * along[0] + w[1] * along[1], w[1] * along[0] + w[2] * along[1]];
  const curvature = turned[0] * along[0] + turned[1] * along[1];
  const downhill = g[0] * along[0] + g[1] * along[1] + across * (turned[0] * a[0] + turned[1] * a[1]);
  const length = -downhill / Math.max(Math.abs(curvature), 1e-14);
  return [across * a[0] + length * along[0], across * a[1] + length * along[1]];
}

/** Minus the gradient over the second derivatives, which are made positive so that the step leads down. */
function solveDownhill([xx, xy, yy]: number[], [gx, gy]: number[]): [number, number] {
  const mean = (xx + yy) / 2;
  const half = (xx - yy) / 2;
  const spread = Math.hypot(half, xy);
  const low = Math.max(Math.abs(mean - spread), 1e-14);
  const high = Math.max(Math.abs(mean + spread), 1e-14);
  // Unit vector along which the second derivative is greatest.
  const [vx, vy] = half >= 0 ? [half + spread, xy] : [xy, spread - half];
  const size = Math.hypot(vx, vy);
  const [cx, cy] = size > 0 ? [vx / size, vy / size] : [1, 0];
  const p = -(gx * cx + gy * cy) / high;
  const q = -(gy * cx - gx * cy) / low;
  return [p * cx - q * cy, p * cy + q * cx];
}

function slope(d: Derivatives, t1: Vector, t2: Vector): number[] {
  return [d[1] * t1[0] + d[2] * t1[1] + d[3] * t1[2], d[1] * t2[0] + d[2] * t2[1] + d[3] * t2[2]];
}

/** Second derivatives on the sphere: 11, 12, 22. */
function bend(d: Derivatives, t1: Vector, t2: Vector): number[] {
  const form = (p: Vector, q: Vector): number =>
    d[4] * p[0] * q[0] +
    d[5] * p[1] * q[1] +
    d[6] * p[2] * q[2] +
    d[7] * (p[0] * q[1] + p[1] * q[0]) +
    d[8] * (p[0] * q[2] + p[2] * q[0]) +
    d[9] * (p[1] * q[2] + p[2] * q[1]);
  return [form(t1, t1) - d[0], form(t1, t2), form(t2, t2) - d[0]];
}

/** Two unit vectors that form a right-handed frame with n. */
export function tangents([x, y, z]: Vector): [Vector, Vector] {
  // Duff et al. 2017, "Building an orthonormal basis, revisited".
  const sign = z >= 0 ? 1 : -1;
  const a = -1 / (sign + z);
  const b = x * y * a;
  return [
    [1 + sign * x * x * a, sign * b, -sign * x],
    [b, sign + y * y * a, -y],
  ];
}
