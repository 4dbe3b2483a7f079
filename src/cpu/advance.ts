/** Mirror of shaders/advance.wgsl: when two turning bodies meet, by conservative advancement. */
import {
  ADVANCE_LEAST_CROSSING,
  ADVANCE_LEAVE_MOTION,
  ADVANCE_LEAVE_SHARE,
  ADVANCE_MAX_HALVINGS,
  ADVANCE_MAX_ITERATIONS,
  ADVANCE_MOST_TURN,
  ADVANCE_RETREAT_ULPS,
  ADVANCE_ROOM,
  ADVANCE_STEEP,
  CORE_CONE,
  CORE_CYLINDER,
  CORE_ELLIPSOID,
  CORE_HALFSPACE,
  CORE_SEGMENT,
  GJK_CONVERGED,
  GJK_STALLED,
  ADVANCE_SKIP,
  ADVANCE_TANGENTS,
  IMPACT_MET,
  IMPACT_NONE,
  IMPACT_OPEN,
  MOTION_OPPOSITE,
} from '../generated/constants.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { createCastResult } from './cast.ts';
import { closedForm, createClosedForm } from './closed-form.ts';
import { facing } from './facing.ts';
import { GUESS_LENGTH, NO_GUESS, NO_ID, createGjkResult, gjk, storeGuess } from './gjk.ts';
import { type ImpactResult, touchPoint } from './impact.ts';
import {
  EPSILON,
  type Vec3,
  addScaled,
  copy,
  cross,
  dot,
  length,
  quaternionProduct,
  scale,
  set,
  subtract,
  transform,
  transformBack,
  vec3,
} from './math.ts';
import { type Core, type Pair, type Pose, makePair } from './pair.ts';
import type { Motion } from './queries/motion.ts';
import { acceptedGap } from './queries/result.ts';
import { simplexWitness } from './queries/witness.ts';
import { createPoint, differenceSupport, support, vertex } from './support.ts';

/** Nobody waits for a warp here: what kernels leave open is asked again of the reference. */
const MAX_ITERATIONS = 16 * ADVANCE_MAX_ITERATIONS;

const search = createGjkResult();
const closed = createClosedForm();
const guess = new Float64Array(GUESS_LENGTH);
const turnedA = { scale: 1, quaternion: new Float64Array(4) };
const turnedB = { scale: 1, quaternion: new Float64Array(4) };
const offset = vec3();
const normal = vec3();
const lever = vec3();
const own = vec3();
const known = vec3();
const axis = vec3();
const lowest = createPoint();
const swing = vec3();
const lastNormal = vec3();
const along = vec3();
const contactPoint = vec3();
const local = vec3();
const found = createCastResult();

/**
 * From `begin` to `duration`, seconds after the motion began. `isTouching`: the bodies touch there and part or slide
 * along each other, or seem to. `isLeaving`: they overlap there and part; an impact is looked for from when they are
 * apart. Gives the time of impact, or a bound, and leaves the pair as it is then. Where they touch to begin with
 * `result` has a normal and points already.
 */
export function advance(
  pair: Pair,
  shapeA: ShapeData,
  poseA: Pose,
  shapeB: ShapeData,
  poseB: Pose,
  motion: Motion,
  begin: number,
  duration: number,
  isTouching: boolean,
  isLeaving: boolean,
  result: ImpactResult,
): number {
  const { velocity, spinA, spinB } = motion;
  const isPlane = Math.max(shapeA.kind, shapeB.kind) === CORE_HALFSPACE;
  const reachA = shapeA.boundingRadius * poseA.scale;
  const reachB = shapeB.boundingRadius * poseB.scale;
  guess.fill(NO_ID);
  transform(pair.rotationA, result.normal, known);
  if (isLeaving) set(0, 0, 0, known);
  result.state = IMPACT_OPEN;
  result.iterations = 0;
  let time = begin;
  let last = begin;
  /** While they touch: how long until they are looked at again. */
  let skip = isTouching ? firstSkip(motion, reachA, reachB) : 0;
  if (isLeaving)
    skip = Math.max(
      (ADVANCE_LEAVE_MOTION * (reachA + reachB)) / fastest(motion, reachA, reachB),
      ADVANCE_LEAVE_SHARE * duration,
    );
  let leaves = isLeaving;
  const mostSkip = ADVANCE_MOST_TURN / (length(spinA) + length(spinB));
  /** When they came to touch, with a normal and a point; before they have, less than any time. */
  let touchTime = -1;
  /** After they touch here they overlap. */
  let isMeeting = false;
  let isLast = false;
  let lastTime = begin;
  let lastStep = 0;
  let lastRoom = 1;
  let retreat = 0;
  /**
   * Where that was too far: the latest time at which they were apart, the earliest at which rounding had them overlap,
   * and how often what is between was halved.
   */
  let apartTime = 0;
  let overlapTime = 0;
  let halvings = 0;
  for (let i = 0; i < MAX_ITERATIONS; i++) {
    last = isLast ? last : time;
    if (skip > 0) time = Math.min(time + skip, duration);
    addScaled(motion.offset, velocity, time, offset);
    makePair(shapeA, turned(poseA, spinA, time, turnedA), shapeB, turned(poseB, spinB, time, turnedB), offset, pair);
    if (isMeeting && touchTime >= 0) {
      transformBack(pair.rotationA, known, result.normal);
      return end(result, IMPACT_MET, time);
    }
    const { unit } = pair;
    const reach = pair.radiusA + pair.radiusB + motion.margin / unit;
    const accepted = 0.5 * acceptedGap(pair);
    let room: number;
    let isSeen = true;
    /** They overlap, to rounding, and do no more than touch along the normal that they had. */
    let isTouch = false;
    if (isPlane) {
      room = closedForm(pair, closed).lower - reach;
      transform(pair.rotationA, closed.normal, normal);
      result.iterations++;
    } else {
      gjk(pair, Infinity, -1, guess, search);
      storeGuess(search.simplex, guess);
      result.iterations += search.iterations;
      // Of an overlap the search has no depth, and of cores that touch to rounding no normal.
      isSeen = search.state === GJK_CONVERGED || search.state === GJK_STALLED;
      room = isSeen ? search.lower - reach : -reach;
      if (isSeen) {
        transform(pair.rotationA, search.normal, normal);
      } else if (skip > 0 && length(known) > 0) {
        transformBack(pair.rotationA, known, normalA);
        room = Math.min(dot(normalA, differenceSupport(pair, scale(normalA, -1, lever), lowest).position) - reach, 0);
        isTouch = room >= -motion.slack;
      } else if (lastStep > 0 && time > lastTime) {
        // The last step was as long as rounding allows, or longer: a little back.
        overlapTime = time;
        isLast = true;
        const halfTime = 0.5 * (apartTime + overlapTime);
        if (halvings > 0 && halvings < ADVANCE_MAX_HALVINGS && halfTime > apartTime && halfTime < overlapTime) {
          halvings++;
          time = halfTime;
        } else {
          retreat = Math.max(2 * retreat, (ADVANCE_RETREAT_ULPS * EPSILON * lastStep) / lastRoom);
          time = Math.max(time - retreat, lastTime);
        }
        continue;
      }
    }
    if (leaves) {
      if (isSeen && room > Math.max(accepted, motion.slack)) {
        leaves = false;
        skip = 0;
      } else {
        if (time >= duration) return end(result, IMPACT_NONE, time);
        continue;
      }
    }
    if (skip > 0) {
      // Of cores without an inside that come through each other the normal changes sides.
      const isThrough = !isPlane && isSeen && room <= 3 * motion.slack && dot(normal, known) < MOTION_OPPOSITE;
      const isApart = room > Math.max(accepted, motion.slack) && !isThrough;
      if (isTouch || (!isApart && room >= -motion.slack && isSeen && !isThrough)) {
        // They touch still.
        if (time >= duration) return end(result, IMPACT_NONE, time);
        skip = Math.min(2 * skip, mostSkip);
        continue;
      }
      skip = 0;
      if (!isApart) {
        // They overlap after they came to touch, or, if they do from the beginning, after the last time at which they
        // did no more than that.
        time = touchTime >= 0 ? touchTime : last;
        isLast = true;
        isMeeting = true;
        continue;
      }
    }
    const halfTime = 0.5 * (time + overlapTime);
    if (isLast && room > accepted && halfTime > time && halfTime < overlapTime && halvings < ADVANCE_MAX_HALVINGS) {
      halvings++;
      apartTime = time;
      time = halfTime;
      continue;
    }
    if (room <= accepted || isLast) {
      const closing = storeContact(pair, shapeA, shapeB, motion, isPlane, reach, result);
      if (isMeeting || closing > ADVANCE_STEEP * fastest(motion, reachA, reachB)) return end(result, IMPACT_MET, time);
      // They may part, or slide along each other.
      transform(pair.rotationA, result.normal, known);
      touchTime = time;
      skip = Math.min(firstSkip(motion, reachA, reachB), mostSkip);
      isLast = false;
      lastStep = 0;
      retreat = 0;
      overlapTime = 0;
      halvings = 0;
      continue;
    }
    normalTurn(pair, motion, lastStep > 0 ? time - lastTime : 0, turn);
    const step = longestStep(
      pair,
      motion,
      reachA,
      reachB,
      reach,
      duration - time,
      shapeA.kind === CORE_HALFSPACE,
      shapeB.kind === CORE_HALFSPACE,
    );
    if (step >= duration - time) return end(result, IMPACT_NONE, time);
    // Numbers too large for a bound.
    if (!(step > 0)) break;
    copy(normal, lastNormal);
    lastStep = step;
    lastRoom = room;
    lastTime = time;
    const later = time + step;
    if (later === time) isLast = true;
    time = later;
  }
  transformBack(pair.rotationA, normal, result.normal);
  return end(result, IMPACT_OPEN, time);
}

/** Seconds after which bodies that touch are looked at again, in which they can't have come much deeper. */
function firstSkip(motion: Motion, reachA: number, reachB: number): number {
  return (ADVANCE_SKIP * motion.slack * (reachA + reachB)) / fastest(motion, reachA, reachB);
}

/** What no points of the bodies move faster by against each other. */
function fastest({ velocity, spinA, spinB }: Motion, reachA: number, reachB: number): number {
  return length(velocity) + length(spinA) * reachA + length(spinB) * reachB;
}

function end(result: ImpactResult, state: number, time: number): number {
  result.state = state;
  return time;
}

const normalA = vec3();
const swingA = vec3();
const swingB = vec3();
const directionA = vec3();
const directionB = vec3();
const onA = vec3();
const onB = vec3();
const STILL = vec3();
const turn = vec3();
const edgeA = vec3();
const edgeB = vec3();

/**
 * The longest of the steps that are safe along a normal that stands, that turns with A, that turns with B or that turns
 * as it does now. A plane's turns with it.
 */
function longestStep(
  pair: Pair,
  motion: Motion,
  reachA: number,
  reachB: number,
  reach: number,
  most: number,
  isPlaneA: boolean,
  isPlaneB: boolean,
): number {
  const { spinA, spinB } = motion;
  let longest = 0;
  if (!isPlaneA && !isPlaneB) longest = safeStep(pair, motion, STILL, reachA, reachB, reach, most);
  if (!isPlaneB && longest < most && (isPlaneA || length(spinA) > 0))
    longest = Math.max(longest, safeStep(pair, motion, spinA, reachA, reachB, reach, most));
  if (!isPlaneA && longest < most && (isPlaneB || length(spinB) > 0))
    longest = Math.max(longest, safeStep(pair, motion, spinB, reachA, reachB, reach, most));
  if (!isPlaneA && !isPlaneB && longest < most && length(turn) > 0)
    longest = Math.max(longest, safeStep(pair, motion, turn, reachA, reachB, reach, most));
  return longest;
}

/**
 * Writes how the normal turns now: of two edges that touch by how these turn, otherwise as it did on the last step,
 * `seconds` long. Zero where that is not known. Any turn gives a safe step; the nearer it is to the true one, the
 * longer.
 */
function normalTurn(pair: Pair, motion: Motion, seconds: number, to: Vec3): void {
  if (edgeSpin(pair, motion, to)) return;
  if (seconds > 0) scale(cross(lastNormal, normal, to), 1 / seconds, to);
  else set(0, 0, 0, to);
}

/**
 * Writes how the normal of two edges that touch turns, from the simplex that holds their nearest points; gives false
 * where these are not on an edge each.
 *
 * Its change n' is perpendicular to n, and keeps it perpendicular to either edge e, which its body's spin w turns: n' ·
 * e = -n · (w × e).
 */
function edgeSpin({ coreA, coreB, rotation, rotationA }: Pair, { spinA, spinB }: Motion, to: Vec3): boolean {
  const { count, ids } = search.simplex;
  if (count !== 3) return false;
  transform(
    rotationA,
    edgeOf(vertex(coreA, ids[0], onA), vertex(coreA, ids[2], onB), vertex(coreA, ids[4], lever), edgeA),
    edgeA,
  );
  edgeOf(vertex(coreB, ids[1], onA), vertex(coreB, ids[3], onB), vertex(coreB, ids[5], lever), edgeB);
  transform(rotationA, transform(rotation, edgeB, edgeB), edgeB);
  const across = dot(normal, cross(edgeA, edgeB, lever));
  if (Math.abs(across) <= ADVANCE_LEAST_CROSSING * length(edgeA) * length(edgeB)) return false;
  const byA = dot(normal, cross(spinA, edgeA, lever)) / across;
  const byB = dot(normal, cross(spinB, edgeB, lever)) / across;
  scale(cross(normal, edgeB, onB), byA, onB);
  addScaled(onB, cross(edgeA, normal, onA), byB, onB);
  cross(normal, onB, to);
  return true;
}

/** Writes the vector between three points two of which are in one place; zero where all are, or none. */
function edgeOf(a: Vec3, b: Vec3, c: Vec3, to: Vec3): Vec3 {
  if (isSame(a, b) || isSame(b, c)) return subtract(c, a, to);
  return isSame(a, c) ? subtract(b, a, to) : set(0, 0, 0, to);
}

function isSame(a: Vec3, b: Vec3): boolean {
  return a.x === b.x && a.y === b.y && a.z === b.z;
}

/**
 * Seconds, up to `most`, in which the bodies can't come within `reach` of each other along the normal, which separates
 * them now and turns by `spin`.
 *
 * Seen from A's origin in a frame that turns with the normal n, a point r of a body moves along n by r · (n × own),
 * where own is how the body turns there, and faster by at most |r| times the bend of its turn each second; B's origin d
 * away and moving by v moves by n · (v - spin × d), and faster by at most |n × spin| (2 |v| + |spin| |d|). So the least
 * of all heights some time later is no less than that of a support, along a direction that leans with the time, less
 * half of these times the time squared: concave in time. Its tangents come to its root from beyond; the chord to where
 * the last of them ends stays before it.
 */
function safeStep(
  pair: Pair,
  { velocity, spinA, spinB }: Motion,
  spin: Vec3,
  reachA: number,
  reachB: number,
  reach: number,
  most: number,
): number {
  const { unit, rotationA, translation } = pair;
  transformBack(rotationA, normal, normalA);
  let bend = turnOf(pair, false, spinA, spin, own) * reachA;
  transformBack(rotationA, cross(normal, own, swing), swingA);
  bend += turnOf(pair, true, spinB, spin, own) * reachB;
  transformBack(rotationA, cross(normal, own, swing), swingB);
  const far = Math.max(length(offset), length(addScaled(offset, velocity, most, lever)));
  bend = (0.5 * (bend + length(cross(normal, spin, swing)) * (2 * length(velocity) + length(spin) * far))) / unit;
  const drift = (dot(normal, velocity) - dot(normal, cross(spin, offset, swing))) / unit;
  const middle = dot(normalA, translation) - reach;
  const room = middle + heightAt(pair, 0);
  let step = Math.min(most, 1e30);
  for (let i = 0; i < ADVANCE_TANGENTS; i++) {
    const height = middle + heightAt(pair, step) + (drift - bend * step) * step;
    if (height >= 0) return step;
    if (i === ADVANCE_TANGENTS - 1) return (step * room) / (room - height);
    // The tangent's own root, with the same bend.
    const tangent = middle + dot(normalA, onB) - dot(normalA, onA);
    const slope = drift + dot(swingB, onB) - dot(swingA, onA);
    step = positiveRoot(tangent, slope, bend);
  }
  return 0;
}

/**
 * Writes how a body turns beside the normal, and gives how fast that changes what its points do along it, times their
 * length.
 *
 * With w = `spin`, s = `normalSpin` and own = w - s, what a point r does along the normal n changes by (s × n) · (own ×
 * r) + (n × own) · (w × r). Where n stands n × own does, too. A solid of revolution looks the same if it turns by what
 * is left of w across its axis, p, alone; that turns itself, with the axis, by as much as there is of w along this, q:
 * so points of the solid get faster by at most p (p + q). The lesser bound will do.
 */
function turnOf(
  { coreA, coreB, rotation, rotationA }: Pair,
  isB: boolean,
  spin: Vec3,
  normalSpin: Vec3,
  to: Vec3,
): number {
  subtract(spin, normalSpin, to);
  if (length(normalSpin) > 0) return length(to) * (length(spin) + length(cross(normalSpin, normal, swing)));
  const bend = length(cross(normal, to, swing)) * length(to);
  if (!axisOfRevolution(isB ? coreB : coreA, axis)) return bend;
  if (isB) transform(rotation, axis, axis);
  transform(rotationA, axis, axis);
  const across = length(cross(to, axis, swing));
  const around = dot(to, axis);
  const least = across * (across + Math.abs(around));
  if (least >= bend) return bend;
  addScaled(to, axis, -around, to);
  return least;
}

/**
 * Writes the axis that a core looks the same around however it turns, a unit vector in its body's frame, or gives
 * false.
 */
function axisOfRevolution({ kind, halfExtents: [x, y, z] }: Core, to: Vec3): boolean {
  const isAround = kind === CORE_SEGMENT || kind === CORE_CYLINDER || kind === CORE_CONE;
  if (isAround || (kind === CORE_ELLIPSOID && x === z)) set(0, 1, 0, to);
  else if (kind === CORE_ELLIPSOID && y === z) set(1, 0, 0, to);
  else if (kind === CORE_ELLIPSOID && x === y) set(0, 0, 1, to);
  else return false;
  return true;
}

/** The least height of B over A along a normal that leans by `time`, without B's place. */
function heightAt({ coreA, coreB, rotation }: Pair, time: number): number {
  addScaled(normalA, swingA, time, directionA);
  addScaled(normalA, swingB, time, directionB);
  set(0, 0, 0, onA);
  set(0, 0, 0, onB);
  if (coreA.kind !== CORE_HALFSPACE) vertex(coreA, support(coreA, directionA.x, directionA.y, directionA.z), onA);
  if (coreB.kind !== CORE_HALFSPACE) {
    transformBack(rotation, directionB, onB);
    transform(rotation, vertex(coreB, support(coreB, -onB.x, -onB.y, -onB.z), onB), onB);
  }
  return dot(directionB, onB) - dot(directionA, onA);
}

/** The root of height + slope x - bend x², height and bend at least 0. */
function positiveRoot(height: number, slope: number, bend: number): number {
  const root = Math.sqrt(slope * slope + 4 * bend * height);
  return slope >= 0 ? (slope + root) / (2 * bend) : (2 * height) / (root - slope);
}

/**
 * The bodies as they touch. Gives how fast they close in along their normal; where only the normal is known that they
 * had, `Infinity`.
 */
function storeContact(
  pair: Pair,
  shapeA: ShapeData,
  shapeB: ShapeData,
  motion: Motion,
  isPlane: boolean,
  reach: number,
  result: ImpactResult,
): number {
  if (isPlane) {
    copy(closed.normal, result.normal);
    touchPoint(pair, closed.onA, closed.onB, closed.normal, reach, result.point);
    return -dot(result.normal, velocityAt(pair, motion, result.point));
  }
  if (search.state !== GJK_CONVERGED && search.state !== GJK_STALLED) {
    // The normal is known from before; the points are those from farther off along it.
    transformBack(pair.rotationA, known, result.normal);
    const { x, y, z } = pair.translation;
    addScaled(pair.translation, result.normal, ADVANCE_ROOM, pair.translation);
    gjk(pair, Infinity, -1, NO_GUESS, search);
    simplexWitness(pair, search.simplex, onA, onB);
    set(x, y, z, pair.translation);
    addScaled(onB, result.normal, -ADVANCE_ROOM, onB);
    touchPoint(pair, onA, onB, result.normal, reach, result.point);
    return Infinity;
  }
  simplexWitness(pair, search.simplex, onA, onB);
  touchPoint(pair, onA, onB, search.normal, reach, result.point);
  copy(search.normal, result.normal);
  const speed = length(velocityAt(pair, motion, result.point));
  if (speed === 0) return 0;
  scale(along, 1 / speed, along);
  found.distance = search.upper;
  scale(search.normal, search.upper, found.nearest);
  found.simplex = search.simplex;
  copy(search.normal, found.normal);
  const { closing } = facing(pair, shapeA, shapeB, along, reach, motion.slack, found, onA, onB);
  copy(found.normal, result.normal);
  return closing * speed;
}

/** Writes B's velocity at a point, seen from A, to `along`, in A's frame. */
function velocityAt(pair: Pair, { velocity, spinA, spinB }: Motion, point: Vec3): Vec3 {
  transform(pair.rotationA, scale(point, pair.unit, contactPoint), contactPoint);
  subtract(velocity, cross(spinA, contactPoint, lever), along);
  transform(pair.rotationA, scale(pair.translation, pair.unit, local), local);
  addScaled(along, cross(spinB, subtract(contactPoint, local, lever), lever), 1, along);
  return transformBack(pair.rotationA, along, along);
}

/** A pose some seconds later. */
export function turned(
  { scale: size, quaternion }: Pose,
  spin: Vec3,
  time: number,
  to: { scale: number; quaternion: Float64Array },
): Pose {
  const speed = length(spin);
  const half = 0.5 * speed * time;
  const share = speed > 0 ? Math.sin(half) / speed : 0;
  to.scale = size;
  quaternionProduct(spin.x * share, spin.y * share, spin.z * share, Math.cos(half), quaternion, to.quaternion);
  return to;
}
