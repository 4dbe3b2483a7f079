// What the surface of a mesh or a compound accepts as normals, in rows of `geometry` from `firstCellRow` of its shape
// on. Made by src/parts/surface/surface-rows.ts and solid-rows.ts of what is baked there. A part is a triangle of a
// mesh, or a solid of a compound. Lengths are in the part's unit, and directions in its axes.
//
//   first row  of a mesh the weld tolerance, and 1 if only the fronts of triangles are surface; of a compound in the
//              last two numbers the first row of its open polygons and their number
//   triangle   five rows: its unit normal, zero if it is too thin to have one, and how far the ground is flat around
//              its centroid; its edges from corner 0 to 1, 1 to 2 and 2 to 0; and where the spokes of its corners are:
//              the row of the first spoke of each corner, and their numbers, ten bits each
//   solid      two rows: of its corners, edges and faces the first row, counted from that of the solid, and their
//              number; its weld tolerance. Without corners, its contacts stay as they are
//   corner     of a solid: x, y, z about the solid's middle, the row of its first spoke, or 0
//   edge       of a triangle: one piece; or -1, the row of the first of several pieces, and their number. Of a solid,
//              the numbers of its corners and its face come before that, in a row of their own
//   face       of a solid, two rows: unit normal and height about the solid's middle; the first row of the open
//              polygons and their number
//   polygon    the first row of its points, their number, 1 if it is the whole face, and its part
//   point      x, y, z about the solid's middle
//   piece      from and to which share of the edge it goes, the least and the greatest accepted angle
//              (src/parts/surface/edge-pieces.ts)
//   spoke      a unit vector (src/parts/surface/vertex-cones.ts). Of a solid's corner, the first one has their number,
//              and the last one points into the solid
//   way out    of each open polygon, three rows in the compound's frame and unit: the face's normal and height; the
//              middle and the radius of a ball around the polygon; the middle of its part, and the polygon's row
//
// Other rows are counted from the first row.

import package::part-pairs::surface::led-pair::{HAS_SOLIDS};
import package::shared::geometry::{TRIANGLE_ROWS, geometryIndex, geometryPlane, geometryRow, geometryVector};
import package::shared::shapes::{Shape};

// Rows of a triangle, and of a solid, an edge and a face of one.
const SURFACE_ROWS: u32 = 5u;
const SOLID_ROWS: u32 = 2u;
const SOLID_EDGE_ROWS: u32 = 2u;
const SOLID_FACE_ROWS: u32 = 2u;
const WAY_OUT_ROWS: u32 = 3u;

// A triangle of a mesh, or a solid of a compound. Lengths are in the pair's unit; the origin is the part's middle.
struct SurfacePart {
  isSolid: bool,
  // Whether only the front of the triangle is surface.
  isFront: bool,
  // From rows to the pair's unit.
  scale: f32,
  weld: f32,
  surfaceRow: u32,
  row: u32,
  // Of a solid: where the quaternion and the scale of the compound's first part are, and the solid's number.
  placeRow: u32,
  number: u32,
  cornerRow: u32,
  cornerCount: u32,
  edgeRow: u32,
  edgeCount: u32,
  faceRow: u32,
  faceCount: u32,
}

// A piece of an edge, and the frame of the edge.
struct EdgePiece {
  // The edge's first corner.
  corner: vec3f,
  length: f32,
  // Unit vectors along the edge, from its face across the edge, and the face's normal.
  along: vec3f,
  across: vec3f,
  normal: vec3f,
  first: f32,
  last: f32,
  // A normal at the angle a is across * cos(a) + normal * sin(a).
  least: f32,
  greatest: f32,
}

// A convex polygon of a face: the row of its first point, how many it has, whether it is the whole face, and the number
// of its solid.
struct OpenPolygon {
  firstRow: u32,
  count: u32,
  isWhole: bool,
  part: u32,
}

// `body` is the record of a mesh or a compound whose surface was packed. `scale`: from the part's unit to the pair's.
fn surfacePart(body: Shape, part: u32, scale: f32) -> SurfacePart {
  let surfaceRow = body.firstCellRow;
  if (!HAS_SOLIDS || body.faceCount == 0u) {
    let first = geometryRow(surfaceRow);
    let row = surfaceRow + 1u + SURFACE_ROWS * part;
    return SurfacePart(
      false, first.y != 0u, scale, bitcast<f32>(first.x) * scale, surfaceRow, row, 0u, 0u,
      body.firstRow + TRIANGLE_ROWS * part, 3u, row + 1u, 3u, row, 1u
    );
  }
  let row = surfaceRow + 1u + SOLID_ROWS * part;
  let features = geometryRow(row);
  let faces = geometryRow(row + 1u);
  return SurfacePart(
    true, false, scale, bitcast<f32>(faces.z) * scale, surfaceRow, row, body.firstRow, part, row + features.x,
    features.y, row + features.z, features.w, row + faces.x, faces.y
  );
}

// Whether it is a triangle without a normal.
fn isThin(part: SurfacePart) -> bool {
  return !part.isSolid && all(geometryVector(part.faceRow) == vec3f(0.0));
}

// Whether it is a solid whose contacts stay as they are.
fn isPlain(part: SurfacePart) -> bool {
  return part.cornerCount == 0u;
}

fn cornerAt(part: SurfacePart, corner: u32) -> vec3f {
  return geometryVector(part.cornerRow + corner) * part.scale;
}

fn normalOfFace(part: SurfacePart, face: u32) -> vec3f {
  return geometryVector(part.faceRow + SOLID_FACE_ROWS * face);
}

// How high a solid's face is along its normal; how far the ground is flat around a triangle's centroid.
fn heightOfFace(part: SurfacePart, face: u32) -> f32 {
  return geometryPlane(part.faceRow + SOLID_FACE_ROWS * face).w * part.scale;
}

// The number of open polygons of a solid's face.
fn polygonCount(part: SurfacePart, face: u32) -> u32 {
  return geometryRow(part.faceRow + SOLID_FACE_ROWS * face + 1u).y;
}

fn openPolygon(part: SurfacePart, face: u32, number: u32) -> OpenPolygon {
  let first = geometryRow(part.faceRow + SOLID_FACE_ROWS * face + 1u).x;
  return polygonInRow(part, first + number);
}

fn polygonInRow(part: SurfacePart, number: u32) -> OpenPolygon {
  let row = geometryRow(part.surfaceRow + number);
  return OpenPolygon(part.surfaceRow + row.x, row.y, row.z != 0u, row.w);
}

// The numbers of the corners of an edge, and of its face.
fn endsOfEdge(part: SurfacePart, edge: u32) -> vec3u {
  if (part.isSolid) {
    return geometryRow(part.edgeRow + SOLID_EDGE_ROWS * edge).xyz;
  }
  return vec3u(edge, (edge + 1u) % 3u, 0u);
}

// The row of an edge with its piece, or where its pieces are.
fn pieceRow(part: SurfacePart, edge: u32) -> vec4u {
  return geometryRow(part.edgeRow + select(edge, SOLID_EDGE_ROWS * edge + 1u, part.isSolid));
}

fn pieceCount(part: SurfacePart, edge: u32) -> u32 {
  let row = pieceRow(part, edge);
  return select(1u, row.z, bitcast<f32>(row.x) < 0.0);
}

fn edgePiece(part: SurfacePart, edge: u32, number: u32) -> EdgePiece {
  var row = pieceRow(part, edge);
  if (bitcast<f32>(row.x) < 0.0) {
    row = geometryRow(part.surfaceRow + row.y + number);
  }
  let piece = bitcast<vec4f>(row);
  let ends = endsOfEdge(part, edge);
  let corner = cornerAt(part, ends.x);
  let between = cornerAt(part, ends.y) - corner;
  let size = max(length(between), 1e-30);
  let along = between / size;
  let normal = normalOfFace(part, ends.z);
  return EdgePiece(corner, size, along, cross(along, normal), normal, piece.x, piece.y, piece.z, piece.w);
}

// The row of a corner's first spoke, and how many it has.
fn spokesOf(part: SurfacePart, corner: u32) -> vec2u {
  if (part.isSolid) {
    let first = geometryIndex(part.cornerRow + corner);
    return vec2u(part.surfaceRow + first, select(0u, geometryIndex(part.surfaceRow + first), first > 0u));
  }
  let row = geometryRow(part.faceRow + 4u);
  return vec2u(part.surfaceRow + row[corner], (row.w >> (10u * corner)) & 1023u);
}

fn spokeAt(row: u32) -> vec3f {
  return geometryVector(row);
}

// A part of a compound in the compound's frame.
struct PlaceOfPart {
  quaternion: vec4f,
  scale: f32,
}

fn placeOfPart(part: SurfacePart, number: u32) -> PlaceOfPart {
  let row = part.placeRow + 2u * number;
  return PlaceOfPart(geometryPlane(row), geometryPlane(row + 1u).x);
}

fn wayOutCount(part: SurfacePart) -> u32 {
  return geometryRow(part.surfaceRow).w;
}

// Row `at` of a way out.
fn wayOutRow(part: SurfacePart, number: u32, at: u32) -> vec4u {
  return geometryRow(part.surfaceRow + geometryRow(part.surfaceRow).z + WAY_OUT_ROWS * number + at);
}
