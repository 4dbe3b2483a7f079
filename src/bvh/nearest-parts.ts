/** The nearest parts of two trees. */
import type { PartTree } from './part-tree.ts';
import type { Placement } from './placement.ts';
import { noteCut, separation } from './separation.ts';
import { startWalk, type Walk } from './walk.ts';

export interface NearestOptions {
  /** Pairs that are farther apart are not looked at. */
  readonly limit: number;
  /** Pairs whose distance is at most this above the least are kept too. */
  readonly slack: number;
}

/** What `nearestParts` finds. */
export interface Nearest {
  /** The least distance, Infinity if it is more than the limit. */
  distance: number;
  /** The pairs of parts with that distance, or at most `slack` more: partA and partB in turn; and their distances. */
  readonly pairs: number[];
  readonly distances: number[];
}

export function createNearest(): Nearest {
  return { distance: Infinity, pairs: [], distances: [] };
}

const scratchAxis = new Float64Array(3);

/**
 * Finds the least distance of two parts, and the pairs that have it, by branch and bound: the nearer of two pairs of nodes
 * is searched first, and those farther away than the least distance so far are cut off.
 *
 * `distanceOf` returns the distance of two parts at full scale. If it is more than `most`, any number that is more than
 * `most` will do. At a distance of 0 or less the search ends.
 *
 * If nothing is within the limit, `walk.bound` is a lower bound of the distance of all pairs for which `distanceOf` was not
 * called, and `walk.axis` its axis, as after `findPartPairs`.
 */
export function nearestParts(
  a: PartTree,
  b: PartTree,
  placement: Placement,
  distanceOf: (partA: number, partB: number, most: number) => number,
  { limit, slack }: NearestOptions,
  to: Nearest,
  walk: Walk,
): void {
  to.distance = Infinity;
  to.pairs.length = 0;
  to.distances.length = 0;
  startWalk(walk, a, b);
  const { stack, bounds } = walk;
  const linksA = a.links;
  const linksB = b.links;
  bounds[0] = separation(a, 0, b, 0, placement, scratchAxis);
  walk.boxTests++;
  let most = limit;
  while (walk.top > 0) {
    const at = --walk.top;
    let nodeA = stack[2 * at];
    let nodeB = stack[2 * at + 1];
    if (bounds[at] > most) {
      if (to.distance === Infinity) noteCut(a, nodeA, b, nodeB, placement, walk);
      continue;
    }
    for (;;) {
      const linkA = linksA[nodeA];
      const linkB = linksB[nodeB];
      if (linkA < 0 && linkB < 0) {
        most = measure(-1 - linkA, -1 - linkB, distanceOf, most, slack, to, walk);
        if (to.distance <= 0) return;
        break;
      }
      const cutsA = linkB < 0 || (linkA >= 0 && isLarger(a, nodeA, b, nodeB, placement));
      const otherA = cutsA ? linkA + 1 : nodeA;
      const otherB = cutsA ? nodeB : linkB + 1;
      if (cutsA) nodeA = linkA;
      else nodeB = linkB;
      const bound = separation(a, nodeA, b, nodeB, placement, scratchAxis);
      const otherBound = separation(a, otherA, b, otherB, placement, scratchAxis);
      walk.boxTests += 2;
      const isFarther = bound > otherBound;
      const top = walk.top++;
      stack[2 * top] = isFarther ? nodeA : otherA;
      stack[2 * top + 1] = isFarther ? nodeB : otherB;
      bounds[top] = isFarther ? bound : otherBound;
      if (isFarther) {
        nodeA = otherA;
        nodeB = otherB;
      }
      if (Math.min(bound, otherBound) <= most) continue;
      if (to.distance === Infinity) noteCut(a, nodeA, b, nodeB, placement, walk);
      break;
    }
  }
}

/** Which node is cut: A's if its box is the larger one. */
function isLarger(a: PartTree, nodeA: number, b: PartTree, nodeB: number, { scaleA, scaleB }: Placement): boolean {
  const atA = 6 * nodeA + 3;
  const atB = 6 * nodeB + 3;
  const sizeA = a.boxes[atA] + a.boxes[atA + 1] + a.boxes[atA + 2];
  const sizeB = b.boxes[atB] + b.boxes[atB + 1] + b.boxes[atB + 2];
  return scaleA * sizeA >= scaleB * sizeB;
}

/** Measures a pair of parts. Returns up to which distance pairs are of interest from now on. */
function measure(
  partA: number,
  partB: number,
  distanceOf: (partA: number, partB: number, most: number) => number,
  most: number,
  slack: number,
  to: Nearest,
  walk: Walk,
): number {
  walk.partTests++;
  const distance = distanceOf(partA, partB, most);
  if (!(distance <= most)) return most;
  if (distance < to.distance) {
    to.distance = distance;
    most = Math.min(most, distance + slack);
    dropFarther(to, most);
  }
  to.pairs.push(partA, partB);
  to.distances.push(distance);
  return most;
}

/** Forgets pairs that are farther apart than `most`. */
function dropFarther({ pairs, distances }: Nearest, most: number): void {
  let kept = 0;
  for (let k = 0; k < distances.length; k++) {
    if (distances[k] > most) continue;
    distances[kept] = distances[k];
    pairs[2 * kept] = pairs[2 * k];
    pairs[2 * kept + 1] = pairs[2 * k + 1];
    kept++;
  }
  distances.length = kept;
  pairs.length = 2 * kept;
}
