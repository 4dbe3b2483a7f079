import { allocate } from '../util/arrays.ts';
import { PLANAR_POLYGON, PLANAR_RECTANGLE, PLANAR_SEGMENT, WIDE_ANGLES } from '../generated/constants.ts';
import { layouts } from '../generated/layouts.ts';
import { segmentCore } from '../shapes/planar-part-shapes.ts';
import type { Chain } from '../shapes/planar-parts.ts';
import { coreCorners, type PlanarShapeData } from '../shapes/planar-shape-data.ts';
import { edgeNormals } from '../shapes/polygon.ts';

/** Kind of a removed shape. No core has it, so pairs that still use the shape are invalid. */
const REMOVED = 0xff;

/**
 * The kernels' buffers `shapeRecords` and `geometry`. shaders/planar/shapes.wgsl and support.wgsl define their
 * contents.
 */
export function packPlanarShapes(shapes: readonly (PlanarShapeData | undefined)[]): {
  shapes: ArrayBuffer;
  geometry: ArrayBuffer;
} {
  const { size, fields } = layouts.PlanarShape;
  const records = new DataView(allocate('packed shapes', Uint8Array, Math.max(shapes.length, 1) * size).buffer);
  const outlines = shapes.map((shape) => shape && outlineOf(shape));
  const rowCount = outlines.reduce((sum, outline) => sum + (outline ? rowsOf(outline) : 0), 0);
  const rows = new DataView(allocate('packed geometry', Uint8Array, Math.max(rowCount, 1) * 16).buffer);
  let row = 0;
  shapes.forEach((shape, i) => {
    const at = i * size;
    const outline = outlines[i];
    if (!shape || !outline) {
      records.setUint32(at + fields.kindAndCount.offset, REMOVED, true);
      return;
    }
    shape.coreData.forEach((value, k) =>
      records.setFloat32(at + (k < 2 ? fields.data.offset + 4 * k : fields.more.offset + 4 * (k - 2)), value, true),
    );
    shape.middle.forEach((value, k) => records.setFloat32(at + fields.middle.offset + 4 * k, value, true));
    records.setFloat32(at + fields.middleRadius.offset, shape.middleRadius, true);
    records.setFloat32(at + fields.radius.offset, shape.radius, true);
    records.setFloat32(at + fields.boundingRadius.offset, shape.boundingRadius, true);
    records.setUint32(
      at + fields.kindAndCount.offset,
      shape.kind | (outline.numbers.length << 8) | (shape.hasWideAngles ? WIDE_ANGLES : 0),
      true,
    );
    records.setUint32(at + fields.firstRow.offset, row, true);
    packRows(outline, rows, 16 * row);
    row += rowsOf(outline);
  });
  return { shapes: records.buffer as ArrayBuffer, geometry: rows.buffer as ArrayBuffer };
}

/** A core of any kind as a polygon. */
interface Outline {
  /** x, y of each corner, counter-clockwise, and of the outward unit normal of the edge that starts there. */
  vertices: ArrayLike<number>;
  normals: ArrayLike<number>;
  cells: Uint32Array;
  /** The caller's number of each corner. */
  numbers: ArrayLike<number>;
}

const RECTANGLE_NORMALS = [0, -1, 1, 0, 0, 1, -1, 0];
/** Bit 0 is set where x is positive, bit 1 where y is. */
const RECTANGLE_NUMBERS = [0, 1, 3, 2];

function outlineOf(shape: PlanarShapeData): Outline {
  const { kind, normals, pointIndices, cells, coreData: data, coreVertices } = shape;
  const vertices = coreCorners({ kind, data, vertices: coreVertices });
  switch (kind) {
    case PLANAR_POLYGON:
      return { vertices, normals, cells, numbers: pointIndices };
    case PLANAR_RECTANGLE:
      return { vertices, normals: RECTANGLE_NORMALS, cells, numbers: RECTANGLE_NUMBERS };
    case PLANAR_SEGMENT:
      return {
        vertices,
        normals: edgeNormals(vertices),
        cells,
        numbers: pointIndices.length > 0 ? pointIndices : [0, 1],
      };
    default:
      return { vertices, normals: [0, 0], cells, numbers: pointIndices.length > 0 ? pointIndices : [0] };
  }
}

/** Rows for the numbers, four per row. */
function numberRows(numbers: ArrayLike<number>): number {
  return Math.ceil(numbers.length / 4);
}

function rowsOf({ vertices, cells, numbers }: Outline): number {
  return vertices.length / 2 + numberRows(cells) + numberRows(numbers);
}

/** Corners, support cells, numbers of points. */
function packRows({ vertices, normals, cells, numbers }: Outline, rows: DataView, offset: number): void {
  let at = offset;
  for (let i = 0; i < vertices.length; i += 2, at += 16) {
    [vertices[i], vertices[i + 1], normals[i], normals[i + 1]].forEach((value, k) =>
      rows.setFloat32(at + 4 * k, value, true),
    );
  }
  for (const list of [cells, numbers]) {
    for (let i = 0; i < list.length; i++) rows.setUint32(at + 4 * i, list[i], true);
    at += 16 * numberRows(list);
  }
}

const SEGMENT_ROWS = 3;

/** The same for segments of a chain, from the first up to `end`. */
export function packChainSegments(
  chain: Pick<Chain, 'points'>,
  first: number,
  end: number,
): { shapes: ArrayBuffer; geometry: ArrayBuffer } {
  const { size, fields } = layouts.PlanarShape;
  const words = size / 4;
  const records = allocate('packed shapes', Uint32Array, words * (end - first));
  const rows = allocate('packed geometry', Uint32Array, 4 * SEGMENT_ROWS * (end - first));
  const [numbers, rowNumbers] = [new Float32Array(records.buffer), new Float32Array(rows.buffer)];
  for (let segment = first; segment < end; segment++) {
    const { middle, coreVertices: ends, middleRadius, reach } = segmentCore(chain, segment);
    const at = words * (segment - first);
    for (let k = 0; k < 2; k++) {
      numbers[at + fields.data.offset / 4 + k] = ends[k];
      numbers[at + fields.more.offset / 4 + k] = ends[2 + k];
      numbers[at + fields.middle.offset / 4 + k] = middle[k];
    }
    numbers[at + fields.middleRadius.offset / 4] = middleRadius;
    numbers[at + fields.boundingRadius.offset / 4] = reach;
    records[at + fields.kindAndCount.offset / 4] = PLANAR_SEGMENT | (2 << 8);
    records[at + fields.firstRow.offset / 4] = SEGMENT_ROWS * (segment - first);
    const [ex, ey] = [ends[2] - ends[0], ends[3] - ends[1]];
    const length = Math.hypot(ex, ey);
    const row = 4 * SEGMENT_ROWS * (segment - first);
    // Both corners, each with the normal of the edge that starts there, and their numbers.
    for (let corner = 0; corner < 2; corner++) {
      const sign = corner === 0 ? 1 : -1;
      rowNumbers[row + 4 * corner] = ends[2 * corner];
      rowNumbers[row + 4 * corner + 1] = ends[2 * corner + 1];
      rowNumbers[row + 4 * corner + 2] = (sign * ey) / length;
      rowNumbers[row + 4 * corner + 3] = (-sign * ex) / length;
    }
    rows[row + 9] = 1;
  }
  return { shapes: records.buffer as ArrayBuffer, geometry: rows.buffer as ArrayBuffer };
}
