/** Mirror of shaders/simplex.wgsl: the point of a simplex nearest to the origin. */
import { FLAT_ULPS, INSIDE_SLACK_ULPS, LEAST_WEIGHT, SLIVER_ULPS } from '../generated/constants.ts';
import { EPSILON, type Vec3, addScaled, copy, cross, distance, dot, length, scale, set, subtract, vec3 } from './math.ts';
import { type Point, copyPoint, createPoint } from './support.ts';

export interface Simplex {
  /** Four points, of which the first `count` are valid. */
  points: [Point, Point, Point, Point];
  /** Barycentric coordinates of the nearest point. */
  weights: Float64Array;
  count: number;
}

export function createSimplex(): Simplex {
  return { points: [createPoint(), createPoint(), createPoint(), createPoint()], weights: new Float64Array(4), count: 0 };
}

/** Nearest point of a triangle or of a part of it. */
export interface Nearest {
  point: Vec3;
  /** Unit normal, (b - a) x (c - a); zero for a triangle without an inside. */
  normal: Vec3;
  weights: Vec3;
}

export function createNearest(): Nearest {
  return { point: vec3(), normal: vec3(), weights: vec3() };
}

const u = vec3();
const v = vec3();
const ac = vec3();

export function nearestOnSegment(a: Vec3, b: Vec3, to: Nearest): Nearest {
  subtract(b, a, u);
  const size = length(u);
  set(0, 0, 0, to.normal);
  if (size === 0) return atStart(a, to);
  scale(u, 1 / size, u);
  const along = -dot(a, u);
  const slack = INSIDE_SLACK_ULPS * EPSILON;
  if (along <= -slack) return atStart(a, to);
  if (along >= size + slack) {
    copy(b, to.point);
    set(0, 1, 0, to.weights);
    return to;
  }
  const end = along > 0.5 * size ? b : a;
  addScaled(end, u, -dot(end, u), to.point);
  addScaled(to.point, u, -dot(to.point, u), to.point);
  const t = Math.min(Math.max(along / size, LEAST_WEIGHT), 1 - EPSILON);
  set(1 - t, t, 0, to.weights);
  return to;
}

function atStart(a: Vec3, to: Nearest): Nearest {
  copy(a, to.point);
  set(1, 0, 0, to.weights);
  return to;
}

const onAB = createNearest();
const onBC = createNearest();
const onCA = createNearest();

export function nearestOnTriangle(a: Vec3, b: Vec3, c: Vec3, to: Nearest): Nearest {
  return nearestOnNewest(a, b, c, false, to);
}

/** The same; with `skipsAB`, the edge a, b is not tried. */
function nearestOnNewest(a: Vec3, b: Vec3, c: Vec3, skipsAB: boolean, to: Nearest): Nearest {
  subtract(b, a, u);
  subtract(c, a, ac);
  const lengthAB = length(u);
  scale(u, 1 / Math.max(lengthAB, 1e-300), u);
  const acAlong = dot(ac, u);
  addScaled(ac, u, -acAlong, v);
  addScaled(v, u, -dot(v, u), v);
  const height = length(v);
  let hasInside = false;
  if (lengthAB > 0 && height > SLIVER_ULPS * EPSILON * Math.max(lengthAB, length(ac))) {
    hasInside = true;
    scale(v, 1 / height, v);
    cross(u, v, to.normal);
    scale(to.normal, 1 / length(to.normal), to.normal);
    const x = -dot(a, u);
    const y = -dot(a, v);
    const weightC = y / height;
    const weightB = (x - weightC * acAlong) / lengthAB;
    const weightA = 1 - weightB - weightC;
    const slack = INSIDE_SLACK_ULPS * EPSILON;
    const area = lengthAB * height;
    if (
      weightA * area >= -slack * distance(b, c) &&
      weightB * area >= -slack * length(ac) &&
      weightC * area >= -slack * lengthAB
    ) {
      scale(to.normal, dot(to.normal, a), to.point);
      set(Math.max(weightA, LEAST_WEIGHT), Math.max(weightB, LEAST_WEIGHT), Math.max(weightC, LEAST_WEIGHT), to.weights);
      scale(to.weights, 1 / (to.weights.x + to.weights.y + to.weights.z), to.weights);
      return to;
    }
  }
  if (!hasInside) set(0, 0, 0, to.normal);
  nearestOnSegment(a, b, onAB);
  nearestOnSegment(b, c, onBC);
  nearestOnSegment(c, a, onCA);
  const distanceAB = skipsAB ? Infinity : dot(onAB.point, onAB.point);
  const distanceBC = dot(onBC.point, onBC.point);
  const distanceCA = dot(onCA.point, onCA.point);
  if (distanceAB <= distanceBC && distanceAB <= distanceCA) {
    copy(onAB.point, to.point);
    copy(onAB.weights, to.weights);
  } else if (distanceBC <= distanceCA) {
    copy(onBC.point, to.point);
    set(0, onBC.weights.x, onBC.weights.y, to.weights);
  } else {
    copy(onCA.point, to.point);
    set(onCA.weights.y, 0, onCA.weights.x, to.weights);
  }
  return to;
}

/** Whether the origin lies strictly on `opposite`'s side of the face, and the tetrahedron is not flat. */
function isInside(face: Nearest, onFace: Vec3, opposite: Vec3): boolean {
  const origin = -dot(face.normal, onFace);
  const height = dot(face.normal, opposite) + origin;
  return Math.abs(height) > FLAT_ULPS * EPSILON && origin * height > 0;
}

const onFirst = createNearest();
const onSecond = createNearest();
const onThird = createNearest();

/**
 * Reduces the simplex to the smallest face that holds its point nearest to the origin, which goes to `nearest`. True
 * when the simplex encloses the origin; it is left as it was then.
 */
export function nearestOnSimplex(s: Simplex, nearest: Vec3): boolean {
  const [a, b, c, d] = s.points;
  if (s.count === 1) {
    copy(a.position, nearest);
    s.weights.fill(0);
    s.weights[0] = 1;
    return false;
  }
  if (s.count === 2) {
    copy(nearestOnSegment(a.position, b.position, onFirst).point, nearest);
    reduce(s, 0, 1, 2, onFirst.weights);
    return false;
  }
  if (s.count === 3) {
    copy(nearestOnNewest(a.position, b.position, c.position, true, onFirst).point, nearest);
    reduce(s, 0, 1, 2, onFirst.weights);
    return false;
  }
  nearestOnNewest(a.position, b.position, d.position, true, onFirst);
  nearestOnNewest(b.position, c.position, d.position, true, onSecond);
  nearestOnNewest(c.position, a.position, d.position, true, onThird);
  if (
    isInside(onFirst, d.position, c.position) &&
    isInside(onSecond, d.position, a.position) &&
    isInside(onThird, d.position, b.position)
  ) {
    return true;
  }
  const distanceABD = dot(onFirst.point, onFirst.point);
  const distanceBCD = dot(onSecond.point, onSecond.point);
  const distanceCAD = dot(onThird.point, onThird.point);
  if (distanceABD <= distanceBCD && distanceABD <= distanceCAD) {
    copy(onFirst.point, nearest);
    reduce(s, 0, 1, 3, onFirst.weights);
  } else if (distanceBCD <= distanceCAD) {
    copy(onSecond.point, nearest);
    reduce(s, 1, 2, 3, onSecond.weights);
  } else {
    copy(onThird.point, nearest);
    reduce(s, 2, 0, 3, onThird.weights);
  }
  return false;
}

const kept = [createPoint(), createPoint(), createPoint()];

/** Leaves those of three points that have weight, in the same order. */
function reduce(s: Simplex, i: number, j: number, k: number, weights: Vec3): void {
  let count = 0;
  const keep = (index: number, weight: number): void => {
    if (weight === 0) return;
    copyPoint(s.points[index], kept[count]);
    s.weights[count++] = weight;
  };
  keep(i, weights.x);
  keep(j, weights.y);
  keep(k, weights.z);
  s.count = count;
  for (let n = 0; n < count; n++) copyPoint(kept[n], s.points[n]);
  for (let n = count; n < 4; n++) s.weights[n] = 0;
}
