/**
 * Broad phase by sweep and prune (Cohen, Lin, Manocha, Ponamgi, "I-COLLIDE", 1995). Boxes are sorted by their lower
 * ends along the axis on which their centres vary most. Each box is tested against those that begin before it ends.
 *
 * With a single sorted axis, each box is tested against a whole slab of the scene. So the second axis is cut into
 * strips first, each box goes into every strip it overlaps, and the sweep runs within a strip. If a pair shares several
 * strips, only the first one reports it.
 *
 * Half-spaces have no box. There are few of them, so each is tested against all boxes.
 */

import { allocate } from '../util/arrays.ts';
import { createPace, finish, type Work } from '../util/turns.ts';
import { PairList, sortPairs } from './pair-list.ts';
import { sortBoxes } from './sort-boxes.ts';

/** Width of a strip in mean box lengths along the second axis. Few boxes overlap two strips at this width. */
const STRIP_WIDTH = 4;
/** More strips gain nothing, and a box as long as the scene has to be entered in every one. */
const MAX_STRIPS = 256;

/** A half-space among the bodies, in world space. */
export interface WorldHalfspace {
  body: number;
  /** x, y, z. */
  position: readonly number[];
  /** Outward unit vector. */
  normal: readonly number[];
  /** Distance of the plane from the position, along the normal. */
  offset: number;
  /**
   * A box counts as meeting the half-space up to this height above the plane, as a share of the distance between the
   * box's centre and the position.
   */
  slack: number;
}

/**
 * All pairs of bodies whose boxes overlap or touch, and all pairs of a half-space and a box that meet. The list is
 * flat, has each pair once with a < b, and is sorted by a, then b. Two half-spaces are never a pair.
 *
 * `boxes` holds 6 numbers per body: min x, y, z, max x, y, z. Entries of `halfspaces` are ignored. Throws
 * `LIMIT_EXCEEDED` beyond `maxPairs` pairs.
 */
export function* searchPairs(
  boxes: Float64Array,
  halfspaces: readonly WorldHalfspace[],
  maxPairs: number,
): Work<Uint32Array> {
  const found = new PairList(maxPairs);
  const bounded = yield* boundedBodies(boxes.length / 6, halfspaces);
  yield* sweepAndPrune(boxes, bounded, found);
  const isDue = createPace();
  for (const halfspace of halfspaces) {
    for (const body of bounded) {
      if (meets(halfspace, boxes, 6 * body)) found.add(halfspace.body, body);
      if (isDue(16)) yield;
    }
  }
  return yield* sortPairs(found, boxes.length / 6);
}

/** Runs `searchPairs` to the end. */
export function findPairs(boxes: Float64Array, halfspaces: readonly WorldHalfspace[], maxPairs: number): Uint32Array {
  return finish(searchPairs(boxes, halfspaces, maxPairs));
}

/** All bodies except half-spaces. */
function* boundedBodies(count: number, halfspaces: readonly WorldHalfspace[]): Work<Uint32Array> {
  const isDue = createPace();
  const isHalfspace = allocate('half-spaces among the bodies', Uint8Array, count);
  for (const { body } of halfspaces) isHalfspace[body] = 1;
  const bounded = allocate('bodies with boxes', Uint32Array, count - halfspaces.length);
  for (let body = 0, next = 0; body < count; body++) {
    if (!isHalfspace[body]) bounded[next++] = body;
    if (isDue(1)) yield;
  }
  return bounded;
}

/** Whether the lowest corner of the box at `at` is in the half-space, within `slack` and rounding. */
function meets({ position, normal, offset, slack }: WorldHalfspace, boxes: Float64Array, at: number): boolean {
  let lowest = 0;
  let squared = 0;
  let rounding = 0;
  for (let k = 0; k < 3; k++) {
    const corner = normal[k] > 0 ? boxes[at + k] : boxes[at + 3 + k];
    lowest += normal[k] * (corner - position[k]);
    squared += ((boxes[at + k] + boxes[at + 3 + k]) / 2 - position[k]) ** 2;
    rounding += 2 ** -50 * (Math.abs(corner) + Math.abs(position[k]));
  }
  return lowest <= offset + slack * Math.sqrt(squared) + rounding;
}

/** Adds all pairs of these bodies' boxes that overlap or touch to `found`. */
function* sweepAndPrune(boxes: Float64Array, bodies: Uint32Array, found: PairList): Work<void> {
  const [first, second, third] = yield* axesByVariance(boxes, bodies);
  const strips = yield* cutIntoStrips(boxes, bodies, second);
  for (let s = 0; s < strips.members.length; s++) yield* sweep(boxes, strips, s, first, second, third, found);
}

interface Strips {
  /** Bodies of each strip. */
  members: Uint32Array[];
  /** The strip of a coordinate on the second axis. */
  of(coordinate: number): number;
}

function* cutIntoStrips(boxes: Float64Array, bodies: Uint32Array, axis: number): Work<Strips> {
  const isDue = createPace();
  let low = Infinity;
  let high = -Infinity;
  let total = 0;
  for (const body of bodies) {
    const start = boxes[6 * body + axis];
    const end = boxes[6 * body + 3 + axis];
    low = Math.min(low, start);
    high = Math.max(high, end);
    total += end - start;
    if (isDue(1)) yield;
  }
  const width = Math.max((STRIP_WIDTH * total) / bodies.length, (high - low) / MAX_STRIPS);
  const count = width > 0 ? Math.min(MAX_STRIPS, Math.floor((high - low) / width) + 1) : 1;
  const of = (coordinate: number): number =>
    count === 1 ? 0 : Math.min(count - 1, Math.max(0, Math.floor((coordinate - low) / width)));

  const sizes = new Uint32Array(count);
  for (const body of bodies) {
    const last = of(boxes[6 * body + 3 + axis]);
    for (let s = of(boxes[6 * body + axis]); s <= last; s++) sizes[s]++;
    if (isDue(2 + count / 8)) yield;
  }
  const members = Array.from(sizes, (size) => allocate('boxes of a strip', Uint32Array, size));
  sizes.fill(0);
  for (const body of bodies) {
    const last = of(boxes[6 * body + 3 + axis]);
    for (let s = of(boxes[6 * body + axis]); s <= last; s++) members[s][sizes[s]++] = body;
    if (isDue(2 + count / 8)) yield;
  }
  return { members, of };
}

function* sweep(
  boxes: Float64Array,
  strips: Strips,
  strip: number,
  first: number,
  second: number,
  third: number,
  found: PairList,
): Work<void> {
  const isDue = createPace();
  const order = yield* sortBoxes(strips.members[strip], boxes, first);
  const n = order.length;
  // Copies of the coordinates in sorted order, so that the inner loop reads memory from front to back.
  const [low1, low2, high2, low3, high3] = Array.from({ length: 5 }, () =>
    allocate('coordinates of a strip', Float64Array, n),
  );
  for (let k = 0; k < n; k++) {
    const box = 6 * order[k];
    low1[k] = boxes[box + first];
    low2[k] = boxes[box + second];
    high2[k] = boxes[box + 3 + second];
    low3[k] = boxes[box + third];
    high3[k] = boxes[box + 3 + third];
    if (isDue(4)) yield;
  }
  /** Tests one box against those that begin before it ends. Returns how many these are. */
  const sweepFrom = (i: number): number => {
    const end = boxes[6 * order[i] + 3 + first];
    let j = i + 1;
    for (; j < n && low1[j] <= end; j++) {
      if (low2[j] > high2[i] || low2[i] > high2[j] || low3[j] > high3[i] || low3[i] > high3[j]) continue;
      if (strips.of(Math.max(low2[i], low2[j])) === strip) found.add(order[i], order[j]);
    }
    return j - i;
  };
  for (let i = 0; i < n; i++) if (isDue(2 * sweepFrom(i))) yield;
}

/** The axes 0, 1, 2 in descending order of the variance of the boxes' centres. */
function* axesByVariance(boxes: Float64Array, bodies: Uint32Array): Work<number[]> {
  const isDue = createPace();
  const n = bodies.length;
  const variance = [0, 0, 0];
  for (let axis = 0; axis < 3; axis++) {
    let mean = 0;
    for (const body of bodies) {
      mean += (boxes[6 * body + axis] + boxes[6 * body + 3 + axis]) / 2 / n;
      if (isDue(1)) yield;
    }
    for (const body of bodies) {
      variance[axis] += ((boxes[6 * body + axis] + boxes[6 * body + 3 + axis]) / 2 - mean) ** 2;
      if (isDue(1)) yield;
    }
  }
  return [0, 1, 2].sort((a, b) => variance[b] - variance[a]);
}
