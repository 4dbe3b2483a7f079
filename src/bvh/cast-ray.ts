/** The first part of a tree that a ray, or a ball that moves along it, meets. */
import { SKEW, type PartTree } from './part-tree.ts';
import { startWalk, type Walk } from './walk.ts';

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

/** Bound of the rounding error of a projection, as a share of the lengths in it. */
const ROUNDING = 2 ** -46;

/** The axes of all boxes of an aligned tree. */
const ALIGNED = Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

/**
 * Finds the first part. The nearer of two boxes is searched first, and those that the ray reaches after the first time so far
 * are skipped. `timeOf` returns when the ray meets a part; any number above `most`, if that is later than `most`.
 *
 * With c the vector from the ray's origin to the centre of a box, d the direction and h the half extents, c_i and d_i along
 * axis i of the box, the line of the ray is within slabs j and k of the box at a common time only if
 *
 *     |c_j d_k - c_k d_j| <= h_j |d_k| + h_k |d_j|
 *
 * for each two of the three slabs, and in the box at times t with |t d·d - c·d| <= sum_i h_i |d_i|.
 */
export function castRay(
  tree: PartTree,
  ray: Ray,
  timeOf: (part: number, most: number) => number,
  to: RayHit,
  walk: Walk,
): void {
  const { links, boxes, extent } = tree;
  const axes = tree.axes ?? ALIGNED;
  const stride = tree.axes ? 9 : 0;
  const { origin, direction, radius } = ray;
  const ox = origin[0];
  const oy = origin[1];
  const oz = origin[2];
  const dx = direction[0];
  const dy = direction[1];
  const dz = direction[2];
  const lengths = extent + radius + Math.abs(ox) + Math.abs(oy) + Math.abs(oz);
  const reach = radius + ROUNDING * lengths;
  const speeds = Math.abs(dx) + Math.abs(dy) + Math.abs(dz);
  const slack = ROUNDING * lengths * speeds;
  const square = dx * dx + dy * dy + dz * dz;
  startWalk(walk, tree, tree);
  const { stack, bounds } = walk;
  to.time = Infinity;
  to.part = -1;
  let boxTests = 0;
  let partTests = 0;
  let most = ray.maxTime;
  // The greatest time times the square of the direction's length, as for the centres of boxes.
  let farthest = most * square * (1 + SKEW);
  let top = 0;
  // The root is tested as if it were the second of two children.
  let child = 0;
  let end = 1;
  let left = Infinity;
  let right = Infinity;
  for (;;) {
    for (; child < end; child++) {
      boxTests++;
      left = right;
      right = Infinity;
      const at = Math.imul(6, child);
      const from = Math.imul(stride, child);
      const px = boxes[at] - ox;
      const py = boxes[at + 1] - oy;
      const pz = boxes[at + 2] - oz;
      const hx = boxes[at + 3] + reach;
      const hy = boxes[at + 4] + reach;
      const hz = boxes[at + 5] + reach;
      let x = axes[from];
      let y = axes[from + 1];
      let z = axes[from + 2];
      const c0 = x * px + y * py + z * pz;
      const d0 = x * dx + y * dy + z * dz;
      const s0 = Math.abs(d0);
      x = axes[from + 3];
      y = axes[from + 4];
      z = axes[from + 5];
      const c1 = x * px + y * py + z * pz;
      const d1 = x * dx + y * dy + z * dz;
      const s1 = Math.abs(d1);
      if (Math.abs(c0 * d1 - c1 * d0) > hx * s1 + hy * s0 + slack) continue;
      x = axes[from + 6];
      y = axes[from + 7];
      z = axes[from + 8];
      const c2 = x * px + y * py + z * pz;
      const d2 = x * dx + y * dy + z * dz;
      const s2 = Math.abs(d2);
      if (Math.abs(c1 * d2 - c2 * d1) > hy * s2 + hz * s1 + slack) continue;
      if (Math.abs(c2 * d0 - c0 * d2) > hz * s0 + hx * s2 + slack) continue;
      const middle = c0 * d0 + c1 * d1 + c2 * d2;
      const around = hx * s0 + hy * s1 + hz * s2 + slack;
      if (middle + around < 0 || middle - around > farthest) continue;
      right = middle - around;
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
          farthest = time * square * (1 + SKEW);
        } else if (time === to.time && part < to.part) {
          to.part = part;
        }
      }
      if (top === 0) {
        walk.boxTests += boxTests;
        walk.partTests += partTests;
        return;
      }
      node = stack[--top];
      isOpen = bounds[top] <= farthest;
    }
  }
}
