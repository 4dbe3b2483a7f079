/// <reference lib="esnext.disposable" preserve="true" />
/** The words of the public interface: bodies, pairs, options, results. Conventions stand in the README. */

import type { BatchOf, BatchOptions } from './batch-types.ts';
import type { MassProperties, PlanarMassProperties, PlanarShapeGeometry, ShapeGeometry } from './geometry-types.ts';
import type { ImpactOptions, Impacts, MovingBodies, RayCastOptions, RayHits, Rays } from './motion-types.ts';
import type { QueryName } from './pack/results.ts';
import type { PlanarBodies, PlanarMovingBodies, PlanarRays } from './planar-types.ts';
import type { ShapeDescription } from './shapes/descriptions.ts';
import type { PlanarShapeDescription } from './shapes/planar-descriptions.ts';

export type * from './geometry-types.ts';
export type * from './motion-types.ts';
export type * from './planar-types.ts';

/** What became of a pair. */
export const Status = {
  /** The shapes are apart. */
  Separated: 0,
  /** The signed distance is 0 or less. */
  Overlapping: 1,
  /** An iteration limit or f32 precision ended the search; the best bounds found are in the result. */
  NotConverged: 2,
  /**
   * NaN, infinity, a zero quaternion, a scale that is not above 0 or an index out of range in this pair's data, or two
   * half-spaces; all its results are 0. In buffers of callers' also a scale or a size of a body above 1e15, bodies more
   * than 2e30 apart along an axis, velocities above 1e30; in the plane an angle beyond 8192 radians; for impacts a turn
   * beyond 32 radians.
   */
  InvalidInput: 3,
  /**
   * Scratch memory ran out for this pair; all its results are 0. No query ends so: a polytope that outgrows its memory
   * leaves bounds, and the pair is `NotConverged`.
   */
  CapacityExceeded: 4,
} as const;
export type Status = (typeof Status)[keyof typeof Status];

/** In `RayHits.body`: the ray meets nothing. */
export const NO_BODY = 0xffff_ffff;

/** In `Impacts.first`: the body has no impact. In `output.first` of a batch, which holds pairs, it means the same. */
export const NO_SLOT = 0xffff_ffff;

/** How many pairs ended with each status; `counts[Status.Overlapping]` and so on. */
export type StatusCounts = readonly [number, number, number, number, number];

/** n bodies: which shape each has and where it stands, by position, rotation and scale or by matrix. */
export type Bodies = PosedBodies | MatrixBodies;

/** n bodies by position, rotation and scale. */
export interface PosedBodies {
  /** Shape ids from `addShape`, n of them. */
  shapes: Uint32Array;
  /**
   * x, y, z of each body, 3n; at most 1e30 either way. As `Float64Array`, pair-relative vectors are formed in 58-bit
   * fixed point over the range of all positions, and of the origins of rays: on a GPU bodies keep their tolerance while
   * no coordinate is beyond 1e11 times their size.
   */
  positions: Float32Array | Float64Array;
  /** x, y, z, w of each body, 4n; normalised by us; shorter than 1e-6 is invalid. */
  quaternions: Float32Array;
  /**
   * One uniform, positive scale factor per body, n; default 1. Multiplies rounding radii and a half-space's offset too.
   * At most 1e15, and so is the size of the scaled body: its greatest distance from its origin, for a half-space its
   * offset.
   */
  scales?: Float32Array;
  matrices?: undefined;
}

/** n bodies by matrix. */
export interface MatrixBodies {
  /** Shape ids from `addShape`, n of them. */
  shapes: Uint32Array;
  /**
   * A column-major 4 by 4 matrix a body, 16n, such as three.js has in `InstancedMesh.instanceMatrix.array`: rotation,
   * one positive scale along all axes, translation. What is mirrored, sheared or scaled unevenly by more than 1e-5 is
   * invalid. As `Float64Array`, translations are 64-bit positions.
   */
  matrices: Float32Array | Float64Array;
  positions?: undefined;
  quaternions?: undefined;
  scales?: undefined;
}

/**
 * `'auto'`: closed forms for a sphere with a sphere, capsule, box or triangle and for two capsules, SAT for two boxes,
 * GJK and EPA for the rest; for `distances` a projected Newton search for the rest of the pairs of spheres, capsules
 * and boxes, GJK for what it leaves open and for all others. `'mpr'`: portal refinement; pairs that it leaves open, and
 * those whose gap is asked for, go on to GJK. A half-space has a closed form with every shape, whichever algorithm but
 * `'sat'`, which is for boxes alone, is asked for.
 *
 * In the plane `'auto'` takes closed forms for circles with anything and for two segments or capsules, SAT for what
 * overlaps of the others, GJK for what is apart or hardly touches, and GJK and EPA for two polygons of more than 40
 * corners together. `'sat'` is for segments, rectangles and polygons.
 */
export type Algorithm = 'auto' | 'sat' | 'gjk' | 'mpr';

/**
 * Which depth MPR gives. `'ray'`: of the plane that the line from the bodies' centres through touch leaves the overlap
 * by. `'normal'`: of the best plane that lines along the directions tried leave it by, until the depth stops shrinking.
 * Both are upper bounds of the true depth; the README says how far off.
 */
export type MprDepth = 'ray' | 'normal';

/** Options of every query. */
export interface QueryOptions<Result, Warm = WarmStart> {
  /** Default `'auto'`. `'sat'` takes boxes only; in the plane segments, rectangles and polygons. */
  algorithm?: Algorithm;
  /** Of `'mpr'` alone: default `'normal'`. `contacts` and `manifolds` have depths. */
  mprDepth?: MprDepth;
  /**
   * A pair is a hit when its signed distance is at most `margin`. Pairs farther apart may leave early with a lower
   * bound of the gap. At least 0; default `Infinity` for `distances`, otherwise 0.
   */
  margin?: number;
  /** `'all'`: slot i is pair i (default). `'hits'`: the hits alone, in ascending pair index. */
  results?: 'all' | 'hits';
  /**
   * A result of the same query whose arrays are written again; they must be long enough. The counts are in the result
   * that comes back.
   */
  target?: Result;
  /**
   * Pairs that end `NotConverged` on a GPU are asked again of the double-precision reference on the CPU, when they are
   * read back; with `results: 'hits'` the listed ones. It runs on the caller's thread, up to seconds for hulls of
   * thousands of vertices. Default false.
   */
  escalate?: boolean;
  /**
   * From `createWarmStart`: searches start from what they ended with in the last query that was given it, pair by pair.
   * That cuts iterations where pair i is the same pair as before and moved little, and changes no answer beyond the
   * tolerance, whatever pairs it was used for; a few degenerate pairs in a thousand may end `NotConverged`.
   */
  warmStart?: Warm;
  /** Fill `a` and `b`: the body indices of each slot's pair. Default false. */
  bodies?: boolean;
  /** Ends the query with `ABORTED`. What the device already computes is finished behind the scenes. */
  signal?: AbortSignal;
}

/** Options of `contacts`. */
export interface ContactOptions<Vector = SpaceVector, Warm = WarmStart> extends QueryOptions<Contacts<Vector>, Warm> {
  /** Fill `lower` and `upper`: bounds of the true signed distance. Default false. */
  bounds?: boolean;
}

/** Memory of searches, pair by pair; made by `createWarmStart`. */
export interface WarmStart {
  /**
   * Most pairs of a query that it serves. It takes memory for up to 1.5 times the pairs of the longest query so far: 16
   * bytes per pair on a GPU, 64 on the CPU.
   */
  readonly maxPairs: number;
  dispose(): void;
  [Symbol.dispose](): void;
}

/** What every result has. */
export interface Results<Item> extends Iterable<Item> {
  /** Number of valid slots in each array. */
  readonly count: number;
  /** Index into the given pairs, one a slot. */
  readonly pair: Uint32Array;
  /** A `Status` a slot. */
  readonly status: Uint8Array;
  /** Statuses over all given pairs, whichever `results` were asked for. */
  readonly statusCounts: StatusCounts;
}

/** What every item of a query over pairs has. */
export interface PairItem {
  pair: number;
  status: Status;
  /** With `bodies: true`: the pair's body indices. */
  a?: number;
  b?: number;
}

/** What every result of a query over pairs has. */
export interface PairResults<Item extends PairItem> extends Results<Item> {
  /** With `bodies: true`: index of body A, one per slot. */
  readonly a?: Uint32Array;
  /** With `bodies: true`: index of body B, one per slot. */
  readonly b?: Uint32Array;
}

export interface IntersectionItem extends PairItem {
  hit: boolean;
}

/** Result of `intersects`. */
export interface Intersections extends PairResults<IntersectionItem> {
  /** 1 where the signed distance is at most `margin`. */
  readonly hit: Uint8Array;
  /** Number of hits over all given pairs. */
  readonly hits: number;
}

/** x, y, z. */
export type SpaceVector = [number, number, number];

/** x, y. */
export type PlanarVector = [number, number];

export interface DistanceItem<Vector = SpaceVector> extends PairItem {
  distance: number;
  normal: Vector;
  pointA: Vector;
  pointB: Vector;
}

/**
 * Result of `distances`: overlapping pairs have distance 0 and zeros for normal and points. Vectors have two numbers
 * where the tester's dimension is 2.
 */
export interface Distances<Vector = SpaceVector> extends PairResults<DistanceItem<Vector>> {
  /** Gap between the surfaces, one a slot; 0 for overlapping pairs. */
  readonly distance: Float32Array;
  /** Unit vector from A to B in world space, 3 a slot. */
  readonly normal: Float32Array;
  /** Witness point on A in world space, 3 a slot; `Float64Array` where positions or matrices are. */
  readonly pointA: Float32Array | Float64Array;
  /** Witness point on B: `pointA + distance · normal`. */
  readonly pointB: Float32Array | Float64Array;
}

export interface ContactItem<Vector = SpaceVector> extends DistanceItem<Vector> {
  featureA: number;
  featureB: number;
  iterations: number;
  lower?: number;
  upper?: number;
}

/**
 * Result of `contacts`: negative distances are penetration depths. Vectors have two numbers where the tester's
 * dimension is 2.
 */
export interface Contacts<Vector = SpaceVector> extends PairResults<ContactItem<Vector>> {
  /** Signed distance, one a slot. */
  readonly distance: Float32Array;
  /** Unit vector from A to B in world space, 3 a slot; moving B by `-distance · normal` brings the pair to touch. */
  readonly normal: Float32Array;
  /** Point on A's surface in world space, 3 a slot; `Float64Array` where positions or matrices are. */
  readonly pointA: Float32Array | Float64Array;
  /** Point on B's surface: `pointA + distance · normal`. */
  readonly pointB: Float32Array | Float64Array;
  /**
   * `kind << 30 | index`: kind 0 none, 1 vertex, 2 edge, 3 face; unsigned. `featureKind` and `featureIndex` give the
   * parts.
   */
  readonly featureA: Uint32Array;
  readonly featureB: Uint32Array;
  /**
   * Iterations of the algorithm that answered: 1 for closed forms and SAT, supports asked for by MPR, those of GJK, EPA
   * and refinement together.
   */
  readonly iterations: Uint16Array;
  /** With `bounds: true`: `lower <= true signed distance <= upper`. */
  readonly lower?: Float32Array;
  readonly upper?: Float32Array;
}

/** A point that a contact is held by. */
export type ManifoldPoint = ManifoldPointIn<SpaceVector>;

export interface ManifoldPointIn<Vector> {
  /** On A's surface, in world space; `position + distance · normal` lies on B's. */
  position: Vector;
  /** Along the manifold's normal; negative where the shapes overlap. */
  distance: number;
  /** What the point lies on, as in `Manifolds.feature`. */
  feature: number;
}

export interface ManifoldItem<Vector = SpaceVector> extends PairItem {
  normal: Vector;
  /** The pair's signed distance, as `contacts` gives it. */
  contactDistance: number;
  points: ManifoldPointIn<Vector>[];
}

/**
 * Result of `manifolds`: up to four points of each hit. The first is the deepest; corners of the contact region whose
 * depths differ by less than 1e-4 times the sum of the bounding radii count as equally deep. The others span the widest
 * area with it, to 0.99 of the best choice; choices within that 1 % go by their features, so that resting contacts keep
 * their points. Where three points span as much as four there are three. Pairs that are no hits have none. In the plane
 * a hit has up to two points, of the four that there is room for; vectors have 2 numbers there: `normal` 2 and
 * `position` 8 per slot.
 */
export interface Manifolds<Vector = SpaceVector> extends PairResults<ManifoldItem<Vector>> {
  /** The contact's normal: a unit vector from A to B in world space, 3 a slot. */
  readonly normal: Float32Array;
  /**
   * The pair's signed distance, as `contacts` gives it, one per slot. The first point's `distance` may be up to the
   * above 1e-4 greater.
   */
  readonly contactDistance: Float32Array;
  /** Number of points, one a slot: 0 to 4, and at least 1 for a hit. */
  readonly pointCount: Uint8Array;
  /**
   * Points on A's surface in world space, 12 a slot; `Float64Array` where positions or matrices are. 0 beyond the
   * number of points.
   */
  readonly position: Float32Array | Float64Array;
  /** Along the normal from each point to B's surface, 4 a slot; at most `margin`. */
  readonly distance: Float32Array;
  /**
   * What each point lies on, 4 per slot, the same from frame to frame as long as that is so: `kind << 30 | bits`,
   * unsigned. `decodeManifoldFeature` gives the parts.
   * - kind 1, a vertex of one shape over a face of the other: bit 29 is 0 for A's and 1 for B's; below, the vertex'
   *   number.
   * - kind 2, a crossing of an edge of A and an edge of B: 15 bits for A's and 15 for B's from bit 15 on, each
   *   `lower * 181 + higher` of the edge's two vertex numbers, modulo 2^15.
   * - kind 3, no bits: the contact's own point, where faces don't reach to its depth.
   *
   * A point within 1.4 % of an edge's length of a vertex has that vertex' feature, unless another point has it; A's
   * vertices come before B's. Vertices of hulls have the caller's point index, boxes' bit 0, 1, 2 set where x, y, z is
   * positive; a capsule's are 0 (below) and 1; the one point of a sphere or an ellipsoid is 0. A cylinder's and a
   * cone's are 0 to 7 and 8 to 15 around the caps at +y and -y, the line on the side 16 (below) and 17, the farthest
   * point of a rim whose cap faces the other shape 18 (+y, of a cone the base's) and 19 (-y).
   *
   * In the plane kind 1 alone, of a corner of one shape over an edge or a corner of the other: polygons' and segments'
   * corners have the caller's point index, rectangles' bit 0, 1 set where x, y is positive; a capsule's are 0 (below)
   * and 1, a circle's is 0.
   */
  readonly feature: Uint32Array;
}

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

/** What a tester takes and gives, by its dimension. */
export interface TesterTypes {
  dimension: 2 | 3;
  shape: ShapeDescription | PlanarShapeDescription;
  bodies: Bodies | PlanarBodies;
  movingBodies: MovingBodies | PlanarMovingBodies;
  rays: Rays | PlanarRays;
  vector: SpaceVector | PlanarVector;
  warmStart: WarmStart | undefined;
  massProperties: MassProperties | PlanarMassProperties;
  shapeGeometry: ShapeGeometry | PlanarShapeGeometry;
}

/** In space. */
export interface SpaceTypes {
  dimension: 3;
  shape: ShapeDescription;
  bodies: Bodies;
  movingBodies: MovingBodies;
  rays: Rays;
  vector: SpaceVector;
  warmStart: WarmStart;
  massProperties: MassProperties;
  shapeGeometry: ShapeGeometry;
}

/** In the plane. */
export interface PlanarTypes {
  dimension: 2;
  shape: PlanarShapeDescription;
  bodies: PlanarBodies;
  movingBodies: PlanarMovingBodies;
  rays: PlanarRays;
  vector: PlanarVector;
  warmStart: undefined;
  massProperties: PlanarMassProperties;
  shapeGeometry: PlanarShapeGeometry;
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

/** Options of `findPairs`. */
export interface FindPairsOptions {
  /** How far apart the bodies of a pair may be: finite, at least 0; default 0. */
  margin?: number;
  /** Ends the query with `ABORTED`. */
  signal?: AbortSignal;
}
