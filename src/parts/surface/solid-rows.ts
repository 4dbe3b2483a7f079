/**
 * The surface of a compound as kernels over pairs of parts read it (shaders/part-pairs/surface/rows.wgsl). Each solid is in its part's
 * axes and unit, about the middle of its shape, so that its corners are as exact in f32 as those of a shape by itself.
 */
import {
  addScaled,
  length,
  rotationMatrix,
  scale,
  set,
  transform,
  transformBack,
  vec3,
  type Vec3,
} from '../../cpu/math.ts';
import { SOLID_EDGE_ROWS, SOLID_FACE_ROWS, SOLID_ROWS, WAY_OUT_ROWS } from '../../generated/constants.ts';
import { allocate } from '../../util/arrays.ts';
import { createPace, type Work } from '../../util/turns.ts';
import { PIECE_SIZE } from './edge-pieces.ts';
import type { SolidOutline, Surface } from './surface.ts';
import { createRowWriter, ROW, SEVERAL, type RowWriter } from './row-writer.ts';

/** Steps of `createPace` per corner, edge or polygon. */
const FEATURE_STEPS = 16;

/** Where the rows of each kind begin. */
interface Starts {
  corners: number;
  edges: number;
  faces: number;
  polygons: number;
  points: number;
  pieces: number;
  spokes: number;
  waysOut: number;
  end: number;
}

export type SolidSurface = Surface & { readonly outline: SolidOutline };

export function* makeSolidRows(surface: SolidSurface): Work<Uint32Array<ArrayBuffer>> {
  const { outline, weld } = surface;
  const { solids, starts: cornerStarts } = outline;
  const { isPlain, edgeStarts, faceStarts, compound } = solids;
  const isDue = createPace();
  const starts = startsOf(surface);
  const writer = createRowWriter(allocate('surface of the compound', Uint32Array, ROW * starts.end));
  const place = createPlace();
  writer.integer(0, 0, 0, starts.waysOut, starts.points - starts.polygons);
  const next = { ...starts };
  for (let part = 0; part < isPlain.length; part++) {
    if (isPlain[part]) continue;
    place.use(outline, part);
    const header = 1 + SOLID_ROWS * part;
    const [corner, edge, face] = [cornerStarts[part], edgeStarts[part], faceStarts[part]];
    const counts = [cornerStarts, edgeStarts, faceStarts].map((of) => of[part + 1] - of[part]);
    if (isDue(FEATURE_STEPS * (counts[0] + counts[1] + counts[2]))) yield;
    const cornerRow = starts.corners + corner;
    const edgeRow = starts.edges + SOLID_EDGE_ROWS * edge;
    const faceRow = starts.faces + SOLID_FACE_ROWS * face;
    writer.integer(header, cornerRow - header, counts[0], edgeRow - header, counts[1]);
    writer.integer(header + 1, faceRow - header, counts[2]);
    writer.floats[ROW * (header + 1) + 2] = weld / compound.scales[part];
    for (let i = 0; i < counts[0]; i++) writeCorner(surface, corner + i, cornerRow + i, place, writer, next);
    for (let i = 0; i < counts[1]; i++) {
      const row = edgeRow + SOLID_EDGE_ROWS * i;
      const ends = [0, 1].map((end) => solids.edgeEnds[2 * (edge + i) + end] - corner);
      writer.integer(row, ends[0], ends[1], solids.edgeFaces[edge + i] - face);
      next.pieces += writePieces(surface, edge + i, row + 1, next.pieces, writer);
    }
    for (let i = 0; i < counts[2]; i++)
      writeFace(surface, face + i, faceRow + SOLID_FACE_ROWS * i, place, writer, next);
  }
  return writer.integers;
}

function startsOf({ outline, pieceStarts, spokeStarts }: SolidSurface): Starts {
  const { solids, starts } = outline;
  const parts = solids.isPlain.length;
  const corners = 1 + SOLID_ROWS * parts;
  const edges = corners + starts[parts];
  const faces = edges + SOLID_EDGE_ROWS * solids.edgeStarts[parts];
  const polygons = faces + SOLID_FACE_ROWS * solids.faceStarts[parts];
  const points = polygons + solids.open.reduce((sum, of) => sum + of.length, 0);
  const pieces = points + solids.open.flat().reduce((sum, of) => sum + of.points.length / 3, 0);
  let several = 0;
  for (let edge = 0; edge + 1 < pieceStarts.length; edge++) {
    const count = pieceStarts[edge + 1] - pieceStarts[edge];
    if (count > 1) several += count;
  }
  const spokes = pieces + several;
  const waysOut = spokes + spokeStarts[spokeStarts.length - 1] + coneCount(spokeStarts);
  const end = waysOut + WAY_OUT_ROWS * (points - polygons);
  return { corners, edges, faces, polygons, points, pieces, spokes, waysOut, end };
}

/** The number of corners with a cone, which each have one more spoke in rows. */
function coneCount(spokeStarts: Uint32Array): number {
  let count = 0;
  for (let corner = 0; corner + 1 < spokeStarts.length; corner++)
    count += Number(spokeStarts[corner + 1] > spokeStarts[corner]);
  return count;
}

/** Takes points and directions from a compound's frame to a part's. */
interface Place {
  readonly part: number;
  /** The mean of the part's corners, in the compound's frame. */
  readonly mean: Float64Array;
  /** The middle of the part's shape, in the compound's frame. */
  readonly middle: Vec3;
  use(outline: SolidOutline, part: number): void;
  point(from: ArrayLike<number>, at: number): Vec3;
  direction(from: ArrayLike<number>, at: number): Vec3;
  /** The height of a plane of the compound, with the normal at `at`, about the part's middle and in its unit. */
  height(height: number, normal: ArrayLike<number>, at: number): number;
}

function createPlace(): Place {
  const rotation = new Float64Array(9);
  const position = vec3();
  const local = vec3();
  const inCompound = vec3();
  let part = 0;
  let middle: ArrayLike<number> = [0, 0, 0];
  let size = 1;
  const turn = (x: number, y: number, z: number): Vec3 => transformBack(rotation, set(x, y, z, local), local);
  const place: Place = {
    get part() {
      return part;
    },
    mean: new Float64Array(3),
    middle: inCompound,
    use({ positions: corners, starts, solids }, number) {
      const { shapes, positions, quaternions, scales } = solids.compound;
      part = number;
      const count = starts[part + 1] - starts[part];
      place.mean.fill(0);
      for (let i = 3 * starts[part]; i < 3 * starts[part + 1]; i++) place.mean[i % 3] += corners[i] / count;
      rotationMatrix(quaternions.subarray(4 * part, 4 * part + 4), rotation);
      set(positions[3 * part], positions[3 * part + 1], positions[3 * part + 2], position);
      middle = shapes[part].middle;
      size = scales[part];
      transform(rotation, set(middle[0] * size, middle[1] * size, middle[2] * size, inCompound), inCompound);
      addScaled(inCompound, position, 1, inCompound);
    },
    point(from, at) {
      const { x, y, z } = turn(from[at] - position.x, from[at + 1] - position.y, from[at + 2] - position.z);
      return set(x / size - middle[0], y / size - middle[1], z / size - middle[2], local);
    },
    direction: (from, at) => turn(from[at], from[at + 1], from[at + 2]),
    height(height, normal, at) {
      const own = normal[at] * position.x + normal[at + 1] * position.y + normal[at + 2] * position.z;
      const { x, y, z } = place.direction(normal, at);
      return (height - own) / size - (x * middle[0] + y * middle[1] + z * middle[2]);
    },
  };
  return place;
}

function writeCorner(
  surface: SolidSurface,
  corner: number,
  row: number,
  place: Place,
  to: RowWriter,
  next: Starts,
): void {
  const { outline, spokeStarts, spokes } = surface;
  const { x, y, z } = place.point(outline.positions, 3 * corner);
  to.number(row, x, y, z);
  const count = spokeStarts[corner + 1] - spokeStarts[corner];
  if (count === 0) return;
  to.integers[ROW * row + 3] = next.spokes;
  to.integers[ROW * next.spokes + 3] = count + 1;
  for (let i = spokeStarts[corner]; i < spokeStarts[corner + 1]; i++) {
    const spoke = place.direction(spokes, 3 * i);
    to.number(next.spokes++, spoke.x, spoke.y, spoke.z);
  }
  // Into the solid: without it, the cone of a vertex in a flat face has the normals of both sides.
  const inward = place.mean.map((mean, k) => mean - outline.positions[3 * corner + k]);
  const spoke = place.direction(inward, 0);
  scale(spoke, 1 / length(spoke), spoke);
  to.number(next.spokes++, spoke.x, spoke.y, spoke.z);
}

/** Writes an edge's piece, or in place of it where several are, which begin at `first`. Returns their number. */
export function writePieces(
  { pieceStarts, pieces }: Surface,
  edge: number,
  row: number,
  first: number,
  to: RowWriter,
): number {
  const count = pieceStarts[edge + 1] - pieceStarts[edge];
  const from = PIECE_SIZE * pieceStarts[edge];
  if (count === 1) {
    to.floats.set(pieces.subarray(from, from + PIECE_SIZE), ROW * row);
    return 0;
  }
  to.floats[ROW * row] = SEVERAL;
  to.integers[ROW * row + 1] = first;
  to.integers[ROW * row + 2] = count;
  to.floats.set(pieces.subarray(from, from + PIECE_SIZE * count), ROW * first);
  return count;
}

function writeFace(surface: SolidSurface, face: number, row: number, place: Place, to: RowWriter, next: Starts): void {
  const { normals, outline } = surface;
  const { heights, open } = outline.solids;
  const height = place.height(heights[face], normals, 3 * face);
  const { x, y, z } = place.direction(normals, 3 * face);
  to.number(row, x, y, z, height);
  to.integer(row + 1, next.polygons, open[face].length);
  for (const { points, isWhole, middle, radius } of open[face]) {
    const [nx, ny, nz] = normals.subarray(3 * face, 3 * face + 3);
    to.number(next.waysOut++, nx, ny, nz, heights[face]);
    to.number(next.waysOut++, middle[0], middle[1], middle[2], radius);
    to.integers[ROW * next.waysOut + 3] = next.polygons;
    to.number(next.waysOut++, place.middle.x, place.middle.y, place.middle.z);
    to.integer(next.polygons++, next.points, points.length / 3, Number(isWhole), place.part);
    for (let i = 0; i < points.length; i += 3) {
      const point = place.point(points, i);
      to.number(next.points++, point.x, point.y, point.z);
    }
  }
}
