/** Bodies in 3-D: which shape each has and where it stands. Conventions: docs/conventions.md. */

/** n bodies: which shape each has and where it stands, by position, rotation and scale or by matrix. */
export type Bodies = PosedBodies | MatrixBodies;

/** n bodies by position, rotation and scale. */
export interface PosedBodies {
  /** Shape ids from `addShape`, n of them. */
  shapes: Uint32Array;
  /**
   * x, y, z of each body, 3n; at most 1e30 either way. As `Float64Array`, pair-relative vectors are formed in 58-bit
   * fixed point over the range of all positions, and of the origins of rays: on a GPU bodies keep their tolerance while
   * no coordinate is beyond 1e11 times their size.
   */
  positions: Float32Array | Float64Array;
  /** x, y, z, w of each body, 4n; normalised by us; shorter than 1e-6 is invalid. */
  quaternions: Float32Array;
  /**
   * One uniform, positive scale factor per body, n; default 1. Multiplies rounding radii and a half-space's offset too.
   * At most 1e15, and so is the size of the scaled body: its greatest distance from its origin, for a half-space its
   * offset.
   */
  scales?: Float32Array;
  matrices?: undefined;
}

/** n bodies by matrix. */
export interface MatrixBodies {
  /** Shape ids from `addShape`, n of them. */
  shapes: Uint32Array;
  /**
   * A column-major 4 by 4 matrix a body, 16n, such as three.js has in `InstancedMesh.instanceMatrix.array`: rotation,
   * one positive scale along all axes, translation. What is mirrored, sheared or scaled unevenly by more than 1e-5 is
   * invalid. As `Float64Array`, translations are 64-bit positions.
   */
  matrices: Float32Array | Float64Array;
  positions?: undefined;
  quaternions?: undefined;
  scales?: undefined;
}
