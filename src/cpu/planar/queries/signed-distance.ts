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

/** What a search found about the cores: bounds of their signed distance, and the unit normal that gave `lower`. */
export interface CoreBounds {
  lower: number;
  upper: number;
  normal: Vec2;
}

/** Two points of the difference, and the weight of the first in the point between them. */
export interface Chord {
  a: Point;
  b: Point;
  weight: number;
}

const bounds: CoreBounds = { lower: 0, upper: 0, normal: vec2() };

/** Bounds of separate numbers. The next call overwrites them. */
export function boundsOf(lower: number, upper: number, unit: Vec2): CoreBounds {
  bounds.lower = lower;
  bounds.upper = upper;
  bounds.normal = unit;
  return bounds;
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
    if (best.separation > far) return answer(radius, boundsOf(best.separation, 1e30, best.normal), false, 1, to);
    if (best.separation < -PLANAR_TOUCH_ULPS * EPSILON) return bySat(pair, 1, to);
  }
  if (stage === PLANAR_STAGE_MPR) {
    mpr(pair, far, mprDepth, portal);
    if (portal.state === PLANAR_MPR_FAR)
      return answer(radius, boundsOf(portal.lower, 1e30, portal.normal), false, portal.iterations, to);
    if (portal.state === PLANAR_MPR_OVERLAPPING) {
      // The origin is in the difference; how deep at least is not known.
      return byChord(pair, boundsOf(portal.lower, 0, portal.normal), portal, portal.iterations, to);
    }
  }
  gjk(pair, far, -1, normal, search);
  const { state, simplex } = search;
  let { iterations } = search;
  if (state === PLANAR_GJK_FAR) return answer(radius, search, false, iterations, to);
  if (state === PLANAR_GJK_CONVERGED || state === PLANAR_GJK_STALLED) {
    return byChord(pair, search, simplex, iterations, to);
  }
  const isInside = state === PLANAR_GJK_ENCLOSED;
  if (!isTried) {
    if (isInside) {
      epa(pair, simplex, expansion);
      iterations += expansion.iterations;
      if (expansion.isFound) return byChord(pair, expansion, expansion, iterations, to);
    }
    if (hasClosedForm(pair.coreA.kind, pair.coreB.kind))
      return closedAnswer(pair, far, closedForm(pair, satOfSegments(pair, best), closed), iterations, to);
    sat(pair, best);
  }
  if (isInside || best.separation < -PLANAR_TOUCH_ULPS * EPSILON) return bySat(pair, iterations, to);
  // Thin tips end to end touch beside the edges that say how deep.
  return byChord(pair, boundsOf(best.separation, best.separation, best.normal), simplex, iterations, to);
}

/** Everything but the points, from what is known of the cores. */
export function answer(
  radius: number,
  { lower, upper, normal: unit }: CoreBounds,
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
  return answer(pair.radiusA + pair.radiusB, boundsOf(distance, distance, unit), distance <= far, iterations, to);
}

function bySat(pair: PlanarPair, iterations: number, to: Answer): Answer {
  satDepth(pair, best, to.onA, to.onB);
  to.cornerA = best.isOfB ? best.corner : best.edge;
  to.cornerB = best.isOfB ? best.edge : best.corner;
  const { separation, normal: unit } = best;
  return answer(pair.radiusA + pair.radiusB, boundsOf(separation, separation, unit), true, iterations, to);
}

/** The points are those of the chord's point. */
export function byChord(pair: PlanarPair, of: CoreBounds, chord: Chord, iterations: number, to: Answer): Answer {
  chordPoints(pair, chord, to);
  to.cornerA = chord.a.a;
  to.cornerB = chord.a.b;
  return answer(pair.radiusA + pair.radiusB, of, true, iterations, to);
}

const one = vec2();
const other = vec2();

export function chordPoints(
  pair: PlanarPair,
  { a, b, weight }: Chord,
  { onA, onB }: Pick<Answer, 'onA' | 'onB'>,
): void {
  between(cornerA(pair, a.a, one), cornerA(pair, b.a, other), weight, onA);
  between(cornerB(pair, a.b, one), cornerB(pair, b.b, other), weight, onB);
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
