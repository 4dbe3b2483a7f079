/** The surface of a 2-D body as kernels over pairs of parts read it: rows of four numbers (shaders/planar/surface/rows.wgsl). */
import { treeOf } from '../../bvh/kept-trees.ts';
import { PLANAR_CONE_ROWS, PLANAR_FACE_ROWS, PLANAR_SURFACE_ROWS, PLANAR_WAY_ROWS } from '../../generated/constants.ts';
import type { SurfaceRows } from '../../request/backend.ts';
import { planarPart, segmentCore } from '../../shapes/planar-part-shapes.ts';
import type { PlanarParts } from '../../shapes/planar-parts.ts';
import { coreCorners, type PlanarShapeData } from '../../shapes/planar-shape-data.ts';
import { allocate } from '../../util/arrays.ts';
import { createPace, type Work } from '../../util/turns.ts';
import { ROW } from '../surface/row-writer.ts';
import { facesOf, type Face } from './exposed-faces.ts';
import { createFlatReach, type FlatReach } from './flat-ground.ts';
import { isSurface, prepareSurface, surfaceOf, type PlanarSurface } from './planar-surface.ts';
import { arcOf, coneAt } from './polar-cone.ts';

/** Steps of `createPace` per corner, whose neighbours are searched. */
const CORNER_STEPS = 64;

const NO_ROWS = new Uint32Array(0);

const kept = new WeakMap<PlanarParts<PlanarShapeData>, Uint32Array<ArrayBuffer>>();

export const planarRows: SurfaceRows<PlanarShapeData> = {
  isReady: (parts) => kept.has(parts),

  *prepare(shape) {
    const { parts } = shape;
    if (!parts || kept.has(parts)) return;
    if (!isSurface(shape)) {
      kept.set(parts, NO_ROWS);
      return;
    }
    yield* prepareSurface(shape, treeOf(shape));
    kept.set(parts, yield* makeRows(shape, surfaceOf(parts)));
  },

  rowsOf: (parts) => kept.get(parts)!,
};

/** Rows, whose number grows. */
interface Rows {
  readonly count: number;
  /** Appends rows of zeros. Returns the number of the first. */
  append(count: number): number;
  /** Write the first numbers of a row. */
  integer(row: number, ...values: number[]): void;
  number(row: number, ...values: number[]): void;
  /** Writes one number of a row. */
  integerAt(row: number, column: number, value: number): void;
  take(): Uint32Array<ArrayBuffer>;
}

function createRows(): Rows {
  let count = 0;
  let integers = allocate('surface of the shape', Uint32Array, ROW * 1024);
  let floats = new Float32Array(integers.buffer);
  return {
    get count() {
      return count;
    },
    append(more) {
      const first = count;
      count += more;
      if (ROW * count > integers.length) {
        const grown = allocate('surface of the shape', Uint32Array, Math.max(2 * integers.length, ROW * count));
        grown.set(integers);
        integers = grown;
        floats = new Float32Array(integers.buffer);
      }
      return first;
    },
    integer: (row, ...values) => integers.set(values, ROW * row),
    number: (row, ...values) => floats.set(values, ROW * row),
    integerAt: (row, column, value) => void (integers[ROW * row + column] = value),
    take: () => integers.slice(0, ROW * count) as Uint32Array<ArrayBuffer>,
  };
}

function* makeRows(shape: PlanarShapeData, surface: PlanarSurface): Work<Uint32Array<ArrayBuffer>> {
  const { count, isChain, isFront, touch, weld } = surface;
  const isDue = createPace();
  const rows = createRows();
  const reachOf = createFlatReach(surface);
  rows.append(PLANAR_SURFACE_ROWS + count);
  rows.number(1, weld);
  const open: Face[] = [];
  for (let part = 0; part < count; part++) {
    if (!surface.isSharp(part)) continue;
    const { middle, corners } = coreOf(shape, part);
    if (isDue(CORNER_STEPS * corners.length)) yield;
    const faces = facesOf(surface, part);
    const header = PLANAR_SURFACE_ROWS + part;
    const firstCorner = rows.append(faces.length);
    const firstFace = rows.append(PLANAR_FACE_ROWS * faces.length);
    rows.integer(header, firstCorner - header, faces.length, firstFace - header);
    const flats: FlatReach[] = [];
    for (const face of faces) flats.push(yield* reachOf(part, face));
    faces.forEach((face, i) => {
      rows.number(firstCorner + i, corners[2 * i], corners[2 * i + 1]);
      writeFace(face, firstFace + PLANAR_FACE_ROWS * i, middle, flats[i], rows);
      rows.integerAt(firstCorner + i, 3, writeCone(surface, part, i, rows));
    });
    if (!isChain) open.push(...faces);
  }
  const firstWay = rows.count;
  const ways = open.reduce((sum, face) => sum + writeWaysOut(face, rows), 0);
  rows.number(0, touch);
  rows.integerAt(0, 1, Number(isFront));
  rows.integerAt(0, 2, Number(isChain));
  rows.integerAt(0, 3, ways);
  rows.integerAt(1, 1, firstWay);
  return rows.take();
}

/** The corners of a part about its middle. */
function coreOf(shape: PlanarShapeData, part: number): { middle: ArrayLike<number>; corners: ArrayLike<number> } {
  const parts = shape.parts!;
  if (parts.type === 'chain') {
    const { middle, coreVertices } = segmentCore(parts, part);
    return { middle: middle.slice(), corners: coreVertices.slice() };
  }
  const { kind, coreData, coreVertices, middle } = planarPart(shape, part);
  return { middle, corners: coreCorners({ kind, data: coreData, vertices: coreVertices }) };
}

function writeFace(
  { x, y, length, normalX, normalY, pieces }: Face,
  row: number,
  middle: ArrayLike<number>,
  flat: FlatReach,
  to: Rows,
): void {
  const height = (x - middle[0]) * normalX + (y - middle[1]) * normalY;
  to.number(row, normalX, normalY, length, height);
  to.number(row + 1, 0, 0, flat.least, flat.most);
  const first = to.append(pieces.length / 2);
  for (let i = 0; i < pieces.length; i += 2) to.number(first + i / 2, pieces[i], pieces[i + 1]);
  to.integer(row + 1, first, pieces.length / 2);
}

/** Writes the cone of a part's corner. Returns its row. */
function writeCone(surface: PlanarSurface, part: number, corner: number, to: Rows): number {
  const corners = surface.cornersOf(part);
  const cone = coneAt(surface, corners[2 * corner], corners[2 * corner + 1]);
  const directions = [...cone.directions];
  if (surface.isFront) {
    const [{ normalX, normalY }] = facesOf(surface, part);
    cone.directions.push(-normalX, -normalY);
  }
  const arc = arcOf(cone);
  const row = to.append(PLANAR_CONE_ROWS + directions.length / 2);
  if (arc) to.number(row, arc.lowX, arc.lowY, arc.highX, arc.highY);
  to.integer(row + 1, directions.length / 2, Number(cone.isInside));
  for (let i = 0; i < directions.length; i += 2)
    to.number(row + PLANAR_CONE_ROWS + i / 2, directions[i], directions[i + 1]);
  return row;
}

/** Writes a way out through each piece of a face. Returns their number. */
function writeWaysOut({ x, y, alongX, alongY, normalX, normalY, pieces }: Face, to: Rows): number {
  const count = pieces.length / 2;
  const first = to.append(PLANAR_WAY_ROWS * count);
  for (let i = 0; i < count; i++) {
    const row = first + PLANAR_WAY_ROWS * i;
    const [begin, end] = [pieces[2 * i], pieces[2 * i + 1]];
    to.number(row, normalX, normalY, x * normalX + y * normalY);
    to.number(row + 1, x + begin * alongX, y + begin * alongY, x + end * alongX, y + end * alongY);
  }
  return count;
}
