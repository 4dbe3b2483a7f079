/** Mirror of shaders/simplex.wgsl: the point of a simplex nearest to the origin. */
// Points stand in flat arrays, three numbers each, and are named by the place of their first.
import { FLAT_ULPS, INSIDE_SLACK_ULPS, LEAST_WEIGHT, SLIVER_ULPS } from '../generated/constants.ts';
import { EPSILON, type Vec3, copy, length, set, subtract, vec3 } from './math.ts';
import type { Point } from './support.ts';
import { distance } from './triangle.ts';

/** Squared distance of what is not there. */
const NOWHERE = 1e30;

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

/** The edge from the newest vertex to an older one. */
interface Edge {
  /** Unit vector along it; zero for vertices in one place. */
  along: Vec3;
  length: number;
  /** Its point nearest to the origin, that point's squared distance, and the weight of the older vertex in it. */
  point: Vec3;
  squared: number;
  weight: number;
}

function createEdge(): Edge {
  return { along: vec3(), length: 0, point: vec3(), squared: NOWHERE, weight: 0 };
}

function solveEdge(p: Float64Array, newest: number, older: number, to: Edge): void {
  const nx = p[newest];
  const ny = p[newest + 1];
  const nz = p[newest + 2];
  let ux = p[older] - nx;
  let uy = p[older + 1] - ny;
  let uz = p[older + 2] - nz;
  const size = Math.sqrt(ux * ux + uy * uy + uz * uz);
  const toUnit = 1 / Math.max(size, 1e-300);
  ux *= toUnit;
  uy *= toUnit;
  uz *= toUnit;
  const foot = -(nx * ux + ny * uy + nz * uz);
  const isNearOlder = foot > 0.5 * size;
  let x = isNearOlder ? p[older] : nx;
  let y = isNearOlder ? p[older + 1] : ny;
  let z = isNearOlder ? p[older + 2] : nz;
  let weight = isNearOlder ? 1 : 0;
  const slack = INSIDE_SLACK_ULPS * EPSILON;
  if (size > 0 && foot > -slack && foot < size + slack) {
    const end = x * ux + y * uy + z * uz;
    x -= ux * end;
    y -= uy * end;
    z -= uz * end;
    const rest = x * ux + y * uy + z * uz;
    x -= ux * rest;
    y -= uy * rest;
    z -= uz * rest;
    weight = Math.min(Math.max(foot / size, LEAST_WEIGHT), 1 - EPSILON);
  }
  set(ux, uy, uz, to.along);
  to.length = size;
  set(x, y, z, to.point);
  to.squared = x * x + y * y + z * z;
  to.weight = weight;
}

/** The face of the newest vertex n and the older ones p and q. */
interface Face {
  /** The origin's projection on its plane, and its squared distance where that lies inside the face. */
  point: Vec3;
  squared: number;
  /** The weights of p, q and n. */
  weights: Vec3;
  /** The origin lies strictly on the fourth vertex' side of its plane, and the tetrahedron is high enough over it. */
  isBelow: boolean;
}

function createFace(): Face {
  return { point: vec3(), squared: NOWHERE, weights: vec3(), isBelow: false };
}

/**
 * `toP` and `toQ` are the edges from n. `fourth` is the remaining vertex of a tetrahedron, any vertex of a triangle.
 */
function solveFace(
  s: Float64Array,
  n: number,
  p: number,
  toP: Edge,
  q: number,
  toQ: Edge,
  fourth: number,
  to: Face,
): void {
  to.squared = NOWHERE;
  to.isBelow = false;
  const { x: ux, y: uy, z: uz } = toP.along;
  const base = toP.length;
  const nx = s[n];
  const ny = s[n + 1];
  const nz = s[n + 2];
  let vx = s[q] - nx;
  let vy = s[q + 1] - ny;
  let vz = s[q + 2] - nz;
  const along = vx * ux + vy * uy + vz * uz;
  vx -= ux * along;
  vy -= uy * along;
  vz -= uz * along;
  const rest = vx * ux + vy * uy + vz * uz;
  vx -= ux * rest;
  vy -= uy * rest;
  vz -= uz * rest;
  const height = Math.sqrt(vx * vx + vy * vy + vz * vz);
  if (base === 0 || height <= SLIVER_ULPS * EPSILON * Math.max(base, toQ.length)) return;
  const toUnit = 1 / height;
  vx *= toUnit;
  vy *= toUnit;
  vz *= toUnit;
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  const level = x * nx + y * ny + z * nz;
  const rise = x * (s[fourth] - nx) + y * (s[fourth + 1] - ny) + z * (s[fourth + 2] - nz);
  to.isBelow = Math.abs(rise) > FLAT_ULPS * EPSILON && level * rise < 0;
  const weightQ = -(nx * vx + ny * vy + nz * vz) / height;
  const weightP = (-(nx * ux + ny * uy + nz * uz) - weightQ * along) / base;
  const weightN = 1 - weightP - weightQ;
  const slack = INSIDE_SLACK_ULPS * EPSILON;
  const area = base * height;
  if (
    weightP * area < -slack * toQ.length ||
    weightQ * area < -slack * base ||
    weightN * area < -slack * distance(s, p, q)
  )
    return;
  set(x * level, y * level, z * level, to.point);
  to.squared = level * level;
  set(weightP, weightQ, weightN, to.weights);
  if (weightP < 0 || weightQ < 0 || weightN < 0) borderWeights(s, p, toP, q, toQ, to);
  const { weights } = to;
  set(Math.max(weights.x, LEAST_WEIGHT), Math.max(weights.y, LEAST_WEIGHT), Math.max(weights.z, LEAST_WEIGHT), weights);
}

/**
 * On the border: the plane's point with the weights of the edge that it lies on, as those of the plane are no convex
 * combination. Of a thin face, which weights are negative doesn't say which edge that is.
 */
function borderWeights(s: Float64Array, p: number, toP: Edge, q: number, toQ: Edge, { point, weights }: Face): void {
  const x = s[q] - s[p];
  const y = s[q + 1] - s[p + 1];
  const z = s[q + 2] - s[p + 2];
  const t = Math.min(Math.max(-(s[p] * x + s[p + 1] * y + s[p + 2] * z) / (x * x + y * y + z * z), 0), 1);
  const offPQ = length(subtract(set(s[p] + x * t, s[p + 1] + y * t, s[p + 2] + z * t, off), point, off));
  const offP = length(subtract(toP.point, point, off));
  const offQ = length(subtract(toQ.point, point, off));
  if (offP <= Math.min(offPQ, offQ)) set(toP.weight, 0, 1 - toP.weight, weights);
  else if (offQ <= offPQ) set(0, toQ.weight, 1 - toQ.weight, weights);
  else set(1 - t, t, 0, weights);
}

const off = vec3();
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
  const n = 3 * newest;
  toB.squared = toC.squared = NOWHERE;
  faceAB.squared = faceBC.squared = faceCA.squared = NOWHERE;
  solveEdge(positions, n, 0, toA);
  if (count > 2) {
    solveEdge(positions, n, 3, toB);
    solveFace(positions, n, 0, toA, 3, toB, 6, faceAB);
  }
  if (count === 4) {
    solveEdge(positions, n, 6, toC);
    solveFace(positions, n, 3, toB, 6, toC, 0, faceBC);
    solveFace(positions, n, 6, toC, 0, toA, 3, faceCA);
    if (faceAB.isBelow && faceBC.isBelow && faceCA.isBelow) return true;
  }
  // In exact arithmetic no edge is nearer than a face of it that holds the origin's projection.
  const holdsAB = faceAB.squared < NOWHERE;
  const holdsBC = faceBC.squared < NOWHERE;
  const holdsCA = faceCA.squared < NOWHERE;
  let squared = NOWHERE;
  let first = 0;
  let second = 0;
  let edge = toA;
  if (!holdsCA && !holdsAB) squared = toA.squared;
  if (!holdsAB && !holdsBC && toB.squared < squared) {
    squared = toB.squared;
    first = 1;
    edge = toB;
  }
  if (!holdsBC && !holdsCA && toC.squared < squared) {
    squared = toC.squared;
    first = 2;
    edge = toC;
  }
  copy(edge.point, nearest);
  set(edge.weight, 0, 1 - edge.weight, weights);
  let face: Face | undefined;
  if (faceAB.squared < squared) {
    squared = faceAB.squared;
    face = faceAB;
    first = 0;
    second = 1;
  }
  if (faceBC.squared < squared) {
    squared = faceBC.squared;
    face = faceBC;
    first = 1;
    second = 2;
  }
  if (faceCA.squared < squared) {
    face = faceCA;
    first = 2;
    second = 0;
  }
  if (face) {
    copy(face.point, nearest);
    copy(face.weights, weights);
  }
  to.count = 0;
  if (weights.x !== 0) keep(s, first, weights.x, to);
  if (weights.y !== 0) keep(s, second, weights.y, to);
  if (weights.z !== 0) keep(s, newest, weights.z, to);
  return false;
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
