/**
 * Public types for batches: queries whose input and output stay on the GPU. See
 * https://github.com/narrowphase/narrowphase/blob/main/docs/gpu-batches.md.
 */

import type { BatchQuery } from './batch-options.ts';
import type { PlanarTypes, SpaceTypes, TesterTypes } from './dimensions.ts';
import type { Answer, FieldList, Fields, TargetOf } from './fields.ts';
import type { RayHits } from './motion.ts';
import type { QueryResults } from './queries.ts';
import type { StatusCounts } from './results.ts';

/** The pairs that a batch found, read back. */
export interface FoundPairs {
  /** Number of pairs. */
  readonly count: number;
  /** 2 body indices per pair, the lower one first, in ascending order. */
  readonly pairs: Uint32Array;
}

/**
 * Buffers that a batch reads. Those that the batch owns are filled by `write` or by your commands; their usage is
 * `STORAGE | COPY_SRC | COPY_DST`.
 */
export interface BatchInput {
  /** `Pose` records, one per body. */
  readonly poses: GPUBuffer;
  /** Shape ids, one u32 per body. */
  readonly shapes: GPUBuffer;
  /** Body indices, two u32 per pair. */
  readonly pairs: GPUBuffer;
  /** Number of pairs, one u32. */
  readonly pairCount: GPUBuffer;
  /** `impacts` only: `Velocity` records, one per body. */
  readonly velocities?: GPUBuffer;
  /** With a broad phase: number of bodies, one u32. `maxBodies` until `write` sets it. */
  readonly bodyCount?: GPUBuffer;
  /** `rayCasts` only: `RayCast` records, one per ray. */
  readonly rays?: GPUBuffer;
  /** `rayCasts` only: number of rays, one u32. 0 until `write` sets it; with your own `rays`: `maxRays`. */
  readonly rayCount?: GPUBuffer;
  /** With a broad phase: collision groups, one u32 per body. */
  readonly groups?: GPUBuffer;
  /** With a broad phase: one u32 per body, not 0 if it is fixed. */
  readonly fixed?: GPUBuffer;
}

/** Buffers that a batch writes; usage `STORAGE | COPY_SRC`. `narrowphase/wgsl` has layouts and WGSL structs. */
export interface BatchOutput {
  /**
   * One record per pair, or per hit with `results: 'hits'` or `'earliest'`: a u32 for `intersects` (the `info` word), else
   * a `Distance`, `Contact`, `Manifold` or `Impact` (in 2-D `PlanarDistance` and so on). Points are relative to A's
   * position, in world axes; for `impacts` to A's position at the unclamped time. For `pairs`: the pairs. For `rayCasts`: a
   * `RayHit` (in 2-D `PlanarRayHit`) per ray, with points in world space.
   */
  readonly records: GPUBuffer;
  /**
   * With a broad phase: the pairs found, two u32 body indices each, the lower one first, in ascending order. The contents
   * beyond `counts.pairs` are undefined.
   */
  readonly pairs?: GPUBuffer;
  /**
   * With `parts: 'all'`: four u32 per pair of parts: its bodies, then the part of A and that of B, each in the low 28 bits of a
   * word. The contents beyond `counts.partPairs - counts.partPairOverflow` are undefined.
   */
  readonly partPairs?: GPUBuffer;
  /** One `Counts` record. */
  readonly counts: GPUBuffer;
  /**
   * With `results: 'hits'` or `'earliest'`: u32 words. Word `LIST_COUNT` is the number of hits. From word `LIST_HEADER` on
   * are their pair indices, ascending; with `parts: 'all'`, their places in `partPairs`.
   */
  readonly hits?: GPUBuffer;
  /**
   * Arguments x, y, z for `dispatchWorkgroupsIndirect` of your own pass over the records, written by each `encode`: enough
   * workgroups of `workgroupSize` invocations for one invocation per record, and none for an empty frame. Usage also
   * `INDIRECT`.
   *
   * Up to 65,535 workgroups, y is 1. Beyond, x is the device's `maxComputeWorkgroupsPerDimension` and y the number of rows.
   * The record of an invocation is `(workgroup_id.y * num_workgroups.x + workgroup_id.x) * workgroupSize +
   * local_invocation_index` (`dispatchedRecord` in WGSL). Compare it with the counts: the last workgroups may reach beyond
   * the records.
   */
  readonly dispatch: GPUBuffer;
  /**
   * With `results: 'earliest'`: one u32 per body, the pair of its first impact, or `NO_SLOT`. The result of `read` has the
   * slot in its place, and `NO_SLOT` also for bodies whose first impact is among the `hitOverflow`.
   */
  readonly first?: GPUBuffer;
}

/** Totals of a batch. */
export interface BatchCounts {
  /** Pairs answered. For `rayCasts`, the statuses and the hits are those of rays. */
  readonly pairs: number;
  /** Pairs left out because there were more than `maxPairs`. */
  readonly pairOverflow: number;
  /** Hits found. */
  readonly hits: number;
  /** Hits left out of the records because there were more than `maxHits`. */
  readonly hitOverflow: number;
  /** Number of pairs with each status; with `parts: 'all'`, of pairs of parts that there was room for. */
  readonly statusCounts: StatusCounts;
  /** With a broad phase: all pairs found, `pairs` and those beyond `maxPairs`. */
  readonly candidates?: number;
  /** With a broad phase: bodies that have no pairs because their pose, shape or velocity can't be used. */
  readonly invalidBodies?: number;
  /**
   * In batches that take compounds, meshes and chains: all pairs of parts whose boxes are at most `margin` apart, for `distances`
   * those whose boxes may be the nearest, for `impacts` those whose boxes come within `margin` of each other during the
   * motion; also above `maxPartPairs`. Two convex bodies count as one, for `distances` as none.
   * 0 as long as the tester has had no compound, mesh or chain. A pair of bodies counts with at most `maxPartPairs` + 128 pairs
   * of parts, or with 2^22 + 127 if that is more.
   */
  readonly partPairs?: number;
  /** Pairs of parts left out because there were more than `maxPartPairs`; at most 2^31. */
  readonly partPairOverflow?: number;
}

/** Options of `Batch.read`. `List` is the type of `fields`; undefined: there are none. */
export interface BatchReadOptions<Result, List extends FieldList = undefined> {
  /** As in queries: names of the arrays that the result has. `[]` reads only the counts, except for `rayCasts`. */
  fields?: Fields<Result, List> | undefined;
  /**
   * A result of the same query whose arrays are written again. The arrays must be long enough. With `fields`, only the
   * arrays named there are needed.
   */
  target?: TargetOf<Result, NoInfer<List>>;
  /** `contacts` only: `true` adds `lower` and `upper`. Default false. No effect with `fields`. */
  bounds?: boolean;
  /**
   * `true` adds `a` and `b`, the body indices of each slot's pair, also with your own `pairs`. Default false. No effect
   * with `fields`.
   */
  bodies?: boolean;
  /** Rejects the read with `ABORTED`. */
  signal?: AbortSignal;
}

/**
 * A query that is recorded into the caller's command encoders, any number of times; made by `tester.createBatch`.
 *
 *     batch.write({ bodies, pairs });                    // or your own buffers
 *     const encoder = batch.device.createCommandEncoder();
 *     batch.encode(encoder);
 *     // your own passes may use batch.output here
 *     batch.device.queue.submit([encoder.finish()]);
 *     const contacts = await batch.read();               // only if the host needs the result
 */
export interface Batch<Result, Types extends TesterTypes = SpaceTypes> {
  /** The tester's device: use its encoders and its queue. */
  readonly device: GPUDevice;
  /** Buffers that the batch reads. */
  readonly input: BatchInput;
  /** Buffers that the batch writes. */
  readonly output: BatchOutput;
  /**
   * Uploads bodies and pairs into the batch's own buffers, before the next submission. Positions and matrices must be f32.
   * What is not passed keeps its value. For `impacts`, bodies have velocities, and `duration` applies from now on.
   *
   * @throws NarrowphaseError `INVALID_INPUT` for wrong data, and for data whose buffer is yours; `DISPOSED`;
   * `DEVICE_LOST`.
   */
  write(data: {
    bodies?: Types['bodies'] | Types['movingBodies'];
    pairs?: Uint32Array;
    duration?: number;
    /** `rayCasts` only. Origins must be f32. */
    rays?: Types['rays'];
  }): void;
  /**
   * Records the query: a few small copies and one compute pass, or three for `rayCasts`. It does not submit the encoder's
   * commands, waits for nothing, and allocates nothing as long as the tester's shapes are the same. If shapes changed, it
   * uploads them; if the bodies of a handle (`options.bodies`) were written, it uploads and packs these in a submission of
   * their own.
   *
   * What was recorded can be submitted at any later time before `dispose`, also if shapes were added or removed since. It
   * answers as before for all shapes that the tester still has. A body whose shape was removed since is invalid, or has
   * that shape, or the one that has its id now.
   *
   * @throws NarrowphaseError `INVALID_INPUT` for an object that is not an encoder, and for shapes that need `prepare` first,
   * because they are new or have moved;
   * `DISPOSED`; `DEVICE_LOST`.
   */
  encode(encoder: GPUCommandEncoder): void;
  /**
   * Reads the output of the last submission, as the tester's queries return it, with points in world space. The copy is
   * submitted before this method returns, so the next frame may be submitted at once. Up to three reads are in flight
   * without another allocation. Call it before you write positions of the next frame.
   *
   * @throws NarrowphaseError `INVALID_INPUT` for wrong options; `ABORTED`; `OUT_OF_MEMORY`; `DISPOSED`; `DEVICE_LOST`.
   */
  read<const List extends FieldList = undefined, const HasBodies extends boolean = false>(
    options?: BatchReadOptions<Result, List> & { bodies?: HasBodies },
  ): Promise<Answer<Result, List, HasBodies>>;
  /**
   * Reads only the counts of the last submission, 60 bytes.
   *
   * @throws NarrowphaseError `INVALID_INPUT` for wrong options; `ABORTED`; `OUT_OF_MEMORY`; `DISPOSED`; `DEVICE_LOST`.
   */
  readCounts(options?: { signal?: AbortSignal }): Promise<BatchCounts>;
  /**
   * Compiles what shapes added since `createBatch` need, such as the first of a type, the first rounded box, or the first
   * hull of more than 12 vertices, and builds the trees of compounds and meshes that were added or moved, with the
   * surfaces of meshes for contacts. Until then, `encode` throws `INVALID_INPUT`.
   *
   * @throws NarrowphaseError `INVALID_INPUT` for a mesh whose `sides: 'front'` contradict each other; `SHADER`;
   * `OUT_OF_MEMORY`; `DISPOSED`; `DEVICE_LOST`.
   */
  prepare(): Promise<void>;
  /**
   * Frees the batch's own buffers: submit what was recorded before, or not at all. Reads in flight reject with `DISPOSED`.
   */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** The result of each query of a batch, read back. */
export interface BatchResults<Vector> extends QueryResults<Vector> {
  pairs: FoundPairs;
  rayCasts: RayHits<Vector>;
}

/** The batch of a query by its name, in 3-D. */
export type BatchOf<Q extends BatchQuery, Types extends TesterTypes = SpaceTypes> = Batch<
  BatchResults<Types['vector']>[Q],
  Types
>;

/** The batch of a query by its name, in 2-D. */
export type PlanarBatchOf<Q extends BatchQuery> = BatchOf<Q, PlanarTypes>;
