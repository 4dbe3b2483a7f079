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

const unit = vec3();

export function nearestOnSegment(a: Vec3, b: Vec3, to: Nearest): Nearest {
  subtract(b, a, unit);
  const size = length(unit);
  set(0, 0, 0, to.normal);
  if (size === 0) return atStart(a, to);
  scale(unit, 1 / size, unit);
  const along = -dot(a, unit);
  const slack = INSIDE_SLACK_ULPS * EPSILON;
  if (along <= -slack) return atStart(a, to);
  if (along >= size + slack) {
    copy(b, to.point);
    set(0, 1, 0, to.weights);
    return to;
  }
  const end = along > 0.5 * size ? b : a;
  addScaled(end, unit, -dot(end, unit), to.point);
  addScaled(to.point, unit, -dot(to.point, unit), to.point);
  const t = Math.min(Math.max(along / size, LEAST_WEIGHT), 1 - EPSILON);
  set(1 - t, t, 0, to.weights);
  return to;
}

function atStart(a: Vec3, to: Nearest): Nearest {
  copy(a, to.point);
  set(1, 0, 0, to.weights);
  return to;
}

/** An orthonormal frame of the plane through a, b, c: u along a, b; c lies `along` u and `height` across it. */
export interface TriangleFrame {
  u: Vec3;
  base: number;
  v: Vec3;
  height: number;
  /** u x v; zero for a triangle without an inside. */
  normal: Vec3;
  along: number;
  hasInside: boolean;
}

export function createTriangleFrame(): TriangleFrame {
  return { u: vec3(), base: 0, v: vec3(), height: 0, normal: vec3(), along: 0, hasInside: false };
}

export function triangleFrame(a: Vec3, b: Vec3, c: Vec3, to: TriangleFrame): TriangleFrame {
  const { u, v } = to;
  subtract(b, a, u);
  subtract(c, a, v);
  to.base = length(u);
  const reach = Math.max(to.base, length(v));
  scale(u, 1 / Math.max(to.base, 1e-300), u);
  to.along = dot(v, u);
  addScaled(v, u, -to.along, v);
  addScaled(v, u, -dot(v, u), v);
  to.height = length(v);
  to.hasInside = to.base > 0 && to.height > SLIVER_ULPS * EPSILON * reach;
  if (to.hasInside) {
    scale(v, 1 / to.height, v);
    cross(u, v, to.normal);
    scale(to.normal, 1 / length(to.normal), to.normal);
  } else {
    set(0, 0, 0, to.normal);
  }
  return to;
}

/** Barycentric coordinates of the origin's projection on the plane of the triangle whose first corner is a. */
export function planeWeights(on: TriangleFrame, a: Vec3, to: Vec3): Vec3 {
  const x = -dot(a, on.u);
  const y = -dot(a, on.v);
  const weightC = y / on.height;
  const weightB = (x - weightC * on.along) / on.base;
  return set(1 - weightB - weightC, weightB, weightC, to);
}

const frame = createTriangleFrame();
const planeWeight = vec3();
const onEdge = createNearest();

/** With `skipsAB`, the edge a, b is not tried. */
export function nearestOnTriangle(a: Vec3, b: Vec3, c: Vec3, skipsAB: boolean, to: Nearest): Nearest {
  triangleFrame(a, b, c, frame);
  let isInBorder = false;
  if (frame.hasInside) {
    const { x: weightA, y: weightB, z: weightC } = planeWeights(frame, a, planeWeight);
    const slack = INSIDE_SLACK_ULPS * EPSILON;
    const area = frame.base * frame.height;
    if (weightA >= 0 && weightB >= 0 && weightC >= 0) {
      copy(frame.normal, to.normal);
      scale(to.normal, dot(to.normal, a), to.point);
      set(Math.max(weightA, LEAST_WEIGHT), Math.max(weightB, LEAST_WEIGHT), Math.max(weightC, LEAST_WEIGHT), to.weights);
      return to;
    }
    isInBorder =
      weightA * area >= -slack * distance(b, c) &&
      weightB * area >= -slack * distance(a, c) &&
      weightC * area >= -slack * frame.base;
  }
  let nearestDistance = 1e30;
  for (let e = 0; e < (skipsAB && !isInBorder ? 2 : 3); e++) {
    const on = e === 0 ? nearestOnSegment(b, c, onEdge) : e === 1 ? nearestOnSegment(c, a, onEdge) : nearestOnSegment(a, b, onEdge);
    const size = dot(on.point, on.point);
    if (size < nearestDistance) {
      nearestDistance = size;
      copy(on.point, to.point);
      const { x, y } = on.weights;
      if (e === 0) set(0, x, y, to.weights);
      else if (e === 1) set(y, 0, x, to.weights);
      else set(x, y, 0, to.weights);
    }
  }
  copy(frame.normal, to.normal);
  if (isInBorder) {
    // The plane's vector with the edge's weights: those of the plane are no convex combination.
    scale(to.normal, dot(to.normal, a), to.point);
    set(Math.max(to.weights.x, LEAST_WEIGHT), Math.max(to.weights.y, LEAST_WEIGHT), Math.max(to.weights.z, LEAST_WEIGHT), to.weights);
  }
  return to;
}

/** Whether the origin lies strictly on `opposite`'s side of the face, and the tetrahedron is not flat. */
function isInside(face: Nearest, onFace: Vec3, opposite: Vec3): boolean {
  const origin = -dot(face.normal, onFace);
  const height = dot(face.normal, opposite) + origin;
  return Math.abs(height) > FLAT_ULPS * EPSILON && origin * height > 0;
}

const onFace = createNearest();
const onNearest = createNearest();

/**
 * Reduces the simplex to the smallest face that holds its point nearest to the origin, which goes to `nearest`. True
 * when the simplex encloses the origin; it is left as it was then. Only faces that contain the last point are tried.
 */
export function nearestOnSimplex(s: Simplex, nearest: Vec3): boolean {
  const { points, count } = s;
  const newest = count - 1;
  let first = 0;
  let second = count === 2 ? 0 : 1;
  let opposite = 2;
  let nearestFirst = first;
  let nearestSecond = second;
  let nearestDistance = 1e30;
  let insideCount = 0;
  for (let face = 0; face < (count === 4 ? 3 : 1); face++) {
    const on = nearestOnTriangle(points[first].position, points[second].position, points[newest].position, true, onFace);
    if (count === 4 && isInside(on, points[newest].position, points[opposite].position)) insideCount++;
    const size = dot(on.point, on.point);
    if (size < nearestDistance) {
      nearestDistance = size;
      nearestFirst = first;
      nearestSecond = second;
      copy(on.point, onNearest.point);
      copy(on.weights, onNearest.weights);
    }
    const next = opposite;
    opposite = first;
    first = second;
    second = next;
  }
  if (insideCount === 3) return true;
  copy(onNearest.point, nearest);
  keepWeighted(s, nearestFirst, nearestSecond, newest, onNearest.weights);
  return false;
}

const kept = [createPoint(), createPoint(), createPoint()];

/** Leaves those of three points that have weight, in the same order. */
function keepWeighted(s: Simplex, i: number, j: number, k: number, weights: Vec3): void {
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
