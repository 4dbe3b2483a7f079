// Where the bounding spheres of two bodies that translate meet and part. The bodies are apart before and after. A
// search from there on keeps numbers as small as the bodies, however long the translation is.

import package::shared::math::{EPSILON};

// The radii are enlarged by this share of themselves and of the distance, for the rounding of the line.
const APPROACH_SLACK_ULPS: f32 = 16.0;

struct Approach {
  // Whether they meet anywhere on the line.
  isNear: bool,
  // The distance that B has travelled when they meet and when they part. Negative: before the start.
  entry: f32,
  exit: f32,
}

// `offset` is B's position minus A's, `direction` the unit vector that B moves along, `radii` the sum of the radii.
fn approach(offset: vec3f, direction: vec3f, radii: f32) -> Approach {
  let middle = -dot(offset, direction);
  var nearest = offset + direction * middle;
  // Twice, because far away the first subtraction leaves as much along the line as the bodies are large.
  nearest -= direction * dot(nearest, direction);
  let enlarged = radii * (1.0 + APPROACH_SLACK_ULPS * EPSILON) + length(offset) * APPROACH_SLACK_ULPS * EPSILON;
  let miss = length(nearest);
  let half = sqrt(max((enlarged - miss) * (enlarged + miss), 0.0));
  return Approach(miss <= enlarged, middle - half, middle + half);
}
