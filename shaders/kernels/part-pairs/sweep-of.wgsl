// How far bodies translate while their bounding spheres meet.

import package::approach::{approach};
import package::kernels::part-pairs::searched::{Sweep, SWEEP_FAR};
import package::shared::math::{EPSILON};

// The gap up to which boxes may meet, as a share of both bodies' sizes: kernels let bodies overlap slightly before they
// meet, and times have rounding errors.
const MOTION_SLACK: f32 = 1e-5;
// The rounding of where B is when the spheres meet, in ULPS of the distance at the start.
const PLACE_ULPS: f32 = 4.0;

// The translation of body B relative to A.
struct SweptWay {
  isMoving: bool,
  // Whether neither is a half-space.
  areBounded: bool,
  // In `unit`: B's offset, a unit vector along which it moves and how far, the sum of both bounding radii, the margin.
  offset: vec3f,
  direction: vec3f,
  length: f32,
  size: f32,
  margin: f32,
  unit: f32,
  // Radians by which A and B rotate.
  turned: vec2f,
}

// A point moves by at most as many times its distance from the axis as it turns in radians, and twice that distance.
const MOST_TURNED: f32 = 2.0;

fn sweepBetween(way: SweptWay) -> Sweep {
  var begin = 0.0;
  var end = way.length;
  if (way.isMoving && way.areBounded) {
    let radii = way.size * (1.0 + MOTION_SLACK) + way.margin;
    let spheres = approach(way.offset, way.direction, radii);
    begin = max(spheres.entry, 0.0);
    end = min(end, spheres.exit);
    if (!spheres.isNear || end < begin) {
      return Sweep(vec3f(0.0), vec3f(0.0), SWEEP_FAR, vec2f(0.0));
    }
  }
  let along = way.direction * way.unit;
  let rounding = PLACE_ULPS * EPSILON * length(way.offset);
  let slack = (MOTION_SLACK * way.size + rounding) * way.unit;
  let turns = min(way.turned, vec2f(MOST_TURNED)) * (1.0 + MOTION_SLACK);
  return Sweep(along * begin, select(vec3f(0.0), along * (end - begin), way.isMoving), slack, turns);
}
