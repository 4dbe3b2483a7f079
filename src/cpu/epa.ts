/** Mirror of shaders/epa.wgsl: penetration depth of two convex cores. */
import {
  CLOSED, EPA_CONVERGED, EPA_EXIT_ULPS, EPA_STALLED, EPA_TIE_ULPS, EXPAND_FULL, EXPAND_IMPOSSIBLE, FLAT_ULPS, NO_HEIGHT,
} from '../generated/constants.ts';
import { EPSILON, type Vec3, addScaled, copy, cross, distance, dot, length, perpendicular, scale, set, subtract, vec3 } from './math.ts';
import type { Pair } from './pair.ts';
import { addFace, addVertex, expand, nearestFace, polytope, setVertex } from './polytope.ts';
import { type Simplex, type TriangleFrame, createNearest, createTriangleFrame, nearestOnTriangle, triangleFrame } from './simplex.ts';
import { type Point, createPoint, differencePoint, differenceSupport } from './support.ts';

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

const MAX_ITERATIONS = 8192;

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
      const faceHeight = polytope.planes[4 * face + 3];
      if (faceHeight <= NO_HEIGHT) break;
      set(polytope.planes[4 * face], polytope.planes[4 * face + 1], polytope.planes[4 * face + 2], plane);
      differenceSupport(pair, scale(plane, -1, opposite), found);
      const height = dot(plane, found.position);
      result.iterations++;
      result.upper = Math.max(faceHeight, closedHeight);
      const met = faceHeight - height <= EPA_EXIT_ULPS * EPSILON;
      if (met || height > result.lower) {
        result.lower = height;
        copy(plane, result.normal);
        answer = [polytope.corners[3 * face], polytope.corners[3 * face + 1], polytope.corners[3 * face + 2]];
      }
      if (met) {
        result.state = EPA_CONVERGED;
        break;
      }
      const outcome = expand(face, found);
      if (outcome === EXPAND_FULL) break;
      if (outcome === EXPAND_IMPOSSIBLE) {
        closedHeight = Math.max(closedHeight, faceHeight);
        polytope.planes[4 * face + 3] = CLOSED;
      }
    }
  } else {
    result.state = EPA_CONVERGED;
    result.upper = result.lower;
  }
  storeWitness(answer, result);
  return result;
}

const foot = vec3();

/** Finds the witness points: at the foot of the perpendicular on the answer's plane, on the face nearest to it. */
function storeWitness(answer: readonly number[], result: EpaResult): void {
  const { vertices, corners, planes, faceCount } = polytope;
  scale(result.normal, result.lower, foot);
  let leastMiss = 1e30;
  for (let f = 0; f <= faceCount; f++) {
    if (f < faceCount && planes[4 * f + 3] < result.lower - EPA_TIE_ULPS * EPSILON) continue;
    const [i, j, k] = f < faceCount ? corners.subarray(3 * f, 3 * f + 3) : answer;
    subtract(vertices[i].position, foot, p);
    subtract(vertices[j].position, foot, q);
    subtract(vertices[k].position, foot, offset);
    nearestOnTriangle(p, q, offset, false, nearest);
    const miss = length(nearest.point);
    if (miss >= leastMiss) continue;
    leastMiss = miss;
    result.ids[0] = vertices[i].id;
    result.ids[1] = vertices[j].id;
    result.ids[2] = vertices[k].id;
    copy(nearest.weights, result.weights);
    result.faceDistance = length(addScaled(foot, nearest.point, 1, offset));
  }
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
  polytope.faceCount = 0;
  polytope.vertexCount = 0;
  for (let i = 0; i < simplex.count; i++) addVertex(differencePoint(pair, simplex.points[i].id, found));
  if (polytope.vertexCount >= 3) {
    const { normal: n, hasInside } = baseFrame();
    const height = polytope.vertexCount === 4 ? dot(n, subtract(polytope.vertices[3].position, polytope.vertices[0].position, offset)) : 0;
    if (Math.abs(height) > flat) {
      addFaces(height > 0, height < 0);
      return true;
    }
    polytope.vertexCount = 3;
    if (!hasInside) keepLongestEdge();
  }
  if (polytope.vertexCount === 2 && distance(polytope.vertices[0].position, polytope.vertices[1].position) <= flat) polytope.vertexCount = 1;

  while (polytope.vertexCount < 3) {
    set(0, 0, 0, along);
    let axes: readonly Vec3[] = AXES;
    if (polytope.vertexCount === 2) {
      subtract(polytope.vertices[1].position, polytope.vertices[0].position, along);
      scale(along, 1 / length(along), along);
      perpendicular(along, p);
      axes = [p, cross(along, p, q)];
    }
    const slot = polytope.vertexCount;
    const farthest = growAlong(pair, axes, result);
    const isTriangle = slot === 2;
    if (farthest <= flat || (isTriangle && !baseFrame().hasInside)) {
      for (let i = slot; i < 3; i++) setVertex(i, polytope.vertices[0]);
      return false;
    }
  }

  const normal = copy(baseFrame().normal, plane);
  result.lower = -1e30;
  const isBeyond = [1, -1].map((sign) => {
    differenceSupport(pair, scale(normal, sign, direction), found);
    keepDirection(direction, found, result);
    if (dot(direction, subtract(found.position, polytope.vertices[0].position, offset)) <= flat) return false;
    addVertex(found);
    return true;
  });
  addFaces(isBeyond[0], isBeyond[1]);
  return isBeyond[0] || isBeyond[1];
}

function baseFrame(): TriangleFrame {
  return triangleFrame(polytope.vertices[0].position, polytope.vertices[1].position, polytope.vertices[2].position, frame);
}

/** Adds the support along one of the axes or their opposites that lies farthest from vertex 0 across `along`. */
function growAlong(pair: Pair, axes: readonly Vec3[], result: EpaResult): number {
  const slot = polytope.vertexCount;
  let farthest = -1;
  result.lower = -1e30;
  for (const axis of axes) {
    for (const sign of [1, -1]) {
      differenceSupport(pair, scale(axis, sign, direction), found);
      keepDirection(direction, found, result);
      subtract(found.position, polytope.vertices[0].position, offset);
      const size = length(addScaled(offset, along, -dot(offset, along), offset));
      if (size > farthest) {
        farthest = size;
        setVertex(slot, found);
      }
    }
  }
  polytope.vertexCount = slot + 1;
  return farthest;
}

/** Vertices 0, 1 become the ends of the longest edge of the collinear vertices 0, 1, 2. */
function keepLongestEdge(): void {
  const [a, b, c] = polytope.vertices;
  const ab = distance(a.position, b.position);
  const bc = distance(b.position, c.position);
  const ca = distance(c.position, a.position);
  if (ca > ab && ca > bc) setVertex(1, c);
  else if (bc > ab) setVertex(0, c);
  polytope.vertexCount = 2;
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
  const deep = polytope.vertexCount - 1;
  for (let side = 0; side < 3; side++) if (isHigh) addFace(side, (side + 1) % 3, 3);
  if (isHigh && !isDeep) addFace(1, 0, 2);
  for (let side = 0; side < 3; side++) if (isDeep) addFace((side + 1) % 3, side, deep);
  if (isDeep && !isHigh) addFace(0, 1, 2);
}
