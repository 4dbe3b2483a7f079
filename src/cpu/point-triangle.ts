/**
 * Mirror of shaders/point-triangle.wgsl: the point of a triangle nearest to a point, and the direction in which they
 * are apart.
 */
import { GJK_TOUCH_ULPS, LEAST_LENGTH } from '../generated/constants.ts';
import { EPSILON, type Vec3, addScaled, copy, dot, length, perpendicular, scale, set, vec3 } from './math.ts';
import {
  createNearest,
  createTriangleFrame,
  distance,
  nearestOnSegment,
  planeWeights,
  triangleFrame,
} from './triangle.ts';

export interface TrianglePoint {
  /** Unit vector from the triangle to the point. */
  normal: Vec3;
  /** Bounds of the distance: what supports along the normal are apart, and what the points are. */
  lower: number;
  upper: number;
  /** On the triangle. */
  position: Vec3;
}

export function createTrianglePoint(): TrianglePoint {
  return { normal: vec3(), lower: 0, upper: 0, position: vec3() };
}

/** The corners as seen from the point. */
const corners = new Float64Array(9);
const frame = createTriangleFrame();
const weights = vec3();
const upright = vec3();
const nearest = vec3();
const onInside = new Float64Array(3);
const onEdge = createNearest();
const across = vec3();
const direction = vec3();

/** Corners may be one and the same: a segment or a point. */
export function nearestToPoint(p: Vec3, a: Vec3, b: Vec3, c: Vec3, to: TrianglePoint): TrianglePoint {
  // As seen from the point, the first two being the ends of the longest side.
  put(a, p, 0);
  put(b, p, 3);
  put(c, p, 6);
  const sizeAB = distance(corners, 0, 3);
  const sizeBC = distance(corners, 3, 6);
  const sizeCA = distance(corners, 6, 0);
  if (sizeBC >= Math.max(sizeAB, sizeCA)) {
    corners.copyWithin(0, 3);
    put(a, p, 6);
  } else if (sizeCA > sizeAB) {
    put(c, p, 0);
    put(a, p, 3);
    put(b, p, 6);
  }
  triangleFrame(corners, 0, 3, 6, frame);
  const height = heightAt(frame.normal, 0);
  scale(frame.normal, height < 0 ? -1 : 1, upright);
  const uprightRoom = roomAlong(upright);
  if (frame.hasInside) {
    const { x, y, z } = planeWeights(frame, corners, 0, weights);
    if (x >= 0 && y >= 0 && z >= 0) {
      if (Math.abs(height) <= frame.height) {
        copy(upright, to.normal);
        to.lower = uprightRoom;
        to.upper = Math.abs(height);
        addScaled(p, frame.normal, -height, to.position);
        return to;
      }
      for (let k = 0; k < 3; k++) onInside[k] = corners[k] * x + corners[k + 3] * y + corners[k + 6] * z;
      set(onInside[0], onInside[1], onInside[2], nearest);
      scale(nearest, -1, to.normal);
      addScaled(to.normal, frame.u, -dot(frame.u, to.normal), to.normal);
      addScaled(to.normal, frame.u, -dot(frame.u, to.normal), to.normal);
      scale(to.normal, 1 / length(to.normal), to.normal);
      to.lower = roomAlong(to.normal);
      to.upper = length(nearest);
      addScaled(p, nearest, 1, to.position);
      return to;
    }
  }
  // The normal for a point that is on an edge to rounding: upright, or, without an inside, across the longest side. On
  // a single corner, any direction.
  const touch = frame.base > LEAST_LENGTH ? GJK_TOUCH_ULPS * EPSILON : LEAST_LENGTH;
  if (frame.hasInside) {
    copy(upright, across);
  } else if (frame.base > LEAST_LENGTH) {
    perpendicular(frame.u, across);
    if (heightAt(across, 0) < 0) scale(across, -1, across);
  } else {
    set(1, 0, 0, across);
  }
  // If several edges are equally near to rounding, the one whose bounds meet best is taken.
  to.lower = -1e30;
  to.upper = 1e30;
  let nearestUpper = 1e30;
  for (let start = 0; start < 9; start += 3) {
    const { point } = nearestOnSegment(corners, start, (start + 3) % 9, onEdge);
    const upper = length(point);
    if (upper > touch) scale(point, -1 / upper, direction);
    else copy(across, direction);
    const room = roomAlong(direction);
    if (upper < nearestUpper) {
      nearestUpper = upper;
      copy(point, nearest);
    }
    if (upper - room >= to.upper - to.lower) continue;
    to.lower = room;
    to.upper = upper;
    copy(direction, to.normal);
    addScaled(p, point, 1, to.position);
  }
  if (frame.hasInside && Math.abs(height) <= frame.height && nearestUpper - uprightRoom < to.upper - to.lower) {
    copy(upright, to.normal);
    to.lower = uprightRoom;
    to.upper = nearestUpper;
    addScaled(p, nearest, 1, to.position);
  }
  return to;
}

function put(corner: Vec3, p: Vec3, at: number): void {
  corners[at] = corner.x - p.x;
  corners[at + 1] = corner.y - p.y;
  corners[at + 2] = corner.z - p.z;
}

/** How far the origin is beyond all three corners. */
function roomAlong(normal: Vec3): number {
  return Math.min(heightAt(normal, 0), heightAt(normal, 3), heightAt(normal, 6));
}

/** The height of the origin over a corner. */
function heightAt({ x, y, z }: Vec3, at: number): number {
  return -(x * corners[at] + y * corners[at + 1] + z * corners[at + 2]);
}
