// A triangle in its plane. The frame is that of triangle.wgsl, with its axis along the longest side, so that the
// corners lie in the frame's plane to rounding, however thin the triangle is.

import package::shared::constants::{SLIVER_ULPS};
import package::shared::math::{EPSILON, perpendicular};
import package::shared::triangle::{Triangle};
import package::triangle::{TriangleFrame, triangleFrame};

// In the frame the corners are (0, 0), (base, 0) and (along, height).
struct Outline {
  // The corner at which the longest side begins.
  origin: vec3f,
  // A triangle without an inside has height 0 and the plane of its longest side and the other triangle.
  frame: TriangleFrame,
}

fn outlineOf(t: Triangle, other: Triangle) -> Outline {
  let sides = vec3f(distance(t.a, t.b), distance(t.b, t.c), distance(t.c, t.a));
  var turned = t;
  if (sides.y >= max(sides.x, sides.z)) {
    turned = Triangle(t.b, t.c, t.a);
  } else if (sides.z > sides.x) {
    turned = Triangle(t.c, t.a, t.b);
  }
  var outline = Outline(turned.a, triangleFrame(turned.a, turned.b, turned.c));
  if (outline.frame.hasInside) {
    return outline;
  }
  let farthest = farthestAcross(turned.a, vec3f(0.0), other);
  let reach = length(farthest);
  if (outline.frame.base == 0.0) {
    outline.frame.u = select(vec3f(1.0, 0.0, 0.0), farthest / max(reach, 1e-30), reach > 0.0);
  }
  // A vector across the axis that is no longer than its rounding has no direction.
  let u = outline.frame.u;
  let across = farthestAcross(turned.a, u, other);
  let size = length(across);
  if (size > SLIVER_ULPS * EPSILON * reach) {
    outline.frame.v = across / size;
  } else {
    outline.frame.v = perpendicular(u);
  }
  outline.frame.normal = cross(u, outline.frame.v);
  outline.frame.height = 0.0;
  return outline;
}

// The part across u of the vector from a point to that corner where it is longest.
fn farthestAcross(origin: vec3f, u: vec3f, other: Triangle) -> vec3f {
  let toA = across(other.a - origin, u);
  let toB = across(other.b - origin, u);
  let toC = across(other.c - origin, u);
  let sizes = vec3f(dot(toA, toA), dot(toB, toB), dot(toC, toC));
  if (sizes.x >= max(sizes.y, sizes.z)) {
    return toA;
  }
  return select(toC, toB, sizes.y >= sizes.z);
}

// Twice, for what rounding leaves along u.
fn across(v: vec3f, u: vec3f) -> vec3f {
  let once = v - u * dot(v, u);
  return once - u * dot(once, u);
}

// The coordinates of a point in the frame, and the point with given coordinates in the plane.
fn placeIn(outline: Outline, point: vec3f) -> vec3f {
  let v = point - outline.origin;
  return vec3f(dot(outline.frame.u, v), dot(outline.frame.v, v), dot(outline.frame.normal, v));
}

fn pointAt(outline: Outline, place: vec2f) -> vec3f {
  return outline.origin + outline.frame.u * place.x + outline.frame.v * place.y;
}
