/** Mirror of shaders/simplex.wgsl: the point of a simplex nearest to the origin. */
// Points stand in flat arrays, three numbers each, and are named by the place of their first.
import { FLAT_ULPS, INSIDE_SLACK_ULPS, LEAST_WEIGHT, SLIVER_ULPS } from '../generated/constants.ts';
import { EPSILON, type Vec3, set, vec3 } from './math.ts';
import type { Point } from './support.ts';

/** Squared distance of what is not there. */
const NOWHERE = 1e30;
/** Smaller squares have lost their precision. */
const LEAST_SQUARE = 1e-300;

export interface Simplex {
  /** x, y, z of four points, of which the first `count` are valid. */
  positions: Float64Array;
  /** The vertices of these points by number, A's and B's of each. */
  ids: Float64Array;
  /** Barycentric coordinates of the nearest point. */
  weights: Float64Array;
  count: number;
}

export function createSimplex(): Simplex {
  return { positions: new Float64Array(12), ids: new Float64Array(8), weights: new Float64Array(4), count: 0 };
}

/** The edge from the newest vertex n to an older one. */
interface Edge {
  /** The older vertex. */
  end: number;
  /** Unit vector along it; zero for vertices in one place. */
  along: Vec3;
  length: number;
  /** Squared distance of the origin. */
  squared: number;
}

function createEdge(): Edge {
  return { end: 0, along: vec3(), length: 0, squared: NOWHERE };
}

function makeEdge(p: Float64Array, newest: number, older: number, to: Edge): void {
  const nx = p[newest];
  const ny = p[newest + 1];
  const nz = p[newest + 2];
  let x = p[older] - nx;
  let y = p[older + 1] - ny;
  let z = p[older + 2] - nz;
  const squaredLength = x * x + y * y + z * z;
  const inverse = 1 / Math.sqrt(Math.max(squaredLength, LEAST_SQUARE));
  const size = squaredLength * inverse;
  x *= inverse;
  y *= inverse;
  z *= inverse;
  const foot = Math.min(Math.max(-(nx * x + ny * y + nz * z), 0), size);
  const nearX = nx + x * foot;
  const nearY = ny + y * foot;
  const nearZ = nz + z * foot;
  to.end = older;
  set(x, y, z, to.along);
  to.length = size;
  to.squared = nearX * nearX + nearY * nearY + nearZ * nearZ;
}

/** The face of the newest vertex n and the older ones p and q. */
interface Face {
  /** Squared distance of the origin from its plane; `NOWHERE` unless the projection lies inside the face. */
  squared: number;
  /** The origin lies strictly on the fourth vertex' side of its plane, and the tetrahedron is high enough over it. */
  isBelow: boolean;
}

function createFace(): Face {
  return { squared: NOWHERE, isBelow: false };
}

/** `toFourth` is the edge from n to the fourth vertex of a tetrahedron, of which a triangle has none. */
function makeFace(s: Float64Array, n: number, toP: Edge, toQ: Edge, toFourth: Edge, to: Face): void {
  const { end: p, along: u, length: lengthP } = toP;
  const { end: q, along: v, length: lengthQ } = toQ;
  let x = u.y * v.z - u.z * v.y;
  let y = u.z * v.x - u.x * v.z;
  let z = u.x * v.y - u.y * v.x;
  // What rounding left of it along p is not small beside the sine of a thin triangle's angle.
  const rest = x * u.x + y * u.y + z * u.z;
  x -= u.x * rest;
  y -= u.y * rest;
  z -= u.z * rest;
  const squaredSine = x * x + y * y + z * z;
  const inverse = 1 / Math.sqrt(Math.max(squaredSine, LEAST_SQUARE));
  x *= inverse;
  y *= inverse;
  z *= inverse;
  const sine = squaredSine * inverse;
  const level = x * s[n] + y * s[n + 1] + z * s[n + 2];
  const { x: fourthX, y: fourthY, z: fourthZ } = toFourth.along;
  const rise = (x * fourthX + y * fourthY + z * fourthZ) * toFourth.length;
  to.squared = NOWHERE;
  to.isBelow = Math.abs(rise) > FLAT_ULPS * EPSILON && level * rise < 0;
  if (lengthP === 0 || lengthQ * sine <= SLIVER_ULPS * EPSILON * Math.max(lengthP, lengthQ)) return;
  // Distances of the projection from the lines through n, to the inside, and from the third one times that edge's
  // length. The third follows from the other two and the area, but where p and q are close nothing would be left of it.
  const acrossX = s[n + 1] * z - s[n + 2] * y;
  const acrossY = s[n + 2] * x - s[n] * z;
  const acrossZ = s[n] * y - s[n + 1] * x;
  const offP = v.x * acrossX + v.y * acrossY + v.z * acrossZ;
  const offQ = -(u.x * acrossX + u.y * acrossY + u.z * acrossZ);
  const thirdX = s[q] - s[p];
  const thirdY = s[q + 1] - s[p + 1];
  const thirdZ = s[q + 2] - s[p + 2];
  const offThird =
    x * (s[p + 1] * thirdZ - s[p + 2] * thirdY) +
    y * (s[p + 2] * thirdX - s[p] * thirdZ) +
    z * (s[p] * thirdY - s[p + 1] * thirdX);
  const third = Math.sqrt(thirdX * thirdX + thirdY * thirdY + thirdZ * thirdZ);
  const slack = INSIDE_SLACK_ULPS * EPSILON;
  if (offP >= -slack && offQ >= -slack && offThird >= -slack * third) to.squared = level * level;
}

const toA = createEdge();
const toB = createEdge();
const toC = createEdge();
const faceAB = createFace();
const faceBC = createFace();
const faceCA = createFace();
const weights = vec3();

/**
 * Writes the smallest face of the simplex that holds its point nearest to the origin to `to`, and that point to
 * `nearest`. True, with nothing written, when the simplex encloses the origin. Only faces that contain the last point
 * are tried.
 */
export function nearestOnSimplex(s: Simplex, nearest: Vec3, to: Simplex): boolean {
  const { positions, count } = s;
  const newest = count - 1;
  // The nearest feature is the edge from the newest to `first` or the face of these and `second`.
  let first = 0;
  let second = 1;
  let isFace = false;
  if (count > 2) {
    const n = 3 * newest;
    toC.squared = NOWHERE;
    faceBC.squared = faceCA.squared = NOWHERE;
    faceBC.isBelow = false;
    makeEdge(positions, n, 0, toA);
    makeEdge(positions, n, 3, toB);
    if (count === 4) {
      makeEdge(positions, n, 6, toC);
      makeFace(positions, n, toB, toC, toA, faceBC);
      makeFace(positions, n, toC, toA, toB, faceCA);
    }
    makeFace(positions, n, toA, toB, toC, faceAB);
    if (faceAB.isBelow && faceBC.isBelow && faceCA.isBelow) return true;
    // In exact arithmetic no edge is nearer than a face of it that holds the origin's projection.
    const holdsAB = faceAB.squared < NOWHERE;
    const holdsBC = faceBC.squared < NOWHERE;
    const holdsCA = faceCA.squared < NOWHERE;
    let squared = holdsCA || holdsAB ? NOWHERE : toA.squared;
    if (!holdsAB && !holdsBC && toB.squared < squared) {
      squared = toB.squared;
      first = 1;
    }
    if (!holdsBC && !holdsCA && toC.squared < squared) {
      squared = toC.squared;
      first = 2;
    }
    if (faceAB.squared < squared) {
      squared = faceAB.squared;
      isFace = true;
      first = 0;
    }
    if (faceBC.squared < squared) {
      squared = faceBC.squared;
      isFace = true;
      first = 1;
    }
    if (faceCA.squared < squared) {
      isFace = true;
      first = 2;
    }
    second = first === 2 ? 0 : first + 1;
  }
  project(positions, 3 * newest, 3 * first, isFace ? 3 * second : NO_VERTEX, nearest, weights);
  to.count = 0;
  if (weights.x !== 0) keep(s, first, weights.x, to);
  if (weights.y !== 0) keep(s, second, weights.y, to);
  if (weights.z !== 0) keep(s, newest, weights.z, to);
  return false;
}

/** In place of q. */
const NO_VERTEX = -1;

/**
 * The nearest point of the edge from n to p, or, if there is q, of the plane of their face, and the weights of p, q and n
 * in it.
 */
function project(s: Float64Array, n: number, p: number, q: number, nearest: Vec3, to: Vec3): void {
  const nx = s[n];
  const ny = s[n + 1];
  const nz = s[n + 2];
  let ux = s[p] - nx;
  let uy = s[p + 1] - ny;
  let uz = s[p + 2] - nz;
  const squaredLength = ux * ux + uy * uy + uz * uz;
  const inverseLength = 1 / Math.sqrt(Math.max(squaredLength, LEAST_SQUARE));
  const size = squaredLength * inverseLength;
  ux *= inverseLength;
  uy *= inverseLength;
  uz *= inverseLength;
  const foot = -(nx * ux + ny * uy + nz * uz);
  if (q === NO_VERTEX) {
    // From the nearer end, and once more for what rounding left along u.
    const isNearOlder = foot > 0.5 * size;
    const end = isNearOlder ? p : n;
    let x = s[end];
    let y = s[end + 1];
    let z = s[end + 2];
    let weight = isNearOlder ? 1 : 0;
    const slack = INSIDE_SLACK_ULPS * EPSILON;
    if (size > 0 && foot > -slack && foot < size + slack) {
      const along = x * ux + y * uy + z * uz;
      x -= ux * along;
      y -= uy * along;
      z -= uz * along;
      const rest = x * ux + y * uy + z * uz;
      x -= ux * rest;
      y -= uy * rest;
      z -= uz * rest;
      weight = Math.min(Math.max(foot * inverseLength, LEAST_WEIGHT), 1 - EPSILON);
    }
    set(x, y, z, nearest);
    set(weight, 0, 1 - weight, to);
    return;
  }
  // q lies `along` u and a height across it.
  let vx = s[q] - nx;
  let vy = s[q + 1] - ny;
  let vz = s[q + 2] - nz;
  const along = vx * ux + vy * uy + vz * uz;
  vx -= ux * along;
  vy -= uy * along;
  vz -= uz * along;
  // Twice: what the first subtraction leaves along u is not small beside the height of a thin triangle.
  const rest = vx * ux + vy * uy + vz * uz;
  vx -= ux * rest;
  vy -= uy * rest;
  vz -= uz * rest;
  const inverseHeight = 1 / Math.sqrt(Math.max(vx * vx + vy * vy + vz * vz, LEAST_SQUARE));
  vx *= inverseHeight;
  vy *= inverseHeight;
  vz *= inverseHeight;
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  const level = x * nx + y * ny + z * nz;
  set(x * level, y * level, z * level, nearest);
  const weightQ = -(nx * vx + ny * vy + nz * vz) * inverseHeight;
  const weightP = (foot - weightQ * along) * inverseLength;
  const weightN = 1 - weightP - weightQ;
  set(weightP, weightQ, weightN, to);
  if (weightP < 0 || weightQ < 0 || weightN < 0) borderWeights(s, n, p, q, nearest, to);
  set(Math.max(to.x, LEAST_WEIGHT), Math.max(to.y, LEAST_WEIGHT), Math.max(to.z, LEAST_WEIGHT), to);
}

/**
 * On the border: the plane's point with the weights of the edge that it lies on, as those of the plane are no convex
 * combination. Of a thin face, which weights are negative doesn't say which edge that is.
 */
function borderWeights(s: Float64Array, n: number, p: number, q: number, point: Vec3, to: Vec3): void {
  const toP = shareOfEnd(s, n, p);
  const toQ = shareOfEnd(s, n, q);
  const t = shareOfEnd(s, p, q);
  const offP = distanceFromEdge(s, n, p, toP, point);
  const offQ = distanceFromEdge(s, n, q, toQ, point);
  const offPQ = distanceFromEdge(s, p, q, t, point);
  if (offP <= Math.min(offPQ, offQ)) set(toP, 0, 1 - toP, to);
  else if (offQ <= offPQ) set(0, toQ, 1 - toQ, to);
  else set(1 - t, t, 0, to);
}

/** The weight of `end` in the point of a segment nearest to the origin. */
function shareOfEnd(s: Float64Array, start: number, end: number): number {
  const x = s[end] - s[start];
  const y = s[end + 1] - s[start + 1];
  const z = s[end + 2] - s[start + 2];
  const along = -(s[start] * x + s[start + 1] * y + s[start + 2] * z);
  return Math.min(Math.max(along / Math.max(x * x + y * y + z * z, LEAST_SQUARE), 0), 1);
}

/** Distance of a point from that of a segment in which `end` has this weight. */
function distanceFromEdge(s: Float64Array, start: number, end: number, share: number, { x, y, z }: Vec3): number {
  const dx = s[start] + (s[end] - s[start]) * share - x;
  const dy = s[start + 1] + (s[end + 1] - s[start + 1]) * share - y;
  const dz = s[start + 2] + (s[end + 2] - s[start + 2]) * share - z;
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}

/** Appends vertex i. */
function keep(s: Simplex, i: number, weight: number, to: Simplex): void {
  const n = to.count++;
  to.positions[3 * n] = s.positions[3 * i];
  to.positions[3 * n + 1] = s.positions[3 * i + 1];
  to.positions[3 * n + 2] = s.positions[3 * i + 2];
  to.ids[2 * n] = s.ids[2 * i];
  to.ids[2 * n + 1] = s.ids[2 * i + 1];
  to.weights[n] = weight;
}

/** Makes a point the newest. */
export function append(s: Simplex, { position, idA, idB }: Point): void {
  const n = s.count++;
  s.positions[3 * n] = position.x;
  s.positions[3 * n + 1] = position.y;
  s.positions[3 * n + 2] = position.z;
  s.ids[2 * n] = idA;
  s.ids[2 * n + 1] = idB;
}
