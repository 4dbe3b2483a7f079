// The longest extent of the common area of two triangles in one plane.

import package::shared::triangle::{Triangle};
import package::triangle-intersection::outline::{outlineOf, placeIn, stretchIn};

// The ends of a segment. `isEmpty`: there is none.
struct CommonExtent {
  isEmpty: bool,
  start: vec3f,
  end: vec3f,
}

// Every corner of the common area is an end of an edge's part that is in the other triangle.
fn commonExtent(a: Triangle, b: Triangle, room: f32) -> CommonExtent {
  let outlineA = outlineOf(a, b);
  let outlineB = outlineOf(b, a);
  var ends: array<vec3f, 12>;
  var count = 0u;
  for (var edge = 0u; edge < 6u; edge++) {
    let ofA = edge < 3u;
    let first = select(b.a, a.a, ofA);
    let second = select(b.b, a.b, ofA);
    let third = select(b.c, a.c, ofA);
    let number = edge % 3u;
    let start = select(select(third, second, number == 1u), first, number == 0u);
    let end = select(select(first, third, number == 1u), second, number == 0u);
    var stretch: vec2f;
    if (ofA) {
      stretch = stretchIn(outlineB, placeIn(outlineB, start).xy, placeIn(outlineB, end).xy, room);
    } else {
      stretch = stretchIn(outlineA, placeIn(outlineA, start).xy, placeIn(outlineA, end).xy, room);
    }
    if (stretch.x <= stretch.y) {
      ends[count] = mix(start, end, stretch.x);
      ends[count + 1u] = mix(start, end, stretch.y);
      count += 2u;
    }
  }
  var extent = CommonExtent(count == 0u, ends[0], ends[0]);
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
