// Nearest points of two segments: Ericson, Real-Time Collision Detection (2005), 5.1.9, in the frame of the first,
// whose axis is y.
//
// The parameter of the second line follows from its part across y alone, so that nothing cancels where the axes are
// nearly parallel; each parameter is cut at its segment's ends and the other one solved again. Parallel segments that
// face each other have a whole stretch of nearest points, of which the middle is taken.
//
// The normal is not just the vector between the points: where that is short, its direction is rounding. It is made
// perpendicular to every segment that supports along it would leave for the other end, so that supports find the very
// points. Segments that touch or cross lie in a plane, whose normal it is then.

import package::shared::constants::{GJK_TOUCH_ULPS, LEAST_LENGTH, SEGMENTS_PARALLEL_ULPS};
import package::shared::math::{EPSILON};

struct SegmentPoints {
  // Unit vector from the first segment to the second.
  normal: vec3f,
  // Bounds of the distance: what supports along the normal are apart, and what the points are.
  lower: f32,
  upper: f32,
  // The points: along either axis from the segment's middle.
  first: f32,
  second: f32,
}

// The first segment reaches from -sizeA to sizeA on the y axis; the second as far as sizeB both ways from `middle`
// along the unit vector `axis`. A size of 0 is a point.
fn nearestOnSegments(sizeA: f32, sizeB: f32, axis: vec3f, middle: vec3f) -> SegmentPoints {
  let touch = GJK_TOUCH_ULPS * EPSILON;
  let sine = length(axis.xz);
  let isParallel = sine <= SEGMENTS_PARALLEL_ULPS * EPSILON;
  // Where the second line is nearest to the y axis; of parallel segments the middle of the heights that both have.
  var second = -dot(middle.xz, axis.xz) / max(sine * sine, 1e-30);
  if (isParallel) {
    let facing = 0.5 * (max(-sizeA, middle.y - sizeB) + min(sizeA, middle.y + sizeB));
    second = (facing - middle.y) * axis.y;
  }
  second = clamp(second, -sizeB, sizeB);
  let height = middle.y + axis.y * second;
  let first = clamp(height, -sizeA, sizeA);
  if (first != height) {
    second = clamp(dot(axis, vec3f(0.0, first, 0.0) - middle), -sizeB, sizeB);
  }
  let between = middle + axis * second - vec3f(0.0, first, 0.0);

  // A segment is free where its point is no end, or where supports would leave the end for the other one, which only
  // rounding can say. Against a free segment that is asked of what is perpendicular to it: along nearly parallel axes
  // all else is rounding.
  var v = between;
  var isFreeB = abs(second) < sizeB;
  var isFreeA = abs(first) < sizeA || (!isFreeB && first * v.y < 0.0);
  if (isFreeA) {
    v.y = 0.0;
  }
  isFreeB = isFreeB || second * dot(v, axis) > 0.0;
  if (isFreeB && !isFreeA) {
    v -= axis * dot(v, axis);
    v -= axis * dot(v, axis);
    isFreeA = first * v.y < 0.0;
  }
  let gap = length(v);
  if ((isFreeA && isFreeB && !isParallel) || (gap <= touch && sizeA + sizeB > 0.0)) {
    // Perpendicular to both axes, towards the second.
    v = vec3f(1.0, 0.0, 0.0);
    if (!isParallel) {
      v = vec3f(axis.z, 0.0, -axis.x) / sine;
    }
    v *= select(1.0, -1.0, dot(v, middle) < 0.0);
  } else if (gap > LEAST_LENGTH) {
    v /= gap;
  } else {
    v = vec3f(1.0, 0.0, 0.0);
  }
  let lower = dot(v, middle) - abs(v.y) * sizeA - abs(dot(v, axis)) * sizeB;
  return SegmentPoints(v, lower, length(between), first, second);
}
