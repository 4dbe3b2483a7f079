import { PLUMP } from '../generated/constants.ts';
import { layouts } from '../generated/layouts.ts';
import type { PlanarShapeData } from '../shapes/planar-shape-data.ts';

/** Kind of a removed shape: no core has it, so pairs that still name it are invalid. */
const REMOVED = 0xff;

/** The buffers `shapes` and `geometry` of the kernels; shaders/planar/shapes.wgsl and support.wgsl say what is in them. */
export function packPlanarShapes(shapes: readonly (PlanarShapeData | undefined)[]): { shapes: ArrayBuffer; geometry: ArrayBuffer } {
  const { size, fields } = layouts.PlanarShape;
  const records = new DataView(new ArrayBuffer(Math.max(shapes.length, 1) * size));
  const rowCount = shapes.reduce((sum, shape) => sum + (shape ? rowsOf(shape) : 0), 0);
  const rows = new DataView(new ArrayBuffer(Math.max(rowCount, 1) * 16));
  let row = 0;
  shapes.forEach((shape, i) => {
    const at = i * size;
    if (!shape) {
      records.setUint32(at + fields.kindAndCount.offset, REMOVED, true);
      return;
    }
    shape.data.forEach((value, k) => records.setFloat32(at + (k < 2 ? fields.data.offset + 4 * k : fields.more.offset + 4 * (k - 2)), value, true));
    records.setFloat32(at + fields.radius.offset, shape.radius, true);
    records.setFloat32(at + fields.boundingRadius.offset, shape.boundingRadius, true);
    records.setUint32(at + fields.kindAndCount.offset, shape.kind | (shape.pointIndices.length << 8) | (shape.isPlump ? PLUMP : 0), true);
    records.setUint32(at + fields.firstRow.offset, row, true);
    packRows(shape, rows, 16 * row);
    row += rowsOf(shape);
  });
  return { shapes: records.buffer as ArrayBuffer, geometry: rows.buffer as ArrayBuffer };
}

/** Four numbers a row. */
function numberRows(numbers: Uint32Array): number {
  return Math.ceil(numbers.length / 4);
}

function rowsOf({ vertices, cells, pointIndices }: PlanarShapeData): number {
  return vertices.length / 2 + numberRows(cells) + numberRows(pointIndices);
}

/** Corners, support cells, numbers of points. */
function packRows({ vertices, normals, cells, pointIndices }: PlanarShapeData, rows: DataView, offset: number): void {
  let at = offset;
  for (let i = 0; i < vertices.length; i += 2, at += 16) {
    [vertices[i], vertices[i + 1], normals[i], normals[i + 1]].forEach((value, k) => rows.setFloat32(at + 4 * k, value, true));
  }
  for (const numbers of [cells, pointIndices]) {
    numbers.forEach((number, i) => rows.setUint32(at + 4 * i, number, true));
    at += 16 * numberRows(numbers);
  }
}
