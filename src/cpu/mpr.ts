/** Mirror of shaders/mpr.wgsl: overlap and penetration depth of two convex cores by Minkowski portal refinement. */
import {
  CORE_HULL,
  CORE_TRIANGLE,
  FIRST,
  FLAT_ULPS,
  LEAST_DIRECTION,
  MPR_EXIT_ULPS,
  MPR_FAR,
  MPR_MAX_ITERATIONS,
  MPR_OPEN,
  MPR_OVERLAP,
  MPR_OVERLAPPING,
  MPR_RAY,
  MPR_TOUCH_ULPS,
  PROBES,
  PROBING,
  REFINING,
  SECOND,
  THIRD,
} from '../generated/constants.ts';
import {
  EPSILON,
  type Vec3,
  addScaled,
  copy,
  cross,
  dot,
  length,
  scale,
  set,
  subtract,
  transform,
  vec3,
} from './math.ts';
import type { Core, Pair } from './pair.ts';
import { recorder } from './recorder.ts';
import { type Point, createPoint, differenceSupport } from './support.ts';
import {
  type TriangleFrame,
  createNearest,
  createTriangleFrame,
  nearestOnSegment,
  nearestOnTriangle,
  planeWeights,
  triangleFrame,
} from './triangle.ts';

export interface MprResult {
  /** One of `MPR_OVERLAPPING`, `MPR_FAR` and `MPR_OPEN`. */
  state: number;
  /** Supports asked for. */
  iterations: number;
  /** A lower bound of the cores' signed distance: minus the depth where that was asked. */
  lower: number;
  /** Unit vector from A to B that gave it, in A's frame. */
  normal: Vec3;
  /**
   * Vertices of the last portal by number, A's and B's of each, and the weights of its point nearest to the foot of the
   * perpendicular.
   */
  ids: Float64Array;
  weights: Vec3;
}

export function createMprResult(): MprResult {
  return { state: MPR_OPEN, iterations: 0, lower: 0, normal: vec3(), ids: new Float64Array(6), weights: vec3() };
}

/** Points of the difference, counter-clockwise seen from outside. */
interface Portal {
  a: Point;
  b: Point;
  c: Point;
}

/** What a search knows between two supports. */
interface Search {
  /** What the next point is for, and where it is looked for. */
  phase: number;
  direction: Vec3;
  /** The ray begins at a point inside the difference. */
  inside: Vec3;
  ray: Vec3;
  portal: Portal;
  frame: TriangleFrame;
  /** The origin is known to be in the difference. */
  isInside: boolean;
  /** The least height of all directions tried, and that direction. */
  low: number;
  lowest: Vec3;
  /** The least height of a ray's end, and the portal there. */
  least: number;
  answer: Portal;
}

const search: Search = {
  phase: FIRST,
  direction: vec3(),
  inside: vec3(),
  ray: vec3(),
  portal: { a: createPoint(), b: createPoint(), c: createPoint() },
  frame: createTriangleFrame(),
  isInside: false,
  low: 0,
  lowest: vec3(),
  least: 0,
  answer: { a: createPoint(), b: createPoint(), c: createPoint() },
};
const across = vec3();
const found = createPoint();
const nearest = createNearest();
const fromA = vec3();
const fromB = vec3();
const fromC = vec3();
/** Three points, as triangle.ts takes them. */
const corners = new Float64Array(9);

/** Ends early once the cores are known to be apart. `ending` is one of `MPR_OVERLAP`, `MPR_RAY` and `MPR_NORMAL`. */
export function mpr(pair: Pair, far: number, ending: number, result: MprResult): MprResult {
  result.state = MPR_OPEN;
  result.iterations = 0;
  startSearch(pair);
  if (search.isInside && ending === MPR_OVERLAP) result.state = MPR_OVERLAPPING;
  else searchPortals(pair, far, ending, result);
  if (result.state === MPR_OVERLAPPING && ending !== MPR_OVERLAP) {
    const { a, b, c } = search.answer;
    loadCorners(search.answer, scale(result.normal, result.lower, fromA));
    copy(nearestOnTriangle(corners, 0, 3, 6, nearest).weights, result.weights);
    result.ids.set([a.idA, a.idB, b.idA, b.idB, c.idA, c.idB]);
  }
  if (recorder) recorder.mprEnd(pair, result);
  return result;
}

/** The loop of the kernel's function `mpr`. */
function searchPortals(pair: Pair, far: number, ending: number, result: MprResult): void {
  const { direction, portal, frame, inside, ray } = search;
  const exit = MPR_EXIT_ULPS * EPSILON;
  if (search.isInside) {
    set(0, 0, 0, inside);
    search.phase = PROBING;
  }
  for (let i = 0; i < MPR_MAX_ITERATIONS; i++) {
    if (search.phase === PROBING) probeDirection(i, direction);
    differenceSupport(pair, direction, found);
    const height = dot(direction, found.position);
    result.iterations++;
    if (recorder) recorder.mpr(pair, search, found, verticesSoFar(), result.iterations);
    if (height < 0) {
      result.state = -height > far ? MPR_FAR : MPR_OPEN;
      result.lower = -height;
      scale(direction, -1, result.normal);
      return;
    }
    if (height < search.low) {
      search.low = height;
      copy(direction, search.lowest);
    }
    if (search.phase === PROBING) {
      if (i + 1 === PROBES) startRay();
      continue;
    }
    if (search.phase === REFINING) {
      const level = dot(direction, portal.a.position);
      if (!search.isInside && level >= 0) {
        search.isInside = holdsOrigin(portal, frame, inside, ray);
        if (!search.isInside) return;
      }
      if (search.isInside && ending === MPR_OVERLAP) {
        result.state = MPR_OVERLAPPING;
        return;
      }
      if (height - level <= exit || i + 1 === MPR_MAX_ITERATIONS) {
        if (!endRay(height, ending, result)) return;
        continue;
      }
      movePortalOver(portal, found, inside, ray);
    } else {
      if (search.phase === THIRD && height - dot(direction, inside) <= FLAT_ULPS * EPSILON) return;
      discoverPortal(found);
    }
    if (search.phase === REFINING) {
      loadCorners(portal, ORIGIN);
      if (!triangleFrame(corners, 0, 3, 6, frame).hasInside) return;
      copy(frame.normal, direction);
      continue;
    }
    const size = length(across);
    if (search.phase === SECOND && size <= MPR_TOUCH_ULPS * EPSILON) {
      endOnVertex(ending, result);
      return;
    }
    if (size < LEAST_DIRECTION) return;
    scale(across, 1 / size, direction);
  }
}

function startSearch(pair: Pair): void {
  const { inside, ray, direction } = search;
  const span = length(innerPoint(pair, inside));
  search.phase = FIRST;
  search.low = search.least = 1e30;
  search.isInside = span <= MPR_TOUCH_ULPS * EPSILON;
  if (search.isInside) return;
  scale(inside, -1 / span, ray);
  copy(ray, direction);
}

/** The next ray starts at the origin, along the lowest direction. */
function startRay(): void {
  set(0, 0, 0, search.inside);
  copy(search.lowest, search.ray);
  copy(search.lowest, search.direction);
  search.phase = FIRST;
}

/**
 * A point becomes a vertex of the portal, which is complete once the ray passes it. Until then `across` becomes the next
 * direction, of any length.
 */
function discoverPortal(point: Point): void {
  const { portal, inside, ray } = search;
  if (search.phase === FIRST) {
    copyPoint(point, portal.a);
    cross(ray, subtract(point.position, inside, fromA), across);
    search.phase = SECOND;
  } else if (search.phase === SECOND) {
    copyPoint(point, portal.b);
    cross(subtract(portal.a.position, inside, fromA), subtract(point.position, inside, fromB), across);
    search.phase = THIRD;
  } else {
    const a = subtract(portal.a.position, inside, fromA);
    const b = subtract(portal.b.position, inside, fromB);
    const c = subtract(point.position, inside, fromC);
    if (dot(ray, cross(c, a, across)) < 0) {
      copyPoint(point, portal.b);
      scale(across, -1, across);
    } else if (dot(ray, cross(b, c, across)) < 0) {
      copyPoint(point, portal.a);
      scale(across, -1, across);
    } else {
      copyPoint(point, portal.c);
      search.phase = REFINING;
    }
  }
}

/** The ray ends on its first vertex. */
function endOnVertex(ending: number, result: MprResult): void {
  const { portal, answer, low, least, ray } = search;
  if (ending === MPR_OVERLAP) {
    result.state = MPR_OVERLAPPING;
  } else if (result.state === MPR_OVERLAPPING && low < least) {
    result.lower = -low;
    scale(ray, -1, result.normal);
    copyPoint(portal.a, answer.a);
    copyPoint(portal.a, answer.b);
    copyPoint(portal.a, answer.c);
  }
}

/** The portal is the end of its ray. Starts the next ray, or returns false. */
function endRay(height: number, ending: number, result: MprResult): boolean {
  const exit = MPR_EXIT_ULPS * EPSILON;
  if (!search.isInside || height <= MPR_TOUCH_ULPS * EPSILON) {
    result.state = MPR_OPEN;
    return false;
  }
  if (height >= search.least - exit) return false;
  search.least = height;
  copyPortal(search.portal, search.answer);
  result.state = MPR_OVERLAPPING;
  result.lower = -height;
  scale(search.direction, -1, result.normal);
  const isLowest = search.low >= height - exit;
  if (ending === MPR_RAY || (isLowest && holdsFoot(search.portal, search.frame, height))) return false;
  startRay();
  return true;
}

/** The vertices that the portal has so far. */
function verticesSoFar(): Point[] {
  const { a, b, c } = search.portal;
  return [a, b, c].slice(0, Math.max(search.phase - FIRST, 0));
}

const ORIGIN = vec3();

function copyPoint(from: Point, to: Point): void {
  copy(from.position, to.position);
  to.idA = from.idA;
  to.idB = from.idB;
}

function copyPortal(from: Portal, to: Portal): void {
  copyPoint(from.a, to.a);
  copyPoint(from.b, to.b);
  copyPoint(from.c, to.c);
}

/** Sets `corners` to the portal's, seen from `origin`. */
function loadCorners({ a, b, c }: Portal, { x, y, z }: Vec3): void {
  corners[0] = a.position.x - x;
  corners[1] = a.position.y - y;
  corners[2] = a.position.z - z;
  corners[3] = b.position.x - x;
  corners[4] = b.position.y - y;
  corners[5] = b.position.z - z;
  corners[6] = c.position.x - x;
  corners[7] = c.position.y - y;
  corners[8] = c.position.z - z;
}

const centreA = vec3();

/** A point inside B - A, in A's frame. */
function innerPoint(pair: Pair, to: Vec3): Vec3 {
  transform(pair.rotation, centre(pair.coreB, to), to);
  const { x, y, z } = centre(pair.coreA, centreA);
  const { translation } = pair;
  return set(to.x + translation.x - x, to.y + translation.y - y, to.z + translation.z - z, to);
}

/** A point inside a core, in its body's frame. */
function centre({ kind, halfExtents }: Core, to: Vec3): Vec3 {
  if (kind !== CORE_TRIANGLE && kind !== CORE_HULL) return set(0, 0, 0, to);
  return set(halfExtents[0], halfExtents[1], halfExtents[2], to);
}

/** The axes of A's frame, there and back. */
function probeDirection(step: number, to: Vec3): Vec3 {
  const sign = step & 1 ? -1 : 1;
  const axis = step >> 1;
  return set(axis === 0 ? sign : 0, axis === 1 ? sign : 0, axis === 2 ? sign : 0, to);
}

const meeting = vec3();
const weight = vec3();

/** Whether the origin is on the segment from the inner point to the ray's point on the portal, to rounding. */
function holdsOrigin(of: Portal, on: TriangleFrame, from: Vec3, along: Vec3): boolean {
  const { a, b, c } = of;
  const slope = dot(on.normal, along);
  const crossing = dot(on.normal, a.position) / Math.max(slope, 1e-30);
  loadCorners(of, scale(along, Math.min(crossing, 1e3), meeting));
  const { x, y, z } = planeWeights(on, corners, 0, weight);
  const total = Math.max(x, 0) + Math.max(y, 0) + Math.max(z, 0);
  addScaled(ORIGIN, a.position, Math.max(x, 0) / total, meeting);
  addScaled(meeting, b.position, Math.max(y, 0) / total, meeting);
  addScaled(meeting, c.position, Math.max(z, 0) / total, meeting);
  corners[0] = from.x;
  corners[1] = from.y;
  corners[2] = from.z;
  corners[3] = meeting.x;
  corners[4] = meeting.y;
  corners[5] = meeting.z;
  return length(nearestOnSegment(corners, 0, 3, nearest).point) <= MPR_TOUCH_ULPS * EPSILON;
}

const turn = vec3();
const spoke = vec3();

/** The portal becomes that one of the three triangles of a point over it and its edges that the ray passes. */
function movePortalOver({ a, b, c }: Portal, point: Point, from: Vec3, along: Vec3): void {
  cross(along, subtract(point.position, from, spoke), turn);
  const sideA = dot(turn, subtract(a.position, from, spoke));
  const sideB = dot(turn, subtract(b.position, from, spoke));
  const sideC = dot(turn, subtract(c.position, from, spoke));
  copyPoint(point, sideA >= 0 && sideB <= 0 ? c : sideB >= 0 && sideC <= 0 ? a : b);
}

/** Whether the origin's projection on the portal's plane, which is `height` away, lies in the portal. */
function holdsFoot(of: Portal, on: TriangleFrame, height: number): boolean {
  loadCorners(of, scale(on.normal, height, fromA));
  const { x, y, z } = planeWeights(on, corners, 0, weight);
  return Math.min(x, y, z) >= 0;
}
