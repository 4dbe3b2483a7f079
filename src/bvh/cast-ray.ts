/** The first part of a tree that a ray, or a ball that moves along it, meets. */
import type { PartTree } from './part-tree.ts';
import { startWalk, type Walk } from './walk.ts';

/** A ray in the shape's frame. Times are in units of the direction's length. */
export interface Ray {
  readonly origin: Float64Array;
  readonly direction: Float64Array;
  readonly maxTime: number;
  /** Of the ball; 0 for a ray. */
  readonly radius: number;
}

export interface RayHit {
  /** Infinity if the ray meets no part up to its greatest time. */
  time: number;
  /** -1 if there is none. Of several at the same time, the lowest. */
  part: number;
}

/** What an entry time loses, and a projection, as shares of the lengths in them. */
const ROUNDING = 2 ** -46;
const TIME_ROUNDING = 2 ** -50;

/** A direction's part along an axis that counts as 0, so that its inverse is finite. */
const LEAST_SPEED = 2 ** -900;

/**
 * Finds the first part. The nearer of two boxes is searched first, and those that the ray enters after the first time so far
 * are left out. `timeOf` returns when the ray meets a part; any number above `most`, if that is later than `most`.
 */
export function castRay(
  tree: PartTree,
  ray: Ray,
  timeOf: (part: number, most: number) => number,
  to: RayHit,
  walk: Walk,
): void {
  const { links } = tree;
  startWalk(walk, tree, tree);
  const { stack, bounds } = walk;
  to.time = Infinity;
  to.part = -1;
  bounds[0] = entryTime(tree, 0, ray);
  walk.boxTests++;
  // Less than the entry time of a box that the ray misses.
  let most = Math.min(ray.maxTime, Number.MAX_VALUE);
  let top = 1;
  while (top > 0) {
    top--;
    if (bounds[top] > most) continue;
    let node = stack[top];
    let link = links[node];
    while (link >= 0) {
      const left = entryTime(tree, link, ray);
      const right = entryTime(tree, link + 1, ray);
      walk.boxTests += 2;
      const isLeftNext = left <= right;
      node = isLeftNext ? link : link + 1;
      const later = isLeftNext ? right : left;
      if (later <= most) {
        stack[top] = isLeftNext ? link + 1 : link;
        bounds[top++] = later;
      }
      if (Math.min(left, right) > most) break;
      link = links[node];
    }
    if (link >= 0) continue;
    walk.partTests++;
    const part = -1 - link;
    const time = timeOf(part, most);
    if (!(time <= most) || (time === to.time && part > to.part)) continue;
    to.time = most = time;
    to.part = part;
  }
}

/** The centre of a box from the ray's origin, and the ray's direction, along the axes of the box. */
const centre = new Float64Array(3);
const speed = new Float64Array(3);

/** When the ball first touches a node's box, or a little earlier; Infinity if it does not. */
function entryTime({ boxes, axes, extent }: PartTree, node: number, ray: Ray): number {
  const { origin, direction, radius } = ray;
  const at = 6 * node;
  const x = boxes[at] - origin[0];
  const y = boxes[at + 1] - origin[1];
  const z = boxes[at + 2] - origin[2];
  const reach = radius + ROUNDING * (extent + radius + Math.abs(origin[0]) + Math.abs(origin[1]) + Math.abs(origin[2]));
  project(axes, node, x, y, z, centre);
  project(axes, node, direction[0], direction[1], direction[2], speed);
  let enter = 0;
  let leave = ray.maxTime;
  for (let k = 0; k < 3; k++) {
    const half = boxes[at + 3 + k] + reach;
    if (Math.abs(speed[k]) < LEAST_SPEED) {
      if (Math.abs(centre[k]) > half) return Infinity;
      continue;
    }
    const middle = centre[k] / speed[k];
    const around = half / Math.abs(speed[k]);
    enter = Math.max(enter, middle - around);
    leave = Math.min(leave, middle + around);
  }
  const earliest = enter * (1 - TIME_ROUNDING);
  return earliest <= leave * (1 + TIME_ROUNDING) ? earliest : Infinity;
}

/** Writes the parts of a vector along the axes of a node's box. */
function project(
  axes: Float32Array | undefined,
  node: number,
  x: number,
  y: number,
  z: number,
  to: Float64Array,
): void {
  if (!axes) {
    to[0] = x;
    to[1] = y;
    to[2] = z;
    return;
  }
  for (let k = 0, from = 9 * node; k < 3; k++, from += 3) {
    to[k] = axes[from] * x + axes[from + 1] * y + axes[from + 2] * z;
  }
}
