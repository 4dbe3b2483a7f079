/** Public types for the options of batches, by query. */

import type { ResidentBodies } from './bodies.ts';
import type { ImpactAlgorithm } from './motion.ts';
import type { Algorithm, MprDepth } from './options.ts';
import type { QueryName } from './queries.ts';

/**
 * What a batch can compute: a query over pairs; `'pairs'`: the pairs of bodies that may meet; or `'rayCasts'`: what each
 * ray meets first.
 */
export type BatchQuery = QueryName | 'pairs' | 'rayCasts';

/** Options of a broad phase. */
export interface BroadPhaseOptions {
  /**
   * Largest gap between the bounding boxes of a pair, in world units. Default: the batch's `margin` if it is finite,
   * otherwise 0.
   */
  margin?: number;
}

/** Options of every batch: its bodies, and what it has room for. */
export interface BatchBodiesOptions {
  /** Capacity in bodies, required without `bodies`. A pair that names a higher index is `InvalidInput`. */
  maxBodies?: number;
  /**
   * Capacity in pairs. Further pairs are left out and counted in `pairOverflow`. For `rayCasts`: capacity in candidates,
   * pairs of a ray and a body whose box it meets. A ray whose candidates do not all fit gets `CapacityExceeded`.
   */
  maxPairs: number;
  /** Invocations per workgroup of your own pass over the records, for `output.dispatch`. Default 64. */
  workgroupSize?: number;
  /**
   * Your own buffer of poses, usage `STORAGE`: one `Pose` record per body (`layouts.Pose` of `narrowphase/wgsl`, 32 bytes:
   * position, scale, quaternion). In 2-D `PlanarPose` records (16 bytes: position, angle of at most 8192 radians either
   * way, scale).
   */
  poses?: GPUBuffer;
  /**
   * Bodies from `createBodies`: each `encode` first uploads and packs them if they were written since the last one. They
   * take the place of `write({ bodies })`. Positions must be f32.
   */
  bodies?: ResidentBodies<unknown>;
  /** Your own buffer of shape ids, usage `STORAGE`: one u32 per body. */
  shapes?: GPUBuffer;
}

/** Options of batches that may search for their pairs: how. */
export interface BatchSearchOptions {
  /**
   * Each `encode` finds the pairs on the GPU, from the poses in the buffers, and passes them to the query with no
   * read-back. Two bodies are a pair if their bounding boxes are at most `margin` apart; for `impacts`, and for `pairs`
   * with a `duration`, the boxes enclose the motion. `counts.candidates` is the number of all pairs, also above
   * `maxPairs`: then the pairs of the bodies with the lowest indices are kept whole, and `pairOverflow` counts the rest.
   * Takes 172 bytes per body. Always on for `pairs`. Default: you give the pairs.
   */
  broadPhase?: true | BroadPhaseOptions;
  /** With a broad phase: your own buffer with the number of bodies, usage `COPY_SRC`: one u32. */
  bodyCount?: GPUBuffer;
  /**
   * With a broad phase: your own buffer of collision groups, usage `STORAGE`: one u32 per body, the membership in the high
   * 16 bits, the filter in the low 16. Two bodies are a pair if each one's membership shares a bit with the other's filter.
   */
  groups?: GPUBuffer;
  /**
   * With a broad phase: your own buffer, usage `STORAGE`: one u32 per body, not 0 if it is fixed. Two fixed bodies are no
   * pair.
   */
  fixed?: GPUBuffer;
}

/** Options of batches whose bodies move. */
export interface BatchMotionOptions {
  /** Seconds of motion, at least 0. `write` can change it. */
  duration: number;
  /** Whether angular velocities are read. If not, bodies do not rotate. Default false. */
  turning?: boolean;
  /**
   * Your own buffer of velocities, usage `STORAGE`: one `Velocity` record per body (`layouts.Velocity`, 32 bytes: linear,
   * angular). In 2-D `PlanarVelocity` records (16 bytes).
   */
  velocities?: GPUBuffer;
}

/** Options of batches that answer a query over pairs. */
export interface BatchQueryOptions extends BatchBodiesOptions, BatchSearchOptions {
  /** As in queries: default `Infinity` for `distances`, otherwise 0. */
  margin?: number;
  /**
   * - `'all'` (default): record i belongs to pair i.
   * - `'hits'`: `output.records` holds only the hits, in ascending pair index, and `output.hits` their pairs.
   */
  results?: 'all' | 'hits';
  /**
   * With `results: 'hits'` or `'earliest'`: capacity in records. Further hits are left out and counted in `hitOverflow`.
   * Default `maxPairs`.
   */
  maxHits?: number;
  /** Your own buffer of pairs, usage `STORAGE`: two u32 body indices per pair. */
  pairs?: GPUBuffer;
  /** Your own buffer with the number of pairs, usage `COPY_SRC`: one u32. Default with your own `pairs`: `maxPairs`. */
  pairCount?: GPUBuffer;
}

/** Options of batches of `intersects`, `distances`, `contacts` and `manifolds`. */
export interface PlacedBatchOptions extends BatchQueryOptions {
  /**
   * As in queries, default `'auto'`. `'sat'` requires that all shapes of the tester are boxes; in 2-D segments, rectangles
   * and polygons.
   */
  algorithm?: Algorithm;
  /** Only with `algorithm: 'mpr'`, for `contacts` and `manifolds`. Default `'normal'`. */
  mprDepth?: MprDepth;
  /**
   * `true`: the search for pair i starts from the state that it reached in the last frame. It saves iterations where pair
   * i is the same pair as before and moved little, and changes no answer beyond the tolerance. A few degenerate pairs in a
   * thousand, such as equal boxes in one place, may end `NotConverged`. 16 bytes per pair, and per
   * pair of parts. 3-D only. Default false.
   */
  warmStart?: boolean;
}

/** Room for pairs of parts. */
export interface PartRoomOptions {
  /**
   * Capacity in pairs of parts, once the tester has compounds, meshes or chains. A pair of bodies takes as many as there
   * are parts of both whose boxes are at most `margin` apart, for `impacts` at some moment of the motion; two convex bodies
   * take one. For `distances`, it takes those whose boxes may be nearer than a first pair of parts, and two convex bodies take
   * none. If there are more, the pairs of bodies with the lowest indices are kept whole, and the others get
   * `CapacityExceeded`, or with `parts: 'all'` no records. Takes 24 to 532 bytes per pair of parts, by query. Default: 8 times
   * `maxPairs`, for `distances` 64 times, or as many as the buffers of the device have room for.
   */
  maxPartPairs?: number;
}

/** Options of batches that take compounds, meshes and chains. */
export interface PartsBatchOptions extends PlacedBatchOptions, PartRoomOptions {}

/** Options of batches of `contacts` and `manifolds`. */
export interface ContactBatchOptions extends PartsBatchOptions {
  /**
   * With `results: 'hits'`. `'all'`: a record for each pair of parts that hits, in ascending order of pair, part of A
   * and part of B, as in queries. `output.partPairs` has the bodies and parts of each. `maxHits` is then `maxPartPairs` by default.
   * Batches of `manifolds` take compounds, meshes and chains only with it.
   */
  parts?: 'all';
}

/** Options of batches of `impacts`. They accept compounds, meshes and chains. */
export interface ImpactBatchOptions extends Omit<BatchQueryOptions, 'results'>, BatchMotionOptions, PartRoomOptions {
  /** As in `impacts`, default `'auto'`. */
  algorithm?: ImpactAlgorithm;
  /** As in `impacts`, default true. */
  stopAtPenetration?: boolean;
  /**
   * - `'all'` (default): record i belongs to pair i.
   * - `'hits'`: `output.records` holds only the pairs that meet, in ascending pair index, and `output.hits` their pairs.
   * - `'earliest'`: the same, of the hits that are the first impact of either of their bodies. `NotConverged` pairs are
   *   among them by the bound of their time.
   */
  results?: 'all' | 'hits' | 'earliest';
}

/** Options of batches of `pairs`: the broad phase alone. With a `duration`, the pairs that can meet on the way. */
export interface PairBatchOptions extends BatchBodiesOptions, BatchSearchOptions, Partial<BatchMotionOptions> {
  /** Default of `broadPhase.margin`. Default 0. */
  margin?: number;
}

/** Options of batches of `rayCasts`. */
export interface RayBatchOptions extends BatchBodiesOptions, Pick<BatchSearchOptions, 'bodyCount' | 'groups'> {
  /** As in `rayCasts`, default `'auto'`. */
  algorithm?: ImpactAlgorithm;
  /** Capacity in rays. */
  maxRays: number;
  /**
   * Your own buffer of rays, usage `STORAGE`: one `RayCast` record per ray (`layouts.RayCast`, 48 bytes: origin, maximum
   * time, direction, radius, groups). In 2-D `PlanarRayCast` records (32 bytes).
   */
  rays?: GPUBuffer;
  /** Your own buffer with the number of rays, usage `COPY_SRC`: one u32. Default with your own `rays`: `maxRays`. */
  rayCount?: GPUBuffer;
}

/** The options of each batch. */
export interface BatchOptionsByQuery {
  intersects: PartsBatchOptions;
  distances: PartsBatchOptions;
  contacts: ContactBatchOptions;
  manifolds: ContactBatchOptions;
  impacts: ImpactBatchOptions;
  pairs: PairBatchOptions;
  rayCasts: RayBatchOptions;
}

/** Options of `createBatch`: a union by `query`. */
export type BatchOptions<Q extends BatchQuery = BatchQuery> = {
  [Query in Q]: { /** What the batch computes. */ query: Query } & BatchOptionsByQuery[Query];
}[Q];
