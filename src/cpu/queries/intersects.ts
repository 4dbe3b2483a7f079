/** Mirror of shaders/queries/intersects: is the signed distance at most the margin? */
import {
  CORE_BOX,
  GJK_CONVERGED,
  GJK_FAR,
  GJK_STALLED,
  MPR_FAR,
  MPR_OVERLAP,
  MPR_OVERLAPPING,
  STATUS_NOT_CONVERGED,
} from '../../generated/constants.ts';
import { isClosed } from '../../request/closed-form.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import type { PairOptions } from '../asked-pairs.ts';
import { closedForm, createClosedForm } from '../closed-form.ts';
import { NO_GUESS, createGjkResult, gjk, storeGuess } from '../gjk.ts';
import { createMprResult, mpr } from '../mpr.ts';
import type { Pair } from '../pair.ts';
import { satSeparation } from '../sat.ts';
import { type PairResult, acceptedGap, decided } from './result.ts';
import { farthest, marginInUnits } from './pair-unit.ts';

const closed = createClosedForm();
const search = createGjkResult();
const portal = createMprResult();

export function intersects(
  pair: Pair,
  shapeA: ShapeData,
  shapeB: ShapeData,
  query: PairOptions,
  to: PairResult,
  guess?: Float64Array,
): PairResult {
  const { leadStage } = query;
  const margin = marginInUnits(pair, query.margin);
  const radius = pair.radiusA + pair.radiusB;
  if (leadStage === 'sat' && shapeA.kind === CORE_BOX && shapeB.kind === CORE_BOX) {
    const separation = satSeparation(pair, farthest(margin, radius));
    if (separation - radius > margin || separation <= 0) return decided(separation - radius, margin, 1, to);
  }
  if (isClosed(leadStage, shapeA.kind, shapeB.kind)) return intersectsByClosedForm(pair, margin, to);
  if (leadStage === 'mpr') {
    const { state, lower, iterations } = mpr(pair, farthest(margin, radius), MPR_OVERLAP, portal);
    if (state === MPR_FAR) return decided(lower - radius, margin, iterations, to);
    if (state === MPR_OVERLAPPING) return decided(-radius, margin, iterations, to);
  }
  gjk(pair, farthest(margin, radius), radius, guess ?? NO_GUESS, search);
  if (guess) storeGuess(search.simplex, guess);
  if (search.state === GJK_FAR || search.state === GJK_CONVERGED) {
    return decided(search.lower - radius, margin, search.iterations, to);
  }
  // Nearly touching cores are as good as touching.
  const lower = Math.max(search.lower, 0);
  if (search.state === GJK_STALLED && search.upper - lower > acceptedGap(pair)) {
    decided(search.lower - radius, margin, search.iterations, to);
    to.status = STATUS_NOT_CONVERGED;
    return to;
  }
  if (search.state === GJK_STALLED) {
    return decided(0.5 * (lower + search.upper) - radius, margin, search.iterations, to);
  }
  return decided(Math.min(search.upper - radius, 0), margin, search.iterations, to);
}

function intersectsByClosedForm(pair: Pair, margin: number, to: PairResult): PairResult {
  const { lower, upper } = closedForm(pair, closed);
  decided(lower - (pair.radiusA + pair.radiusB), margin, 1, to);
  if (upper - lower > acceptedGap(pair)) to.status = STATUS_NOT_CONVERGED;
  return to;
}
