/** The buffers of shapes with compounds and meshes, as kernels over pairs of parts read them. */
import { boxesOfShapes, ORIGIN } from '../../broad-phase/part-boxes.ts';
import { treeOfOnePart, type PartTree } from '../../bvh/part-tree.ts';
import { CORE_HALFSPACE, CORE_TRIANGLE, TRIANGLE_ROWS } from '../../generated/constants.ts';
import { layouts } from '../../generated/layouts.ts';
import type { Compound, Mesh } from '../../shapes/parts.ts';
import type { ShapeData } from '../../shapes/shape-data.ts';
import { createTriangle, setCorners } from '../../shapes/mesh-triangle.ts';
import { allocate } from '../../util/arrays.ts';
import { packNodes, wordsOf, type NodeSource, type PackedParts, type Words } from './pack-nodes.ts';
import { knownPartTree } from './part-trees.ts';

type Shapes = readonly (ShapeData | undefined)[];

const SHAPE_WORDS = layouts.Shape.size / 4;
/** Words of a row of `geometry`. */
const ROW = 4;
/** Rows of a part of a compound (shaders/shared/geometry.wgsl). */
const PLACE_ROWS = 2;

/**
 * `packShapes` makes the buffers for convex shapes. The trees of all others were built. `surfaceOf`: the rows of a surface, which follow
 * those of the triangles or parts; none if the parts of a compound do not touch.
 */
export function packParts(
  shapes: Shapes,
  packShapes: (shapes: Shapes) => { shapes: ArrayBuffer; geometry: ArrayBuffer },
  surfaceOf?: (parts: Mesh | Compound<ShapeData>) => Uint32Array<ArrayBuffer>,
): PackedParts {
  const rowsOf = (parts: Mesh | Compound<ShapeData>): number =>
    rowsOfParts(parts) + (surfaceOf?.(parts).length ?? 0) / ROW;
  const partShapes = shapes.flatMap((shape) => (shape?.parts?.type === 'compound' ? shape.parts.shapes : []));
  const packed = packShapes([...shapes, ...partShapes]);
  const records = wordsOf(packed.shapes);
  let row = packed.geometry.byteLength / (4 * ROW);
  const rows = wordsOf(enlarged(packed.geometry, 4 * ROW * sumOf(shapes, rowsOf)));
  let firstPart = shapes.length;
  shapes.forEach((shape, id) => {
    const { parts } = shape ?? {};
    if (!parts) return;
    const count = countOf(parts);
    const surface = surfaceOf?.(parts);
    const surfaceRow = surface && surface.length > 0 ? row + rowsOfParts(parts) : 0;
    writeRecord(records, id, { row, count, firstPart: parts.type === 'mesh' ? 0 : firstPart, surfaceRow });
    if (surfaceRow > 0) rows.integers.set(surface!, ROW * surfaceRow);
    if (parts.type === 'mesh') {
      writeTriangles(parts, rows, row);
    } else {
      writePlaces(parts, rows, row);
      moveMiddles(parts, records, firstPart);
      firstPart += count;
    }
    row += rowsOf(parts);
  });
  return { ...packed, geometry: rows.integers.buffer as ArrayBuffer, partNodes: packNodes(shapes, NODES) };
}

/** The buffer, with room for more bytes. */
function enlarged(buffer: ArrayBuffer, bytes: number): ArrayBuffer {
  const larger = allocate('packed geometry', Uint8Array, buffer.byteLength + bytes);
  larger.set(new Uint8Array(buffer));
  return larger.buffer as ArrayBuffer;
}

function countOf(parts: Mesh | Compound<ShapeData>): number {
  return parts.type === 'mesh' ? parts.indices.length / 3 : parts.shapes.length;
}

function rowsOfParts(parts: Mesh | Compound<ShapeData>): number {
  return countOf(parts) * (parts.type === 'mesh' ? TRIANGLE_ROWS : PLACE_ROWS);
}

function sumOf(shapes: Shapes, rowsOf: (parts: Mesh | Compound<ShapeData>) => number): number {
  return shapes.reduce((sum, shape) => sum + (shape?.parts ? rowsOf(shape.parts) : 0), 0);
}

/** What the record of a compound or a mesh has: `surfaceRow` is 0 without a surface. */
interface PartsRecord {
  row: number;
  count: number;
  firstPart: number;
  surfaceRow: number;
}

function writeRecord({ integers }: Words, id: number, { row, count, firstPart, surfaceRow }: PartsRecord): void {
  const { firstRow, vertexCount, faceCount, firstCellRow } = layouts.Shape.fields;
  const at = SHAPE_WORDS * id;
  integers[at + firstRow.offset / 4] = row;
  integers[at + vertexCount.offset / 4] = count;
  integers[at + faceCount.offset / 4] = firstPart;
  integers[at + firstCellRow.offset / 4] = surfaceRow;
}

/** First and second vertex of each edge of a triangle. */
const EDGES = [0, 1, 0, 2, 1, 2];
/** The number of vertices of each face of a triangle, and their numbers. */
const LOOPS = [3, 0, 1, 2, 3, 2, 1, 0];

function writeTriangles(mesh: Mesh, { integers, floats }: Words, row: number): void {
  const triangle = createTriangle();
  const count = countOf(mesh);
  for (let i = 0; i < count; i++) {
    const { coreVertices, middle } = setCorners(mesh, i, triangle);
    const corners = ROW * (row + TRIANGLE_ROWS * i);
    const edges = corners + 3 * ROW;
    const faces = edges + 3 * ROW;
    for (let corner = 0; corner < 3; corner++) {
      for (let k = 0; k < 3; k++) floats[corners + ROW * corner + k] = coreVertices[3 * corner + k];
      integers[corners + ROW * corner + 3] = corner;
      integers[edges + ROW * corner] = EDGES[2 * corner];
      integers[edges + ROW * corner + 1] = EDGES[2 * corner + 1];
    }
    floats[edges + 2] = middle[0];
    floats[edges + 3] = middle[1];
    floats[edges + ROW + 2] = middle[2];
    integers[edges + ROW + 3] = writeFaces(coreVertices, floats, faces) ? 2 : 0;
    integers[faces + ROW + 3] = 4;
    integers.set(LOOPS, faces + 2 * ROW);
  }
}

/** Writes the normals of both faces. Returns false if the triangle has no area. */
function writeFaces(corners: ArrayLike<number>, floats: Float32Array, at: number): boolean {
  const [ux, uy, uz] = [0, 1, 2].map((k) => corners[3 + k] - corners[k]);
  const [vx, vy, vz] = [0, 1, 2].map((k) => corners[6 + k] - corners[k]);
  const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
  const size = Math.hypot(...normal);
  if (!(size > 0)) return false;
  for (let k = 0; k < 3; k++) {
    floats[at + k] = normal[k] / size;
    floats[at + ROW + k] = -normal[k] / size;
  }
  return true;
}

function writePlaces({ shapes, quaternions, scales }: Compound<ShapeData>, { floats }: Words, row: number): void {
  for (let part = 0, at = ROW * row; part < shapes.length; part++, at += PLACE_ROWS * ROW) {
    for (let k = 0; k < 4; k++) floats[at + k] = quaternions[4 * part + k];
    floats[at + ROW] = scales[part];
  }
}

/** Adds the place of each part to the middle in its record, which is in the part's axes and at its scale, and to its reach. */
function moveMiddles(parts: Compound<ShapeData>, { floats }: Words, firstPart: number): void {
  const { positions, quaternions, scales } = parts;
  for (let part = 0; part < scales.length; part++) {
    const [x, y, z] = positions.subarray(3 * part, 3 * part + 3);
    const [qx, qy, qz, qw] = quaternions.subarray(4 * part, 4 * part + 4);
    // By the inverse rotation: v + w t + u x t, with u = -q.xyz and t = 2 u x v.
    const tx = 2 * (qz * y - qy * z);
    const ty = 2 * (qx * z - qz * x);
    const tz = 2 * (qy * x - qx * y);
    const turned = [
      x + qw * tx + (qz * ty - qy * tz),
      y + qw * ty + (qx * tz - qz * tx),
      z + qw * tz + (qy * tx - qx * ty),
    ];
    const at = SHAPE_WORDS * (firstPart + part) + layouts.Shape.fields.middle.offset / 4;
    const { middle, boundingRadius } = parts.shapes[part];
    for (let k = 0; k < 3; k++) floats[at + k] = middle[k] + turned[k] / scales[part];
    floats[SHAPE_WORDS * (firstPart + part) + layouts.Shape.fields.boundingRadius.offset / 4] =
      boundingRadius + (Math.hypot(x, y, z) / scales[part]) * (1 + 2 ** -20);
  }
}

const ofConvex = new WeakMap<ShapeData, PartTree>();

const NODES: NodeSource<ShapeData> = {
  halfspaceOf: ({ kind, halfExtents, radius }) =>
    kind === CORE_HALFSPACE ? [...halfExtents, radius, 0, 0] : undefined,
  treeOf(shape) {
    if (shape.parts) return knownPartTree(shape)!;
    const tree = ofConvex.get(shape) ?? treeOfOnePart(boxesOfShapes([shape], ORIGIN));
    ofConvex.set(shape, tree);
    return tree;
  },
  kindOf({ parts }, part) {
    return parts!.type === 'mesh' ? CORE_TRIANGLE : parts!.shapes[part].kind;
  },
};
