/**
 * Mirror of shaders/newton.wgsl: nearest points of two cores that are boxes, segments or points, by a projected Newton
 * method.
 */
import {
  GJK_EXIT_ULPS,
  GJK_TOUCH_ULPS,
  NEWTON_CONVERGED,
  NEWTON_DAMPING_ULPS,
  NEWTON_HALF_STEP,
  NEWTON_HOLDING_STEP,
  NEWTON_MAX_ITERATIONS,
  NEWTON_NEAR,
  NEWTON_OPEN,
  NEWTON_PARALLEL_ULPS,
  NEWTON_SKEW_ULPS,
} from '../generated/constants.ts';
import { EPSILON, type Mat3, type Vec3, set, vec3 } from './math.ts';
import type { Pair } from './pair.ts';
import { recorder } from './recorder.ts';

export interface NewtonResult {
  /** How it ended: `NEWTON_`. */
  state: number;
  iterations: number;
  /** The cores' distance if it converged, to rounding: what supports along `normal` are apart. */
  lower: number;
  /** Unit vector from A to B, in A's frame. */
  normal: Vec3;
  /** Nearest points, in A's frame. */
  onA: Vec3;
  onB: Vec3;
}

export function createNewtonResult(): NewtonResult {
  return { state: NEWTON_OPEN, iterations: 0, lower: 0, normal: vec3(), onA: vec3(), onB: vec3() };
}

const EXIT = GJK_EXIT_ULPS * EPSILON;
const TOUCH = GJK_TOUCH_ULPS * EPSILON;
const DAMPING = NEWTON_DAMPING_ULPS * EPSILON;
const SKEW = NEWTON_SKEW_ULPS * EPSILON;
const PARALLEL = NEWTON_PARALLEL_ULPS * EPSILON;

/** The point in B's frame, the same in A's, and the vector to it from the nearest point of A. */
const x = new Float64Array(3);
const onB = new Float64Array(3);
const e = new Float64Array(3);
const gradient = new Float64Array(3);
const isFree = [false, false, false];
/** What freeColumns leaves of the rotation. */
const columns = new Float64Array(9);
const step = new Float64Array(3);
const normal = new Float64Array(3);

/** Ends early once the distance is known to be at most `near`. */
export function newton(pair: Pair, near: number, result: NewtonResult): NewtonResult {
  const r = pair.rotation;
  const t = pair.translation;
  const sizeA = pair.coreA.halfExtents;
  const sizeB = pair.coreB.halfExtents;
  const least = Math.max(near, TOUCH);
  for (let i = 0; i < 3; i++) x[i] = clamp(-(t.x * r[3 * i] + t.y * r[3 * i + 1] + t.z * r[3 * i + 2]), sizeB[i]);
  moveTo(r, t, sizeA);
  let iterations = 1;
  for (; iterations < NEWTON_MAX_ITERATIONS; iterations++) {
    if (recorder) recorder.newton(pair, iterations, onB, e);
    const squared = dot(e, 0, e, 0);
    let gain = 0;
    for (let i = 0; i < 3; i++) {
      gradient[i] = dot(e, 0, r, 3 * i);
      gain += Math.abs(gradient[i]) * sizeB[i] + gradient[i] * x[i];
    }
    if (squared <= least * least || gain * gain <= EXIT * EXIT * squared) break;
    for (let i = 0; i < 3; i++)
      isFree[i] = Math.abs(x[i]) < sizeB[i] || (gradient[i] * x[i] > 0 && iterations !== NEWTON_HOLDING_STEP);
    newtonStep(r);
    for (let i = 0; i < 3; i++) {
      const next = clamp(x[i] + step[i], sizeB[i]);
      x[i] = iterations === NEWTON_HALF_STEP ? 0.5 * (x[i] + next) : next;
    }
    moveTo(r, t, sizeA);
  }

  result.iterations = iterations;
  set(onB[0] - e[0], onB[1] - e[1], onB[2] - e[2], result.onA);
  set(onB[0], onB[1], onB[2], result.onB);
  result.state = NEWTON_NEAR;
  const upper = Math.sqrt(dot(e, 0, e, 0));
  if (upper > least) {
    for (let i = 0; i < 3; i++) isFree[i] = Math.abs(x[i]) < sizeB[i];
    perpendicularPart(r);
    let lower = normal[0] * t.x + normal[1] * t.y + normal[2] * t.z;
    for (let i = 0; i < 3; i++) lower -= Math.abs(normal[i]) * sizeA[i] + Math.abs(dot(normal, 0, r, 3 * i)) * sizeB[i];
    result.lower = lower;
    set(normal[0], normal[1], normal[2], result.normal);
    // Bounds meet by the square of the angle between e and the normal, so that the points are asked for themselves.
    let skew = 0;
    for (let k = 0; k < 3; k++) skew += (e[k] - normal[k] * upper) ** 2;
    result.state = upper - lower <= EXIT && skew <= SKEW * SKEW ? NEWTON_CONVERGED : NEWTON_OPEN;
  }
  return result;
}

/** Sets `onB` and `e` from `x`. */
function moveTo(r: Mat3, t: Vec3, sizeA: Float64Array): void {
  onB[0] = r[0] * x[0] + r[3] * x[1] + r[6] * x[2] + t.x;
  onB[1] = r[1] * x[0] + r[4] * x[1] + r[7] * x[2] + t.y;
  onB[2] = r[2] * x[0] + r[5] * x[1] + r[8] * x[2] + t.z;
  for (let i = 0; i < 3; i++) e[i] = onB[i] - clamp(onB[i], sizeA[i]);
}

/** Sets `columns` to those of the rotation that are free, as far as `e` has components that are not zero. */
function freeColumns(rotation: Mat3): void {
  for (let i = 0; i < 9; i++) columns[i] = isFree[Math.floor(i / 3)] && e[i % 3] !== 0 ? rotation[i] : 0;
}

/** Sets `step` to the least-squares solution of columns * step = -e. */
function newtonStep(rotation: Mat3): void {
  freeColumns(rotation);
  const c = columns;
  const d0 = dot(c, 0, c, 0) + DAMPING;
  const l10 = dot(c, 0, c, 3) / d0;
  const l20 = dot(c, 0, c, 6) / d0;
  const d1 = Math.max(dot(c, 3, c, 3) + DAMPING - l10 * l10 * d0, DAMPING);
  const l21 = (dot(c, 3, c, 6) - l20 * l10 * d0) / d1;
  const d2 = Math.max(dot(c, 6, c, 6) + DAMPING - l20 * l20 * d0 - l21 * l21 * d1, DAMPING);
  const y0 = -dot(c, 0, e, 0);
  const y1 = -dot(c, 3, e, 0) - l10 * y0;
  const y2 = -dot(c, 6, e, 0) - l20 * y0 - l21 * y1;
  step[2] = y2 / d2;
  step[1] = y1 / d1 - l21 * step[2];
  step[0] = y0 / d0 - l10 * step[1] - l20 * step[2];
}

/** Sets `normal` to the unit vector along e without what rounding left of it along the free columns. */
function perpendicularPart(rotation: Mat3): void {
  freeColumns(rotation);
  for (let i = 0; i < 9; i += 3) {
    for (let k = 0; k < i; k += 3) removeAlong(columns, k, columns, i);
    const squared = dot(columns, i, columns, i);
    const scale = squared > PARALLEL * PARALLEL ? 1 / Math.sqrt(squared) : 0;
    for (let k = 0; k < 3; k++) columns[i + k] *= scale;
  }
  for (let k = 0; k < 3; k++) normal[k] = e[k];
  for (let i = 0; i < 9; i += 3) removeAlong(columns, i, normal, 0);
  const length = Math.max(Math.sqrt(dot(normal, 0, normal, 0)), 1e-30);
  for (let k = 0; k < 3; k++) normal[k] /= length;
}

/** Takes away from the vector at `b` of `v` its part along the one at `a` of `u`, a unit vector or zero. */
function removeAlong(u: Float64Array, a: number, v: Float64Array, b: number): void {
  const along = dot(u, a, v, b);
  for (let k = 0; k < 3; k++) v[b + k] -= u[a + k] * along;
}

/** The dot product of the vector at `a` in `u` and the one at `b` in `v`. */
function dot(u: Float64Array, a: number, v: Float64Array, b: number): number {
  return u[a] * v[b] + u[a + 1] * v[b + 1] + u[a + 2] * v[b + 2];
}

function clamp(value: number, size: number): number {
  return Math.min(Math.max(value, -size), size);
}
