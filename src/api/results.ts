/**
 * Public types for results: structures of arrays that iterate as plain objects. Conventions:
 * https://github.com/narrowphase/narrowphase/blob/main/docs/conventions.md.
 */
import type { Vec3 } from './vectors.ts';

/** Outcome of a pair or ray. */
export const Status = {
  /** The shapes are apart. */
  Separated: 0,
  /** The signed distance is 0 or less. For `impacts` and `rayCasts`: they meet. */
  Overlapping: 1,
  /** An iteration limit or f32 precision ended the search; the best bounds found are in the result. */
  NotConverged: 2,
  /**
   * The data of this pair cannot be used: NaN, infinity, a zero quaternion, a scale of 0 or less, an index out of range,
   * or two half-spaces. For `impacts` also: a body rotates by more than 32 radians within the duration. All its results
   * are 0.
   *
   * In batches also: a compound, a mesh or a chain in batches of `manifolds` without `parts: 'all'`, and for rays that
   * meet its box. In caller-owned buffers also: a scale or size above 1e15, bodies more than 2e30 apart along an axis, a
   * velocity above 1e30, or a 2-D angle beyond 8192 radians.
   */
  InvalidInput: 3,
  /**
   * There was no room for this pair; all its results are 0. Batches return it where the pairs of parts of compounds and
   * meshes exceed `maxPartPairs`, or rays their candidates. No query does: a polytope that outgrows its memory leaves bounds,
   * and the pair is `NotConverged`.
   */
  CapacityExceeded: 4,
} as const;
export type Status = (typeof Status)[keyof typeof Status];

/** In `RayHits.body`: the ray meets nothing. */
export const NO_BODY = 0xffff_ffff;

/** In `Impacts.first`, and in `output.first` of a batch: the body has no impact. */
export const NO_SLOT = 0xffff_ffff;

/** Number of pairs with each status: `counts[Status.Overlapping]` and so on. */
export type StatusCounts = readonly [number, number, number, number, number];

/** Fields of every result. */
export interface Slots<Item> extends Iterable<Item> {
  /** Number of valid slots in each array. Arrays of a `target` may be longer. */
  readonly count: number;
  /** `Status` of each slot, 1 number per slot. */
  readonly status: Uint8Array;
  /** Number of pairs (in `rayCasts`: of rays) with each status, over all given, also with `results: 'hits'`. */
  readonly statusCounts: StatusCounts;
}

/** Fields of every result of pairs. */
export interface Results<Item> extends Slots<Item> {
  /** Index of each slot's pair, 1 number per slot. */
  readonly pair: Uint32Array;
}

/** Fields of every item of a query over pairs. */
export interface PairItem {
  /** Index of the pair. */
  pair: number;
  status: Status;
  /** With `bodies: true`: index of body A. */
  a?: number;
  /** With `bodies: true`: index of body B. */
  b?: number;
  /** With `parts: 'all'`, and in `manifolds` of compounds, meshes and chains: number of the part of A. */
  partA?: number;
  /** With `parts: 'all'`, and in `manifolds` of compounds, meshes and chains: number of the part of B. */
  partB?: number;
}

/** Fields of every result of a query over pairs. */
export interface PairResults<Item extends PairItem> extends Results<Item> {
  /** With `bodies: true`: index of body A, 1 number per slot. */
  readonly a?: Uint32Array;
  /** With `bodies: true`: index of body B, 1 number per slot. */
  readonly b?: Uint32Array;
  /**
   * With `parts: 'all'`, and in `manifolds` of compounds, meshes and chains: the part of A, 1 number per slot. It is the index of
   * a compound's part or of a mesh's triangle, and 0 for convex bodies. If `fields` names it in a query without
   * `parts: 'all'`, it is the part that the answer is of.
   */
  readonly partA?: Uint32Array;
  /** The same of B. */
  readonly partB?: Uint32Array;
}

/** One slot of `Intersections`. */
export interface IntersectionItem extends PairItem {
  /** Whether the signed distance is at most `margin`. */
  hit: boolean;
}

/** Result of `intersects`. */
export interface Intersections extends PairResults<IntersectionItem> {
  /** 1 if the signed distance is at most `margin`, otherwise 0; 1 number per slot. */
  readonly hit: Uint8Array;
  /** Number of hits over all given pairs. */
  readonly hits: number;
}

/** One slot of `Distances`. */
export interface DistanceItem<Vector = Vec3> extends PairItem {
  /** Gap in world units; 0 for overlapping pairs. A lower bound in the cases of `Distances.distance`. */
  distance: number;
  /** Unit vector from A to B in world space. */
  normal: Vector;
  /** Nearest point on A's surface in world space. */
  pointA: Vector;
  /** Nearest point on B's surface in world space. */
  pointB: Vector;
}

/**
 * Result of `distances`. Overlapping pairs have zeros for distance, normal and points. In 2-D, vectors have 2 numbers per
 * slot in place of 3.
 */
export interface Distances<Vector = Vec3> extends PairResults<DistanceItem<Vector>> {
  /**
   * Gap between the surfaces in world units, 1 number per slot; 0 for overlapping pairs. For pairs farther apart than
   * `margin` it may be a positive lower bound of the gap, and the points are then 0. For `NotConverged` pairs it is the
   * best lower bound found.
   */
  readonly distance: Float32Array;
  /** Unit vectors from A to B in world space, 3 numbers per slot; a separating axis where `distance` is a bound. */
  readonly normal: Float32Array;
  /** Nearest points on A in world space, 3 numbers per slot; a `Float64Array` if positions or matrices are. */
  readonly pointA: Float32Array | Float64Array;
  /** Nearest points on B: `pointA + distance · normal`, 3 numbers per slot. */
  readonly pointB: Float32Array | Float64Array;
}

/** One slot of `Contacts`. */
export interface ContactItem<Vector = Vec3> extends DistanceItem<Vector> {
  /** Signed distance; negative: penetration depth. */
  distance: number;
  /** Feature of A that the point lies on; `featureKind` and `featureIndex` give the parts. */
  featureA: number;
  /** Feature of B that the point lies on. */
  featureB: number;
  /** Iterations of all searches. */
  iterations: number;
  /** With `bounds: true`: lower bound of the true signed distance. */
  lower?: number;
  /** With `bounds: true`: upper bound of the true signed distance. */
  upper?: number;
}

/** Result of `contacts`. In 2-D, vectors have 2 numbers per slot in place of 3. */
export interface Contacts<Vector = Vec3> extends PairResults<ContactItem<Vector>> {
  /**
   * Signed distance in world units, 1 number per slot; negative: penetration depth. For pairs farther apart than `margin`
   * it may be a positive lower bound of the gap, and the points are then 0. For `NotConverged` pairs it is the best lower
   * bound found.
   */
  readonly distance: Float32Array;
  /**
   * Unit vectors from A to B in world space, 3 numbers per slot. Moving B by `-distance · normal` brings the pair into
   * touch.
   */
  readonly normal: Float32Array;
  /** Points on A's surface in world space, 3 numbers per slot; a `Float64Array` if positions or matrices are. */
  readonly pointA: Float32Array | Float64Array;
  /** Points on B's surface: `pointA + distance · normal`, 3 numbers per slot. */
  readonly pointB: Float32Array | Float64Array;
  /**
   * Feature of A that the point lies on, 1 number per slot: `kind << 30 | index`, unsigned. `featureKind` and
   * `featureIndex` give the parts;
   * https://github.com/narrowphase/narrowphase/blob/main/docs/conventions.md#feature-numbers, has the indices of every
   * shape. 0 for pairs
   * without points.
   */
  readonly featureA: Uint32Array;
  /** Feature of B that the point lies on, 1 number per slot. */
  readonly featureB: Uint32Array;
  /**
   * Iterations of all searches, 1 number per slot: 1 for closed forms and SAT, support evaluations for MPR, the sum of
   * those of GJK, EPA and refinement otherwise.
   */
  readonly iterations: Uint16Array;
  /** With `bounds: true`: lower bounds of the true signed distance, 1 number per slot. */
  readonly lower?: Float32Array;
  /** With `bounds: true`: upper bounds of the true signed distance, 1 number per slot. */
  readonly upper?: Float32Array;
}

/** One point of a 3-D manifold. */
export type ManifoldPoint = ManifoldPointIn<Vec3>;

/** One point of a manifold. */
export interface ManifoldPointIn<Vector> {
  /** Point on A's surface in world space; `position + distance · normal` lies on B's. */
  position: Vector;
  /** Signed distance along the manifold's normal; negative where the shapes overlap. */
  distance: number;
  /** Feature that the point is made of, as in `Manifolds.feature`; `decodeManifoldFeature` gives the parts. */
  feature: number;
}

/** One slot of `Manifolds`. */
export interface ManifoldItem<Vector = Vec3> extends PairItem {
  /** Unit vector from A to B in world space. */
  normal: Vector;
  /** The pair's signed distance, as `contacts` returns it. */
  contactDistance: number;
  /** 0 to 4 points, at least 1 for a hit; the first is the deepest. */
  points: ManifoldPointIn<Vector>[];
}

/**
 * Result of `manifolds`: up to four points per hit, none for other pairs.
 *
 * - The first point is the deepest. Corners of the contact region whose depths differ by less than 1e-4 times the sum of
 *   the bounding radii count as equally deep.
 * - The others span the widest area with it, to at least 0.99 of the best choice. Choices within that 1 % are decided by
 *   feature number, so resting contacts keep their points. If three points span as much as four, there are three.
 * - In 2-D, a hit has one or two points. Arrays have room for four; vectors have 2 numbers: `normal` 2 and `position` 8
 *   numbers per slot.
 */
export interface Manifolds<Vector = Vec3> extends PairResults<ManifoldItem<Vector>> {
  /** Unit vectors from A to B in world space, 3 numbers per slot. */
  readonly normal: Float32Array;
  /**
   * Signed distance of the pair in world units, as `contacts` returns it, 1 number per slot. The `distance` of the first
   * point may be greater by up to 1e-4 times the sum of the bounding radii.
   */
  readonly contactDistance: Float32Array;
  /** Number of points, 1 number per slot: 0 to 4, at least 1 for a hit. */
  readonly pointCount: Uint8Array;
  /**
   * Points on A's surface in world space, 12 numbers per slot: 3 per point, 0 beyond `pointCount`. A `Float64Array` if
   * positions or matrices are.
   */
  readonly position: Float32Array | Float64Array;
  /** Signed distances from each point to B's surface along the normal, 4 numbers per slot; at most `margin`. */
  readonly distance: Float32Array;
  /**
   * Feature that each point is made of, 4 numbers per slot: `kind << 30 | bits`, unsigned. It stays the same from frame to
   * frame as long as the point is made of the same features. `decodeManifoldFeature` gives the parts;
   * https://github.com/narrowphase/narrowphase/blob/main/docs/conventions.md#feature-numbers, has the numbers of every
   * shape.
   */
  readonly feature: Uint32Array;
}
