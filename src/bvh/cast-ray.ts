/** The first part of a tree that a ray, or a ball that moves along it, meets. */
import type { Rest, Work } from '../util/turns.ts';
import type { PartTree } from './part-tree.ts';
import { BOXES_AT_ONCE, isWalkDue, startWalk, type Walk } from './walk.ts';

/** A ray in the shape's frame. Times are in units of the direction's length. */
export interface Ray {
  readonly origin: Float64Array;
  readonly direction: Float64Array;
  /** At least 0. */
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

/** Bound of the rounding errors of a box's place relative to the ray, as a share of the lengths in it. */
const ROUNDING = 2 ** -46;

/** In place of 1 over a smaller component of a direction: products with coordinates stay finite. */
const GREATEST_INVERSE = 1e150;

function inverseOf(component: number): number {
  if (Math.abs(component) * GREATEST_INVERSE >= 1) return 1 / component;
  return component < 0 ? -GREATEST_INVERSE : GREATEST_INVERSE;
}

/**
 * Finds the first part of an aligned tree: Kay, Kajiya, "Ray Tracing Complex Scenes" (1986). The nearer of two boxes is
 * searched first, and those that the ray reaches after the first time so far are skipped. `timeOf` returns when the ray meets a
 * part; any number above `most`, if that is later than `most`.
 */
export function castRay(tree: PartTree, ray: Ray, timeOf: TimeOf, to: RayHit, walk: Walk): Rest {
  startWalk(walk, tree, tree);
  walk.top = 0;
  to.time = Infinity;
  to.part = -1;
  castSome(tree, ray, timeOf, to, walk, true);
  return walk.top > 0 ? castOn(tree, ray, timeOf, to, walk) : undefined;
}

function* castOn(tree: PartTree, ray: Ray, timeOf: TimeOf, to: RayHit, walk: Walk): Work<void> {
  while (walk.top > 0) {
    if (isWalkDue(walk)) yield;
    castSome(tree, ray, timeOf, to, walk, false);
  }
}

type TimeOf = (part: number, most: number) => number;

/** Goes on until the stack is empty, or until it has tested `BOXES_AT_ONCE` boxes. Begins at the root, or from the stack. */
function castSome(tree: PartTree, ray: Ray, timeOf: TimeOf, to: RayHit, walk: Walk, isFirst: boolean): void {
  const { links, boxes, extent } = tree;
  const { origin, direction, radius } = ray;
  const ox = origin[0];
  const oy = origin[1];
  const oz = origin[2];
  const ix = inverseOf(direction[0]);
  const iy = inverseOf(direction[1]);
  const iz = inverseOf(direction[2]);
  const sx = Math.abs(ix);
  const sy = Math.abs(iy);
  const sz = Math.abs(iz);
  const reach = radius + ROUNDING * (extent + radius + Math.abs(ox) + Math.abs(oy) + Math.abs(oz));
  const { stack, bounds } = walk;
  let boxTests = 0;
  let partTests = 0;
  let most = Math.min(ray.maxTime, to.time);
  let { top } = walk;
  // The root is tested as if it were the second of two children.
  let child = 0;
  let end = isFirst ? 1 : 0;
  let left = Infinity;
  let right = Infinity;
  for (;;) {
    for (; child < end; child++) {
      boxTests++;
      left = right;
      right = Infinity;
      const at = Math.imul(6, child);
      // The middle of the times between the slab's planes along each axis, and half of their difference.
      const x = (boxes[at] - ox) * ix;
      const y = (boxes[at + 1] - oy) * iy;
      const z = (boxes[at + 2] - oz) * iz;
      const aroundX = (boxes[at + 3] + reach) * sx;
      const aroundY = (boxes[at + 4] + reach) * sy;
      const aroundZ = (boxes[at + 5] + reach) * sz;
      let enter = x - aroundX;
      let leave = x + aroundX;
      if (y - aroundY > enter) enter = y - aroundY;
      if (y + aroundY < leave) leave = y + aroundY;
      if (z - aroundZ > enter) enter = z - aroundZ;
      if (z + aroundZ < leave) leave = z + aroundZ;
      if (enter <= leave && leave >= 0 && enter <= most) right = enter;
    }
    const isLeftNext = left <= right;
    let node = isLeftNext ? child - 2 : child - 1;
    let isOpen = left < Infinity || right < Infinity;
    if (left < Infinity && right < Infinity) {
      stack[top] = isLeftNext ? child - 1 : child - 2;
      bounds[top++] = isLeftNext ? right : left;
    }
    // Down to the next node with children.
    for (;;) {
      if (isOpen) {
        const link = links[node];
        if (link >= 0) {
          child = link;
          end = link + 2;
          break;
        }
        partTests++;
        const part = -1 - link;
        const time = timeOf(part, most);
        if (time < to.time && time <= most) {
          to.time = most = time;
          to.part = part;
        } else if (time === to.time && part < to.part) {
          to.part = part;
        }
      }
      if (top === 0 || boxTests >= BOXES_AT_ONCE) {
        walk.top = top;
        walk.boxTests += boxTests;
        walk.partTests += partTests;
        return;
      }
      node = stack[--top];
      isOpen = bounds[top] <= most;
    }
  }
}
