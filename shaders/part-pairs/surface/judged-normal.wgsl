// What a surface makes of the normal of an impact with one of its parts: it accepts it, or a face's takes its place.
// src/parts/surface/impact-normal.ts does the same in double precision.

import package::part-pairs::surface::accepted-normal::{isAccepted, isBehindFront, madeExact};
import package::part-pairs::surface::convex-part::{lowestOfB};
import package::part-pairs::surface::proposals::{NORMAL_ERROR};
import package::part-pairs::surface::rows::{
  SurfacePart, cornerAt, heightOfFace, isPlain, isThin, normalOfFace, polygonCount
};
import package::queries::impacts::times::{NEVER};
import package::shared::pair::{Pair};

// In the frame and the unit of a pair that has the part of the surface as body A.
struct JudgedNormal {
  normal: vec3f,
  // Whether it is exactly that of a face.
  isOfFace: bool,
  // Whether the surface did not accept the given one. If the part has an open face, it is then that of a face, and the
  // other part reaches behind that by this much.
  isReplaced: bool,
  below: f32,
  // The number of that face, or of the side of a triangle, from 1 on; otherwise 0.
  face: u32,
  // Whether only the front of the triangle is surface, and more of the other part is behind it.
  isBehind: bool,
}

// `hasNormal`: whether there is one to judge. If not, it is replaced.
fn judgedNormal(part: SurfacePart, pair: Pair, given: vec3f, point: vec3f, hasNormal: bool) -> JudgedNormal {
  var to = JudgedNormal(given, false, false, 0.0, 0u, false);
  if (isThin(part) || isPlain(part)) {
    return to;
  }
  to.isReplaced = !(hasNormal && !isBehindFront(part, given) && isAccepted(part, given, point, NORMAL_ERROR));
  if (!to.isReplaced) {
    to.normal = madeExact(part, NORMAL_ERROR, given);
  }
  to.below = select(0.0, NEVER, to.isReplaced);
  // The face whose normal it is, or that with least of the other part behind it: both sides of a triangle, or the open
  // faces of a solid. One loop, as compilers inline every call.
  for (var i = 0u; i < select(2u, part.faceCount, part.isSolid); i++) {
    var normal = normalOfFace(part, select(0u, i, part.isSolid));
    var height = 0.0;
    if (part.isSolid) {
      height = heightOfFace(part, i);
    } else {
      normal = select(normal, -normal, i == 1u);
      height = dot(cornerAt(part, 0u), normal);
    }
    if (!to.isReplaced && all(normal == to.normal)) {
      to.isOfFace = true;
      to.face = i + 1u;
    }
    if (!to.isReplaced || (part.isSolid && polygonCount(part, i) == 0u)) {
      continue;
    }
    let below = height - dot(lowestOfB(pair, normal), normal);
    if (part.isFront && i == 1u) {
      to.isBehind = below < to.below;
    } else if (below < to.below) {
      to.normal = normal;
      to.isOfFace = true;
      to.below = below;
      to.face = i + 1u;
    }
  }
  return to;
}
