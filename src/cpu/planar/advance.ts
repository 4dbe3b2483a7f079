/** Mirror of shaders/planar/advance.wgsl: when two turning bodies of the plane meet, by conservative advancement. */
import {
  ADVANCE_LEAVE_MOTION,
  ADVANCE_LEAVE_SHARE,
  ADVANCE_STEEP,
  ADVANCE_TANGENTS,
  FEATURE_EDGE,
  MOTION_OPPOSITE,
  PLANAR_ADVANCE_LEAST_OVERLAP,
  PLANAR_ADVANCE_MAX_ITERATIONS,
  PLANAR_ADVANCE_OVERLAP_STEP,
  PLANAR_IMPACT_MET,
  PLANAR_IMPACT_NONE,
  PLANAR_IMPACT_OPEN,
  PLANAR_QUARTER_TURN,
  PLANAR_RUNG_SAT,
  UNBOUNDED,
} from '../../generated/constants.ts';
import type { PlanarShapeData } from '../../shapes/planar-shape-data.ts';
import { createTouch, facing } from './facing.ts';
import { feature } from './feature.ts';
import { type ImpactResult, standTouch, touchPoint } from './impact.ts';
import {
  type Vec2,
  addScaled,
  copy,
  dot,
  leftOf,
  length,
  rotate,
  rotateBack,
  scale,
  set,
  setRotation,
  subtract,
  vec2,
} from './math.ts';
import { type PlanarCore, type PlanarPair, type PlanarPose, toWorld } from './pair.ts';
import { createAnswer, signedDistance } from './queries/signed-distance.ts';
import { type PlanarMotion, pairAt, slackOf } from './queries/motion.ts';
import { corner, createCorner, support } from './support.ts';

const stand = createAnswer();
const normal = vec2();
/** The normal of the last step, as it has turned. */
const known = vec2();
/** That of where they were last apart. */
const came = vec2();
const turn = vec2();
/** Seconds, and how the normal turns meanwhile. */
const longest = { seconds: 0, spin: 0 };

/**
 * From time 0 on. `size`: the sum of the bounding radii. `isLeaving`: the bodies overlap and part; an impact is looked
 * for from when they are apart. Gives the time of impact, or a bound, and leaves the pair as it is then.
 */
export function advance(
  pair: PlanarPair,
  shapeA: PlanarShapeData,
  poseA: PlanarPose,
  shapeB: PlanarShapeData,
  poseB: PlanarPose,
  motion: PlanarMotion,
  size: number,
  isLeaving: boolean,
  result: ImpactResult,
): number {
  result.state = PLANAR_IMPACT_OPEN;
  let leaves = isLeaving;
  let time = 0;
  // The last time at which they touched, if they have since they were apart, and the last at which they were apart.
  let isTouching = false;
  let touchTime = 0;
  let apartTime = 0;
  // Overlap beyond which a touch was an impact, in slacks: more of those that overlap to begin with.
  let most = PLANAR_ADVANCE_LEAST_OVERLAP;
  set(0, 0, came);
  // What is left is to see the bodies as they touch.
  let isMet = false;
  for (let i = 0; i < PLANAR_ADVANCE_MAX_ITERATIONS; i++) {
    pairAt(shapeA, poseA, shapeB, poseB, motion, time, pair);
    const margin = motion.margin / pair.unit;
    const slack = slackOf(motion.slack, size / pair.unit);
    signedDistance(pair, UNBOUNDED, PLANAR_RUNG_SAT, 0, stand);
    const room = stand.lower - margin;
    toWorld(pair, stand.normal, normal);
    result.iterations += stand.iterations;
    copy(stand.normal, result.normal);
    if (leaves && room <= slack) {
      if (time >= motion.duration) {
        result.state = PLANAR_IMPACT_NONE;
        return time;
      }
      const skip = Math.max(
        (ADVANCE_LEAVE_MOTION * size) / fastest(motion, size),
        ADVANCE_LEAVE_SHARE * motion.duration,
      );
      time = Math.min(time + skip, motion.duration);
      continue;
    }
    leaves = false;
    if (isMet || (!isTouching && Math.abs(room) <= slack)) {
      touchPoint(pair, stand.onA, stand.onB, stand.normal, pair.radiusA + pair.radiusB + margin, result.point);
      const closing = turnedFacing(pair, motion, margin, slack, result.point, result.normal);
      if (isMet) {
        result.state = PLANAR_IMPACT_MET;
        return time;
      }
      if (closing * pair.unit > ADVANCE_STEEP * fastest(motion, size)) {
        // They meet, after what is left of the gap.
        time = Math.min(time + Math.max(room, 0) / closing, motion.duration);
        isMet = true;
        continue;
      }
    }
    if (i === 0) most = Math.min(Math.max(PLANAR_ADVANCE_OVERLAP_STEP - room / slack, PLANAR_ADVANCE_LEAST_OVERLAP), 1);
    // Of cores without an inside that come through each other the normal changes sides.
    const isThrough = isTouching && room <= 3 * slack && dot(normal, known) < MOTION_OPPOSITE;
    if (room < -most * slack || isThrough) {
      const halfTime = 0.5 * (apartTime + time);
      isMet = true;
      if (isTouching) {
        time = touchTime;
      } else if (halfTime > apartTime && halfTime < time) {
        // A step that rounding made too long.
        time = halfTime;
        isMet = false;
      } else {
        time = apartTime;
      }
      continue;
    }
    isTouching = room <= slack;
    if (isTouching) {
      touchTime = time;
    } else {
      apartTime = time;
      copy(normal, came);
    }
    const left = motion.duration - time;
    const reach =
      pair.radiusA + pair.radiusB + margin - (isTouching ? (most + PLANAR_ADVANCE_OVERLAP_STEP) * slack : 0);
    longestStep(pair, motion, isTouching, reach, left, longest);
    const step = longest.seconds;
    if (step >= left) {
      result.state = PLANAR_IMPACT_NONE;
      return time;
    }
    // Numbers too large for a bound.
    if (!(step > 0)) return time;
    // As near as time can be told.
    isMet = time + step === time;
    rotate(setRotation(longest.spin * step, turn), normal, known);
    time += step;
  }
  return time;
}

/** What no points of the bodies move faster by against each other. */
function fastest({ velocity, spinA, spinB }: PlanarMotion, size: number): number {
  return length(velocity) + (Math.abs(spinA) + Math.abs(spinB)) * size;
}

const turns = [0, 0, 0];

/** Writes the longest of the steps that are safe along the normal as it stands, and as it turns with what gave it. */
function longestStep(
  pair: PlanarPair,
  motion: PlanarMotion,
  isTouching: boolean,
  reach: number,
  most: number,
  to: typeof longest,
): void {
  normalSpins(pair, motion, turns);
  to.seconds = to.spin = 0;
  for (let i = 0; i < (isTouching ? 6 : 3); i++) {
    const lift = i < 3 ? 1 : 0;
    const spin = turns[i % 3];
    if (to.seconds >= most || (i % 3 > 0 && spin === 0)) continue;
    const step = safeStep(pair, motion, spin, lift, reach, most);
    if (step <= to.seconds) continue;
    to.seconds = step;
    to.spin = spin;
  }
}

const direction = vec2();
const speed = vec2();
const lever = vec2();

/**
 * Writes how the normal of the nearest points may turn: not; with the edge of A and with that of B that one of them is
 * on, or if there is neither with the line through both. 0: as before. Short edges are edges, too, and yet the other
 * body's is what matters.
 */
function normalSpins(pair: PlanarPair, motion: PlanarMotion, to: number[]): void {
  const { normal: unit, onA: pointA, onB: pointB } = stand;
  const isOnA = feature(pair.coreA, unit, stand.cornerA) >= FEATURE_EDGE;
  const isOnB =
    feature(pair.coreB, rotateBack(pair.rotation, scale(unit, -1, direction), direction), stand.cornerB) >=
    FEATURE_EDGE;
  const between = dot(subtract(pointB, pointA, lever), unit);
  let onLine = 0;
  if (!isOnA && !isOnB && between > 0)
    onLine = dot(leftOf(unit, direction), approachAt(pair, motion, pointA, pointB, speed)) / between;
  to[1] = isOnA ? motion.spinA : onLine;
  to[2] = isOnB ? motion.spinB : 0;
}

/** Writes B's velocity at a point of it, minus A's at a point of that, in A's frame and the pair's unit. */
function approachAt(
  { rotationA, translation, unit }: PlanarPair,
  { velocity, spinA, spinB }: PlanarMotion,
  pointA: Vec2,
  pointB: Vec2,
  to: Vec2,
): Vec2 {
  scale(rotateBack(rotationA, velocity, to), 1 / unit, to);
  const x = pointB.x - translation.x;
  const y = pointB.y - translation.y;
  return set(to.x - y * spinB + pointA.y * spinA, to.y + x * spinB - pointA.x * spinA, to);
}

const swing = vec2();
const swingA = vec2();
const swingB = vec2();
const velocityA = vec2();
const onA = vec2();
const onB = vec2();

/**
 * Seconds, up to `most`, in which the cores can't come within `reach` of each other along the stand's normal, which
 * separates them by that now and turns by `spin`.
 *
 * Seen in a frame that turns with the normal n, a point r of a body that turns by `own` there is at the height g = n ·
 * r cos(own t) + .. over the body's origin, which gets faster by -own² g each second. So what is below the origin now,
 * as seen from the other body, is above its tangent for as long as it is below; and what is above it now is above 0,
 * less what its tangent falls by, for a quarter of a turn. The same goes for heights over any other point of the body,
 * at most as low as it reaches, of which only that point's own height is different: it gets faster by at most own²
 * times how far that is above the origin. With `lift` that point is as far above the lowest as the body reaches to its
 * sides: what is near is not held up by what falls there. Without, bodies may turn about where they touch. B's origin,
 * d away from A's and moving by v, moves by n · (v - spin × d), and faster by at most |spin| (2 |v| + |spin| |d|) each
 * second.
 *
 * So the least of all heights is no less than that of a support along a direction that leans with the time, or than
 * what falls on the bodies' sides, less a square of the time: concave in time. Its tangents come to its root from
 * beyond; the chord to where the last of them ends stays before it.
 */
function safeStep(
  pair: PlanarPair,
  { velocity, spinA, spinB }: PlanarMotion,
  spin: number,
  lift: number,
  reach: number,
  most: number,
): number {
  const { coreA, rotationA, translation, unit } = pair;
  const { normal: n } = stand;
  const ownA = spinA - spin;
  const ownB = spinB - spin;
  // A point r gets higher by own (n · left of r) = r · (right of n) own each second.
  leftOf(n, swing);
  scale(swing, -ownA, swingA);
  scale(swing, -ownB, swingB);
  // How fast the sides fall.
  const fallA = Math.max(dot(swingA, farthestPoint(coreA, ownA === 0 ? n : swingA, onA)), 0);
  const fallB = Math.max(-dot(swingB, lowestOfB(pair, ownB === 0 ? n : swingB, onB)), 0);
  scale(rotateBack(rotationA, velocity, velocityA), 1 / unit, velocityA);
  const far = Math.max(length(translation), length(addScaled(translation, velocityA, most, onA)));
  const drift = dot(n, velocityA) - dot(n, leftOf(translation, onA)) * spin;
  const middle = dot(n, translation) - reach;
  let bend = 0;
  let aboveA = 0;
  let aboveB = 0;
  let step = 0;
  let room = 0;
  for (let i = 0; i <= ADVANCE_TANGENTS; i++) {
    farthestPoint(coreA, addScaled(n, swingA, step, direction), onA);
    lowestOfB(pair, addScaled(n, swingB, step, direction), onB);
    let lowA = -dot(n, onA);
    let lowB = dot(n, onB);
    if (i === 0) {
      aboveA = Math.max(lowA + (lift * fallA) / Math.max(Math.abs(ownA), 1e-30), 0);
      aboveB = Math.max(lowB + (lift * fallB) / Math.max(Math.abs(ownB), 1e-30), 0);
      bend =
        0.5 *
        (ownA * ownA * aboveA + ownB * ownB * aboveB + Math.abs(spin) * (2 * length(velocityA) + Math.abs(spin) * far));
      room = Math.max(middle + lowA + lowB, 0);
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
    if (i === ADVANCE_TANGENTS) return (step * room) / (room - height);
    // The tangent's own root, with the same bend.
    step = Math.min(step, positiveRoot(start, rate, bend));
  }
  return 0;
}

/** B's lowest point along a direction, both in A's frame. */
function lowestOfB({ coreB, rotation }: PlanarPair, along: Vec2, to: Vec2): Vec2 {
  return rotate(rotation, farthestPoint(coreB, scale(rotateBack(rotation, along, to), -1, to), to), to);
}

const farthest = createCorner();

/** The point of a core that is farthest along a direction in its body's frame. */
function farthestPoint(core: PlanarCore, along: Vec2, to: Vec2): Vec2 {
  return copy(corner(core, support(core, along), farthest).position, to);
}

/** The root of height + slope x - bend x², height and bend at least 0. */
function positiveRoot(height: number, slope: number, bend: number): number {
  const least = Math.max(height, 0);
  const root = Math.sqrt(slope * slope + 4 * bend * least);
  return slope >= 0 ? (slope + root) / Math.max(2 * bend, 1e-300) : (2 * least) / (root - slope);
}

const touching = createTouch();

/**
 * Writes the normal along which turning bodies meet, by how fast their points do, and gives how fast they close in
 * along it, in units of the pair.
 */
function turnedFacing(
  pair: PlanarPair,
  motion: PlanarMotion,
  margin: number,
  slack: number,
  point: Vec2,
  to: Vec2,
): number {
  approachAt(pair, motion, point, point, speed);
  const size = length(speed);
  if (size === 0) return 0;
  const reach = pair.radiusA + pair.radiusB + margin;
  standTouch(stand, touching);
  rotateBack(pair.rotationA, came, direction);
  // At the end of something thin the far side may be as near.
  if (dot(touching.normal, speed) > 0 && dot(direction, speed) < 0) {
    copy(direction, touching.normal);
    copy(direction, touching.direction);
  }
  const face = facing(pair, scale(speed, 1 / size, speed), 0, reach, slack, touching, true);
  copy(face.normal, to);
  return face.closing * size;
}
