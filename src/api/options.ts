/// <reference lib="esnext.disposable" preserve="true" />
/** What queries take besides bodies and pairs. */
import type { Contacts } from './results.ts';
import type { SpaceVector } from './vectors.ts';

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

/** Options of `findPairs`. */
export interface FindPairsOptions {
  /** How far apart the bodies of a pair may be: finite, at least 0; default 0. */
  margin?: number;
  /** Ends the query with `ABORTED`. */
  signal?: AbortSignal;
}
