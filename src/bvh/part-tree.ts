/**
 * A binary tree of bounding boxes over the parts of one shape: the triangles of a mesh or the convex parts of a compound.
 *
 * There are two kinds. In a tree of aligned boxes (build-box-tree.ts) all boxes lie along the axes of the shape's frame. In
 * an OBB-tree (build-obb-tree.ts) each box has axes of its own.
 *
 * A leaf is one part. The two children of a node are beside each other, after their parent:
 *
 *     node    0   1   2   3   4              0
 *     links   1   3  -8  -1  -5             / \
 *                                          1   2 (part 7)
 *                                         / \
 *                               (part 0) 3   4 (part 4)
 */

export interface PartTree {
  /**
   * 6 numbers per node: centre x, y, z in the shape's frame, then half extents along the box's axes. Half extents are
   * rounded up, so that a box contains its parts exactly.
   */
  readonly boxes: Float64Array;
  /** For an OBB-tree, 9 numbers per node: the three axes of its box, unit vectors in the shape's frame. */
  readonly axes?: Float64Array;
  /** For a node with children, the first one, which the second one follows. For a leaf, -1 - part. */
  readonly links: Int32Array;
  /** Greatest number of nodes on a way from the root to a leaf, at most `MAX_DEPTH`. */
  readonly depth: number;
  /** No point of a box is farther than this from the origin of the shape's frame. */
  readonly extent: number;
}

/**
 * Levels that are cut by the builder's own rule. Below them ranges are cut in half, so that no input makes a tree deep:
 * 2^32 parts have 32 more levels and the leaf's.
 */
export const FREE_DEPTH = 63;
export const MAX_DEPTH = FREE_DEPTH + 33;

/** Rounds a positive half extent up by more than what `high - centre` loses. */
const OUTWARD = 1 + 2 ** -52;

/** Makes a box of min x, y, z, max x, y, z at `6 * node` into its centre and half extents. */
export function centreBox(boxes: Float64Array, node: number): void {
  for (let low = 6 * node, high = low + 3; high < 6 * node + 6; low++, high++) {
    const centre = boxes[low] + (boxes[high] - boxes[low]) / 2;
    const half = Math.max(boxes[high] - centre, centre - boxes[low]);
    boxes[low] = centre;
    boxes[high] = half * OUTWARD;
  }
}

/** The distance from the origin to the farthest corner of node 0, rounded up. */
export function extentOf(boxes: Float64Array): number {
  const [x, y, z, hx, hy, hz] = boxes;
  return Math.hypot(Math.abs(x) + hx, Math.abs(y) + hy, Math.abs(z) + hz) * (1 + 2 ** -50);
}

/** The tree of a shape that is one part. `box` is min x, y, z, max x, y, z. */
export function treeOfOnePart(box: ArrayLike<number>): PartTree {
  const boxes = Float64Array.from(box);
  centreBox(boxes, 0);
  return {
    boxes,
    links: Int32Array.of(-1),
    depth: 1,
    extent: extentOf(boxes),
  };
}
