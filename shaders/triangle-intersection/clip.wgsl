// Clipping in a plane: the part of a segment that is in a triangle, and the longest extent of the common area of two
// triangles.

struct FlatTriangle {
  a: vec2f,
  b: vec2f,
  c: vec2f,
}

// `isEmpty`: there is none.
struct FlatSegment {
  isEmpty: bool,
  start: vec2f,
  end: vec2f,
}

// The part of a segment in a triangle widened by `room`.
fn clipToTriangle(t: FlatTriangle, start: vec2f, end: vec2f, room: f32) -> FlatSegment {
  // An axis along the longest side, from `origin`, and one across it, towards the third corner.
  let sides = vec3f(distance(t.a, t.b), distance(t.b, t.c), distance(t.c, t.a));
  var origin = t.a;
  var next = t.b;
  var third = t.c;
  if (sides.y >= max(sides.x, sides.z)) {
    origin = t.b;
    next = t.c;
    third = t.a;
  } else if (sides.z > sides.x) {
    origin = t.c;
    next = t.a;
    third = t.b;
  }
  let base = max(sides.x, max(sides.y, sides.z));
  var u = vec2f(1.0, 0.0);
  if (base > 0.0) {
    u = (next - origin) / base;
  }
  let v = vec2f(-u.y, u.x) * select(1.0, -1.0, dot(vec2f(-u.y, u.x), third - origin) < 0.0);
  let corner = vec2f(dot(u, third - origin), dot(v, third - origin));
  let p = vec2f(dot(u, start - origin), dot(v, start - origin));
  let q = vec2f(dot(u, end - origin), dot(v, end - origin));
  // The box of the triangle comes first: beyond a sharp corner, points are near the lines of both sides.
  var stretch = vec2f(0.0, 1.0);
  stretch = cut(stretch, p.x + room, q.x + room);
  stretch = cut(stretch, base - p.x + room, base - q.x + room);
  stretch = cut(stretch, p.y + room, q.y + room);
  stretch = cut(stretch, corner.y - p.y + room, corner.y - q.y + room);
  // The sides that meet in the third corner, with their normals inward.
  let left = vec2f(corner.y, -corner.x) / max(length(corner), 1e-30);
  stretch = cut(stretch, dot(left, p) + room, dot(left, q) + room);
  let rest = corner - vec2f(base, 0.0);
  let right = vec2f(-rest.y, rest.x) / max(length(rest), 1e-30);
  stretch = cut(stretch, dot(right, p - corner) + room, dot(right, q - corner) + room);
  return FlatSegment(stretch.x > stretch.y, mix(start, end, stretch.x), mix(start, end, stretch.y));
}

// Cuts off where the heights of a segment's ends over a line are below 0. A stretch is from share x to share y.
fn cut(stretch: vec2f, start: f32, end: f32) -> vec2f {
  if (start < 0.0 && end < 0.0) {
    return vec2f(2.0, 0.0);
  }
  if (start < 0.0) {
    return vec2f(max(stretch.x, start / (start - end)), stretch.y);
  }
  if (end < 0.0) {
    return vec2f(stretch.x, min(stretch.y, start / (start - end)));
  }
  return stretch;
}

// Every corner of the common area is an end of an edge's part that is in the other triangle.
fn commonExtent(first: FlatTriangle, second: FlatTriangle, room: f32) -> FlatSegment {
  var ends: array<vec2f, 12>;
  var count = 0u;
  var edges = first;
  var other = second;
  for (var i = 0u; i < 6u; i++) {
    if (i == 3u) {
      edges = second;
      other = first;
    }
    let part = clipToTriangle(other, edges.a, edges.b, room);
    if (!part.isEmpty) {
      ends[count] = part.start;
      ends[count + 1u] = part.end;
      count += 2u;
    }
    edges = FlatTriangle(edges.b, edges.c, edges.a);
  }
  var extent = FlatSegment(count == 0u, ends[0], ends[0]);
  var longest = 0.0;
  for (var i = 1u; i < count; i++) {
    for (var j = 0u; j < i; j++) {
      let size = distance(ends[i], ends[j]);
      if (size > longest) {
        longest = size;
        extent.start = ends[j];
        extent.end = ends[i];
      }
    }
  }
  return extent;
}
