/** Shapes in 3-D as traversals see them: a tree over the boxes of the parts. A bounded convex shape is one part. */
import { worldBoxes } from '../broad-phase/bounds.ts';
import { buildPartTree } from '../bvh/build-tree.ts';
import { meshTree } from '../bvh/mesh-tree.ts';
import { treeOfOnePart, type PartTree } from '../bvh/part-tree.ts';
import type { TreeMesh } from '../cpu/parts/mesh-pairs.ts';
import type { Compound, Mesh } from '../shapes/parts.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { Work } from '../util/turns.ts';
import { keptTree, treeOf } from './part-trees.ts';

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

const ORIGIN = {
  positions: new Float64Array(3),
  quaternions: Float64Array.of(0, 0, 0, 1),
  scales: Float64Array.of(1),
};

/** The boxes of convex shapes at these places. */
function boxesOfShapes(
  shapes: readonly ShapeData[],
  { positions, quaternions, scales }: Pick<Compound<ShapeData>, 'positions' | 'quaternions' | 'scales'>,
): Float64Array {
  const bodies = {
    shapes: Uint32Array.from(shapes, (_, i) => i),
    positions,
    // The bounds take numbers of either precision.
    quaternions: quaternions as unknown as Float32Array,
    scales: scales as unknown as Float32Array,
  };
  return worldBoxes(bodies, shapes, 0);
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
