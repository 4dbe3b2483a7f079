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

const portal: Portal = { a: createPoint(), b: createPoint(), c: createPoint() };
const answer: Portal = { a: createPoint(), b: createPoint(), c: createPoint() };
const inside = vec3();
const ray = vec3();
const direction = vec3();
const across = vec3();
const lowest = vec3();
const found = createPoint();
const frame = createTriangleFrame();
const nearest = createNearest();
const fromA = vec3();
const fromB = vec3();
const fromC = vec3();
/** Three points, as triangle.ts takes them. */
const corners = new Float64Array(9);

/** Ends early once the cores are known to be apart. `ending` is one of `MPR_OVERLAP`, `MPR_RAY` and `MPR_NORMAL`. */
export function mpr(pair: Pair, far: number, ending: number, result: MprResult): MprResult {
  refinePortal(pair, far, ending, result);
  if (recorder) recorder.mprEnd(pair, result);
  return result;
}

function refinePortal(pair: Pair, far: number, ending: number, result: MprResult): MprResult {
  const exit = MPR_EXIT_ULPS * EPSILON;
  const touch = MPR_TOUCH_ULPS * EPSILON;
  const span = length(innerPoint(pair, inside));
  let isInside = span <= touch;
  let phase = FIRST;
  result.state = MPR_OPEN;
  result.iterations = 0;
  if (isInside) {
    if (ending === MPR_OVERLAP) return end(result, MPR_OVERLAPPING);
    set(0, 0, 0, inside);
    phase = PROBING;
  } else {
    scale(inside, -1 / span, ray);
    copy(ray, direction);
  }

  let least = 1e30;
  let low = 1e30;
  for (let i = 0; i < MPR_MAX_ITERATIONS; i++) {
    if (phase === PROBING) probeDirection(i, direction);
    differenceSupport(pair, direction, found);
    const { position } = found;
    const height = dot(direction, position);
    result.iterations++;
    if (recorder) recorder.mpr(pair, phase, direction, found, portal, ray, inside);
    if (height < 0) {
      result.lower = -height;
      scale(direction, -1, result.normal);
      return end(result, -height > far ? MPR_FAR : MPR_OPEN);
    }
    if (height < low) {
      low = height;
      copy(direction, lowest);
    }
    if (phase === PROBING) {
      if (i + 1 === PROBES) {
        copy(lowest, ray);
        copy(lowest, direction);
        phase = FIRST;
      }
      continue;
    } else if (phase === FIRST) {
      copyPoint(found, portal.a);
      cross(ray, subtract(position, inside, fromA), across);
      phase = SECOND;
    } else if (phase === SECOND) {
      copyPoint(found, portal.b);
      cross(subtract(portal.a.position, inside, fromA), subtract(position, inside, fromB), across);
      phase = THIRD;
    } else if (phase === THIRD) {
      if (height - dot(direction, inside) <= FLAT_ULPS * EPSILON) break;
      const a = subtract(portal.a.position, inside, fromA);
      const b = subtract(portal.b.position, inside, fromB);
      const c = subtract(position, inside, fromC);
      if (dot(ray, cross(c, a, across)) < 0) {
        copyPoint(found, portal.b);
        scale(across, -1, across);
      } else if (dot(ray, cross(b, c, across)) < 0) {
        copyPoint(found, portal.a);
        scale(across, -1, across);
      } else {
        copyPoint(found, portal.c);
        phase = REFINING;
      }
    } else {
      const level = dot(direction, portal.a.position);
      if (!isInside && level >= 0) {
        isInside = holdsOrigin(portal, frame, inside, ray);
        if (!isInside) break;
      }
      if (isInside && ending === MPR_OVERLAP) return end(result, MPR_OVERLAPPING);
      if (height - level <= exit || i + 1 === MPR_MAX_ITERATIONS) {
        if (!isInside || height <= touch) return end(result, MPR_OPEN);
        if (height >= least - exit) break;
        least = height;
        copyPortal(portal, answer);
        end(result, MPR_OVERLAPPING);
        result.lower = -height;
        scale(direction, -1, result.normal);
        if (ending === MPR_RAY || (low >= least - exit && holdsFoot(portal, frame, height))) break;
        set(0, 0, 0, inside);
        copy(lowest, ray);
        copy(lowest, direction);
        phase = FIRST;
        continue;
      } else {
        movePortalOver(portal, found, inside, ray);
      }
    }

    if (phase === REFINING) {
      loadCorners(portal, ORIGIN);
      if (!triangleFrame(corners, 0, 3, 6, frame).hasInside) break;
      copy(frame.normal, direction);
      continue;
    }
    const size = length(across);
    if (phase === SECOND && size <= touch) {
      if (ending === MPR_OVERLAP) {
        end(result, MPR_OVERLAPPING);
      } else if (result.state === MPR_OVERLAPPING && low < least) {
        result.lower = -low;
        scale(ray, -1, result.normal);
        copyPoint(portal.a, answer.a);
        copyPoint(portal.a, answer.b);
        copyPoint(portal.a, answer.c);
      }
      break;
    }
    if (size < LEAST_DIRECTION) break;
    scale(across, 1 / size, direction);
  }

  if (result.state === MPR_OVERLAPPING && ending !== MPR_OVERLAP) {
    const { a, b, c } = answer;
    loadCorners(answer, scale(result.normal, result.lower, fromA));
    copy(nearestOnTriangle(corners, 0, 3, 6, nearest).weights, result.weights);
    result.ids.set([a.idA, a.idB, b.idA, b.idB, c.idA, c.idB]);
  }
  return result;
}

const ORIGIN = vec3();

function end(result: MprResult, state: number): MprResult {
  result.state = state;
  return result;
}

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
