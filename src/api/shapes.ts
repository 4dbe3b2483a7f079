/**
 * Public types for shape descriptions in 3-D: the argument of `addShape`, and the shapes of scene files. All lengths are
 * in the caller's unit. A description is in the frame of its body, whose origin is the body's position. Capsules,
 * cylinders and cones stand on the y axis. No length, coordinate or bounding radius may exceed 1e15. Sizes may be 0.
 */

/** A list of numbers: a typed array or a plain one. */
export type NumberList = ArrayLike<number>;

/** A ball around the origin. */
export interface SphereDescription {
  type: 'sphere';
  /** Radius, at least 0. */
  radius: number;
}

/** A box around the origin with faces perpendicular to the axes. */
export interface BoxDescription {
  type: 'box';
  /** Half the edge lengths along x, y, z: 3 numbers, each at least 0. */
  halfExtents: NumberList;
  /** Rounding radius, at least 0; default 0. The shape is the box and everything within `radius` of it. */
  radius?: number;
}

/** All points within `radius` of the segment from (0, -halfHeight, 0) to (0, halfHeight, 0). */
export interface CapsuleDescription {
  type: 'capsule';
  /** Half the length of the segment, without the caps; at least 0. */
  halfHeight: number;
  /** Radius, at least 0. */
  radius: number;
}

/** A triangle, not necessarily around the origin. A degenerate triangle is a segment or a point. */
export interface TriangleDescription {
  type: 'triangle';
  /** Three corners x, y, z: 9 numbers. */
  points: NumberList;
  /** Rounding radius, at least 0; default 0. */
  radius?: number;
}

/** The convex hull of any points. Inside points, duplicates, flat and thin sets are allowed. */
export interface HullDescription {
  type: 'hull';
  /** Points x, y, z in any order: 3 numbers per point, at least one point. A hull has at most 65,535 vertices. */
  points: NumberList;
  /** Rounding radius, at least 0; default 0. */
  radius?: number;
}

/** All points within `radius` of the y axis with y from -halfHeight to halfHeight. */
export interface CylinderDescription {
  type: 'cylinder';
  /** Half the height, at least 0. */
  halfHeight: number;
  /** Radius, at least 0. */
  radius: number;
}

/** A circular cone: the apex is (0, halfHeight, 0), the base a disc around (0, -halfHeight, 0). */
export interface ConeDescription {
  type: 'cone';
  /** Half the height, at least 0. */
  halfHeight: number;
  /** Radius of the base, at least 0. */
  radius: number;
}

/** An ellipsoid around the origin. */
export interface EllipsoidDescription {
  type: 'ellipsoid';
  /** Half axes along x, y, z: 3 numbers, each at least 0. */
  radii: NumberList;
}

/**
 * A plane with one solid side: all points x with `n · x <= offset`, where n is `normal` at length 1. It can be paired
 * with bounded shapes only.
 */
export interface HalfspaceDescription {
  type: 'halfspace';
  /** Outward direction x, y, z: 3 numbers, not all 0, of any length. It is normalised. */
  normal: NumberList;
  /**
   * Distance of the plane from the body's origin along the normal; any finite number.
   *
   * With `Float64Array` positions, queries answer as if the body stood on the plane. With f32 positions and in batches,
   * distances to the plane carry a rounding error of up to 1e-6 of the offset times the body's scale. For a small error,
   * put the body on the plane, near the other bodies, with an offset of 0.
   */
  offset: number;
}

/** A convex shape in its frame. All but half-spaces are bounded. */
export type ConvexDescription =
  | SphereDescription
  | BoxDescription
  | CapsuleDescription
  | TriangleDescription
  | HullDescription
  | CylinderDescription
  | ConeDescription
  | EllipsoidDescription
  | HalfspaceDescription;

/** A convex part of a compound, in the compound's frame. */
export interface PartDescription {
  /** Any convex shape except a half-space. */
  shape: ConvexDescription;
  /** Position x, y, z of the part's origin: 3 numbers; default 0, 0, 0. */
  position?: NumberList;
  /** Rotation x, y, z, w: 4 numbers of a length of at least 1e-6; default no rotation. It is normalised. */
  quaternion?: NumberList;
  /** Uniform positive scale factor; default 1. It multiplies rounding radii too. */
  scale?: number;
}

/**
 * A body of convex parts, which may overlap. A query answers for one pair of parts: the nearest, the deepest, or the first
 * to meet. With `parts: 'all'` it answers for all pairs of parts that hit. See
 * https://github.com/narrowphase/narrowphase/blob/main/docs/parts.md.
 */
export interface CompoundDescription {
  type: 'compound';
  /** At least one part, at most 2^26. `partA` and `partB` of results are indices into this list. */
  parts: readonly PartDescription[];
}

/**
 * A mesh of triangles, each of which is a part of its own, and two-sided by default. 3-D only. It has no inside: a
 * body inside a closed mesh that touches no triangle is separated from it. Meshes may be open, and triangles may overlap,
 * repeat or be degenerate. See https://github.com/narrowphase/narrowphase/blob/main/docs/parts.md.
 */
export interface MeshDescription {
  type: 'mesh';
  /** Vertices x, y, z in the mesh's frame: 3 numbers per vertex, at least one vertex. */
  positions: NumberList;
  /**
   * Vertex indices: 3 numbers per triangle, at least one triangle, at most 2^26. `partA` and `partB` of results are numbers
   * of triangles in this list.
   */
  indices: NumberList;
  /**
   * Which sides of the triangles are surface; default `'both'`. With `'front'`, contacts push a body to the side from which each
   * triangle is counter-clockwise, however much of the body is behind it, and impacts count only from that side. Two triangles
   * have to go along their common edge in opposite directions; otherwise queries for contacts, manifolds and impacts reject with
   * `INVALID_INPUT`.
   */
  sides?: 'both' | 'front';
}

/** A shape in its body's frame. */
export type ShapeDescription = ConvexDescription | CompoundDescription | MeshDescription;
