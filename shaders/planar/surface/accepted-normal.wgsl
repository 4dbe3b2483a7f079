// Whether a unit vector, which points from a part of a 2-D surface to a body that touches it, is a normal of the
// surface at the point of contact. src/parts/planar/accepted-normal.ts does the same in double precision.

import package::planar::surface::rows::{
  PlanarFace, PlanarPart, coneRow, facePiece, partCorner, partFace, PLANAR_CONE_ROWS
};
import package::shared::geometry::{geometryPlane, geometryRow};
import package::shared::math::{EPSILON};

// The error of contacts' normals, in radians, and by how many times it a normal may be outside of the accepted ones.
const PLANAR_NORMAL_ERROR: f32 = 2e-5;
const PLANAR_ACCEPT_SLACK: f32 = 5.0;

// By how much a normal of the front of a segment may point behind it, as a sine.
const PLANAR_FRONT_SLACK: f32 = 1e-3;

// A point this many ULPS of the pair's unit outside of a piece is on it.
const PLANAR_PIECE_ULPS: f32 = 32.0;

const NO_FACE: u32 = 0xffffffffu;

fn isBehindSegment(part: PlanarPart, m: vec2f) -> bool {
  return part.surface.isFront && dot(partFace(part, 0u).normal, m) < -PLANAR_FRONT_SLACK;
}

// The face whose normal m is, within an angle; NO_FACE if there is none.
fn faceAlong(part: PlanarPart, m: vec2f, angle: f32) -> u32 {
  for (var i = 0u; i < part.count; i++) {
    if (isNormalOf(partFace(part, i), m, angle)) {
      return i;
    }
  }
  return NO_FACE;
}

fn isNormalOf(face: PlanarFace, m: vec2f, angle: f32) -> bool {
  return dot(face.normal, m) > 0.0 && abs(dot(face.along, m)) <= angle;
}

fn isAcceptedNormal(part: PlanarPart, m: vec2f, point: vec2f) -> bool {
  if (isBehindSegment(part, m)) {
    return false;
  }
  let slack = PLANAR_ACCEPT_SLACK * PLANAR_NORMAL_ERROR;
  let number = faceAlong(part, m, slack);
  if (number == NO_FACE) {
    return isInCone(coneRow(part, highestCorner(part, m)), m, slack);
  }
  let face = partFace(part, number);
  let place = dot(point - face.start, face.along);
  let near = 2.0 * part.surface.touch * part.scale + PLANAR_PIECE_ULPS * EPSILON;
  for (var i = 0u; i < face.pieceCount; i++) {
    let piece = facePiece(part, face, i);
    if (place >= piece.x - near && place <= piece.y + near) {
      return true;
    }
  }
  return false;
}

// The corner with which a part touches along a normal.
fn highestCorner(part: PlanarPart, m: vec2f) -> u32 {
  var highest = 0u;
  let origin = partCorner(part, 0u);
  var most = 0.0;
  for (var i = 1u; i < part.count; i++) {
    let height = dot(partCorner(part, i) - origin, m);
    if (height > most) {
      most = height;
      highest = i;
    }
  }
  return highest;
}

fn isInCone(row: u32, m: vec2f, slack: f32) -> bool {
  let counts = geometryRow(row + 1u);
  for (var i = 0u; i < counts.x; i++) {
    if (dot(geometryPlane(row + PLANAR_CONE_ROWS + i).xy, m) > slack) {
      return false;
    }
  }
  return counts.y == 0u;
}

// An accepted normal, exact if it is a face's up to its error, or outside of the accepted ones. Otherwise a body that
// slides over flat ground would approach it.
fn madeExactNormal(part: PlanarPart, m: vec2f) -> vec2f {
  let number = faceAlong(part, m, PLANAR_ACCEPT_SLACK * PLANAR_NORMAL_ERROR);
  if (number == NO_FACE) {
    return m;
  }
  let face = partFace(part, number);
  let isNear = isNormalOf(face, m, PLANAR_NORMAL_ERROR);
  if (!isNear && isInCone(coneRow(part, highestCorner(part, m)), m, 0.0)) {
    return m;
  }
  return face.normal;
}

fn isOfPlanarFace(part: PlanarPart, m: vec2f) -> bool {
  var isOne = false;
  for (var i = 0u; i < part.count; i++) {
    let n = partFace(part, i).normal;
    isOne |= all(n == m) || all(-n == m);
  }
  return isOne;
}
