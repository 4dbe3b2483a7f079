/** Mirror of shaders/polytope.wgsl: the polytope that EPA expands. */
import {
  ASIDE_HANDICAP,
  FACE_EXHAUSTED,
  EPA_COPLANAR_ULPS,
  EPA_SAME_ULPS,
  EPA_VISIBLE_ULPS,
  EVERYWHERE,
  EXPAND_DONE,
  EXPAND_FULL,
  EXPAND_IMPOSSIBLE,
  NO_HEIGHT,
} from '../generated/constants.ts';
import { EPSILON, type Vec3, vec3 } from './math.ts';
import { recorder } from './recorder.ts';
import { createTriangleFrame, planeWeights, triangleFrame } from './triangle.ts';
import type { Point } from './support.ts';

/** Unlike the kernel's, this polytope may grow until two hulls of thousands of vertices are resolved. */
const MAX_VERTICES = 4096;
const MAX_FACES = 2 * MAX_VERTICES;

/**
 * The one polytope: a search starts it anew. Face f has the half-edges 4 f, 4 f + 1 and 4 f + 2, counter-clockwise seen
 * from outside; its neighbours are reached through the half-edges that run beside them the other way.
 */
export const polytope = {
  positions: new Float64Array(3 * MAX_VERTICES),
  /** Vertices of A and B by number, two a vertex. */
  ids: new Float64Array(2 * MAX_VERTICES),
  vertexCount: 0,
  /** Only faces whose normal is at most `centreDistance` off `centre` are chosen. `EVERYWHERE`: all faces. */
  centre: vec3(),
  centreDistance: EVERYWHERE,
  /** Faces are chosen by where a ray from the origin leaves through their planes, not by their distance. */
  isCrossing: false,
  ray: vec3(),
  /** The vertex that each half-edge starts from. */
  corners: new Uint16Array(4 * MAX_FACES),
  /** Inward unit normal of each face and the height of its plane along it. */
  planes: new Float64Array(4 * MAX_FACES),
  faceCount: 0,
};

/** The half-edge beside each. */
const twins = new Uint16Array(4 * MAX_FACES);
/**
 * What faces are chosen by: their heights, less a handicap for those that have the origin inside their plane but far
 * from its projection on it, which are never the nearest.
 */
const ranks = new Float64Array(MAX_FACES);
/** 1 for the faces that see the point being added, and a list of them. */
const isVisible = new Uint8Array(MAX_FACES);
const visibleFaces = new Uint16Array(MAX_FACES);
/** For each vertex on the horizon, the half-edge beyond the horizon that ends there; -1 for all others. */
const horizon = new Int32Array(MAX_VERTICES).fill(-1);
const horizonVertices = new Uint16Array(MAX_VERTICES);

const frame = createTriangleFrame();
const weights = vec3();

/**
 * The face that is to be expanded: the nearest to the origin, among those that it projects on if there are any, or the
 * one that a ray crosses.
 */
export function firstFace(): number {
  const { faceCount } = polytope;
  let best = 0;
  let bestRank = -1e31;
  for (let f = 0; f < faceCount; f++) {
    const rank = ranks[f];
    if (rank > bestRank) {
      bestRank = rank;
      best = f;
    }
  }
  return best;
}

/** What a face is chosen by: no more than `NO_HEIGHT` of those that are not to be expanded. */
export function rankOf(face: number): number {
  return ranks[face];
}

/** Takes a face out of the search, not out of the polytope. */
export function closeFace(face: number): void {
  polytope.planes[4 * face + 3] = FACE_EXHAUSTED;
  ranks[face] = FACE_EXHAUSTED;
}

export function addVertex(point: Point): number {
  setVertex(polytope.vertexCount, point);
  return polytope.vertexCount++;
}

export function setVertex(i: number, { position, idA, idB }: Point): void {
  const { positions, ids } = polytope;
  positions[3 * i] = position.x;
  positions[3 * i + 1] = position.y;
  positions[3 * i + 2] = position.z;
  ids[2 * i] = idA;
  ids[2 * i + 1] = idB;
}

export function copyVertex(i: number, to: number): void {
  polytope.positions.copyWithin(3 * to, 3 * i, 3 * i + 3);
  polytope.ids.copyWithin(2 * to, 2 * i, 2 * i + 2);
}

/** Adds a face whose neighbours are not known yet: `linkFaces` finds them. */
export function addFace(i: number, j: number, k: number): void {
  setFace(polytope.faceCount++, i, j, k);
}

function setFace(f: number, i: number, j: number, k: number): void {
  const { positions, corners, planes } = polytope;
  const { normal, hasInside } = triangleFrame(positions, 3 * i, 3 * j, 3 * k, frame);
  const { x, y, z } = normal;
  let height = NO_HEIGHT;
  let handicap = 0;
  if (hasInside) {
    const heights =
      x * positions[3 * i] +
      y * positions[3 * i + 1] +
      z * positions[3 * i + 2] +
      (x * positions[3 * j] + y * positions[3 * j + 1] + z * positions[3 * j + 2]) +
      (x * positions[3 * k] + y * positions[3 * k + 1] + z * positions[3 * k + 2]);
    height = -heights / 3;
    if (height < 0) {
      planeWeights(frame, positions, 3 * i, weights);
      if (weights.x < -1 || weights.y < -1 || weights.z < -1) handicap = ASIDE_HANDICAP;
    }
  }
  planes[4 * f] = -x;
  planes[4 * f + 1] = -y;
  planes[4 * f + 2] = -z;
  planes[4 * f + 3] = height;
  if (polytope.centreDistance < EVERYWHERE && isAside(normal)) handicap = ASIDE_HANDICAP;
  ranks[f] = polytope.isCrossing ? crossingRank(normal, height) : height - handicap;
  corners[4 * f] = i;
  corners[4 * f + 1] = j;
  corners[4 * f + 2] = k;
}

/**
 * The sooner the ray leaves through the plane of a face with this outward normal, the higher: minus how far from the
 * origin that is.
 */
function crossingRank({ x, y, z }: Vec3, height: number): number {
  const { ray } = polytope;
  const rate = x * ray.x + y * ray.y + z * ray.z;
  return height <= NO_HEIGHT || rate <= 0 ? NO_HEIGHT : height / rate;
}

/** Whether the normal of a face with this outward normal is more than `centreDistance` off `centre`. */
function isAside({ x, y, z }: Vec3): boolean {
  const { centre, centreDistance } = polytope;
  return (x + centre.x) ** 2 + (y + centre.y) ** 2 + (z + centre.z) ** 2 > centreDistance * centreDistance;
}

/** The half-edge after h around their face. */
function nextInFace(h: number): number {
  return (h & 3) === 2 ? h - 2 : h + 1;
}

function link(h: number, twin: number): void {
  twins[h] = twin;
  twins[twin] = h;
}

/** Finds the neighbours of the faces that a search starts with. */
export function linkFaces(): void {
  const { corners, faceCount } = polytope;
  for (let h = 0; h < 4 * faceCount; h++) {
    if ((h & 3) === 3) continue;
    for (let g = 0; g < h; g++) {
      if ((g & 3) !== 3 && corners[g] === corners[nextInFace(h)] && corners[nextInFace(g)] === corners[h]) link(h, g);
    }
  }
}

/** Replaces the faces that see `point` by a fan from the horizon to it. `face` is one of them. */
export function expand(face: number, point: Point): number {
  const { corners } = polytope;
  let apex = findVertex(point.position);
  if (apex === MAX_VERTICES) return EXPAND_FULL;
  if (corners[4 * face] === apex || corners[4 * face + 1] === apex || corners[4 * face + 2] === apex)
    return EXPAND_IMPOSSIBLE;
  const visible = markVisible(face, point.position);
  const edges = horizonLength(visible);
  for (let n = 0; n < visible; n++) isVisible[visibleFaces[n]] = 0;
  const isFull = polytope.faceCount - visible + edges > MAX_FACES;
  if (edges < 3 || isFull) {
    horizon.fill(-1, 0, polytope.vertexCount);
    return isFull ? EXPAND_FULL : EXPAND_IMPOSSIBLE;
  }
  if (apex === polytope.vertexCount) apex = addVertex(point);
  if (recorder) recorder.horizon(visibleFaces, visible, horizonVertices, edges, horizon, apex);
  closeHorizon(edges, apex, visible);
  return EXPAND_DONE;
}

/** Marks the faces that see the point, growing from `face` across shared edges. Returns their number. */
function markVisible(face: number, point: Vec3): number {
  const { planes } = polytope;
  const { x, y, z } = point;
  const coplanar = EPA_COPLANAR_ULPS * EPSILON;
  const seen = -EPA_VISIBLE_ULPS * EPSILON;
  isVisible[face] = 1;
  visibleFaces[0] = face;
  let visible = 1;
  for (let n = 0; n < visible; n++) {
    for (let e = 0; e < 3; e++) {
      const h = twins[4 * visibleFaces[n] + e];
      const f = h >> 2;
      if (isVisible[f]) continue;
      const depth = planes[4 * f] * x + planes[4 * f + 1] * y + planes[4 * f + 2] * z - planes[4 * f + 3];
      if (depth < seen || (depth < coplanar && isOverEdge(h, point))) {
        isVisible[f] = 1;
        visibleFaces[visible++] = f;
      }
    }
  }
  return visible;
}

/** Whether the point lies on the own side of an edge of the half-edge's face. */
function isOverEdge(h: number, point: Vec3): boolean {
  const { positions, planes, corners } = polytope;
  const from = 3 * corners[h];
  const to = 3 * corners[nextInFace(h)];
  const plane = h & ~3;
  const x = positions[to] - positions[from];
  const y = positions[to + 1] - positions[from + 1];
  const z = positions[to + 2] - positions[from + 2];
  const acrossX = planes[plane + 1] * z - planes[plane + 2] * y;
  const acrossY = planes[plane + 2] * x - planes[plane] * z;
  const acrossZ = planes[plane] * y - planes[plane + 1] * x;
  return (
    acrossX * (point.x - positions[from]) +
      acrossY * (point.y - positions[from + 1]) +
      acrossZ * (point.z - positions[from + 2]) <
    0
  );
}

/** The vertex at the point, or the number a new one would get. */
function findVertex({ x, y, z }: Vec3): number {
  const { positions, vertexCount } = polytope;
  const same = EPA_SAME_ULPS * EPSILON;
  for (let i = 0; i < vertexCount; i++) {
    const isHere =
      Math.abs(positions[3 * i] - x) <= same &&
      Math.abs(positions[3 * i + 1] - y) <= same &&
      Math.abs(positions[3 * i + 2] - z) <= same;
    if (isHere) return i;
  }
  return vertexCount;
}

/** Edges of the horizon, or 0 if it is not a single loop. Fills `horizon` and `horizonVertices`. */
function horizonLength(visible: number): number {
  const { corners } = polytope;
  let edges = 0;
  for (let n = 0; n < visible; n++) {
    for (let h = 4 * visibleFaces[n]; (h & 3) < 3; h++) {
      const beyond = twins[h];
      if (isVisible[beyond >> 2]) continue;
      const v = corners[h];
      if (horizon[v] >= 0) return 0;
      horizon[v] = beyond;
      horizonVertices[edges++] = v;
    }
  }
  if (edges === 0) return 0;
  const start = horizonVertices[0];
  let v = start;
  for (let n = 1; n <= edges; n++) {
    v = corners[horizon[v]];
    if (v === start) return n === edges ? edges : 0;
  }
  return 0;
}

/**
 * Makes a face of each edge of the horizon and the apex, in the places of the visible ones. Where the apex is a vertex
 * on the horizon, the two edges there get none: the faces beyond them are neighbours of the first and the last of the
 * fan.
 */
function closeHorizon(edges: number, apex: number, visible: number): void {
  const { corners } = polytope;
  let v = horizon[apex] >= 0 ? apex : horizonVertices[0];
  let used = 0;
  // The half-edge that the next face of the fan has beside it, and the one of the first face that has none yet.
  let open = -1;
  let first = -1;
  for (let e = 0; e < edges; e++) {
    const beyond = horizon[v];
    const next = corners[beyond];
    horizon[v] = -1;
    if (v === apex) {
      open = beyond;
    } else if (next === apex) {
      link(open, beyond);
    } else {
      const f = used < visible ? visibleFaces[used++] : polytope.faceCount++;
      setFace(f, v, next, apex);
      link(4 * f, beyond);
      if (open < 0) first = 4 * f + 2;
      else link(open, 4 * f + 2);
      open = 4 * f + 1;
    }
    v = next;
  }
  if (first >= 0) link(open, first);
  for (; used < visible; used++) closeFace(visibleFaces[used]);
}
