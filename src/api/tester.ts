/// <reference lib="esnext.disposable" preserve="true" />
/** The tester. */
import type { BatchOf, BatchOptions } from './batch.ts';
import type { PlanarTypes, SpaceTypes, TesterTypes } from './dimensions.ts';
import type { ImpactOptions, Impacts, RayCastOptions, RayHits } from './motion.ts';
import type { ContactOptions, FindPairsOptions, QueryOptions, WarmStart } from './options.ts';
import type { PrepareOptions } from './prepare.ts';
import type { QueryName } from './queries.ts';
import type { Contacts, Distances, Intersections, Manifolds } from './results.ts';

/** What a tester runs on. */
export interface AdapterDescription {
  vendor: string;
  architecture: string;
  description: string;
  /** True for a software rasteriser such as SwiftShader or lavapipe, and for the CPU backend. */
  isSoftware: boolean;
}

/** Largest sizes a tester takes at once; larger pair lists are cut into chunks by the tester itself. */
export interface TesterLimits {
  maxBodies: number;
  maxShapes: number;
  maxHullVertices: number;
  /** Most pairs in one dispatch of `contacts`. */
  maxPairsPerChunk: number;
}

/** Milliseconds of a query. */
export interface QueryTimings {
  /** Compiling kernels not compiled before. */
  compile: number;
  /**
   * In kernels, by GPU timestamps; 0 where the device has none, and then `readBack` contains them. On the CPU backend:
   * wall-clock time in the algorithms, on whichever threads.
   */
  kernels: number;
  /** From submission until the records are on the host, kernels excluded. */
  readBack: number;
}

export interface TesterOptions {
  /**
   * - `'auto'` (default): WebGPU on a hardware adapter, otherwise the CPU, and `tester.fallback` says why. A software
   *   adapter may compile for many seconds before its first answer. With a `device` of the caller's: that device if it
   *   can be used, software included.
   * - `'webgpu'`: a software adapter too. `createTester` rejects with `WEBGPU_UNAVAILABLE` where no adapter can be
   *   used; `cause` is the error behind it, if any.
   * - `'cpu'`.
   *
   * An adapter can be used if its limits are at least those that WebGPU guarantees, it gives a device, and a small
   * kernel runs on that device and gives the right answer.
   */
  backend?: 'auto' | 'webgpu' | 'cpu';
  /**
   * For the CPU backend: how many workers answer large queries, off the caller's thread; small queries stay on it.
   * Default: as many as there are processors. More than 8 count as 8; 1 makes no worker. The answers have the same bits
   * for any number. The first query that is large enough starts the workers. If none can be made, or all of them fail,
   * the caller's thread answers, and `fallback` of the tester says why. In Node idle workers don't keep the process
   * alive.
   */
  threads?: number;
  /** Of space, 3 (default), or of the plane. */
  dimension?: 2 | 3;
  /** The caller's own device, hardware or software; it is never destroyed by the tester, and never replaced. */
  device?: GPUDevice;
  /** Used instead of `navigator.gpu`. */
  gpu?: GPU;
  /** As in `requestAdapter`. */
  powerPreference?: GPUPowerPreference;
  /**
   * Called once for each device that is lost, unless by `dispose`. Running queries and batches reject with
   * `DEVICE_LOST`. The next query or `createBatch` replaces a device that the tester created. If no other device can be
   * had:
   * - with `'auto'`, the CPU answers that query and all later ones;
   * - with `'webgpu'`, that query rejects with `WEBGPU_UNAVAILABLE`, and the next one tries again.
   *
   * If a device of the caller's is lost, all queries reject with `DEVICE_LOST`.
   *
   * An error that it throws, or rejects with, ends neither a query nor the process: it is passed to `reportError` where
   * that exists (browsers), otherwise to `console.error` (Node).
   */
  onDeviceLost?: (info: { reason: string; message: string }) => void;
}

/**
 * Batch collision queries over pairs of convex shapes.
 *
 * Queries run one after the other in the order of the calls. They read the given arrays until their promise settles:
 * don't change them before. Arrays may lie in any memory: shared, resizable, or a part of a larger buffer. A query that
 * was rejected writes nothing to its `target` from then on. All throw `NarrowphaseError`: `INVALID_INPUT` naming field,
 * value and expectation, `DISPOSED`, `ABORTED`, `LIMIT_EXCEEDED`, `OUT_OF_MEMORY`, `DEVICE_LOST`, `SHADER`.
 */
export interface TesterOf<Types extends TesterTypes> {
  /** Where queries run. With `'auto'` it changes from `'webgpu'` to `'cpu'` when a lost device can't be replaced. */
  readonly backend: 'webgpu' | 'cpu';
  /**
   * Why the tester does not run as asked for or preferred, such as why not on WebGPU with `'auto'`; otherwise
   * undefined.
   */
  readonly fallback: string | undefined;
  /** As asked for: tells a `Tester` from a `PlanarTester`. */
  readonly dimension: Types['dimension'];
  readonly adapter: AdapterDescription;
  readonly limits: TesterLimits;
  /** Milliseconds the last query spent on compiling, in kernels, and on reading back. */
  readonly timings: QueryTimings;
  /** Validates a shape and gives the id that `bodies.shapes` names it by. Ids of removed shapes are given out again. */
  addShape(description: Types['shape']): number;
  /** Frees a shape; queries already called still have it. */
  removeShape(id: number): void;
  /**
   * Volume, centroid and inertia tensor of a shape at density 1; in 2-D area, centroid and moment of inertia. Exact but
   * for rounding in double precision, of the description rounded to f32.
   *
   * @throws NarrowphaseError `INVALID_INPUT` for an id that no shape has and for a half-space.
   */
  massProperties(id: number): Types['massProperties'];
  /**
   * The vertices, edges and faces of a shape by the indices of `featureA` and `featureB`, as new arrays.
   *
   * @throws NarrowphaseError `INVALID_INPUT` for an id that no shape has.
   */
  shapeGeometry(id: number): Types['shapeGeometry'];
  /** Which pairs are at most `margin` apart. `pairs` are body indices, two a pair. */
  intersects(
    bodies: Types['bodies'],
    pairs: Uint32Array,
    options?: QueryOptions<Intersections, Types['warmStart']>,
  ): Promise<Intersections>;
  /** Gaps, normals and witness points of pairs that are apart; zeros for pairs that overlap. */
  distances(
    bodies: Types['bodies'],
    pairs: Uint32Array,
    options?: QueryOptions<Distances<Types['vector']>, Types['warmStart']>,
  ): Promise<Distances<Types['vector']>>;
  /** Signed distances, normals and witness points, penetration resolved. */
  contacts(
    bodies: Types['bodies'],
    pairs: Uint32Array,
    options?: ContactOptions<Types['vector'], Types['warmStart']>,
  ): Promise<Contacts<Types['vector']>>;
  /**
   * Up to four points of each hit, in the plane two, for solvers: penetration resolved, points farther apart than
   * `margin` left out.
   */
  manifolds(
    bodies: Types['bodies'],
    pairs: Uint32Array,
    options?: QueryOptions<Manifolds<Types['vector']>, Types['warmStart']>,
  ): Promise<Manifolds<Types['vector']>>;
  /** When moving bodies meet, with normals and points. */
  impacts(
    bodies: Types['movingBodies'],
    pairs: Uint32Array,
    options: ImpactOptions<Types['vector']>,
  ): Promise<Impacts<Types['vector']>>;
  /**
   * What each ray, or sphere (in the plane circle) that moves along one, meets first. Bodies stand; all shapes can be
   * met.
   */
  rayCasts(
    bodies: Types['bodies'],
    rays: Types['rays'],
    options?: RayCastOptions<Types['vector']>,
  ): Promise<RayHits<Types['vector']>>;
  /**
   * The pairs of bodies that may be at most `margin` apart, by their boxes along the axes: two body indices a pair,
   * each pair once, the lower body first, in ascending order. On the CPU, by sweep and prune, in pieces between which
   * other work has its turns.
   */
  findPairs(bodies: Types['bodies'], options?: FindPairsOptions): Promise<Uint32Array>;
  /**
   * Loads and compiles all that a query over pairs of the present shapes needs, so that the next such query does not
   * wait for it. Only the kinds of shapes count: boxes that are added later need no further call if there was a box. A
   * query whose pairs have only some of the kinds may still compile a kernel for them.
   *
   * @throws NarrowphaseError `INVALID_INPUT`, `SHADER`, `WEBGPU_UNAVAILABLE`, `DEVICE_LOST`, `DISPOSED`
   */
  prepare(options: PrepareOptions): Promise<void>;
  /**
   * A query whose input and output stay on the GPU, for the shapes of this tester. Throws `WEBGPU_UNAVAILABLE` on the
   * CPU backend, `LIMIT_EXCEEDED` for more than the device's buffers hold.
   */
  createBatch<Q extends QueryName>(options: BatchOptions<Q>): Promise<BatchOf<Q, Types>>;
  /** Frees everything, batches included; queries in flight fail with `DISPOSED`. A caller's own device stays. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** In space; made by `createTester`. */
export interface Tester extends TesterOf<SpaceTypes> {
  /** Memory for the `warmStart` option of queries of up to `maxPairs` pairs. */
  createWarmStart(maxPairs: number): WarmStart;
}

/**
 * In the plane; made by `createTester({ dimension: 2 })`. Queries take no `warmStart`: searches of the plane take few
 * steps anyway.
 */
export type PlanarTester = TesterOf<PlanarTypes>;
