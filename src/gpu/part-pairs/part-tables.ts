/** What kernels over pairs of parts read of the shapes: trees, triangles, and surfaces where there will be normals. */
import type { BatchRequest, SurfaceRows } from '../../request/backend.ts';
import { SAMPLE_TRIANGLES } from '../../shapes/mesh-triangle.ts';
import type { ShapeBase } from '../../shapes/shape-table.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import { workInTurns, type Work } from '../../util/turns.ts';
import { packParts, type PackedParts } from './pack-parts.ts';
import { buildPartTrees, knownPartTree } from './part-trees.ts';

type Shapes = readonly (ShapeBase | undefined)[];

export interface PartTables {
  /** Whether what these shapes need is made. */
  isReady(shapes: Shapes): boolean;
  /** Makes it. */
  prepare(shapes: Shapes): Promise<void>;
  /** The convex shapes that a shape may have as parts. */
  partsOf(shape: ShapeBase): readonly ShapeBase[];
  pack(shapes: Shapes): PackedParts;
}

/** `surfaces`: of meshes, for contacts. */
export function createPartTables(
  { dimension }: Pick<BatchRequest, 'dimension'>,
  surfaces: SurfaceRows | undefined,
): PartTables {
  const isShapeReady = (shape: ShapeData): boolean =>
    knownPartTree(shape) !== undefined && (shape.parts?.type !== 'mesh' || surfaces?.isReady(shape.parts) !== false);
  return {
    isReady: (shapes) =>
      (shapes as readonly (ShapeData | undefined)[]).every((shape) => !shape?.parts || isShapeReady(shape)),

    prepare: (shapes) => workInTurns(prepareShapes(shapes, surfaces), () => undefined),

    partsOf(shape) {
      const { parts } = shape as ShapeData;
      if (!parts) return [];
      return parts.type === 'mesh' ? SAMPLE_TRIANGLES : parts.shapes;
    },

    pack: (shapes) =>
      packParts(
        shapes as readonly (ShapeData | undefined)[],
        (all) => dimension.packShapes(all),
        surfaces && ((mesh) => surfaces.rowsOf(mesh)),
      ),
  };
}

function* prepareShapes(shapes: Shapes, surfaces: SurfaceRows | undefined): Work<void> {
  yield* buildPartTrees(shapes);
  if (!surfaces) return;
  for (const [id, shape] of (shapes as readonly (ShapeData | undefined)[]).entries())
    if (shape?.parts?.type === 'mesh') yield* surfaces.prepare(shape.parts, `shapes[${id}]`);
}
