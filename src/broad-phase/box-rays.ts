/** The boxes of a tree that a ray may meet. */
import type { BoxTree } from './box-tree.ts';

/** Boxes are enlarged by this share of their coordinates and of the ray's, so that rounding can't lose a body. */
const SLACK = 1e-6;

/** Rays, with one number per axis in `origins` and `directions`. */
export interface RayArrays {
  readonly origins: ArrayLike<number>;
  readonly directions: ArrayLike<number>;
  readonly maxTimes?: ArrayLike<number>;
  readonly radii?: ArrayLike<number>;
}

/** Calls `found` with each body whose box, enlarged by the ray's radius, the ray meets up to its greatest time. */
export function castRay(
  tree: BoxTree,
  axes: number,
  { origins, directions, maxTimes, radii }: RayArrays,
  ray: number,
  found: (body: number) => void,
): void {
  const { boxes, bodies, nodeBoxes, rightChildren, firsts, ends } = tree;
  const end = maxTimes ? maxTimes[ray] : Infinity;
  const radius = radii ? radii[ray] : 0;
  const at = axes * ray;
  const waiting = tree.roots.map(({ node }) => node);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (!meets(axes, nodeBoxes, 6 * node, origins, directions, at, end, radius)) continue;
    if (rightChildren[node] > 0) {
      waiting.push(rightChildren[node], node + 1);
      continue;
    }
    for (let i = firsts[node]; i < ends[node]; i++) {
      if (meets(axes, boxes, 6 * i, origins, directions, at, end, radius)) found(bodies[i]);
    }
  }
}

/**
 * Whether the ray whose numbers begin at `at` meets a box between its ends: Kay, Kajiya, "Ray Tracing Complex Scenes"
 * (1986).
 */
function meets(
  axes: number,
  boxes: Float64Array,
  box: number,
  origins: ArrayLike<number>,
  directions: ArrayLike<number>,
  at: number,
  end: number,
  radius: number,
): boolean {
  let enter = 0;
  let leave = end;
  for (let k = 0; k < axes; k++) {
    const o = origins[at + k];
    const d = directions[at + k];
    const low = boxes[box + k];
    const high = boxes[box + 3 + k];
    const reach = radius + SLACK * (radius + Math.abs(o) + Math.max(Math.abs(low), Math.abs(high)));
    const toLow = low - reach - o;
    const toHigh = high + reach - o;
    if (d === 0) {
      if (toLow > 0 || toHigh < 0) return false;
      continue;
    }
    enter = Math.max(enter, Math.min(toLow / d, toHigh / d));
    leave = Math.min(leave, Math.max(toLow / d, toHigh / d));
  }
  return enter <= leave * (1 + SLACK);
}
