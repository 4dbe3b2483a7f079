import { allocate } from '../util/arrays.ts';
import { COARSE_ONE, UNPACKED_CELL } from '../generated/constants.ts';
import { layouts } from '../generated/layouts.ts';
import { NO_ARC } from '../shapes/arc-trails.ts';
import { withOffsets, type GaussMap } from '../shapes/gauss-map.ts';
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
    row = packFewCandidates(shape.supportCells, rows, row);
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
  const ofCells = packedRows(supportCells) + cellRows(supportCells) + supportCells.candidates.length;
  return ofFeatures + ofCells + gaussMapRows(shape);
}

/** Rows for the face loops: one number per vertex, and one per face for the number of its vertices. */
function loopRows({ facePlanes, faceVertices }: ShapeData): number {
  return Math.ceil((facePlanes.length / 4 + faceVertices.length) / 4);
}

/** Rows for the cells' start offsets. */
function cellRows({ start }: SupportCells): number {
  return Math.ceil(start.length / 4);
}

/** Rows for the packed cells. */
function packedRows({ resolution }: SupportCells): number {
  return Math.ceil((6 * resolution * resolution) / 4);
}

/** Four candidates per cell, in bytes. */
function packFewCandidates(cells: SupportCells, rows: DataView, firstRow: number): number {
  const { start, candidates } = cells;
  for (let cell = 0; cell + 1 < start.length; cell++) {
    const [first, end] = [start[cell], start[cell + 1]];
    let word = 0;
    for (let i = 0; i < 4; i++) word |= candidates[first + i < end ? first + i : first] << (8 * i);
    const isPacked = end - first <= 4 && candidates[end - 1] < 0xff;
    rows.setUint32(16 * firstRow + 4 * cell, isPacked ? word >>> 0 : UNPACKED_CELL, true);
  }
  return firstRow + packedRows(cells);
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
 * Rows for the Gauss map: one row of counts, one per normal, one per two coarse planes of normals and of steps along its
 * trails, and one per four steps. A shape without vertices has none: kernels have the map of a box built in.
 */
function gaussMapRows({ vertices, gaussMap: { offsets, trails } }: ShapeData): number {
  if (vertices.length === 0) return 0;
  const steps = trails.normals.length;
  return 1 + offsets.length + Math.ceil(offsets.length / 2) + Math.ceil(steps / 2) + Math.ceil(steps / 4);
}

function packGaussMap(shape: ShapeData, rows: DataView, firstRow: number): number {
  const { vertices, gaussMap } = shape;
  if (vertices.length === 0) return firstRow;
  // The planes of the rounded normals.
  const map = withOffsets({ ...gaussMap, normals: gaussMap.normals.map(Math.fround) }, vertices);
  const { normals, offsets, trails } = map;
  let reach = 0;
  for (let i = 0; i < vertices.length; i += 3)
    reach = Math.max(reach, Math.hypot(vertices[i], vertices[i + 1], vertices[i + 2]));
  rows.setUint32(16 * firstRow, offsets.length, true);
  rows.setUint32(16 * firstRow + 4, trails.normals.length, true);
  rows.setFloat32(16 * firstRow + 8, reach, true);
  let at = 16 * (firstRow + 1);
  offsets.forEach((offset, i) => {
    for (let axis = 0; axis < 3; axis++) rows.setFloat32(at + 4 * axis, normals[3 * i + axis], true);
    rows.setFloat32(at + 12, offset, true);
    at += 16;
  });
  at = packCoarse(rows, at, map, reach, Uint32Array.from(offsets.keys()), () => true);
  at = packCoarse(rows, at, map, reach, trails.normals, (i) => trails.arcs[i] !== NO_ARC);
  trails.normals.forEach((normal, i) => rows.setUint32(at + 4 * i, normal, true));
  return at / 16 + Math.ceil(trails.normals.length / 4);
}

/** Two planes per row, of signed 16-bit numbers. The last bit of an offset is 1 if the plane is not set. */
function packCoarse(
  rows: DataView,
  at: number,
  { normals, offsets }: Pick<GaussMap, 'normals' | 'offsets'>,
  reach: number,
  numbers: ArrayLike<number>,
  isSet: (i: number) => boolean,
): number {
  const count = numbers.length;
  for (let i = 0; i < count + (count % 2); i++) {
    const normal = numbers[Math.min(i, count - 1)];
    const to = at + 8 * i;
    for (let axis = 0; axis < 3; axis++)
      rows.setInt16(to + 2 * axis, Math.round(COARSE_ONE * normals[3 * normal + axis]), true);
    const half = Math.floor((0.5 * COARSE_ONE * offsets[normal]) / reach);
    rows.setInt16(to + 6, 2 * half + (i < count && isSet(i) ? 0 : 1), true);
  }
  return at + 16 * Math.ceil(count / 2);
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
