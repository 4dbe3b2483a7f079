/**
 * Mirror of shaders/epa.wgsl: penetration depth of two convex cores. It also stands for shaders/compact-epa.wgsl, whose
 * answers are the same except for rounding.
 */
import {
  ALONG,
  CURVED_EPA_EXIT_ULPS,
  EPA_CONVERGED,
  EPA_EXIT_ULPS,
  EPA_STALLED,
  EPA_TIE_ULPS,
  EVERYWHERE,
  EXPAND_FULL,
  EXPAND_IMPOSSIBLE,
  FLAT_ULPS,
  NO_HEIGHT,
} from '../generated/constants.ts';
import { EPSILON, type Vec3, addScaled, copy, cross, dot, length, perpendicular, scale, set, vec3 } from './math.ts';
import type { Pair } from './pair.ts';
import {
  addFace,
  addVertex,
  closeFace,
  copyVertex,
  expand,
  linkFaces,
  firstFace,
  polytope,
  rankOf,
  setVertex,
} from './polytope.ts';
import { recorder } from './recorder.ts';
import type { Simplex } from './simplex.ts';
import { type Point, createPoint, differencePoint, differenceSupport, isCurvedPair } from './support.ts';
import {
  type TriangleFrame,
  createNearest,
  createTriangleFrame,
  nearestOnTriangle,
  triangleFrame,
} from './triangle.ts';

export interface EpaResult {
  /** One of the `EPA_` states. */
  state: number;
  iterations: number;
  /** Bounds of the cores' signed distance. */
  lower: number;
  upper: number;
  /** Unit vector from A to B that gave `lower`, in A's frame. */
  normal: Vec3;
  /** Vertices of the last face by number, A's and B's of each, and the weights of its point nearest to the origin. */
  ids: Float64Array;
  weights: Vec3;
  /** Distance of that point: an upper bound where the origin is outside. */
  faceDistance: number;
}

export function createEpaResult(): EpaResult {
  return {
    state: EPA_STALLED,
    iterations: 0,
    lower: 0,
    upper: 0,
    normal: vec3(),
    ids: new Float64Array(6),
    weights: vec3(),
    faceDistance: 0,
  };
}

const MAX_ITERATIONS = 8192;
/**
 * Where a curved difference takes more, its distance is the same in many directions: shaders/refine.wgsl goes on then.
 */
const CURVED_MAX_ITERATIONS = 1000;
/** The limit for polytopes of which only the faces near one direction are searched. */
const LOCAL_MAX_ITERATIONS = 64;

const plane = vec3();
const opposite = vec3();
const found = createPoint();
const frame = createTriangleFrame();

/**
 * Faces whose normal is more than `offCentre` off the unit vector `centre` are not searched, and where there are such the
 * others only for a while. With `ALONG` those are searched that the ray from the origin against `centre`
 * leaves through.
 */
export function epa(
  pair: Pair,
  simplex: Pick<Simplex, 'ids' | 'count'>,
  centre: Vec3,
  offCentre: number,
  result: EpaResult,
): EpaResult {
  result.lower = -1e30;
  result.upper = 1e30;
  result.iterations = 0;
  // The face of the answer by its corners; a flat difference has its answer in the first three vertices.
  answer[0] = 0;
  answer[1] = 1;
  answer[2] = 2;
  copy(centre, polytope.centre);
  polytope.centreDistance = offCentre === ALONG ? EVERYWHERE : offCentre;
  polytope.isCrossing = offCentre === ALONG;
  scale(centre, -1, polytope.ray);
  if (startPolytope(pair, simplex, result)) {
    result.lower = -1e30;
    if (recorder) recorder.epaStart(pair);
    const isCurved = isCurvedPair(pair);
    const most =
      polytope.centreDistance < EVERYWHERE ? LOCAL_MAX_ITERATIONS : isCurved ? CURVED_MAX_ITERATIONS : MAX_ITERATIONS;
    result.state = search(pair, most, isCurved ? CURVED_EPA_EXIT_ULPS : EPA_EXIT_ULPS, result);
  } else {
    result.state = EPA_CONVERGED;
    result.upper = result.lower;
  }
  storeWitness(offCentre === ALONG ? centre : result.normal, result);
  polytope.isCrossing = false;
  if (recorder) recorder.epaEnd(result);
  return result;
}

/** Expands the face that is nearest to the origin until the bounds meet. Returns how that ended. */
function search(pair: Pair, mostIterations: number, exitUlps: number, result: EpaResult): number {
  const { planes, corners } = polytope;
  let closedHeight = -1e30;
  for (let i = 0; i < mostIterations; i++) {
    const face = firstFace();
    const x = planes[4 * face];
    const y = planes[4 * face + 1];
    const z = planes[4 * face + 2];
    const faceHeight = planes[4 * face + 3];
    if (rankOf(face) <= NO_HEIGHT) break;
    differenceSupport(pair, set(-x, -y, -z, opposite), found);
    const { position } = found;
    const height = x * position.x + y * position.y + z * position.z;
    result.iterations++;
    result.upper = Math.max(faceHeight, closedHeight);
    if (recorder) recorder.epa(face, found, height, result);
    const met = faceHeight - height <= exitUlps * EPSILON;
    if (met || height > result.lower) {
      result.lower = height;
      set(x, y, z, result.normal);
      for (let c = 0; c < 3; c++) answer[c] = corners[4 * face + c];
    }
    if (met) return EPA_CONVERGED;
    const outcome = expand(face, found);
    if (outcome === EXPAND_FULL) break;
    if (outcome === EXPAND_IMPOSSIBLE) {
      closedHeight = Math.max(closedHeight, faceHeight);
      closeFace(face);
    }
  }
  return EPA_STALLED;
}

/** Writes the corners of a face, as seen from a point, to `fromFoot`. */
function fromPoint({ x, y, z }: Vec3, face: ArrayLike<number>, at: number, positions: Float64Array): void {
  for (let c = 0; c < 3; c++) {
    fromFoot[3 * c] = positions[3 * face[at + c]] - x;
    fromFoot[3 * c + 1] = positions[3 * face[at + c] + 1] - y;
    fromFoot[3 * c + 2] = positions[3 * face[at + c] + 2] - z;
  }
}

const answer = new Uint16Array(3);
/** The corners of a face seen from the foot of the perpendicular. */
const fromFoot = new Float64Array(9);
const nearest = createNearest();

/**
 * Finds the witness points: where the line along a unit vector, or the perpendicular, meets the answer's plane, on the
 * face nearest to there.
 */
function storeWitness(along: Vec3, result: EpaResult): void {
  const { positions, ids, corners, planes, faceCount } = polytope;
  const { normal, lower } = result;
  const crossing = lower / dot(along, normal);
  const footX = along.x * crossing;
  const footY = along.y * crossing;
  const footZ = along.z * crossing;
  let leastMiss = 1e30;
  for (let f = 0; f <= faceCount; f++) {
    if (f < faceCount && planes[4 * f + 3] < lower - EPA_TIE_ULPS * EPSILON) continue;
    const [face, at] = f < faceCount ? [corners, 4 * f] : [answer, 0];
    fromPoint(set(footX, footY, footZ, offset), face, at, positions);
    const { point, weights } = nearestOnTriangle(fromFoot, 0, 3, 6, nearest);
    const miss = length(point);
    if (miss >= leastMiss) continue;
    leastMiss = miss;
    for (let c = 0; c < 6; c++) result.ids[c] = ids[2 * face[at + (c >> 1)] + (c & 1)];
    copy(weights, result.weights);
    result.faceDistance = length(set(footX + point.x, footY + point.y, footZ + point.z, point));
  }
}

const p = vec3();
const q = vec3();
const along = vec3();
const offset = vec3();
const direction = vec3();
const AXES = [vec3(1, 0, 0), vec3(0, 1, 0), vec3(0, 0, 1)] as const;

/**
 * Makes a polytope that holds the origin, or returns false: a difference that is flat to rounding has no inside, its
 * flat direction separates the pair best, and its first three vertices hold the nearest point.
 */
function startPolytope(pair: Pair, simplex: Pick<Simplex, 'ids' | 'count'>, result: EpaResult): boolean {
  const flat = FLAT_ULPS * EPSILON;
  polytope.faceCount = 0;
  polytope.vertexCount = 0;
  for (let i = 0; i < simplex.count; i++)
    addVertex(differencePoint(pair, simplex.ids[2 * i], simplex.ids[2 * i + 1], found));
  if (polytope.vertexCount >= 3) {
    const { normal, hasInside } = baseFrame();
    const height = polytope.vertexCount === 4 ? dot(normal, fromFirst(3)) : 0;
    if (Math.abs(height) > flat) {
      addFaces(height > 0, height < 0);
      return true;
    }
    polytope.vertexCount = 3;
    if (!hasInside) keepLongestEdge();
  }
  if (polytope.vertexCount === 2 && length(fromFirst(1)) <= flat) polytope.vertexCount = 1;

  while (polytope.vertexCount < 3) {
    set(0, 0, 0, along);
    let axes: readonly Vec3[] = AXES;
    if (polytope.vertexCount === 2) {
      copy(fromFirst(1), along);
      scale(along, 1 / length(along), along);
      perpendicular(along, p);
      axes = [p, cross(along, p, q)];
    }
    const slot = polytope.vertexCount;
    const farthest = growAlong(pair, axes, result);
    const isTriangle = slot === 2;
    if (farthest <= flat || (isTriangle && !baseFrame().hasInside)) {
      for (let i = slot; i < 3; i++) copyVertex(0, i);
      return false;
    }
  }

  const normal = copy(baseFrame().normal, plane);
  result.lower = -1e30;
  const isBeyond = [1, -1].map((sign) => {
    differenceSupport(pair, scale(normal, sign, direction), found);
    keepDirection(direction, found, result);
    setVertex(polytope.vertexCount, found);
    if (dot(direction, fromFirst(polytope.vertexCount)) <= flat) return false;
    polytope.vertexCount++;
    return true;
  });
  addFaces(isBeyond[0], isBeyond[1]);
  return isBeyond[0] || isBeyond[1];
}

function baseFrame(): TriangleFrame {
  return triangleFrame(polytope.positions, 0, 3, 6, frame);
}

/** The vector from vertex 0 to vertex i. */
function fromFirst(i: number): Vec3 {
  const { positions } = polytope;
  return set(
    positions[3 * i] - positions[0],
    positions[3 * i + 1] - positions[1],
    positions[3 * i + 2] - positions[2],
    offset,
  );
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
      // One slot beyond, until it is known to be the farthest.
      setVertex(slot + 1, found);
      fromFirst(slot + 1);
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
  const ab = length(fromFirst(1));
  const ca = length(fromFirst(2));
  const { positions } = polytope;
  const bc = length(set(positions[6] - positions[3], positions[7] - positions[4], positions[8] - positions[5], offset));
  if (ca > ab && ca > bc) copyVertex(2, 1);
  else if (bc > ab) copyVertex(2, 0);
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
  linkFaces();
}
