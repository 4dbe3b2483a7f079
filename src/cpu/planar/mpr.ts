/**
 * Mirror of shaders/planar/mpr.wgsl: overlap and an upper bound of the depth of two cores in 2-D by Minkowski
 * portal refinement.
 */
import {
  MPR_EXIT_ULPS,
  MPR_MAX_ITERATIONS,
  MPR_TOUCH_ULPS,
  PLANAR_MPR_FAR,
  PLANAR_MPR_OPEN,
  PLANAR_MPR_OVERLAP,
  PLANAR_MPR_OVERLAPPING,
  PLANAR_MPR_RAY,
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

const inside = vec2();
const ray = vec2();
const direction = vec2();
const lowest = vec2();
const along = vec2();
const right = createPoint();
const left = createPoint();
const found = createPoint();

/** Ends early once the cores are known to be apart. `ending` is one of `PLANAR_MPR_OVERLAP`, `_RAY` and `_NORMAL`. */
export function mpr(pair: PlanarPair, far: number, ending: number, result: MprResult): MprResult {
  refinePortal(pair, far, ending, result);
  if (recorder) recorder.mprEnd(pair, result);
  return result;
}

function refinePortal(pair: PlanarPair, far: number, ending: number, result: MprResult): MprResult {
  const exit = MPR_EXIT_ULPS * EPSILON;
  const touch = MPR_TOUCH_ULPS * EPSILON;
  result.state = PLANAR_MPR_OPEN;
  result.iterations = 0;
  result.lower = -1e30;
  set(0, 0, result.normal);
  innerPoint(pair, inside);
  directionOf(scale(inside, -1, along), set(1, 0, ray));
  let isInside = length(inside) <= touch;
  if (isInside) {
    if (ending === PLANAR_MPR_OVERLAP) return ended(result, PLANAR_MPR_OVERLAPPING);
    set(0, 0, inside);
    set(1, 0, ray);
  }
  copy(ray, direction);
  let low = 1e30;
  let least = 1e30;
  copy(ray, lowest);
  let phase = 0;
  for (let i = 0; i < MPR_MAX_ITERATIONS; i++) {
    differenceSupport(pair, direction.x, direction.y, found);
    const height = dot(direction, found.position);
    result.iterations++;
    if (recorder) recorder.mpr(pair, phase, direction, found, right, left, ray, inside, result.iterations);
    if (height < 0) {
      result.lower = -height;
      scale(direction, -1, result.normal);
      return ended(result, -height > far ? PLANAR_MPR_FAR : PLANAR_MPR_OPEN);
    }
    if (height < low) {
      low = height;
      copy(direction, lowest);
    }
    const turn = cross2(ray, subtract(found.position, inside, along));
    if (phase === 0) {
      copyPoint(found, right);
      copyPoint(found, left);
      if (turn > 0) rightOf(ray, direction);
      else leftOf(ray, direction);
      phase = turn > 0 ? 2 : 1;
      continue;
    }
    if (phase === 1 || phase === 2) {
      copyPoint(found, phase === 1 ? left : right);
      phase = 3;
    } else {
      const level = dot(direction, right.position);
      isInside ||= level >= 0;
      if (isInside && ending === PLANAR_MPR_OVERLAP) return ended(result, PLANAR_MPR_OVERLAPPING);
      if (height - level <= exit || i + 1 === MPR_MAX_ITERATIONS) {
        if (!isInside || height <= touch || height - level > exit || height >= least - exit) break;
        least = height;
        result.state = PLANAR_MPR_OVERLAPPING;
        result.lower = -height;
        scale(direction, -1, result.normal);
        copyPoint(right, result.a);
        copyPoint(left, result.b);
        subtract(left.position, right.position, along);
        result.weight = 1 - Math.min(Math.max(-dot(right.position, along) / Math.max(dot(along, along), 1e-300), 0), 1);
        if (ending === PLANAR_MPR_RAY || (low >= least - exit && result.weight > 0 && result.weight < 1)) break;
        set(0, 0, inside);
        copy(lowest, ray);
        copy(lowest, direction);
        phase = 0;
        continue;
      }
      copyPoint(found, turn > 0 ? left : right);
    }
    if (length(subtract(left.position, right.position, along)) <= touch) break;
    directionOf(along, direction);
    rightOf(set(direction.x, direction.y, along), direction);
  }
  return result;
}

function ended(result: MprResult, state: number): MprResult {
  result.state = state;
  return result;
}
