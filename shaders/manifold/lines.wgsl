// Corners of two contact faces that are lines side by side: the ends of their overlap. Rounded lines that are not in
// one plane bend away from each other. A corner lies between them by the share of their radii, which is where two
// circles are nearest, at the heights of both surfaces.

import package::shared::constants::{
  MANIFOLD_INSIDE_ULPS, MANIFOLD_LEAST_COSINE, MANIFOLD_NAME_SHARE, MANIFOLD_SAME_ULPS
};
import package::shared::math::{EPSILON};
import package::contact-face::face::{ContactFace};
import package::corners::{offerCorner};
import package::manifold::clip::{cross2};
import package::manifold::features::{MANIFOLD_VERTEX};

fn addLineCorners(faceA: ContactFace, faceB: ContactFace, maxDistance: f32) {
  let halfA = faceA.columns[0];
  let halfB = faceB.columns[0];
  let size = length(halfA.xy);
  let axis = halfA.xy / max(size, 1e-30);
  let centre = dot(faceB.middle.xy - faceA.middle.xy, axis);
  let spanB = dot(halfB.xy, axis);
  let low = max(-size, centre - abs(spanB));
  let high = min(size, centre + abs(spanB));
  if (low > high || size < MANIFOLD_SAME_ULPS * EPSILON) {
    return;
  }
  let bends = faceA.bend + faceB.bend;
  let share = select(0.5, faceA.bend / max(bends, 1e-30), bends > 0.0);
  let band = 2.0 * MANIFOLD_NAME_SHARE * min(size, abs(spanB));
  for (var end = 0u; end < 2u; end++) {
    let isHigh = end == 1u;
    let at = select(low, high, isHigh);
    let isEndOfA = select(-at, at, isHigh) >= size - band;
    let alongB = clamp((at - centre) / select(1.0, spanB, abs(spanB) > 1e-30), -1.0, 1.0);
    let onA = faceA.middle.xy + halfA.xy * (at / size);
    let onB = faceB.middle.xy + halfB.xy * alongB;
    let uv = onA + (onB - onA) * share;
    let heightA = lineHeight(faceA, uv);
    let heightB = lineHeight(faceB, uv);
    let id = select(MANIFOLD_VERTEX | select(0u, 1u, isHigh == (spanB >= 0.0)), end, isEndOfA);
    if (heightA.isOver && heightB.isOver) {
      let place = vec4f(uv, heightA.value, heightB.value - heightA.value);
      offerCorner(place, id, id, maxDistance, MANIFOLD_SAME_ULPS * EPSILON);
    }
  }
}

struct LineHeight {
  isOver: bool,
  value: f32,
}

// Height of the surface around a line at u, v: the ray along h meets a cylinder or, beyond the line's ends, a ball.
fn lineHeight(face: ContactFace, uv: vec2f) -> LineHeight {
  let half = face.columns[0];
  let size = length(half);
  let d = half / max(size, 1e-30);
  // The sine between line and ray.
  let flatness = length(d.xy);
  let slack = MANIFOLD_INSIDE_ULPS * EPSILON;
  if (flatness < MANIFOLD_LEAST_COSINE) {
    return LineHeight(false, 0.0);
  }
  let from_ = vec3f(uv - face.middle.xy, -face.middle.z);
  let aside = cross2(d.xy, from_.xy) / flatness;
  let up = (vec3f(0.0, 0.0, 1.0) - d * d.z) / flatness;
  let round = sqrt(max((face.bend - aside) * (face.bend + aside), 0.0));
  let height = (face.side * round - dot(from_, up)) / flatness;
  let beyond = abs(dot(from_, d) + height * d.z) - size;
  if (beyond <= 0.0 || (beyond <= slack && !face.isCapped)) {
    return LineHeight(abs(aside) <= face.bend + slack, height);
  }
  let end = select(face.middle - half, face.middle + half, dot(from_, d) + height * d.z > 0.0);
  let out = distance(uv, end.xy);
  let ball = sqrt(max((face.bend - out) * (face.bend + out), 0.0));
  return LineHeight(face.isCapped && out <= face.bend + slack, end.z + face.side * ball);
}
