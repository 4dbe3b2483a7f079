/** Mirror of shaders/segments.wgsl: nearest points of two segments. */
import { GJK_TOUCH_ULPS, LEAST_LENGTH, SEGMENTS_PARALLEL_ULPS } from '../generated/constants.ts';
import { EPSILON, type Vec3, addScaled, dot, length, scale, set, vec3 } from './math.ts';

export interface SegmentPoints {
  /** Unit vector from the first segment to the second. */
  normal: Vec3;
  /** Bounds of the distance: what supports along the normal are apart, and what the points are. */
  lower: number;
  upper: number;
  /** The points: along either axis from the segment's middle. */
  first: number;
  second: number;
}

export function createSegmentPoints(): SegmentPoints {
  return { normal: vec3(), lower: 0, upper: 0, first: 0, second: 0 };
}

const TOUCH = GJK_TOUCH_ULPS * EPSILON;
const PARALLEL = SEGMENTS_PARALLEL_ULPS * EPSILON;

/**
 * The first segment reaches from -sizeA to sizeA on the y axis; the second as far as sizeB both ways from `middle`
 * along the unit vector `axis`. A size of 0 is a point.
 */
export function nearestOnSegments(
  sizeA: number,
  sizeB: number,
  axis: Vec3,
  middle: Vec3,
  to: SegmentPoints,
): SegmentPoints {
  const { normal: v } = to;
  const sine = Math.sqrt(axis.x * axis.x + axis.z * axis.z);
  const isParallel = sine <= PARALLEL;
  let second = -(middle.x * axis.x + middle.z * axis.z) / Math.max(sine * sine, 1e-300);
  if (isParallel) {
    const facing = 0.5 * (Math.max(-sizeA, middle.y - sizeB) + Math.min(sizeA, middle.y + sizeB));
    second = (facing - middle.y) * axis.y;
  }
  second = clamp(second, sizeB);
  const height = middle.y + axis.y * second;
  const first = clamp(height, sizeA);
  if (first !== height) second = clamp(-(axis.x * middle.x + axis.y * (middle.y - first) + axis.z * middle.z), sizeB);
  set(middle.x + axis.x * second, middle.y + axis.y * second - first, middle.z + axis.z * second, v);
  to.upper = length(v);
  to.first = first;
  to.second = second;

  // A segment is free where its point is no end, or where supports would leave the end for the other one.
  let isFreeB = Math.abs(second) < sizeB;
  let isFreeA = Math.abs(first) < sizeA || (!isFreeB && first * v.y < 0);
  if (isFreeA) v.y = 0;
  isFreeB ||= second * dot(v, axis) > 0;
  if (isFreeB && !isFreeA) {
    addScaled(v, axis, -dot(v, axis), v);
    addScaled(v, axis, -dot(v, axis), v);
    isFreeA = first * v.y < 0;
  }
  const gap = length(v);
  if ((isFreeA && isFreeB && !isParallel) || (gap <= TOUCH && sizeA + sizeB > 0)) {
    // Perpendicular to both axes, towards the second.
    if (isParallel) set(1, 0, 0, v);
    else set(axis.z / sine, 0, -axis.x / sine, v);
    if (dot(v, middle) < 0) scale(v, -1, v);
  } else if (gap > LEAST_LENGTH) {
    scale(v, 1 / gap, v);
  } else {
    set(1, 0, 0, v);
  }
  to.lower = dot(v, middle) - Math.abs(v.y) * sizeA - Math.abs(dot(v, axis)) * sizeB;
  return to;
}

function clamp(value: number, size: number): number {
  return Math.min(Math.max(value, -size), size);
}
