/**
 * Whether two closed triangles share a point, exactly. Each triangle cuts the common line of both planes in an
 * interval, and triangles meet if the intervals do (Möller, "A Fast Triangle-Triangle Intersection Test", 1997). The
 * ends of the intervals are not computed. Their order is the sign of a volume (Guigue and Devillers, "Fast and Robust
 * Triangle-Triangle Overlap Test Using Orientation Predicates", 2003).
 *
 * Heights over a plane come from double precision if an error bound proves their signs, and from exact predicates
 * otherwise. Segments, points and triangles whose corners are collinear are valid.
 */
import { areInOnePlane, axisOfNormal, clearAxis, meetInPlane } from './coplanar.ts';
import { NEXT, PREVIOUS, volume } from './predicates.ts';

/** How triangles meet. */
export const MEETING_NONE = 0;
/** Both planes cross in a line, and the intervals on it overlap. */
export const MEETING_CROSSING = 1;
/** One of the triangles is a segment or a point, which meets the plane of the other in one point. */
export const MEETING_PIERCING = 2;
/** All corners lie in one plane. */
export const MEETING_COPLANAR = 3;

/** On which sides of a plane the corners of a triangle are. */
export interface Sides {
  /** The corner that is alone on its side, or alone in the plane. The others are on the other side or in the plane. */
  corner: number;
  /** 1 if it is on the upper side, where the normal of the plane's triangle points; -1 if it is on the lower side. */
  side: number;
  /** The side of each corner: 0 in the plane. If the lone corner is there, `side` is where the others are not. */
  sides: readonly number[];
}

export interface Meeting {
  kind: number;
  /** Whether all six corners lie in one plane, also of triangles that don't meet. */
  isCoplanar: boolean;
  /** Of A's corners about B's plane, and of B's about A's. `MEETING_PIERCING`: of the segment or point only. */
  sidesA: Sides;
  sidesB: Sides;
  /** The volumes that the same corners span with the other triangle, rounded, and a bound of their rounding errors. */
  heightsA: Float64Array;
  heightsB: Float64Array;
  /** `MEETING_CROSSING` only: whether both intervals have just one end in common. */
  isTouching: boolean;
  /** `MEETING_PIERCING` only: whether triangle A is the segment or point. */
  isSegmentA: boolean;
  /** `MEETING_COPLANAR` only: an axis along which the projection keeps points of the plane apart. */
  axis: number;
}

/** Whether two closed triangles share a point, and how. `a` and `b` have 9 numbers each: three corners. */
export function meetTriangles(a: ArrayLike<number>, b: ArrayLike<number>, to: Meeting): boolean {
  to.kind = MEETING_NONE;
  to.isCoplanar = false;
  const codeB = sidesCode(a, b, to.heightsB);
  if (codeB === ALL_BELOW || codeB === ALL_ABOVE) return false;
  if (codeB === ALL_IN_PLANE) {
    const axis = axisOfNormal(a);
    if (axis !== undefined) return meetCoplanar(a, b, axis, to);
  }
  const codeA = sidesCode(b, a, to.heightsA);
  if (codeA === ALL_BELOW || codeA === ALL_ABOVE) return false;
  if (codeA === ALL_IN_PLANE && codeB === ALL_IN_PLANE) {
    const axis = clearAxis(a, b);
    return areInOnePlane(a, b, axis) && meetCoplanar(a, b, axis, to);
  }
  const sidesA = sidesOfCode[codeA];
  const sidesB = sidesOfCode[codeB];
  to.sidesA = sidesA;
  to.sidesB = sidesB;
  if (codeA === ALL_IN_PLANE || codeB === ALL_IN_PLANE) {
    // The triangle that has all heights over it 0, and not in turn, is collinear and has no plane.
    to.isSegmentA = codeB === ALL_IN_PLANE;
    if (!(to.isSegmentA ? pierces(a, sidesA, b) : pierces(b, sidesB, a))) return false;
    to.kind = MEETING_PIERCING;
    return true;
  }
  const lowToHigh = orderOnLine(a, sidesA, lowOfA(sidesA), b, sidesB, highOfB(sidesB));
  if (lowToHigh < 0) return false;
  const highToLow = orderOnLine(a, sidesA, highOfA(sidesA), b, sidesB, lowOfB(sidesB));
  if (highToLow > 0) return false;
  to.isTouching = lowToHigh === 0 || highToLow === 0;
  to.kind = MEETING_CROSSING;
  return true;
}

function meetCoplanar(a: ArrayLike<number>, b: ArrayLike<number>, axis: number, to: Meeting): boolean {
  to.isCoplanar = true;
  to.axis = axis;
  if (!meetInPlane(a, b, axis)) return false;
  to.kind = MEETING_COPLANAR;
  return true;
}

// The common line has the direction of the cross product of A's and B's normals. A triangle's interval begins on one
// edge from its lone corner and ends on the other. These functions return the other corners of these edges.

export function lowOfA({ corner, side }: Sides): number {
  return side > 0 ? PREVIOUS[corner] : NEXT[corner];
}

export function highOfA({ corner, side }: Sides): number {
  return side > 0 ? NEXT[corner] : PREVIOUS[corner];
}

export function lowOfB({ corner, side }: Sides): number {
  return side > 0 ? NEXT[corner] : PREVIOUS[corner];
}

export function highOfB({ corner, side }: Sides): number {
  return side > 0 ? PREVIOUS[corner] : NEXT[corner];
}

/**
 * The order in which the edges from both lone corners to `endA` and `endB` cut the common line: positive if B's edge
 * cuts it beyond A's, 0 if both cut it in the same place. It is the sign of the volume that both edges span, since each
 * passes from one side of the other's plane to the other.
 */
export function orderOnLine(
  a: ArrayLike<number>,
  sidesA: Sides,
  endA: number,
  b: ArrayLike<number>,
  sidesB: Sides,
  endB: number,
): number {
  const order = volume(a, 3 * sidesA.corner, a, 3 * endA, b, 3 * sidesB.corner, b, 3 * endB);
  return sidesA.side === sidesB.side ? order : -order;
}

// The sides of three corners, -1, 0 or 1 each, are digits of one number in base 3.
const ALL_BELOW = 0;
const ALL_IN_PLANE = 13;
const ALL_ABOVE = 26;

/** The sides for each such number. If all corners are on one side or in the plane, there is no lone corner to use. */
const sidesOfCode = Array.from({ length: 27 }, (_, code): Sides => {
  const sides = [(code % 3) - 1, (Math.floor(code / 3) % 3) - 1, Math.floor(code / 9) - 1];
  const corner = sides.findIndex((side, i) => {
    const next = sides[NEXT[i]];
    const previous = sides[PREVIOUS[i]];
    return side !== next && side !== previous && next * previous >= 0;
  });
  return { corner, side: sides[corner] || -sides[NEXT[corner]], sides };
});

export function createMeeting(): Meeting {
  const [sides] = sidesOfCode;
  return {
    kind: MEETING_NONE,
    isCoplanar: false,
    sidesA: sides,
    sidesB: sides,
    heightsA: new Float64Array(4),
    heightsB: new Float64Array(4),
    isTouching: false,
    isSegmentA: false,
    axis: 0,
  };
}

/**
 * Bound of the rounding error of a height. Its six products of three differences pass eight roundings each: three
 * differences, two products and three sums, which is a share of 8 · 2^-53. Products are added in pairs that have one
 * bound, hence twice that. The excess is for the roundings of the bound itself.
 */
const HEIGHT_ERROR = 1.001 * 16 * 2 ** -53;

/**
 * On which sides of the plane of `plane` the corners of `other` are; `ALL_IN_PLANE` if `plane` is collinear. Writes the
 * heights of the three corners and the bound of their errors to `heights`.
 */
function sidesCode(plane: ArrayLike<number>, other: ArrayLike<number>, heights: Float64Array): number {
  const x = plane[0];
  const y = plane[1];
  const z = plane[2];
  const ux = plane[3] - x;
  const uy = plane[4] - y;
  const uz = plane[5] - z;
  const vx = plane[6] - x;
  const vy = plane[7] - y;
  const vz = plane[8] - z;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const x0 = other[0] - x;
  const y0 = other[1] - y;
  const z0 = other[2] - z;
  const x1 = other[3] - x;
  const y1 = other[4] - y;
  const z1 = other[5] - z;
  const x2 = other[6] - x;
  const y2 = other[7] - y;
  const z2 = other[8] - z;
  const height0 = nx * x0 + ny * y0 + nz * z0;
  const height1 = nx * x1 + ny * y1 + nz * z1;
  const height2 = nx * x2 + ny * y2 + nz * z2;
  const sizeX = Math.max(Math.abs(ux), Math.abs(vx));
  const sizeY = Math.max(Math.abs(uy), Math.abs(vy));
  const sizeZ = Math.max(Math.abs(uz), Math.abs(vz));
  const error =
    HEIGHT_ERROR *
    (sizeY * sizeZ * Math.max(Math.abs(x0), Math.abs(x1), Math.abs(x2)) +
      sizeZ * sizeX * Math.max(Math.abs(y0), Math.abs(y1), Math.abs(y2)) +
      sizeX * sizeY * Math.max(Math.abs(z0), Math.abs(z1), Math.abs(z2)));
  heights[0] = height0;
  heights[1] = height1;
  heights[2] = height2;
  heights[3] = error;
  return (
    ALL_IN_PLANE +
    (height0 > error ? 1 : height0 < -error ? -1 : exactSide(plane, other, 0)) +
    3 * (height1 > error ? 1 : height1 < -error ? -1 : exactSide(plane, other, 3)) +
    9 * (height2 > error ? 1 : height2 < -error ? -1 : exactSide(plane, other, 6))
  );
}

function exactSide(plane: ArrayLike<number>, other: ArrayLike<number>, at: number): number {
  return isSurelyInPlane(plane, other, at) ? 0 : Math.sign(volume(plane, 0, plane, 3, plane, 6, other, at));
}

/** Whether a point is a corner of the plane's triangle or has one coordinate in common with it: most that are in it. */
function isSurelyInPlane(plane: ArrayLike<number>, other: ArrayLike<number>, at: number): boolean {
  for (let k = 0; k < 3; k++)
    if (other[at + k] === plane[k] && plane[k] === plane[3 + k] && plane[k] === plane[6 + k]) return true;
  for (let p = 0; p < 9; p += 3)
    if (other[at] === plane[p] && other[at + 1] === plane[p + 1] && other[at + 2] === plane[p + 2]) return true;
  return false;
}

/**
 * Whether a segment or point meets a triangle in whose plane it doesn't lie. Its corners are collinear, so its edges
 * from the lone corner pass through the plane where it does.
 */
function pierces(segment: ArrayLike<number>, { corner }: Sides, triangle: ArrayLike<number>): boolean {
  const p = 3 * corner;
  const q = 3 * NEXT[corner];
  const first = volume(segment, p, segment, q, triangle, 0, triangle, 3);
  const second = volume(segment, p, segment, q, triangle, 3, triangle, 6);
  const third = volume(segment, p, segment, q, triangle, 6, triangle, 0);
  return (first >= 0 && second >= 0 && third >= 0) || (first <= 0 && second <= 0 && third <= 0);
}
