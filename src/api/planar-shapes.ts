/**
 * Public types for shape descriptions in 2-D: the argument of a 2-D tester's `addShape`. All lengths are in the caller's
 * unit. A description is in the frame of its body, whose origin is the body's position. Capsules stand on the y axis. No
 * length, coordinate or bounding radius may exceed 1e15. Sizes may be 0.
 */
import type { NumberList } from './shapes.ts';

/** A disc around the origin. */
export interface CircleDescription {
  type: 'circle';
  /** Radius, at least 0. */
  radius: number;
}

/** A segment, not necessarily around the origin. */
export interface SegmentDescription {
  type: 'segment';
  /** Both ends x, y: 4 numbers. The ends may coincide. */
  points: NumberList;
  /** Rounding radius, at least 0; default 0. The shape is the segment and everything within `radius` of it. */
  radius?: number;
}

/** All points within `radius` of the segment from (0, -halfHeight) to (0, halfHeight). */
export interface PlanarCapsuleDescription {
  type: 'capsule';
  /** Half the length of the segment, without the caps; at least 0. */
  halfHeight: number;
  /** Radius, at least 0. */
  radius: number;
}

/** A rectangle around the origin with sides along the axes. */
export interface RectangleDescription {
  type: 'rectangle';
  /** Half the lengths along x and y: 2 numbers, each at least 0. */
  halfExtents: NumberList;
  /** Rounding radius, at least 0; default 0. */
  radius?: number;
}

/** A convex polygon by its corners; with fewer than three distinct corners a segment or a point. */
export interface PolygonDescription {
  type: 'polygon';
  /**
   * Corners x, y in any order: 2 numbers per corner, at least one corner and at most 65,535. Repeated and collinear
   * points are allowed. A point inside the hull of the others is refused, unless `convexify` is set.
   */
  points: NumberList;
  /** Rounding radius, at least 0; default 0. */
  radius?: number;
  /** `true` takes the convex hull of the points, such as the corners of a polygon that is not convex. Default false. */
  convexify?: boolean;
}

/** A convex 2-D shape in its frame. */
export type PlanarConvexDescription =
  CircleDescription | SegmentDescription | PlanarCapsuleDescription | RectangleDescription | PolygonDescription;

/** A convex part of a 2-D compound, in the compound's frame. */
export interface PlanarPartDescription {
  /** Any convex 2-D shape. */
  shape: PlanarConvexDescription;
  /** Position x, y of the part's origin: 2 numbers; default 0, 0. */
  position?: NumberList;
  /** Rotation in radians, counter-clockwise; any finite number, default 0. */
  angle?: number;
  /** Uniform positive scale factor; default 1. It multiplies rounding radii too. */
  scale?: number;
}

/**
 * A 2-D body of convex parts, which may overlap. Not in batches. A query answers for one pair of parts: the nearest, the
 * deepest, or the first to meet. With `parts: 'all'` it answers for all pairs of parts that hit. Contacts with parts that share
 * an edge or a corner have normals of their common surface. See
 * https://github.com/narrowphase/narrowphase/blob/main/docs/parts.md.
 */
export interface PlanarCompoundDescription {
  type: 'compound';
  /** At least one part, at most 2^26. `partA` and `partB` of results are indices into this list. */
  parts: readonly PlanarPartDescription[];
}

/**
 * A chain of segments, such as the ground of a level. Each segment is a part of its own, and two-sided by default. Not in
 * batches. A chain has no inside: a body inside a loop that touches no segment is separated from it. Contacts have normals of the
 * chain's surface. See https://github.com/narrowphase/narrowphase/blob/main/docs/parts.md.
 */
export interface ChainDescription {
  type: 'chain';
  /**
   * Points x, y in the chain's frame: 2 numbers per point, at least two points, in a loop at least three, and at most 2^26
   * segments. Neighbours must differ. Segment k, which `partA` and `partB` of results name, goes from point k to the next.
   */
  points: NumberList;
  /** Whether a segment goes from the last point to the first; default false. */
  loop?: boolean;
  /**
   * Which sides of the segments are surface; default `'both'`. With `'front'`, contacts push a body to the right of each segment, seen
   * from its first point to its second, however much of the body is on the left, and impacts count only from the right. A
   * counter-clockwise loop has its front outside; ground with its front above goes from right to left.
   */
  sides?: 'both' | 'front';
}

/** A 2-D shape in its body's frame. */
export type PlanarShapeDescription = PlanarConvexDescription | PlanarCompoundDescription | ChainDescription;
