/** Mirror of shaders/triangle.wgsl: the point of a segment or triangle nearest to the origin. */
// Points stand in flat arrays, three numbers each, and are named by the place of their first.
import { INSIDE_SLACK_ULPS, LEAST_WEIGHT, SLIVER_ULPS } from '../generated/constants.ts';
import { EPSILON, type Vec3, copy, set, vec3 } from './math.ts';

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

export function nearestOnSegment(p: Float64Array, a: number, b: number, to: Nearest): Nearest {
  const ax = p[a];
  const ay = p[a + 1];
  const az = p[a + 2];
  const bx = p[b];
  const by = p[b + 1];
  const bz = p[b + 2];
  set(0, 0, 0, to.normal);
  const size = Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay) + (bz - az) * (bz - az));
  const toUnit = 1 / Math.max(size, 1e-300);
  const ux = (bx - ax) * toUnit;
  const uy = (by - ay) * toUnit;
  const uz = (bz - az) * toUnit;
  const along = -(ax * ux + ay * uy + az * uz);
  const slack = INSIDE_SLACK_ULPS * EPSILON;
  if (size === 0 || along <= -slack) {
    set(ax, ay, az, to.point);
    set(1, 0, 0, to.weights);
    return to;
  }
  if (along >= size + slack) {
    set(bx, by, bz, to.point);
    set(0, 1, 0, to.weights);
    return to;
  }
  const isNearB = along > 0.5 * size;
  let x = isNearB ? bx : ax;
  let y = isNearB ? by : ay;
  let z = isNearB ? bz : az;
  const end = x * ux + y * uy + z * uz;
  x -= ux * end;
  y -= uy * end;
  z -= uz * end;
  const rest = x * ux + y * uy + z * uz;
  set(x - ux * rest, y - uy * rest, z - uz * rest, to.point);
  const t = Math.min(Math.max(along / size, LEAST_WEIGHT), 1 - EPSILON);
  set(1 - t, t, 0, to.weights);
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

export function triangleFrame(p: Float64Array, a: number, b: number, c: number, to: TriangleFrame): TriangleFrame {
  let ux = p[b] - p[a];
  let uy = p[b + 1] - p[a + 1];
  let uz = p[b + 2] - p[a + 2];
  let vx = p[c] - p[a];
  let vy = p[c + 1] - p[a + 1];
  let vz = p[c + 2] - p[a + 2];
  const base = Math.sqrt(ux * ux + uy * uy + uz * uz);
  const longest = Math.max(base, Math.sqrt(vx * vx + vy * vy + vz * vz));
  const toUnit = 1 / Math.max(base, 1e-300);
  ux *= toUnit;
  uy *= toUnit;
  uz *= toUnit;
  const along = vx * ux + vy * uy + vz * uz;
  vx -= ux * along;
  vy -= uy * along;
  vz -= uz * along;
  const rest = vx * ux + vy * uy + vz * uz;
  vx -= ux * rest;
  vy -= uy * rest;
  vz -= uz * rest;
  const height = Math.sqrt(vx * vx + vy * vy + vz * vz);
  const hasInside = base > 0 && height > SLIVER_ULPS * EPSILON * longest;
  to.base = base;
  to.height = height;
  to.along = along;
  to.hasInside = hasInside;
  set(ux, uy, uz, to.u);
  if (!hasInside) {
    set(0, 0, 0, to.v);
    set(0, 0, 0, to.normal);
    return to;
  }
  const toHeight = 1 / height;
  vx *= toHeight;
  vy *= toHeight;
  vz *= toHeight;
  set(vx, vy, vz, to.v);
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  const toNormal = 1 / Math.sqrt(x * x + y * y + z * z);
  set(x * toNormal, y * toNormal, z * toNormal, to.normal);
  return to;
}

/**
 * Barycentric coordinates of the origin's projection on the plane of a triangle with an inside, whose first corner is
 * a.
 */
export function planeWeights(on: TriangleFrame, p: Float64Array, a: number, to: Vec3): Vec3 {
  const { u, v } = on;
  const x = -(p[a] * u.x + p[a + 1] * u.y + p[a + 2] * u.z);
  const y = -(p[a] * v.x + p[a + 1] * v.y + p[a + 2] * v.z);
  const weightC = y / on.height;
  const weightB = (x - weightC * on.along) / on.base;
  return set(1 - weightB - weightC, weightB, weightC, to);
}

const frame = createTriangleFrame();
const planeWeight = vec3();
const onEdge = createNearest();

export function nearestOnTriangle(p: Float64Array, a: number, b: number, c: number, to: Nearest): Nearest {
  const { normal, hasInside } = triangleFrame(p, a, b, c, frame);
  copy(normal, to.normal);
  const height = normal.x * p[a] + normal.y * p[a + 1] + normal.z * p[a + 2];
  let isInBorder = false;
  if (hasInside) {
    const { x: weightA, y: weightB, z: weightC } = planeWeights(frame, p, a, planeWeight);
    if (weightA >= 0 && weightB >= 0 && weightC >= 0) {
      set(normal.x * height, normal.y * height, normal.z * height, to.point);
      set(
        Math.max(weightA, LEAST_WEIGHT),
        Math.max(weightB, LEAST_WEIGHT),
        Math.max(weightC, LEAST_WEIGHT),
        to.weights,
      );
      return to;
    }
    const slack = INSIDE_SLACK_ULPS * EPSILON;
    const area = frame.base * frame.height;
    isInBorder =
      weightA * area >= -slack * distance(p, b, c) &&
      weightB * area >= -slack * distance(p, a, c) &&
      weightC * area >= -slack * frame.base;
  }
  let nearestDistance = 1e30;
  for (let e = 0; e < 3; e++) {
    nearestOnSegment(p, e === 0 ? b : e === 1 ? c : a, e === 0 ? c : e === 1 ? a : b, onEdge);
    const { x, y, z } = onEdge.point;
    const size = x * x + y * y + z * z;
    if (size < nearestDistance) {
      nearestDistance = size;
      set(x, y, z, to.point);
      const { x: start, y: end } = onEdge.weights;
      if (e === 0) set(0, start, end, to.weights);
      else if (e === 1) set(end, 0, start, to.weights);
      else set(start, end, 0, to.weights);
    }
  }
  if (isInBorder) {
    // The plane's vector with the edge's weights: those of the plane are no convex combination.
    set(normal.x * height, normal.y * height, normal.z * height, to.point);
    const { x, y, z } = to.weights;
    set(Math.max(x, LEAST_WEIGHT), Math.max(y, LEAST_WEIGHT), Math.max(z, LEAST_WEIGHT), to.weights);
  }
  return to;
}

export function distance(p: Float64Array, a: number, b: number): number {
  const x = p[a] - p[b];
  const y = p[a + 1] - p[b + 1];
  const z = p[a + 2] - p[b + 2];
  return Math.sqrt(x * x + y * y + z * z);
}
