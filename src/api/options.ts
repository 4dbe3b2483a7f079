/// <reference lib="esnext.disposable" preserve="true" />
/** Public types for options of queries. */
import type { FieldList, Fields, TargetOf } from './fields.ts';
import type { Contacts } from './results.ts';
import type { Vec3 } from './vectors.ts';

/**
 * Algorithm of a query; see https://github.com/narrowphase/narrowphase/blob/main/docs/algorithms.md.
 *
 * - `'auto'`: closed forms where they exist, SAT for two boxes, GJK for the rest. If cores overlap, the depth comes from
 *   the faces and arcs of Gauss maps (polytopes of few facets) or from EPA. For `distances`: a projected Newton search
 *   for the remaining pairs of spheres, capsules and boxes, then GJK.
 * - `'gjk'`: GJK and EPA.
 * - `'sat'`: the separating-axis test. Boxes only; in 2-D segments, rectangles and polygons.
 * - `'mpr'`: Minkowski portal refinement, whose depths are upper bounds. Pairs that it leaves open, and pairs whose gap is
 *   requested, go on to GJK.
 *
 * Half-spaces have closed forms with every shape, for every algorithm except `'sat'`. In 2-D, `'auto'` uses closed forms
 * for circles with any shape and for two segments or capsules, SAT for other overlapping pairs, GJK for pairs that are
 * apart or hardly touch, and GJK and EPA for two polygons of more than 40 corners together.
 */
export type Algorithm = 'auto' | 'sat' | 'gjk' | 'mpr';

/**
 * Depth that MPR returns. Both are upper bounds of the true depth;
 * https://github.com/narrowphase/narrowphase/blob/main/docs/algorithms.md says by how much.
 *
 * - `'normal'` (default): the best depth found by casting further lines along the shallowest directions so far, until the
 *   depth stops decreasing.
 * - `'ray'`: the depth of the plane through which the line between the centres leaves the Minkowski difference.
 */
export type MprDepth = 'ray' | 'normal';

/** Options of `intersects`, `distances` and `manifolds`. `List` is the type of `fields`; undefined: there are none. */
export interface QueryOptions<Result, Warm = WarmStart, List extends FieldList = undefined> {
  /** Default `'auto'`. `'sat'` accepts boxes only; in 2-D segments, rectangles and polygons. */
  algorithm?: Algorithm;
  /** Only with `algorithm: 'mpr'`, for `contacts` and `manifolds`. Default `'normal'`. */
  mprDepth?: MprDepth;
  /**
   * A pair is a hit if its signed distance is at most `margin`, in world units. At least 0; default `Infinity` for
   * `distances`, otherwise 0. Pairs farther apart may be answered early: their `distance` is then a positive lower bound
   * of the gap, `normal` a separating axis, and the points are 0.
   */
  margin?: number;
  /** `'all'` (default): slot i is pair i. `'hits'`: only the hits, in ascending pair index. */
  results?: 'all' | 'hits';
  /**
   * Names of the arrays that the result has: `['distance', 'normal']`. The others are not in the result, are not
   * allocated, and need not be in `target`. `[]`: no arrays, only `count`, `statusCounts` and, where the query has them,
   * `hits` and `first`. `fields` overrides the options `bodies` and `bounds`: name `a`, `b`, `lower` or `upper` to get
   * them. Default: all arrays but these four.
   */
  fields?: Fields<Result, List> | undefined;
  /**
   * A result of the same query whose arrays are written again. The arrays must be long enough. With `fields`, only the
   * arrays named there are needed. Use the result that the query returns: it has the new counts.
   */
  target?: TargetOf<Result, NoInfer<List>>;
  /**
   * `true`: pairs that end `NotConverged` on a GPU are retried on the double-precision reference when they are read back;
   * with `results: 'hits'` only the listed ones. This runs on the caller's thread and takes up to seconds for hulls of
   * thousands of vertices. Default false.
   */
  escalate?: boolean;
  /**
   * A warm start from `createWarmStart`: the search for pair i starts from the state that the search for pair i reached in
   * the last query with this warm start. It saves iterations where pair i is the same pair and moved little. It changes no
   * answer beyond the tolerance, whatever pairs it was used for; a few degenerate pairs in a thousand may end
   * `NotConverged`. It pays for `distances` of meshes, and for `distances` and `intersects` of hulls, and gains little for
   * boxes.
   */
  warmStart?: Warm;
  /** `true` adds `a` and `b` to the result: the body indices of each slot's pair. Default false. No effect with `fields`. */
  bodies?: boolean;
  /**
   * `'all'`: a slot for each pair of parts that hits, in ascending order of pair, part of A and part of B. The result has
   * `partA` and `partB`, unless `fields` names others. By default, a pair with a compound, a mesh or a chain has one answer:
   *
   * - `intersects`: whether any of their parts hit.
   * - `distances`: that of the nearest parts.
   * - `contacts`: that of the deepest parts.
   * - `impacts`: that of the parts that meet first.
   * - `manifolds` always has a slot for each pair of parts that hits if there are compounds, meshes or chains in the pairs.
   *
   * Not with `results: 'earliest'`.
   */
  parts?: 'all';
  /**
   * Rejects the query with `ABORTED`. Work that the device has already started is finished in the background; it writes
   * nothing to `target`.
   */
  signal?: AbortSignal;
}

/** Options of `contacts`. `List` is the type of `fields`; undefined: there are none. */
export interface ContactOptions<
  Vector = Vec3,
  Warm = WarmStart,
  List extends FieldList = undefined,
> extends QueryOptions<Contacts<Vector>, Warm, List> {
  /** `true` adds `lower` and `upper` to the result: bounds of the true signed distance. Default false. No effect with `fields`. */
  bounds?: boolean;
}

/** State of searches, pair by pair, kept from query to query; made by `createWarmStart`. */
export interface WarmStart {
  /**
   * Largest number of pairs of a query that uses it. Memory is allocated for up to 1.5 times the pairs of the longest
   * query so far: 16 bytes per pair on a GPU, 64 on the CPU, and 8 in queries over compounds and meshes.
   */
  readonly maxPairs: number;
  /** Frees the memory. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** Options of `findPairs`. */
export interface FindPairsOptions {
  /** Largest gap between the bounding boxes of a pair, in world units: finite, at least 0; default 0. */
  margin?: number;
  /**
   * Seconds of motion, at least 0, for bodies with velocities: the boxes then enclose the bodies on their way, so that no
   * pair is lost that `impacts` reports for this duration and this margin. `Infinity` is allowed if nothing rotates.
   * Rounded to f32. Default: the bodies are at rest, whether or not they have velocities.
   */
  duration?: number;
  /** Rejects the query with `ABORTED`. */
  signal?: AbortSignal;
}
