/** Mirror of shaders/triangle-distance.wgsl: the distance of two triangles, with a nearest point on each. */
import { TRIANGLE_BEHIND_ULPS } from '../generated/constants.ts';
import { EPSILON } from './math.ts';
import { createTriangleFrame, triangleFrame } from './triangle.ts';
import { createTriangleIntersection, triangleIntersection } from './triangle-intersection.ts';

export interface TriangleDistance {
  /** 0 exactly if the triangles share a point (`trianglesIntersect`). */
  distance: number;
  /** On triangle A. If they share a point, both are the same common point. */
  pointA: Float64Array;
  /** On triangle B. */
  pointB: Float64Array;
}

export function createTriangleDistance(): TriangleDistance {
  return { distance: 0, pointA: new Float64Array(3), pointB: new Float64Array(3) };
}

const intersection = createTriangleIntersection();

/**
 * The distance of two triangles, to a rounding error of their extent. `a` and `b` have 9 numbers each: three corners in
 * a common frame. Corners may coincide or lie on one line.
 */
export function triangleDistance(a: ArrayLike<number>, b: ArrayLike<number>, to: TriangleDistance): number {
  const size = extent(a, b);
  const slack = TRIANGLE_BEHIND_ULPS * EPSILON * size;
  to.distance = Infinity;
  // Edges that face the other triangle come first.
  const x = b[0] + b[3] + b[6] - a[0] - a[3] - a[6];
  const y = b[1] + b[4] + b[7] - a[1] - a[4] - a[7];
  const z = b[2] + b[5] + b[8] - a[2] - a[5] - a[8];
  const firstA = facingEdge(a, x, y, z);
  const firstB = facingEdge(b, -x, -y, -z);
  for (let i = 0; i < 9; i += 3)
    for (let j = 0; j < 9; j += 3)
      if (nearestOnEdges(a, (firstA + i) % 9, b, (firstB + j) % 9, slack * size, to)) return to.distance;
  if (nearestOnFace(a, b, slack, to, to.pointA, to.pointB)) return to.distance;
  if (nearestOnFace(b, a, slack, to, to.pointB, to.pointA)) return to.distance;
  if (triangleIntersection(a, b, intersection)) {
    to.distance = 0;
    for (let k = 0; k < 3; k++) to.pointA[k] = to.pointB[k] = intersection.segment[k];
  } else {
    // A gap below all rounding is still one.
    to.distance = Math.max(to.distance, Number.MIN_VALUE);
  }
  return to.distance;
}

/** The greatest coordinate of the corners, as seen from a's first. */
function extent(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let size = 0;
  for (let i = 0; i < 9; i++) size = Math.max(size, Math.abs(a[i] - a[i % 3]), Math.abs(b[i] - a[i % 3]));
  return size;
}

/** The edge opposite to the corner that is least far along a direction. */
function facingEdge(t: ArrayLike<number>, x: number, y: number, z: number): number {
  const first = x * t[0] + y * t[1] + z * t[2];
  const second = x * t[3] + y * t[4] + z * t[5];
  const third = x * t[6] + y * t[7] + z * t[8];
  if (first <= second && first <= third) return 3;
  return second <= third ? 6 : 0;
}

function clamp(x: number): number {
  return x > 0 ? Math.min(x, 1) : 0;
}

/**
 * Nearest points of the edges that begin at p and q, kept if they are nearer than those so far. Returns whether the
 * third corners are behind them: then all of either triangle is, and they are the triangles' nearest points (Larsen,
 * Gottschalk, Lin, Manocha, "Fast Proximity Queries with Swept Sphere Volumes", 1999).
 */
function nearestOnEdges(
  a: ArrayLike<number>,
  p: number,
  b: ArrayLike<number>,
  q: number,
  behind: number,
  to: TriangleDistance,
): boolean {
  const endA = p === 6 ? 0 : p + 3;
  const endB = q === 6 ? 0 : q + 3;
  const ux = a[endA] - a[p];
  const uy = a[endA + 1] - a[p + 1];
  const uz = a[endA + 2] - a[p + 2];
  const vx = b[endB] - b[q];
  const vy = b[endB + 1] - b[q + 1];
  const vz = b[endB + 2] - b[q + 2];
  const rx = b[q] - a[p];
  const ry = b[q + 1] - a[p + 1];
  const rz = b[q + 2] - a[p + 2];
  const uu = ux * ux + uy * uy + uz * uz;
  const vv = vx * vx + vy * vy + vz * vz;
  const uv = ux * vx + uy * vy + uz * vz;
  const ur = ux * rx + uy * ry + uz * rz;
  const vr = vx * rx + vy * ry + vz * rz;
  // The common perpendicular. On B's line t is where it stands, which no rounding of `uu * vv - uv * uv` spoils.
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  let t = 0;
  if (nn > 0) t = clamp(((uz * ry - uy * rz) * nx + (ux * rz - uz * rx) * ny + (uy * rx - ux * ry) * nz) / nn);
  const foot = uu > 0 ? (ur + t * uv) / uu : 0;
  const s = clamp(foot);
  if (s !== foot || nn === 0) t = vv > 0 ? clamp((s * uv - vr) / vv) : 0;
  const x = rx + t * vx - s * ux;
  const y = ry + t * vy - s * uy;
  const z = rz + t * vz - s * uz;
  const distance = Math.sqrt(x * x + y * y + z * z);
  if (distance < to.distance) {
    to.distance = distance;
    to.pointA[0] = a[p] + s * ux;
    to.pointA[1] = a[p + 1] + s * uy;
    to.pointA[2] = a[p + 2] + s * uz;
    to.pointB[0] = b[q] + t * vx;
    to.pointB[1] = b[q + 1] + t * vy;
    to.pointB[2] = b[q + 2] + t * vz;
  }
  const thirdA = endA === 6 ? 0 : endA + 3;
  const thirdB = endB === 6 ? 0 : endB + 3;
  const heightA =
    x * (a[thirdA] - a[p] - s * ux) + y * (a[thirdA + 1] - a[p + 1] - s * uy) + z * (a[thirdA + 2] - a[p + 2] - s * uz);
  if (!(heightA < -behind)) return false;
  const heightB =
    x * (b[thirdB] - b[q] - t * vx) + y * (b[thirdB + 1] - b[q + 1] - t * vy) + z * (b[thirdB + 2] - b[q + 2] - t * vz);
  return heightB > behind;
}

/** A triangle's corners and those of the other, as seen from its first. */
const corners = new Float64Array(18);
const frame = createTriangleFrame();

/**
 * The corner of `other` nearest to the plane of `face`, and the point below it, kept if that is in the face and they
 * are nearer than the points so far. Returns whether they are the triangles' nearest points, because all of `other` is
 * on one side.
 */
function nearestOnFace(
  face: ArrayLike<number>,
  other: ArrayLike<number>,
  slack: number,
  to: TriangleDistance,
  onFace: Float64Array,
  onOther: Float64Array,
): boolean {
  for (let i = 0; i < 9; i++) {
    corners[i] = face[i] - face[i % 3];
    corners[9 + i] = other[i] - face[i % 3];
  }
  const origin = longestSide(corners);
  triangleFrame(corners, origin, (origin + 3) % 9, (origin + 6) % 9, frame);
  const { u, v, normal, base, along, height, hasInside } = frame;
  if (!hasInside) return false;
  let nearest = 9;
  let least = Infinity;
  let lowest = Infinity;
  let highest = -Infinity;
  for (let corner = 9; corner < 18; corner += 3) {
    const z =
      normal.x * (corners[corner] - corners[origin]) +
      normal.y * (corners[corner + 1] - corners[origin + 1]) +
      normal.z * (corners[corner + 2] - corners[origin + 2]);
    lowest = Math.min(lowest, z);
    highest = Math.max(highest, z);
    if (Math.abs(z) >= Math.abs(least)) continue;
    least = z;
    nearest = corner;
  }
  const dx = corners[nearest] - corners[origin];
  const dy = corners[nearest + 1] - corners[origin + 1];
  const dz = corners[nearest + 2] - corners[origin + 2];
  const x = u.x * dx + u.y * dy + u.z * dz;
  const y = v.x * dx + v.y * dy + v.z * dz;
  if (y < 0 || height * x < along * y || height * (base - x) < (base - along) * y) return false;
  const distance = Math.abs(least);
  if (distance < to.distance) {
    to.distance = distance;
    for (let k = 0; k < 3; k++) onOther[k] = other[nearest - 9 + k];
    onFace[0] = face[origin] + u.x * x + v.x * y;
    onFace[1] = face[origin + 1] + u.y * x + v.y * y;
    onFace[2] = face[origin + 2] + u.z * x + v.z * y;
  }
  return lowest > slack || highest < -slack;
}

/** The corner at which the longest side of the first triangle begins. */
function longestSide(p: Float64Array): number {
  let origin = 0;
  let most = -1;
  for (let corner = 0; corner < 9; corner += 3) {
    const end = (corner + 3) % 9;
    const size = (p[end] - p[corner]) ** 2 + (p[end + 1] - p[corner + 1]) ** 2 + (p[end + 2] - p[corner + 2]) ** 2;
    if (size <= most) continue;
    most = size;
    origin = corner;
  }
  return origin;
}
