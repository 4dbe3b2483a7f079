/** The trees over the parts of shapes. Each is built when it is first needed, and stays with its shape. */
import type { PartTree } from './part-tree.ts';
import type { Work } from '../util/turns.ts';

const trees = new WeakMap<object, PartTree>();

/** The tree of a shape, which `makeTree` builds the first time. */
export function* keptTree<Shape extends object>(
  shape: Shape,
  makeTree: (shape: Shape) => Work<PartTree>,
): Work<PartTree> {
  const known = trees.get(shape);
  if (known) return known;
  const tree = yield* makeTree(shape);
  trees.set(shape, tree);
  return tree;
}

/** A tree that was built before. */
export function treeOf(shape: object): PartTree {
  return trees.get(shape)!;
}
