// Where the bounding spheres of two bodies in straight motion meet and part: before and after, the bodies are apart.
// Looking for their impact from there on keeps numbers as small as the bodies, however long the way is.

import package::shared::math::{EPSILON};

// The radii are taken this much larger, and by as much of the distance: what rounding may do to the line.
const APPROACH_SLACK_ULPS: f32 = 16.0;

struct Approach {
  // Whether they meet anywhere on the line.
  isNear: bool,
  // How far B has gone when they meet and when they part; negative: before it started.
  entry: f32,
  exit: f32,
}

// `offset` is B's position minus A's, `direction` the unit vector that B moves along, `radii` the sum of the radii.
fn approach(offset: vec3f, direction: vec3f, radii: f32) -> Approach {
  let middle = -dot(offset, direction);
  var nearest = offset + direction * middle;
  // Twice: far away, what the first subtraction leaves along the line is as large as the bodies.
  nearest -= direction * dot(nearest, direction);
  let enlarged = radii * (1.0 + APPROACH_SLACK_ULPS * EPSILON) + length(offset) * APPROACH_SLACK_ULPS * EPSILON;
  let miss = length(nearest);
  let half = sqrt(max((enlarged - miss) * (enlarged + miss), 0.0));
  return Approach(miss <= enlarged, middle - half, middle + half);
}
