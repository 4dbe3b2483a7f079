/** Memory of a traversal of two trees, and what it counts. */
import { createPace } from '../util/turns.ts';
import type { PartTree } from './part-tree.ts';

/** Tests of boxes after which a traversal gives its caller the chance to yield. */
export const BOXES_AT_ONCE = 2 ** 10;

/** A test of two parts takes as long as so many of boxes. */
export const PART_TEST = 16;

/** Steps of `createPace` per test of two boxes. */
const BOX_STEPS = 8;

/** One traversal uses it at a time. A callback that starts another traversal needs a walk of its own. */
export interface Walk {
  /** Pairs of nodes that wait: 2 numbers per pair, and the lower bound of their distance for the search of the nearest. */
  stack: Int32Array;
  bounds: Float64Array;
  top: number;
  /**
   * The least lower bound of the distance of all pairs of nodes that were cut off, Infinity if none was; a length in A's
   * axes at full scale.
   */
  bound: number;
  /** A unit vector from A to B in A's axes, along which the boxes of that pair are at least `bound` apart. */
  readonly axis: Float64Array;
  /** Pairs of boxes tested (N_b) and pairs of parts tested (N_n), of all traversals so far. */
  boxTests: number;
  partTests: number;
  /** Counts steps of work; true if it is time to yield. */
  readonly isDue: (steps: number) => boolean;
  /** The tests of boxes, and of parts as so many of boxes, that `isWalkDue` has counted. */
  countedTests: number;
}

export function createWalk(): Walk {
  return {
    stack: new Int32Array(0),
    bounds: new Float64Array(0),
    top: 0,
    bound: Infinity,
    axis: new Float64Array(3),
    boxTests: 0,
    partTests: 0,
    isDue: createPace(),
    countedTests: 0,
  };
}

/** Tests so far, those of parts as so many of boxes. */
export function testsOf({ boxTests, partTests }: Walk): number {
  return boxTests + PART_TEST * partTests;
}

/** Whether it is time to yield, after the tests since the last call. */
export function isWalkDue(walk: Walk): boolean {
  const tests = testsOf(walk);
  const steps = BOX_STEPS * (tests - walk.countedTests);
  walk.countedTests = tests;
  return walk.isDue(steps);
}

/**
 * Puts the pair of roots onto the stack and forgets the last traversal. Each pair that is taken off the stack puts at most 2
 * pairs onto it, one level deeper, so the stack never has more pairs than the sum of the depths.
 */
export function startWalk(walk: Walk, a: PartTree, b: PartTree): void {
  const room = a.depth + b.depth;
  if (walk.bounds.length < room) {
    walk.stack = new Int32Array(2 * room);
    walk.bounds = new Float64Array(room);
  }
  walk.stack[0] = 0;
  walk.stack[1] = 0;
  walk.bounds[0] = 0;
  walk.top = 1;
  walk.bound = Infinity;
}
