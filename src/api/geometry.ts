/** Public types for properties of a shape: mass properties, and its vertices, edges and faces. */

import type { Vec2, Vec3 } from './vectors.ts';

/** In `PlanarShapeGeometry.edges`: no edge starts at this vertex. */
export const NO_VERTEX = 0xffff_ffff;

/**
 * Volume integrals of a shape at density 1, rounding included, in the shape's frame and at scale 1. For a body of scale
 * s, multiply `volume` by s³, `centroid` by s and `inertia` by s⁵.
 */
export interface MassProperties {
  /** Volume in cubic units; 0 for a shape without volume. */
  readonly volume: number;
  /** Centre of mass, in the shape's frame. For a shape without volume: that of its area, its length or its point. */
  readonly centroid: Vec3;
  /**
   * Inertia tensor about the centroid: 9 numbers row by row, xx, xy, xz, yx, yy, yz, zx, zy, zz. Off-diagonal entries are
   * negative products: xy is minus the integral of x · y. Zeros for a shape without volume.
   */
  readonly inertia: readonly number[];
}

/**
 * Area integrals of a 2-D shape at density 1, rounding included, in the shape's frame and at scale 1. For a body of scale
 * s, multiply `area` by s², `centroid` by s and `inertia` by s⁴.
 */
export interface PlanarMassProperties {
  /** Area in square units; 0 for a shape without area. */
  readonly area: number;
  /** Centre of mass, in the shape's frame. For a shape without area: that of its length or its point. */
  readonly centroid: Vec2;
  /** Moment of inertia about the centroid; 0 for a shape without area. */
  readonly inertia: number;
}

/** An oriented box, as `fitBox` finds it, in the frame of its points. */
export interface FittedBox {
  readonly centre: Vec3;
  /** Half of the edge lengths along the box's own axes. */
  readonly halfExtents: Vec3;
  /** Rotation of the box's axes, a unit quaternion: of the 24 that are right, the one that turns least. */
  readonly quaternion: readonly [x: number, y: number, z: number, w: number];
}

/** A circle in the shape's frame. */
export interface Circle {
  readonly centre: Vec3;
  /** Unit normal of the circle's plane. */
  readonly normal: Vec3;
  readonly radius: number;
}

/** Kinds of faces that are not polygons. A sphere has no face: its only feature is its vertex. */
export type Surface = 'disc' | 'cylinder' | 'cone' | 'ellipsoid' | 'plane';

/**
 * Vertices, edges and faces of a shape, in the shape's frame and at scale 1, by the indices that `featureA` and
 * `featureB` of `contacts` have
 * (https://github.com/narrowphase/narrowphase/blob/main/docs/conventions.md#feature-numbers). They are those of the
 * core: a rounded shape is
 * everything within `radius` of it.
 */
export interface ShapeGeometry {
  /**
   * x, y, z of vertex k from 3 k on. Points of a hull that are not vertices have zeros here, and no edge or face has
   * them.
   */
  readonly vertices: Float32Array;
  /** The two vertices of edge k, at 2 k and 2 k + 1. */
  readonly edges: Uint32Array;
  /**
   * The vertices of each face, counter-clockwise seen from outside. A face that is narrower than f32 can resolve has two
   * vertices.
   */
  readonly faces: readonly Uint32Array[];
  /** Edges of a cylinder or cone, by index; otherwise empty. */
  readonly circles: readonly Circle[];
  /** Faces of a shape that has no polygons, by index; otherwise empty. */
  readonly surfaces: readonly Surface[];
  /** Rounding radius. */
  readonly radius: number;
}

/**
 * Corners and edges of a 2-D shape, in the shape's frame and at scale 1, by the indices that `featureA` and `featureB` of
 * `contacts` have (https://github.com/narrowphase/narrowphase/blob/main/docs/conventions.md#feature-numbers). They are
 * those of the core: a rounded shape is everything
 * within `radius` of it.
 */
export interface PlanarShapeGeometry {
  /** x, y of vertex k from 2 k on. Points of a polygon that are not corners have zeros here, and no edge has them. */
  readonly vertices: Float32Array;
  /**
   * The two vertices of edge k, counter-clockwise, at 2 k and 2 k + 1. Both are `NO_VERTEX` if no edge starts at vertex
   * k.
   */
  readonly edges: Uint32Array;
  /** Rounding radius. */
  readonly radius: number;
}
