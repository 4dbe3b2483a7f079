/**
 * Mirror of shaders/queries/distances: distance and witness points of a pair that is apart; zeros for one that
 * overlaps.
 */
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
import type { PairOptions } from '../asked-pairs.ts';
import { closedForm, createClosedForm } from '../closed-form.ts';
import { NO_GUESS, createGjkResult, gjk, storeGuess } from '../gjk.ts';
import { createMprResult, mpr } from '../mpr.ts';
import type { Pair } from '../pair.ts';
import { createNewtonResult, newton } from '../newton.ts';
import { createSatResult, sat } from '../sat.ts';
import {
  type CoreDistance,
  type PairResult,
  acceptedGap,
  convergedDistance,
  createCoreDistance,
  decided,
  farContact,
  setBounds,
} from './result.ts';
import { farthest, marginInUnits } from './pair-unit.ts';
import { simplexWitness } from './witness.ts';

const closed: CoreDistance = { ...createClosedForm(), iterations: 1 };
const best = createSatResult();
const search = createGjkResult();
const points = { ...createNewtonResult(), upper: 0 };
const portal = createMprResult();
const cores = createCoreDistance();

export function distance(
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
  if (isClosed(leadStage, shapeA.kind, shapeB.kind)) return distanceByClosedForm(pair, margin, to);
  if (leadStage === 'sat' && shapeA.kind === CORE_BOX && shapeB.kind === CORE_BOX) {
    const { separation, normal } = sat(pair, farthest(margin, radius), best);
    if (separation - radius > margin)
      return farContact(pair, setBounds(normal, separation, 1e30, 1, cores), margin, to);
    if (separation <= 0) return decided(0, margin, 1, to);
  }
  if (leadStage === 'newton' && Math.max(shapeA.kind, shapeB.kind) <= CORE_BOX) {
    const { state, lower, iterations } = newton(pair, radius, points);
    const isFar = lower > farthest(margin, radius);
    points.upper = isFar ? 1e30 : lower;
    if (state === NEWTON_CONVERGED && isFar) return farContact(pair, points, margin, to);
    if (state === NEWTON_CONVERGED && lower > radius) return convergedDistance(pair, points, margin, to);
    if (state !== NEWTON_OPEN) return decided(0, margin, iterations, to);
  }
  if (leadStage === 'mpr') {
    const { state, lower, normal, iterations } = mpr(pair, farthest(margin, radius), MPR_OVERLAP, portal);
    if (state === MPR_FAR) return farContact(pair, setBounds(normal, lower, 1e30, iterations, cores), margin, to);
    if (state === MPR_OVERLAPPING) return decided(0, margin, iterations, to);
  }
  gjk(pair, farthest(margin, radius), radius, guess ?? NO_GUESS, search);
  if (guess) storeGuess(search.simplex, guess);
  const { state, lower, upper, iterations } = search;
  if (state === GJK_FAR) return farContact(pair, search, margin, to);
  const hasConverged = state === GJK_CONVERGED || (state === GJK_STALLED && upper - lower <= acceptedGap(pair));
  // Nearly touching cores whose normal is lost in rounding are as good as touching.
  const isTouching = state !== GJK_STALLED || upper <= acceptedGap(pair);
  if (hasConverged ? lower <= radius : isTouching) return decided(0, margin, iterations, to);
  setBounds(search.normal, lower, upper, iterations, cores);
  simplexWitness(pair, search.simplex, cores.onA, cores.onB);
  convergedDistance(pair, cores, margin, to);
  to.distance = Math.max(to.distance, 0);
  return to;
}

function distanceByClosedForm(pair: Pair, margin: number, to: PairResult): PairResult {
  const { lower, upper } = closedForm(pair, closed);
  const gap = lower - (pair.radiusA + pair.radiusB);
  if (gap > margin) return farContact(pair, closed, margin, to);
  if (gap <= 0 && upper - lower <= acceptedGap(pair)) return decided(0, margin, 1, to);
  convergedDistance(pair, closed, margin, to);
  to.distance = Math.max(to.distance, 0);
  return to;
}
