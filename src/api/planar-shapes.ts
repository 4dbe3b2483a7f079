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

/** One convex 2-D shape in its body's frame. */
export type PlanarShapeDescription =
  CircleDescription | SegmentDescription | PlanarCapsuleDescription | RectangleDescription | PolygonDescription;
