/**
 * What differs between bodies in space and bodies in the plane, but for answering: the plan of the kernels
 * (gpu/plan.ts) and the reference (cpu/answer-pair.ts) ask for the dimension themselves.
 */
import type { MassProperties, PlanarMassProperties, PlanarShapeGeometry, ShapeGeometry } from '../geometry-types.ts';
import type { PlanarBodies, PlanarVelocities, PosedBodies, Velocities } from '../types.ts';
import type { Work } from '../turns.ts';
import type { Records } from '../pack/records.ts';

/** What every shape has, of either dimension. */
export interface ShapeBase {
  /** Of its core. */
  kind: number;
  /** Greatest distance of the shape from its body's origin, rounding and no scale included; 0 of a half-space. */
  boundingRadius: number;
  /** What it adds to the size of a pair: its bounding radius, of a half-space how far its plane is. */
  reach: number;
  /** Whether `'sat'` takes it. */
  takesSat: boolean;
}

/** Shapes by id. Ids of removed shapes are given out again, lowest first. */
export interface ShapeTable {
  readonly shapes: (ShapeBase | undefined)[];
  /** How many ids below the highest are free: only then one has to be looked for. */
  freeIds: number;
  /** Grows with every change. */
  version: number;
  /** Of a snapshot: for each half-space with an offset the id of the same without. */
  readonly planes?: ReadonlyMap<number, number>;
}

/** Validated bodies. */
export type SpaceBodies = PosedBodies | PlanarBodies;

/** How the bodies of a query of impacts move. */
export interface BodyMotion {
  /** A vector a body. */
  linear: Float32Array;
  /** In space a vector a body, in the plane a number. */
  angular?: Float32Array;
  /** Seconds. */
  duration: number;
  /** Whether bodies that overlap or touch to begin with meet only where they close in. */
  passesParting?: boolean;
}

export interface Space {
  readonly dimension: 2 | 3;
  readonly records: Records;
  /** Words of the buffers' records: those of poses and velocities begin with a position and a linear velocity. */
  readonly poseWords: number;
  readonly velocityWords: number;
  readonly shapeWords: number;
  /** Which word of a shape's record has the kind. */
  readonly kindWord: number;
  /** Numbers of an angular velocity, and the word of the first in a velocity's record. */
  readonly spinAxes: number;
  readonly spinWord: number;
  /** A ball of radius 1, which rays are, scaled. */
  readonly ball: ShapeBase;
  /** What `'sat'` takes: "boxes". */
  readonly satShapes: string;
  /** Whether searches may start from what they ended with before. */
  readonly takesWarmStart: boolean;
  makeShape(description: never, field?: string): ShapeBase;
  /** Throws `INVALID_INPUT`, which names `id`, for a shape without bounds. */
  massProperties(shape: ShapeBase, id: number): MassProperties | PlanarMassProperties;
  shapeGeometry(shape: ShapeBase): ShapeGeometry | PlanarShapeGeometry;
  /** Throws `INVALID_INPUT` unless every body can be used; gives them by position and rotation. */
  validateBodies(bodies: unknown, table: ShapeTable): SpaceBodies;
  /** A half-space without its offset; undefined for shapes that have none. */
  planeOf(shape: ShapeBase | undefined): ShapeBase | undefined;
  /**
   * The same bodies; with 64-bit positions half-spaces stand on their planes. `table` is a snapshot, `angular` as in
   * `BodyMotion`.
   */
  standOnPlanes(bodies: SpaceBodies, table: ShapeTable, angular?: Float32Array): SpaceBodies;
  /** Throws `INVALID_INPUT` where two bodies have no distance by what they are. */
  expectPairs(shapes: Uint32Array, pairs: Uint32Array, table: ShapeTable): void;
  /**
   * The pairs of bodies that may be at most `margin` apart, by their boxes; throws `LIMIT_EXCEEDED` beyond `maxPairs`.
   */
  findPairs(
    bodies: SpaceBodies,
    shapes: readonly (ShapeBase | undefined)[],
    margin: number,
    maxPairs: number,
  ): Work<Uint32Array>;
  /** The buffers `shapes` and `geometry` of the kernels. */
  packShapes(shapes: readonly (ShapeBase | undefined)[]): { shapes: ArrayBuffer; geometry: ArrayBuffer };
  /** Writes records of all bodies' poses, positions rounded to f32, to the front of `poses`. */
  packPoses(bodies: SpaceBodies, poses: Float32Array): void;
  /**
   * Bodies of these shapes, positions and scales, the first of which are turned as `bodies` are, the others not at all.
   */
  withUpright(
    bodies: SpaceBodies,
    shapes: Uint32Array,
    positions: Float32Array | Float64Array,
    scales: Float32Array,
  ): SpaceBodies;
}

/** Velocities as callers give them. */
export type SpaceVelocities = Velocities | PlanarVelocities;
