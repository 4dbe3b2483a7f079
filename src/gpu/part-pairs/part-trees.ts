/** The trees of compounds and meshes that kernels search: their boxes lie along the axes of the shape's frame. */
import { boxesOfShapes } from '../../broad-phase/part-boxes.ts';
import { buildPartTree } from '../../bvh/build-tree.ts';
import { keptTree, treeOf } from '../../bvh/kept-trees.ts';
import { knownRayTree, rayTree } from '../../bvh/mesh-tree.ts';
import type { PartTree } from '../../bvh/part-tree.ts';
import type { ShapeBase } from '../../shapes/shape-table.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import type { Work } from '../../util/turns.ts';

/** The tree of a compound or a mesh that was built before; undefined if none was. */
export function knownPartTree(shape: ShapeData): PartTree | undefined {
  return shape.parts?.type === 'mesh' ? knownRayTree(shape.parts) : treeOf(shape);
}

/** Builds the trees that shapes lack. */
export function* buildPartTrees(shapes: readonly (ShapeBase | undefined)[]): Work<void> {
  for (const shape of shapes as readonly (ShapeData | undefined)[]) {
    const parts = shape?.parts;
    if (!parts || knownPartTree(shape!)) continue;
    if (parts.type === 'mesh') yield* rayTree(parts);
    else yield* keptTree(shape!, () => buildPartTree(boxesOfShapes(parts.shapes, parts)));
  }
}

/** The greatest number of levels of a shape's tree. That of a convex shape has one. */
export function deepestTree(shapes: readonly (ShapeBase | undefined)[]): number {
  return (shapes as readonly (ShapeData | undefined)[]).reduce(
    (most, shape) => Math.max(most, (shape?.parts && knownPartTree(shape)?.depth) ?? 1),
    1,
  );
}
