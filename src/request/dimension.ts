/**
 * Everything about a query that depends on the dimension: shapes, bodies and records. The folder dimension/ has one
 * object for 2-D and one for 3-D, with the planners of kernels and the reference. Methods are declared as methods, so
 * that code for both dimensions can hold either object as a `Dimension`.
 */
import type { MassProperties, PlanarMassProperties, PlanarShapeGeometry, ShapeGeometry } from '../api/geometry.ts';
import type { CollisionFilters } from '../api/bodies.ts';
import type { AnyBodies, PoseLayout } from '../records/bodies.ts';
import type { ShapeBase, ShapeMaker, ShapeTable } from '../shapes/shape-table.ts';
import type { BodyTree, TreeForm } from '../broad-phase/body-tree.ts';
import type { Work } from '../util/turns.ts';
import type { Records } from '../records/layout.ts';

/** The broad phase of a dimension. Methods, as those of `Dimension` are. */
export interface BroadPhase<Shape extends ShapeBase = ShapeBase, Bodies extends AnyBodies = AnyBodies> {
  /** The tree over the boxes of all bodies. */
  buildTree(bodies: Bodies, shapes: readonly (Shape | undefined)[], form: TreeForm): Work<BodyTree>;
  /** The pairs of bodies that may meet, by their boxes. The tree was built with these filters. */
  findPairs(tree: BodyTree, filters: CollisionFilters, maxPairs: number): Work<Uint32Array>;
}

/** Throws `INVALID_INPUT` unless every number can be used. */
export type Check = () => void;

/** Bodies by position and rotation. */
export interface ReadBodies<Bodies extends AnyBodies = AnyBodies> {
  /** An object of its own: the caller may put other arrays into theirs while the query waits for its turn. */
  bodies: Bodies;
  /** Backends do not get these: they answer for given pairs. */
  filters: CollisionFilters;
  check: Check;
}

export interface Dimension<
  Shape extends ShapeBase = ShapeBase,
  Bodies extends AnyBodies = AnyBodies,
  Description = unknown,
>
  extends PoseLayout, ShapeMaker<Shape, Description> {
  readonly records: Records;
  readonly shapeWords: number;
  /** The most records per shape: a half-space has a second one without its offset. */
  readonly recordsPerShape: number;
  /** Which word of a shape's record has the kind. */
  readonly kindWord: number;
  /** The shapes that `'sat'` takes, for messages: "boxes". */
  readonly satShapes: string;
  /** Whether searches may start from their last simplices. */
  readonly takesWarmStart: boolean;
  /** Both throw `INVALID_INPUT`, which names `id`, for shapes that have none. */
  massProperties(shape: Shape, id: number): MassProperties | PlanarMassProperties;
  shapeGeometry(shape: Shape, id: number): ShapeGeometry | PlanarShapeGeometry;
  /** The shape of a mesh with its vertices at other positions; throws `INVALID_INPUT`. Missing where there are no meshes. */
  moveMesh(shape: Shape, id: number, positions: unknown): Shape;
  /** Reads bodies; throws `INVALID_INPUT` unless their arrays have the right types and lengths. */
  readBodies(bodies: unknown, table: ShapeTable): ReadBodies<Bodies>;
  /**
   * The same bodies; 64-bit positions absorb the offsets of half-spaces. `table` is a snapshot, `angular` as in
   * `BodyMotion`.
   */
  absorbHalfspaceOffsets(bodies: Bodies, table: ShapeTable, angular?: Float32Array): Bodies;
  /** Throws `INVALID_INPUT` where two bodies have no distance by what they are. */
  expectPairs(shapes: Uint32Array, pairs: Uint32Array, table: ShapeTable): void;
  loadBroadPhase(): Promise<BroadPhase<Shape, Bodies>>;
  /** The buffers `shapes` and `geometry` of the kernels. */
  packShapes(shapes: readonly (Shape | undefined)[]): { shapes: ArrayBuffer; geometry: ArrayBuffer };
  /**
   * Bodies of these shapes, positions and scales, the first of which are turned as `bodies` are, the others not at all.
   */
  withUpright(
    bodies: Bodies,
    shapes: Uint32Array,
    positions: Float32Array | Float64Array,
    scales: Float32Array,
  ): Bodies;
}
