/** Mirror of shaders/planar/queries/intersects.wgsl: is the signed distance at most the margin? */
import {
  PLANAR_GJK_CONVERGED,
  PLANAR_GJK_FAR,
  PLANAR_GJK_STALLED,
  PLANAR_MPR_FAR,
  PLANAR_MPR_OVERLAP,
  PLANAR_MPR_OVERLAPPING,
  PLANAR_STAGE_MPR,
  PLANAR_TOUCH_ULPS,
  STATUS_NOT_CONVERGED,
} from '../../../generated/constants.ts';
import { type PairResult, decided } from '../../queries/result.ts';
import { closedForm, createClosedForm, satOfSegments } from '../closed-form.ts';
import { createGjkResult, firstNormal, gjk } from '../gjk.ts';
import { EPSILON, vec2 } from '../math.ts';
import { createMprResult, mpr } from '../mpr.ts';
import type { PlanarPair } from '../pair.ts';
import { satSeparation } from '../sat.ts';
import { createSatResult } from '../sweep.ts';
import { takesClosedForm, takesSat } from './signed-distance.ts';
import { acceptedGap, farthest, marginInUnits } from './pair-unit.ts';

const closed = createClosedForm();
const crossing = createSatResult();
const portal = createMprResult();
const search = createGjkResult();
const normal = vec2();

export function intersects(pair: PlanarPair, callersMargin: number, stage: number, to: PairResult): PairResult {
  const margin = marginInUnits(pair, callersMargin);
  const radius = pair.radiusA + pair.radiusB;
  const far = farthest(margin, radius);
  if (takesClosedForm(pair, stage)) {
    const { distance } = closedForm(pair, satOfSegments(pair, crossing), closed);
    return decided(distance - radius, margin, 1, to);
  }
  if (takesSat(pair, stage)) {
    const separation = satSeparation(pair);
    if (separation > far || separation < -PLANAR_TOUCH_ULPS * EPSILON)
      return decided(separation - radius, margin, 1, to);
  }
  if (stage === PLANAR_STAGE_MPR) {
    mpr(pair, far, PLANAR_MPR_OVERLAP, portal);
    if (portal.state === PLANAR_MPR_FAR) return decided(portal.lower - radius, margin, portal.iterations, to);
    if (portal.state === PLANAR_MPR_OVERLAPPING) return decided(-radius, margin, portal.iterations, to);
  }
  const { state, lower, upper, iterations } = gjk(pair, far, radius, firstNormal(pair, normal), search);
  if (state === PLANAR_GJK_FAR || state === PLANAR_GJK_CONVERGED)
    return decided(lower - radius, margin, iterations, to);
  if (state === PLANAR_GJK_STALLED) {
    if (upper - lower <= acceptedGap()) return decided(0.5 * (lower + upper) - radius, margin, iterations, to);
    decided(lower - radius, margin, iterations, to);
    to.status = STATUS_NOT_CONVERGED;
    return to;
  }
  return decided(Math.min(upper - radius, 0), margin, iterations, to);
}
