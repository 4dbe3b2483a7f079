// The surface of a chain, or of the sharp parts of a compound, as kernels read it: rows of `geometry`, from the
// surface's first row on (src/parts/planar/planar-rows.ts). Places are about the middle of their part, or for ways out
// about the body's origin, in the body's unit. Numbers of rows count from the surface's first row.
//
//   surface     how near a point a part is that touches it, 1 if only the right side of segments is surface, 1 for a
//               chain, number of ways out
//               weld tolerance, row of the first way out, 0, 0
//   part        row of the corners minus this row, how many it has, row of the faces minus this row, 0; a part without
//               corners has no surface
//   corner      x, y, 0, row of its cone
//   face        outward unit normal x, y, length, height along the normal; from each corner to the next one,
//               counter-clockwise; a segment has two, there and back
//               row of the first piece, number of pieces, and from where to where along the face the ground is flat
//   piece       where along the face a stretch begins and ends that no other part covers, 0, 0
//   cone        the arc of accepted normals at a corner: from one unit vector x, y counter-clockwise to another; zero
//               if there is none
//               number of directions, 1 if the corner is inside of another part, 0, 0
//   direction   unit vector x, y into a part that touches the corner, 0, 0
//   way out     normal x, y, height, 0
//               both ends x, y of a piece of an open face

import package::planar::math::{leftOf};
import package::shared::geometry::{geometryPlane, geometryRow};

const PLANAR_SURFACE_ROWS: u32 = 2u;
const PLANAR_FACE_ROWS: u32 = 2u;
const PLANAR_CONE_ROWS: u32 = 2u;
const PLANAR_WAY_ROWS: u32 = 2u;

struct PlanarSurface {
  // 0 for a body without a surface.
  row: u32,
  isFront: bool,
  isChain: bool,
  wayCount: u32,
  // In the body's unit.
  touch: f32,
  weld: f32,
  firstWay: u32,
}

// A part of a surface. Lengths are in the pair's unit.
struct PlanarPart {
  surface: PlanarSurface,
  // From the body's unit to the pair's.
  scale: f32,
  // Its own row, and those of its corners and faces.
  row: u32,
  cornerRow: u32,
  faceRow: u32,
  // Of corners and of faces.
  count: u32,
}

// A face, seen along its normal. Places along it count from its first corner, to the left of its normal.
struct PlanarFace {
  start: vec2f,
  normal: vec2f,
  along: vec2f,
  length: f32,
  height: f32,
  firstPiece: u32,
  pieceCount: u32,
  flatLeast: f32,
  flatMost: f32,
}

fn planarSurface(row: u32) -> PlanarSurface {
  if (row == 0u) {
    return PlanarSurface(0u, false, false, 0u, 0.0, 0.0, 0u);
  }
  let first = geometryRow(row);
  let second = geometryRow(row + 1u);
  return PlanarSurface(
    row, first.y != 0u, first.z != 0u, first.w, bitcast<f32>(first.x), bitcast<f32>(second.x), row + second.y
  );
}

fn planarPart(surface: PlanarSurface, number: u32, scale: f32) -> PlanarPart {
  let row = surface.row + PLANAR_SURFACE_ROWS + number;
  let features = geometryRow(row);
  return PlanarPart(surface, scale, row, row + features.x, row + features.z, features.y);
}

// Whether its contacts stay as they are.
fn isPlainPart(part: PlanarPart) -> bool {
  return part.count == 0u;
}

fn isSegment(part: PlanarPart) -> bool {
  return part.count == 2u;
}

fn partCorner(part: PlanarPart, number: u32) -> vec2f {
  return geometryPlane(part.cornerRow + number).xy * part.scale;
}

fn coneRow(part: PlanarPart, corner: u32) -> u32 {
  return part.surface.row + geometryRow(part.cornerRow + corner).w;
}

fn partFace(part: PlanarPart, number: u32) -> PlanarFace {
  let row = part.faceRow + PLANAR_FACE_ROWS * number;
  let plane = geometryPlane(row);
  let rest = geometryRow(row + 1u);
  let flat = bitcast<vec2f>(rest.zw) * part.scale;
  return PlanarFace(
    partCorner(part, number), plane.xy, leftOf(plane.xy), plane.z * part.scale, plane.w * part.scale,
    part.surface.row + rest.x, rest.y, flat.x, flat.y
  );
}

// Where along its face a piece begins and ends.
fn facePiece(part: PlanarPart, face: PlanarFace, number: u32) -> vec2f {
  return geometryPlane(face.firstPiece + number).xy * part.scale;
}
