/**
 * Mirror of shaders/queries/contacts: signed distance, witness points and features, by closed forms, SAT (boxes), MPR,
 * GJK, arcs of Gauss maps and EPA.
 */
import {
  ALONG,
  CORE_BOX,
  CORE_HULL,
  EPA_CONVERGED,
  EVERYWHERE,
  FLAT_ULPS,
  GJK_CONVERGED,
  GJK_FAR,
  GJK_NEARBY,
  GJK_STALLED,
  GJK_TOUCHING,
  MPR_FAR,
  MPR_NORMAL,
  MPR_OVERLAPPING,
  MPR_RAY,
} from '../../generated/constants.ts';
import { isClosed } from '../../request/closed-form.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import type { PairOptions } from '../asked-pairs.ts';
import { arcs, createArcsResult } from '../arcs.ts';
import { closedForm, createClosedForm } from '../closed-form.ts';
import { createEpaResult, epa } from '../epa.ts';
import { NO_GUESS, createGjkResult, gjk, storeGuess } from '../gjk.ts';
import { EPSILON, addScaled, copy, distance, vec3 } from '../math.ts';
import { createMprResult, mpr } from '../mpr.ts';
import type { Pair } from '../pair.ts';
import { refine } from '../refine.ts';
import { satWitness } from '../box-witness.ts';
import { createSatResult, sat } from '../sat.ts';
import {
  type CoreDistance,
  type PairResult,
  acceptedGap,
  boundSlack,
  convergedContact,
  createCoreDistance,
  farContact,
  refinedContact,
  setBounds,
} from './result.ts';
import { isCurvedPair } from '../support.ts';
import { farthest, marginInUnits } from './pair-unit.ts';
import { simplexWitness, cornerWitness } from './witness.ts';

/** With more facets of both bodies together EPA can be faster. Two hulls of 64 vertices have 248, of 128 vertices 504. */
const ARCS_MOST_FACETS = 300;

const closed: CoreDistance = { ...createClosedForm(), iterations: 1 };
const best = createSatResult();
const search = createGjkResult();
const expansion = createEpaResult();
const overArcs = { ...createArcsResult(), iterations: 0 };
const portal = createMprResult();
const cores = createCoreDistance();
const between = vec3();

/** Asks for the distance by the fastest stages, however far apart the bodies are. */
export const AT_ANY_DISTANCE: PairOptions = { margin: Infinity, leadStage: 'sat' };

export function contact(
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
    const { separation, normal } = sat(pair, farthest(margin, radius), best);
    if (separation - radius > margin)
      return farContact(pair, setBounds(normal, separation, 1e30, 1, cores), margin, to);
    if (separation <= 0) {
      setBounds(normal, separation, separation, 1, cores);
      satWitness(pair, best, cores.onA, cores.onB);
      return convergedContact(pair, shapeA, shapeB, cores, margin, to);
    }
  }
  if (isClosed(leadStage, shapeA.kind, shapeB.kind)) return contactByClosedForm(pair, shapeA, shapeB, margin, to);
  if (leadStage === 'mpr') {
    const { state, lower, normal, ids, weights, iterations } = mpr(
      pair,
      farthest(margin, radius),
      query.mprDepth === 'ray' ? MPR_RAY : MPR_NORMAL,
      portal,
    );
    if (state === MPR_FAR) return farContact(pair, setBounds(normal, lower, 1e30, iterations, cores), margin, to);
    if (state === MPR_OVERLAPPING) {
      setBounds(normal, lower, lower, iterations, cores);
      cornerWitness(pair, ids, weights, cores.onA, cores.onB);
      convergedContact(pair, shapeA, shapeB, cores, margin, to);
      // The origin is in the difference; how deep at least is not known.
      to.upper = (boundSlack(pair) - radius) * pair.unit;
      return to;
    }
  }
  gjk(pair, farthest(margin, radius), -1, guess ?? NO_GUESS, search);
  if (guess) storeGuess(search.simplex, guess);
  const { state, lower, upper, iterations } = search;
  if (state === GJK_FAR) return farContact(pair, search, margin, to);
  const isNearMiss = state === GJK_TOUCHING && lower > 0 && isCurvedPair(pair);
  const hasConverged =
    state === GJK_CONVERGED || ((state === GJK_STALLED || isNearMiss) && upper - lower <= acceptedGap(pair));
  const isApart = state === GJK_STALLED && upper > GJK_NEARBY;
  if (hasConverged || isApart) {
    setBounds(search.normal, lower, upper, iterations, cores);
    simplexWitness(pair, search.simplex, cores.onA, cores.onB);
    return convergedContact(pair, shapeA, shapeB, cores, margin, to);
  }
  if (leadStage === 'sat' && canUseArcs(shapeA, shapeB)) {
    findArcs(pair, shapeA, shapeB);
    const isFlat = overArcs.upper >= -FLAT_ULPS * EPSILON;
    if (!isFlat && overArcs.upper - overArcs.lower <= acceptedGap(pair)) {
      return contactOfArcs(pair, shapeA, shapeB, margin, iterations, to);
    }
  }
  return contactByEpa(pair, shapeA, shapeB, margin, to);
}

/** Whether both are polytopes, at least one has facets, and together they have at most `ARCS_MOST_FACETS`. */
function canUseArcs({ kind: kindA, gaussMap: a }: ShapeData, { kind: kindB, gaussMap: b }: ShapeData): boolean {
  if (Math.max(kindA, kindB) > CORE_HULL || a.arcs.length + b.arcs.length === 0) return false;
  return a.offsets.length + b.offsets.length <= ARCS_MOST_FACETS;
}

function contactByClosedForm(
  pair: Pair,
  shapeA: ShapeData,
  shapeB: ShapeData,
  margin: number,
  to: PairResult,
): PairResult {
  const { lower } = closedForm(pair, closed);
  if (lower - (pair.radiusA + pair.radiusB) > margin) return farContact(pair, closed, margin, to);
  return convergedContact(pair, shapeA, shapeB, closed, margin, to);
}

/** `search` is what GJK left. */
function contactByEpa(pair: Pair, shapeA: ShapeData, shapeB: ShapeData, margin: number, to: PairResult): PairResult {
  epa(pair, search.simplex, search.normal, EVERYWHERE, expansion);
  const hasConverged = expansion.state === EPA_CONVERGED;
  const isOpen = !hasConverged && expansion.upper < 0 && !(expansion.upper - expansion.lower <= acceptedGap(pair));
  if (isOpen && !isCurvedPair(pair)) {
    findArcs(pair, shapeA, shapeB);
    return contactOfArcs(pair, shapeA, shapeB, margin, search.iterations + expansion.iterations, to);
  }
  const isRefined = !hasConverged && isCurvedPair(pair) && expansion.upper < 0;
  if (!hasConverged && search.lower > expansion.lower) {
    copy(search.normal, expansion.normal);
    expansion.lower = search.lower;
  }
  if (isRefined) refine(pair, shapeA, shapeB, expansion);
  const { normal, lower } = expansion;
  const upper = expansion.upper < 0 ? expansion.upper : Math.min(search.upper, expansion.faceDistance);
  setBounds(normal, lower, Math.max(lower, upper), search.iterations + expansion.iterations, cores);
  cornerWitness(pair, expansion.ids, expansion.weights, cores.onA, cores.onB);
  convergedContact(pair, shapeA, shapeB, cores, margin, to);
  return isRefined ? refinedContact(to) : to;
}

/** `search` is what GJK left. */
function findArcs(pair: Pair, shapeA: ShapeData, shapeB: ShapeData): void {
  copy(search.normal, overArcs.normal);
  overArcs.lower = search.lower;
  arcs(pair, shapeA, shapeB, search.simplex, overArcs);
}

/** The contact along the normal of `overArcs`. Where that has no points, EPA finds them in the plane along it. */
function contactOfArcs(
  pair: Pair,
  shapeA: ShapeData,
  shapeB: ShapeData,
  margin: number,
  iterationsBefore: number,
  to: PairResult,
): PairResult {
  const { normal, lower, hasPoints, onA, onB } = overArcs;
  overArcs.iterations = iterationsBefore;
  if (!hasPoints) {
    epa(pair, search.simplex, normal, ALONG, expansion);
    cornerWitness(pair, expansion.ids, expansion.weights, onA, onB);
    // Points that miss the normal are none of an answer; what is missed is shared by both.
    const miss = distance(addScaled(onA, normal, lower, between), onB);
    overArcs.upper = Math.max(overArcs.upper, lower + 0.5 * miss);
    overArcs.iterations += expansion.iterations;
  }
  return convergedContact(pair, shapeA, shapeB, overArcs, margin, to);
}
