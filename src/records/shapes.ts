import { allocate } from '../util/arrays.ts';
import { COARSE_ONE, UNPACKED_CELL } from '../generated/constants.ts';
import { layouts } from '../generated/layouts.ts';
import { NO_ARC, type ArcTrails } from '../shapes/arc-trails.ts';
import { offsetsOf } from '../shapes/gauss-map.ts';
import type { ShapeData } from '../shapes/shape-data.ts';
import type { SupportCells } from '../shapes/support-cells.ts';

/** Kind of a removed shape. No core has it, so pairs that still use the shape are invalid. */
const REMOVED = 0xffff_ffff;

/** Rows of four words in `geometry`. */
interface Rows {
  words: Uint32Array;
  floats: Float32Array;
  halves: Int16Array;
}

/**
 * The kernels' buffers `shapeRecords` and `geometry`. shaders/shared/shapes.wgsl and geometry.wgsl define their
 * contents.
 */
export function packShapes(shapes: readonly (ShapeData | undefined)[]): { shapes: ArrayBuffer; geometry: ArrayBuffer } {
  const { size, fields } = layouts.Shape;
  const words = allocate('packed shapes', Uint32Array, (Math.max(shapes.length, 1) * size) / 4);
  const floats = new Float32Array(words.buffer);
  let rowCount = 0;
  for (const shape of shapes) if (shape) rowCount += rowsOf(shape);
  const rows = createRows(Math.max(rowCount, 1));
  let row = 0;
  for (let i = 0; i < shapes.length; i++) {
    const shape = shapes[i];
    const at = (i * size) / 4;
    if (!shape) {
      words[at + KIND] = REMOVED;
      continue;
    }
    const { middle } = shape;
    for (let axis = 0; axis < 3; axis++) {
      floats[at + fields.halfExtents.offset / 4 + axis] = shape.halfExtents[axis] - middle[axis];
      floats[at + fields.middle.offset / 4 + axis] = middle[axis];
    }
    floats[at + fields.radius.offset / 4] = shape.radius;
    floats[at + fields.boundingRadius.offset / 4] = shape.boundingRadius;
    floats[at + fields.middleRadius.offset / 4] = shape.middleRadius;
    words[at + KIND] = shape.kind;
    words[at + fields.firstRow.offset / 4] = row;
    words[at + fields.vertexCount.offset / 4] = shape.vertices.length / 3;
    words[at + fields.edgeCount.offset / 4] = shape.edges.length / 2;
    words[at + fields.faceCount.offset / 4] = shape.facePlanes.length / 4;
    row = packRows(shape, rows, row);
    row = packFewCandidates(shape.supportCells, rows, row);
    words[at + fields.firstCellRow.offset / 4] = row;
    words[at + fields.cellResolution.offset / 4] = shape.supportCells.resolution;
    row = packCells(shape, rows, row);
    row = packGaussMap(shape, rows, row);
  }
  return { shapes: words.buffer as ArrayBuffer, geometry: rows.words.buffer as ArrayBuffer };
}

/** The word of a record that has its kind. */
const KIND = layouts.Shape.fields.kind.offset / 4;

function createRows(count: number): Rows {
  const words = allocate('packed geometry', Uint32Array, 4 * count);
  return { words, floats: new Float32Array(words.buffer), halves: new Int16Array(words.buffer) };
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
function packFewCandidates(cells: SupportCells, { words }: Rows, firstRow: number): number {
  const { start, candidates } = cells;
  for (let cell = 0; cell + 1 < start.length; cell++) {
    const first = start[cell];
    const end = start[cell + 1];
    let word = 0;
    for (let i = 0; i < 4; i++) word |= candidates[first + i < end ? first + i : first] << (8 * i);
    const isPacked = end - first <= 4 && candidates[end - 1] < 0xff;
    words[4 * firstRow + cell] = isPacked ? word >>> 0 : UNPACKED_CELL;
  }
  return firstRow + packedRows(cells);
}

function packCells(
  { coreVertices: vertices, supportCells }: ShapeData,
  { words, floats }: Rows,
  firstRow: number,
): number {
  const { start, candidates } = supportCells;
  const firstCandidate = cellRows(supportCells);
  for (let cell = 0; cell < start.length; cell++) words[4 * firstRow + cell] = firstCandidate + start[cell];
  let at = 4 * (firstRow + firstCandidate);
  for (let i = 0; i < candidates.length; i++, at += 4) {
    const vertex = candidates[i];
    for (let axis = 0; axis < 3; axis++) floats[at + axis] = vertices[3 * vertex + axis];
    words[at + 3] = vertex;
  }
  return at / 4;
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

function packGaussMap({ gaussMap, coreVertices: vertices }: ShapeData, rows: Rows, firstRow: number): number {
  if (vertices.length === 0) return firstRow;
  const { words, floats } = rows;
  const { trails } = gaussMap;
  // The planes of the rounded normals.
  const normals = roundedNormals(gaussMap.normals);
  const offsets = offsetsOf(normals, gaussMap, vertices);
  let squared = 0;
  for (let i = 0; i < vertices.length; i += 3)
    squared = Math.max(squared, vertices[i] ** 2 + vertices[i + 1] ** 2 + vertices[i + 2] ** 2);
  const reach = Math.sqrt(squared);
  words[4 * firstRow] = offsets.length;
  words[4 * firstRow + 1] = trails.normals.length;
  floats[4 * firstRow + 2] = reach;
  let at = 4 * (firstRow + 1);
  for (let i = 0; i < offsets.length; i++, at += 4) {
    for (let axis = 0; axis < 3; axis++) floats[at + axis] = normals[3 * i + axis];
    floats[at + 3] = offsets[i];
  }
  at = packCoarse(rows, at, normals, offsets, reach);
  at = packCoarse(rows, at, normals, offsets, reach, trails);
  for (let i = 0; i < trails.normals.length; i++) words[at + i] = trails.normals[i];
  return at / 4 + Math.ceil(trails.normals.length / 4);
}

/** The normals of the last shape. */
let rounded = new Float64Array(0);

function roundedNormals(normals: Float64Array): Float64Array {
  const { length } = normals;
  if (rounded.length < length) rounded = new Float64Array(2 * length);
  for (let i = 0; i < length; i++) rounded[i] = Math.fround(normals[i]);
  return rounded.subarray(0, length);
}

/**
 * Two planes per row, of signed 16-bit numbers: those of the steps' normals, or of all. The last bit of an offset is 1
 * if the plane is not set, which is so where a step has no arc.
 */
function packCoarse(
  { halves }: Rows,
  at: number,
  normals: Float64Array,
  offsets: Float64Array,
  reach: number,
  steps?: Pick<ArcTrails, 'normals' | 'arcs'>,
): number {
  const count = steps ? steps.normals.length : offsets.length;
  for (let i = 0; i < count + (count % 2); i++) {
    const listed = Math.min(i, count - 1);
    const normal = steps ? steps.normals[listed] : listed;
    const to = 2 * at + 4 * i;
    for (let axis = 0; axis < 3; axis++) halves[to + axis] = Math.round(COARSE_ONE * normals[3 * normal + axis]);
    const half = Math.floor((0.5 * COARSE_ONE * offsets[normal]) / reach);
    const isSet = i < count && (!steps || steps.arcs[i] !== NO_ARC);
    halves[to + 3] = 2 * half + (isSet ? 0 : 1);
  }
  return at + 4 * Math.ceil(count / 2);
}

function packRows(shape: ShapeData, { words, floats }: Rows, firstRow: number): number {
  const { coreVertices: vertices, pointIndices, edges, facePlanes, faceVertices, faceStart } = shape;
  let at = 4 * firstRow;
  for (let i = 0; i < vertices.length / 3; i++, at += 4) {
    for (let axis = 0; axis < 3; axis++) floats[at + axis] = vertices[3 * i + axis];
    words[at + 3] = pointIndices[i];
  }
  for (let i = 0; i < edges.length; i += 2, at += 4) {
    words[at] = edges[i];
    words[at + 1] = edges[i + 1];
  }
  const faceCount = facePlanes.length / 4;
  const loops = at + 4 * faceCount;
  for (let face = 0; face < faceCount; face++, at += 4) {
    for (let axis = 0; axis < 3; axis++) floats[at + axis] = facePlanes[4 * face + axis];
    // Each loop is preceded by its length, so a loop's position is shifted by one number per loop so far.
    const loop = faceStart[face] + face;
    words[at + 3] = loop;
    words[loops + loop] = faceStart[face + 1] - faceStart[face];
    for (let i = faceStart[face]; i < faceStart[face + 1]; i++) words[loops + face + 1 + i] = faceVertices[i];
  }
  return loops / 4 + loopRows(shape);
}
