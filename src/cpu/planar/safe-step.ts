/**
 * Mirror of shaders/planar/safe-step.wgsl: for how long bodies in 2-D stay farther apart than the target
 * distance, at least.
 */
import { ADVANCE_TANGENTS, FEATURE_EDGE, PLANAR_QUARTER_TURN } from '../../generated/constants.ts';
import { feature } from './feature.ts';
import { type Vec2, addScaled, copy, dot, leftOf, length, rotate, rotateBack, scale, subtract, vec2 } from './math.ts';
import type { PlanarCore, PlanarPair } from './pair.ts';
import type { Answer } from './queries/signed-distance.ts';
import { type PlanarMotion, relativeVelocity } from './queries/motion.ts';
import { corner, createCorner, support } from './support.ts';

export interface SafeStep {
  seconds: number;
  /** Angular velocity of the normal meanwhile. */
  turn: number;
}

const turns = [0, 0, 0];
const offset = vec2();
const direction = vec2();
const relative = vec2();
const lever = vec2();
const swing = vec2();
const swingA = vec2();
const swingB = vec2();
const velocityA = vec2();
const onA = vec2();
const onB = vec2();
const farthest = createCorner();

const longest: SafeStep = { seconds: 0, turn: 0 };

/** How a step is tried: the normal, in A's frame, its angular velocity, and `lift`. */
interface Trial {
  normal: Vec2;
  turn: number;
  lift: number;
}

const trial: Trial = { normal: vec2(), turn: 0, lift: 0 };

/**
 * Finds the longest of the steps that are safe along a normal that doesn't rotate, and that rotates with what gave it. The
 * next call overwrites the result.
 */
export function longestStep(
  pair: PlanarPair,
  motion: PlanarMotion,
  stand: Answer,
  isTouching: boolean,
  targetDistance: number,
  most: number,
): SafeStep {
  normalTurns(pair, motion, stand, turns);
  longest.seconds = 0;
  longest.turn = 0;
  trial.normal = stand.normal;
  for (let i = 0; i < (isTouching ? 6 : 3); i++) {
    trial.lift = i < 3 ? 1 : 0;
    trial.turn = turns[i % 3];
    if (longest.seconds >= most || (i % 3 > 0 && trial.turn === 0)) continue;
    const step = safeStep(pair, motion, trial, targetDistance, most);
    if (step <= longest.seconds) continue;
    longest.seconds = step;
    longest.turn = trial.turn;
  }
  return longest;
}

/**
 * Writes how the normal of the nearest points may rotate: not; with the edge of A, and with the edge of B, that one of
 * the points is on; or, if neither is on an edge, with the line through both points. 0 stands for no rotation. Short
 * edges count as edges, although the other body's edge matters then.
 */
function normalTurns(pair: PlanarPair, motion: PlanarMotion, stand: Answer, to: number[]): void {
  const { normal: unit, onA: pointA, onB: pointB } = stand;
  const isOnA = feature(pair.coreA, unit, stand.cornerA) >= FEATURE_EDGE;
  const isOnB =
    feature(pair.coreB, rotateBack(pair.rotation, scale(unit, -1, direction), direction), stand.cornerB) >=
    FEATURE_EDGE;
  const between = dot(subtract(pointB, pointA, lever), unit);
  let onLine = 0;
  if (!isOnA && !isOnB && between > 0)
    onLine = dot(leftOf(unit, direction), relativeVelocity(pair, motion, pointA, pointB, relative)) / between;
  to[1] = isOnA ? motion.angularVelocityA : onLine;
  to[2] = isOnB ? motion.angularVelocityB : 0;
}

/**
 * Seconds, up to `most`, during which the cores can't come within the target distance along the normal. The normal is
 * in A's frame, separates them by that now, and rotates by the angular velocity `turn`.
 *
 * In a frame that rotates with the normal n, let a body's angular velocity be `own`. A point r of it is at the height g
 * = n · r cos(own t) + ... over the body's origin, with an acceleration of -own² g. So a point that is now below the
 * origin, seen from the other body, stays above its tangent while it is below. A point that is now above the origin
 * stays above 0, less what its tangent falls by, for a quarter of a turn. The same is true of heights over any other
 * point of the body, at most as low as the body extends; only that point's own height differs: its acceleration is at
 * most own² times its height above the origin. With `lift`, that point is as far above the lowest one as the body
 * extends to its sides: then points that fall there don't hold up near ones. Without, bodies may rotate about where
 * they touch. B's origin, at d from A's and with velocity v, has a speed of n · (v - turn × d), and an acceleration of
 * at most |turn| (2 |v| + |turn| |d|).
 *
 * So the least of all heights is at least that of a support along a direction that leans with time, or that of what
 * falls on the bodies' sides, less a square of the time. This is concave in time. Its tangents approach its root from
 * beyond; the chord to the end of the last tangent stays before the root.
 */
function safeStep(
  pair: PlanarPair,
  { velocity, angularVelocityA, angularVelocityB }: PlanarMotion,
  { normal: n, turn, lift }: Trial,
  targetDistance: number,
  most: number,
): number {
  const { coreA, rotationA, translation, unit, middleA, middleB } = pair;
  const ownA = angularVelocityA - turn;
  const ownB = angularVelocityB - turn;
  // A point r has a speed of own (n · left of r) = r · (right of n) own along n.
  leftOf(n, swing);
  scale(swing, -ownA, swingA);
  scale(swing, -ownB, swingB);
  // The speed at which the sides fall.
  farthestPoint(coreA, ownA === 0 ? n : swingA, onA);
  lowestOfB(pair, ownB === 0 ? n : swingB, onB);
  // Points are relative to the middles, and bodies rotate about their origins.
  const fallA = Math.max(dot(swingA, addScaled(onA, middleA, 1, onA)), 0);
  const fallB = Math.max(-dot(swingB, addScaled(onB, middleB, 1, onB)), 0);
  scale(rotateBack(rotationA, velocity, velocityA), 1 / unit, velocityA);
  subtract(addScaled(translation, middleA, 1, offset), middleB, offset);
  const far = Math.max(length(offset), length(addScaled(offset, velocityA, most, onA)));
  const drift = dot(n, velocityA) - dot(n, leftOf(offset, onA)) * turn;
  const middle = dot(n, offset) - targetDistance;
  let bend = 0;
  let aboveA = 0;
  let aboveB = 0;
  let step = 0;
  let separation = 0;
  for (let i = 0; i <= ADVANCE_TANGENTS; i++) {
    farthestPoint(coreA, addScaled(n, swingA, step, direction), onA);
    addScaled(onA, middleA, 1, onA);
    lowestOfB(pair, addScaled(n, swingB, step, direction), onB);
    addScaled(onB, middleB, 1, onB);
    let lowA = -dot(n, onA);
    let lowB = dot(n, onB);
    if (i === 0) {
      aboveA = Math.max(lowA + (lift * fallA) / Math.max(Math.abs(ownA), 1e-30), 0);
      aboveB = Math.max(lowB + (lift * fallB) / Math.max(Math.abs(ownB), 1e-30), 0);
      bend =
        0.5 *
        (ownA * ownA * aboveA + ownB * ownB * aboveB + Math.abs(turn) * (2 * length(velocityA) + Math.abs(turn) * far));
      separation = Math.max(middle + lowA + lowB, 0);
      step = Math.min(most, PLANAR_QUARTER_TURN / Math.max(Math.abs(ownA), Math.abs(ownB), 1e-30));
      continue;
    }
    let rateA = -dot(swingA, onA);
    let rateB = dot(swingB, onB);
    if (aboveA - fallA * step < lowA + rateA * step) {
      lowA = aboveA;
      rateA = -fallA;
    }
    if (aboveB - fallB * step < lowB + rateB * step) {
      lowB = aboveB;
      rateB = -fallB;
    }
    const start = middle + lowA + lowB;
    const rate = drift + rateA + rateB;
    const height = start + (rate - bend * step) * step;
    if (height >= 0) return step;
    if (i === ADVANCE_TANGENTS) return (step * separation) / (separation - height);
    // The tangent's own root, with the same bend.
    step = Math.min(step, positiveRoot(start, rate, bend));
  }
  return 0;
}

/** Writes B's lowest point along a direction, both in A's frame. */
function lowestOfB({ coreB, rotation }: PlanarPair, towards: Vec2, to: Vec2): Vec2 {
  return rotate(rotation, farthestPoint(coreB, scale(rotateBack(rotation, towards, to), -1, to), to), to);
}

/** Writes the point of a core that is farthest along a direction in its body's frame. */
function farthestPoint(core: PlanarCore, towards: Vec2, to: Vec2): Vec2 {
  return copy(corner(core, support(core, towards), farthest).position, to);
}

/** The root of height + slope x - bend x², height and bend at least 0. */
function positiveRoot(height: number, slope: number, bend: number): number {
  const least = Math.max(height, 0);
  const root = Math.sqrt(slope * slope + 4 * bend * least);
  return slope >= 0 ? (slope + root) / Math.max(2 * bend, 1e-300) : (2 * least) / (root - slope);
}
