/** Mirror of shaders/planar/gjk.wgsl: distance of two convex cores in 2-D. */
import {
  GJK_EXIT_ULPS,
  GJK_MAX_IDLE,
  GJK_MAX_ITERATIONS,
  GJK_TOUCH_ULPS,
  PLANAR_GJK_CONVERGED,
  PLANAR_GJK_ENCLOSED,
  PLANAR_GJK_FAR,
  PLANAR_GJK_NEAR,
  PLANAR_GJK_STALLED,
  PLANAR_GJK_TOUCHING,
} from '../../generated/constants.ts';
import { EPSILON, type Vec2, copy, directionOf, dot, length, set, vec2 } from './math.ts';
import type { PlanarPair } from './pair.ts';
import { recorder } from './recorder.ts';
import { type Simplex, append, copySimplex, createSimplex, createSimplexStep, nearestOnSimplex } from './simplex.ts';
import { createPoint, copyPoint, differenceSupport } from './support.ts';

export interface GjkResult {
  /** One of the `PLANAR_GJK_` states. */
  state: number;
  iterations: number;
  /** Bounds of the cores' distance; `upper` is 0 when the simplex encloses the origin. */
  lower: number;
  upper: number;
  /** Unit vector from A to B that gave `lower`, in A's frame. */
  normal: Vec2;
  simplex: Simplex;
}

export function createGjkResult(): GjkResult {
  return { state: PLANAR_GJK_STALLED, iterations: 0, lower: 0, upper: 0, normal: vec2(), simplex: createSimplex() };
}

const next = createPoint();
const step = createSimplexStep();
const before = createSimplex();
const normal = vec2();

/**
 * Ends early once the distance is known to exceed `far` or to be at most `near` (negative: never). `start` is the
 * normal to begin with.
 */
export function gjk(pair: PlanarPair, far: number, near: number, start: Vec2, result: GjkResult): GjkResult {
  const exit = GJK_EXIT_ULPS * EPSILON;
  const touch = GJK_TOUCH_ULPS * EPSILON;
  const { simplex } = result;
  copy(start, result.normal);
  copy(start, normal);
  simplex.count = 0;
  simplex.weight = 1;
  result.iterations = 0;
  result.lower = -1e30;
  result.upper = 1e30;
  let idle = 0;
  for (let i = 0; i < GJK_MAX_ITERATIONS; i++) {
    if (result.lower > far) return ended(result, PLANAR_GJK_FAR);
    if (result.upper <= near) return ended(result, PLANAR_GJK_NEAR);
    if (result.upper <= touch) return ended(result, PLANAR_GJK_TOUCHING);
    differenceSupport(pair, -normal.x, -normal.y, next);
    result.iterations++;
    const height = dot(normal, next.position);
    if (recorder) recorder.gjk(pair, normal, next, height, result);
    const hasConverged = result.upper - height <= exit;
    const isBetter = height > result.lower;
    if (isBetter || hasConverged) {
      result.lower = height;
      copy(normal, result.normal);
    }
    if (hasConverged) return ended(result, result.lower > far ? PLANAR_GJK_FAR : PLANAR_GJK_CONVERGED);
    if (result.lower > far) continue;
    if (simplex.count === 0) {
      copyPoint(next, simplex.a);
      copyPoint(next, simplex.b);
      simplex.count = 1;
      result.upper = length(next.position);
      directionOf(next.position, normal);
      continue;
    }
    const { a, b, count } = simplex;
    if ((a.a === next.a && a.b === next.b) || (count > 1 && b.a === next.a && b.b === next.b))
      return ended(result, PLANAR_GJK_STALLED);
    const mayEnd = idle === GJK_MAX_IDLE;
    if (mayEnd) copySimplex(simplex, before);
    append(simplex, next);
    nearestOnSimplex(simplex, step);
    if (step.encloses) {
      result.upper = 0;
      return ended(result, near >= 0 ? PLANAR_GJK_NEAR : PLANAR_GJK_ENCLOSED);
    }
    if (step.distance >= result.upper && !isBetter) {
      if (mayEnd) {
        // The points are those of `upper`.
        copySimplex(before, simplex);
        return ended(result, PLANAR_GJK_STALLED);
      }
      idle++;
    }
    result.upper = step.distance;
    copy(step.direction, normal);
  }
  return ended(result, PLANAR_GJK_STALLED);
}

function ended(result: GjkResult, state: number): GjkResult {
  result.state = state;
  if (recorder) recorder.gjkEnd(result);
  return result;
}

/** What a search starts with that knows nothing of the pair. */
export function firstNormal(pair: PlanarPair, to: Vec2): Vec2 {
  return directionOf(pair.translation, set(1, 0, to));
}
