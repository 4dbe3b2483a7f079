/**
 * Mirror of shaders/planar/mpr.wgsl: overlap and an upper bound of the depth of two cores in 2-D by Minkowski
 * portal refinement.
 */
import {
  MPR_EXIT_ULPS,
  MPR_MAX_ITERATIONS,
  MPR_TOUCH_ULPS,
  PLANAR_MPR_FAR,
  PLANAR_MPR_FIRST,
  PLANAR_MPR_LEFT,
  PLANAR_MPR_OPEN,
  PLANAR_MPR_OVERLAP,
  PLANAR_MPR_OVERLAPPING,
  PLANAR_MPR_RAY,
  PLANAR_MPR_REFINING,
  PLANAR_MPR_RIGHT,
} from '../../generated/constants.ts';
import {
  EPSILON,
  type Vec2,
  copy,
  cross2,
  directionOf,
  dot,
  leftOf,
  length,
  rightOf,
  scale,
  set,
  subtract,
  vec2,
} from './math.ts';
import type { PlanarPair } from './pair.ts';
import { recorder } from './recorder.ts';
import { type Point, copyPoint, createPoint, differenceSupport, innerPoint } from './support.ts';

export interface MprResult {
  /** One of `PLANAR_MPR_OVERLAPPING`, `PLANAR_MPR_FAR` and `PLANAR_MPR_OPEN`. */
  state: number;
  /** Supports asked for. */
  iterations: number;
  /** A lower bound of the cores' signed distance: minus the depth where that was asked. */
  lower: number;
  /** Unit vector from A to B that gave it, in A's frame. */
  normal: Vec2;
  /** The last portal, and the weight of its first corner in the point nearest to the foot of the perpendicular. */
  a: Point;
  b: Point;
  weight: number;
}

export function createMprResult(): MprResult {
  return {
    state: PLANAR_MPR_OPEN,
    iterations: 0,
    lower: 0,
    normal: vec2(),
    a: createPoint(),
    b: createPoint(),
    weight: 0,
  };
}

/** What a search knows between two supports. */
interface Search {
  /** What the next point is for, and where it is looked for. */
  phase: number;
  direction: Vec2;
  /** The ray begins at a point inside the difference. */
  inside: Vec2;
  ray: Vec2;
  /** The portal's corners, on the right and on the left of the ray. */
  right: Point;
  left: Point;
  /** The origin is known to be in the difference. */
  isInside: boolean;
  /** The least height of all directions tried, and that direction. */
  low: number;
  lowest: Vec2;
  /** The least height of a ray's end. */
  least: number;
}

const search: Search = {
  phase: PLANAR_MPR_FIRST,
  direction: vec2(),
  inside: vec2(),
  ray: vec2(),
  right: createPoint(),
  left: createPoint(),
  isInside: false,
  low: 0,
  lowest: vec2(),
  least: 0,
};
const along = vec2();
const found = createPoint();

/** Ends early once the cores are known to be apart. `ending` is one of `PLANAR_MPR_OVERLAP`, `_RAY` and `_NORMAL`. */
export function mpr(pair: PlanarPair, far: number, ending: number, result: MprResult): MprResult {
  result.state = PLANAR_MPR_OPEN;
  result.iterations = 0;
  result.lower = -1e30;
  set(0, 0, result.normal);
  startSearch(pair);
  if (search.isInside && ending === PLANAR_MPR_OVERLAP) result.state = PLANAR_MPR_OVERLAPPING;
  else searchPortals(pair, far, ending, result);
  if (recorder) recorder.mprEnd(pair, result);
  return result;
}

/** The loop of the kernel's function `mpr`. */
function searchPortals(pair: PlanarPair, far: number, ending: number, result: MprResult): void {
  const { direction, inside, ray, right, left } = search;
  const exit = MPR_EXIT_ULPS * EPSILON;
  for (let i = 0; i < MPR_MAX_ITERATIONS; i++) {
    differenceSupport(pair, direction.x, direction.y, found);
    const height = dot(direction, found.position);
    result.iterations++;
    if (recorder) recorder.mpr(pair, search, found, cornersSoFar(), result.iterations);
    if (height < 0) {
      result.lower = -height;
      scale(direction, -1, result.normal);
      result.state = -height > far ? PLANAR_MPR_FAR : PLANAR_MPR_OPEN;
      return;
    }
    if (height < search.low) {
      search.low = height;
      copy(direction, search.lowest);
    }
    const turn = cross2(ray, subtract(found.position, inside, along));
    if (search.phase === PLANAR_MPR_FIRST) {
      copyPoint(found, right);
      copyPoint(found, left);
      if (turn > 0) rightOf(ray, direction);
      else leftOf(ray, direction);
      search.phase = turn > 0 ? PLANAR_MPR_RIGHT : PLANAR_MPR_LEFT;
      continue;
    }
    if (search.phase === PLANAR_MPR_LEFT || search.phase === PLANAR_MPR_RIGHT) {
      copyPoint(found, search.phase === PLANAR_MPR_LEFT ? left : right);
      search.phase = PLANAR_MPR_REFINING;
    } else {
      const level = dot(direction, right.position);
      search.isInside ||= level >= 0;
      if (search.isInside && ending === PLANAR_MPR_OVERLAP) {
        result.state = PLANAR_MPR_OVERLAPPING;
        return;
      }
      if (height - level <= exit || i + 1 === MPR_MAX_ITERATIONS) {
        if (height - level > exit || !endRay(height, ending, result)) return;
        continue;
      }
      copyPoint(found, turn > 0 ? left : right);
    }
    if (length(subtract(left.position, right.position, along)) <= MPR_TOUCH_ULPS * EPSILON) return;
    directionOf(along, direction);
    rightOf(set(direction.x, direction.y, along), direction);
  }
}

function startSearch(pair: PlanarPair): void {
  const { inside, ray } = search;
  innerPoint(pair, inside);
  directionOf(scale(inside, -1, along), set(1, 0, ray));
  search.phase = PLANAR_MPR_FIRST;
  search.isInside = length(inside) <= MPR_TOUCH_ULPS * EPSILON;
  if (search.isInside) {
    set(0, 0, inside);
    set(1, 0, ray);
  }
  copy(ray, search.direction);
  copy(ray, search.lowest);
  search.low = search.least = 1e30;
}

/** The portal is the end of its ray. Starts the next ray at the origin, along the lowest direction, or returns false. */
function endRay(height: number, ending: number, result: MprResult): boolean {
  const { right, left, direction, lowest } = search;
  const exit = MPR_EXIT_ULPS * EPSILON;
  if (!search.isInside || height <= MPR_TOUCH_ULPS * EPSILON || height >= search.least - exit) return false;
  search.least = height;
  result.state = PLANAR_MPR_OVERLAPPING;
  result.lower = -height;
  scale(direction, -1, result.normal);
  copyPoint(right, result.a);
  copyPoint(left, result.b);
  subtract(left.position, right.position, along);
  result.weight = 1 - Math.min(Math.max(-dot(right.position, along) / Math.max(dot(along, along), 1e-300), 0), 1);
  const isLowest = search.low >= height - exit;
  if (ending === PLANAR_MPR_RAY || (isLowest && result.weight > 0 && result.weight < 1)) return false;
  set(0, 0, search.inside);
  copy(lowest, search.ray);
  copy(lowest, direction);
  search.phase = PLANAR_MPR_FIRST;
  return true;
}

/** The corners that the portal has so far. */
function cornersSoFar(): Point[] {
  const { phase, right, left } = search;
  if (phase === PLANAR_MPR_FIRST) return [];
  return phase === PLANAR_MPR_REFINING ? [right, left] : [phase === PLANAR_MPR_LEFT ? right : left];
}
