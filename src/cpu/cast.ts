/**
 * Mirror of shaders/cast.wgsl: where a convex core that moves along a line comes within the target distance of another.
 */
import {
  CAST_MAX_IDLE,
  CAST_MAX_ITERATIONS,
  CAST_RETREAT_ULPS,
  CAST_TOUCH_ULPS,
  CAST_INSIDE,
  CAST_MET,
  CAST_MISSED,
  CAST_STALLED,
} from '../generated/constants.ts';
import { EPSILON, type Vec3, addScaled, copy, dot, length, scale, set, vec3 } from './math.ts';
import type { Pair } from './pair.ts';
import { recorder } from './recorder.ts';
import { type Simplex, append, createSimplex, nearestOnSimplex } from './simplex.ts';
import { type Point, createPoint, differenceSupport, isCurvedPair } from './support.ts';

export interface CastResult {
  /** One of the `CAST_` states. */
  state: number;
  iterations: number;
  /** The distance that B has travelled. For an open search, a bound up to which B doesn't meet A. */
  travelled: number;
  /**
   * Unit vector from A to B that separates the cores by `targetDistance` there, in A's frame; zero if B has not moved.
   */
  normal: Vec3;
  /** The vector between the cores at the end of the search, its length, and the simplex that holds its end. */
  nearest: Vec3;
  distance: number;
  simplex: Simplex;
}

export function createCastResult(): CastResult {
  return {
    state: CAST_STALLED,
    iterations: 0,
    travelled: 0,
    normal: vec3(),
    nearest: vec3(),
    distance: 0,
    simplex: createSimplex(),
  };
}

const start = vec3();
const normal = vec3();
const opposite = vec3();
const next = createPoint();
/** Changes places with a result's simplex when it becomes that. */
let reduced = createSimplex();

/**
 * B moves along the unit vector `direction`, in A's frame, from its position in the pair. Searches from `from` to `to`
 * for the first place where the cores are `targetDistance` apart, and leaves B there.
 */
export function castCores(
  pair: Pair,
  direction: Vec3,
  from: number,
  to: number,
  targetDistance: number,
  result: CastResult,
): CastResult {
  const touch = touchOf(pair);
  copy(pair.translation, start);
  addScaled(start, direction, from, pair.translation);
  result.state = CAST_STALLED;
  result.iterations = 0;
  result.travelled = from;
  result.simplex.count = 0;
  set(0, 0, 0, result.normal);
  result.distance = length(pair.translation);
  if (result.distance > touch) scale(pair.translation, 1 / result.distance, normal);
  else scale(direction, -1, normal);
  let retreat = 0;
  let idle = 0;
  while (result.iterations < CAST_MAX_ITERATIONS) {
    differenceSupport(pair, scale(normal, -1, opposite), next);
    result.iterations++;
    const separation = dot(normal, next.position) - targetDistance;
    if (recorder) recorder.cast(pair, normal, next, separation, result);
    let isIdle = true;
    if (separation > 0.5 * touch && retreat === 0) {
      // Nothing can touch before B has come nearer by this much along the normal.
      const closing = -dot(normal, direction);
      if (closing <= 0 || separation > closing * (to - result.travelled)) {
        result.state = CAST_MISSED;
        copy(normal, result.normal);
        break;
      }
      const step = separation / closing;
      result.travelled += step;
      isIdle = separation <= touch;
      copy(normal, result.normal);
      addScaled(start, direction, result.travelled, pair.translation);
      shift(result.simplex, direction, step);
      addScaled(next.position, direction, step, next.position);
    } else if (separation >= result.distance - targetDistance - touch && result.simplex.count > 0) {
      // The distance has converged here.
      break;
    }
    const { simplex } = result;
    removeId(simplex, next);
    append(simplex, next);
    if (nearestOnSimplex(simplex, result.nearest, reduced)) {
      if (result.travelled === from) {
        result.state = CAST_INSIDE;
        result.distance = 0;
        break;
      }
      // Rounding took B into A. B goes back, and the search goes on from there without another step.
      retreat = Math.max(2 * retreat, CAST_RETREAT_ULPS * EPSILON);
      result.travelled -= retreat;
      addScaled(start, direction, result.travelled, pair.translation);
      simplex.count = 0;
      copy(result.normal, normal);
      continue;
    }
    result.simplex = reduced;
    reduced = simplex;
    const distance = length(result.nearest);
    if (distance - targetDistance <= touch) {
      result.distance = distance;
      result.state = result.travelled === from ? CAST_INSIDE : CAST_MET;
      break;
    }
    if (isIdle && distance >= result.distance && ++idle > CAST_MAX_IDLE) break;
    result.distance = distance;
    scale(result.nearest, 1 / distance, normal);
  }
  if (recorder) recorder.castEnd(pair, result);
  return result;
}

/**
 * A thousandth of the reference's tolerance for curved shapes, whose casts come nearer by ever smaller steps where
 * bodies graze.
 */
const CURVED_TOUCH = 1e-9;

/** Cores touch if their distance is within this of the target distance. */
export function touchOf(pair: Pair): number {
  return isCurvedPair(pair) ? CURVED_TOUCH : CAST_TOUCH_ULPS * EPSILON;
}

/** Moves the points of a simplex with B. */
function shift({ positions, count }: Simplex, direction: Vec3, step: number): void {
  for (let i = 0; i < 3 * count; i += 3) {
    positions[i] += direction.x * step;
    positions[i + 1] += direction.y * step;
    positions[i + 2] += direction.z * step;
  }
}

/** Removes a point from a simplex. It is to become the newest. */
function removeId(s: Simplex, { idA, idB }: Point): void {
  for (let i = 0; i < s.count; i++) {
    if (s.ids[2 * i] !== idA || s.ids[2 * i + 1] !== idB) continue;
    s.count--;
    s.positions.copyWithin(3 * i, 3 * s.count, 3 * s.count + 3);
    s.ids.copyWithin(2 * i, 2 * s.count, 2 * s.count + 2);
    return;
  }
}
