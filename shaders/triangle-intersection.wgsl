// Whether two triangles share a point, and their segment of intersection.
//
// Follows Möller, "A Fast Triangle-Triangle Intersection Test" (1997), with one departure for f32. It does not compare
// intervals on the common line of both planes, since planes that are nearly the same have only rounding in that line.
// One triangle gives the plane. The other one's section with it, a segment, is clipped to the first triangle within the
// plane. Heights of up to TRIANGLE_TOUCH_ULPS count as 0, and the clipping allows as much. The answer is therefore that
// of triangles whose corners have moved by rounding:
// - Triangles that share a point are hits, unless moving them by rounding would part them.
// - Triangles that are apart are hits only if moving them by rounding would close the gap.
//
// If all heights count as 0, the triangles are coplanar, and the segment is the longest extent of their common area.

import package::shared::constants::{TRIANGLE_TOUCH_ULPS};
import package::shared::math::{EPSILON};
import package::shared::triangle::{Triangle};
import package::triangle-intersection::clip::{FlatSegment, FlatTriangle, clipToTriangle, commonExtent};
import package::triangle-intersection::outline::{Outline, outlineOf, placeIn, pointAt};

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
  let flatFace = FlatTriangle(vec2f(0.0), vec2f(face.frame.base, 0.0), vec2f(face.frame.along, face.frame.height));
  var segment: FlatSegment;
  if (heights.isCoplanar) {
    segment = commonExtent(flatFace, FlatTriangle(p.xy, q.xy, r.xy), room);
  } else {
    var section = Section(0u, vec2f(0.0), vec2f(0.0));
    section = withCorner(section, p, room);
    section = withCorner(section, q, room);
    section = withCorner(section, r, room);
    section = withEdge(section, p, q, room);
    section = withEdge(section, q, r, room);
    section = withEdge(section, r, p, room);
    segment = clipToTriangle(flatFace, section.start, section.end, room);
  }
  result.isCoplanar = heights.isCoplanar;
  result.isHit = !segment.isEmpty;
  if (result.isHit) {
    // Shorter than its rounding, it is a point.
    let isPoint = distance(segment.start, segment.end) <= 4.0 * room;
    result.start = pointAt(face, segment.start);
    result.end = select(pointAt(face, segment.end), result.start, isPoint);
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
