/**
 * A binary tree of bounding boxes over the parts of one shape: the triangles of a mesh or the convex parts of a compound.
 *
 * There are two kinds. In an aligned tree all boxes lie along the axes of the shape's frame (aligned-boxes.ts): trees of
 * compounds, and those for rays. In an OBB-tree each box has axes of its own (oriented-boxes.ts): trees of meshes. Both cut the
 * parts in the same way (cut-parts.ts).
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
   * rounded up, so that a box contains its parts in spite of f32.
   */
  readonly boxes: Float32Array;
  /** For an OBB-tree, 9 numbers per node: the three axes of its box, unit vectors in the shape's frame. */
  readonly axes: Float32Array | undefined;
  /** For a node with children, the first one, which the second one follows. For a leaf, -1 - part. */
  readonly links: Int32Array;
  /** Greatest number of nodes on a way from the root to a leaf, at most `MAX_DEPTH`. */
  readonly depth: number;
  /** No point of a box is farther than this from the origin of the shape's frame. */
  readonly extent: number;
}

/** Which part is in which node. */
export type Topology = Pick<PartTree, 'links' | 'depth'>;

/**
 * Levels that are cut by the surface-area heuristic. Below them ranges are cut in half, so that no input makes a tree deep:
 * 2^32 parts have 32 more levels and the leaf's.
 */
export const FREE_DEPTH = 63;
/** Levels of a tree at most; kernels have room for `MOST_LEVELS` of two trees. */
export const MAX_DEPTH = FREE_DEPTH + 33;

/**
 * The axes of an OBB-tree are rounded to f32, which makes them not quite orthonormal. Half extents are larger by this share
 * of their sum, and margins and bounds have this share of themselves as a tolerance.
 */
export const SKEW = 2 ** -20;

const single = new Float32Array(1);
const bits = new Uint32Array(single.buffer);

/** The least f32 that is at least x, for x from 0 on. */
export function roundUp(x: number): number {
  single[0] = x;
  if (single[0] < x) bits[0]++;
  return single[0];
}

/** A difference of doubles loses less than this share of itself. */
const OUTWARD = 1 + 2 ** -52;

/** Writes the box of a node. It is given as min x, y, z, max x, y, z at a place of `from`, each at most 1e38 either way. */
export function writeAlignedBox(from: ArrayLike<number>, at: number, node: number, to: Float32Array): void {
  for (let k = 0; k < 3; k++) {
    const low = from[at + k];
    const high = from[at + 3 + k];
    const centre = Math.fround(low + (high - low) / 2);
    to[6 * node + k] = centre;
    to[6 * node + 3 + k] = roundUp(Math.max(high - centre, centre - low) * OUTWARD);
  }
}

/** How far a node's box reaches along a direction. */
export function reachOf(
  boxes: Float32Array,
  axes: Float32Array | undefined,
  node: number,
  x: number,
  y: number,
  z: number,
): number {
  const at = 6 * node;
  const along = boxes[at] * x + boxes[at + 1] * y + boxes[at + 2] * z;
  if (!axes) return along + boxes[at + 3] * Math.abs(x) + boxes[at + 4] * Math.abs(y) + boxes[at + 5] * Math.abs(z);
  let reach = along;
  for (let k = 0, from = 9 * node; k < 3; k++, from += 3) {
    reach += boxes[at + 3 + k] * Math.abs(axes[from] * x + axes[from + 1] * y + axes[from + 2] * z);
  }
  return reach;
}

/**
 * The distance from the origin to the farthest corner of the aligned box of node 0, and a little more: other boxes may stick
 * out of it by the rounding of their centres.
 */
export function extentOf(boxes: Float32Array): number {
  const [x, y, z, hx, hy, hz] = boxes;
  return Math.hypot(Math.abs(x) + hx, Math.abs(y) + hy, Math.abs(z) + hz) * (1 + 2 ** -20);
}

/** The tree of a shape that is one part. `box` is min x, y, z, max x, y, z. */
export function treeOfOnePart(box: ArrayLike<number>): PartTree {
  const boxes = new Float32Array(6);
  writeAlignedBox(box, 0, 0, boxes);
  return { boxes, axes: undefined, links: Int32Array.of(-1), depth: 1, extent: extentOf(boxes) };
}
