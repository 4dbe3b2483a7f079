/**
 * Shape descriptions: what `addShape` takes and what scene files hold. All lengths are in the caller's unit; a body's
 * frame has its origin at the body's position. Capsules, cylinders and cones stand on the y axis. No length, no
 * coordinate and no bounding radius is above 1e15.
 */

/** Numbers in a row: a typed array or a plain one. */
export type NumberList = ArrayLike<number>;

/** A ball around the origin. */
export interface SphereDescription {
  type: 'sphere';
  /** At least 0. */
  radius: number;
}

/** A box around the origin with faces perpendicular to the axes; `radius` rounds it (Minkowski sum with a ball). */
export interface BoxDescription {
  type: 'box';
  /** Half the edge lengths along x, y, z; each at least 0. */
  halfExtents: NumberList;
  /** Rounding radius, at least 0; default 0. */
  radius?: number;
}

/** All points within `radius` of the segment from (0, -halfHeight, 0) to (0, halfHeight, 0). */
export interface CapsuleDescription {
  type: 'capsule';
  /** Half the segment's length, without the caps; at least 0. */
  halfHeight: number;
  /** At least 0. */
  radius: number;
}

/** A triangle, not necessarily around the origin; a degenerate one is a segment or a point. */
export interface TriangleDescription {
  type: 'triangle';
  /** Nine numbers: three corners, x, y, z each. */
  points: NumberList;
  /** Rounding radius, at least 0; default 0. */
  radius?: number;
}

/** The convex hull of any points: inside points, duplicates, flat and thin sets are allowed. */
export interface HullDescription {
  type: 'hull';
  /** x, y, z of each point; at least one point. */
  points: NumberList;
  /** Rounding radius, at least 0; default 0. */
  radius?: number;
}

/** All points within `radius` of the y axis, with y from -halfHeight to halfHeight. */
export interface CylinderDescription {
  type: 'cylinder';
  /** Half the height; at least 0. */
  halfHeight: number;
  /** At least 0. */
  radius: number;
}

/** A circular cone: the apex is (0, halfHeight, 0), the base a disc around (0, -halfHeight, 0). */
export interface ConeDescription {
  type: 'cone';
  /** Half the height; at least 0. */
  halfHeight: number;
  /** Of the base; at least 0. */
  radius: number;
}

/** An ellipsoid around the origin. */
export interface EllipsoidDescription {
  type: 'ellipsoid';
  /** Half axes along x, y, z; each at least 0. */
  radii: NumberList;
}

/** All points x with `n · x <= offset`, where n is `normal` at length 1. Against bounded shapes only. */
export interface HalfspaceDescription {
  type: 'halfspace';
  /** x, y, z, pointing out; not zero, of any length: it is normalised. */
  normal: NumberList;
  /**
   * Distance of the plane from the body's origin along the normal; any finite number. With `Float64Array` positions
   * queries answer as if the body stood on the plane. With f32 positions and in batches, distances to the plane carry a
   * rounding error of up to 1e-6 of the offset times the body's scale: for a small error put the body on the plane,
   * near the other bodies, with an offset of 0.
   */
  offset: number;
}

/** One convex shape in its body's frame. */
export type ShapeDescription =
  | SphereDescription
  | BoxDescription
  | CapsuleDescription
  | TriangleDescription
  | HullDescription
  | CylinderDescription
  | ConeDescription
  | EllipsoidDescription
  | HalfspaceDescription;
