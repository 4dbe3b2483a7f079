/** Public types for `trianglePairs`. */
import type { FieldList, Fields, TargetOf } from './fields.ts';
import type { Results, Status } from './results.ts';

/** Options of `trianglePairs`. `List` is the type of `fields`; undefined: there are none. */
export interface TrianglePairOptions<List extends FieldList = undefined> {
  /** As in queries over pairs: names of the arrays that the result has. Default: all. */
  fields?: Fields<TrianglePairs, List> | undefined;
  /**
   * A result of an earlier call whose arrays are written again. The arrays must be long enough. With `fields`, only the
   * arrays named there are needed.
   */
  target?: TargetOf<TrianglePairs, NoInfer<List>>;
  /** Rejects the query with `ABORTED`. */
  signal?: AbortSignal;
}

/** One slot of `TrianglePairs`. */
export interface TrianglePairItem {
  /** Index of the pair. */
  pair: number;
  /** `Overlapping`. */
  status: Status;
  /** Index of the triangle of A. */
  triangleA: number;
  /** Index of the triangle of B. */
  triangleB: number;
  /** Both ends of what they have in common, in world space: x, y, z, then x, y, z. */
  segment: readonly number[];
}

/**
 * Result of `trianglePairs`: all pairs of triangles that touch or intersect, in ascending order of pair, triangle of A and
 * triangle of B. Whether two triangles touch is decided exactly for their corners in double precision, which the rotation
 * of B into A's frame has rounded.
 */
export interface TrianglePairs extends Results<TrianglePairItem> {
  /** Number of slots. */
  readonly hits: number;
  /** Index of the triangle of A, 1 number per slot. */
  readonly triangleA: Uint32Array;
  /** Index of the triangle of B, 1 number per slot. */
  readonly triangleB: Uint32Array;
  /**
   * Both ends of the segment that the triangles have in common, in world space, 6 numbers per slot: x, y, z of one end,
   * then of the other. The ends are equal where they only touch in a point. For coplanar triangles it is the longest
   * segment within their common area. A `Float64Array` if positions or matrices are.
   */
  readonly segment: Float32Array | Float64Array;
}
