/**
 * Public types for bodies in 3-D. Conventions:
 * https://github.com/narrowphase/narrowphase/blob/main/docs/conventions.md.
 */

/** n bodies: the shape and the place of each, by position, rotation and scale or by matrix. */
export type Bodies = PosedBodies | MatrixBodies;

/** Which bodies can form pairs, apart from where they are. Queries over given pairs ignore these fields. */
export interface CollisionFilters {
  /**
   * Collision groups, 1 number per body: the membership in the high 16 bits, the filter in the low 16. Two bodies form a
   * pair if each one's membership shares a bit with the other's filter. Default 0xffffffff: all groups, with all groups.
   * `findPairs` applies them to pairs, `rayCasts` to a ray and a body.
   */
  groups?: Uint32Array;
  /** 1 number per body; non-zero marks it as fixed. Two fixed bodies form no pair. Default 0. */
  fixed?: Uint8Array;
}

/** n bodies by position, rotation and scale. */
export interface PosedBodies extends CollisionFilters {
  /** Shape ids from `addShape`, 1 number per body. */
  shapes: Uint32Array;
  /**
   * World-space positions x, y, z: 3 numbers per body, each from -1e30 to 1e30.
   *
   * A `Float32Array` is used as it is. A `Float64Array` keeps its precision: the CPU computes with it, and the GPU stores
   * positions as 58-bit fixed point spanning the query's bodies and ray origins. The tolerance holds as long as no
   * coordinate exceeds 1e11 times the body size.
   */
  positions: Float32Array | Float64Array;
  /**
   * Rotations x, y, z, w: 4 numbers per body. They are normalised on entry; a quaternion shorter than 1e-6 is invalid.
   */
  quaternions: Float32Array;
  /**
   * Uniform positive scale factors, 1 number per body; default 1. The scale multiplies rounding radii and the offset of
   * a half-space too. The scale, and the size of the scaled body, are at most 1e15. The size is the greatest distance of
   * the body from its origin; for a half-space it is the offset.
   */
  scales?: Float32Array;
  matrices?: undefined;
}

/** n bodies by matrix. */
export interface MatrixBodies extends CollisionFilters {
  /** Shape ids from `addShape`, 1 number per body. */
  shapes: Uint32Array;
  /**
   * Column-major 4 by 4 matrices, 16 numbers per body, as three.js stores them in
   * `InstancedMesh.instanceMatrix.array`: rotation, one positive scale, translation. A matrix that mirrors, shears or
   * scales unevenly by more than 1e-5 is invalid. Translations of a `Float64Array` are 64-bit positions.
   */
  matrices: Float32Array | Float64Array;
  positions?: undefined;
  quaternions?: undefined;
  scales?: undefined;
}

/**
 * Bodies that stay with a tester; made by `createBodies`. A handle stands in place of bodies in all queries of its
 * tester. Its arrays are copies: those given to `createBodies` and `write` may be changed afterwards.
 *
 * On a GPU the bodies are uploaded by the first query after a change, and by that query only what changed. A tree over the
 * bodies that `rayCasts` or `findPairs` built on the CPU serves later calls until the bodies or their shapes change.
 */
export interface ResidentBodies<Data = BodyData> {
  /** Number of bodies. */
  readonly count: number;
  /**
   * Replaces the given arrays, for queries that are called from now on. Each has as many bodies as before; arrays that
   * are not given stay. Matrices replace positions, rotations and scales.
   *
   * @throws NarrowphaseError `INVALID_INPUT`; `OUT_OF_MEMORY`; `DISPOSED`. Nothing is replaced then.
   */
  write(data: Data): void;
  /** Frees the memory once queries already queued have finished; those still resolve. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** Arrays of bodies in 3-D to replace; see `Bodies` and `Velocities`. */
export interface BodyData extends CollisionFilters {
  shapes?: Uint32Array;
  positions?: Float32Array | Float64Array;
  quaternions?: Float32Array;
  scales?: Float32Array;
  matrices?: Float32Array | Float64Array;
  linearVelocities?: Float32Array;
  angularVelocities?: Float32Array;
}
