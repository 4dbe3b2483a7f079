// Vertices that a search has found: eight of them, in registers, because a plane is compared with all of them at once.

struct Known {
  x0: vec4f,
  y0: vec4f,
  z0: vec4f,
  x1: vec4f,
  y1: vec4f,
  z1: vec4f,
  // The place of the next one.
  next: u32,
}

// How far each of them is beyond a plane.
struct Heights {
  of0: vec4f,
  of1: vec4f,
}

// Repeats the first four in places 4 to 7.
fn withFirstTwice(known: Known) -> Known {
  return Known(known.x0, known.y0, known.z0, known.x0, known.y0, known.z0, 4u);
}

// With `point` in place of the oldest one.
fn withKnown(known: Known, point: vec3f) -> Known {
  let at0 = vec4u(0u, 1u, 2u, 3u) == vec4u(known.next);
  let at1 = vec4u(4u, 5u, 6u, 7u) == vec4u(known.next);
  return Known(
    select(known.x0, vec4f(point.x), at0), select(known.y0, vec4f(point.y), at0),
    select(known.z0, vec4f(point.z), at0), select(known.x1, vec4f(point.x), at1),
    select(known.y1, vec4f(point.y), at1), select(known.z1, vec4f(point.z), at1), (known.next + 1u) & 7u
  );
}

fn heightsOver(plane: vec4f, known: Known) -> Heights {
  return Heights(
    plane.x * known.x0 + plane.y * known.y0 + plane.z * known.z0 - plane.w,
    plane.x * known.x1 + plane.y * known.y1 + plane.z * known.z1 - plane.w
  );
}

fn leastOf(heights: Heights) -> f32 {
  let least = min(heights.of0, heights.of1);
  return min(min(least.x, least.y), min(least.z, least.w));
}

// The least of what is greatest at either end of an arc.
fn leastOverArc(start: Heights, end: Heights) -> f32 {
  return leastOf(Heights(max(start.of0, end.of0), max(start.of1, end.of1)));
}

// In another unit of length.
fn scaledBy(known: Known, factor: f32) -> Known {
  return Known(
    factor * known.x0, factor * known.y0, factor * known.z0, factor * known.x1, factor * known.y1, factor * known.z1,
    known.next
  );
}

// The greatest sum of absolute coordinates.
fn greatestSum(known: Known) -> f32 {
  let sums = max(
    abs(known.x0) + abs(known.y0) + abs(known.z0), abs(known.x1) + abs(known.y1) + abs(known.z1)
  );
  return max(max(sums.x, sums.y), max(sums.z, sums.w));
}
