/** The words of two-dimensional testers, where they differ from those of space. */

/** n bodies in the plane: which shape each has and where it stands. */
export interface PlanarBodies {
  /** Shape ids from `addShape`, n of them. */
  shapes: Uint32Array;
  /** x, y of each body, 2n; at most 1e30 either way. `Float64Array` as in `PosedBodies.positions`. */
  positions: Float32Array | Float64Array;
  /** Radians, counter-clockwise, n; any finite number. */
  angles: Float32Array;
  /** One uniform, positive scale factor a body, n; default 1. Multiplies rounding radii too. */
  scales?: Float32Array;
}

/** How n bodies of the plane move. */
export interface PlanarVelocities {
  /** Units a second along x, y of each body, 2n; at most 1e30 either way. */
  linearVelocities: Float32Array;
  /**
   * Radians a second about each body's origin, counter-clockwise, n; at most 32 radians within the duration. Default 0.
   */
  angularVelocities?: Float32Array;
}

/** n bodies of the plane in motion. */
export type PlanarMovingBodies = PlanarBodies & PlanarVelocities;

/** m rays of the plane, or circles that move along them. */
export interface PlanarRays {
  /** x, y of where each starts, 2m; as `Float64Array` where f32 is too coarse. */
  origins: Float32Array | Float64Array;
  /** x, y of how far each goes in a unit of time, 2m; of any length. */
  directions: Float32Array;
  /** How long each goes on, m; default `Infinity`. */
  maxTimes?: Float32Array;
  /** Radii of the circles, m; default 0: points. */
  radii?: Float32Array;
}
