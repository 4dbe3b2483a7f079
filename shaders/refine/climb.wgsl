// Search by climbing. The least heights along six normals on a small circle around the best normal determine a
// parabola; its top is tried next (the idea of Powell's methods without derivatives, e.g. NEWUOA, 2006). So are turns
// of the best normal about the axis of either body, along the edges of shapes of revolution. If the best normal did not
// move far, the circle shrinks.

import package::shared::constants::{CLIMB_END, CLIMB_FAR, CLIMB_ROUNDS, CLIMB_SHRINK, CLIMB_START};
import package::shared::pair::{Pair};
import package::shared::support-in-loop::{supportInLoop};
import package::refine::frame::{frameOf, tilted, turnedBySixth};

struct Top {
  normal: vec3f,
  // The least height of B - A along the normal.
  height: f32,
  iterations: u32,
}

// A nearby normal of the greatest least height.
fn climb(pair: Pair, start: Top) -> Top {
  var top = start;
  var radius = CLIMB_START;
  for (var round = 0u; round < CLIMB_ROUNDS && radius > CLIMB_END; round++) {
    let frame = frameOf(top.normal);
    let middle = top.height;
    // Sums of the six heights over the middle: themselves, times cosine and sine, times those of the double angle.
    var sum = 0.0;
    var slope = vec2f(0.0);
    var twice = vec2f(0.0);
    var at = vec2f(1.0, 0.0);
    for (var k = 0u; k < 11u; k++) {
      var offset = at * radius;
      if (k == 6u) {
        offset = topOf(sum, slope, twice, radius);
      }
      var candidate = tilted(frame, offset);
      if (k > 6u) {
        let axis = select(pair.rotation[1], vec3f(0.0, 1.0, 0.0), k < 9u);
        candidate = turned(frame[2], axis, select(-radius, radius, (k & 1u) == 1u));
      }
      let found = dot(candidate, supportInLoop(pair, -candidate).position);
      if (found > top.height) {
        top.height = found;
        top.normal = candidate;
      }
      let rise = found - middle;
      sum += rise;
      slope += at * rise;
      twice += vec2f(at.x * at.x - at.y * at.y, 2.0 * at.x * at.y) * rise;
      at = turnedBySixth(at);
    }
    top.iterations += 11u;
    if (distance(top.normal, frame[2]) < CLIMB_FAR * radius) {
      radius *= CLIMB_SHRINK;
    }
  }
  return top;
}

// A unit vector turned about an axis. `sine` is small enough to stand for the angle.
fn turned(v: vec3f, axis: vec3f, sine: f32) -> vec3f {
  let cosine = sqrt(1.0 - sine * sine);
  return normalize(v * cosine + cross(axis, v) * sine + axis * (dot(v, axis) * (1.0 - cosine)));
}

// Offset of the top of the parabola through the middle and six heights or, if it has no top, a step up. First and
// second harmonics of the six heights are its slopes and curvatures, here times the radius and its square.
fn topOf(sum: f32, slope: vec2f, twice: vec2f, radius: f32) -> vec2f {
  let bend = sum / 3.0;
  let xx = bend + twice.x * (2.0 / 3.0);
  let yy = bend - twice.x * (2.0 / 3.0);
  let xy = twice.y * (2.0 / 3.0);
  let determinant = xx * yy - xy * xy;
  let isTop = determinant > 0.0 && bend < 0.0;
  var step = slope;
  if (isTop) {
    step = vec2f(xy * slope.y - yy * slope.x, xy * slope.x - xx * slope.y) * (radius / 3.0) / determinant;
  }
  // Divided by the greater component first, because squares might vanish or overflow.
  let size = max(abs(step.x), abs(step.y));
  let direction = step / max(size, 1e-30);
  let length = max(length(direction), 1e-30);
  return direction * min(select(1e30, size, isTop), 2.0 * radius / length);
}
