/**
 * Mirror of shaders/triangle-intersection.wgsl: whether two triangles share a point, and their segment of intersection.
 *
 * It departs from the shader, which has to live with the rounding of f32. Here all decisions are exact for the given
 * coordinates (triangle-intersection/meeting.ts, coplanar.ts). The ends of the segment are ends of the intervals in
 * which the triangles cut the common line of their planes, chosen by their exact order. Each is a point where an edge
 * passes through the other triangle's plane, to 1e-12 of the extent.
 */
import { commonExtent, putBetween, putCorner } from './triangle-intersection/coplanar.ts';
import {
  MEETING_COPLANAR,
  MEETING_PIERCING,
  type Meeting,
  type Sides,
  createMeeting,
  highOfA,
  highOfB,
  lowOfA,
  lowOfB,
  meetTriangles,
  orderOnLine,
} from './triangle-intersection/meeting.ts';
import { exactShare, preciseVolume } from './triangle-intersection/precise.ts';
import { NEXT } from './triangle-intersection/predicates.ts';

export interface TriangleIntersection {
  /** Whether the closed triangles share a point. */
  isHit: boolean;
  /** Whether all six corners lie in one plane, also of triangles that share no point. */
  isCoplanar: boolean;
  /**
   * Both ends of the segment of intersection, 3 numbers each: equal if the triangles touch in a point, 0 if they share
   * none. For coplanar triangles: a longest segment in their common area.
   */
  segment: Float64Array;
}

export function createTriangleIntersection(): TriangleIntersection {
  return { isHit: false, isCoplanar: false, segment: new Float64Array(6) };
}

const meeting = createMeeting();

/**
 * Whether two closed triangles share a point. It is exact for coordinates that are 0 or from 2^-300 to 2^300 in
 * absolute value. `a` and `b` have 9 numbers each, three corners in a common frame. Corners may coincide or lie on one
 * line.
 */
export function trianglesIntersect(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  return meetTriangles(a, b, meeting);
}

/** The same as `trianglesIntersect`, with the segment of intersection. */
export function triangleIntersection(a: ArrayLike<number>, b: ArrayLike<number>, to: TriangleIntersection): boolean {
  const { segment } = to;
  to.isHit = meetTriangles(a, b, meeting);
  to.isCoplanar = meeting.isCoplanar;
  if (!to.isHit) {
    segment.fill(0);
  } else if (meeting.kind === MEETING_COPLANAR) {
    commonExtent(a, b, meeting.axis, segment);
  } else if (meeting.kind === MEETING_PIERCING) {
    if (meeting.isSegmentA) putCrossing(a, meeting.sidesA, NEXT[meeting.sidesA.corner], meeting.heightsA, b, segment);
    else putCrossing(b, meeting.sidesB, NEXT[meeting.sidesB.corner], meeting.heightsB, a, segment);
    segment.copyWithin(3, 0, 3);
  } else {
    commonInterval(a, b, meeting, segment);
  }
  return to.isHit;
}

/** The common part of the intervals in which both triangles cut the common line of their planes. */
function commonInterval(
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  { sidesA, sidesB, heightsA, heightsB, isTouching }: Meeting,
  segment: Float64Array,
): void {
  const lowA = lowOfA(sidesA);
  const highA = highOfA(sidesA);
  const lowB = lowOfB(sidesB);
  const highB = highOfB(sidesB);
  // A triangle that touches the line with its lone corner has no more than that in common.
  const isCornerA = sidesA.sides[sidesA.corner] === 0;
  const isCornerB = sidesB.sides[sidesB.corner] === 0;
  const isPoint = isTouching || isCornerA || isCornerB;
  if (!isPoint) {
    const isHighOfB = orderOnLine(a, sidesA, highA, b, sidesB, highB) <= 0;
    if (isHighOfB) putCrossing(b, sidesB, highB, heightsB, a, segment);
    else putCrossing(a, sidesA, highA, heightsA, b, segment);
    segment.copyWithin(3, 0, 3);
  }
  const isLowOfB = !isCornerA && orderOnLine(a, sidesA, lowA, b, sidesB, lowB) >= 0;
  if (isLowOfB) putCrossing(b, sidesB, lowB, heightsB, a, segment);
  else putCrossing(a, sidesA, lowA, heightsA, b, segment);
  if (isPoint) segment.copyWithin(3, 0, 3);
}

/** The rounding error of heights, relative to their sum, up to which they are taken as they are: 6e-14. */
const HEIGHT_TOLERANCE = 2 ** -44;
/** The same up to which precise volumes are enough, whose errors are 2^-47 of it: 2e-12. */
const CANCELLATION = 2 ** 8;

/** Writes the point where the edge from the lone corner to corner q passes through the plane of another triangle. */
function putCrossing(
  t: ArrayLike<number>,
  { corner: p, sides }: Sides,
  q: number,
  heights: Float64Array,
  plane: ArrayLike<number>,
  to: Float64Array,
): void {
  if (sides[p] === 0 || sides[q] === 0) {
    putCorner(t, sides[p] === 0 ? 3 * p : 3 * q, to, 0);
    return;
  }
  let heightP = Math.abs(heights[p]);
  let heightQ = Math.abs(heights[q]);
  if (heights[3] > HEIGHT_TOLERANCE * (heightP + heightQ)) {
    heightP = Math.abs(preciseVolume(plane, t, 3 * p));
    heightQ = Math.abs(preciseVolume(plane, t, 3 * q));
    if (heights[3] > CANCELLATION * (heightP + heightQ)) {
      heightP = exactShare(plane, t, 3 * p, 3 * q);
      heightQ = 1 - heightP;
    }
  }
  putBetween(t, { p: 3 * p, q: 3 * q, heightP, heightQ }, to, 0);
}
