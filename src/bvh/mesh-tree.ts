/** The trees of meshes. Each is built when it is first needed, and stays with its mesh. */
import type { Work } from '../util/turns.ts';
import { encloseAligned } from './aligned-boxes.ts';
import { boundTriangles, type Triangles } from './build-tree.ts';
import { cutMesh, refitTree } from './moved-trees.ts';
import { encloseOriented } from './oriented-boxes.ts';
import type { PartTree } from './part-tree.ts';

const trees = new WeakMap<Triangles, PartTree>();
const rayTrees = new WeakMap<Triangles, PartTree>();

/**
 * The OBB-tree of a mesh: searches of pairs of meshes take half to two thirds of the time that they take in aligned trees
 * (bench/results/variants.md). A mesh whose vertices have moved has an aligned tree, which takes less time to make.
 */
export function* meshTree(mesh: Triangles): Work<PartTree> {
  const known = trees.get(mesh);
  if (known) return known;
  const boxes = yield* boundTriangles(mesh);
  const tree = (yield* refitTree(mesh, boxes)) ?? (yield* encloseOriented(yield* cutMesh(mesh, boxes), mesh));
  trees.set(mesh, tree);
  return tree;
}

/** The tree of a mesh that was built before. */
export function meshTreeOf(mesh: Triangles): PartTree {
  return trees.get(mesh)!;
}

/**
 * The tree for rays and for kernels: the same nodes with boxes along the mesh's axes. Rays test these in a third of the time
 * of oriented boxes, and hardly more of them.
 */
export function* rayTree(mesh: Triangles): Work<PartTree> {
  const known = rayTrees.get(mesh);
  if (known) return known;
  const boxes = yield* boundTriangles(mesh);
  const aligned = (yield* refitTree(mesh, boxes)) ?? (yield* encloseAligned(yield* cutMesh(mesh, boxes), boxes));
  rayTrees.set(mesh, aligned);
  return aligned;
}

/** The tree for rays that was built before; undefined if none was. */
export function knownRayTree(mesh: Triangles): PartTree | undefined {
  return rayTrees.get(mesh);
}

/** The tree for rays that was built before. */
export function rayTreeOf(mesh: Triangles): PartTree {
  return rayTrees.get(mesh)!;
}
