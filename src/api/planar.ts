/** Public types for bodies, motion and rays in 2-D. */

import type { CollisionFilters } from './bodies.ts';
import type { FieldList } from './fields.ts';
import type { ContactOptions, QueryOptions } from './options.ts';
import type { ImpactOptions, Impacts, RayCastOptions, RayHits } from './motion.ts';
import type { Contacts, Distances, Manifolds } from './results.ts';
import type { Vec2 } from './vectors.ts';

/** n bodies in 2-D: the shape and the place of each. */
export interface PlanarBodies extends CollisionFilters {
  /** Shape ids from `addShape`, 1 number per body. */
  shapes: Uint32Array;
  /**
   * World-space positions x, y: 2 numbers per body, each from -1e30 to 1e30. A `Float64Array` keeps its precision as
   * in `PosedBodies.positions`.
   */
  positions: Float32Array | Float64Array;
  /** Rotations in radians, counter-clockwise, 1 finite number per body. */
  angles: Float32Array;
  /** Uniform positive scale factors, 1 number per body; default 1. The scale multiplies rounding radii too. */
  scales?: Float32Array;
}

/** How n bodies in 2-D move. */
export interface PlanarVelocities {
  /** World-space velocities x, y in units per second: 2 numbers per body, each from -1e30 to 1e30. */
  linearVelocities: Float32Array;
  /**
   * Angular velocities in radians per second, counter-clockwise about each body's origin, 1 number per body. In
   * `impacts`, pairs of a body that rotates by more than 32 radians within the duration are `InvalidInput`. Default 0.
   */
  angularVelocities?: Float32Array;
}

/** n bodies in 2-D in motion. */
export type PlanarMovingBodies = PlanarBodies & PlanarVelocities;

/** Arrays of bodies in 2-D to replace in `ResidentBodies`; see `PlanarBodies` and `PlanarVelocities`. */
export interface PlanarBodyData extends CollisionFilters {
  shapes?: Uint32Array;
  positions?: Float32Array | Float64Array;
  angles?: Float32Array;
  scales?: Float32Array;
  linearVelocities?: Float32Array;
  angularVelocities?: Float32Array;
}

/** m rays in 2-D, or circles that move along them. */
export interface PlanarRays {
  /** World-space start points x, y: 2 numbers per ray. Use a `Float64Array` where f32 is too coarse. */
  origins: Float32Array | Float64Array;
  /** Displacements x, y per unit of time, of any length: 2 numbers per ray. */
  directions: Float32Array;
  /** How long each ray goes on, in units of time, 1 number per ray; default `Infinity`. */
  maxTimes?: Float32Array;
  /** Radii of the circles, 1 number per ray; default 0: points. */
  radii?: Float32Array;
  /** Collision groups as those of bodies, 1 number per ray; default 0xffffffff. */
  groups?: Uint32Array;
}

/** Options of queries in 2-D: those of 3-D without `warmStart`. */
export type PlanarQueryOptions<Result, List extends FieldList = undefined> = QueryOptions<Result, undefined, List>;

/** Options of `contacts` in 2-D: those of 3-D without `warmStart`. */
export type PlanarContactOptions<List extends FieldList = undefined> = ContactOptions<Vec2, undefined, List>;

/** Options of `impacts` in 2-D. */
export type PlanarImpactOptions<List extends FieldList = undefined> = ImpactOptions<Vec2, List>;

/** Options of `rayCasts` in 2-D. */
export type PlanarRayCastOptions<List extends FieldList = undefined> = RayCastOptions<Vec2, List>;

/** Result of `distances` in 2-D: vectors have 2 numbers per slot. */
export type PlanarDistances = Distances<Vec2>;

/** Result of `contacts` in 2-D: vectors have 2 numbers per slot. */
export type PlanarContacts = Contacts<Vec2>;

/** Result of `manifolds` in 2-D: vectors have 2 numbers per slot, positions 8. */
export type PlanarManifolds = Manifolds<Vec2>;

/** Result of `impacts` in 2-D: vectors have 2 numbers per slot. */
export type PlanarImpacts = Impacts<Vec2>;

/** Result of `rayCasts` in 2-D: vectors have 2 numbers per slot. */
export type PlanarRayHits = RayHits<Vec2>;
