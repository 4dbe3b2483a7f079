/** Mirror of shaders/polytope.wgsl: the polytope that EPA expands. */
import {
  ASIDE_HANDICAP, EPA_COPLANAR_ULPS, EPA_SAME_ULPS, EPA_VISIBLE_ULPS, EXPAND_DONE, EXPAND_FULL, EXPAND_IMPOSSIBLE, NO_HEIGHT,
} from '../generated/constants.ts';
import { EPSILON, type Vec3, cross, dot, set, subtract, vec3 } from './math.ts';
import { createTriangleFrame, planeWeights, triangleFrame } from './simplex.ts';
import { type Point, copyPoint, createPoint } from './support.ts';

/** Unlike the kernel's, this polytope may grow until two hulls of thousands of vertices are resolved. */
const MAX_VERTICES = 4096;

/** The one polytope: a search starts it anew. */
export const polytope = {
  vertices: [] as Point[],
  vertexCount: 0,
  /** Three vertex numbers a face, counter-clockwise seen from outside. */
  corners: new Uint16Array(6 * MAX_VERTICES),
  /** Inward unit normal of each face and the height of its plane along it. */
  planes: new Float64Array(8 * MAX_VERTICES),
  faceCount: 0,
};

/** 1 for the faces that have the origin inside their plane but far from its projection on it: never the nearest. */
const isAside = new Uint8Array(2 * MAX_VERTICES);
/** 1 for the faces that see the point being added. */
const isVisible = new Uint8Array(2 * MAX_VERTICES);
/** Directed edges from i to j of the marked faces whose opposites are not among them, as i * MAX_VERTICES + j. */
const horizon = new Set<number>();
const nextOnHorizon = new Map<number, number>();

const frame = createTriangleFrame();
const p = vec3();
const q = vec3();

/** The face nearest to the origin, among those that it projects on if there are any. */
export function nearestFace(): number {
  const { planes, faceCount } = polytope;
  let best = 0;
  let bestHeight = -1e31;
  for (let f = 0; f < faceCount; f++) {
    const height = planes[4 * f + 3] - (isAside[f] ? ASIDE_HANDICAP : 0);
    if (height > bestHeight) {
      bestHeight = height;
      best = f;
    }
  }
  return best;
}

export function addVertex(point: Point): number {
  setVertex(polytope.vertexCount, point);
  return polytope.vertexCount++;
}

export function setVertex(i: number, point: Point): void {
  while (polytope.vertices.length <= i) polytope.vertices.push(createPoint());
  copyPoint(point, polytope.vertices[i]);
}

export function addFace(i: number, j: number, k: number): void {
  const a = polytope.vertices[i].position;
  const b = polytope.vertices[j].position;
  const c = polytope.vertices[k].position;
  const { normal, hasInside } = triangleFrame(a, b, c, frame);
  const f = polytope.faceCount++;
  polytope.planes[4 * f] = -normal.x;
  polytope.planes[4 * f + 1] = -normal.y;
  polytope.planes[4 * f + 2] = -normal.z;
  polytope.planes[4 * f + 3] = hasInside ? -(dot(normal, a) + dot(normal, b) + dot(normal, c)) / 3 : NO_HEIGHT;
  const { x, y, z } = planeWeights(frame, a, p);
  isAside[f] = polytope.planes[4 * f + 3] < 0 && Math.min(x, y, z) < -1 ? 1 : 0;
  polytope.corners[3 * f] = i;
  polytope.corners[3 * f + 1] = j;
  polytope.corners[3 * f + 2] = k;
}

/** Replaces the faces that see `point` by a fan from the horizon to it. `face` is one of them. */
export function expand(face: number, point: Point): number {
  let apex = findVertex(point);
  if (apex === MAX_VERTICES) return EXPAND_FULL;
  if (polytope.corners[3 * face] === apex || polytope.corners[3 * face + 1] === apex || polytope.corners[3 * face + 2] === apex) return EXPAND_IMPOSSIBLE;
  horizon.clear();
  const visible = markVisible(face, point.position);
  const edges = horizonLength();
  if (edges < 3) {
    for (let f = 0; f < polytope.faceCount; f++) isVisible[f] = 0;
    return EXPAND_IMPOSSIBLE;
  }
  if (polytope.faceCount - visible + edges > isVisible.length) {
    isVisible.fill(0);
    return EXPAND_FULL;
  }
  removeVisibleFaces();
  if (apex === polytope.vertexCount) apex = addVertex(point);
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
    for (let f = 0; f < polytope.faceCount; f++) {
      const depth = polytope.planes[4 * f] * x + polytope.planes[4 * f + 1] * y + polytope.planes[4 * f + 2] * z - polytope.planes[4 * f + 3];
      if (isVisible[f] || depth >= EPA_COPLANAR_ULPS * EPSILON) continue;
      const isSeen = depth < -EPA_VISIBLE_ULPS * EPSILON;
      const i = polytope.corners[3 * f];
      const j = polytope.corners[3 * f + 1];
      const k = polytope.corners[3 * f + 2];
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
  const from = polytope.vertices[i].position;
  set(polytope.planes[4 * f], polytope.planes[4 * f + 1], polytope.planes[4 * f + 2], q);
  cross(q, subtract(polytope.vertices[j].position, from, p), q);
  return dot(q, subtract(point, from, p)) < 0;
}

function markFace(f: number): void {
  toggleEdge(polytope.corners[3 * f], polytope.corners[3 * f + 1]);
  toggleEdge(polytope.corners[3 * f + 1], polytope.corners[3 * f + 2]);
  toggleEdge(polytope.corners[3 * f + 2], polytope.corners[3 * f]);
  isVisible[f] = 1;
}

/** The vertex at `point`, or the number a new one would get. */
function findVertex(point: Point): number {
  for (let i = 0; i < polytope.vertexCount; i++) {
    const { x, y, z } = polytope.vertices[i].position;
    const apart = Math.max(Math.abs(x - point.position.x), Math.abs(y - point.position.y), Math.abs(z - point.position.z));
    if (apart <= EPA_SAME_ULPS * EPSILON) return i;
  }
  return polytope.vertexCount;
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
  for (let f = 0; f < polytope.faceCount; f++) {
    if (isVisible[f]) {
      isVisible[f] = 0;
      continue;
    }
    polytope.corners.copyWithin(3 * kept, 3 * f, 3 * f + 3);
    isAside[kept] = isAside[f];
    polytope.planes.copyWithin(4 * kept, 4 * f, 4 * f + 4);
    kept++;
  }
  polytope.faceCount = kept;
}
