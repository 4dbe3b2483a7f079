// Whether two triangles share a point, and their segment of intersection.
//
// Follows Möller, "A Fast Triangle-Triangle Intersection Test" (1997), with one departure for f32: it does not compare
// intervals on the common line of both planes, since planes that are nearly the same have only rounding in that line.
// One triangle gives the plane. The other one's section with it, a segment, is clipped to the first triangle within the
// plane. Heights of up to TRIANGLE_TOUCH_ULPS count as 0, and the clipping allows as much, so that the answer is that of
// triangles whose corners have moved by rounding:
// - Triangles that share a point are hits, but for a point that would be lost if they moved by rounding.
// - Triangles that are apart are hits only if rounding could close the gap.
//
// If all heights count as 0, the triangles are in one plane, and the segment is the longest extent of their common area.

import package::shared::constants::{TRIANGLE_TOUCH_ULPS};
import package::shared::math::{EPSILON};
import package::shared::triangle::{Triangle};
import package::triangle-intersection::common-extent::{commonExtent};
import package::triangle-intersection::outline::{Outline, outlineOf, placeIn, stretchIn};

struct TriangleIntersection {
  isHit: bool,
  // Whether all corners lie in one plane, to rounding.
  isCoplanar: bool,
  // Ends of the segment: equal if the triangles touch in a point to rounding, 0 if they share none.
  start: vec3f,
  end: vec3f,
}

// Corners are relative to a point nearby, and may coincide or be collinear.
fn triangleIntersection(a: Triangle, b: Triangle) -> TriangleIntersection {
  var face = outlineOf(a, b);
  var heights = heightsOver(face, b);
  var result: TriangleIntersection;
  if (heights.isApart) {
    return result;
  }
  // Of both planes, the less thin triangle's is that of its corners with less rounding.
  let outlineB = outlineOf(b, a);
  if (outlineB.frame.height * face.frame.base > face.frame.height * outlineB.frame.base) {
    face = outlineB;
    heights = heightsOver(face, a);
    if (heights.isApart) {
      return result;
    }
  }
  let room = heights.room;
  let p = heights.p;
  let q = heights.q;
  let r = heights.r;
  result.isCoplanar = heights.isCoplanar;
  if (result.isCoplanar) {
    let extent = commonExtent(a, b, room);
    result.isHit = !extent.isEmpty;
    result.start = extent.start;
    result.end = extent.end;
  } else {
    var section = Section(0u, vec2f(0.0), vec2f(0.0));
    section = withCorner(section, p, room);
    section = withCorner(section, q, room);
    section = withCorner(section, r, room);
    section = withEdge(section, p, q, room);
    section = withEdge(section, q, r, room);
    section = withEdge(section, r, p, room);
    let stretch = stretchIn(face, section.start, section.end, room);
    result.isHit = stretch.x <= stretch.y;
    let start = mix(section.start, section.end, stretch.x);
    let end = mix(section.start, section.end, stretch.y);
    result.start = face.origin + face.frame.u * start.x + face.frame.v * start.y;
    result.end = face.origin + face.frame.u * end.x + face.frame.v * end.y;
  }
  if (!result.isHit) {
    result.start = vec3f(0.0);
    result.end = vec3f(0.0);
  } else if (distance(result.start, result.end) <= 4.0 * room) {
    result.end = result.start;
  }
  return result;
}

// A triangle's corners in the frame of another triangle's outline.
struct Heights {
  p: vec3f,
  q: vec3f,
  r: vec3f,
  // What counts as 0.
  room: f32,
  // Whether all corners are above the plane, or all below.
  isApart: bool,
  isCoplanar: bool,
}

fn heightsOver(face: Outline, other: Triangle) -> Heights {
  let p = placeIn(face, other.a);
  let q = placeIn(face, other.b);
  let r = placeIn(face, other.c);
  let size = max(max(abs(p), abs(q)), abs(r));
  let room = TRIANGLE_TOUCH_ULPS * EPSILON * max(face.frame.base, max(size.x, max(size.y, size.z)));
  let isApart = min(p.z, min(q.z, r.z)) > room || max(p.z, max(q.z, r.z)) < -room;
  return Heights(p, q, r, room, isApart, size.z <= room);
}

// A triangle's section with a plane: a segment, or a point that is both ends.
struct Section {
  count: u32,
  start: vec2f,
  end: vec2f,
}

fn withPoint(section: Section, point: vec2f) -> Section {
  return Section(section.count + 1u, select(section.start, point, section.count == 0u), point);
}

fn withCorner(section: Section, p: vec3f, room: f32) -> Section {
  if (abs(p.z) <= room) {
    return withPoint(section, p.xy);
  }
  return section;
}

fn withEdge(section: Section, p: vec3f, q: vec3f, room: f32) -> Section {
  if (min(p.z, q.z) < -room && max(p.z, q.z) > room) {
    return withPoint(section, mix(p.xy, q.xy, p.z / (p.z - q.z)));
  }
  return section;
}
