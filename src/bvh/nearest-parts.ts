/** The nearest parts of two trees. */
import type { Rest, Work } from '../util/turns.ts';
import { descend, makeDescent, type Descent, type TreePair } from './descent.ts';
import { separation } from './separation.ts';
import { isBeyond, makeTiePlane, type Heights } from './tie-plane.ts';
import { isWalkDue, startWalk, type Walk } from './walk.ts';

export interface NearestOptions {
  /** Pairs that are farther apart are not looked at. */
  readonly limit: number;
  /** Of pairs whose distance is at most this above the least, the lowest is the witness. */
  readonly slack: number;
  /** With them, and a slack above their rounding, the time does not grow with the number of pairs that are equally near. */
  readonly heights?: Heights;
}

/** What `nearestParts` finds. */
export interface Nearest {
  /** The least distance, Infinity if it is more than the limit. */
  distance: number;
  /** The lowest pair of parts with that distance, or at most `slack` more: by the part of A, then by that of B. */
  partA: number;
  partB: number;
  /**
   * Pairs that can be the witness in the end: the lowest so far first, each of the others nearer than those before. Without
   * slack there is one.
   */
  readonly witnesses: Witness[];
}

interface Witness {
  readonly distance: number;
  readonly partA: number;
  readonly partB: number;
}

export function createNearest(): Nearest {
  return { distance: Infinity, partA: 0, partB: 0, witnesses: [] };
}

const rootAxis = new Float64Array(3);

/** The distance of two parts at full scale. If it is more than `most`, any number that is more than `most` will do. */
type DistanceOf = (partA: number, partB: number, most: number) => number;

/**
 * Finds the least distance of two parts, and the lowest pair that has it, by branch and bound: the nearer of two pairs of nodes
 * is searched first, and those farther away than the least distance so far are cut off. At a distance of 0 or less the search
 * ends.
 *
 * If nothing is within the limit, `walk.bound` is a lower bound of the distance of all pairs for which `distanceOf` was not
 * called, and `walk.axis` its axis, as after `findPartPairs`.
 */
export function nearestParts(
  trees: TreePair,
  distanceOf: DistanceOf,
  options: NearestOptions,
  to: Nearest,
  walk: Walk,
): Rest {
  const { a, b, placement } = trees;
  to.distance = Infinity;
  to.witnesses.length = 0;
  startWalk(walk, a, b);
  walk.bounds[0] = separation(a, 0, b, 0, placement, rootAxis);
  walk.boxTests++;
  const { limit, slack } = options;
  const descent = makeDescent(trees, true, limit, (partA, partB) => {
    const distance = distanceOf(partA, partB, descent.most);
    if (!(distance <= descent.most)) return false;
    descent.most = keepWitness(partA, partB, distance, descent.most, slack, to);
    // Bounds of what is cut off are needed only if nothing is within the limit.
    walk.bound = -Infinity;
    return distance <= 0;
  });
  descend(descent, walk);
  return walk.top > 0 ? searchMore(descent, options, to, walk) : undefined;
}

function* searchMore(descent: Descent, { slack, heights }: NearestOptions, to: Nearest, walk: Walk): Work<void> {
  const { a, b } = descent;
  // The heights of a plane take a fraction of the time of so many tests.
  const testsPerPlane = TESTS_BEFORE_PLANE + ((a.links.length + b.links.length) >> 2);
  let nextPlane = walk.partTests + testsPerPlane;
  while (walk.top > 0) {
    if (isWalkDue(walk)) yield;
    descend(descent, walk);
    if (!heights || walk.top === 0 || walk.partTests < nextPlane || to.distance === Infinity) continue;
    heights.setLine(to.partA, to.partB);
    const plane = yield* makeTiePlane(a, b, heights, walk);
    descent.skips = (nodeA, nodeB) => isBeyond(plane, nodeA, nodeB, to.distance - slack, to.partA, to.partB);
    nextPlane = walk.partTests + testsPerPlane;
  }
}

/** Tests of parts after which pairs that are equally near are looked for. */
const TESTS_BEFORE_PLANE = 2 ** 8;

/** Keeps a pair of parts that is at most `most` apart. Returns the greatest distance of pairs that matter from now on. */
function keepWitness(partA: number, partB: number, distance: number, most: number, slack: number, to: Nearest): number {
  const { witnesses } = to;
  if (distance < to.distance) {
    to.distance = distance;
    most = Math.min(most, distance + slack);
    while (witnesses.length > 0 && witnesses[0].distance > most) witnesses.shift();
  }
  // Those before are lower, and farther apart.
  let at = 0;
  while (at < witnesses.length && comesBefore(witnesses[at], partA, partB)) at++;
  if (at === 0 || witnesses[at - 1].distance > distance) {
    let end = at;
    while (end < witnesses.length && witnesses[end].distance >= distance) end++;
    witnesses.splice(at, end - at, { distance, partA, partB });
  }
  to.partA = witnesses[0].partA;
  to.partB = witnesses[0].partB;
  return most;
}

function comesBefore(witness: Witness, partA: number, partB: number): boolean {
  return witness.partA < partA || (witness.partA === partA && witness.partB < partB);
}
