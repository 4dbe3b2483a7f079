/** The tree of a mesh's triangles. */
import { allocate } from '../util/arrays.ts';
import { createPace, type Work } from '../util/turns.ts';
import { buildAlignedTree } from './build-aligned-tree.ts';
import type { PartTree } from './part-tree.ts';

/** Triangles of a mesh. Any soup will do: degenerate, repeated, open. */
export interface Triangles {
  /** f32 values, 3 per vertex. */
  readonly positions: Float64Array;
  /** 3 per triangle, at least one triangle. */
  readonly indices: Uint32Array;
}

/** Triangles between two yields. */
const AT_ONCE = 2 ** 12;

const trees = new WeakMap<Triangles, PartTree>();

/** The tree of a mesh, which is built once and stays with it. */
export function* meshTree(mesh: Triangles): Work<PartTree> {
  const tree = trees.get(mesh) ?? (yield* buildMeshTree(mesh));
  trees.set(mesh, tree);
  return tree;
}

/** The tree of a mesh that was built before. */
export function meshTreeOf(mesh: Triangles): PartTree {
  return trees.get(mesh)!;
}

/** Builds the tree of aligned boxes over the triangles. */
export function* buildMeshTree({ positions, indices }: Triangles): Work<PartTree> {
  const isDue = createPace();
  const boxes = allocate('boxes of the triangles', Float64Array, 2 * indices.length);
  const triangles = indices.length / 3;
  for (let first = 0; first < triangles; first += AT_ONCE) {
    boundTriangles(positions, indices, first, Math.min(first + AT_ONCE, triangles), boxes);
    if (isDue(8 * AT_ONCE)) yield;
  }
  return yield* buildAlignedTree(boxes);
}

/** Writes the boxes of some triangles: min x, y, z, max x, y, z. */
function boundTriangles(
  positions: Float64Array,
  indices: Uint32Array,
  first: number,
  end: number,
  boxes: Float64Array,
): void {
  for (let triangle = first; triangle < end; triangle++) {
    const a = 3 * indices[3 * triangle];
    const b = 3 * indices[3 * triangle + 1];
    const c = 3 * indices[3 * triangle + 2];
    for (let k = 0; k < 3; k++) {
      boxes[6 * triangle + k] = Math.min(positions[a + k], positions[b + k], positions[c + k]);
      boxes[6 * triangle + 3 + k] = Math.max(positions[a + k], positions[b + k], positions[c + k]);
    }
  }
}
