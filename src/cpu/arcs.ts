/** Mirror of shaders/arcs.wgsl: the depth of two overlapping polytopes by the arcs of their Gauss maps. */
import { ARC_STEPS, ARC_TIE_ULPS } from '../generated/constants.ts';
import type { GaussMap } from '../shapes/gauss-map.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import { EPSILON, type Vec3, addScaled, copy, dot, scale, set, subtract, transform, vec3 } from './math.ts';
import type { Pair } from './pair.ts';
import { createPoint, differenceSupport } from './support.ts';

export interface ArcsResult {
  /** The least height of B - A along the unit vector `normal`, and a bound of what it is along any other. */
  normal: Vec3;
  lower: number;
  upper: number;
}

export function createArcsResult(): ArcsResult {
  return { normal: vec3(), lower: 0, upper: 0 };
}

const start = vec3();
const chord = vec3();
const along = vec3();
const opposite = vec3();
const between = vec3();
const found = createPoint();
const left = vec3();
const right = vec3();
const last = vec3();

/** `result` has a normal that is known, and its least height. */
export function arcs(pair: Pair, shapeA: ShapeData, shapeB: ShapeData, result: ArcsResult): ArcsResult {
  const [a, b] = [shapeA.gaussMap, shapeB.gaussMap];
  // Arcs of the one that has fewer of them.
  const isB = a.arcs.length === 0 || (b.arcs.length > 0 && b.arcs.length < a.arcs.length);
  const map = isB ? b : a;
  // Without arcs nothing is known but that the pair overlaps.
  result.upper = map.arcs.length === 0 ? 0 : -Infinity;
  set(0, 0, 0, chord);
  for (let i = 0; i < a.normals.length / 3; i++) {
    normalAt(pair, a, i, false, start);
    tryAlong(pair, 0, result);
  }
  for (let i = 0; i < b.normals.length / 3; i++) {
    normalAt(pair, b, i, true, start);
    tryAlong(pair, 0, result);
  }
  for (let i = 0; i < map.arcs.length; i += 2) {
    normalAt(pair, map, map.arcs[i], isB, start);
    normalAt(pair, map, map.arcs[i + 1], isB, chord);
    subtract(chord, start, chord);
    searchArc(pair, result);
  }
  result.upper = Math.max(result.upper, result.lower);
  return result;
}

/**
 * The support along a direction of the arc, whose height is kept if it is the best. Leaves the direction in `along`,
 * which is no unit vector.
 */
function tryAlong(pair: Pair, t: number, result: ArcsResult): Vec3 {
  addScaled(start, chord, t, along);
  const { position } = differenceSupport(pair, scale(along, -1, opposite), found);
  const size = Math.sqrt(dot(along, along));
  const height = dot(along, position) / size;
  if (height > result.lower) {
    result.lower = height;
    scale(along, 1 / size, result.normal);
  }
  return position;
}

/** The best of the arc from `start` along `chord`. */
function searchArc(pair: Pair, result: ArcsResult): void {
  copy(tryAlong(pair, 0, result), left);
  copy(tryAlong(pair, 1, result), last);
  copy(last, right);
  let isLast = true;
  for (let step = 2; ; step++) {
    let height = findCrossing();
    if (height <= result.lower && !isLast) {
      copy(right, left);
      copy(last, right);
      isLast = true;
      height = findCrossing();
    }
    if (height <= result.lower || step > ARC_STEPS) {
      result.upper = Math.max(result.upper, height);
      return;
    }
    const point = tryAlong(pair, crossingAt, result);
    const crossing = Math.min(dot(along, left), dot(along, right));
    const isCrossing = dot(along, point) >= crossing - ARC_TIE_ULPS * EPSILON;
    if (isCrossing) {
      // Nothing is lower there: what is left lies beyond the right one.
      result.upper = Math.max(result.upper, crossing / Math.sqrt(dot(along, along)));
      if (isLast) return;
      copy(right, left);
    }
    isLast = isCrossing || step === ARC_STEPS;
    copy(isLast ? last : point, right);
  }
}

/** Where `left` and `right` are equally high, from 0 at the arc's start to 1 at its end. */
let crossingAt = 0;

/** Finds that place. Their height there: nowhere on the arc are both higher. */
function findCrossing(): number {
  subtract(right, left, between);
  const atStart = Math.max(dot(start, between), 0);
  const atEnd = Math.max(-dot(start, between) - dot(chord, between), 0);
  crossingAt = atStart / Math.max(atStart + atEnd, 1e-300);
  addScaled(start, chord, crossingAt, along);
  return Math.min(dot(along, left), dot(along, right)) / Math.sqrt(dot(along, along));
}

/** The outward normal of A, or the inward one of B, in A's frame. */
function normalAt({ rotation }: Pair, { normals }: GaussMap, i: number, isOfB: boolean, to: Vec3): Vec3 {
  set(normals[3 * i], normals[3 * i + 1], normals[3 * i + 2], to);
  return isOfB ? scale(transform(rotation, to, to), -1, to) : to;
}
