/** The words of motion: velocities, impacts, rays. */

import type { Bodies } from './bodies.ts';
import type { QueryOptions } from './options.ts';
import type { PairItem, PairResults, Results, Status } from './results.ts';
import type { SpaceVector } from './vectors.ts';

/** How n bodies move, in world axes. */
export interface Velocities {
  /** Units a second along x, y, z of each body, 3n; at most 1e30 either way. */
  linearVelocities: Float32Array;
  /**
   * Radians a second around x, y, z of each body, 3n; a body turns about its origin around the axis that its three
   * numbers point along. At most 32 radians within the duration. Default 0.
   */
  angularVelocities?: Float32Array;
}

/** n bodies in motion. */
export type MovingBodies = Bodies & Velocities;

/**
 * `'auto'`: SAT over time for two sharp boxes, closed forms for half-spaces, GJK casts for the rest. `'gjk'`: casts for
 * boxes too. `'epa'`: velocity EPA in their place. Bodies that turn go on to conservative advancement. All give the
 * same answers to the tolerance. In the plane `'auto'` and `'gjk'` are the same: GJK casts.
 */
export type ImpactAlgorithm = 'auto' | 'gjk' | 'epa';

/** Options of `impacts`. */
export interface ImpactOptions<Vector = SpaceVector> extends Omit<
  QueryOptions<Impacts<Vector>>,
  'algorithm' | 'mprDepth' | 'warmStart' | 'margin' | 'results'
> {
  /** Seconds of motion, at least 0; without angular velocities `Infinity` will do. */
  duration: number;
  /** Default `'auto'`. */
  algorithm?: ImpactAlgorithm;
  /**
   * How far apart bodies are when they meet: finite, at least 0; default 0: they touch. More than a million times their
   * size and their distance is as good as that.
   */
  margin?: number;
  /**
   * Bodies that overlap or touch as the motion begins. `true` (default): those that overlap are hits at time 0,
   * whichever way they go. `false`: they are hits at time 0 only where they close in, as with Rapier's `castShape`:
   * their signed distance falls as the motion begins, by more than rounding. Bodies that close in slide into each other
   * along the normal that `contacts` gives: B's velocity against A has a part against that normal, of bodies that turn
   * at the points that overlap. Bodies that part, slide or rest are no hits then. In straight motion they do not meet
   * later either. Bodies that turn may come apart and meet again: that is a hit, at its own time; until they have come
   * apart they are none.
   */
  stopAtPenetration?: boolean;
  /**
   * `'all'`: slot i is pair i (default). `'hits'`: the pairs that meet alone, in ascending pair index. `'earliest'`: of
   * these the ones that are the first impact of either of their bodies. Of impacts at the same time the one whose
   * projection of B - A on the displacement of A against B is smaller comes first, then the lower pair index. Both list
   * `NotConverged` pairs too, which by the bound of their time may be a body's first, unless `escalate` has the
   * reference decide on them.
   */
  results?: 'all' | 'hits' | 'earliest';
}

export interface ImpactItem<Vector = SpaceVector> extends PairItem {
  time: number;
  unclampedTime: number;
  normal: Vector;
  point: Vector;
  iterations: number;
}

/**
 * Result of `impacts`: when bodies in motion come to touch. A pair is a hit, its status `Overlapping`, when that is
 * within the duration, and otherwise `Separated` with infinite times and zeros for normal and point. Pairs that touch
 * and part, slide along each other, or never overlap by more than 1e-6 of their size (in the plane 2e-6) are no hits
 * but for rounding; pairs that touch and rest against each other are. `NotConverged`: the times are bounds before which
 * nothing meets, the point is 0. `InvalidInput`: all is 0, the times too. Vectors have two numbers where the tester's
 * dimension is 2.
 */
export interface Impacts<Vector = SpaceVector> extends PairResults<ImpactItem<Vector>> {
  /** Seconds from 0 to the duration, which is rounded to f32 here, one a slot; `Infinity`: no impact in that time. */
  readonly time: Float32Array;
  /**
   * The same but of pairs that overlap as the motion begins: how long ago they met, as a negative number, had they come
   * along the straight line that they move along; `-Infinity` of those without relative linear velocity, and of a
   * half-space and what doesn't move into it. Take bodies back by it only where it is finite; `contacts` says how to
   * part the others.
   */
  readonly unclampedTime: Float32Array;
  /**
   * Unit vector from A to B in world space at the unclamped time, 3 a slot: where both have one a face's. Without
   * relative motion a way out of the overlap.
   */
  readonly normal: Float32Array;
  /**
   * Where they touch in world space at the unclamped time, on A's surface, 3 a slot; `Float64Array` where positions or
   * matrices are. Infinite where that is beyond f32.
   */
  readonly point: Float32Array | Float64Array;
  /** Supports asked for by all searches, one a slot. */
  readonly iterations: Uint16Array;
  /** With `results: 'earliest'`: of each body the slot of its first impact, or `NO_SLOT` (0xffffffff). */
  readonly first?: Uint32Array;
}

/** m rays, or spheres that move along them. */
export interface Rays {
  /**
   * x, y, z of where each starts, 3m; as `Float64Array` where f32 is too coarse; how far out: `PosedBodies.positions`.
   */
  origins: Float32Array | Float64Array;
  /** x, y, z of how far each goes in a unit of time, 3m; of any length. */
  directions: Float32Array;
  /** How long each goes on, m; default `Infinity`. */
  maxTimes?: Float32Array;
  /** Radii of the spheres, m; at most 1e15; default 0: points. */
  radii?: Float32Array;
}

/** Options of `rayCasts`. */
export interface RayCastOptions<Vector = SpaceVector> {
  /** Default `'auto'`. */
  algorithm?: ImpactAlgorithm;
  /** A result of an earlier call whose arrays are written again; they must be long enough. */
  target?: RayHits<Vector>;
  /** Ends the query with `ABORTED`. */
  signal?: AbortSignal;
}

export interface RayHitItem<Vector = SpaceVector> {
  /** The ray's index. */
  pair: number;
  status: Status;
  time: number;
  body: number;
  normal: Vector;
  point: Vector;
}

/**
 * Result of `rayCasts`: what each ray meets first, slot i being ray i, which `pair` says too. The status is
 * `Overlapping` where it meets something, `Separated` otherwise; `NotConverged`: the time is a bound before which it
 * meets nothing, the point is 0, and it may miss this body and meet another. Rays that graze a body to the tolerance
 * may pass it. Vectors have two numbers where the tester's dimension is 2.
 */
export interface RayHits<Vector = SpaceVector> extends Results<RayHitItem<Vector>> {
  /**
   * In units of the direction: the sphere's (in the plane circle's) centre is at origin + time · direction then. 0
   * where it starts inside a body; `Infinity`: nothing is met.
   */
  readonly time: Float32Array;
  /** Unit vector out of the body's surface, 3 a ray; of a ray that starts inside, where it came in. */
  readonly normal: Float32Array;
  /** Point of the body's surface in world space, 3 a ray; `Float64Array` where positions or origins are. */
  readonly point: Float32Array | Float64Array;
  /** The body's index; `NO_BODY` (0xffffffff): none. Of bodies met at the same time the lower. */
  readonly body: Uint32Array;
}
