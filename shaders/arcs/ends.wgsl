// Vertices that rule out the ends of an arc.

import package::arcs::crossing::{heightOver};
import package::arcs::known::{Heights, Known};

struct ArcEnds {
  // A vertex that is no higher than the best so far at the start, and one that is so at the end.
  left: vec3f,
  right: vec3f,
  hasLeft: bool,
  hasRight: bool,
}

// The known vertices that are no higher than `limit` at one end, and as low as possible at the other one. `given` has
// what was found before. The planes at the ends, and the heights over them.
fn endsAmong(
  known: Known, plane: vec4f, atStart: Heights, end: vec4f, atEnd: Heights, limit: f32, given: ArcEnds
) -> ArcEnds {
  var ends = given;
  var ofLeft = select(1e30, heightOver(end, given.left), given.hasLeft);
  var ofRight = select(1e30, heightOver(plane, given.right), given.hasRight);
  for (var i = 0u; i < 8u; i++) {
    let k = i & 3u;
    let isFirst = i < 4u;
    let overStart = select(atStart.of1[k], atStart.of0[k], isFirst);
    let overEnd = select(atEnd.of1[k], atEnd.of0[k], isFirst);
    let point = select(
      vec3f(known.x1[k], known.y1[k], known.z1[k]), vec3f(known.x0[k], known.y0[k], known.z0[k]), isFirst
    );
    if (overStart <= limit && overEnd < ofLeft) {
      ofLeft = overEnd;
      ends.left = point;
      ends.hasLeft = true;
    }
    if (overEnd <= limit && overStart < ofRight) {
      ofRight = overStart;
      ends.right = point;
      ends.hasRight = true;
    }
  }
  return ends;
}
