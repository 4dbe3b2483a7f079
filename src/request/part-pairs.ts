/** A request for the pairs of parts of pairs of bodies: of compounds, meshes, and convex bodies, which are one part. */
import type { Triangles } from '../bvh/build-tree.ts';
import type { Placement } from '../bvh/placement.ts';
import type { PartTree } from '../bvh/part-tree.ts';

/** A bounded shape as a search sees it. */
export interface PartSource {
  readonly tree: PartTree;
  /** The triangles that are the parts of a mesh. */
  readonly mesh?: Triangles;
}

/** Where the bodies of a pair are. */
export interface PlacedPair {
  a: PartSource;
  b: PartSource;
  placement: Placement;
}

/**
 * Which pairs of parts are found:
 *
 * - `'near'`: all whose boxes are at most `margin` apart, except pairs of triangles that are farther apart than their own
 *   margin. It may include some that are slightly farther apart. All are open.
 * - `'meeting'`: pairs of triangles that meet, and open ones, which may. The margin is 0.
 * - `'any'`: a verdict for each pair of bodies, and the open pairs of triangles of those that may meet. The margin is 0.
 */
export type PartTest = 'near' | 'meeting' | 'any';

export interface PartPairsRequest {
  /** The shapes of all pairs. */
  sources: readonly PartSource[];
  /** Pairs of bodies. */
  count: number;
  /** The pairs of bodies by their index below `count`. The object may be the same for all. */
  pairAt(index: number): PlacedPair;
  test: PartTest;
  /** At full scale. */
  margin: number;
  /** At full scale, for triangles of the pair that `pairAt` gave last. Default: `margin`. */
  triangleMargin?: (index: number) => number;
  signal?: AbortSignal;
}

/** Pairs of parts in ascending order of pair, part of A and part of B. */
export interface PartPairs {
  /** Only for `'any'`: 1 for each pair of bodies that meets. The others meet if an open pair of their parts does. */
  verdicts: Uint8Array;
  /** The pair of bodies of each pair of parts, by its index. */
  pairs: Uint32Array;
  /** The part of A, with the bit `IS_OPEN` if the parts are not certain to meet. */
  partsA: Uint32Array;
  partsB: Uint32Array;
  /** Tests of boxes and of parts. */
  boxTests: number;
  partTests: number;
}
