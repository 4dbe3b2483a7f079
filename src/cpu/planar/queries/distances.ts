/**
 * Mirror of shaders/planar/queries/distances.wgsl: distance and witness points of a pair that is apart; zeros for one
 * that overlaps.
 */
import {
  GJK_EXIT_ULPS,
  PLANAR_GJK_CONVERGED,
  PLANAR_GJK_FAR,
  PLANAR_GJK_STALLED,
  PLANAR_MPR_FAR,
  PLANAR_MPR_OVERLAP,
  PLANAR_MPR_OVERLAPPING,
  PLANAR_RECTANGLE,
  PLANAR_STAGE_CLOSED,
  PLANAR_STAGE_MPR,
  PLANAR_TOUCH_ULPS,
} from '../../../generated/constants.ts';
import { type PairResult, decided } from '../../queries/result.ts';
import { closedForm, createClosedForm, nearestRectangles, rectangleSeparation, satOfSegments } from '../closed-form.ts';
import { createGjkResult, firstNormal, gjk } from '../gjk.ts';
import { EPSILON, vec2 } from '../math.ts';
import { createMprResult, mpr } from '../mpr.ts';
import type { PlanarPair } from '../pair.ts';
import { recorder } from '../recorder.ts';
import { satSeparation } from '../sat.ts';
import { createSatResult } from '../sweep.ts';
import { answer, boundsOf, byChord, closedAnswer, createAnswer, takesClosedForm } from './signed-distance.ts';
import { writeAnswer } from './result.ts';
import { farthest, marginInUnits } from './pair-unit.ts';

const found = createAnswer();
const portal = createMprResult();
const search = createGjkResult();
const normal = vec2();
const closed = createClosedForm();
const crossing = createSatResult();
const corners = createClosedForm();

export function distance(pair: PlanarPair, callersMargin: number, stage: number, to: PairResult): PairResult {
  const margin = marginInUnits(pair, callersMargin);
  const radius = pair.radiusA + pair.radiusB;
  const far = farthest(margin, radius);
  if (takesClosedForm(pair, stage)) {
    closedAnswer(pair, far, closedForm(pair, satOfSegments(pair, crossing), closed), 1, found);
    return record(pair, margin, to);
  }
  if (stage <= PLANAR_STAGE_CLOSED && pair.coreA.kind === PLANAR_RECTANGLE && pair.coreB.kind === PLANAR_RECTANGLE) {
    const touch = PLANAR_TOUCH_ULPS * EPSILON;
    if (satSeparation(pair) < -touch) return decided(0, margin, 1, to);
    nearestRectangles(pair, corners);
    // Near the end of an edge, a corner is hardly farther than the edge, but its normal is another one. GJK tells them
    // apart.
    const isNearest = corners.distance - rectangleSeparation(pair, corners.normal) <= GJK_EXIT_ULPS * EPSILON;
    if (corners.distance > touch && isNearest) {
      if (recorder) recorder.closedForm(pair, { ...corners, lower: corners.distance, upper: corners.distance });
      closedAnswer(pair, far, corners, 1, found);
      return record(pair, margin, to);
    }
  }
  if (stage === PLANAR_STAGE_MPR) {
    mpr(pair, far, PLANAR_MPR_OVERLAP, portal);
    if (portal.state === PLANAR_MPR_FAR) {
      answer(radius, boundsOf(portal.lower, 1e30, portal.normal), false, portal.iterations, found);
      return record(pair, margin, to);
    }
    if (portal.state === PLANAR_MPR_OVERLAPPING) return decided(0, margin, portal.iterations, to);
  }
  const { state, iterations, simplex } = gjk(pair, far, radius, firstNormal(pair, normal), search);
  if (state === PLANAR_GJK_FAR) answer(radius, search, false, iterations, found);
  else if (state === PLANAR_GJK_CONVERGED || state === PLANAR_GJK_STALLED)
    byChord(pair, search, simplex, iterations, found);
  else return decided(0, margin, iterations, to);
  return record(pair, margin, to);
}

function record(pair: PlanarPair, margin: number, to: PairResult): PairResult {
  if (found.lower <= 0 && !found.isOpen) return decided(0, margin, found.iterations, to);
  writeAnswer(pair, found, margin, to);
  to.distance = Math.max(to.distance, 0);
  return to;
}
