// How far a convex body has to move along a unit vector until it leaves a segment or a point of a surface, and where.
// src/parts/planar/feature-exits.ts draws it, and does the same in double precision. The body is B of a pair.

import package::planar::math::{rightOf, rotateBack};
import package::planar::pair::{PlanarPair};
import package::planar::support::{cornerAfter, cornerB, cornerCount, support};
import package::shared::math::{EPSILON};

struct PlanarExit {
  // Below -1e29 if the body does not pass the feature.
  distance: f32,
  // On the feature.
  point: vec2f,
}

const NO_EXIT: f32 = -1e30;

// Steeper segments are vertical. The square is within f32.
const MOST_SLOPE: f32 = 1e15;

// Places outside of the body by this many ULPS of the pair's unit are in it.
const EXIT_ULPS: f32 = 8.0;

// The point of B that is farthest along a unit vector, rounding included.
fn farthestOfB(pair: PlanarPair, direction: vec2f) -> vec2f {
  return cornerB(pair, support(pair.coreB, rotateBack(pair.rotation, direction))) + pair.radiusB * direction;
}

// The least height of B along n over a place u to the right of n; 1e30 outside of B.
fn bottomAt(pair: PlanarPair, n: vec2f, u: f32) -> f32 {
  let across = rightOf(n);
  let radius = pair.radiusB;
  var least = 1e30;
  let count = cornerCount(pair.coreB);
  var begin = cornerB(pair, 0u);
  for (var i = 0u; i < count; i++) {
    let end = cornerB(pair, cornerAfter(pair.coreB, i));
    let place = dot(begin, across);
    let height = dot(begin, n);
    let off = abs(u - place);
    if (off <= radius + EXIT_ULPS * EPSILON) {
      least = min(least, height - sqrt(max(radius * radius - off * off, 0.0)));
    }
    let size = length(end - begin);
    // The outward normal of the edge points down if the edge goes towards greater u.
    let way = (end - begin) / max(size, 1e-30);
    let along = dot(way, across);
    if (along > 0.0) {
      let rise = dot(way, n);
      let share = (u - (place + radius * rise)) / along;
      if (share >= 0.0 && share <= size) {
        least = min(least, height - radius * along + share * rise);
      }
    }
    begin = end;
  }
  return least;
}

// From the segment between two points, or from the point if both are the same.
fn exitOfSegment(pair: PlanarPair, a: vec2f, b: vec2f, n: vec2f) -> PlanarExit {
  let across = rightOf(n);
  let placeA = dot(a, across);
  let placeB = dot(b, across);
  let heightA = dot(a, n);
  let heightB = dot(b, n);
  let width = placeB - placeA;
  var exit = PlanarExit(NO_EXIT, a);
  var greatest = max(placeA, placeB);
  var least = min(placeA, placeB);
  var slope = 0.0;
  if (width != 0.0) {
    slope = clamp((heightB - heightA) / width, -MOST_SLOPE, MOST_SLOPE);
  }
  // Both sides of B, then where its lower side is parallel to the segment.
  var lowest = 0.0;
  let down = normalize(vec2f(slope, -1.0));
  for (var side = 0u; side < 3u; side++) {
    var direction = across * down.x + n * down.y;
    if (side < 2u) {
      direction = select(across, -across, side == 1u);
    }
    let place = dot(farthestOfB(pair, direction), across);
    if (side == 0u) {
      greatest = min(greatest, place);
    } else if (side == 1u) {
      least = max(least, place);
    } else {
      lowest = place;
    }
  }
  if (greatest < least - EXIT_ULPS * EPSILON) {
    return exit;
  }
  for (var i = 0u; i < 3u; i++) {
    var u = clamp(lowest, min(least, greatest), max(least, greatest));
    if (i > 0u) {
      u = select(least, greatest, i == 2u);
    }
    var share = select(0.0, 1.0, heightB > heightA);
    if (width != 0.0) {
      share = clamp((u - placeA) / width, 0.0, 1.0);
    }
    let distance = heightA + share * (heightB - heightA) - bottomAt(pair, n, u);
    if (distance > exit.distance) {
      exit = PlanarExit(distance, a + share * (b - a));
    }
  }
  return exit;
}
