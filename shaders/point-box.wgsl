// The point of a box nearest to a point, by the 27 Voronoi regions of the box: Ericson, Real-Time Collision Detection
// (2005), 5.1.3.
//
// Each axis by itself tells on which side of the box the point is, or between: what is left after clamping has exact
// zeros along the axes between, so that the direction is exact for a face, lies across an edge, and has a corner's
// signs, however near the point is. A point inside leaves by the nearest face.

import package::shared::constants::{LEAST_LENGTH};

struct BoxPoint {
  // Unit vector out of the box, towards a point outside.
  normal: vec3f,
  // Signed: negative inside.
  distance: f32,
  // On the surface.
  position: vec3f,
}

fn nearestOnBox(size: vec3f, p: vec3f) -> BoxPoint {
  let inside = clamp(p, -size, size);
  let between = p - inside;
  let longest = max(abs(between.x), max(abs(between.y), abs(between.z)));
  if (longest > LEAST_LENGTH) {
    let distance = length(between);
    return BoxPoint(between / distance, distance, inside);
  }
  let depths = size - abs(p);
  let sides = select(vec3f(-1.0), vec3f(1.0), p >= vec3f(0.0));
  var nearest = BoxPoint(vec3f(sides.x, 0.0, 0.0), -depths.x, vec3f(sides.x * size.x, inside.yz));
  if (depths.y < -nearest.distance) {
    nearest = BoxPoint(vec3f(0.0, sides.y, 0.0), -depths.y, vec3f(inside.x, sides.y * size.y, inside.z));
  }
  if (depths.z < -nearest.distance) {
    nearest = BoxPoint(vec3f(0.0, 0.0, sides.z), -depths.z, vec3f(inside.xy, sides.z * size.z));
  }
  return nearest;
}
