// What a 2-D surface makes of the normal of an impact with one of its parts: it accepts it, or a face's takes its
// place.
// src/parts/planar/planar-rule.ts does the same in double precision.

import package::planar::pair::{PlanarPair};
import package::planar::surface::accepted-normal::{
  faceAlong, isAcceptedNormal, isOfPlanarFace, madeExactNormal, PLANAR_NORMAL_ERROR
};
import package::planar::surface::exits::{farthestOfB};
import package::planar::surface::rows::{PlanarPart, isPlainPart, isSegment, partFace};
import package::queries::impacts::times::{NEVER};

// In the frame and the unit of a pair that has the part of the surface as body A.
struct JudgedNormal {
  normal: vec2f,
  // Whether it is exactly that of a face.
  isOfFace: bool,
  // Whether the surface did not accept the given one. If the part has an open face, it is then that of a face, and the
  // other part reaches behind that by this much.
  isReplaced: bool,
  below: f32,
  // The number of that face, from 1 on; otherwise 0.
  face: u32,
  // Whether only the front of the segment is surface, and more of the other part is behind it.
  isBehind: bool,
}

fn judgedNormal(part: PlanarPart, pair: PlanarPair, given: vec2f, point: vec2f) -> JudgedNormal {
  var to = JudgedNormal(given, false, false, 0.0, 0u, false);
  if (isPlainPart(part)) {
    return to;
  }
  if (hasOpenFace(part) && isAcceptedNormal(part, given, point)) {
    to.normal = madeExactNormal(part, given);
    to.isOfFace = isOfPlanarFace(part, to.normal);
    to.face = select(0u, faceAlong(part, to.normal, PLANAR_NORMAL_ERROR) + 1u, to.isOfFace);
    return to;
  }
  to.isReplaced = true;
  // The face with least of the other part behind it.
  to.below = NEVER;
  for (var i = 0u; i < part.count; i++) {
    let face = partFace(part, i);
    let below = face.height + dot(farthestOfB(pair, -face.normal), -face.normal);
    if (i == 1u && isSegment(part) && part.surface.isFront) {
      to.isBehind = below < to.below;
    } else if (face.pieceCount > 0u && below < to.below) {
      to.normal = face.normal;
      to.isOfFace = true;
      to.below = below;
      to.face = i + 1u;
    }
  }
  return to;
}

fn hasOpenFace(part: PlanarPart) -> bool {
  for (var i = 0u; i < part.count; i++) {
    if (partFace(part, i).pieceCount > 0u) {
      return true;
    }
  }
  return false;
}
