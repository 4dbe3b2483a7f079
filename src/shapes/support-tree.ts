/**
 * Finds the point farthest along a direction with a tree of boxes. Each node is split at the middle point along the
 * longest side of its box. For points along a curve, such as the neighbours of a hull's vertex, a search takes time
 * proportional to about the square root of their number.
 */

/** Most points in a leaf. */
const LEAF = 8;

/** Returns the number of the point that lies farthest along `normal`. */
export type SupportTree = (normal: ArrayLike<number>) => number;

/** `points` has x, y, z per point. `numbers` selects the points of the tree, at least one. */
export function makeSupportTree(points: ArrayLike<number>, numbers: Uint32Array): SupportTree {
  const count = numbers.length;
  const order = numbers.slice();
  // Node 1 is the root, 2 i and 2 i + 1 are the children of node i.
  const leaves = 2 ** Math.max(0, Math.ceil(Math.log2(count / LEAF)));
  /** Least x, y, z of each node, then greatest. */
  const boxes = new Float64Array(12 * leaves);

  const build = (node: number, first: number, end: number): void => {
    const box = boxes
      .subarray(6 * node, 6 * node + 6)
      .fill(Infinity, 0, 3)
      .fill(-Infinity, 3);
    for (let i = first; i < end; i++) {
      for (let k = 0; k < 3; k++) {
        const x = points[3 * order[i] + k];
        if (x < box[k]) box[k] = x;
        if (x > box[3 + k]) box[3 + k] = x;
      }
    }
    if (node >= leaves) return;
    const [x, y, z] = [box[3] - box[0], box[4] - box[1], box[5] - box[2]];
    const axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
    order.subarray(first, end).sort((p, q) => points[3 * p + axis] - points[3 * q + axis]);
    const middle = (first + end) >> 1;
    build(2 * node, first, middle);
    build(2 * node + 1, middle, end);
  };
  build(1, 0, count);

  /** The farthest point so far, and its height along the direction. */
  let farthest = 0;
  let most = 0;
  const reach = (node: number, normal: ArrayLike<number>): number => {
    let sum = 0;
    for (let k = 0; k < 3; k++) sum += normal[k] * boxes[6 * node + (normal[k] > 0 ? 3 + k : k)];
    return sum;
  };
  const visit = (node: number, first: number, end: number, normal: ArrayLike<number>): void => {
    if (reach(node, normal) <= most) return;
    if (node >= leaves) {
      for (let i = first; i < end; i++) {
        const p = 3 * order[i];
        const height = normal[0] * points[p] + normal[1] * points[p + 1] + normal[2] * points[p + 2];
        if (height > most) [farthest, most] = [order[i], height];
      }
      return;
    }
    const middle = (first + end) >> 1;
    const isLeftFirst = reach(2 * node, normal) >= reach(2 * node + 1, normal);
    if (isLeftFirst) visit(2 * node, first, middle, normal);
    visit(2 * node + 1, middle, end, normal);
    if (!isLeftFirst) visit(2 * node, first, middle, normal);
  };
  return (normal) => {
    [farthest, most] = [order[0], -Infinity];
    visit(1, 0, count, normal);
    return farthest;
  };
}
