// Whether a ray meets a box: Kay, Kajiya, "Ray Tracing Complex Scenes" (1986). The mirror is in
// src/broad-phase/box-rays.ts.

import package::broad-phase::tree::{PLACE_SLACK};

struct Ray {
  origin: vec3f,
  // The greatest time, in units in which the direction is `direction`. Negative: the ray can't be cast.
  end: f32,
  // The longest component is 1 or -1, unless all are nearly 0.
  direction: vec3f,
  radius: f32,
}

// Coordinates are at most 1e30, so nothing is met after MOST_TIME. Times beyond FAR_TIME are not told apart.
const MOST_TIME: f32 = 1e31;
const FAR_TIME: f32 = 1e32;
// Shorter components count as 0. Their inverse is the largest one.
const LEAST_COMPONENT: f32 = 1e-37;

fn makeRay(origin: vec3f, direction: vec3f, radius: f32, maxTime: f32) -> Ray {
  let size = abs(direction);
  let longest = max(max(size.x, max(size.y, size.z)), LEAST_COMPONENT);
  // Compared by a quotient, because the product may overflow.
  let end = select(maxTime * longest, MOST_TIME, maxTime >= MOST_TIME / max(longest, 1e-6));
  return Ray(origin, end, direction / longest, radius);
}

// What a ray's tests of all boxes have in common.
struct Slabs {
  ray: Ray,
  // By how much boxes are enlarged: the ray's radius, and rounding.
  reach: vec3f,
  inverse: vec3f,
  // Distances beyond these are FAR_TIME away.
  far: vec3f,
  // FAR_TIME, with the direction's signs.
  farTime: vec3f,
}

fn makeSlabs(ray: Ray) -> Slabs {
  let size = abs(ray.direction);
  let signs = select(vec3f(1.0), vec3f(-1.0), ray.direction < vec3f(0.0));
  let reach = ray.radius + PLACE_SLACK * (ray.radius + abs(ray.origin));
  return Slabs(ray, reach, signs / max(size, vec3f(LEAST_COMPONENT)), size * FAR_TIME, signs * FAR_TIME);
}

fn meetsBox(slabs: Slabs, low: vec3f, high: vec3f) -> bool {
  let toLow = timesTo(slabs, low - slabs.reach - slabs.ray.origin);
  let toHigh = timesTo(slabs, high + slabs.reach - slabs.ray.origin);
  let entries = min(toLow, toHigh);
  let exits = max(toLow, toHigh);
  let enter = max(max(entries.x, entries.y), max(entries.z, 0.0));
  let leave = min(min(exits.x, exits.y), min(exits.z, slabs.ray.end));
  return enter <= leave * (1.0 + PLACE_SLACK);
}

fn timesTo(slabs: Slabs, distance: vec3f) -> vec3f {
  return select(distance * slabs.inverse, sign(distance) * slabs.farTime, abs(distance) > slabs.far);
}
