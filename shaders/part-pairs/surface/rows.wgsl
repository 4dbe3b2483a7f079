// What the surface of a mesh accepts as normals, in rows of `geometry` after the mesh's triangles. Made by
// src/parts/surface/surface-rows.ts of what src/parts/surface/mesh-surface.ts bakes. Lengths are in the mesh's unit.
//
//   first row  the weld tolerance, and 1 if only the fronts of triangles are surface
//   triangle   five rows: its unit normal, zero if it is too thin to have one, and how far the ground is flat around
//              its centroid; its edges from corner 0 to 1, 1 to 2 and 2 to 0; and where the spokes of its corners are
//   edge       one piece; or -1, the row of the first of several pieces, and their number
//   piece      from and to which share of the edge it goes, the least and the greatest accepted angle
//              (src/parts/surface/edge-pieces.ts)
//   spokes     the row of the first spoke of each corner, and their numbers, ten bits each
//   spoke      a unit vector (src/parts/surface/vertex-cones.ts)
//
// Rows are counted from the first row.

import package::shared::geometry::{TRIANGLE_ROWS, geometryPlane, geometryRow, geometryVector};
import package::shared::shapes::{Shape};

// Rows of a triangle in the surface.
const SURFACE_ROWS: u32 = 5u;

// A triangle of a mesh. Lengths are in the pair's unit; the origin is the triangle's middle.
struct SurfaceTriangle {
  // Of the corners, and the factor from these to the pair's unit.
  cornerRow: u32,
  scale: f32,
  // The first row of the surface, and of the triangle.
  surfaceRow: u32,
  row: u32,
  normal: vec3f,
  flatReach: f32,
  weld: f32,
  isFront: bool,
}

// A piece of an edge, and the frame of the edge.
struct EdgePiece {
  // The edge's first corner.
  corner: vec3f,
  length: f32,
  // Unit vectors along the edge, and from the triangle across the edge.
  along: vec3f,
  across: vec3f,
  first: f32,
  last: f32,
  // A normal at the angle a is across * cos(a) + normal * sin(a).
  least: f32,
  greatest: f32,
}

// `mesh` is the record of a mesh whose surface was packed. `scale`: from the mesh's unit to the pair's.
fn surfaceTriangle(mesh: Shape, triangle: u32, scale: f32) -> SurfaceTriangle {
  let surfaceRow = mesh.firstRow + TRIANGLE_ROWS * mesh.vertexCount;
  let row = surfaceRow + 1u + SURFACE_ROWS * triangle;
  let face = geometryPlane(row);
  let first = geometryRow(surfaceRow);
  return SurfaceTriangle(
    mesh.firstRow + TRIANGLE_ROWS * triangle, scale, surfaceRow, row, face.xyz, face.w * scale,
    bitcast<f32>(first.x) * scale, first.y != 0u
  );
}

fn isThin(triangle: SurfaceTriangle) -> bool {
  return all(triangle.normal == vec3f(0.0));
}

fn cornerAt(triangle: SurfaceTriangle, corner: u32) -> vec3f {
  return geometryVector(triangle.cornerRow + corner % 3u) * triangle.scale;
}

fn pieceCount(triangle: SurfaceTriangle, edge: u32) -> u32 {
  let row = geometryRow(triangle.row + 1u + edge);
  return select(1u, row.z, bitcast<f32>(row.x) < 0.0);
}

fn edgePiece(triangle: SurfaceTriangle, edge: u32, number: u32) -> EdgePiece {
  var row = geometryRow(triangle.row + 1u + edge);
  if (bitcast<f32>(row.x) < 0.0) {
    row = geometryRow(triangle.surfaceRow + row.y + number);
  }
  let piece = bitcast<vec4f>(row);
  let corner = cornerAt(triangle, edge);
  let between = cornerAt(triangle, edge + 1u) - corner;
  let size = max(length(between), 1e-30);
  let along = between / size;
  return EdgePiece(corner, size, along, cross(along, triangle.normal), piece.x, piece.y, piece.z, piece.w);
}

// The row of a corner's first spoke, and how many it has.
fn spokesOf(triangle: SurfaceTriangle, corner: u32) -> vec2u {
  let row = geometryRow(triangle.row + 4u);
  return vec2u(triangle.surfaceRow + row[corner], (row.w >> (10u * corner)) & 1023u);
}

fn spokeAt(row: u32) -> vec3f {
  return geometryVector(row);
}
