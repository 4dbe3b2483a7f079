// Corners of two contact faces that are lines side by side: the ends of their overlap. Rounded lines that are not in
// one plane bend away from each other. A corner lies between them by the share of their radii, which is where two
// circles are nearest, at the heights of both surfaces.

import package::shared::constants::{
  MANIFOLD_FLANK, MANIFOLD_LEAST_COSINE, MANIFOLD_LINE_ULPS, MANIFOLD_NAME_SHARE, MANIFOLD_SAME_ULPS
};
import package::shared::math::{EPSILON};
import package::contact-face::face::{ContactFace, TOUCHING_LINES, contactFaces};
import package::corners::{offerCorner};
import package::manifold::clip::{cross2};
import package::manifold::ids::{MANIFOLD_VERTEX};

// u and v of the middle of what corners are on: of the axis if the ends are balls, otherwise of the line itself.
fn overLine(line: ContactFace) -> vec2f {
  return select(line.origin.xy, line.middle.xy, line.isCapped);
}

// Of the touching lines, no farther aside than where a surface has dropped by `mostDrop`.
fn addLineCorners(maxDistance: f32, mostDrop: f32, bodies: u32) {
  let lineA = contactFaces[TOUCHING_LINES];
  let lineB = contactFaces[TOUCHING_LINES + 1u];
  let halfA = lineA.columns[0];
  let halfB = lineB.columns[0];
  let overA = overLine(lineA);
  let overB = overLine(lineB);
  let size = length(halfA.xy);
  let axis = halfA.xy / max(size, 1e-30);
  let centre = dot(overB - overA, axis);
  let spanB = dot(halfB.xy, axis);
  let low = max(-size, centre - abs(spanB));
  let high = min(size, centre + abs(spanB));
  if (low > high || size < MANIFOLD_SAME_ULPS * EPSILON) {
    return;
  }
  let band = 2.0 * MANIFOLD_NAME_SHARE * min(size, abs(spanB));
  for (var end = 0u; end < 2u; end++) {
    let isHigh = end == 1u;
    let at = select(low, high, isHigh);
    let isEndOfA = select(-at, at, isHigh) >= size - band;
    let alongB = clamp((at - centre) / select(1.0, spanB, abs(spanB) > 1e-30), -1.0, 1.0);
    let onA = overA + halfA.xy * (at / size);
    let onB = overB + halfB.xy * alongB;
    let bendA = radiusAt(lineA, at / size);
    let bends = bendA + radiusAt(lineB, alongB);
    // Beside a round line on the edge itself, whose faces may be narrow. Of two edges or segments, on that which falls
    // off more steeply: there the other one is under or over it.
    let toB = onB - onA;
    let areAlike = lineA.isRound == lineB.isRound;
    let isSteeper = select(lineB.isRound, steepness(lineA, toB) <= steepness(lineB, -toB), areAlike);
    let isByRadius = areAlike && bends > 0.0;
    let share = select(select(1.0, 0.0, isSteeper), bendA / max(bends, 1e-30), isByRadius);
    // Perpendicular to A's line, and so hardly past the end of B's.
    let past = min(abs(dot(toB, halfB.xy)) / max(length(halfB.xy), 1e-30), 0.5 * (high - low));
    let inward = axis * select(past, -past, isHigh);
    let uv = onA + toB * share + inward;
    // In a loop: compilers inline every call.
    var heights = vec2f(0.0);
    var isOver = true;
    for (var side = 0u; side < bodies && isOver; side++) {
      let height = lineHeight(contactFaces[TOUCHING_LINES + side], uv, mostDrop);
      heights[side] = height.value;
      isOver = height.isOver;
    }
    let id = select(MANIFOLD_VERTEX | select(0u, 1u, isHigh == (spanB >= 0.0)), end, isEndOfA);
    if (isOver) {
      let place = vec4f(uv, heights.x, heights.y - heights.x);
      offerCorner(place, id, id, maxDistance, MANIFOLD_SAME_ULPS * EPSILON);
    }
  }
}

// The radius at a share of the half length from the middle: a cone's goes from twice that of the middle to 0.
fn radiusAt(line: ContactFace, share: f32) -> f32 {
  return line.bend * select(1.0, 1.0 - clamp(share, -1.0, 1.0), line.slant.y > 0.0);
}

// The cosine of a sharp line's slope on the side of a direction: 0 if there is nothing beside the line.
fn steepness(line: ContactFace, direction: vec2f) -> f32 {
  let isFirst = dot(line.flanks[0].xy - line.flanks[1].xy, direction) >= 0.0;
  return line.side * select(line.flanks[1].z, line.flanks[0].z, isFirst);
}

const CONE_ROUNDS: u32 = 6u;

// Whether a point is on a cone's side, between its base and its apex: at a place along the line, and away from it by
// the drop and aside. Far aside, the rounds do not converge, and the side ends at the base before the line does.
fn isOnCone(line: ContactFace, along: f32, drop: f32, aside: f32, size: f32) -> bool {
  let c = line.slant.x;
  let s = line.slant.y;
  let slack = MANIFOLD_LINE_ULPS * EPSILON;
  // Along the axis from the line's middle, and away from the axis.
  let height = c * along - s * drop;
  let away = length(vec2f(line.bend - s * along - c * drop, aside));
  return abs(c * (away - line.bend) + s * height) <= slack && away <= 2.0 * line.bend + slack &&
      height >= -c * size - slack;
}

struct LineHeight {
  isOver: bool,
  value: f32,
}

// Height of the surface around a line at u, v: the ray along h meets a cylinder or cone, beyond the line's ends a ball,
// and beside an edge one of the edge's faces. In the plane perpendicular to the line on a cone's side, the cone is the
// conic
//
//    2 r x = c a^2 + (c^2 - s^2) x^2 / c       a: aside, x: drop, r: the cone's radius, (c, s): the slant
//
// which is a circle if c is 1.
fn lineHeight(line: ContactFace, uv: vec2f, mostDrop: f32) -> LineHeight {
  let half = line.columns[0];
  let size = length(half);
  let d = half / max(size, 1e-30);
  // The sine between line and ray.
  let flatness = length(d.xy);
  let slack = MANIFOLD_LINE_ULPS * EPSILON;
  if (flatness < MANIFOLD_LEAST_COSINE) {
    return LineHeight(false, 0.0);
  }
  let from_ = vec3f(uv - line.middle.xy, -line.middle.z);
  let aside = cross2(d.xy, from_.xy) / flatness;
  let up = (vec3f(0.0, 0.0, 1.0) - d * d.z) / flatness;
  let rise = select(line.bend, 0.0, line.slant.y > 0.0);
  let top = (line.side * rise - dot(from_, up)) / flatness;
  let narrowing = (line.slant.x - line.slant.y) * (line.slant.x + line.slant.y);
  var height = top;
  var radius = line.bend;
  // The height decides where along the line the surface is met, and the radius there the height.
  for (var round = 0u; round < select(1u, CONE_ROUNDS, line.slant.y > 0.0); round++) {
    radius = radiusAt(line, (dot(from_, d) + height * d.z) / max(size, 1e-30));
    let out = min(abs(aside), radius);
    let rest = sqrt(max(radius * radius - narrowing * out * out, 0.0));
    height = top - line.side * line.slant.x * out * out / (max(radius + rest, 1e-30) * flatness);
  }
  var isThere = abs(aside) <= radius + slack;
  if (!line.isRound) {
    // The face on this side of the edge.
    let asides = vec2f(cross2(d.xy, line.flanks[0].xy), cross2(d.xy, line.flanks[1].xy)) / flatness;
    let isFirst = (asides.x > asides.y) == (aside > 0.0);
    let flank = select(line.flanks[1], line.flanks[0], isFirst);
    let border = select(-1.0, 1.0, aside > 0.0) * select(asides.y, asides.x, isFirst) * radius;
    if (abs(aside) > border) {
      let isSteep = line.side * flank.z < MANIFOLD_LEAST_COSINE;
      isThere = abs(aside) <= max(border, 0.0) + select(MANIFOLD_FLANK, slack, isSteep);
      if (!isSteep) {
        height = line.middle.z + (radius - dot(flank.xy, uv - line.middle.xy)) / flank.z;
      }
    }
  }
  isThere &= abs(height - top) <= mostDrop;
  let along = dot(from_, d) + height * d.z;
  if (line.slant.y > 0.0) {
    isThere &= isOnCone(line, along, line.side * (top - height) * flatness, aside, size);
  }
  let beyond = abs(along) - size;
  if (beyond <= 0.0 || (beyond <= slack && !line.isCapped)) {
    return LineHeight(isThere, height);
  }
  let end = line.middle + select(-half, half, along > 0.0);
  let away = distance(uv, end.xy);
  let ball = sqrt(max((line.bend - away) * (line.bend + away), 0.0));
  return LineHeight(line.isCapped && away <= line.bend + slack, end.z + line.side * ball);
}
