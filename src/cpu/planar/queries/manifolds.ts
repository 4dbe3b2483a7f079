/** Mirror of shaders/planar/queries/manifolds.wgsl: one or two points of a hit. */
import type { PairResult } from '../../queries/result.ts';
import {
  createManifoldPoints,
  manifold as manifoldPoints,
  type ManifoldPoint,
  type ManifoldPoints,
} from '../manifold.ts';
import { vec2 } from '../math.ts';
import { type PlanarPair, placeInWorld } from '../pair.ts';
import { createAnswer, signedDistance, surfacePoints } from './signed-distance.ts';
import { writeAnswer } from './result.ts';
import { marginInUnits } from './pair-unit.ts';

const found = createAnswer();
const points = createManifoldPoints();
const onA = vec2();
const onB = vec2();
const at = vec2();

export function manifold(
  pair: PlanarPair,
  callersMargin: number,
  stage: number,
  to: PairResult,
  mprDepth: number,
): PairResult {
  const margin = marginInUnits(pair, callersMargin);
  signedDistance(pair, margin, stage, mprDepth, found);
  writeAnswer(pair, found, margin, to);
  points.count = 0;
  to.hasPoints &&= to.hit;
  if (to.hasPoints) {
    surfacePoints(pair, found, onA, onB);
    manifoldPoints(pair, found, onA, margin, points);
  }
  return writeManifold(pair, callersMargin, points, to);
}

/** Writes the points of a manifold. */
export function writeManifold(
  pair: PlanarPair,
  callersMargin: number,
  { count, first, second }: ManifoldPoints,
  to: PairResult,
): PairResult {
  to.positions.fill(0);
  to.distances.fill(0);
  to.features.fill(0);
  if (count > 0) writePoint(pair, callersMargin, first, 0, to);
  if (count > 1) writePoint(pair, callersMargin, second, 1, to);
  to.pointCount = count;
  return to;
}

function writePoint(
  pair: PlanarPair,
  callersMargin: number,
  { position, distance, feature }: ManifoldPoint,
  slot: number,
  to: PairResult,
): void {
  placeInWorld(pair, position, at);
  to.positions[3 * slot] = at.x;
  to.positions[3 * slot + 1] = at.y;
  // By rounding only may it be more than the margin.
  to.distances[slot] = Math.min(distance * pair.unit, callersMargin);
  to.features[slot] = feature;
}
