/**
 * Mirror of the records in shaders/planar/results.wgsl, in the caller's unit and world axes; the third coordinates of
 * vectors are 0.
 */
import {
  MIDDLE_BOUND_ULPS,
  PLANAR_BOUND_ULPS,
  GREATEST_DISTANCE,
  STATUS_NOT_CONVERGED,
  STATUS_OVERLAPPING,
  STATUS_SEPARATED,
} from '../../../generated/constants.ts';
import { type Vec3, set as set3 } from '../../math.ts';
import type { PairResult } from '../../queries/result.ts';
import { EPSILON, type Vec2, vec2 } from '../math.ts';
import { type PlanarPair, placeInWorld, toWorld } from '../pair.ts';
import { type Answer, surfacePoints } from './signed-distance.ts';

const onA = vec2();
const onB = vec2();
const turned = vec2();

/** Everything but features. */
export function writeAnswer(pair: PlanarPair, found: Answer, margin: number, to: PairResult): PairResult {
  const { lower, upper, isOpen, hasPoints } = found;
  const { unit } = pair;
  const { middleA, middleB } = pair;
  const ofMiddles = Math.abs(middleA.x) + Math.abs(middleA.y) + Math.abs(middleB.x) + Math.abs(middleB.y);
  const slack = (PLANAR_BOUND_ULPS + MIDDLE_BOUND_ULPS * ofMiddles) * EPSILON;
  to.status = isOpen ? STATUS_NOT_CONVERGED : lower <= 0 ? STATUS_OVERLAPPING : STATUS_SEPARATED;
  to.hit = lower <= margin;
  to.iterations = found.iterations;
  to.hasPoints = hasPoints;
  to.distance = lower * unit;
  to.lower = (lower - slack) * unit;
  to.upper = Math.min(upper + slack, GREATEST_DISTANCE) * unit;
  to.featureA = to.featureB = 0;
  writeVector(pair, found.normal, to.normal);
  set3(0, 0, 0, to.pointA);
  set3(0, 0, 0, to.pointB);
  if (!hasPoints) return to;
  surfacePoints(pair, found, onA, onB);
  writePlace(pair, onA, to.pointA);
  writePlace(pair, onB, to.pointB);
  return to;
}

/** A direction of A's frame in the world. */
export function writeVector(pair: PlanarPair, v: Vec2, to: Vec3): void {
  toWorld(pair, v, turned);
  set3(turned.x, turned.y, 0, to);
}

/** A point in A's frame, as a vector from A's position in the world. */
export function writePlace(pair: PlanarPair, point: Vec2, to: Vec3): void {
  placeInWorld(pair, point, turned);
  set3(turned.x, turned.y, 0, to);
}
