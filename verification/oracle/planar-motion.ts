/**
 * Judges answers of 2-D `impacts` by the oracle's signed distances at the relevant times, and by lower bounds of them
 * over whole intervals, so that nothing is missed between samples. Comparisons are written so that NaN fails them.
 *
 * The signed distance is the greatest separation along any direction, so the separation along any fixed direction is a
 * lower bound of it at all times.
 *
 * Without rotation that separation is linear in time and the distance is convex. The line of the separation along the
 * normal at some time stays below the distance everywhere.
 *
 * With rotation each point of a body has a height along the direction, whose second derivative is at most the square of
 * the angular velocity times the body's radius. A function with such a second derivative and the values f0 and f1 at
 * the ends of an interval stays above the parabola of that second derivative through both.
 */
import {
  oraclePlanarShape,
  planarSeparation,
  planarSignedDistance,
  type OraclePlanarPose,
  type OraclePlanarShape,
  type Vector2,
} from './planar.ts';

/** A body at the start of its motion. All numbers are used as given. */
export interface PlanarMover extends OraclePlanarPose {
  linearVelocity: ArrayLike<number>;
  /** Default 0. */
  angularVelocity?: number;
}

export interface PlanarMovingPair {
  a: OraclePlanarShape;
  b: OraclePlanarShape;
  poseA: PlanarMover;
  poseB: PlanarMover;
  duration: number;
  /** Default 0. */
  margin?: number;
}

export interface PlanarAnswer {
  status: number;
  time: number;
  unclampedTime: number;
  normal: ArrayLike<number>;
  point: ArrayLike<number>;
}

/** The guarantees by which answers are judged. */
export interface PlanarTerms {
  /**
   * Tolerance of distances as a share of the pair's size. Points have in addition the same share of their coordinates.
   */
  tolerance: number;
  rounding: number;
}

export type PlanarOutcome = 'hit' | 'start' | 'miss' | 'open';

export interface PlanarVerdict {
  outcome: PlanarOutcome;
  /** Descriptions of the faults; empty if there are none. */
  faults: string[];
  /**
   * Errors as shares of the pair's size: of the distance when they touch, of the distance along the normal, and of the
   * point's distance from the farther surface.
   */
  distanceError: number;
  supportError: number;
  pointError: number;
  /** Whether the search for an earlier overlap had no result. */
  isUnknown: boolean;
}

const [SEPARATED, OVERLAPPING, NOT_CONVERGED] = [0, 1, 2];
const UNIT = 1e-5;
/**
 * Overlaps between a depth and this multiple of it may be found or not: where bodies nearly reach the depth, the search
 * has to end.
 */
const LEEWAY = 1.05;
const MOST_LINES = 200;
const MOST_ENDS = 50_000;
const POINT = oraclePlanarShape({ type: 'circle', radius: 0 });

/** Both poses at a time, with A's position as the origin. */
function placeAt(
  { poseA, poseB }: PlanarMovingPair,
  time: number,
  isTurning: boolean,
): [OraclePlanarPose, OraclePlanarPose] {
  const turn = isTurning ? time : 0;
  const at = (k: number): number =>
    poseB.position[k] - poseA.position[k] + (poseB.linearVelocity[k] - poseA.linearVelocity[k]) * time;
  return [
    { position: [0, 0], angle: poseA.angle + (poseA.angularVelocity ?? 0) * turn, scale: poseA.scale },
    { position: [at(0), at(1)], angle: poseB.angle + (poseB.angularVelocity ?? 0) * turn, scale: poseB.scale },
  ];
}

interface Sample {
  time: number;
  /** The distance minus the margin. */
  distance: number;
  normal: Vector2;
}

function sample(moving: PlanarMovingPair, time: number, isTurning: boolean): Sample {
  const [poseA, poseB] = placeAt(moving, time, isTurning);
  const { distance, normal } = planarSignedDistance(moving.a, poseA, moving.b, poseB);
  return { time, distance: distance - (moving.margin ?? 0), normal };
}

function roomAt(moving: PlanarMovingPair, time: number, normal: Vector2, isTurning: boolean): number {
  const [poseA, poseB] = placeAt(moving, time, isTurning);
  return planarSeparation(moving.a, poseA, moving.b, poseB, normal) - (moving.margin ?? 0);
}

function reachOf({ a, b, poseA, poseB }: PlanarMovingPair): number {
  return a.boundingRadius * (poseA.scale ?? 1) + b.boundingRadius * (poseB.scale ?? 1);
}

function sizeAt(moving: PlanarMovingPair, time: number): number {
  const apart = [0, time].map((t) => Math.hypot(...(placeAt(moving, t, false)[1].position as Vector2)));
  return Math.max(reachOf(moving), ...apart);
}

function relativeVelocity({ poseA, poseB }: PlanarMovingPair): Vector2 {
  return [poseB.linearVelocity[0] - poseA.linearVelocity[0], poseB.linearVelocity[1] - poseA.linearVelocity[1]];
}

function isTurningPair({ poseA, poseB }: PlanarMovingPair): boolean {
  return Boolean(poseA.angularVelocity) || Boolean(poseB.angularVelocity);
}

/** Judges one answer. */
export function judgePlanarImpact(moving: PlanarMovingPair, answer: PlanarAnswer, terms: PlanarTerms): PlanarVerdict {
  const verdict: PlanarVerdict = {
    outcome: 'miss',
    faults: [],
    distanceError: 0,
    supportError: 0,
    pointError: 0,
    isUnknown: false,
  };
  const { status, time, unclampedTime } = answer;
  const isTurning = isTurningPair(moving);
  const fault = (text: string): void => void verdict.faults.push(text);
  const depthAt = (t: number): number => terms.tolerance * sizeAt(moving, t);
  const expectNoOverlap = (from: number, to: number, depth: number, turns: boolean, what: string): void => {
    const found = findOverlap(moving, from, to, depth, turns);
    if (Number.isNaN(found)) verdict.isUnknown = true;
    else if (found !== null) fault(`${what}: at ${found} they overlap`);
  };
  if (status === SEPARATED) {
    const isEmpty = [...Array.from(answer.normal), ...Array.from(answer.point)].every((x) => x === 0);
    if (!(time === Infinity && unclampedTime === Infinity && isEmpty)) fault('form of a miss');
    expectNoOverlap(0, moving.duration, depthAt(0), isTurning, 'missed');
    return verdict;
  }
  if (status === NOT_CONVERGED) {
    verdict.outcome = 'open';
    if (!(time === Math.max(unclampedTime, 0))) fault('form of a bound');
    else if (time > 0) expectNoOverlap(0, Math.min(time, moving.duration), depthAt(0), isTurning, 'early');
    return verdict;
  }
  if (status !== OVERLAPPING) {
    fault(`status ${status}`);
    return verdict;
  }
  if (unclampedTime >= 0) {
    verdict.outcome = 'hit';
    if (!(time === unclampedTime && time <= moving.duration)) fault('form of a hit');
    judgeTouch(moving, time, isTurning, answer, terms, verdict);
    expectNoOverlap(0, time, depthAt(time), isTurning, 'early');
    return verdict;
  }
  verdict.outcome = 'start';
  if (!(time === 0)) fault('form of an overlap');
  const start = sample(moving, 0, false);
  if (!(start.distance <= depthAt(0))) fault(`apart by ${start.distance} as the motion begins`);
  const speed = Math.hypot(...relativeVelocity(moving));
  if (unclampedTime === -Infinity) {
    if (speed > 0) fault('no time in spite of motion');
    judgeNormal(moving, 0, false, answer, terms, verdict);
    return verdict;
  }
  judgeTouch(moving, unclampedTime, false, answer, terms, verdict);
  const longAgo =
    unclampedTime -
    (Math.hypot(...(placeAt(moving, unclampedTime, false)[1].position as Vector2)) + reachOf(moving)) / speed;
  expectNoOverlap(longAgo, unclampedTime, depthAt(unclampedTime), false, 'early');
  return verdict;
}

/**
 * Checks that the surfaces are the margin apart, also along the normal, and that the point is on A's surface and at the
 * margin from B's.
 */
function judgeTouch(
  moving: PlanarMovingPair,
  time: number,
  isTurning: boolean,
  answer: PlanarAnswer,
  terms: PlanarTerms,
  verdict: PlanarVerdict,
): void {
  const size = sizeAt(moving, time);
  verdict.distanceError = shareOf(Math.abs(sample(moving, time, isTurning).distance), size);
  if (!(verdict.distanceError <= terms.tolerance))
    verdict.faults.push(`off by ${verdict.distanceError} when they touch`);
  judgeNormal(moving, time, isTurning, answer, terms, verdict);
  const [poseA, poseB] = placeAt(moving, time, isTurning);
  const at = [0, 1].map((k) => answer.point[k] - moving.poseA.position[k] - moving.poseA.linearVelocity[k] * time);
  const still = { position: at, angle: 0 };
  const fromA = planarSignedDistance(moving.a, poseA, POINT, still).distance;
  const fromB = planarSignedDistance(moving.b, poseB, POINT, still).distance - (moving.margin ?? 0);
  const rounded = terms.rounding * Math.hypot(answer.point[0], answer.point[1]);
  verdict.pointError = shareOf(Math.max(Math.abs(fromA) - rounded, Math.abs(fromB) - rounded, 0), size);
  if (!(verdict.pointError <= terms.tolerance)) verdict.faults.push(`the point is off by ${verdict.pointError}`);
}

function judgeNormal(
  moving: PlanarMovingPair,
  time: number,
  isTurning: boolean,
  { normal }: PlanarAnswer,
  terms: PlanarTerms,
  verdict: PlanarVerdict,
): void {
  const [x, y] = [normal[0], normal[1]];
  const long = Math.hypot(x, y);
  if (!(Math.abs(long - 1) <= UNIT)) {
    verdict.faults.push(`the normal is ${long} long`);
    return;
  }
  const room = roomAt(moving, time, [x / long, y / long], isTurning);
  verdict.supportError = shareOf(Math.abs(room - sample(moving, time, isTurning).distance), sizeAt(moving, time));
  if (!(verdict.supportError <= terms.tolerance))
    verdict.faults.push(`the normal's room is off by ${verdict.supportError}`);
}

/**
 * A time between `from` and `to` at which they overlap by more than `depth`; `null` if there is none, NaN if that is
 * unknown.
 */
function findOverlap(
  moving: PlanarMovingPair,
  from: number,
  to: number,
  depth: number,
  isTurning: boolean,
): number | null {
  const span = clipToCircles(moving, from, to);
  if (!span) return null;
  return isTurning ? ofTurning(moving, span, depth) : ofStraight(moving, span, depth);
}

/** Cuts the interval down to the times when the bounding circles are within the margin. */
function clipToCircles(moving: PlanarMovingPair, from: number, to: number): [number, number] | null {
  const [x, y] = placeAt(moving, 0, false)[1].position as Vector2;
  const [vx, vy] = relativeVelocity(moving);
  const reach = reachOf(moving) + (moving.margin ?? 0);
  const a = vx * vx + vy * vy;
  const b = x * vx + y * vy;
  const c = x * x + y * y - reach * reach;
  if (a === 0) return c < 0 ? [from, to] : null;
  const root = b * b - a * c;
  if (!(root > 0)) return null;
  const span: [number, number] = [Math.max(from, (-b - Math.sqrt(root)) / a), Math.min(to, (-b + Math.sqrt(root)) / a)];
  return span[0] <= span[1] ? span : null;
}

/** Cutting planes: the distance is next evaluated where the lowest falling and the lowest rising line so far cross. */
function ofStraight(moving: PlanarMovingPair, [from, to]: [number, number], depth: number): number | null {
  const [vx, vy] = relativeVelocity(moving);
  interface Line {
    time: number;
    distance: number;
    slope: number;
  }
  const at = ({ time, distance, slope }: Line, when: number): number => distance + slope * (when - time);
  let falling: Line | null = null;
  let rising: Line | null = null;
  let time = 0.5 * (from + to);
  for (let i = 0; i < MOST_LINES; i++) {
    const { distance, normal } = sample(moving, time, false);
    if (!(distance >= -depth)) return time;
    const line: Line = { time, distance, slope: normal[0] * vx + normal[1] * vy };
    if (line.slope < 0) falling = line;
    else rising = line;
    if (falling && at(falling, to) >= -depth) return null;
    if (rising && at(rising, from) >= -depth) return null;
    if (!falling || !rising) {
      time = falling ? to : from;
      continue;
    }
    time =
      (falling.distance - falling.slope * falling.time - rising.distance + rising.slope * rising.time) /
      (rising.slope - falling.slope);
    if (at(falling, time) >= -LEEWAY * depth) return null;
  }
  return NaN;
}

/** Halves intervals until the parabolas stay above `-depth`. */
function ofTurning(moving: PlanarMovingPair, [from, to]: [number, number], depth: number): number | null {
  const bend = [[moving.a, moving.poseA] as const, [moving.b, moving.poseB] as const].reduce(
    (sum, [shape, { angularVelocity = 0, scale = 1 }]) =>
      sum + angularVelocity * angularVelocity * (shape.boundingRadius - shape.radius) * scale,
    0,
  );
  const first = sample(moving, from, true);
  const last = sample(moving, to, true);
  const open: [Sample, Sample][] = [[first, last]];
  for (const end of [first, last]) if (!(end.distance >= -depth)) return end.time;
  for (let ends = 2; ends < MOST_ENDS; ends++) {
    const next = open.pop();
    if (!next) return null;
    const [start, end] = next;
    const seconds = end.time - start.time;
    const drop = 0.5 * bend * seconds * seconds;
    const along = lowestOfParabola(start.distance, roomAt(moving, end.time, start.normal, true), drop);
    if (along >= -LEEWAY * depth) continue;
    if (lowestOfParabola(roomAt(moving, start.time, end.normal, true), end.distance, drop) >= -LEEWAY * depth) continue;
    const middle = sample(moving, 0.5 * (start.time + end.time), true);
    if (!(middle.distance >= -depth)) return middle.time;
    // The later half comes first: an overlap that makes a time of impact too late is near it.
    open.push([start, middle], [middle, end]);
  }
  return NaN;
}

/** The minimum of f0 + (f1 - f0) u - drop u (1 - u) for u from 0 to 1. */
function lowestOfParabola(f0: number, f1: number, drop: number): number {
  const rise = f1 - f0;
  if (Math.abs(rise) >= drop) return Math.min(f0, f1);
  const u = 0.5 - rise / (2 * drop);
  return f0 + rise * u - drop * u * (1 - u);
}

/** Points at the same place have size 0. */
function shareOf(error: number, size: number): number {
  return error === 0 ? 0 : error / size;
}
