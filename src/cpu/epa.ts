/** Mirror of shaders/epa.wgsl: penetration depth of two convex cores. */
import {
  EXPAND_DONE, EXPAND_FULL, EXPAND_IMPOSSIBLE, EPA_CONVERGED, EPA_COPLANAR_ULPS, EPA_EXIT_ULPS, EPA_FULL, EPA_SAME_ULPS, EPA_STALLED, EPA_VISIBLE_ULPS, FLAT_ULPS, NO_HEIGHT, CLOSED,
} from '../generated/constants.ts';
import { EPSILON, type Vec3, addScaled, copy, cross, distance, dot, length, perpendicular, scale, set, subtract, vec3 } from './math.ts';
import type { Pair } from './pair.ts';
import { type Simplex, type TriangleFrame, createNearest, createTriangleFrame, nearestOnTriangle, triangleFrame } from './simplex.ts';
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
const frame = createTriangleFrame();
const p = vec3();
const q = vec3();

export function epa(pair: Pair, simplex: Simplex, result: EpaResult): EpaResult {
  result.lower = -1e30;
  result.upper = 1e30;
  result.iterations = 0;
  // The face of the answer by its corners; a flat difference has its answer in the first three vertices.
  let answer: [number, number, number] = [0, 1, 2];
  if (startPolytope(pair, simplex, result)) {
    result.state = EPA_STALLED;
    result.lower = -1e30;
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
        answer = [corners[3 * face], corners[3 * face + 1], corners[3 * face + 2]];
      }
      if (met) {
        result.state = EPA_CONVERGED;
        break;
      }
      const outcome = expand(face, found);
      if (outcome === EXPAND_FULL) {
        result.state = EPA_FULL;
        break;
      }
      if (outcome === EXPAND_IMPOSSIBLE) {
        closedHeight = Math.max(closedHeight, faceHeight);
        planes[4 * face + 3] = CLOSED;
      }
    }
  } else {
    result.state = EPA_CONVERGED;
    result.upper = result.lower;
  }
  const [i, j, k] = answer.map((v) => vertices[v]);
  nearestOnTriangle(i.position, j.position, k.position, false, nearest);
  result.ids[0] = i.id;
  result.ids[1] = j.id;
  result.ids[2] = k.id;
  copy(nearest.weights, result.weights);
  result.faceDistance = length(nearest.point);
  return result;
}

/** The face whose plane is nearest to the origin. */
function nearestFace(): number {
  let best = 0;
  for (let f = 1; f < faceCount; f++) if (planes[4 * f + 3] > planes[4 * best + 3]) best = f;
  return best;
}

function addVertex(point: Point): number {
  setVertex(vertexCount, point);
  return vertexCount++;
}

function setVertex(i: number, point: Point): void {
  while (vertices.length <= i) vertices.push(createPoint());
  copyPoint(point, vertices[i]);
}

function addFace(i: number, j: number, k: number): void {
  const a = vertices[i].position;
  const b = vertices[j].position;
  const c = vertices[k].position;
  const { normal, hasInside } = triangleFrame(a, b, c, frame);
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
function expand(face: number, point: Point): number {
  let apex = findVertex(point);
  if (apex === MAX_VERTICES) return EXPAND_FULL;
  if (corners[3 * face] === apex || corners[3 * face + 1] === apex || corners[3 * face + 2] === apex) return EXPAND_IMPOSSIBLE;
  horizon.clear();
  const visible = markVisible(face, point.position);
  const edges = horizonLength();
  if (edges < 3) {
    for (let f = 0; f < faceCount; f++) isVisible[f] = 0;
    return EXPAND_IMPOSSIBLE;
  }
  if (faceCount - visible + edges > isVisible.length) {
    isVisible.fill(0);
    return EXPAND_FULL;
  }
  removeVisibleFaces();
  if (apex === vertexCount) apex = addVertex(point);
  for (const [v, next] of nextOnHorizon) if (v !== apex && next !== apex) addFace(v, next, apex);
  return EXPAND_DONE;
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

const along = vec3();
const offset = vec3();
const direction = vec3();
const AXES = [vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)] as const;

/**
 * Makes a polytope that holds the origin, or returns false: a difference that is flat to rounding has no inside, its flat
 * direction separates the pair best, and its first three vertices hold the nearest point.
 */
function startPolytope(pair: Pair, simplex: Simplex, result: EpaResult): boolean {
  const flat = FLAT_ULPS * EPSILON;
  faceCount = 0;
  vertexCount = 0;
  for (let i = 0; i < simplex.count; i++) addVertex(differencePoint(pair, simplex.points[i].id, found));
  if (vertexCount === 3 && !baseFrame().hasInside) keepLongestEdge();
  if (vertexCount === 2 && distance(vertices[0].position, vertices[1].position) <= flat) vertexCount = 1;

  while (vertexCount < 3) {
    set(0, 0, 0, along);
    let axes: readonly Vec3[] = AXES;
    if (vertexCount === 2) {
      subtract(vertices[1].position, vertices[0].position, along);
      scale(along, 1 / length(along), along);
      perpendicular(along, p);
      axes = [p, cross(along, p, q)];
    }
    const slot = vertexCount;
    const farthest = growAlong(pair, axes, result);
    if (farthest <= flat) {
      for (let i = slot; i < 3; i++) setVertex(i, vertices[0]);
      return false;
    }
  }

  const normal = copy(baseFrame().normal, plane);
  if (vertexCount === 4) {
    const height = dot(normal, subtract(vertices[3].position, vertices[0].position, offset));
    if (Math.abs(height) > flat) {
      addFaces(height > 0, height < 0);
      return true;
    }
    vertexCount = 3;
  }
  result.lower = -1e30;
  const isBeyond = [1, -1].map((sign) => {
    differenceSupport(pair, scale(normal, sign, direction), found);
    keepDirection(direction, found, result);
    if (dot(direction, subtract(found.position, vertices[0].position, offset)) <= flat) return false;
    addVertex(found);
    return true;
  });
  addFaces(isBeyond[0], isBeyond[1]);
  return isBeyond[0] || isBeyond[1];
}

function baseFrame(): TriangleFrame {
  return triangleFrame(vertices[0].position, vertices[1].position, vertices[2].position, frame);
}

/** Adds the support along one of the axes or their opposites that lies farthest from vertex 0 across `along`. */
function growAlong(pair: Pair, axes: readonly Vec3[], result: EpaResult): number {
  const slot = vertexCount;
  let farthest = -1;
  result.lower = -1e30;
  for (const axis of axes) {
    for (const sign of [1, -1]) {
      differenceSupport(pair, scale(axis, sign, direction), found);
      keepDirection(direction, found, result);
      subtract(found.position, vertices[0].position, offset);
      const size = length(addScaled(offset, along, -dot(offset, along), offset));
      if (size > farthest) {
        farthest = size;
        setVertex(slot, found);
      }
    }
  }
  vertexCount = slot + 1;
  return farthest;
}

/** Vertices 0, 1 become the ends of the longest edge of the collinear vertices 0, 1, 2. */
function keepLongestEdge(): void {
  const [a, b, c] = vertices;
  const ab = distance(a.position, b.position);
  const bc = distance(b.position, c.position);
  const ca = distance(c.position, a.position);
  if (ca > ab && ca > bc) setVertex(1, c);
  else if (bc > ab) setVertex(0, c);
  vertexCount = 2;
}

/** `point` is the support along `towards`: keeps the direction that separates the pair best. */
function keepDirection(towards: Vec3, point: Point, result: EpaResult): void {
  const height = -dot(towards, point.position);
  if (height > result.lower) {
    result.lower = height;
    scale(towards, -1, result.normal);
  }
}

/** Faces over the triangle of vertices 0, 1, 2: vertex 3 above it or below it, or vertex 3 above and vertex 4 below. */
function addFaces(isHigh: boolean, isDeep: boolean): void {
  const deep = vertexCount - 1;
  for (let side = 0; side < 3; side++) if (isHigh) addFace(side, (side + 1) % 3, 3);
  if (isHigh && !isDeep) addFace(1, 0, 2);
  for (let side = 0; side < 3; side++) if (isDeep) addFace((side + 1) % 3, side, deep);
  if (isDeep && !isHigh) addFace(0, 1, 2);
}
