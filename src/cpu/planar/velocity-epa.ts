/**
 * Mirror of shaders/planar/velocity-epa.wgsl: where a moving core comes within the target distance of another, by
 * expanding a polygon at the edge that the motion crosses.
 */
import {
  EPA_EXIT_ULPS,
  EPA_SAME_ULPS,
  PLANAR_CAST_MET,
  PLANAR_CAST_MISSED,
  PLANAR_CAST_STALLED,
  VELOCITY_EPA_MAX_ITERATIONS,
} from '../../generated/constants.ts';
import type { CastResult } from './cast.ts';
import {
  EPSILON,
  type Vec2,
  addScaled,
  copy,
  cross2,
  directionOf,
  dot,
  leftOf,
  rightOf,
  scale,
  set,
  subtract,
  vec2,
} from './math.ts';
import type { PlanarPair } from './pair.ts';
import { recorder } from './recorder.ts';
import { type Point, copyPoint, createPoint, differenceSupport } from './support.ts';

const left = createPoint();
const right = createPoint();
const next = createPoint();
const chord = vec2();
const outward = vec2();
const at = vec2();

/**
 * As `castCores`, but the line has no ends, and B stays where it is. Cores that come within the target distance by no
 * more than `touchTolerance` slide past each other.
 */
export function crossCores(
  pair: PlanarPair,
  direction: Vec2,
  targetDistance: number,
  touchTolerance: number,
  result: CastResult,
): CastResult {
  expandEdge(pair, direction, targetDistance, touchTolerance, result);
  if (recorder) recorder.crossingEnd(pair, result);
  return result;
}

function expandEdge(
  pair: PlanarPair,
  direction: Vec2,
  targetDistance: number,
  touchTolerance: number,
  result: CastResult,
): CastResult {
  result.state = PLANAR_CAST_STALLED;
  result.travelled = 0;
  result.distance = targetDistance;
  // The ends of the edge, to the left of the line and to the right of it.
  differenceSupport(pair, -direction.y, direction.x, left);
  differenceSupport(pair, direction.y, -direction.x, right);
  result.iterations = 2;
  scale(direction, -1, result.normal);
  if (
    Math.min(cross2(direction, left.position), -cross2(direction, right.position)) + targetDistance <=
    touchTolerance
  ) {
    result.state = PLANAR_CAST_MISSED;
    return result;
  }
  if (cross2(direction, subtract(left.position, right.position, chord)) <= EPA_SAME_ULPS * EPSILON) {
    // The cores' difference is a segment along the line, or a point, and either end may have been found.
    result.iterations++;
    return leavingArc(direction, targetDistance, differenceSupport(pair, direction.x, direction.y, next), result);
  }
  while (result.iterations < VELOCITY_EPA_MAX_ITERATIONS) {
    subtract(left.position, right.position, chord);
    if (cross2(direction, chord) <= EPA_SAME_ULPS * EPSILON) {
      // One corner, or two in one place or one behind the other.
      return leavingArc(direction, targetDistance, dot(direction, chord) > 0 ? left : right, result);
    }
    directionOf(chord, leftOf(direction, at));
    rightOf(at, outward);
    differenceSupport(pair, outward.x, outward.y, next);
    result.iterations++;
    scale(outward, -1, result.normal);
    const height = dot(outward, subtract(next.position, left.position, at));
    if (recorder) recorder.crossing(pair, [left, right], outward, next, height, result.iterations);
    if (height <= EPA_EXIT_ULPS * EPSILON) {
      // An edge of the difference: the line exits through it, or beside it through the arc around either end.
      if (sideOf(direction, left, targetDistance) < 0) return leavingArc(direction, targetDistance, left, result);
      if (sideOf(direction, right, targetDistance) > 0) return leavingArc(direction, targetDistance, right, result);
      return leavingEdge(direction, targetDistance, left, right, result);
    }
    copyPoint(next, sideOf(direction, next, targetDistance) > 0 ? left : right);
  }
  return result;
}

/** How far left of the line a corner is, moved out by the reach. */
function sideOf(direction: Vec2, { position }: Point, targetDistance: number): number {
  return cross2(direction, addScaled(position, outward, targetDistance, at));
}

/** The line exits through the edge between two corners, whose normal is known. */
function leavingEdge(direction: Vec2, targetDistance: number, a: Point, b: Point, result: CastResult): CastResult {
  const { normal, simplex } = result;
  const leave = (targetDistance - dot(normal, a.position)) / -dot(normal, direction);
  subtract(b.position, a.position, chord);
  addScaled(scale(direction, leave, at), normal, targetDistance, at);
  const share = dot(subtract(at, a.position, at), chord) / dot(chord, chord);
  result.state = PLANAR_CAST_MET;
  result.travelled = -leave;
  copy(normal, result.direction);
  copyPoint(a, simplex.a);
  copyPoint(b, simplex.b);
  simplex.weight = 1 - Math.min(Math.max(share, EPSILON), 1 - EPSILON);
  simplex.count = 2;
  return result;
}

/** The line exits through the arc around a corner. Without rounding, the normal is that of the last edge. */
function leavingArc(direction: Vec2, targetDistance: number, a: Point, result: CastResult): CastResult {
  const { simplex } = result;
  const beside = cross2(direction, a.position);
  const ahead = Math.sqrt(Math.max((targetDistance - beside) * (targetDistance + beside), 0));
  // From the exit to the corner.
  if (targetDistance > 0)
    directionOf(
      set(-direction.y * beside - direction.x * ahead, direction.x * beside - direction.y * ahead, at),
      result.normal,
    );
  result.state = PLANAR_CAST_MET;
  result.travelled = -(dot(direction, a.position) + ahead);
  copy(result.normal, result.direction);
  copyPoint(a, simplex.a);
  copyPoint(a, simplex.b);
  simplex.weight = 1;
  simplex.count = 1;
  return result;
}
