/**
 * Mirror of shaders/queries/distances: distance and witness points of a pair that is apart; zeros for one that
 * overlaps.
 */
import type { LeadStage } from '../../request/backend.ts';
import {
  CORE_BOX,
  GJK_CONVERGED,
  GJK_FAR,
  GJK_STALLED,
  MPR_FAR,
  MPR_OVERLAP,
  MPR_OVERLAPPING,
  NEWTON_CONVERGED,
  NEWTON_OPEN,
} from '../../generated/constants.ts';
import { isClosed } from '../../request/closed-form.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import { closedForm, createClosedForm } from '../closed-form.ts';
import { NO_GUESS, createGjkResult, gjk, storeGuess } from '../gjk.ts';
import { vec3 } from '../math.ts';
import { createMprResult, mpr } from '../mpr.ts';
import type { Pair } from '../pair.ts';
import { createNewtonResult, newton } from '../newton.ts';
import { createSatResult, sat } from '../sat.ts';
import { type PairResult, acceptedGap, decided, farContact, convergedDistance } from './result.ts';
import { farthest, marginInUnits } from './pair-unit.ts';
import { simplexWitness } from './witness.ts';

const closed = createClosedForm();
const best = createSatResult();
const search = createGjkResult();
const points = createNewtonResult();
const portal = createMprResult();
const onA = vec3();
const onB = vec3();

export function distance(
  pair: Pair,
  shapeA: ShapeData,
  shapeB: ShapeData,
  callersMargin: number,
  leadStage: LeadStage,
  to: PairResult,
  guess?: Float64Array,
): PairResult {
  const margin = marginInUnits(pair, callersMargin);
  const radius = pair.radiusA + pair.radiusB;
  if (isClosed(leadStage, shapeA.kind, shapeB.kind)) return distanceByClosedForm(pair, margin, to);
  if (leadStage === 'sat' && shapeA.kind === CORE_BOX && shapeB.kind === CORE_BOX) {
    const { separation, normal } = sat(pair, farthest(margin, radius), best);
    if (separation - pair.radiusA - pair.radiusB > margin)
      return farContact(pair, normal, separation, 1e30, margin, 1, to);
    if (separation <= 0) return decided(0, margin, 1, to);
  }
  if (leadStage === 'newton' && Math.max(shapeA.kind, shapeB.kind) <= CORE_BOX) {
    const { state, lower, normal, iterations } = newton(pair, radius, points);
    if (state === NEWTON_CONVERGED && lower > farthest(margin, radius))
      return farContact(pair, normal, lower, 1e30, margin, iterations, to);
    if (state === NEWTON_CONVERGED && lower > radius) {
      return convergedDistance(pair, normal, lower, lower, points.onA, points.onB, margin, iterations, to);
    }
    if (state !== NEWTON_OPEN) return decided(0, margin, iterations, to);
  }
  if (leadStage === 'mpr') {
    const { state, lower, normal, iterations } = mpr(pair, farthest(margin, radius), MPR_OVERLAP, portal);
    if (state === MPR_FAR) return farContact(pair, normal, lower, 1e30, margin, iterations, to);
    if (state === MPR_OVERLAPPING) return decided(0, margin, iterations, to);
  }
  gjk(pair, farthest(margin, radius), radius, guess ?? NO_GUESS, search);
  if (guess) storeGuess(search.simplex, guess);
  const { state, lower, upper, iterations } = search;
  if (state === GJK_FAR) return farContact(pair, search.normal, lower, upper, margin, iterations, to);
  const hasConverged = state === GJK_CONVERGED || (state === GJK_STALLED && upper - lower <= acceptedGap(pair));
  // Nearly touching cores whose normal is lost in rounding are as good as touching.
  const isTouching = state !== GJK_STALLED || upper <= acceptedGap(pair);
  if (hasConverged ? lower <= radius : isTouching) return decided(0, margin, iterations, to);
  simplexWitness(pair, search.simplex, onA, onB);
  convergedDistance(pair, search.normal, lower, upper, onA, onB, margin, iterations, to);
  to.distance = Math.max(to.distance, 0);
  return to;
}

function distanceByClosedForm(pair: Pair, margin: number, to: PairResult): PairResult {
  const { normal, lower, upper, onA: nearestOnA, onB: nearestOnB } = closedForm(pair, closed);
  const gap = lower - pair.radiusA - pair.radiusB;
  if (gap > margin) return farContact(pair, normal, lower, upper, margin, 1, to);
  if (gap <= 0 && upper - lower <= acceptedGap(pair)) return decided(0, margin, 1, to);
  convergedDistance(pair, normal, lower, upper, nearestOnA, nearestOnB, margin, 1, to);
  to.distance = Math.max(to.distance, 0);
  return to;
}
