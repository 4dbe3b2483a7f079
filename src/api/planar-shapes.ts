/**
 * Descriptions of shapes in the plane: what `addShape` of a two-dimensional tester takes. All lengths are in the
 * caller's unit; a body's frame has its origin at the body's position. Capsules stand on the y axis. No length, no
 * coordinate and no bounding radius is above 1e15.
 */
import type { NumberList } from './shapes.ts';

/** A disc around the origin. */
export interface CircleDescription {
  type: 'circle';
  /** At least 0. */
  radius: number;
}

/** A segment, not necessarily around the origin. */
export interface SegmentDescription {
  type: 'segment';
  /** Four numbers: x, y of both ends, which may be in one place. */
  points: NumberList;
  /** Rounding radius, at least 0; default 0. */
  radius?: number;
}

/** All points within `radius` of the segment from (0, -halfHeight) to (0, halfHeight). */
export interface PlanarCapsuleDescription {
  type: 'capsule';
  /** Half the segment's length, without the caps; at least 0. */
  halfHeight: number;
  /** At least 0. */
  radius: number;
}

/** A rectangle around the origin with sides along the axes; `radius` rounds it (Minkowski sum with a disc). */
export interface RectangleDescription {
  type: 'rectangle';
  /** Half the lengths along x and y; each at least 0. */
  halfExtents: NumberList;
  /** Rounding radius, at least 0; default 0. */
  radius?: number;
}

/** The convex hull of points, none of which lies inside it: a convex polygon, in any order, or a segment or a point. */
export interface PolygonDescription {
  type: 'polygon';
  /** x, y of each point; at least one. Repeated and collinear ones are allowed. */
  points: NumberList;
  /** Rounding radius, at least 0; default 0. */
  radius?: number;
  /**
   * Takes the hull of points some of which lie inside it: of a polygon that is not convex. Default false: such points
   * are refused.
   */
  convexify?: boolean;
}

/** One convex shape of the plane in its body's frame. */
export type PlanarShapeDescription =
  CircleDescription | SegmentDescription | PlanarCapsuleDescription | RectangleDescription | PolygonDescription;
