/**
 * Judges one answer of `impacts` in double precision, by signed distances of the bodies at their positions at the
 * relevant times. Comparisons are written so that NaN fails them.
 */

import { createShape } from '../../../src/cpu.ts';
import { dot, length, set, vec3, type Vec3 } from '../../../src/cpu/math.ts';
import { createPair, makePair } from '../../../src/cpu/pair.ts';
import type { ShapeData } from '../../../src/shapes/shape-data.ts';
import { toleranceOf, UNIT_TOLERANCE, type Precision } from '../../../src/shapes/tolerances.ts';
import { Status } from '../../../src/api/types.ts';
import { clearance, createGap, gapNearTouch, gapOf, planeNormal, supportGap } from './gap.ts';
import { originsApart, placeAt, poseA, poseB, type Moving } from './moving.ts';
import { findOverlap } from './overlap.ts';

/** The arrays of an answer. Those of the reference have 64 bits. */
export type Answers = Record<'status' | 'time' | 'unclampedTime' | 'normal' | 'point', ArrayLike<number>>;

/** Possible outcomes of a query for one pair. */
export const OUTCOMES = ['hit', 'start', 'miss', 'open', 'refused'] as const;
/**
 * `hit`: an impact; `start`: an overlap at the start of the motion; `open`: not converged; `refused`: invalid input, or
 * an invalid status.
 */
export type Outcome = (typeof OUTCOMES)[number];

/** Kinds of faults, with their descriptions. */
export const FAULTS = {
  outside: 'the distance at the time of impact is beyond the tolerance',
  early: 'they overlap by more than the tolerance before',
  missed: 'they overlap by more than the tolerance, and the answer is a miss',
  apart: 'they are apart as the motion begins, and the time is negative',
  unit: 'the normal is no unit vector',
  supports: 'the surfaces along the normal are not where they touch',
  point: 'the point is not on both surfaces',
  form: 'times, status and zeros contradict each other, or a number is none',
  refused: 'valid input is refused',
} as const;
export type Fault = keyof typeof FAULTS;

export interface Verdict {
  outcome: Outcome;
  faults: Fault[];
  /** Errors are shares of the pair's size. This one is of the distance when they touch, which should be 0. */
  distanceError: number;
  /** Error of the distance along the answer's normal at that time. */
  supportError: number;
  /** Distance of the point from the farther of the two surfaces. */
  pointError: number;
  /** The reference has too little information about this pair. */
  isUnknown: boolean;
}

export function createVerdict(): Verdict {
  return { outcome: 'miss', faults: [], distanceError: 0, supportError: 0, pointError: 0, isUnknown: false };
}

/** The guarantees by which answers are judged. */
export interface Terms {
  precision: Precision;
  /** Largest rounding of a coordinate, as a share of it. */
  rounding: number;
}

const pair = createPair();
const gap = createGap();
const pointGap = createGap();
const normal = vec3();
const ownNormal = vec3();
const point = vec3();
const toPoint = vec3();

/** Judges the answer at `slot`. */
export function judge(moving: Moving, answers: Answers, slot: number, terms: Terms, to: Verdict): Verdict {
  to.faults.length = 0;
  to.distanceError = to.supportError = to.pointError = 0;
  to.isUnknown = false;
  const status = answers.status[slot];
  const time = answers.time[slot];
  const unclamped = answers.unclampedTime[slot];
  set(answers.normal[3 * slot], answers.normal[3 * slot + 1], answers.normal[3 * slot + 2], normal);
  set(answers.point[3 * slot], answers.point[3 * slot + 1], answers.point[3 * slot + 2], point);
  const tolerance = toleranceOf(terms.precision, moving.shapeA.kind, moving.shapeB.kind, false);
  if (status === Status.Separated) judgeMiss(moving, time, unclamped, tolerance, to);
  else if (status === Status.NotConverged) judgeOpen(moving, time, unclamped, tolerance, to);
  else if (status !== Status.Overlapping) refuse(to);
  else if (unclamped < 0) judgeStart(moving, time, unclamped, tolerance, terms, to);
  else judgeHit(moving, time, unclamped, tolerance, terms, to);
  return to;
}

function judgeMiss(moving: Moving, time: number, unclamped: number, tolerance: number, to: Verdict): void {
  to.outcome = 'miss';
  const isEmpty = [normal, point].every(({ x, y, z }) => x === 0 && y === 0 && z === 0);
  if (!(time === Infinity && unclamped === Infinity && isEmpty)) to.faults.push('form');
  expectNoOverlap(moving, 0, moving.duration, tolerance * sizeAt(moving, 0), moving.isTurning, 'missed', to);
}

/** Times are bounds: before them the bodies must not meet. */
function judgeOpen(moving: Moving, time: number, unclamped: number, tolerance: number, to: Verdict): void {
  to.outcome = 'open';
  if (!(time === Math.max(unclamped, 0))) to.faults.push('form');
  else if (unclamped > 0)
    expectNoOverlap(
      moving,
      0,
      Math.min(time, moving.duration),
      tolerance * sizeAt(moving, 0),
      moving.isTurning,
      'early',
      to,
    );
}

function refuse(to: Verdict): void {
  to.outcome = 'refused';
  to.faults.push('refused');
}

function judgeHit(moving: Moving, time: number, unclamped: number, tolerance: number, terms: Terms, to: Verdict): void {
  to.outcome = 'hit';
  if (!(time === unclamped && time <= moving.duration)) {
    to.faults.push('form');
    return;
  }
  judgeTouch(moving, time, moving.isTurning, tolerance, terms, to);
  if (gap.distance < -tolerance * sizeAt(moving, time)) return;
  // The distance of bodies that don't turn is convex in time: if they approach now, they also approached before.
  if (!moving.isTurning && dot(gap.normal, moving.velocity) <= 0) return;
  expectNoOverlap(moving, 0, time, tolerance * sizeAt(moving, time), moving.isTurning, 'early', to);
}

function judgeStart(
  moving: Moving,
  time: number,
  unclamped: number,
  tolerance: number,
  terms: Terms,
  to: Verdict,
): void {
  const { shapeA, shapeB, velocity, reach } = moving;
  to.outcome = 'start';
  if (!(time === 0)) to.faults.push('form');
  const apart = clearance(placeAt(moving, 0, false, pair), shapeA, shapeB);
  if (Number.isNaN(apart)) to.isUnknown = true;
  else if (!(apart <= tolerance * sizeAt(moving, 0))) to.faults.push('apart');
  const speed = length(velocity);
  if (unclamped === -Infinity) {
    judgeUnit(to);
    if (speed > 0 && !(moving.isPlane && dot(planeNormal(pair, ownNormal), velocity) >= -UNIT_TOLERANCE * speed))
      to.faults.push('form');
    return;
  }
  judgeTouch(moving, unclamped, false, tolerance, terms, to);
  // Before the impact, on the straight line of their approach, the bodies were apart.
  if (gap.distance < -tolerance * sizeAt(moving, unclamped) || dot(gap.normal, velocity) <= 0) return;
  const longAgo = unclamped - (originsApart(moving, unclamped) + reach) / speed;
  expectNoOverlap(moving, longAgo, unclamped, tolerance * sizeAt(moving, unclamped), false, 'early', to);
}

/** Checks that the surfaces touch at the time in the answer. Leaves their distance in `gap`. */
function judgeTouch(
  moving: Moving,
  time: number,
  isTurning: boolean,
  tolerance: number,
  terms: Terms,
  to: Verdict,
): void {
  const { shapeA, shapeB } = moving;
  const size = sizeAt(moving, time);
  placeAt(moving, time, isTurning, pair);
  const isUnit = judgeUnit(to);
  // Half the tolerance, so that errors near the tolerance are measured exactly.
  if (isUnit) gapNearTouch(pair, shapeA, shapeB, normal, 0.5 * tolerance * size, gap);
  else gapOf(pair, shapeA, shapeB, gap);
  if (Number.isNaN(gap.distance)) to.isUnknown = true;
  else to.distanceError = Math.abs(gap.distance) / size;
  if (!(to.distanceError <= tolerance)) to.faults.push('outside');
  if (isUnit) judgeSupports(moving, size, tolerance, to);
  judgePoint(moving, time, size, tolerance, terms, to);
}

/** Normalises `normal` in double precision; returns false if it is not a unit vector. */
function judgeUnit(to: Verdict): boolean {
  const long = length(normal);
  if (!(Math.abs(long - 1) <= UNIT_TOLERANCE)) {
    to.faults.push('unit');
    return false;
  }
  set(normal.x / long, normal.y / long, normal.z / long, normal);
  return true;
}

/** A half-space has one normal. The answer's is compared with it, with a size of 1. */
function judgeSupports({ isPlane }: Moving, size: number, tolerance: number, to: Verdict): void {
  if (isPlane) {
    const { x, y, z } = planeNormal(pair, ownNormal);
    to.supportError = Math.hypot(normal.x - x, normal.y - y, normal.z - z);
  } else {
    to.supportError = Math.abs(supportGap(pair, normal) - gap.distance) / size;
  }
  if (!(to.supportError <= tolerance)) to.faults.push('supports');
}

const POINT = createShape({ type: 'sphere', radius: 0 });
const UNTURNED = { scale: 1, quaternion: [0, 0, 0, 1] };
const pointPair = createPair();

/** Distance of the point from both surfaces. The bodies are at `poseA` and `poseB`. */
function judgePoint(
  { shapeA, shapeB, origin, offset, velocityA: v, velocity }: Moving,
  time: number,
  size: number,
  tolerance: number,
  { rounding }: Terms,
  to: Verdict,
): void {
  set(point.x - origin.x - v.x * time, point.y - origin.y - v.y * time, point.z - origin.z - v.z * time, toPoint);
  const fromA = offSurface(shapeA, poseA, toPoint);
  set(
    toPoint.x - offset.x - velocity.x * time,
    toPoint.y - offset.y - velocity.y * time,
    toPoint.z - offset.z - velocity.z * time,
    toPoint,
  );
  const fromB = offSurface(shapeB, poseB, toPoint);
  const rounded = rounding * length(point);
  if (!Number.isFinite(rounded)) to.pointError = NaN;
  else if (Number.isNaN(fromA + fromB)) to.isUnknown = true;
  else to.pointError = Math.max(fromA - rounded, fromB - rounded, 0) / size;
  if (!(to.pointError <= tolerance)) to.faults.push('point');
}

function offSurface(shape: ShapeData, pose: typeof poseA, at: Vec3): number {
  makePair(shape, pose, POINT, UNTURNED, at, pointPair);
  return Math.abs(gapOf(pointPair, shape, POINT, pointGap).distance);
}

function expectNoOverlap(
  moving: Moving,
  from: number,
  until: number,
  depth: number,
  isTurning: boolean,
  fault: Fault,
  to: Verdict,
): void {
  const found = findOverlap(moving, from, until, depth, isTurning);
  if (Number.isNaN(found)) to.isUnknown = true;
  else if (found !== null) to.faults.push(fault);
}

/** max(s, |B - A|), with the larger of the distances at the start and at a time. */
function sizeAt(moving: Moving, time: number): number {
  return Math.max(moving.reach, originsApart(moving, 0), originsApart(moving, time));
}
