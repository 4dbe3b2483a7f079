// Contact faces of cones: the base, as the octagon of eight points of its rim that are fixed in the body, or the line
// on the side from the rim to the apex.

import package::shared::shapes::{Core};
import package::contact-face::cylinder::{RIM_PEAK, SIDE_LINE, radialOf};
import package::contact-face::face::{ContactFace};

fn coneFace(core: Core, radius: f32, direction: vec3f) -> ContactFace {
  let half = core.halfExtents;
  let radial = radialOf(direction);
  // The side's normal: along the radius, and along y.
  let slant = normalize(vec3f(2.0 * half.y, half.x, 0.0) + vec3f(1e-30, 0.0, 0.0));
  let flank = vec3f(radial.x * slant.x, slant.y, radial.z * slant.x);
  let rim = radial * half.x - vec3f(0.0, half.y, 0.0);
  let apex = vec3f(0.0, half.y, 0.0);
  var face: ContactFace;
  if (-direction.y >= dot(direction, flank)) {
    face.count = 8u;
    face.normal = vec3f(0.0, -1.0, 0.0);
    face.origin = vec3f(0.0, -half.y - radius, 0.0);
    face.columns[0] = vec3f(half.x, 0.0, 0.0);
    face.columns[1] = vec3f(0.0, 0.0, half.x);
    face.number = 8u;
  } else {
    face.count = 2u;
    face.normal = flank;
    face.origin = 0.5 * (rim + apex) + flank * radius;
    face.columns[0] = 0.5 * (apex - rim);
    face.ends = vec2u(SIDE_LINE, SIDE_LINE + 1u);
    face.middle = face.origin;
    face.bend = 0.5 * half.x;
    face.isRound = true;
    face.slant = slant.xy;
  }
  let isApex = dot(direction, apex - rim) >= 0.0;
  face.hasPeak = true;
  face.peak = select(rim, apex, isApex) + direction * radius;
  face.peakNumber = select(RIM_PEAK, SIDE_LINE + select(0u, 1u, isApex), face.count == 2u);
  return face;
}
