import { allocate } from '../util/arrays.ts';
import { layouts } from '../generated/layouts.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { SupportCells } from '../shapes/support-cells.ts';

/** Kind of a removed shape. No core has it, so pairs that still use the shape are invalid. */
const REMOVED = 0xffff_ffff;

/**
 * The kernels' buffers `shapeRecords` and `geometry`. shaders/shared/shapes.wgsl and geometry.wgsl define their
 * contents.
 */
export function packShapes(shapes: readonly (ShapeData | undefined)[]): { shapes: ArrayBuffer; geometry: ArrayBuffer } {
  const { size, fields } = layouts.Shape;
  const records = new DataView(allocate('packed shapes', Uint8Array, Math.max(shapes.length, 1) * size).buffer);
  const rowCount = shapes.reduce((sum, shape) => sum + (shape ? rowsOf(shape) : 0), 0);
  const rows = new DataView(allocate('packed geometry', Uint8Array, Math.max(rowCount, 1) * 16).buffer);
  let row = 0;
  shapes.forEach((shape, i) => {
    const at = i * size;
    if (!shape) {
      records.setUint32(at + fields.kind.offset, REMOVED, true);
      return;
    }
    shape.halfExtents.forEach((value, axis) =>
      records.setFloat32(at + fields.halfExtents.offset + 4 * axis, value, true),
    );
    records.setFloat32(at + fields.radius.offset, shape.radius, true);
    records.setFloat32(at + fields.boundingRadius.offset, shape.boundingRadius, true);
    records.setUint32(at + fields.kind.offset, shape.kind, true);
    records.setUint32(at + fields.firstRow.offset, row, true);
    records.setUint32(at + fields.vertexCount.offset, shape.vertices.length / 3, true);
    records.setUint32(at + fields.edgeCount.offset, shape.edges.length / 2, true);
    records.setUint32(at + fields.faceCount.offset, shape.facePlanes.length / 4, true);
    row = packRows(shape, rows, row);
    records.setUint32(at + fields.firstCellRow.offset, row, true);
    records.setUint32(at + fields.cellResolution.offset, shape.supportCells.resolution, true);
    row = packCells(shape, rows, row);
    row = packGaussMap(shape, rows, row);
  });
  return { shapes: records.buffer as ArrayBuffer, geometry: rows.buffer as ArrayBuffer };
}

function rowsOf(shape: ShapeData): number {
  const { vertices, edges, facePlanes, supportCells } = shape;
  const ofFeatures = vertices.length / 3 + edges.length / 2 + facePlanes.length / 4 + loopRows(shape);
  return ofFeatures + cellRows(supportCells) + supportCells.candidates.length + gaussMapRows(shape);
}

/** Rows for the face loops: one number per vertex, and one per face for the number of its vertices. */
function loopRows({ facePlanes, faceVertices }: ShapeData): number {
  return Math.ceil((facePlanes.length / 4 + faceVertices.length) / 4);
}

/** Rows for the cells' start offsets. */
function cellRows({ start }: SupportCells): number {
  return Math.ceil(start.length / 4);
}

function packCells({ vertices, supportCells }: ShapeData, rows: DataView, firstRow: number): number {
  const { start, candidates } = supportCells;
  const firstCandidate = cellRows(supportCells);
  start.forEach((candidate, cell) => rows.setUint32(16 * firstRow + 4 * cell, firstCandidate + candidate, true));
  let at = 16 * (firstRow + firstCandidate);
  for (const vertex of candidates) {
    for (let axis = 0; axis < 3; axis++) rows.setFloat32(at + 4 * axis, vertices[3 * vertex + axis], true);
    rows.setUint32(at + 12, vertex, true);
    at += 16;
  }
  return at / 16;
}

/**
 * Rows for the Gauss map: one row of counts, one per normal, and one per two arcs. A shape without vertices has none:
 * kernels have the map of a box built in.
 */
function gaussMapRows({ vertices, gaussMap: { normals, arcs } }: ShapeData): number {
  return vertices.length > 0 ? 1 + normals.length / 3 + Math.ceil(arcs.length / 4) : 0;
}

function packGaussMap(shape: ShapeData, rows: DataView, firstRow: number): number {
  const {
    vertices,
    gaussMap: { normals, arcs },
  } = shape;
  if (vertices.length === 0) return firstRow;
  rows.setUint32(16 * firstRow, normals.length / 3, true);
  rows.setUint32(16 * firstRow + 4, arcs.length / 2, true);
  const firstNormal = firstRow + 1;
  normals.forEach((value, i) => rows.setFloat32(16 * (firstNormal + Math.floor(i / 3)) + 4 * (i % 3), value, true));
  arcs.forEach((normal, i) => rows.setUint32(16 * (firstNormal + normals.length / 3) + 4 * i, normal, true));
  return firstRow + gaussMapRows(shape);
}

function packRows(shape: ShapeData, rows: DataView, firstRow: number): number {
  let at = firstRow * 16;
  for (let i = 0; i < shape.vertices.length / 3; i++, at += 16) {
    for (let axis = 0; axis < 3; axis++) rows.setFloat32(at + 4 * axis, shape.vertices[3 * i + axis], true);
    rows.setUint32(at + 12, shape.pointIndices[i], true);
  }
  for (let i = 0; i < shape.edges.length; i += 2, at += 16) {
    rows.setUint32(at, shape.edges[i], true);
    rows.setUint32(at + 4, shape.edges[i + 1], true);
  }
  const { facePlanes, faceVertices, faceStart } = shape;
  const faceCount = facePlanes.length / 4;
  const loops = at + 16 * faceCount;
  for (let face = 0; face < faceCount; face++, at += 16) {
    for (let axis = 0; axis < 3; axis++) rows.setFloat32(at + 4 * axis, facePlanes[4 * face + axis], true);
    // Each loop is preceded by its length, so a loop's position is shifted by one number per loop so far.
    const loop = faceStart[face] + face;
    rows.setUint32(at + 12, loop, true);
    rows.setUint32(loops + 4 * loop, faceStart[face + 1] - faceStart[face], true);
    for (let i = faceStart[face]; i < faceStart[face + 1]; i++)
      rows.setUint32(loops + 4 * (face + 1 + i), faceVertices[i], true);
  }
  return loops / 16 + loopRows(shape);
}
