import type { QueryName, QueryResults } from '../api/queries.ts';
import type { RecordChunk } from '../records/chunk.ts';
import type { ArrayChunk } from '../records/result-arrays.ts';
import type { BodyMotion, AnyBodies } from '../records/bodies.ts';
import type { ShapeBase, ShapeTable } from '../shapes/shape-table.ts';
import type { Dimension } from './dimension.ts';
import type { ResidentState, ResidentVersion } from './resident.ts';
import type { BatchQuery } from '../api/batch-options.ts';
import type { Batch } from '../api/batch.ts';
import type { CollisionFilters } from '../api/bodies.ts';
import type { EnsureIntact } from './watched-arrays.ts';
import type { AdapterDescription, Algorithm, MprDepth, QueryTimings, TesterLimits } from '../api/types.ts';
import type { Work } from '../util/turns.ts';

/**
 * The stage between the closed forms and GJK, as resolved from `options.algorithm`:
 *
 * - `'sat'`: boxes by SAT. For `impacts`: sharp boxes by SAT over time, other pairs by casts.
 * - `'newton'`: points, segments and boxes by the projected Newton search.
 * - `'mpr'`: all pairs by MPR, without closed forms except for half-spaces.
 * - `'epa'`: for `impacts` only: all pairs by velocity EPA.
 * - `'none'`: no such stage, and no closed forms except for half-spaces. For `impacts`: all pairs by casts.
 */
export type LeadStage = 'sat' | 'newton' | 'mpr' | 'epa' | 'none';

/** What is asked of each pair. It is plain data. */
export interface PairQuery {
  query: QueryName;
  leadStage: LeadStage;
  /** For MPR; default `'normal'`. */
  mprDepth?: MprDepth;
  margin: number;
}

/** What it is asked of: pairs of bodies, in arrays that have the right types and lengths. */
export interface BodyPairs {
  dimension: Dimension;
  shapes: ShapeTable;
  bodies: AnyBodies;
  pairs: Uint32Array;
  /** For `impacts` only. */
  motion?: BodyMotion;
  /** The handle of the bodies and the motion, and its version, if they are from a handle. */
  resident?: ResidentVersion;
  /** For the CPU backend: the parts of the bodies of each pair. Without them bodies are convex. */
  parts?: PartNumbers;
  /** Keeps the last simplex of each pair's search. */
  warmStart?: WarmStartState;
  /**
   * Throws `INVALID_INPUT` unless every number of bodies, pairs and motion can be used. Missing if this was checked. A
   * backend calls it before it gives any answer, unless its device has found nothing to refuse.
   */
  check?: () => void;
}

/**
 * Which pairs have a slot in the answer: all, the hits, or at least the hits that are the first impact of a body, among which
 * the tester chooses.
 */
export type SlotsOf = 'all' | 'hits' | 'earliest';

/** In which form a backend answers. One that cannot write the arrays of a result gives records in their place. */
export type AnswerForm =
  /** `fields`: names of the arrays, in the order of `records/result-fields.ts`. */
  | { type: 'arrays'; slots: 'all' | 'hits'; fields: readonly string[] }
  | { type: 'records'; slots: 'all' | 'hits' }
  /** `keepsOpen`: pairs that the backend leaves open have slots, too, as the reference will answer them. */
  | { type: 'records'; slots: 'earliest'; keepsOpen: boolean };

/** A query over pairs. */
export interface AskedQuery {
  what: PairQuery;
  over: BodyPairs;
}

/** What a backend is asked: which query, over what, in which form. */
export interface QueryRequest extends AskedQuery {
  form: AnswerForm;
  signal?: AbortSignal;
  /** Throws `INVALID_INPUT` if the caller's arrays have lost elements. To be called whenever work goes on after a pause. */
  ensureIntact?: EnsureIntact;
}

/** A part of each pair's body A and one of its body B: of a compound or a mesh; 0 of a convex body. */
export interface PartNumbers {
  a: Uint32Array;
  b: Uint32Array;
}

/** The state behind a caller's `WarmStart`. */
export interface WarmStartState {
  readonly maxPairs: number;
  isDisposed: boolean;
  /** Four ids of vertices per pair, per device, for as many pairs as the longest query had. */
  readonly simplices: Map<GPUDevice, GPUBuffer>;
  /** The same on the CPU, two numbers per id. */
  ids?: Float64Array;
  /** For pairs with compounds or meshes: two parts per pair (parts/last-parts.ts). */
  parts?: Int32Array;
}

/** A validated request for the pairs of bodies. */
export interface FindPairsRequest {
  dimension: Dimension;
  bodies: AnyBodies;
  filters?: CollisionFilters;
  /** Motion that the boxes enclose. */
  motion?: BodyMotion;
  shapes: ShapeTable;
  margin: number;
  /** The most pairs that the caller takes. */
  maxPairs: number;
  signal?: AbortSignal;
}

/**
 * A validated request for the first impact of each ray. The last bodies are the rays, as balls that move; there are no
 * pairs.
 */
export interface RayCastRequest extends AskedQuery {
  rayCount: number;
  /** The greatest time of each ray. */
  maxTimes: Float32Array;
  /** Groups of all bodies and rays; missing if all have all groups. */
  groups?: Uint32Array;
  /** Most pairs of bodies and rays that are answered together. */
  pairsAtOnce?: number;
  signal?: AbortSignal;
}

/** The first impacts of the rays that have one. */
export interface RayImpacts {
  /** For each impact a body and a ray. */
  pairs: Uint32Array;
  /** The records of these pairs. */
  chunk: RecordChunk;
}

/** Of a batch that casts rays. */
export interface RayBuffers {
  /** Capacity in rays. */
  maxRays: number;
  /** The caller's buffers. */
  rays?: GPUBuffer;
  rayCount?: GPUBuffer;
}

/** What kernels read of the surfaces of compounds, meshes and chains, in one dimension. Methods, as those of `Dimension` are. */
export interface SurfaceRows<Shape extends ShapeBase & { parts?: object } = ShapeBase & { parts?: object }> {
  isReady(parts: NonNullable<Shape['parts']>): boolean;
  /**
   * Makes the rows of a body of parts, whose tree is built. Throws `INVALID_INPUT`, which names `field`, if the sides of a mesh
   * contradict each other.
   */
  prepare(shape: Shape, field: string): Work<void>;
  /**
   * The rows that were made, four numbers of 32 bits each (shaders/part-pairs/surface/rows.wgsl and shaders/planar/surface/rows.wgsl).
   * None of a compound without a surface.
   */
  rowsOf(parts: NonNullable<Shape['parts']>): Uint32Array<ArrayBuffer>;
}

/** A validated request for a batch. */
export interface BatchRequest<Q extends QueryName = QueryName> {
  what: PairQuery & { query: Q };
  /** What the caller asked for, for messages and labels. */
  name: BatchQuery;
  dimension: Dimension;
  /** The handle that the batch takes its bodies from. */
  resident?: ResidentState;
  maxBodies: number;
  maxPairs: number;
  /** The most pairs of parts, for queries that take compounds and meshes. Undefined: as many as are usual. */
  maxPartPairs?: number;
  /** Whether the output has all pairs of parts that hit, in place of one answer per pair of bodies. */
  listsParts: boolean;
  /** The most hits whose records are kept. Infinite: as many as there may be. */
  maxHits: number;
  /** Workgroup size of the caller's pass over the output. */
  workgroupSize: number;
  /** The tester's own table: shapes may be added and removed. */
  shapes: ShapeTable;
  algorithm: Algorithm;
  slots: SlotsOf;
  /** Whether searches start from the last simplex of the pair's last search. */
  isWarm: boolean;
  /** For `impacts` only. */
  motion?: BatchMotion;
  /** The caller's buffers. */
  poses?: GPUBuffer;
  shapeIds?: GPUBuffer;
  pairs?: GPUBuffer;
  pairCount?: GPUBuffer;
  velocities?: GPUBuffer;
  bodyCount?: GPUBuffer;
  groups?: GPUBuffer;
  fixed?: GPUBuffer;
  /** If the batch finds its pairs: the largest gap between the boxes of a pair. */
  broadPhase?: { margin: number };
  /** If the batch casts rays. It then asks for `impacts`, and finds its pairs by itself. */
  rayCasts?: RayBuffers;
  /** Whether the batch only finds pairs. It then asks for `intersects`, which does not run. */
  isPairsOnly?: boolean;
  /** Loads what makes the rows of surfaces, for contacts. */
  loadSurfaces: () => Promise<SurfaceRows>;
  /** Called when the batch is disposed. */
  onDispose: () => void;
}

/** A validated request to compile the kernels of a query. */
export interface PrepareRequest extends Pick<BatchRequest, 'what' | 'dimension' | 'isWarm' | 'motion'> {
  form: AnswerForm;
  /** Whether positions will be 64-bit numbers. */
  hasFixedPoint: boolean;
  /** The shapes that bodies may have, without compounds and meshes. */
  shapes: readonly ShapeBase[];
  /** `ShapeTable.removals` of the tester. */
  removals: number;
  /** The kinds of the shapes of pairs. */
  kinds: readonly (readonly [kindA: number, kindB: number])[];
  /** Whether the device will search the bodies that rays may meet. */
  castsRays?: boolean;
}

export interface BatchMotion {
  /** Seconds, until `write` changes them. */
  duration: number;
  isRotating: boolean;
  /** Whether bodies that overlap or touch at the start meet only where they close in. */
  passesParting: boolean;
}

/** Receives the answers of a query, chunk by chunk in ascending order of pairs. None may be kept but listed records. */
export interface QuerySink {
  /** Loads what `write` needs. To be awaited before its first call. */
  loadDecoding(): Promise<void>;
  write(chunk: RecordChunk): void;
  /** In place of `write`, if the form is arrays and the backend writes them. */
  writeArrays?(chunk: ArrayChunk): void;
  /** Adds the counts over all pairs of a chunk, before it is written, or corrections of them, which may be negative. */
  count(statusCounts: readonly number[], hits: number): void;
}

/** Timings of a query that has not begun. */
export function noTimings(): QueryTimings {
  return {
    compile: 0,
    validate: 0,
    upload: 0,
    kernels: 0,
    readBack: 0,
    decode: 0,
    tree: { boxTests: 0, partTests: 0 },
  };
}

/** From which size on a search takes less time on the device than on the caller's thread. */
export interface SearchSizes {
  /** Bodies. */
  findPairs: number;
  /** Bodies and rays together. */
  castRays: number;
}

/** Runs queries: `gpu/backend.ts` or `cpu/backend.ts`. */
export interface Backend {
  readonly name: 'webgpu' | 'cpu';
  readonly adapter: AdapterDescription;
  readonly limits: TesterLimits;
  /** Timings of the last query. */
  readonly timings: QueryTimings;
  /** Why this backend does not run as requested; undefined if it does. Part of `tester.fallback`. */
  readonly fallback?: string;
  run(request: QueryRequest, sink: QuerySink): Promise<void>;
  /** Compiles the kernels of queries whose pairs have some of the kinds. */
  prepare(request: PrepareRequest): Promise<void>;
  /**
   * The pairs of bodies whose boxes meet, in ascending order; undefined if there is no room for them on the device.
   * Missing without a GPU.
   */
  findPairs?(request: FindPairsRequest): Promise<Uint32Array | undefined>;
  /** Compiles the kernels of `findPairs` if it takes less time for any number of bodies. Missing without a GPU. */
  prepareToFind?(form: { hasFixedPoint: boolean }): Promise<void>;
  /** The first impacts of rays; undefined if there is no room for them on the device. Missing without a GPU. */
  castRays?(request: RayCastRequest): Promise<RayImpacts | undefined>;
  /** Missing without a GPU. */
  readonly leastOnDevice?: SearchSizes;
  /** Missing without a GPU. */
  createBatch?<Q extends QueryName>(request: BatchRequest<Q>): Promise<Batch<QueryResults[Q]>>;
  dispose(): void;
}
