/**
 * Mirror of shaders/planar/queries/signed-distance.wgsl: signed distance of two bodies in 2-D, by the sequence of
 * stages that the query selects.
 */
import {
  PLANAR_GJK_CONVERGED,
  PLANAR_GJK_ENCLOSED,
  PLANAR_GJK_FAR,
  PLANAR_GJK_STALLED,
  PLANAR_MPR_FAR,
  PLANAR_MPR_OVERLAPPING,
  PLANAR_STAGE_CLOSED,
  PLANAR_STAGE_MPR,
  PLANAR_STAGE_SAT,
  PLANAR_TOUCH_ULPS,
  SAT_CORNERS,
} from '../../../generated/constants.ts';
import {
  type ClosedForm,
  areSegments,
  closedForm,
  createClosedForm,
  hasClosedForm,
  satOfSegments,
} from '../closed-form.ts';
import { createEpaResult, epa } from '../epa.ts';
import { createGjkResult, firstNormal, gjk } from '../gjk.ts';
import { EPSILON, type Vec2, between, copy, rotateBack, scale, set, vec2 } from '../math.ts';
import { createMprResult, mpr } from '../mpr.ts';
import type { PlanarPair } from '../pair.ts';
import { sat, satDepth } from '../sat.ts';
import type { Simplex } from '../simplex.ts';
import { type Point, cornerA, cornerB, edgeCount, support } from '../support.ts';
import { createSatResult } from '../sweep.ts';
import { acceptedGap, farthest } from './pair-unit.ts';

export interface Answer {
  /** Bounds of the surfaces' distance. `lower` is the signed distance, which supports along the normal reproduce. */
  lower: number;
  upper: number;
  /** Unit vector from A to B, in A's frame. */
  normal: Vec2;
  /** Points of the cores; not of pairs that left early. */
  onA: Vec2;
  onB: Vec2;
  /** A's and B's corner farthest along the normal; not of pairs that left early. */
  cornerA: number;
  cornerB: number;
  hasPoints: boolean;
  /** The bounds are too far apart for an answer. */
  isOpen: boolean;
  iterations: number;
}

export function createAnswer(): Answer {
  return {
    lower: 0,
    upper: 0,
    normal: vec2(),
    onA: vec2(),
    onB: vec2(),
    cornerA: 0,
    cornerB: 0,
    hasPoints: false,
    isOpen: false,
    iterations: 0,
  };
}

export function takesClosedForm({ coreA, coreB }: PlanarPair, stage: number): boolean {
  return stage <= PLANAR_STAGE_CLOSED && hasClosedForm(coreA.kind, coreB.kind);
}

export function takesSat({ coreA, coreB }: PlanarPair, stage: number): boolean {
  return stage === PLANAR_STAGE_SAT && edgeCount(coreA) + edgeCount(coreB) <= SAT_CORNERS;
}

const closed = createClosedForm();
const best = createSatResult();
const portal = createMprResult();
const search = createGjkResult();
const expansion = createEpaResult();
const normal = vec2();

/** `mprDepth` is one of `PLANAR_MPR_`. */
export function signedDistance(pair: PlanarPair, margin: number, stage: number, mprDepth: number, to: Answer): Answer {
  const radius = pair.radiusA + pair.radiusB;
  const far = farthest(margin, radius);
  const isClosed = takesClosedForm(pair, stage);
  const isTried = takesSat(pair, stage);
  if (isClosed ? areSegments(pair) : isTried) sat(pair, best);
  if (isClosed) return closedAnswer(pair, far, closedForm(pair, best, closed), 1, to);
  firstNormal(pair, normal);
  if (isTried) {
    copy(best.normal, normal);
    if (best.separation > far) return answer(radius, best.separation, 1e30, best.normal, false, 1, to);
    if (best.separation < -PLANAR_TOUCH_ULPS * EPSILON) return bySat(pair, 1, to);
  }
  if (stage === PLANAR_STAGE_MPR) {
    mpr(pair, far, mprDepth, portal);
    if (portal.state === PLANAR_MPR_FAR)
      return answer(radius, portal.lower, 1e30, portal.normal, false, portal.iterations, to);
    if (portal.state === PLANAR_MPR_OVERLAPPING) {
      // The origin is in the difference; how deep at least is not known.
      return byChord(pair, portal.lower, 0, portal.normal, portal.a, portal.b, portal.weight, portal.iterations, to);
    }
  }
  gjk(pair, far, -1, normal, search);
  const { state, lower, upper, simplex } = search;
  let { iterations } = search;
  if (state === PLANAR_GJK_FAR) return answer(radius, lower, upper, search.normal, false, iterations, to);
  if (state === PLANAR_GJK_CONVERGED || state === PLANAR_GJK_STALLED) {
    return byChord(pair, lower, upper, search.normal, simplex.a, simplex.b, simplex.weight, iterations, to);
  }
  const isInside = state === PLANAR_GJK_ENCLOSED;
  if (!isTried) {
    if (isInside) {
      epa(pair, simplex, expansion);
      iterations += expansion.iterations;
      const { lower: low, upper: high, normal: unit, a, b, weight } = expansion;
      if (expansion.isFound) return byChord(pair, low, high, unit, a, b, weight, iterations, to);
    }
    if (hasClosedForm(pair.coreA.kind, pair.coreB.kind))
      return closedAnswer(pair, far, closedForm(pair, satOfSegments(pair, best), closed), iterations, to);
    sat(pair, best);
  }
  if (isInside || best.separation < -PLANAR_TOUCH_ULPS * EPSILON) return bySat(pair, iterations, to);
  // Thin tips end to end touch beside the edges that say how deep.
  return byChord(
    pair,
    best.separation,
    best.separation,
    best.normal,
    simplex.a,
    simplex.b,
    simplex.weight,
    iterations,
    to,
  );
}

/** Everything but the points, from what is known of the cores. */
export function answer(
  radius: number,
  lower: number,
  upper: number,
  unit: Vec2,
  hasPoints: boolean,
  iterations: number,
  to: Answer,
): Answer {
  to.lower = lower - radius;
  to.upper = upper - radius;
  copy(unit, to.normal);
  to.hasPoints = hasPoints;
  to.isOpen = hasPoints && lower > 0 && upper - lower > acceptedGap();
  to.iterations = iterations;
  return to;
}

const backward = vec2();

export function closedAnswer(
  pair: PlanarPair,
  far: number,
  { distance, normal: unit, onA, onB }: ClosedForm,
  iterations: number,
  to: Answer,
): Answer {
  const { coreA, coreB, rotation } = pair;
  copy(onA, to.onA);
  copy(onB, to.onB);
  to.cornerA = support(coreA, unit);
  to.cornerB = support(coreB, rotateBack(rotation, scale(unit, -1, backward), backward));
  return answer(pair.radiusA + pair.radiusB, distance, distance, unit, distance <= far, iterations, to);
}

function bySat(pair: PlanarPair, iterations: number, to: Answer): Answer {
  satDepth(pair, best, to.onA, to.onB);
  to.cornerA = best.isOfB ? best.corner : best.edge;
  to.cornerB = best.isOfB ? best.edge : best.corner;
  return answer(pair.radiusA + pair.radiusB, best.separation, best.separation, best.normal, true, iterations, to);
}

/** The points are those of a point between two of the difference's, the first of which has this weight. */
export function byChord(
  pair: PlanarPair,
  lower: number,
  upper: number,
  unit: Vec2,
  first: Point,
  second: Point,
  weight: number,
  iterations: number,
  to: Answer,
): Answer {
  chordPoints(pair, first, second, weight, to);
  to.cornerA = first.a;
  to.cornerB = first.b;
  return answer(pair.radiusA + pair.radiusB, lower, upper, unit, true, iterations, to);
}

const one = vec2();
const other = vec2();

function chordPoints(
  pair: PlanarPair,
  first: Point,
  second: Point,
  weight: number,
  { onA, onB }: Pick<Answer, 'onA' | 'onB'>,
): void {
  between(cornerA(pair, first.a, one), cornerA(pair, second.a, other), weight, onA);
  between(cornerB(pair, first.b, one), cornerB(pair, second.b, other), weight, onB);
}

export function simplexPoints(pair: PlanarPair, { a, b, weight }: Simplex, to: Pick<Answer, 'onA' | 'onB'>): void {
  chordPoints(pair, a, b, weight, to);
}

/** Points of the rounded surfaces exactly the distance apart along the normal, in A's frame. */
export function surfacePoints(
  { radiusA, radiusB }: PlanarPair,
  { onA, onB, normal: unit, lower }: Answer,
  toA: Vec2,
  toB: Vec2,
): void {
  const x = 0.5 * (onA.x + onB.x + unit.x * (radiusA - radiusB));
  const y = 0.5 * (onA.y + onB.y + unit.y * (radiusA - radiusB));
  set(x - 0.5 * lower * unit.x, y - 0.5 * lower * unit.y, toA);
  set(x + 0.5 * lower * unit.x, y + 0.5 * lower * unit.y, toB);
}
