/** The trees of meshes. Each is built when it is first needed, and stays with its mesh. */
import type { Work } from '../util/turns.ts';
import { buildMeshTree, type TreeKind, type Triangles } from './build-tree.ts';
import type { PartTree } from './part-tree.ts';

const trees = new WeakMap<Triangles, PartTree>();

export function* meshTree(mesh: Triangles & { tree?: TreeKind }): Work<PartTree> {
  const tree = trees.get(mesh) ?? (yield* buildMeshTree(mesh, mesh.tree));
  trees.set(mesh, tree);
  return tree;
}

/** The tree of a mesh that was built before. */
export function meshTreeOf(mesh: Triangles): PartTree {
  return trees.get(mesh)!;
}
