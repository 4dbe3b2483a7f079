/**
 * Determines whether moving bodies overlap by more than some depth at any time in an interval. It does not sample
 * times, which could miss an overlap, but uses lower bounds of the distance over whole intervals.
 *
 * The signed distance is the greatest gap along any direction (`supportGap`), so the gap along any fixed direction is a
 * lower bound of it at all times.
 *
 * Without rotation that gap is linear in time and the distance is convex. The line of the gap along the normal at some
 * time stays below the distance everywhere.
 *
 * With rotation each point of a body has a height along the direction, whose second derivative is at most `bend`. A
 * function with such a second derivative and the values f0 and f1 at the ends of an interval stays above the parabola
 * of second derivative `bend` through both. A half-space has only its own normal, which turns. Heights of points over
 * its plane also have a bounded second derivative.
 */

import { createPair } from '../../../src/cpu/pair.ts';
import { dot, length, type Vec3 } from '../../../src/cpu/math.ts';
import { CORE_HALFSPACE } from '../../../src/generated/constants.ts';
import { createGap, gapOf, supportGap, type Gap } from './gap.ts';
import { originsApart, placeAt, type Moving } from './moving.ts';

/**
 * `null`: they don't overlap. NaN: unknown, since the reference has no answer or the search did not end. Otherwise a
 * time at which they do.
 */
export type Overlap = number | null;

/**
 * Overlaps between `depth` and this multiple of it may be found or not: where bodies nearly reach the depth, the search
 * has to end.
 */
const LEEWAY = 1.1;

const MOST_LINES = 100;
const MOST_ENDS = 20_000;

const pair = createPair();
const gap = createGap();
const span = { from: 0, to: 0 };

/**
 * Searches between `from` and `to` for overlaps of more than `depth`. If `isTurning` is false, the bodies keep their
 * rotations from the start.
 */
export function findOverlap(moving: Moving, from: number, to: number, depth: number, isTurning: boolean): Overlap {
  span.from = from;
  span.to = to;
  if (!moving.isPlane && !clipToSpheres(moving)) return null;
  return isTurning ? ofTurning(moving, depth) : ofStraight(moving, depth);
}

/** Cuts the interval down to the times when the bounding spheres overlap. Returns false if they never do. */
function clipToSpheres({ offset, velocity, reach }: Moving): boolean {
  const a = dot(velocity, velocity);
  const b = dot(offset, velocity);
  const c = dot(offset, offset) - reach * reach;
  if (a === 0) return c < 0;
  const root = b * b - a * c;
  if (!(root > 0)) return false;
  // Errors by rounding don't matter: at the ends the bodies' overlap is smaller than that of the spheres.
  span.from = Math.max(span.from, (-b - Math.sqrt(root)) / a);
  span.to = Math.min(span.to, (-b + Math.sqrt(root)) / a);
  return span.from <= span.to;
}

/** A lower bound of the distance that is linear in time: `height` at a time, and its change per second. */
interface Line {
  time: number;
  height: number;
  slope: number;
}

/** Cutting planes: the distance is next evaluated where the lowest falling and the lowest rising line so far cross. */
function ofStraight(moving: Moving, depth: number): Overlap {
  const { from, to } = span;
  const { offset, velocity } = moving;
  const squared = dot(velocity, velocity);
  let falling: Line | null = null;
  let rising: Line | null = null;
  let time = Math.min(Math.max(squared > 0 ? -dot(offset, velocity) / squared : from, from), to);
  for (let i = 0; i < MOST_LINES; i++) {
    measure(moving, time, false, gap);
    if (!(gap.distance >= -depth)) return Number.isNaN(gap.distance) ? NaN : time;
    const line = { time, height: gap.distance, slope: dot(gap.normal, velocity) };
    if (line.slope < 0) falling = line;
    else rising = line;
    if (falling && at(falling, to) >= -depth) return null;
    if (rising && at(rising, from) >= -depth) return null;
    if (!falling || !rising) {
      time = falling ? to : from;
      continue;
    }
    time =
      (falling.height - falling.slope * falling.time - rising.height + rising.slope * rising.time) /
      (rising.slope - falling.slope);
    if (at(falling, time) >= -LEEWAY * depth) return null;
  }
  return NaN;
}

function at({ time, height, slope }: Line, when: number): number {
  return height + slope * (when - time);
}

/** The distance at an end of an interval. */
interface End {
  time: number;
  distance: number;
  normal: Vec3;
}

/** Halves intervals until the parabolas stay above `-depth`. */
function ofTurning(moving: Moving, depth: number): Overlap {
  const bend = mostBend(moving);
  const first = endAt(moving, span.from);
  const last = endAt(moving, span.to);
  const open: [End, End][] = [[first, last]];
  for (const end of [first, last]) if (!(end.distance >= -depth)) return overlapAt(end);
  for (let ends = 2; ends < MOST_ENDS; ends++) {
    const next = open.pop();
    if (!next) return null;
    const [start, end] = next;
    if (lowest(moving, start, end, bend) >= -LEEWAY * depth) continue;
    const middle = endAt(moving, 0.5 * (start.time + end.time));
    if (!(middle.distance >= -depth)) return overlapAt(middle);
    // The later half comes first: an overlap that makes a time of impact too late is near it.
    open.push([start, middle], [middle, end]);
  }
  return NaN;
}

function overlapAt({ time, distance }: End): Overlap {
  return Number.isNaN(distance) ? NaN : time;
}

function endAt(moving: Moving, time: number): End {
  const { distance, normal } = measure(moving, time, true, createGap());
  return { time, distance, normal };
}

function measure(moving: Moving, time: number, isTurning: boolean, to: Gap): Gap {
  return gapOf(placeAt(moving, time, isTurning, pair), moving.shapeA, moving.shapeB, to);
}

/** The greater of the lower bounds along the normals of both ends. A half-space has only one normal. */
function lowest(moving: Moving, start: End, end: End, bend: number): number {
  const seconds = end.time - start.time;
  const drop = 0.5 * bend * seconds * seconds;
  if (moving.isPlane) return lowestOfParabola(start.distance, end.distance, drop);
  const along = lowestOfParabola(start.distance, supportGap(placeAt(moving, end.time, true, pair), start.normal), drop);
  if (along >= 0) return along;
  return Math.max(
    along,
    lowestOfParabola(supportGap(placeAt(moving, start.time, true, pair), end.normal), end.distance, drop),
  );
}

/** The minimum of f0 + (f1 - f0) u - drop u (1 - u) for u from 0 to 1. */
function lowestOfParabola(f0: number, f1: number, drop: number): number {
  const rise = f1 - f0;
  if (Math.abs(rise) >= drop) return Math.min(f0, f1);
  const u = 0.5 - rise / (2 * drop);
  return f0 + rise * u - drop * u * (1 - u);
}

/**
 * The most that a second derivative of a height can be below 0. A point at r from the origin of a body with spin w has
 * the acceleration w × (w × r). Over a turning plane of normal m the height is m · x, where x leads from the plane's
 * origin to the point. Its second derivative is m'' · x + 2 m' · x' + m · x''.
 */
function mostBend(moving: Moving): number {
  const { shapeA, shapeB, velocity } = moving;
  const spinA = length(moving.spinA);
  const spinB = length(moving.spinB);
  if (!moving.isPlane) return spinA * spinA * shapeA.boundingRadius + spinB * spinB * shapeB.boundingRadius;
  const [plane, spin, reach] =
    shapeA.kind === CORE_HALFSPACE ? [spinA, spinB, shapeB.boundingRadius] : [spinB, spinA, shapeA.boundingRadius];
  const far = Math.max(originsApart(moving, span.from), originsApart(moving, span.to)) + reach;
  return plane * plane * far + 2 * plane * (length(velocity) + spin * reach) + spin * spin * reach;
}
