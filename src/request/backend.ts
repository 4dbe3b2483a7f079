import type { QueryName, QueryResults } from '../api/queries.ts';
import type { RecordChunk } from '../records/chunk.ts';
import type { BodyMotion, AnyBodies } from '../records/bodies.ts';
import type { ShapeBase, ShapeTable } from '../shapes/shape-table.ts';
import type { Dimension } from './dimension.ts';
import type { Batch } from '../api/batch.ts';
import type { AdapterDescription, Algorithm, MprDepth, QueryTimings, TesterLimits } from '../api/types.ts';

/**
 * What comes before GJK: after the closed forms, boxes go through SAT, or points, segments and boxes through the
 * projected Newton search; or all go through MPR, or nothing does, and then there are no closed forms but for
 * half-spaces. Of impacts: sharp boxes go through SAT and the rest is cast, all go through velocity EPA, or all are
 * cast.
 */
export type FirstRung = 'sat' | 'newton' | 'mpr' | 'epa' | 'none';

/** A validated query. */
export interface QueryRequest {
  query: QueryName;
  space: Dimension;
  bodies: AnyBodies;
  pairs: Uint32Array;
  shapes: ShapeTable;
  first: FirstRung;
  /** Of MPR; default `'normal'`. */
  mprDepth?: MprDepth;
  margin: number;
  /** Of impacts. */
  motion?: BodyMotion;
  hitsOnly: boolean;
  /** Of the hits only those that are either body's first. */
  earliestOnly?: boolean;
  /** Whether pairs that the backend leaves open are asked again of the reference. */
  escalates?: boolean;
  /** Where the searches' last simplices are kept, pair by pair. */
  warmStart?: WarmStartState;
  signal?: AbortSignal;
}

/** What a backend keeps behind a caller's `WarmStart`. */
export interface WarmStartState {
  readonly maxPairs: number;
  isDisposed: boolean;
  /** Four ids of vertices per pair, on each device that it served; for as many pairs as the longest query had. */
  readonly simplices: Map<GPUDevice, GPUBuffer>;
  /** The same on the CPU, two numbers per id. */
  ids?: Float64Array;
}

/** A validated request for a batch. */
export interface BatchRequest<Q extends QueryName = QueryName> {
  query: Q;
  space: Dimension;
  maxBodies: number;
  maxPairs: number;
  /** Records of hits that there is room for. */
  maxHits: number;
  /** Of the caller's pass over the output. */
  workgroupSize: number;
  /** The tester's own table: shapes may come and go. */
  shapes: ShapeTable;
  algorithm: Algorithm;
  first: FirstRung;
  /** Of MPR; default `'normal'`. */
  mprDepth?: MprDepth;
  margin: number;
  hitsOnly: boolean;
  /** Of the hits only those that are either body's first. */
  earliestOnly?: boolean;
  /** Whether searches start from the simplex that the last one of the pair ended with. */
  isWarm: boolean;
  /** Whether pairs of polytopes that EPA leaves open go on to the arcs, however small all hulls are. */
  hasArcs: boolean;
  /** Of impacts. */
  motion?: BatchMotion;
  /** Buffers of the caller's. */
  poses?: GPUBuffer;
  shapeIds?: GPUBuffer;
  pairs?: GPUBuffer;
  pairCount?: GPUBuffer;
  velocities?: GPUBuffer;
  /** Called when the batch is disposed of. */
  onDispose: () => void;
}

/** A validated request to compile what a query needs. */
export interface PrepareRequest extends Pick<
  BatchRequest,
  'query' | 'space' | 'first' | 'mprDepth' | 'margin' | 'isWarm' | 'motion' | 'hitsOnly' | 'earliestOnly'
> {
  /** Whether positions will be 64-bit numbers. */
  isWide: boolean;
  escalates: boolean;
  /** Those that pairs may have. */
  shapes: readonly (ShapeBase | undefined)[];
}

export interface BatchMotion {
  /** Seconds to begin with. */
  duration: number;
  isTurning: boolean;
  /** Whether bodies that overlap or touch to begin with meet only where they close in. */
  passesParting: boolean;
}

/** What takes the answers of a query, chunk by chunk in ascending pair index. */
export interface QuerySink {
  write(chunk: RecordChunk): void;
  /** With `hitsOnly`: counts over all pairs of a chunk. */
  count(statusCounts: ArrayLike<number>): void;
}

/** What runs queries: `gpu/backend.ts` or `cpu/backend.ts`. */
export interface Backend {
  readonly name: 'webgpu' | 'cpu';
  readonly adapter: AdapterDescription;
  readonly limits: TesterLimits;
  /** Of the last query. */
  readonly timings: QueryTimings;
  /** Why this backend does not run as it was asked to; undefined where it does. Part of `tester.fallback`. */
  readonly fallback?: string;
  run(request: QueryRequest, sink: QuerySink): Promise<void>;
  /** Compiles all that a query over pairs of any of the shapes needs. */
  prepare(request: PrepareRequest): Promise<void>;
  /** Missing where there is no GPU. */
  createBatch?<Q extends QueryName>(request: BatchRequest<Q>): Promise<Batch<QueryResults[Q]>>;
  dispose(): void;
}
