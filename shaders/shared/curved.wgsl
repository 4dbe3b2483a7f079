// Supports of cylinders, cones and ellipsoids. Searches identify points by numbers, so the points of a curved core get
// numbers too. A number has 32 bits, so fine that f32 can't tell the core from the hull of the numbered points.
//
//   cylinder   bit 31: the upper rim; the others: where on the circle
//   cone       bit 31: the apex; else where on the rim
//   ellipsoid  the point of the unit ball that it is the image of, by its place on the octahedron: column and row of 16
//              bits each (Meyer et al., "On Floating-Point Normal Vectors", 2010)
//
// An ellipsoid is the Minkowski sum of a smaller core and a ball of its least radius of curvature. The core is convex
// too (Schneider, "Convex Bodies: The Brunn-Minkowski Theory", 2014, section 3.2: a ball slides freely in it), and the
// ball is its rounding. So depths up to the ball's radius are distances of cores, and a nearly round ellipsoid is a
// small core in a large ball.
//
// The place on a circle is the quarter and the fraction of it, measured along the square |x| + |z| = 1. Neither
// direction of the conversion needs a sine: WGSL's are off by up to 2^-11. The first 16 bits alone give a nearby point.

import package::shared::shapes::{Core, CORE_CYLINDER, CORE_CONE};

const OTHER_END: u32 = 0x80000000u;
const QUARTER: f32 = 536870912.0;
const QUARTER_BITS: u32 = 29u;
const OCTAHEDRON_STEPS: f32 = 65535.0;

// The number of the core's point farthest along `direction`.
fn curvedSupport(core: Core, direction: vec3f) -> u32 {
  if (core.kind == CORE_CYLINDER) {
    return circleNumber(direction.xz) | select(0u, OTHER_END, direction.y >= 0.0);
  }
  if (core.kind == CORE_CONE) {
    let isApex = 2.0 * core.halfExtents.y * direction.y >= core.halfExtents.x * length(direction.xz);
    return select(circleNumber(direction.xz), OTHER_END, isApex);
  }
  return ballNumber(direction * core.halfExtents);
}

// Position of a point, given by its number, in the body's frame.
fn curvedPoint(core: Core, number: u32) -> vec3f {
  let isOther = number >= OTHER_END;
  if (core.kind == CORE_CYLINDER) {
    let at = circlePoint(number & ~OTHER_END) * core.halfExtents.x;
    return vec3f(at.x, select(-core.halfExtents.y, core.halfExtents.y, isOther), at.y);
  }
  if (core.kind == CORE_CONE) {
    let at = circlePoint(number & ~OTHER_END) * core.halfExtents.x;
    return select(vec3f(at.x, -core.halfExtents.y, at.y), vec3f(0.0, core.halfExtents.y, 0.0), isOther);
  }
  return ellipsoidPoint(core.halfExtents, ballPoint(number));
}

// The least radius of curvature of an ellipsoid with these half axes.
fn ellipsoidBall(halfExtents: vec3f) -> f32 {
  let least = min(halfExtents.x, min(halfExtents.y, halfExtents.z));
  return least * least / max(max(halfExtents.x, max(halfExtents.y, halfExtents.z)), 1e-30);
}

// The core's point for a point of the unit ball: its image on the ellipsoid, moved inwards along the normal.
fn ellipsoidPoint(halfExtents: vec3f, onBall: vec3f) -> vec3f {
  let least = min(halfExtents.x, min(halfExtents.y, halfExtents.z));
  let outward = onBall * (least / max(halfExtents, vec3f(1e-30)));
  return onBall * halfExtents - outward * (ellipsoidBall(halfExtents) / max(length(outward), 1e-30));
}

fn circleNumber(at: vec2f) -> u32 {
  let size = abs(at.x) + abs(at.y);
  let isEven = (at.x >= 0.0) == (at.y >= 0.0);
  let share = select(abs(at.x), abs(at.y), isEven) / max(size, 1e-30);
  let quarter = select(select(3u, 2u, at.x < 0.0), select(1u, 0u, at.x >= 0.0), at.y >= 0.0);
  return (quarter << QUARTER_BITS) | min(u32(share * QUARTER), (1u << QUARTER_BITS) - 1u);
}

fn circlePoint(number: u32) -> vec2f {
  let share = f32(number & ((1u << QUARTER_BITS) - 1u)) / QUARTER;
  let at = normalize(vec2f(1.0 - share, share));
  let quarter = number >> QUARTER_BITS;
  let turned = select(at, vec2f(-at.y, at.x), (quarter & 1u) == 1u);
  return select(turned, -turned, quarter >= 2u);
}

fn ballNumber(at: vec3f) -> u32 {
  let size = max(abs(at.x) + abs(at.y) + abs(at.z), 1e-30);
  let folded = foldOver(at.xy / size, at.z < 0.0);
  let place = min(vec2u(round((folded * 0.5 + 0.5) * OCTAHEDRON_STEPS)), vec2u(u32(OCTAHEDRON_STEPS)));
  let coarse = place >> vec2u(8u);
  let fine = place & vec2u(255u);
  return (coarse.x << 24u) | (coarse.y << 16u) | (fine.x << 8u) | fine.y;
}

fn ballPoint(number: u32) -> vec3f {
  let bytes = (vec4u(number) >> vec4u(24u, 16u, 8u, 0u)) & vec4u(255u);
  let place = vec2f(bytes.xy * 256u + bytes.zw) / OCTAHEDRON_STEPS * 2.0 - 1.0;
  let z = 1.0 - abs(place.x) - abs(place.y);
  return normalize(vec3f(foldOver(place, z < 0.0), z));
}

// Mirrors a triangle of the octahedron's lower half at the edge of the upper half, and back.
fn foldOver(at: vec2f, isLower: bool) -> vec2f {
  let other = (1.0 - abs(at.yx)) * select(vec2f(-1.0), vec2f(1.0), at >= vec2f(0.0));
  return select(at, other, isLower);
}
