/** The support mapping of a mesh, by branch and bound in its tree. */
import type { Triangles } from './build-tree.ts';
import { MAX_DEPTH, reachOf, type PartTree } from './part-tree.ts';

/** Nodes that wait: the deepest tree leaves one per level. */
const stack = new Uint32Array(MAX_DEPTH);

/** Bound of the rounding errors of a projection, as a share of its terms. */
const ROUNDING = 2 ** -48;

/**
 * The vertex of a mesh that is farthest along a direction, in the mesh's frame; any of them if several are equally far.
 * The length of the direction does not matter.
 */
export function farthestVertex(
  tree: PartTree,
  { positions, indices }: Triangles,
  x: number,
  y: number,
  z: number,
): number {
  const { boxes, axes, links } = tree;
  const slack = ROUNDING * tree.extent * (Math.abs(x) + Math.abs(y) + Math.abs(z));
  let best = -Infinity;
  let vertex = 0;
  let top = 0;
  stack[top++] = 0;
  while (top > 0) {
    let node = stack[--top];
    if (reachOf(boxes, axes, node, x, y, z) + slack < best) continue;
    // The child that reaches farther first.
    while (links[node] >= 0) {
      const left = links[node];
      const isLeft = reachOf(boxes, axes, left, x, y, z) >= reachOf(boxes, axes, left + 1, x, y, z);
      stack[top++] = isLeft ? left + 1 : left;
      node = isLeft ? left : left + 1;
    }
    const first = 3 * (-1 - links[node]);
    for (let corner = first; corner < first + 3; corner++) {
      const at = 3 * indices[corner];
      const along = positions[at] * x + positions[at + 1] * y + positions[at + 2] * z;
      if (along <= best) continue;
      best = along;
      vertex = indices[corner];
    }
  }
  return vertex;
}
