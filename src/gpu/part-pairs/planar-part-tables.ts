/** What kernels over pairs of parts read of the shapes in 2-D. A part has a record of its own, in the frame of its body. */
import { makePlanarTree, treeOfPlanarShape } from '../../broad-phase/planar-trees.ts';
import { keptTree, treeOf } from '../../bvh/kept-trees.ts';
import type { PartTree } from '../../bvh/part-tree.ts';
import { PLANAR_SEGMENT } from '../../generated/constants.ts';
import { layouts } from '../../generated/layouts.ts';
import { packChainSegments } from '../../records/planar-shapes.ts';
import type { BatchRequest, SurfaceRows } from '../../request/backend.ts';
import { chainSegment, planarPart, planarPartsOf } from '../../shapes/planar-part-shapes.ts';
import { planarPartCount, type PlanarParts } from '../../shapes/planar-parts.ts';
import type { PlanarShapeData } from '../../shapes/planar-shape-data.ts';
import { allocate } from '../../util/arrays.ts';
import { workInTurns, type Work } from '../../util/turns.ts';
import { packNodes, type NodeSource, type PackedParts } from './pack-nodes.ts';
import type { PartTables } from './part-tables.ts';

type Shapes = readonly (PlanarShapeData | undefined)[];

/** Parts whose records are made at once. */
const AT_ONCE = 2 ** 12;

const ROW_BYTES = 16;

interface Packed {
  shapes: ArrayBuffer;
  geometry: ArrayBuffer;
}

/** A segment like those of all chains. */
const SEGMENT = chainSegment({ points: Float64Array.of(0, 0, 1, 0) }, 0);

function withParts(shapes: Shapes): PlanarShapeData[] {
  return shapes.filter((shape): shape is PlanarShapeData => shape?.parts !== undefined);
}

/** `surfaces`: for contacts. */
export function createPlanarPartTables(
  { dimension }: Pick<BatchRequest, 'dimension'>,
  surfaces: SurfaceRows<PlanarShapeData> | undefined,
): PartTables {
  return {
    isReady: (shapes) =>
      withParts(shapes as Shapes).every(
        (shape) => treeOf(shape) !== undefined && surfaces?.isReady(shape.parts!) !== false,
      ),
    prepare: (shapes) => workInTurns(prepareShapes(shapes as Shapes, surfaces), () => undefined),
    haveSolids: (shapes) =>
      surfaces !== undefined && withParts(shapes as Shapes).some(({ parts }) => parts!.type === 'compound'),
    haveMeshes: (shapes) => withParts(shapes as Shapes).some(({ parts }) => parts!.type === 'chain'),
    partsOf(shape) {
      const { parts } = shape as PlanarShapeData;
      if (!parts) return [];
      return parts.type === 'chain' ? [SEGMENT] : planarPartsOf(shape as PlanarShapeData);
    },
    deepestTree: (shapes) =>
      withParts(shapes as Shapes).reduce((most, shape) => Math.max(most, treeOf(shape).depth), 1),
    pack: (shapes) =>
      packPlanarParts(
        shapes as Shapes,
        (some) => dimension.packShapes(some),
        surfaces && ((parts) => surfaces.rowsOf(parts)),
      ),
  };
}

function* prepareShapes(shapes: Shapes, surfaces: SurfaceRows<PlanarShapeData> | undefined): Work<void> {
  for (const [id, shape] of shapes.entries()) {
    if (!shape?.parts) continue;
    yield* keptTree(shape, makePlanarTree);
    if (surfaces) yield* surfaces.prepare(shape, `shapes[${id}]`);
  }
}

const ofConvex = new WeakMap<PlanarShapeData, PartTree>();

const NODES: NodeSource<PlanarShapeData> = {
  halfspaceOf: () => undefined,
  treeOf(shape) {
    if (shape.parts) return treeOf(shape);
    const tree = ofConvex.get(shape) ?? treeOfPlanarShape(shape);
    ofConvex.set(shape, tree);
    return tree;
  },
  kindOf: (shape, part) => (shape.parts!.type === 'chain' ? PLANAR_SEGMENT : planarPart(shape, part).kind),
};

/**
 * Records of the shapes, then of the parts of each. `packShapes` makes records of convex shapes and their rows. `surfaceOf`: the rows of a
 * surface, which follow.
 */
function packPlanarParts(
  shapes: Shapes,
  packShapes: (shapes: Shapes) => Packed,
  surfaceOf?: (parts: PlanarParts<PlanarShapeData>) => Uint32Array<ArrayBuffer>,
): PackedParts {
  const packed = [packShapes(shapes)];
  const firstParts = new Map<number, number>();
  let next = shapes.length;
  shapes.forEach((shape, id) => {
    if (!shape?.parts) return;
    packed.push(...partsOf(shape, packShapes));
    firstParts.set(id, next);
    next += planarPartCount(shape.parts);
  });
  const surfaces = new Map<number, number>();
  const rowsOfParts = packed.reduce((sum, { geometry: of }) => sum + of.byteLength / ROW_BYTES, 0);
  let row = rowsOfParts;
  for (const id of surfaceOf ? firstParts.keys() : []) {
    const rows = surfaceOf!(shapes[id]!.parts!);
    if (rows.length === 0) continue;
    packed.push({ shapes: new ArrayBuffer(0), geometry: rows.buffer });
    surfaces.set(id, row);
    row += rows.byteLength / ROW_BYTES;
  }
  const { records, geometry } = inOne(packed);
  const view = new DataView(records);
  for (const [id, first] of firstParts) {
    view.setUint32(id * size + fields.firstRow.offset, first, true);
    view.setUint32(id * size + fields.more.offset, surfaces.get(id) ?? 0, true);
  }
  return { shapes: records, geometry, partNodes: packNodes(shapes, NODES) };
}

const ofParts = new WeakMap<object, readonly Packed[]>();

/** The records of a shape's parts, which are made once. */
function partsOf(shape: PlanarShapeData, packShapes: (shapes: Shapes) => Packed): readonly Packed[] {
  const parts = shape.parts!;
  const known = ofParts.get(parts);
  if (known) return known;
  const packed: Packed[] = [];
  const count = planarPartCount(parts);
  for (let first = 0; first < count; first += AT_ONCE) {
    const end = Math.min(first + AT_ONCE, count);
    packed.push(
      parts.type === 'chain'
        ? packChainSegments(parts, first, end)
        : packShapes(Array.from({ length: end - first }, (_, i) => planarPart(shape, first + i))),
    );
  }
  ofParts.set(parts, packed);
  return packed;
}

const { size, fields } = layouts.PlanarShape;

/** All records one after the other, with the rows of their corners. */
function inOne(packed: readonly Packed[]): { records: ArrayBuffer; geometry: ArrayBuffer } {
  const bytesOf = (of: 'shapes' | 'geometry'): number => packed.reduce((sum, each) => sum + each[of].byteLength, 0);
  const records = allocate('packed shapes', Uint8Array, bytesOf('shapes'));
  const geometry = allocate('packed geometry', Uint8Array, bytesOf('geometry'));
  const words = new Uint32Array(records.buffer);
  let record = 0;
  let row = 0;
  for (const each of packed) {
    records.set(new Uint8Array(each.shapes), record);
    geometry.set(new Uint8Array(each.geometry), ROW_BYTES * row);
    const end = record + each.shapes.byteLength;
    for (; record < end; record += size) words[(record + fields.firstRow.offset) / 4] += row;
    row += each.geometry.byteLength / ROW_BYTES;
  }
  return { records: records.buffer as ArrayBuffer, geometry: geometry.buffer as ArrayBuffer };
}
