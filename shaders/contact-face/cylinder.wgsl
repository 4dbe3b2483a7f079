// Contact faces of cylinders: a cap, as the octagon of eight points of its rim that are fixed in the body, or the line
// on the side that faces along the direction.

import package::shared::shapes::{Core};
import package::contact-face::face::{ContactFace};

// Numbers of the vertices of cylinders and cones:
//
//    0 to 7, 8 to 15    around the caps at +y and -y
//    16, 17             ends of the line on the side: the farthest points of the rims if the side is the contact face
//    18, 19             farthest points of the rims if a cap is the contact face
const SIDE_LINE: u32 = 16u;
const RIM_PEAK: u32 = 18u;

fn cylinderFace(core: Core, radius: f32, direction: vec3f) -> ContactFace {
  let half = core.halfExtents;
  let radial = radialOf(direction);
  let isUp = direction.y >= 0.0;
  let height = select(-half.y, half.y, isUp);
  var face: ContactFace;
  if (abs(direction.y) >= length(direction.xz)) {
    face.count = 8u;
    face.normal = vec3f(0.0, select(-1.0, 1.0, isUp), 0.0);
    face.origin = vec3f(0.0, height, 0.0) + face.normal * radius;
    // Their order makes the octagon counter-clockwise from outside.
    face.columns[0] = half.x * select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 0.0, 1.0), isUp);
    face.columns[1] = face.columns[0].zyx;
    face.number = select(8u, 0u, isUp);
  } else {
    face.count = 2u;
    face.normal = radial;
    face.origin = radial * (half.x + radius);
    face.columns[0] = vec3f(0.0, half.y, 0.0);
    face.ends = vec2u(SIDE_LINE, SIDE_LINE + 1u);
    face.bend = half.x + radius;
    face.isRound = true;
    face.slant = vec2f(1.0, 0.0);
  }
  face.hasPeak = true;
  face.peak = radial * half.x + vec3f(0.0, height, 0.0) + direction * radius;
  // An end of the line is the farthest point of the rim there.
  face.peakNumber = select(RIM_PEAK + select(1u, 0u, isUp), SIDE_LINE + select(0u, 1u, isUp), face.count == 2u);
  return face;
}

// The unit vector away from the y axis.
fn radialOf(direction: vec3f) -> vec3f {
  let size = length(direction.xz);
  return select(vec3f(1.0, 0.0, 0.0), vec3f(direction.x, 0.0, direction.z) / max(size, 1e-30), size > 1e-20);
}
