/** Rays against boxes, and the boxes of a tree that a ray meets, the nearest first. */
import type { BoxTree } from './box-tree.ts';
import { groupsMeet } from './filters.ts';

/** Boxes are enlarged by this share of their distance from the ray's origin and of its radius, for the rounding of f32. */
const SLACK = 1e-6;

/** And by this share of the coordinates, whose differences round in double precision. */
const ROUNDING = 2 ** -50;

/** Rays, with one number per axis in `origins` and `directions`. */
export interface RayArrays {
  readonly origins: ArrayLike<number>;
  readonly directions: ArrayLike<number>;
  readonly maxTimes?: ArrayLike<number>;
  readonly radii?: ArrayLike<number>;
}

/** A ray, or a ball that moves along it, as boxes are tested with it. */
export interface BoxRay {
  axes: number;
  readonly origin: Float64Array;
  readonly direction: Float64Array;
  /** 1 over each component of the direction. */
  readonly inverse: Float64Array;
  radius: number;
  end: number;
}

export function createBoxRay(): BoxRay {
  return {
    axes: 3,
    origin: new Float64Array(3),
    direction: new Float64Array(3),
    inverse: new Float64Array(3),
    radius: 0,
    end: Infinity,
  };
}

export function setBoxRay(
  axes: number,
  { origins, directions, maxTimes, radii }: RayArrays,
  ray: number,
  to: BoxRay,
): BoxRay {
  to.axes = axes;
  for (let k = 0; k < axes; k++) {
    to.origin[k] = origins[axes * ray + k];
    to.direction[k] = directions[axes * ray + k];
    to.inverse[k] = 1 / to.direction[k];
  }
  to.radius = radii ? radii[ray] : 0;
  to.end = maxTimes ? maxTimes[ray] : Infinity;
  return to;
}

/**
 * The time at which a ray enters the box that begins at `at`, enlarged by the ray's radius; at least 0, and Infinity if it
 * does not up to `most`: Kay, Kajiya, "Ray Tracing Complex Scenes" (1986).
 */
export function entryTime(
  { axes, origin, direction, inverse, radius }: BoxRay,
  boxes: Float64Array,
  at: number,
  most: number,
): number {
  let enter = 0;
  let leave = most;
  for (let k = 0; k < axes; k++) {
    const o = origin[k];
    const low = boxes[at + k] - o;
    const high = boxes[at + 3 + k] - o;
    const farthest = Math.max(Math.abs(low), Math.abs(high));
    const reach = radius + SLACK * (radius + farthest) + ROUNDING * (Math.abs(o) + farthest);
    const toLow = low - reach;
    const toHigh = high + reach;
    if (direction[k] === 0) {
      if (toLow > 0 || toHigh < 0) return Infinity;
      continue;
    }
    const first = toLow * inverse[k];
    const second = toHigh * inverse[k];
    enter = Math.max(enter, Math.min(first, second));
    leave = Math.min(leave, Math.max(first, second));
  }
  return enter <= leave * (1 + SLACK) ? enter : Infinity;
}

/** A walk along a ray: the nodes that wait, and when the ray enters them. */
export interface RayWalk {
  readonly nodes: number[];
  readonly entries: number[];
  waiting: number;
  /** The time after which no body matters any more. */
  most: number;
}

export function createRayWalk(): RayWalk {
  return { nodes: [], entries: [], waiting: 0, most: Infinity };
}

/**
 * Is called with the bodies whose boxes a ray enters, nearer nodes first, and with the time at which it does. Returns the time
 * after which no body matters any more.
 */
export type VisitBody = (body: number, entry: number) => number;

/** Nodes of a tree between two looks at whether it is time to yield. */
const NODES_AT_ONCE = 256;

function wait(walk: RayWalk, node: number, entry: number): void {
  if (entry === Infinity) return;
  walk.nodes[walk.waiting] = node;
  walk.entries[walk.waiting++] = entry;
}

/** Begins at the roots of a tree. */
export function startRayWalk({ roots }: BoxTree, { end }: BoxRay, walk: RayWalk): void {
  walk.waiting = 0;
  walk.most = end;
  for (const { node } of roots) wait(walk, node, 0);
}

/**
 * Goes on with a walk for a while. Returns whether it has ended. Skips nodes whose groups do not match the ray's; the caller
 * checks the groups of each body.
 */
export function walkAlongRay(
  { boxes, bodies, nodeBoxes, nodeGroups, rightChildren, firsts, ends }: BoxTree,
  ray: BoxRay,
  groups: number,
  visit: VisitBody,
  walk: RayWalk,
): boolean {
  for (let left = NODES_AT_ONCE; walk.waiting > 0 && left > 0; left--) {
    const node = walk.nodes[--walk.waiting];
    if (walk.entries[walk.waiting] > walk.most) continue;
    if (nodeGroups && !groupsMeet(groups, nodeGroups[node])) continue;
    const second = rightChildren[node];
    if (second > 0) {
      const first = node + 1;
      const toFirst = entryTime(ray, nodeBoxes, 6 * first, walk.most);
      const toSecond = entryTime(ray, nodeBoxes, 6 * second, walk.most);
      const isInOrder = toFirst <= toSecond;
      wait(walk, isInOrder ? second : first, isInOrder ? toSecond : toFirst);
      wait(walk, isInOrder ? first : second, isInOrder ? toFirst : toSecond);
      continue;
    }
    for (let i = firsts[node]; i < ends[node]; i++) {
      const entry = entryTime(ray, boxes, 6 * i, walk.most);
      if (entry < Infinity && entry <= walk.most) walk.most = visit(bodies[i], entry);
    }
  }
  return walk.waiting === 0;
}
