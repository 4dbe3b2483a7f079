/** The words of batches: queries whose input and output stay on the GPU. */

import type { SpaceTypes, TesterTypes } from './dimensions.ts';
import type { ImpactAlgorithm } from './motion.ts';
import type { Algorithm, MprDepth } from './options.ts';
import type { QueryName, QueryResults } from './queries.ts';
import type { StatusCounts } from './results.ts';

/** Options of `createBatch`. */
export interface BatchOptions<Q extends QueryName = QueryName> {
  query: Q;
  /** Bodies that there is room for; a pair that names a higher index is `InvalidInput`. */
  maxBodies: number;
  /** Pairs that there is room for; more are left out and counted in `pairOverflow`. */
  maxPairs: number;
  /**
   * As in queries. `'sat'` needs a tester with boxes only, or in the plane with segments, rectangles and polygons only;
   * `impacts` take `'auto'`, `'gjk'` and `'epa'`.
   */
  algorithm?: Algorithm | ImpactAlgorithm;
  /** As in queries: of `'mpr'` alone, default `'normal'`. */
  mprDepth?: MprDepth;
  /** As in queries: default `Infinity` for `distances`, otherwise 0. */
  margin?: number;
  /** Of `impacts`, which need it: seconds of motion, at least 0; `write` can change it. */
  duration?: number;
  /**
   * Of `impacts`: whether angular velocities are read. Bodies of a batch that do not turn take no notice of them.
   * Default false.
   */
  turning?: boolean;
  /** `impacts` only: as in queries, default true. */
  stopAtPenetration?: boolean;
  /**
   * `'all'` (default): record i is pair i. `'hits'`: `output.records` holds the hits alone, in ascending pair index,
   * and `output.hits` their pairs. `'earliest'`, of `impacts`: the same of those hits that are the first impact of
   * either of their bodies; `NotConverged` pairs are among them by the bound of their time.
   */
  results?: 'all' | 'hits' | 'earliest';
  /**
   * With `results: 'hits'` or `'earliest'`: records that there is room for; more are left out and counted in
   * `hitOverflow`. Default `maxPairs`.
   */
  maxHits?: number;
  /** Invocations in a workgroup of your pass over the records, for `output.dispatch`. Default 64. */
  workgroupSize?: number;
  /**
   * Searches start from what they ended with in the last frame, pair by pair: fewer iterations where pair i is the same
   * pair as before and moved little, the same answers to the tolerance whatever it is, but that a few degenerate pairs
   * in a thousand (equal boxes in one place, say) may end `NotConverged`. 16 bytes a pair. Default false. Not in the
   * plane.
   */
  warmStart?: boolean;
  /**
   * `contacts` and `manifolds` only: overlapping pairs of polytopes that EPA does not resolve, such as nearly
   * concentric hulls of hundreds of vertices, are resolved by the arcs of their Gauss maps. Batches that start warm or
   * have a hull of more than 12 vertices always do that. With `true` all batches do. Default false. No effect in the
   * plane.
   */
  largePolytopes?: boolean;
  /**
   * Poses of the caller's, usage `STORAGE`: `Pose` records (`layouts.Pose` of `narrowphase/wgsl`, 32 bytes: position,
   * scale, quaternion), in the plane `PlanarPose` records (16 bytes: position, angle of at most 8192 radians either
   * way, scale).
   */
  poses?: GPUBuffer;
  /** Shape ids of the caller's, a u32 a body, usage `STORAGE`. */
  shapes?: GPUBuffer;
  /**
   * Velocities of the caller's, of `impacts`, usage `STORAGE`: `Velocity` records (`layouts.Velocity`, 32 bytes:
   * linear, angular), in the plane `PlanarVelocity` records (16 bytes).
   */
  velocities?: GPUBuffer;
  /** Pairs of the caller's: two u32 body indices a pair, usage `STORAGE`. */
  pairs?: GPUBuffer;
  /** Number of pairs, a u32 of the caller's, usage `COPY_SRC`. Default with `pairs` of the caller's: `maxPairs`. */
  pairCount?: GPUBuffer;
}

/**
 * Where a batch reads from: the caller's buffers, or its own, which `write` fills, or the caller where only some are
 * the caller's: usage `STORAGE | COPY_SRC | COPY_DST`.
 */
export interface BatchInput {
  readonly poses: GPUBuffer;
  readonly shapes: GPUBuffer;
  readonly pairs: GPUBuffer;
  readonly pairCount: GPUBuffer;
  /** Of `impacts`. */
  readonly velocities?: GPUBuffer;
}

/** Where a batch writes to; usage `STORAGE | COPY_SRC`. Layouts and WGSL structs stand in `narrowphase/wgsl`. */
export interface BatchOutput {
  /**
   * A u32 (`intersects`: the `info` word), `Distance`, `Contact`, `Manifold` or `Impact` record (in the plane
   * `PlanarDistance` and so on) a pair, or with `results: 'hits'` or `'earliest'` a hit. Points are relative to A's
   * position, in world axes; of impacts to A's position at the unclamped time.
   */
  readonly records: GPUBuffer;
  /** One `Counts` record. */
  readonly counts: GPUBuffer;
  /**
   * With `results: 'hits'` or `'earliest'`: word `LIST_COUNT` is the number of hits, words from `LIST_HEADER` on are
   * their pairs, ascending.
   */
  readonly hits?: GPUBuffer;
  /**
   * Arguments for `dispatchWorkgroupsIndirect` of your pass over the records, which this frame's `encode` fills: x,
   * y, z counts of workgroups of `workgroupSize` invocations, at least one invocation per record in `records` and
   * none for an empty frame. Usage also `INDIRECT`.
   *
   * With up to 65,535 workgroups y is 1. With more, x is the device's `maxComputeWorkgroupsPerDimension` and y the
   * number of rows. An invocation's record is `(workgroup_id.y * num_workgroups.x + workgroup_id.x) * workgroupSize +
   * local_invocation_index` (`dispatchedRecord` in WGSL); compare it with the counts, since the last workgroups may
   * reach beyond the records.
   */
  readonly dispatch: GPUBuffer;
  /**
   * With `results: 'earliest'`: a u32 a body, the pair of its first impact or 0xffffffff. What `read` gives has the
   * slot instead, and 0xffffffff also for bodies whose first impact is among the `hitOverflow`.
   */
  readonly first?: GPUBuffer;
}

/** Facts of a whole batch. */
export interface BatchCounts {
  /** Pairs answered. */
  readonly pairs: number;
  /** Pairs left out because there were more than `maxPairs`. */
  readonly pairOverflow: number;
  /** Hits found. */
  readonly hits: number;
  /** Hits left out of the records because there were more than `maxHits`. */
  readonly hitOverflow: number;
  /** Pairs by status. */
  readonly statusCounts: StatusCounts;
}

/** Options of `read`. */
export interface BatchReadOptions<Result> {
  /** A result of the same query whose arrays are written again; they must be long enough. */
  target?: Result;
  /** Of `contacts`: fill `lower` and `upper`. */
  bounds?: boolean;
  /** Fill `a` and `b`: the body indices of each slot's pair, whoever owns the buffer of pairs. Default false. */
  bodies?: boolean;
  /** Ends the read with `ABORTED`. */
  signal?: AbortSignal;
}

/**
 * A query that is recorded into the caller's command encoders, any number of times; made by `tester.createBatch`.
 *
 *     batch.write({ bodies, pairs });                    // or the caller's own buffers
 *     const encoder = batch.device.createCommandEncoder();
 *     batch.encode(encoder);
 *     // the caller's own passes may use batch.output here
 *     batch.device.queue.submit([encoder.finish()]);
 *     const contacts = await batch.read();               // only where the host has to know
 *
 * Methods throw `NarrowphaseError`: `INVALID_INPUT`, `DISPOSED`, `DEVICE_LOST`; `read` besides `ABORTED`,
 * `OUT_OF_MEMORY`.
 */
export interface Batch<Result, Types extends TesterTypes = SpaceTypes> {
  /** The tester's device, whose encoders and queue are to be used. */
  readonly device: GPUDevice;
  readonly input: BatchInput;
  readonly output: BatchOutput;
  /**
   * Uploads bodies (f32 positions) and pairs into the batch's own buffers, before what is submitted next. Bodies that
   * are not written keep what they had. Of `impacts` bodies have velocities, and the duration may change from now on.
   */
  write(data: { bodies?: Types['bodies'] | Types['movingBodies']; pairs?: Uint32Array; duration?: number }): void;
  /**
   * Records the query: some copies of four bytes and one compute pass. Submits nothing, waits for nothing, and
   * allocates nothing as long as the tester's shapes are the same. Submit what was recorded before shapes changed
   * before you encode again: the new shapes are uploaded by the next `encode`.
   */
  encode(encoder: GPUCommandEncoder): void;
  /**
   * The output of what was submitted last, as the tester's queries give it, points in world space. The copy is
   * submitted before this returns, so the next frame may be submitted at once: up to three reads are under way without
   * another allocation. Call it before positions of the next frame are written.
   */
  read(options?: BatchReadOptions<Result>): Promise<Result>;
  /** Only the counts, 36 bytes. */
  readCounts(options?: { signal?: AbortSignal }): Promise<BatchCounts>;
  /**
   * Compiles what shapes added since `createBatch` need beyond what is there, such as the first of a type, the first
   * rounded box, or the first hull of more than 12 vertices; `encode` throws `INVALID_INPUT` before.
   */
  prepare(): Promise<void>;
  /** Frees the batch's own buffers; reads under way end with `DISPOSED`. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** The batch of a query by its name. */
export type BatchOf<Q extends QueryName, Types extends TesterTypes = SpaceTypes> = Batch<
  QueryResults<Types['vector']>[Q],
  Types
>;
