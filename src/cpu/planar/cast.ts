/**
 * Mirror of shaders/planar/cast.wgsl: where a convex core that moves along a line comes within the target distance of
 * another in 2-D.
 */
import {
  CAST_MAX_IDLE,
  CAST_MAX_ITERATIONS,
  CAST_RETREAT_ULPS,
  CAST_TOUCH_ULPS,
  PLANAR_CAST_MET,
  PLANAR_CAST_MISSED,
  PLANAR_CAST_STALLED,
} from '../../generated/constants.ts';
import { EPSILON, type Vec2, addScaled, copy, directionOf, dot, length, scale, vec2 } from './math.ts';
import type { PlanarPair } from './pair.ts';
import { recorder } from './recorder.ts';
import { type Simplex, append, createSimplex, createSimplexStep, nearestOnSimplex } from './simplex.ts';
import { type Point, copyPoint, createPoint, differenceSupport } from './support.ts';

export interface CastResult {
  /** One of the `PLANAR_CAST_` states. */
  state: number;
  iterations: number;
  /** The distance that B has travelled. For an open search, a bound up to which B doesn't meet A. */
  travelled: number;
  /** Unit vector from A to B that separates the cores by `targetDistance` there, in A's frame. */
  normal: Vec2;
  /**
   * The simplex that holds the point of the difference that is nearest to the origin there, how far that is, and in
   * which direction.
   */
  distance: number;
  direction: Vec2;
  simplex: Simplex;
}

export function createCastResult(): CastResult {
  return {
    state: PLANAR_CAST_STALLED,
    iterations: 0,
    travelled: 0,
    normal: vec2(),
    distance: 0,
    direction: vec2(),
    simplex: createSimplex(),
  };
}

const start = vec2();
const normal = vec2();
const next = createPoint();
const nearest = createSimplexStep();

/**
 * B moves along the unit vector `direction`, in A's frame, from its position in the pair. Searches from `from`, where
 * the cores are farther apart than `targetDistance`, to `to` for the first place where they are no more than that
 * apart, and leaves B there.
 */
export function castCores(
  pair: PlanarPair,
  direction: Vec2,
  from: number,
  to: number,
  targetDistance: number,
  result: CastResult,
): CastResult {
  if (recorder) recorder.start(pair);
  advance(pair, direction, from, to, targetDistance, result);
  if (recorder) recorder.castEnd(pair, result);
  return result;
}

function advance(
  pair: PlanarPair,
  direction: Vec2,
  from: number,
  to: number,
  targetDistance: number,
  result: CastResult,
): CastResult {
  const touch = CAST_TOUCH_ULPS * EPSILON;
  const { simplex } = result;
  copy(pair.translation, start);
  addScaled(start, direction, from, pair.translation);
  result.state = PLANAR_CAST_STALLED;
  result.iterations = 0;
  result.travelled = from;
  result.distance = 1e30;
  simplex.count = 0;
  directionOf(pair.translation, scale(direction, -1, normal));
  copy(normal, result.normal);
  let retreat = 0;
  let idle = 0;
  while (result.iterations < CAST_MAX_ITERATIONS) {
    differenceSupport(pair, -normal.x, -normal.y, next);
    result.iterations++;
    const separation = dot(normal, next.position) - targetDistance;
    if (recorder) recorder.cast(pair, normal, next, separation, result);
    let isIdle = true;
    if (separation > 0.5 * touch && retreat === 0) {
      // Nothing can touch before B has come nearer by this much along the normal.
      const closing = -dot(normal, direction);
      copy(normal, result.normal);
      if (closing <= 0 || separation > closing * (to - result.travelled)) {
        result.state = PLANAR_CAST_MISSED;
        return result;
      }
      const step = separation / closing;
      result.travelled += step;
      isIdle = separation <= touch;
      addScaled(start, direction, result.travelled, pair.translation);
      addScaled(simplex.a.position, direction, step, simplex.a.position);
      addScaled(simplex.b.position, direction, step, simplex.b.position);
      addScaled(next.position, direction, step, next.position);
    } else if (separation >= result.distance - targetDistance - touch && simplex.count > 0) {
      // The distance has converged here.
      return result;
    }
    removeId(simplex, next);
    let distance = length(next.position);
    if (simplex.count === 0) {
      copyPoint(next, simplex.a);
      copyPoint(next, simplex.b);
      simplex.count = 1;
      simplex.weight = 1;
      directionOf(next.position, copy(normal, result.direction));
    } else {
      append(simplex, next);
      nearestOnSimplex(simplex, nearest);
      if (nearest.encloses) {
        // Rounding took B into A. B goes back, and the search goes on from there without another step.
        retreat = Math.max(2 * retreat, CAST_RETREAT_ULPS * EPSILON);
        result.travelled -= retreat;
        addScaled(start, direction, result.travelled, pair.translation);
        simplex.count = 0;
        copy(result.normal, normal);
        continue;
      }
      copy(nearest.direction, result.direction);
      distance = nearest.distance;
    }
    if (distance - targetDistance <= touch) {
      result.distance = distance;
      result.state = PLANAR_CAST_MET;
      return result;
    }
    if (isIdle && distance >= result.distance && ++idle > CAST_MAX_IDLE) return result;
    result.distance = distance;
    copy(result.direction, normal);
  }
  return result;
}

/** Removes a point from a simplex of one or two. It is to become the newest. */
function removeId(s: Simplex, { a, b }: Point): void {
  if (s.count > 1 && s.b.a === a && s.b.b === b) {
    s.count = 1;
  } else if (s.count > 0 && s.a.a === a && s.a.b === b) {
    s.count--;
    copyPoint(s.b, s.a);
  }
}
