/**
 * Public types for motion: velocities, impacts, rays. See
 * https://github.com/narrowphase/narrowphase/blob/main/docs/motion.md.
 */

import type { Bodies } from './bodies.ts';
import type { FieldList, Fields, TargetOf } from './fields.ts';
import type { QueryOptions, WarmStart } from './options.ts';
import type { PairItem, PairResults, Slots, Status } from './results.ts';
import type { Vec3 } from './vectors.ts';

/** How n bodies move. */
export interface Velocities {
  /** World-space velocities x, y, z in units per second: 3 numbers per body, each from -1e30 to 1e30. */
  linearVelocities: Float32Array;
  /**
   * World-space angular velocities x, y, z in radians per second: 3 numbers per body. A body rotates about its origin,
   * around the axis that its three numbers point along. In `impacts`, pairs of a body that rotates by more than 32 radians
   * within the duration are `InvalidInput`. Default 0.
   */
  angularVelocities?: Float32Array;
}

/** n bodies in motion. */
export type MovingBodies = Bodies & Velocities;

/**
 * Algorithm of `impacts` and `rayCasts`. All return the same times to the tolerance. Bodies that rotate go on to
 * conservative advancement.
 *
 * - `'auto'`: the separating-axis test over time for two sharp boxes, closed forms for half-spaces, GJK casts for the
 *   rest.
 * - `'cast'`: GJK casts, for boxes too. In 2-D the same as `'auto'`.
 * - `'velocity-epa'`: velocity EPA.
 */
export type ImpactAlgorithm = 'auto' | 'cast' | 'velocity-epa';

/** Options of `impacts`. `List` is the type of `fields`; undefined: there are none. */
export interface ImpactOptions<Vector = Vec3, List extends FieldList = undefined> extends Omit<
  QueryOptions<Impacts<Vector>, WarmStart, List>,
  'algorithm' | 'mprDepth' | 'warmStart' | 'margin' | 'results'
> {
  /** Seconds of motion, at least 0. `Infinity` is allowed if nothing rotates. Rounded to f32. */
  duration: number;
  /** Default `'auto'`. */
  algorithm?: ImpactAlgorithm;
  /**
   * Separation at which bodies count as meeting, in world units: finite, at least 0, default 0. Larger values than about
   * a million times the size and distance of the bodies make no difference.
   */
  margin?: number;
  /**
   * What happens to bodies that overlap or touch at the start.
   *
   * - `true` (default): bodies that overlap are hits at time 0, in whatever direction they move.
   * - `false`: they are hits at time 0 only if they approach, as in Rapier's `castShape`: their signed distance falls, by
   *   more than rounding. The approach is measured along the normal that `contacts` returns; for rotating bodies at the
   *   overlapping points. Bodies that separate, slide or rest are not hits. In straight motion they do not meet later
   *   either. Bodies that rotate may separate and meet again: that is a hit at its own time.
   */
  stopAtPenetration?: boolean;
  /**
   * - `'all'` (default): slot i is pair i.
   * - `'hits'`: only the pairs that meet, in ascending pair index.
   * - `'earliest'`: of these, the pairs that are the first impact of either of their bodies. Ties go to the pair with the
   *   smaller projection of B - A on A's displacement relative to B, then to the lower pair index.
   *
   * The last two list `NotConverged` pairs too. Such a pair may be a body's first impact by the bound of its time, unless
   * `escalate` is set.
   */
  results?: 'all' | 'hits' | 'earliest';
}

/** One slot of `Impacts`. */
export interface ImpactItem<Vector = Vec3> extends PairItem {
  /** Seconds from 0 to the duration; `Infinity`: no impact. */
  time: number;
  /** The same, but negative or `-Infinity` for bodies that overlap at the start. */
  unclampedTime: number;
  /** Unit vector from A to B in world space at `unclampedTime`. */
  normal: Vector;
  /** Point on A's surface where they touch, in world space at `unclampedTime`. */
  point: Vector;
  /** Support evaluations of all searches. */
  iterations: number;
}

/**
 * Result of `impacts`: when moving bodies meet. In 2-D, vectors have 2 numbers per slot in place of 3.
 *
 * | status | meaning |
 * | --- | --- |
 * | `Overlapping` | they meet within the duration: the pair is a hit |
 * | `Separated` | they do not; times are `Infinity`, normal and point 0 |
 * | `NotConverged` | times are bounds before which they do not meet; the point is 0 |
 * | `InvalidInput` | all results are 0, the times too |
 *
 * Pairs that only graze are not reported, apart from rounding: those that touch and separate, slide along each other, or
 * never overlap by more than 1e-6 of their size (2-D: 2e-6). Pairs that rest in contact are reported.
 */
export interface Impacts<Vector = Vec3> extends PairResults<ImpactItem<Vector>> {
  /** Time of impact in seconds from 0 to the duration, 1 number per slot; `Infinity`: no impact. */
  readonly time: Float32Array;
  /**
   * The same as `time`, except for pairs that overlap at the start, 1 number per slot. For these:
   *
   * - negative: how long ago they would have touched, extrapolating their linear velocities backwards;
   * - `-Infinity` without relative linear velocity, and for a half-space that the body does not move into.
   *
   * Use it to move bodies back only if it is finite; `contacts` says how to separate the others.
   */
  readonly unclampedTime: Float32Array;
  /**
   * Unit vectors from A to B in world space at `unclampedTime`, 3 numbers per slot; a face normal if a face is involved.
   * Without relative motion, a direction that separates the pair.
   */
  readonly normal: Float32Array;
  /**
   * Points on A's surface where they touch, in world space at `unclampedTime`, 3 numbers per slot; a `Float64Array` if
   * positions or matrices are. Infinite if beyond f32.
   */
  readonly point: Float32Array | Float64Array;
  /** Support evaluations of all searches, 1 number per slot. */
  readonly iterations: Uint16Array;
  /** With `results: 'earliest'`: the slot of each body's first impact, or `NO_SLOT`; 1 number per body. */
  readonly first?: Uint32Array;
}

/** m rays, or spheres that move along them. */
export interface Rays {
  /**
   * World-space start points x, y, z: 3 numbers per ray. Use a `Float64Array` where f32 is too coarse;
   * `PosedBodies.positions` says how far out that holds.
   */
  origins: Float32Array | Float64Array;
  /** Displacements x, y, z per unit of time, of any length: 3 numbers per ray. */
  directions: Float32Array;
  /** How long each ray goes on, in units of time, 1 number per ray; default `Infinity`. */
  maxTimes?: Float32Array;
  /** Radii of the spheres, 1 number per ray, at most 1e15; default 0: points. */
  radii?: Float32Array;
  /**
   * Collision groups as those of bodies (`CollisionFilters.groups`), 1 number per ray; default 0xffffffff. The ray passes
   * through bodies whose groups do not match. Fixed bodies are met as others are.
   */
  groups?: Uint32Array;
}

/** Options of `rayCasts`. `List` is the type of `fields`; undefined: there are none. */
export interface RayCastOptions<Vector = Vec3, List extends FieldList = undefined> {
  /** Default `'auto'`. */
  algorithm?: ImpactAlgorithm;
  /**
   * `'first'` (default): slot i is what ray i meets first. `'all'`: a slot for each body that a ray meets, with its first
   * impact with that body, in ascending order of rays, then times, then bodies. Rays that meet nothing have no slot.
   */
  results?: 'first' | 'all';
  /** As in queries over pairs: names of the arrays that the result has. Default: all. */
  fields?: Fields<RayHits<Vector>, List> | undefined;
  /**
   * A result of an earlier call whose arrays are written again, at the end. The arrays must be long enough: for
   * `results: 'all'` the query rejects with `INVALID_INPUT` once it knows that the hits are more. With `fields`, only the
   * arrays named there are needed.
   */
  target?: TargetOf<RayHits<Vector>, NoInfer<List>>;
  /** Rejects the query with `ABORTED`. */
  signal?: AbortSignal;
}

/** One slot of `RayHits`. */
export interface RayHitItem<Vector = Vec3> {
  /** Index of the ray. */
  ray: number;
  status: Status;
  /** Time of impact in units of the direction; `Infinity`: nothing is met. */
  time: number;
  /** Index of the body, or `NO_BODY`. */
  body: number;
  /** Unit vector out of the body's surface, in world space. */
  normal: Vector;
  /** Point on the body's surface, in world space. */
  point: Vector;
}

/**
 * Result of `rayCasts`: what each ray meets first. Slot i is ray i, and so is `ray[i]`. With `results: 'all'`, slots are
 * hits: `count` is their number, `ray` says which rays they are of, and `statusCounts` counts rays by the statuses of
 * their first slots. In 2-D, vectors have 2 numbers per slot in place of 3.
 *
 * The status is `Overlapping` if the ray meets a body and `Separated` otherwise. With `NotConverged`, the time is a bound
 * before which the ray meets nothing and the point is 0; the ray may miss this body and meet another. A ray that only
 * touches a body misses it: in the plane of a face, along an edge, through a vertex, tangent to a round side, or in the plane of
 * a flat body. See "What a ray hits" at
 * https://github.com/narrowphase/narrowphase/blob/main/docs/motion.md.
 */
export interface RayHits<Vector = Vec3> extends Slots<RayHitItem<Vector>> {
  /** Index of each slot's ray, 1 number per slot. */
  readonly ray: Uint32Array;
  /**
   * Time of impact, 1 number per slot, in units of the direction: the centre of the sphere (2-D: circle) is then at
   * `origin + time · direction`. 0 for rays that start inside a body; `Infinity`: nothing is met.
   */
  readonly time: Float32Array;
  /**
   * Unit vectors out of the body's surface in world space, 3 numbers per slot; for rays that start inside, at the point
   * where they entered.
   */
  readonly normal: Float32Array;
  /** Points on the body's surface in world space, 3 numbers per slot; a `Float64Array` if positions or origins are. */
  readonly point: Float32Array | Float64Array;
  /** Index of the body, 1 number per slot; `NO_BODY`: none. If a ray meets several at the same time first: the lowest index. */
  readonly body: Uint32Array;
}
