/** Rays against boxes, and the boxes of a tree that a ray meets, the nearest first. */
import type { Work } from '../util/turns.ts';
import type { BoxTree } from './box-tree.ts';
import { groupsMeet } from './filters.ts';

/** Boxes are enlarged by this share of their distance from the ray's origin and of its radius, for the rounding of f32. */
const SLACK = 1e-6;

/** And by this share of the coordinates, whose differences round in double precision. */
const ROUNDING = 2 ** -50;

/** Steps of the work that a test of a box takes. */
const STEPS_PER_TEST = 16;

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

/** Nodes that wait in a walk, and when the ray enters them. */
export interface RayWalk {
  readonly nodes: number[];
  readonly entries: number[];
}

/**
 * Calls `visit` with the bodies whose boxes a ray enters, nearer nodes first, and with the time at which it does. `visit`
 * returns the time after which no body matters any more. Skips nodes whose groups do not match the ray's; the caller checks
 * the groups of each body. `isDue` counts the steps of the work.
 */
export function* walkAlongRay(
  { boxes, bodies, nodeBoxes, nodeGroups, rightChildren, firsts, ends, roots }: BoxTree,
  ray: BoxRay,
  groups: number,
  visit: (body: number, entry: number) => number,
  isDue: (steps: number) => boolean,
  { nodes, entries }: RayWalk,
): Work<void> {
  let most = ray.end;
  const wait = (node: number, entry: number): void => {
    if (entry === Infinity) return;
    nodes.push(node);
    entries.push(entry);
  };
  nodes.length = entries.length = 0;
  for (const { node } of roots) wait(node, entryTime(ray, nodeBoxes, 6 * node, most));
  while (nodes.length > 0) {
    const node = nodes.pop()!;
    if (entries.pop()! > most) continue;
    if (nodeGroups && !groupsMeet(groups, nodeGroups[node])) continue;
    if (isDue(2 * STEPS_PER_TEST)) yield;
    const right = rightChildren[node];
    if (right > 0) {
      const left = node + 1;
      const toLeft = entryTime(ray, nodeBoxes, 6 * left, most);
      const toRight = entryTime(ray, nodeBoxes, 6 * right, most);
      const isLeftFirst = toLeft <= toRight;
      wait(isLeftFirst ? right : left, isLeftFirst ? toRight : toLeft);
      wait(isLeftFirst ? left : right, isLeftFirst ? toLeft : toRight);
      continue;
    }
    for (let i = firsts[node]; i < ends[node]; i++) {
      const entry = entryTime(ray, boxes, 6 * i, most);
      if (entry < Infinity && entry <= most) most = visit(bodies[i], entry);
    }
  }
}
