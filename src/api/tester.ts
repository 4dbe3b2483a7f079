/// <reference lib="esnext.disposable" preserve="true" />
/** The methods of 3-D testers, and those of testers of either dimension. */
import type { BatchOptions, BatchQuery } from './batch-options.ts';
import type { BatchOf } from './batch.ts';
import type { Bodies, ResidentBodies } from './bodies.ts';
import type { CaptureOptions, PlanarCapture, SpaceCapture } from './capture.ts';
import type { TesterTypes } from './dimensions.ts';
import type { Answer, FieldList, Selected } from './fields.ts';
import type { MassProperties, ShapeGeometry } from './geometry.ts';
import type { ImpactOptions, Impacts, MovingBodies, RayCastOptions, RayHits, Rays } from './motion.ts';
import type { ContactOptions, FindPairsOptions, QueryOptions, WarmStart } from './options.ts';
import type { PrepareOptions } from './prepare.ts';
import type { QueryName } from './queries.ts';
import type { Contacts, Distances, Intersections, Manifolds } from './results.ts';
import type { NumberList, ShapeDescription } from './shapes.ts';
import type { AdapterDescription, QueryTimings, TesterLimits } from './tester-options.ts';
import type { TrianglePairOptions, TrianglePairs } from './triangle-pairs.ts';
import type { Vec3 } from './vectors.ts';

/**
 * Batch collision queries over pairs of convex shapes, compounds and meshes in 3-D; made by `createTester`.
 *
 * - Queries run one after the other, in the order of the calls. They read the given arrays until their promise settles: do
 *   not change them before. Arrays may be in any memory: shared, resizable, or part of a larger buffer. If one of
 *   these arrays or of the `target`'s is detached or shrinks before then, the query rejects with `INVALID_INPUT`.
 * - A query that was rejected writes nothing to its `target` from then on.
 * - `pairs` of all queries are body indices, 2 numbers per pair, A first. An index out of range is `INVALID_INPUT`.
 * - All methods throw, or reject with, `DISPOSED` after `dispose`.
 *
 * Signs, frames, statuses and feature numbers:
 * https://github.com/narrowphase/narrowphase/blob/main/docs/conventions.md.
 */
export interface Tester {
  /** Where queries run. With `'auto'` it changes to `'cpu'` if a lost device cannot be replaced. */
  readonly backend: 'webgpu' | 'cpu';
  /** Why the tester does not run as requested, such as why `'auto'` took the CPU; otherwise undefined. */
  readonly fallback: string | undefined;
  /** Tells a `Tester` from a `PlanarTester`. */
  readonly dimension: 3;
  /** The adapter in use. */
  readonly adapter: AdapterDescription;
  /** Limits on bodies, shapes, hull vertices and pairs. */
  readonly limits: TesterLimits;
  /** Milliseconds that the last query spent compiling, in kernels, and reading back. */
  readonly timings: QueryTimings;
  /**
   * Adds a shape and returns its id for `bodies.shapes`. Ids of removed shapes are reused.
   *
   * @throws NarrowphaseError `INVALID_INPUT` for a bad description; `LIMIT_EXCEEDED` for a hull of more than 65,535
   * vertices, and for a compound or mesh of more than 2^26 parts; `OUT_OF_MEMORY`.
   */
  addShape(description: ShapeDescription): number;
  /**
   * Removes a shape. Queries already called keep it.
   *
   * @throws NarrowphaseError `INVALID_INPUT` for an id that no shape has.
   */
  removeShape(id: number): void;
  /**
   * Moves the vertices of a mesh: `positions` are x, y, z of all its vertices in their order, 3 numbers per vertex, in the
   * mesh's frame, rounded to f32. They are copied. The mesh keeps its id, its triangles and its `sides`.
   *
   * - Queries already called find the mesh as it was, later ones as it is now. A batch needs `await batch.prepare()`
   *   before its next `encode`.
   * - Answers are those of a mesh that was added at these positions. Two things depend on trees, within what is promised
   *   of them: lower bounds of gaps beyond the margin, and the rounding of times of impact of rotating bodies.
   * - The next search refits the mesh's tree: the triangles stay in their nodes, whose boxes are computed anew. If the
   *   surfaces of all boxes, relative to that of the whole mesh's box, have become more than twice as large as when the
   *   tree was built, it is built anew. What contacts need to know of the surface is computed anew after each call.
   *
   * @throws NarrowphaseError `INVALID_INPUT` for an id that no mesh has, another number of vertices, and numbers that are
   * not finite; `OUT_OF_MEMORY`.
   */
  updateMesh(id: number, positions: NumberList): void;
  /**
   * Returns the volume, centroid and inertia tensor of a shape at density 1, in the shape's frame. They are
   * exact to double precision, for the description rounded to f32. For a compound they are sums over its parts: where
   * parts overlap, the volume counts twice. A mesh may repeat vertices: those within 2^-21 of its largest coordinate of each
   * other count as one where it has to be closed, and narrower gaps count as none.
   *
   * @throws NarrowphaseError `INVALID_INPUT` for an id that no shape has, for a half-space, and for a mesh that is not
   * closed and counter-clockwise from outside.
   */
  massProperties(id: number): MassProperties;
  /**
   * Returns the vertices, edges and faces of a shape by the indices of `featureA` and `featureB`, as new arrays. The faces
   * of a mesh are its triangles.
   *
   * @throws NarrowphaseError `INVALID_INPUT` for an id that no shape has, and for a compound: features are those of its
   * parts.
   */
  shapeGeometry(id: number): ShapeGeometry;
  /**
   * Copies bodies and returns a handle, which takes the place of bodies in all queries, `rayCasts`, `findPairs` and
   * `createBatch`. The bodies are checked and uploaded once; after a `write`, only what it has changed is.
   *
   * @throws NarrowphaseError `INVALID_INPUT`; `OUT_OF_MEMORY`.
   */
  createBodies(bodies: Bodies | MovingBodies): ResidentBodies;
  /**
   * Finds the pairs that are at most `margin` apart.
   *
   * @throws NarrowphaseError `INVALID_INPUT`; `LIMIT_EXCEEDED`; `OUT_OF_MEMORY`; `WEBGPU_UNAVAILABLE`; `DEVICE_LOST`;
   * `SHADER`; `ABORTED`.
   */
  intersects<const List extends FieldList = undefined, const HasBodies extends boolean = false>(
    bodies: Bodies | ResidentBodies,
    pairs: Uint32Array,
    options?: QueryOptions<Intersections, WarmStart, List> & { bodies?: HasBodies },
  ): Promise<Answer<Intersections, List, HasBodies>>;
  /**
   * Computes gaps, normals and nearest points of pairs that are apart; zeros for pairs that overlap.
   *
   * @throws NarrowphaseError `INVALID_INPUT`; `LIMIT_EXCEEDED`; `OUT_OF_MEMORY`; `WEBGPU_UNAVAILABLE`; `DEVICE_LOST`;
   * `SHADER`; `ABORTED`.
   */
  distances<const List extends FieldList = undefined, const HasBodies extends boolean = false>(
    bodies: Bodies | ResidentBodies,
    pairs: Uint32Array,
    options?: QueryOptions<Distances, WarmStart, List> & { bodies?: HasBodies },
  ): Promise<Answer<Distances, List, HasBodies>>;
  /**
   * Computes signed distances, normals, points and features, with penetration resolved.
   *
   * @throws NarrowphaseError `INVALID_INPUT`; `LIMIT_EXCEEDED`; `OUT_OF_MEMORY`; `WEBGPU_UNAVAILABLE`; `DEVICE_LOST`;
   * `SHADER`; `ABORTED`.
   */
  contacts<const List extends FieldList = undefined, const HasBodies extends boolean = false>(
    bodies: Bodies | ResidentBodies,
    pairs: Uint32Array,
    options?: ContactOptions<Vec3, WarmStart, List> & { bodies?: HasBodies },
  ): Promise<Answer<Contacts, List, HasBodies>>;
  /**
   * Computes up to four contact points per hit, for solvers, with penetration resolved. Points farther apart than
   * `margin` are left out.
   *
   * @throws NarrowphaseError `INVALID_INPUT`; `LIMIT_EXCEEDED`; `OUT_OF_MEMORY`; `WEBGPU_UNAVAILABLE`; `DEVICE_LOST`;
   * `SHADER`; `ABORTED`.
   */
  manifolds<const List extends FieldList = undefined, const HasBodies extends boolean = false>(
    bodies: Bodies | ResidentBodies,
    pairs: Uint32Array,
    options?: QueryOptions<Manifolds, WarmStart, List> & { bodies?: HasBodies },
  ): Promise<Answer<Manifolds, List, HasBodies>>;
  /**
   * Computes when moving bodies meet, with normals and points.
   *
   * @throws NarrowphaseError `INVALID_INPUT`; `LIMIT_EXCEEDED`; `OUT_OF_MEMORY`; `WEBGPU_UNAVAILABLE`; `DEVICE_LOST`; `SHADER`; `ABORTED`.
   */
  impacts<const List extends FieldList = undefined, const HasBodies extends boolean = false>(
    bodies: MovingBodies | ResidentBodies,
    pairs: Uint32Array,
    options: ImpactOptions<Vec3, List> & { bodies?: HasBodies },
  ): Promise<Answer<Impacts, List, HasBodies>>;
  /**
   * Finds all pairs of triangles of two meshes that touch or intersect, with the segments that they have in common.
   *
   * @throws NarrowphaseError `INVALID_INPUT`, also for pairs of other bodies than meshes; `LIMIT_EXCEEDED` for more than
   * 2^26 pairs of triangles; `OUT_OF_MEMORY`; `ABORTED`.
   */
  trianglePairs<const List extends FieldList = undefined, const HasBodies extends boolean = false>(
    bodies: Bodies | ResidentBodies,
    pairs: Uint32Array,
    options?: TrianglePairOptions<List>,
  ): Promise<Answer<TrianglePairs, List, HasBodies>>;
  /**
   * Computes what each ray, or sphere that moves along it, meets first, or with `results: 'all'` every body that it
   * meets. The bodies stand still.
   *
   * @throws NarrowphaseError `INVALID_INPUT`; `LIMIT_EXCEEDED`; `OUT_OF_MEMORY`; `WEBGPU_UNAVAILABLE`; `DEVICE_LOST`;
   * `SHADER`; `ABORTED`.
   */
  rayCasts<const List extends FieldList = undefined>(
    bodies: Bodies | ResidentBodies,
    rays: Rays,
    options?: RayCastOptions<Vec3, List>,
  ): Promise<Selected<RayHits, List>>;
  /**
   * Finds the pairs of bodies whose axis-aligned bounding boxes are at most `margin` apart: 2 body indices per pair, each
   * pair once, the lower body first, in ascending order. With `duration`, the boxes are those of the bodies' motion. Pairs
   * that `groups` or `fixed` exclude are left out. It builds a tree of boxes on the CPU, in slices between which other work
   * on the event loop gets its turns. With a graphics card, 16,384 bodies or more are searched on the device, unless there
   * are compounds or meshes among them or the duration is infinite.
   *
   * @throws NarrowphaseError `INVALID_INPUT`; `LIMIT_EXCEEDED` for more than 2^28 pairs; `OUT_OF_MEMORY`;
   * `WEBGPU_UNAVAILABLE`; `DEVICE_LOST`; `SHADER`; `ABORTED`.
   */
  findPairs(bodies: Bodies | MovingBodies | ResidentBodies, options?: FindPairsOptions): Promise<Uint32Array>;
  /**
   * Loads and compiles all that a query over pairs of the present shapes needs, so that no later such query waits for it,
   * whatever kinds of these shapes are in its pairs. Only the kinds of shapes count: a box that is added later needs no
   * further call if there was a box. For rounded boxes, hulls and compounds, call it again.
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
    bodies: Bodies | MovingBodies | ResidentBodies,
    pairs: Uint32Array,
    index: number,
    options: CaptureOptions<Query>,
  ): Promise<SpaceCapture<Query>>;
  /**
   * Creates a query whose input and output stay on the GPU, over the shapes of this tester.
   *
   * @throws NarrowphaseError `INVALID_INPUT`; `WEBGPU_UNAVAILABLE` on the CPU backend; `LIMIT_EXCEEDED` for more than the
   * device's buffers can hold; `OUT_OF_MEMORY`; `DEVICE_LOST`; `SHADER`.
   */
  createBatch<Q extends BatchQuery>(options: BatchOptions<Q>): Promise<BatchOf<Q>>;
  /**
   * Creates memory for the `warmStart` option of queries of up to `maxPairs` pairs.
   *
   * @throws NarrowphaseError `INVALID_INPUT` unless `maxPairs` is a whole number of at least 1.
   */
  createWarmStart(maxPairs: number): WarmStart;
  /** Frees everything, batches included. Queries in flight reject with `DISPOSED`. Your own device is not destroyed. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/**
 * The methods of both testers in one generic type, for code that serves both dimensions. `Tester` and `PlanarTester`
 * are easier to read.
 */
export interface TesterOf<Types extends TesterTypes> {
  readonly backend: 'webgpu' | 'cpu';
  readonly fallback: string | undefined;
  readonly dimension: Types['dimension'];
  readonly adapter: AdapterDescription;
  readonly limits: TesterLimits;
  readonly timings: QueryTimings;
  addShape(description: Types['shape']): number;
  removeShape(id: number): void;
  massProperties(id: number): Types['massProperties'];
  shapeGeometry(id: number): Types['shapeGeometry'];
  createBodies(bodies: Types['bodies'] | Types['movingBodies']): ResidentBodies<Types['bodyData']>;
  intersects<const List extends FieldList = undefined, const HasBodies extends boolean = false>(
    bodies: Types['bodies'] | ResidentBodies<Types['bodyData']>,
    pairs: Uint32Array,
    options?: QueryOptions<Intersections, Types['warmStart'], List> & { bodies?: HasBodies },
  ): Promise<Answer<Intersections, List, HasBodies>>;
  distances<const List extends FieldList = undefined, const HasBodies extends boolean = false>(
    bodies: Types['bodies'] | ResidentBodies<Types['bodyData']>,
    pairs: Uint32Array,
    options?: QueryOptions<Distances<Types['vector']>, Types['warmStart'], List> & { bodies?: HasBodies },
  ): Promise<Answer<Distances<Types['vector']>, List, HasBodies>>;
  contacts<const List extends FieldList = undefined, const HasBodies extends boolean = false>(
    bodies: Types['bodies'] | ResidentBodies<Types['bodyData']>,
    pairs: Uint32Array,
    options?: ContactOptions<Types['vector'], Types['warmStart'], List> & { bodies?: HasBodies },
  ): Promise<Answer<Contacts<Types['vector']>, List, HasBodies>>;
  manifolds<const List extends FieldList = undefined, const HasBodies extends boolean = false>(
    bodies: Types['bodies'] | ResidentBodies<Types['bodyData']>,
    pairs: Uint32Array,
    options?: QueryOptions<Manifolds<Types['vector']>, Types['warmStart'], List> & { bodies?: HasBodies },
  ): Promise<Answer<Manifolds<Types['vector']>, List, HasBodies>>;
  impacts<const List extends FieldList = undefined, const HasBodies extends boolean = false>(
    bodies: Types['movingBodies'] | ResidentBodies<Types['bodyData']>,
    pairs: Uint32Array,
    options: ImpactOptions<Types['vector'], List> & { bodies?: HasBodies },
  ): Promise<Answer<Impacts<Types['vector']>, List, HasBodies>>;
  rayCasts<const List extends FieldList = undefined>(
    bodies: Types['bodies'] | ResidentBodies<Types['bodyData']>,
    rays: Types['rays'],
    options?: RayCastOptions<Types['vector'], List>,
  ): Promise<Selected<RayHits<Types['vector']>, List>>;
  findPairs(
    bodies: Types['bodies'] | Types['movingBodies'] | ResidentBodies<Types['bodyData']>,
    options?: FindPairsOptions,
  ): Promise<Uint32Array>;
  prepare(options: PrepareOptions): Promise<void>;
  capture<Query extends QueryName>(
    bodies: Types['bodies'] | Types['movingBodies'] | ResidentBodies<Types['bodyData']>,
    pairs: Uint32Array,
    index: number,
    options: CaptureOptions<Query>,
  ): Promise<Types['dimension'] extends 3 ? SpaceCapture<Query> : PlanarCapture<Query>>;
  createBatch<Q extends BatchQuery>(options: BatchOptions<Q>): Promise<BatchOf<Q, Types>>;
  dispose(): void;
  [Symbol.dispose](): void;
}
