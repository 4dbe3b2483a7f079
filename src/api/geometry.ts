/** Public types of what a tester knows of a shape: its mass properties, and its vertices, edges and faces. */

import type { PlanarVector, SpaceVector } from './vectors.ts';

/**
 * Volume integrals of a shape of density 1, rounding included, in the shape's frame and at scale 1. For a body of scale
 * s multiply `volume` by s³, `centroid` by s and `inertia` by s⁵.
 */
export interface MassProperties {
  /** Cubic units; 0 for a shape without a volume. */
  readonly volume: number;
  /** Centre of mass. For a shape without a volume: that of its area, its length or its point. */
  readonly centroid: SpaceVector;
  /**
   * Inertia tensor about the centroid, 9 numbers row by row: xx, xy, xz, yx, yy, yz, zx, zy, zz. Products are negative
   * (xy is minus the integral of x · y). Zeros for a shape without a volume.
   */
  readonly inertia: readonly number[];
}

/**
 * Area integrals of a 2-D shape of density 1, rounding included, in the shape's frame and at scale 1. For a body of
 * scale s multiply `area` by s², `centroid` by s and `inertia` by s⁴.
 */
export interface PlanarMassProperties {
  /** Square units; 0 for a shape without an area. */
  readonly area: number;
  /** Centre of mass. For a shape without an area: that of its length or its point. */
  readonly centroid: PlanarVector;
  /** Moment of inertia about the centroid; 0 for a shape without an area. */
  readonly inertia: number;
}

/** A circle in the shape's frame. */
export interface Circle {
  readonly centre: SpaceVector;
  /** Unit normal of its plane. */
  readonly normal: SpaceVector;
  readonly radius: number;
}

/** What a face is that is no polygon. A sphere's only feature is its vertex. */
export type Surface = 'disc' | 'cylinder' | 'cone' | 'ellipsoid' | 'plane';

/**
 * Vertices, edges and faces of a shape by the indices that `featureA` and `featureB` of `contacts` have, in the shape's
 * frame and at scale 1. They are those of the core: a rounded shape is all within `radius` of it.
 *
 * | shape | vertices | edges | faces |
 * | --- | --- | --- | --- |
 * | sphere | 0, the centre | | |
 * | capsule | 0 below, 1 above | 0 | |
 * | box | bits 0, 1, 2 are set where x, y, z is positive | 4 · axis + 2 bits | 2 · axis + 1 where it is positive |
 * | triangle, hull | the caller's points | sorted by vertices | as built |
 * | cylinder | | circles 0 below, 1 above | surfaces 0 below, 1 above, 2 around |
 * | cone | 0, the apex | circle 0 | surfaces 0 below, 1 around |
 * | ellipsoid, half-space | | | surface 0 |
 */
export interface ShapeGeometry {
  /** x, y, z of vertex k at 3 k. A hull's points that are no vertices are zeros here, and no edge or face has them. */
  readonly vertices: Float32Array;
  /** The two vertices of edge k, at 2 k and 2 k + 1. */
  readonly edges: Uint32Array;
  /** The vertices of each face, counter-clockwise seen from outside; 2 where the face is narrower than f32 can tell. */
  readonly faces: readonly Uint32Array[];
  /** Edges of a cylinder or cone; otherwise empty. */
  readonly circles: readonly Circle[];
  /** Faces of a shape that has no polygons; otherwise empty. */
  readonly surfaces: readonly Surface[];
  /** Rounding radius. */
  readonly radius: number;
}

/**
 * Corners and edges of a 2-D shape by the indices that `featureA` and `featureB` of `contacts` have, in the shape's
 * frame and at scale 1. They are those of the core: a rounded shape is all within `radius` of it.
 *
 * | shape | vertices | edges |
 * | --- | --- | --- |
 * | circle | 0, the centre | |
 * | capsule | 0 below, 1 above | 0 |
 * | segment | the caller's points | 0 |
 * | rectangle | bits 0, 1 are set where x, y is positive | that of the vertex that it starts at |
 * | polygon | the caller's points | that of the vertex that it starts at |
 */
export interface PlanarShapeGeometry {
  /** x, y of vertex k at 2 k. A polygon's points that are no corners are zeros here, and no edge has them. */
  readonly vertices: Float32Array;
  /**
   * The two vertices of edge k, counter-clockwise, at 2 k and 2 k + 1. Both are 0xffffffff where no edge starts at
   * vertex k.
   */
  readonly edges: Uint32Array;
  /** Rounding radius. */
  readonly radius: number;
}
