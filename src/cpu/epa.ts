/** Mirror of shaders/epa.wgsl: penetration depth of two convex cores. */
import {
  EPA_CONVERGED, EPA_COPLANAR_ULPS, EPA_EXIT_ULPS, EPA_FULL, EPA_SAME_ULPS, EPA_STALLED, EPA_VISIBLE_ULPS, FLAT_ULPS, NO_HEIGHT, CLOSED,
} from '../generated/constants.ts';
import { EPSILON, type Vec3, addScaled, copy, cross, distance, dot, isZero, length, perpendicular, scale, set, subtract, vec3 } from './math.ts';
import type { Pair } from './pair.ts';
import { type Simplex, createNearest, nearestOnTriangle } from './simplex.ts';
import { type Point, copyPoint, createPoint, differencePoint, differenceSupport } from './support.ts';

export interface EpaResult {
  /** One of the `EPA_` states. */
  state: number;
  iterations: number;
  /** Bounds of the cores' signed distance. */
  lower: number;
  upper: number;
  /** Unit vector from A to B that gave `lower`, in A's frame. */
  normal: Vec3;
  /** Vertices of the last face by id, and the weights of its point nearest to the origin. */
  ids: [number, number, number];
  weights: Vec3;
  /** Distance of that point: an upper bound where the origin is outside. */
  faceDistance: number;
}

export function createEpaResult(): EpaResult {
  return { state: EPA_STALLED, iterations: 0, lower: 0, upper: 0, normal: vec3(), ids: [0, 0, 0], weights: vec3(), faceDistance: 0 };
}

/** Unlike the kernel's, this polytope may grow until two hulls of thousands of vertices are resolved. */
const MAX_VERTICES = 4096;
const MAX_ITERATIONS = 8192;

const vertices: Point[] = [];
let vertexCount = 0;
/** Three vertex numbers a face, counter-clockwise seen from outside; inward unit normal and height of the plane along it. */
const corners = new Uint16Array(6 * MAX_VERTICES);
const planes = new Float64Array(8 * MAX_VERTICES);
let faceCount = 0;
/** 1 for the faces that see the point being added. */
const isVisible = new Uint8Array(2 * MAX_VERTICES);
/** Directed edges from i to j of the marked faces whose opposites are not among them, as i * MAX_VERTICES + j. */
const horizon = new Set<number>();
const nextOnHorizon = new Map<number, number>();

const plane = vec3();
const opposite = vec3();
const found = createPoint();
const nearest = createNearest();

export function epa(pair: Pair, simplex: Simplex, result: EpaResult): EpaResult {
  result.lower = -1e30;
  result.upper = 1e30;
  result.iterations = 0;
  result.state = EPA_STALLED;
  if (!startPolytope(pair, simplex, result)) {
    result.state = EPA_CONVERGED;
    result.upper = result.lower;
    return result;
  }
  let closedHeight = -1e30;
  for (let i = 0; i < MAX_ITERATIONS; i++) {
    const face = nearestFace();
    const faceHeight = planes[4 * face + 3];
    if (faceHeight <= NO_HEIGHT) break;
    set(planes[4 * face], planes[4 * face + 1], planes[4 * face + 2], plane);
    differenceSupport(pair, scale(plane, -1, opposite), found);
    const height = dot(plane, found.position);
    result.iterations++;
    result.upper = Math.max(faceHeight, closedHeight);
    const met = faceHeight - height <= EPA_EXIT_ULPS * EPSILON;
    if (met || height > result.lower) {
      result.lower = height;
      copy(plane, result.normal);
      storeFace(face, result);
    }
    if (met) {
      result.state = EPA_CONVERGED;
      return result;
    }
    const outcome = expand(face, found);
    if (outcome === 'full') {
      result.state = EPA_FULL;
      return result;
    }
    if (outcome === 'impossible') {
      closedHeight = Math.max(closedHeight, faceHeight);
      planes[4 * face + 3] = CLOSED;
    }
  }
  return result;
}

/** The face whose plane is nearest to the origin. */
function nearestFace(): number {
  let best = 0;
  for (let f = 1; f < faceCount; f++) if (planes[4 * f + 3] > planes[4 * best + 3]) best = f;
  return best;
}

function storeFace(face: number, result: EpaResult): void {
  const a = vertices[corners[3 * face]];
  const b = vertices[corners[3 * face + 1]];
  const c = vertices[corners[3 * face + 2]];
  storeTriangle(a, b, c, result);
}

function addVertex(point: Point): number {
  if (vertexCount === vertices.length) vertices.push(createPoint());
  copyPoint(point, vertices[vertexCount]);
  return vertexCount++;
}

function addFace(i: number, j: number, k: number): void {
  const a = vertices[i].position;
  const b = vertices[j].position;
  const c = vertices[k].position;
  const { normal } = nearestOnTriangle(a, b, c, nearest);
  const hasInside = !isZero(normal);
  const f = faceCount++;
  planes[4 * f] = -normal.x;
  planes[4 * f + 1] = -normal.y;
  planes[4 * f + 2] = -normal.z;
  planes[4 * f + 3] = hasInside ? -(dot(normal, a) + dot(normal, b) + dot(normal, c)) / 3 : NO_HEIGHT;
  corners[3 * f] = i;
  corners[3 * f + 1] = j;
  corners[3 * f + 2] = k;
}

/** Replaces the faces that see `point` by a fan from the horizon to it. `face` is one of them. */
function expand(face: number, point: Point): 'done' | 'impossible' | 'full' {
  let apex = findVertex(point);
  if (apex === MAX_VERTICES) return 'full';
  if (corners[3 * face] === apex || corners[3 * face + 1] === apex || corners[3 * face + 2] === apex) return 'impossible';
  horizon.clear();
  const visible = markVisible(face, point.position);
  const edges = horizonLength();
  if (edges < 3) {
    for (let f = 0; f < faceCount; f++) isVisible[f] = 0;
    return 'impossible';
  }
  if (faceCount - visible + edges > isVisible.length) {
    isVisible.fill(0);
    return 'full';
  }
  removeVisibleFaces();
  if (apex === vertexCount) apex = addVertex(point);
  for (const [v, next] of nextOnHorizon) if (v !== apex && next !== apex) addFace(v, next, apex);
  return 'done';
}

/** Marks the faces that see the point, growing from `face` across shared edges. Returns their number. */
function markVisible(face: number, point: Vec3): number {
  const { x, y, z } = point;
  markFace(face);
  let visible = 1;
  for (let before = 0; visible > before; ) {
    before = visible;
    for (let f = 0; f < faceCount; f++) {
      const depth = planes[4 * f] * x + planes[4 * f + 1] * y + planes[4 * f + 2] * z - planes[4 * f + 3];
      if (isVisible[f] || depth >= EPA_COPLANAR_ULPS * EPSILON) continue;
      const isSeen = depth < -EPA_VISIBLE_ULPS * EPSILON;
      const i = corners[3 * f];
      const j = corners[3 * f + 1];
      const k = corners[3 * f + 2];
      if (
        (hasEdge(j, i) && (isSeen || isOverEdge(f, i, j, point))) ||
        (hasEdge(k, j) && (isSeen || isOverEdge(f, j, k, point))) ||
        (hasEdge(i, k) && (isSeen || isOverEdge(f, k, i, point)))
      ) {
        markFace(f);
        visible++;
      }
    }
  }
  return visible;
}

/** Whether the point lies on the face's own side of its edge from i to j. */
function isOverEdge(f: number, i: number, j: number, point: Vec3): boolean {
  const from = vertices[i].position;
  set(planes[4 * f], planes[4 * f + 1], planes[4 * f + 2], q);
  cross(q, subtract(vertices[j].position, from, p), q);
  return dot(q, subtract(point, from, p)) < 0;
}

function markFace(f: number): void {
  toggleEdge(corners[3 * f], corners[3 * f + 1]);
  toggleEdge(corners[3 * f + 1], corners[3 * f + 2]);
  toggleEdge(corners[3 * f + 2], corners[3 * f]);
  isVisible[f] = 1;
}

/** The vertex at `point`, or the number a new one would get. */
function findVertex(point: Point): number {
  for (let i = 0; i < vertexCount; i++) {
    const { x, y, z } = vertices[i].position;
    const apart = Math.max(Math.abs(x - point.position.x), Math.abs(y - point.position.y), Math.abs(z - point.position.z));
    if (apart <= EPA_SAME_ULPS * EPSILON) return i;
  }
  return vertexCount;
}

function toggleEdge(i: number, j: number): void {
  if (!horizon.delete(j * MAX_VERTICES + i)) horizon.add(i * MAX_VERTICES + j);
}

function hasEdge(i: number, j: number): boolean {
  return horizon.has(i * MAX_VERTICES + j);
}

/** Edges of the horizon, or 0 if it is not a single loop. Fills `nextOnHorizon`. */
function horizonLength(): number {
  nextOnHorizon.clear();
  for (const edge of horizon) {
    const i = Math.floor(edge / MAX_VERTICES);
    if (nextOnHorizon.has(i)) return 0;
    nextOnHorizon.set(i, edge % MAX_VERTICES);
  }
  const [start] = nextOnHorizon.keys();
  let v = start;
  for (let edges = 1; edges <= horizon.size; edges++) {
    v = nextOnHorizon.get(v) as number;
    if (v === start) return edges === horizon.size ? edges : 0;
  }
  return 0;
}

function removeVisibleFaces(): void {
  let kept = 0;
  for (let f = 0; f < faceCount; f++) {
    if (isVisible[f]) {
      isVisible[f] = 0;
      continue;
    }
    corners.copyWithin(3 * kept, 3 * f, 3 * f + 3);
    planes.copyWithin(4 * kept, 4 * f, 4 * f + 4);
    kept++;
  }
  faceCount = kept;
}

const a = createPoint();
const b = createPoint();
const c = createPoint();
const d = createPoint();
const above = createPoint();
const below = createPoint();
const edge = vec3();
const p = vec3();
const q = vec3();
const ZERO = vec3();
const AXES = [vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)] as const;

/** Makes a polytope that holds the origin, or returns false with the answer in `result`. */
function startPolytope(pair: Pair, simplex: Simplex, result: EpaResult): boolean {
  const flat = FLAT_ULPS * EPSILON;
  let { count } = simplex;
  vertexCount = 0;
  faceCount = 0;
  differencePoint(pair, simplex.points[0].id, a);
  if (count > 1) differencePoint(pair, simplex.points[1].id, b);
  if (count > 2) differencePoint(pair, simplex.points[2].id, c);

  if (count === 4) {
    differencePoint(pair, simplex.points[3].id, d);
    const height = dot(nearestOnTriangle(a.position, b.position, c.position, nearest).normal, subtract(d.position, a.position, edge));
    if (Math.abs(height) > flat) {
      startTetrahedron(d, height > 0);
      return true;
    }
    count = 3;
  }
  if (count === 3 && isZero(nearestOnTriangle(a.position, b.position, c.position, nearest).normal)) {
    const ab = distance(a.position, b.position);
    const bc = distance(b.position, c.position);
    const ca = distance(c.position, a.position);
    if (ca > ab && ca > bc) copyPoint(c, b);
    else if (bc > ab) copyPoint(c, a);
    count = 2;
  }
  if (count === 2 && distance(a.position, b.position) <= flat) count = 1;
  if (count === 1) {
    farthestAlongAxes(pair, ZERO, AXES, result, b);
    if (distance(a.position, b.position) <= flat) {
      storeTriangle(a, a, a, result);
      return false;
    }
    count = 2;
  }
  if (count === 2) {
    subtract(b.position, a.position, edge);
    const u = scale(edge, 1 / length(edge), vec3());
    perpendicular(u, p);
    farthestAlongAxes(pair, u, [p, cross(u, p, q)], result, c);
    const hasInside = !isZero(nearestOnTriangle(a.position, b.position, c.position, nearest).normal);
    if (!hasInside || across(subtract(c.position, a.position, edge), u) <= flat) {
      storeTriangle(a, b, a, result);
      return false;
    }
  }

  const normal = copy(nearestOnTriangle(a.position, b.position, c.position, nearest).normal, vec3());
  const reversed = scale(normal, -1, vec3());
  differenceSupport(pair, normal, above);
  differenceSupport(pair, reversed, below);
  const isHigh = dot(normal, subtract(above.position, a.position, edge)) > flat;
  const isDeep = dot(normal, subtract(a.position, below.position, edge)) > flat;
  if (isHigh && isDeep) {
    startBipyramid();
    return true;
  }
  if (isHigh || isDeep) {
    startTetrahedron(isHigh ? above : below, isHigh);
    return true;
  }
  result.lower = -1e30;
  keepDirection(normal, above, result);
  keepDirection(reversed, below, result);
  storeTriangle(a, b, c, result);
  return false;
}

/** Length of v's part perpendicular to the unit vector u. */
function across(v: Vec3, u: Vec3): number {
  return length(addScaled(v, u, -dot(v, u), v));
}

const direction = vec3();

/** The support along one of the axes or their opposites that lies farthest from the line through `a` along u. */
function farthestAlongAxes(pair: Pair, u: Vec3, axes: readonly Vec3[], result: EpaResult, to: Point): void {
  let farthestDistance = -1;
  result.lower = -1e30;
  for (const axis of axes) {
    for (const sign of [1, -1]) {
      differenceSupport(pair, scale(axis, sign, direction), found);
      const size = across(subtract(found.position, a.position, edge), u);
      if (size > farthestDistance) {
        farthestDistance = size;
        copyPoint(found, to);
      }
      keepDirection(direction, found, result);
    }
  }
}

/** `point` is the support along `along`: keeps the direction that separates the pair best. */
function keepDirection(along: Vec3, point: Point, result: EpaResult): void {
  const height = -dot(along, point.position);
  if (height > result.lower) {
    result.lower = height;
    scale(along, -1, result.normal);
  }
}

function storeTriangle(i: Point, j: Point, k: Point, result: EpaResult): void {
  result.ids[0] = i.id;
  result.ids[1] = j.id;
  result.ids[2] = k.id;
  nearestOnTriangle(i.position, j.position, k.position, nearest);
  copy(nearest.weights, result.weights);
  result.faceDistance = length(nearest.point);
}

/** Over the triangle a, b, c; `isAbove`: the apex lies on the side from which that is counter-clockwise. */
function startTetrahedron(apex: Point, isAbove: boolean): void {
  const i = addVertex(a);
  const j = addVertex(isAbove ? b : c);
  const k = addVertex(isAbove ? c : b);
  const l = addVertex(apex);
  addFace(i, k, j);
  addFace(i, j, l);
  addFace(j, k, l);
  addFace(k, i, l);
}

function startBipyramid(): void {
  const i = addVertex(a);
  const j = addVertex(b);
  const k = addVertex(c);
  const l = addVertex(above);
  const m = addVertex(below);
  addFace(i, j, l);
  addFace(j, k, l);
  addFace(k, i, l);
  addFace(j, i, m);
  addFace(k, j, m);
  addFace(i, k, m);
}
