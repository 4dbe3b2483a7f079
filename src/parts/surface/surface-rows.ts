/**
 * The surface of a mesh as kernels over pairs of parts read it: rows of four numbers of 32 bits. shaders/part-pairs/surface/rows.wgsl
 * has their layout. Lengths are in the mesh's unit.
 */
import type { SurfaceRows } from '../../request/backend.ts';
import type { Mesh } from '../../shapes/parts.ts';
import { SURFACE_ROWS } from '../../generated/constants.ts';
import { allocate } from '../../util/arrays.ts';
import { createPace, type Work } from '../../util/turns.ts';
import { PIECE_SIZE } from './edge-pieces.ts';
import { flatReachOf } from './flat-reach.ts';
import { expectFronts, meshSurface, type MeshSurface } from './mesh-surface.ts';

const ROW = 4;
/** Most spokes of a vertex, whose number has ten bits. Vertices with more have no cone here. */
const MOST_SPOKES = 2 ** 10 - 1;

/** In place of where a piece begins: the edge has several, which have rows of their own. */
const SEVERAL = -1;

/** Steps of `createPace` per edge. */
const EDGE_STEPS = 64;

const kept = new WeakMap<Mesh, Uint32Array<ArrayBuffer>>();

export const surfaceRows: SurfaceRows = {
  isReady: (mesh) => kept.has(mesh),

  *prepare(mesh, field) {
    if (!kept.has(mesh)) kept.set(mesh, yield* makeRows(yield* expectFronts(yield* meshSurface(mesh), field)));
  },

  rowsOf: (mesh) => kept.get(mesh)!,
};

function* makeRows(surface: MeshSurface): Work<Uint32Array<ArrayBuffer>> {
  const { outline, weld, welded, isFront, normals, flats, pieceStarts, pieces, spokeStarts, spokes } = surface;
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
  const integers = allocate('surface of the mesh', Uint32Array, ROW * lastRow);
  const floats = new Float32Array(integers.buffer);
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
    const count = pieceStarts[edge + 1] - pieceStarts[edge];
    const from = PIECE_SIZE * pieceStarts[edge];
    const toEdge = at + ROW * (1 + corner);
    if (count === 1) floats.set(pieces.subarray(from, from + PIECE_SIZE), toEdge);
    else {
      floats[toEdge] = SEVERAL;
      integers[toEdge + 1] = pieceRow;
      integers[toEdge + 2] = count;
      floats.set(pieces.subarray(from, from + PIECE_SIZE * count), ROW * pieceRow);
      pieceRow += count;
    }
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
