/** What queries give. */
import type { SpaceVector } from './vectors.ts';

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
