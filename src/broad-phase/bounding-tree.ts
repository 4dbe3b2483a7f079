/**
 * A tree of boxes around bodies, which finds the bodies that a ray may come near. It splits the bodies at the median of
 * their centres, along the axis of the largest spread, until few are left.
 */

import { allocate } from '../util/arrays.ts';

/** Most bodies in a leaf. */
const LEAF_SIZE = 4;

/** Boxes are enlarged by this share of their coordinates, so that rounding can't lose a body. */
const SLACK = 1e-6;

export interface BoundingTree {
  /**
   * Calls `found` with each body whose box, enlarged by `radius`, a ray meets between its origin and `end` times its
   * direction.
   */
  cast(
    origin: ArrayLike<number>,
    direction: ArrayLike<number>,
    at: number,
    end: number,
    radius: number,
    found: (body: number) => void,
  ): void;
}

/**
 * `centres` holds one position per body, with `axes` numbers each. `radii` holds each body's greatest distance from its
 * centre. `order` lists the bodies in the tree and is sorted in place.
 */
export function createBoundingTree(
  axes: number,
  centres: ArrayLike<number>,
  radii: ArrayLike<number>,
  order: Uint32Array,
): BoundingTree {
  const capacity = Math.max(1, 4 * Math.ceil(order.length / LEAF_SIZE));
  /** Least and greatest coordinates of each node. */
  const boxes = allocate('boxes of the tree', Float64Array, 2 * axes * capacity);
  /** `firsts` and `ends`: for a leaf the range of its bodies in `order`, for an inner node its two children. */
  const firsts = allocate('nodes of the tree', Uint32Array, capacity);
  const ends = allocate('nodes of the tree', Uint32Array, capacity);
  const isLeaf = allocate('nodes of the tree', Uint8Array, capacity);
  let nodeCount = 0;

  function build(first: number, end: number): number {
    const node = nodeCount++;
    const box = 2 * axes * node;
    const low = new Float64Array(axes).fill(Infinity);
    const high = new Float64Array(axes).fill(-Infinity);
    boxes.fill(Infinity, box, box + axes);
    boxes.fill(-Infinity, box + axes, box + 2 * axes);
    for (let i = first; i < end; i++) {
      const body = order[i];
      for (let k = 0; k < axes; k++) {
        const centre = centres[axes * body + k];
        const reach = radii[body] * (1 + SLACK) + Math.abs(centre) * SLACK;
        boxes[box + k] = Math.min(boxes[box + k], centre - reach);
        boxes[box + axes + k] = Math.max(boxes[box + axes + k], centre + reach);
        low[k] = Math.min(low[k], centre);
        high[k] = Math.max(high[k], centre);
      }
    }
    if (end - first <= LEAF_SIZE) {
      isLeaf[node] = 1;
      firsts[node] = first;
      ends[node] = end;
      return node;
    }
    const sizes = high.map((value, k) => value - low[k]);
    const axis = sizes.indexOf(Math.max(...sizes));
    order.subarray(first, end).sort((a, b) => centres[axes * a + axis] - centres[axes * b + axis] || a - b);
    const middle = (first + end) >> 1;
    firsts[node] = build(first, middle);
    ends[node] = build(middle, end);
    return node;
  }

  if (order.length > 0) build(0, order.length);
  const waiting: number[] = [];

  return {
    cast(origin, direction, at, end, radius, found) {
      if (order.length === 0) return;
      waiting.push(0);
      for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
        if (!meets(axes, boxes, 2 * axes * node, origin, direction, at, end, radius)) continue;
        if (isLeaf[node]) for (let i = firsts[node]; i < ends[node]; i++) found(order[i]);
        else waiting.push(ends[node], firsts[node]);
      }
    },
  };
}

/**
 * Whether the ray at index `at` of its arrays meets a box between its ends: Kay, Kajiya, "Ray Tracing Complex Scenes"
 * (1986).
 */
function meets(
  axes: number,
  boxes: Float64Array,
  box: number,
  origin: ArrayLike<number>,
  direction: ArrayLike<number>,
  at: number,
  end: number,
  radius: number,
): boolean {
  let enter = 0;
  let leave = end;
  for (let k = 0; k < axes; k++) {
    const o = origin[axes * at + k];
    const d = direction[axes * at + k];
    const reach = radius + Math.abs(o) * SLACK;
    const low = boxes[box + k] - reach - o;
    const high = boxes[box + axes + k] + reach - o;
    if (d === 0) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    enter = Math.max(enter, Math.min(low / d, high / d));
    leave = Math.min(leave, Math.max(low / d, high / d));
  }
  return enter <= leave * (1 + SLACK);
}
