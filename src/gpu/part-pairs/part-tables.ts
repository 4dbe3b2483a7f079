/** What kernels over pairs of parts read of the shapes in 3-D: trees, triangles, and surfaces where there will be normals. */
import type { BatchRequest, SurfaceRows } from '../../request/backend.ts';
import type { Compound, Mesh } from '../../shapes/parts.ts';
import { SAMPLE_TRIANGLES } from '../../shapes/mesh-triangle.ts';
import type { ShapeBase } from '../../shapes/shape-table.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import { workInTurns, type Work } from '../../util/turns.ts';
import type { PackedParts } from './pack-nodes.ts';
import { packParts } from './pack-parts.ts';
import { buildPartTrees, deepestTree, knownPartTree } from './part-trees.ts';

type Shapes = readonly (ShapeBase | undefined)[];

export interface PartTables {
  /** Whether what these shapes need is made. */
  isReady(shapes: Shapes): boolean;
  /** Makes it. */
  prepare(shapes: Shapes): Promise<void>;
  /** Whether any of these shapes, whose surfaces are made, is a compound with one. */
  haveSolids(shapes: Shapes): boolean;
  /** Whether any of them is a mesh. */
  haveMeshes(shapes: Shapes): boolean;
  /** The convex shapes that a shape may have as parts. */
  partsOf(shape: ShapeBase): readonly ShapeBase[];
  /** The greatest number of levels of a shape's tree. That of a convex shape has one. */
  deepestTree(shapes: Shapes): number;
  pack(shapes: Shapes): PackedParts;
}

/** `surfaces`: for contacts. */
export function createPartTables(
  { dimension }: Pick<BatchRequest, 'dimension'>,
  surfaces: SurfaceRows<ShapeData> | undefined,
): PartTables {
  const isShapeReady = (shape: ShapeData): boolean =>
    knownPartTree(shape) !== undefined && surfaces?.isReady(shape.parts as Mesh | Compound<ShapeData>) !== false;
  return {
    isReady: (shapes) =>
      (shapes as readonly (ShapeData | undefined)[]).every((shape) => !shape?.parts || isShapeReady(shape)),

    prepare: (shapes) => workInTurns(prepareShapes(shapes, surfaces), () => undefined),

    haveSolids: (shapes) =>
      (shapes as readonly (ShapeData | undefined)[]).some(
        (shape) =>
          shape?.parts?.type === 'compound' && surfaces !== undefined && surfaces.rowsOf(shape.parts).length > 0,
      ),

    haveMeshes: (shapes) =>
      (shapes as readonly (ShapeData | undefined)[]).some((shape) => shape?.parts?.type === 'mesh'),

    partsOf(shape) {
      const { parts } = shape as ShapeData;
      if (!parts) return [];
      return parts.type === 'mesh' ? SAMPLE_TRIANGLES : parts.shapes;
    },

    deepestTree,

    pack: (shapes) =>
      packParts(
        shapes as readonly (ShapeData | undefined)[],
        (all) => dimension.packShapes(all),
        surfaces && ((parts) => surfaces.rowsOf(parts)),
      ),
  };
}

function* prepareShapes(shapes: Shapes, surfaces: SurfaceRows<ShapeData> | undefined): Work<void> {
  yield* buildPartTrees(shapes);
  if (!surfaces) return;
  for (const [id, shape] of (shapes as readonly (ShapeData | undefined)[]).entries())
    if (shape?.parts) yield* surfaces.prepare(shape, `shapes[${id}]`);
}
