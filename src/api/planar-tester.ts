/// <reference lib="esnext.disposable" preserve="true" />
/** The methods of 2-D testers. */
import type { BatchOptions, BatchQuery } from './batch-options.ts';
import type { PlanarBatchOf } from './batch.ts';
import type { ResidentBodies } from './bodies.ts';
import type { CaptureOptions, PlanarCapture } from './capture.ts';
import type { Answer, FieldList, Selected } from './fields.ts';
import type { PlanarMassProperties, PlanarShapeGeometry } from './geometry.ts';
import type { FindPairsOptions } from './options.ts';
import type { PlanarShapeDescription } from './planar-shapes.ts';
import type {
  PlanarBodies,
  PlanarBodyData,
  PlanarContactOptions,
  PlanarContacts,
  PlanarDistances,
  PlanarImpactOptions,
  PlanarImpacts,
  PlanarManifolds,
  PlanarMovingBodies,
  PlanarQueryOptions,
  PlanarRayCastOptions,
  PlanarRayHits,
  PlanarRays,
} from './planar.ts';
import type { PrepareOptions } from './prepare.ts';
import type { QueryName } from './queries.ts';
import type { Intersections } from './results.ts';
import type { AdapterDescription, QueryTimings, TesterLimits } from './tester-options.ts';

/**
 * Batch collision queries over pairs of shapes in 2-D; made by `createTester({ dimension: 2 })`. Queries have no
 * `warmStart`: searches in 2-D take few steps.
 *
 * - Queries run one after the other, in the order of the calls. They read the given arrays until their promise settles: do
 *   not change them before. Arrays may be in any memory: shared, resizable, or part of a larger buffer. If an array, also
 *   of the `target`, is detached or loses elements meanwhile, the query rejects with `INVALID_INPUT`.
 * - A query that was rejected writes nothing to its `target` from then on.
 * - `pairs` of all queries are body indices, 2 numbers per pair, A first. An index out of range is `INVALID_INPUT`.
 * - All methods throw, or reject with, `DISPOSED` after `dispose`.
 *
 * Signs, frames, statuses and feature numbers:
 * https://github.com/narrowphase/narrowphase/blob/main/docs/conventions.md.
 */
export interface PlanarTester {
  /** Where queries run. With `'auto'` it changes to `'cpu'` if a lost device cannot be replaced. */
  readonly backend: 'webgpu' | 'cpu';
  /** Why the tester does not run as requested, such as why `'auto'` took the CPU; otherwise undefined. */
  readonly fallback: string | undefined;
  /** Tells a `Tester` from a `PlanarTester`. */
  readonly dimension: 2;
  /** The adapter in use. */
  readonly adapter: AdapterDescription;
  /** Limits on bodies, shapes, hull vertices and pairs. */
  readonly limits: TesterLimits;
  /** Milliseconds that the last query spent compiling, in kernels, and reading back. */
  readonly timings: QueryTimings;
  /**
   * Adds a shape and returns its id for `bodies.shapes`. Ids of removed shapes are reused.
   *
   * @throws NarrowphaseError `INVALID_INPUT` for a bad description; `LIMIT_EXCEEDED` for a polygon of more than 65,535
   * vertices, and for a compound or a chain of more than 2^26 parts; `OUT_OF_MEMORY`.
   */
  addShape(description: PlanarShapeDescription): number;
  /**
   * Removes a shape. Queries already called keep it.
   *
   * @throws NarrowphaseError `INVALID_INPUT` for an id that no shape has.
   */
  removeShape(id: number): void;
  /**
   * Returns the area, centroid and moment of inertia of a shape at density 1, in the shape's frame. They are
   * exact to double precision, for the description rounded to f32. For a compound they are sums over its parts: where
   * parts overlap, the area counts twice. For a chain they are those of the area that it encloses.
   *
   * @throws NarrowphaseError `INVALID_INPUT` for an id that no shape has, and for a chain that is no counter-clockwise loop.
   */
  massProperties(id: number): PlanarMassProperties;
  /**
   * Returns the corners and edges of a shape by the indices of `featureA` and `featureB`, as new arrays. For a
   * chain: its points and segments.
   *
   * @throws NarrowphaseError `INVALID_INPUT` for an id that no shape has, and for a compound.
   */
  shapeGeometry(id: number): PlanarShapeGeometry;
  /**
   * Copies bodies and returns a handle, which takes the place of bodies in all queries, `rayCasts`, `findPairs` and
   * `createBatch`. The bodies are checked and uploaded once; after a `write`, only what it has changed is.
   *
   * @throws NarrowphaseError `INVALID_INPUT`; `OUT_OF_MEMORY`.
   */
  createBodies(bodies: PlanarBodies | PlanarMovingBodies): ResidentBodies<PlanarBodyData>;
  /**
   * Finds the pairs that are at most `margin` apart.
   *
   * @throws NarrowphaseError `INVALID_INPUT`; `LIMIT_EXCEEDED`; `OUT_OF_MEMORY`; `WEBGPU_UNAVAILABLE`; `DEVICE_LOST`;
   * `SHADER`; `ABORTED`.
   */
  intersects<const List extends FieldList = undefined, const HasBodies extends boolean = false>(
    bodies: PlanarBodies | ResidentBodies<PlanarBodyData>,
    pairs: Uint32Array,
    options?: PlanarQueryOptions<Intersections, List> & { bodies?: HasBodies },
  ): Promise<Answer<Intersections, List, HasBodies>>;
  /**
   * Computes gaps, normals and nearest points of pairs that are apart; zeros for pairs that overlap.
   *
   * @throws NarrowphaseError `INVALID_INPUT`; `LIMIT_EXCEEDED`; `OUT_OF_MEMORY`; `WEBGPU_UNAVAILABLE`; `DEVICE_LOST`;
   * `SHADER`; `ABORTED`.
   */
  distances<const List extends FieldList = undefined, const HasBodies extends boolean = false>(
    bodies: PlanarBodies | ResidentBodies<PlanarBodyData>,
    pairs: Uint32Array,
    options?: PlanarQueryOptions<PlanarDistances, List> & { bodies?: HasBodies },
  ): Promise<Answer<PlanarDistances, List, HasBodies>>;
  /**
   * Computes signed distances, normals, points and features, with penetration resolved.
   *
   * @throws NarrowphaseError `INVALID_INPUT`; `LIMIT_EXCEEDED`; `OUT_OF_MEMORY`; `WEBGPU_UNAVAILABLE`; `DEVICE_LOST`;
   * `SHADER`; `ABORTED`.
   */
  contacts<const List extends FieldList = undefined, const HasBodies extends boolean = false>(
    bodies: PlanarBodies | ResidentBodies<PlanarBodyData>,
    pairs: Uint32Array,
    options?: PlanarContactOptions<List> & { bodies?: HasBodies },
  ): Promise<Answer<PlanarContacts, List, HasBodies>>;
  /**
   * Computes up to two contact points per hit, for solvers, with penetration resolved. Points farther apart than
   * `margin` are left out.
   *
   * @throws NarrowphaseError `INVALID_INPUT`; `LIMIT_EXCEEDED`; `OUT_OF_MEMORY`; `WEBGPU_UNAVAILABLE`; `DEVICE_LOST`;
   * `SHADER`; `ABORTED`.
   */
  manifolds<const List extends FieldList = undefined, const HasBodies extends boolean = false>(
    bodies: PlanarBodies | ResidentBodies<PlanarBodyData>,
    pairs: Uint32Array,
    options?: PlanarQueryOptions<PlanarManifolds, List> & { bodies?: HasBodies },
  ): Promise<Answer<PlanarManifolds, List, HasBodies>>;
  /**
   * Computes when moving bodies meet, with normals and points.
   *
   * @throws NarrowphaseError `INVALID_INPUT`; `LIMIT_EXCEEDED`; `OUT_OF_MEMORY`; `WEBGPU_UNAVAILABLE`; `DEVICE_LOST`; `SHADER`; `ABORTED`.
   */
  impacts<const List extends FieldList = undefined, const HasBodies extends boolean = false>(
    bodies: PlanarMovingBodies | ResidentBodies<PlanarBodyData>,
    pairs: Uint32Array,
    options: PlanarImpactOptions<List> & { bodies?: HasBodies },
  ): Promise<Answer<PlanarImpacts, List, HasBodies>>;
  /**
   * Computes what each ray, or circle that moves along it, meets first, or with `results: 'all'` every body that it
   * meets. The bodies stand still.
   *
   * @throws NarrowphaseError `INVALID_INPUT`; `LIMIT_EXCEEDED`; `OUT_OF_MEMORY`; `WEBGPU_UNAVAILABLE`; `DEVICE_LOST`;
   * `SHADER`; `ABORTED`.
   */
  rayCasts<const List extends FieldList = undefined>(
    bodies: PlanarBodies | ResidentBodies<PlanarBodyData>,
    rays: PlanarRays,
    options?: PlanarRayCastOptions<List>,
  ): Promise<Selected<PlanarRayHits, List>>;
  /**
   * Finds the pairs of bodies whose axis-aligned bounding boxes are at most `margin` apart: 2 body indices per pair, each
   * pair once, the lower body first, in ascending order. With `duration`, the boxes are those of the bodies' motion. Pairs
   * that `groups` or `fixed` exclude are left out. It builds a tree of boxes on the CPU, in slices between which other work
   * on the event loop gets its turns. With a graphics card, 16,384 bodies or more are searched on the device, unless the
   * duration is infinite or a body is a compound or a chain.
   *
   * @throws NarrowphaseError `INVALID_INPUT`; `LIMIT_EXCEEDED` for more than 2^28 pairs; `OUT_OF_MEMORY`;
   * `WEBGPU_UNAVAILABLE`; `DEVICE_LOST`; `SHADER`; `ABORTED`.
   */
  findPairs(
    bodies: PlanarBodies | PlanarMovingBodies | ResidentBodies<PlanarBodyData>,
    options?: FindPairsOptions,
  ): Promise<Uint32Array>;
  /**
   * Loads and compiles all that a query over pairs of the present shapes needs, so that no later such query waits for it,
   * whatever kinds of these shapes are in its pairs. Only the kinds of shapes count: a rectangle that is added later needs
   * no further call if there was a rectangle. For rounded shapes and polygons, call it again.
   *
   * @throws NarrowphaseError `INVALID_INPUT` for wrong options; `SHADER` if a kernel can't be loaded or compiled;
   * `WEBGPU_UNAVAILABLE` if another part can't be loaded; `DEVICE_LOST`; `DISPOSED`; `ABORTED`.
   */
  prepare(options: PrepareOptions): Promise<void>;
  /**
   * Answers a query over all pairs and returns one of them, with its shapes and its answer, as plain data for JSON. Attach
   * it to a bug report, print it by `narrowphase inspect`, or keep it as a test. `index` is the pair's index in `pairs`.
   * The shapes and bodies must not change until the promise settles.
   *
   * @throws NarrowphaseError `INVALID_INPUT`, also for an unknown query and an index that no pair has; the errors of the
   * query.
   */
  capture<Query extends QueryName>(
    bodies: PlanarBodies | PlanarMovingBodies | ResidentBodies<PlanarBodyData>,
    pairs: Uint32Array,
    index: number,
    options: CaptureOptions<Query>,
  ): Promise<PlanarCapture<Query>>;
  /**
   * Creates a query whose input and output stay on the GPU, over the shapes of this tester.
   *
   * @throws NarrowphaseError `INVALID_INPUT`; `WEBGPU_UNAVAILABLE` on the CPU backend; `LIMIT_EXCEEDED` for more than the
   * device's buffers can hold; `OUT_OF_MEMORY`; `DEVICE_LOST`; `SHADER`.
   */
  createBatch<Q extends BatchQuery>(options: BatchOptions<Q>): Promise<PlanarBatchOf<Q>>;
  /** Frees everything, batches included. Queries in flight reject with `DISPOSED`. Your own device is not destroyed. */
  dispose(): void;
  [Symbol.dispose](): void;
}
