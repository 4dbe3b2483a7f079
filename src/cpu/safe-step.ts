/** Mirror of shaders/safe-step.wgsl: for how long bodies stay farther apart than the target distance, at least. */
import {
  ADVANCE_LEAST_CROSSING,
  ADVANCE_TANGENTS,
  CORE_CONE,
  CORE_CYLINDER,
  CORE_ELLIPSOID,
  CORE_HALFSPACE,
  CORE_SEGMENT,
} from '../generated/constants.ts';
import {
  type Vec3,
  addScaled,
  cross,
  dot,
  length,
  scale,
  set,
  subtract,
  transform,
  transformBack,
  vec3,
} from './math.ts';
import type { Core, Pair } from './pair.ts';
import { type Motion, type MovingBodies, rotationReach } from './queries/motion.ts';
import type { Simplex } from './simplex.ts';
import { support, vertex } from './support.ts';

const offset = vec3();
const lever = vec3();
const own = vec3();
const axis = vec3();
const swing = vec3();
const normalA = vec3();
const swingA = vec3();
const swingB = vec3();
const directionA = vec3();
const directionB = vec3();
const onA = vec3();
const onB = vec3();
const edgeA = vec3();
const edgeB = vec3();
const NO_TURN = vec3();

/**
 * The longest of the steps that are safe along a normal that doesn't rotate, that rotates with A, that rotates with B,
 * or that rotates by the angular velocity `turn`, if that is not zero. A half-space's normal rotates with it. The pair is
 * as it is at `time`; `normal` is in world axes.
 */
export function longestStep(
  pair: Pair,
  bodies: MovingBodies,
  time: number,
  normal: Vec3,
  turn: Vec3,
  targetDistance: number,
): number {
  const { duration, angularVelocityA, angularVelocityB } = bodies.motion;
  const most = duration - time;
  const isHalfspaceA = pair.coreA.kind === CORE_HALFSPACE;
  const isHalfspaceB = pair.coreB.kind === CORE_HALFSPACE;
  const isHalfspace = isHalfspaceA || isHalfspaceB;
  let longest = 0;
  for (let i = 0; i < 4; i++) {
    const normalTurn = i === 0 ? NO_TURN : i === 1 ? angularVelocityA : i === 2 ? angularVelocityB : turn;
    const isItsNormal = (isHalfspaceA && i === 1) || (isHalfspaceB && i === 2);
    if (longest >= most || !(isHalfspace ? isItsNormal : i === 0 || length(normalTurn) > 0)) continue;
    const step = safeStep(pair, bodies, time, normal, normalTurn, targetDistance);
    longest = Math.max(longest, step);
  }
  return longest;
}

/**
 * Writes the angular velocity of the normal between two edges, from the simplex that holds their nearest points. Gives
 * false if the nearest points are not both on edges.
 *
 * The normal's derivative n' is perpendicular to n. It keeps n perpendicular to either edge e, which its body's angular
 * velocity w rotates: n' · e = -n · (w × e).
 */
export function edgeTurn(
  { coreA, coreB, rotation, rotationA }: Pair,
  { angularVelocityA, angularVelocityB }: Motion,
  { count, ids }: Simplex,
  normal: Vec3,
  to: Vec3,
): boolean {
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
  const byA = dot(normal, cross(angularVelocityA, edgeA, lever)) / across;
  const byB = dot(normal, cross(angularVelocityB, edgeB, lever)) / across;
  scale(cross(normal, edgeB, onB), byA, onB);
  addScaled(onB, cross(edgeA, normal, onA), byB, onB);
  cross(normal, onB, to);
  return true;
}

/** Writes the vector between three points of which two coincide. Zero if all three coincide, or none. */
function edgeOf(a: Vec3, b: Vec3, c: Vec3, to: Vec3): Vec3 {
  if (isSame(a, b) || isSame(b, c)) return subtract(c, a, to);
  return isSame(a, c) ? subtract(b, a, to) : set(0, 0, 0, to);
}

function isSame(a: Vec3, b: Vec3): boolean {
  return a.x === b.x && a.y === b.y && a.z === b.z;
}

/**
 * Seconds, up to the end of the motion, during which the bodies can't come within the target distance along the normal.
 * The normal separates them at `time` and rotates by the angular velocity `turn`.
 *
 * In a frame at A's origin that rotates with the normal n, a point r of a body has a speed of r · (n × own) along n,
 * where own is the body's angular velocity in that frame, and an acceleration of at most |r| times the `bend` of that.
 * B's origin, at d and with velocity v, has a speed of n · (v - turn × d), and an acceleration of at most |n × turn| (2
 * |v| + |turn| |d|). So after a time t, the least height of all points is at least that of a support along a direction
 * that leans with t, less half of these bounds times t squared. This is concave in t. Its tangents approach its root
 * from beyond; the chord to the end of the last tangent stays before the root.
 */
function safeStep(
  pair: Pair,
  { shapeA, poseA, shapeB, poseB, motion }: MovingBodies,
  time: number,
  normal: Vec3,
  turn: Vec3,
  targetDistance: number,
): number {
  const { velocity, duration, angularVelocityA, angularVelocityB } = motion;
  const most = duration - time;
  addScaled(motion.offset, velocity, time, offset);
  const { unit, rotationA, translation } = pair;
  transformBack(rotationA, normal, normalA);
  let bend = turnOf(pair, false, angularVelocityA, normal, turn, own) * rotationReach(shapeA, poseA);
  transformBack(rotationA, cross(normal, own, swing), swingA);
  bend += turnOf(pair, true, angularVelocityB, normal, turn, own) * rotationReach(shapeB, poseB);
  transformBack(rotationA, cross(normal, own, swing), swingB);
  const far = Math.max(length(offset), length(addScaled(offset, velocity, most, lever)));
  bend = (0.5 * (bend + length(cross(normal, turn, swing)) * (2 * length(velocity) + length(turn) * far))) / unit;
  // Points are relative to the middles, which move with their bodies.
  const ofMiddles = dot(swingB, pair.middleB) - dot(swingA, pair.middleA);
  const drift = (dot(normal, velocity) - dot(normal, cross(turn, offset, swing))) / unit + ofMiddles;
  const middle = dot(normalA, translation) - targetDistance;
  const separation = middle + heightAt(pair, 0);
  let step = Math.min(most, 1e30);
  for (let i = 0; i < ADVANCE_TANGENTS; i++) {
    const height = middle + heightAt(pair, step) + (drift - bend * step) * step;
    if (height >= 0) return step;
    if (i === ADVANCE_TANGENTS - 1) return (step * separation) / (separation - height);
    // The tangent's own root, with the same bend.
    const tangent = middle + dot(normalA, onB) - dot(normalA, onA);
    const slope = drift + dot(swingB, onB) - dot(swingA, onA);
    step = positiveRoot(tangent, slope, bend);
  }
  return 0;
}

/**
 * Writes a body's angular velocity in a frame that rotates with a normal, and gives a bound of the acceleration along
 * the normal of its points, per length of these.
 *
 * With w = `angularVelocity`, s = `turn` and own = w - s, the acceleration of a point r along the normal n is
 * (s × n) · (own × r) + (n × own) · (w × r). If n doesn't rotate, neither does n × own. A solid of revolution looks the
 * same if it rotates only by the part p of w across its axis. That part rotates with the axis, by the part q of w along
 * it. So the acceleration of points of the solid is at most p (p + q). The lesser bound is taken.
 */
function turnOf(
  { coreA, coreB, rotation, rotationA }: Pair,
  isB: boolean,
  angularVelocity: Vec3,
  normal: Vec3,
  turn: Vec3,
  to: Vec3,
): number {
  subtract(angularVelocity, turn, to);
  if (length(turn) > 0) return length(to) * (length(angularVelocity) + length(cross(turn, normal, swing)));
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

/** Writes the axis of a core of revolution, a unit vector in its body's frame. Gives false for other cores. */
function axisOfRevolution({ kind, halfExtents: [x, y, z] }: Core, to: Vec3): boolean {
  const isAround = kind === CORE_SEGMENT || kind === CORE_CYLINDER || kind === CORE_CONE;
  if (isAround || (kind === CORE_ELLIPSOID && x === z)) set(0, 1, 0, to);
  else if (kind === CORE_ELLIPSOID && y === z) set(1, 0, 0, to);
  else if (kind === CORE_ELLIPSOID && x === y) set(0, 0, 1, to);
  else return false;
  return true;
}

/** The least height of B over A along a normal that leans by `time`, without B's translation. */
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
