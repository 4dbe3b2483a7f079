/** Mirror of shaders/planar/queries/answer.wgsl: signed distance of two bodies of the plane, by the ladder that the query asks for. */
import {
  PLANAR_GJK_CONVERGED, PLANAR_GJK_ENCLOSED, PLANAR_GJK_FAR, PLANAR_GJK_STALLED, PLANAR_MPR_FAR, PLANAR_MPR_OVERLAPPING, PLANAR_RUNG_CLOSED, PLANAR_RUNG_MPR,
  PLANAR_RUNG_SAT, PLANAR_TOUCH_ULPS, SAT_CORNERS,
} from '../../../generated/constants.ts';
import { closedForm, createClosedForm, hasClosedForm } from '../closed.ts';
import { createEpaResult, epa } from '../epa.ts';
import { createGjkResult, firstNormal, gjk } from '../gjk.ts';
import { EPSILON, type Vec2, between, copy, set, vec2 } from '../math.ts';
import { createMprResult, mpr } from '../mpr.ts';
import type { PlanarPair } from '../pair.ts';
import { createSatResult, sat, satDepth } from '../sat.ts';
import type { Simplex } from '../simplex.ts';
import { type Point, cornerA, cornerB, edgeCount } from '../support.ts';
import { acceptedGap, farthest } from './units.ts';

export interface Answer {
  /** Of the surfaces. `lower` is the signed distance, which supports along the normal reproduce. */
  lower: number;
  upper: number;
  /** Unit vector from A to B, in A's frame. */
  normal: Vec2;
  /** Points of the cores; not of pairs that left early. */
  onA: Vec2;
  onB: Vec2;
  hasPoints: boolean;
  /** The bounds are too far apart for an answer. */
  isOpen: boolean;
  iterations: number;
}

export function createAnswer(): Answer {
  return { lower: 0, upper: 0, normal: vec2(), onA: vec2(), onB: vec2(), hasPoints: false, isOpen: false, iterations: 0 };
}

export function takesClosedForm({ coreA, coreB }: PlanarPair, rung: number): boolean {
  return rung <= PLANAR_RUNG_CLOSED && hasClosedForm(coreA.kind, coreB.kind);
}

export function takesSat({ coreA, coreB }: PlanarPair, rung: number): boolean {
  return rung === PLANAR_RUNG_SAT && edgeCount(coreA) + edgeCount(coreB) <= SAT_CORNERS;
}

const closed = createClosedForm();
const best = createSatResult();
const portal = createMprResult();
const search = createGjkResult();
const expansion = createEpaResult();
const normal = vec2();

/** `portals` is what MPR is asked for. */
export function signedDistance(pair: PlanarPair, margin: number, rung: number, portals: number, to: Answer): Answer {
  const radius = pair.radiusA + pair.radiusB;
  const far = farthest(margin, radius);
  if (takesClosedForm(pair, rung)) return byClosedForm(pair, far, 1, to);
  firstNormal(pair, normal);
  const isTried = takesSat(pair, rung);
  if (isTried) {
    sat(pair, best);
    copy(best.normal, normal);
    if (best.separation > far) return answer(radius, best.separation, 1e30, best.normal, false, 1, to);
    if (best.separation < -PLANAR_TOUCH_ULPS * EPSILON) return bySat(pair, 1, to);
  }
  if (rung === PLANAR_RUNG_MPR) {
    mpr(pair, far, portals, portal);
    if (portal.state === PLANAR_MPR_FAR) return answer(radius, portal.lower, 1e30, portal.normal, false, portal.iterations, to);
    if (portal.state === PLANAR_MPR_OVERLAPPING) {
      // The origin is in the difference; how deep at least is not known.
      chordPoints(pair, portal.a, portal.b, portal.weight, to);
      return answer(radius, portal.lower, 0, portal.normal, true, portal.iterations, to);
    }
  }
  gjk(pair, far, -1, normal, search);
  const { state, lower, upper, iterations } = search;
  if (state === PLANAR_GJK_FAR) return answer(radius, lower, upper, search.normal, false, iterations, to);
  if (state === PLANAR_GJK_CONVERGED || state === PLANAR_GJK_STALLED) {
    simplexPoints(pair, search.simplex, to);
    return answer(radius, lower, upper, search.normal, true, iterations, to);
  }
  let asked = iterations;
  if (!isTried) {
    if (state === PLANAR_GJK_ENCLOSED) {
      epa(pair, search.simplex, expansion);
      asked += expansion.iterations;
      if (expansion.isFound) {
        chordPoints(pair, expansion.a, expansion.b, expansion.weight, to);
        return answer(radius, expansion.lower, expansion.upper, expansion.normal, true, asked, to);
      }
    }
    if (hasClosedForm(pair.coreA.kind, pair.coreB.kind)) return byClosedForm(pair, Infinity, asked, to);
    sat(pair, best);
  }
  if (state === PLANAR_GJK_ENCLOSED || best.separation < -PLANAR_TOUCH_ULPS * EPSILON) return bySat(pair, asked, to);
  simplexPoints(pair, search.simplex, to);
  return answer(radius, best.separation, best.separation, best.normal, true, asked, to);
}

/** Everything but the points, from what is known of the cores. */
export function answer(radius: number, lower: number, upper: number, unit: Vec2, hasPoints: boolean, iterations: number, to: Answer): Answer {
  to.lower = lower - radius;
  to.upper = upper - radius;
  copy(unit, to.normal);
  to.hasPoints = hasPoints;
  to.isOpen = hasPoints && lower > 0 && upper - lower > acceptedGap();
  to.iterations = iterations;
  return to;
}

export function byClosedForm(pair: PlanarPair, far: number, iterations: number, to: Answer): Answer {
  const { distance, normal: unit, onA, onB } = closedForm(pair, closed);
  copy(onA, to.onA);
  copy(onB, to.onB);
  return answer(pair.radiusA + pair.radiusB, distance, distance, unit, distance <= far, iterations, to);
}

function bySat(pair: PlanarPair, iterations: number, to: Answer): Answer {
  satDepth(pair, best, to.onA, to.onB);
  return answer(pair.radiusA + pair.radiusB, best.separation, best.separation, best.normal, true, iterations, to);
}

const first = vec2();
const second = vec2();

/** Of a point between two of the difference's, the first of which has this weight. */
function chordPoints(pair: PlanarPair, a: Point, b: Point, weight: number, { onA, onB }: Answer): void {
  between(cornerA(pair, a.a, first), cornerA(pair, b.a, second), weight, onA);
  between(cornerB(pair, a.b, first), cornerB(pair, b.b, second), weight, onB);
}

export function simplexPoints(pair: PlanarPair, { a, b, weight }: Simplex, to: Answer): void {
  chordPoints(pair, a, b, weight, to);
}

/** Points of the rounded surfaces exactly the distance apart along the normal, in A's frame. */
export function surfacePoints({ radiusA, radiusB }: PlanarPair, { onA, onB, normal: unit, lower }: Answer, toA: Vec2, toB: Vec2): void {
  const x = 0.5 * (onA.x + onB.x + unit.x * (radiusA - radiusB));
  const y = 0.5 * (onA.y + onB.y + unit.y * (radiusA - radiusB));
  set(x - 0.5 * lower * unit.x, y - 0.5 * lower * unit.y, toA);
  set(x + 0.5 * lower * unit.x, y + 0.5 * lower * unit.y, toB);
}
