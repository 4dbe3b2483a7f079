/** Shapes in 3-D as traversals see them: a tree over the boxes of the parts. A bounded convex shape is one part. */
import { boxesOfShapes, ORIGIN } from '../broad-phase/part-boxes.ts';
import { buildPartTree } from '../bvh/build-tree.ts';
import { meshTree } from '../bvh/mesh-tree.ts';
import { treeOfOnePart, type PartTree } from '../bvh/part-tree.ts';
import type { TreeMesh } from '../cpu/parts/mesh-pairs.ts';
import type { Mesh } from '../shapes/parts.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { Work } from '../util/turns.ts';
import { keptTree, treeOf } from '../bvh/kept-trees.ts';

/** The tree of a bounded shape. */
export function partTree(shape: ShapeData): Work<PartTree> {
  return keptTree(shape, makeTree);
}

function* makeTree(shape: ShapeData): Work<PartTree> {
  const { parts } = shape;
  if (!parts) return treeOfOnePart(boxesOfShapes([shape], ORIGIN));
  if (parts.type === 'mesh') return yield* meshTree(parts);
  return yield* buildPartTree(boxesOfShapes(parts.shapes, parts));
}

const treeMeshes = new WeakMap<ShapeData, TreeMesh>();

/** A mesh with its tree, which was built before. */
export function treeMesh(shape: ShapeData): TreeMesh {
  const known = treeMeshes.get(shape);
  if (known) return known;
  const { positions, indices } = shape.parts as Mesh;
  const made = { positions, indices, tree: treeOf(shape) };
  treeMeshes.set(shape, made);
  return made;
}
