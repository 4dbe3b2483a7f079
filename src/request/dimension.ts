/** All that depends on the dimension, but for answering, in one object: bodies, shapes, records. dimension/ has both. */
import type { MassProperties, PlanarMassProperties, PlanarShapeGeometry, ShapeGeometry } from '../api/geometry.ts';
import type { AnyBodies, PoseLayout } from '../records/bodies.ts';
import type { ShapeBase, ShapeMaker, ShapeTable } from '../shapes/shape-table.ts';
import type { Work } from '../util/turns.ts';
import type { Records } from '../records/layout.ts';

export interface Dimension extends PoseLayout, ShapeMaker {
  readonly records: Records;
  readonly shapeWords: number;
  /** Most records that a query has of a shape: a half-space has one more without its offset. */
  readonly recordsPerShape: number;
  /** Which word of a shape's record has the kind. */
  readonly kindWord: number;
  /** What `'sat'` takes: "boxes". */
  readonly satShapes: string;
  /** Whether searches may start from what they ended with before. */
  readonly takesWarmStart: boolean;
  /** Throws `INVALID_INPUT`, which names `id`, for a shape without bounds. */
  massProperties(shape: ShapeBase, id: number): MassProperties | PlanarMassProperties;
  shapeGeometry(shape: ShapeBase): ShapeGeometry | PlanarShapeGeometry;
  /** Throws `INVALID_INPUT` unless every body can be used; gives them by position and rotation. */
  validateBodies(bodies: unknown, table: ShapeTable): AnyBodies;
  /**
   * The same bodies; with 64-bit positions half-spaces stand on their planes. `table` is a snapshot, `angular` as in
   * `BodyMotion`.
   */
  standOnPlanes(bodies: AnyBodies, table: ShapeTable, angular?: Float32Array): AnyBodies;
  /** Throws `INVALID_INPUT` where two bodies have no distance by what they are. */
  expectPairs(shapes: Uint32Array, pairs: Uint32Array, table: ShapeTable): void;
  /**
   * The pairs of bodies that may be at most `margin` apart, by their boxes; throws `LIMIT_EXCEEDED` beyond `maxPairs`.
   */
  findPairs(
    bodies: AnyBodies,
    shapes: readonly (ShapeBase | undefined)[],
    margin: number,
    maxPairs: number,
  ): Work<Uint32Array>;
  /** The buffers `shapes` and `geometry` of the kernels. */
  packShapes(shapes: readonly (ShapeBase | undefined)[]): { shapes: ArrayBuffer; geometry: ArrayBuffer };
  /**
   * Bodies of these shapes, positions and scales, the first of which are turned as `bodies` are, the others not at all.
   */
  withUpright(
    bodies: AnyBodies,
    shapes: Uint32Array,
    positions: Float32Array | Float64Array,
    scales: Float32Array,
  ): AnyBodies;
}
