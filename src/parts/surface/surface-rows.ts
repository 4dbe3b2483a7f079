/**
 * The surface of a mesh or a compound as kernels over pairs of parts read it: rows of four numbers of 32 bits.
 * shaders/part-pairs/surface/rows.wgsl has their layout.
 */
import type { SurfaceRows } from '../../request/backend.ts';
import { treeOf } from '../../bvh/kept-trees.ts';
import type { Compound, Mesh } from '../../shapes/parts.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import { SURFACE_ROWS } from '../../generated/constants.ts';
import { allocate } from '../../util/arrays.ts';
import { createPace, type Work } from '../../util/turns.ts';
import { bakeCompound } from './compound-surface.ts';
import { flatReachOf } from './flat-reach.ts';
import { expectFronts, meshSurface, type MeshSurface } from './mesh-surface.ts';
import { createRowWriter, ROW } from './row-writer.ts';
import { makeSolidRows, writePieces, type SolidSurface } from './solid-rows.ts';
import { surfaceOf } from './surface.ts';

/** Most spokes of a vertex, whose number has ten bits. Vertices with more have no cone here. */
const MOST_SPOKES = 2 ** 10 - 1;

/** Steps of `createPace` per edge. */
const EDGE_STEPS = 64;

const NO_ROWS = new Uint32Array(0);

const kept = new WeakMap<Mesh | Compound<ShapeData>, Uint32Array<ArrayBuffer>>();

export const surfaceRows: SurfaceRows<ShapeData> = {
  isReady: (parts) => kept.has(parts),

  *prepare(shape, field) {
    const { parts } = shape;
    if (!parts || kept.has(parts)) return;
    if (parts.type === 'mesh') {
      kept.set(parts, yield* makeTriangleRows(yield* expectFronts(yield* meshSurface(parts), field)));
      return;
    }
    yield* bakeCompound(parts, treeOf(shape));
    const surface = surfaceOf(shape);
    kept.set(parts, surface ? yield* makeSolidRows(surface as SolidSurface) : NO_ROWS);
  },

  rowsOf: (parts) => kept.get(parts)!,
};

function* makeTriangleRows(surface: MeshSurface): Work<Uint32Array<ArrayBuffer>> {
  const { outline, weld, welded, isFront, normals, flats, pieceStarts, spokeStarts, spokes } = surface;
  const { indices } = outline;
  const isDue = createPace();
  const spokesOf = (vertex: number): number => {
    const count = spokeStarts[vertex + 1] - spokeStarts[vertex];
    return count > MOST_SPOKES ? 0 : count;
  };
  let lastRow = 1 + (SURFACE_ROWS * indices.length) / 3;
  /** The first row of each vertex's spokes. */
  const firstSpokes = allocate('surface of the mesh', Uint32Array, welded.length);
  for (let vertex = 0; vertex < welded.length; vertex++) {
    if (isDue(4)) yield;
    firstSpokes[vertex] = lastRow;
    lastRow += spokesOf(vertex);
  }
  const firstPiece = lastRow;
  for (let edge = 0; edge < indices.length; edge++) {
    const count = pieceStarts[edge + 1] - pieceStarts[edge];
    if (count > 1) lastRow += count;
  }
  const writer = createRowWriter(allocate('surface of the mesh', Uint32Array, ROW * lastRow));
  const { integers, floats } = writer;
  floats[0] = weld;
  integers[1] = Number(isFront);
  let pieceRow = firstPiece;
  for (let edge = 0; edge < indices.length; edge++) {
    if (isDue(EDGE_STEPS)) yield;
    const corner = edge % 3;
    const triangle = (edge - corner) / 3;
    const at = ROW * (1 + SURFACE_ROWS * triangle);
    if (corner === 0) {
      for (let k = 0; k < 3; k++) floats[at + k] = normals[3 * triangle + k];
      floats[at + 3] = flatReachOf(outline, flats, triangle);
    }
    pieceRow += writePieces(surface, edge, at / ROW + 1 + corner, pieceRow, writer);
    const vertex = welded[indices[edge]];
    const toSpokes = at + ROW * 4;
    integers[toSpokes + corner] = firstSpokes[vertex];
    integers[toSpokes + 3] |= spokesOf(vertex) << (10 * corner);
  }
  for (let vertex = 0; vertex < welded.length; vertex++) {
    if (isDue(8)) yield;
    for (let i = 0; i < spokesOf(vertex); i++)
      for (let k = 0; k < 3; k++)
        floats[ROW * (firstSpokes[vertex] + i) + k] = spokes[3 * (spokeStarts[vertex] + i) + k];
  }
  return integers;
}
