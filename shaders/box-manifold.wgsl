// The manifold of two sharp boxes, whose contact faces are parallelograms: what manifold.wgsl does, with the four edges of a face side
// by side in vectors and no loop over them.
//
//      3 ---2--- 2       vertices and edges of a face; in multiples of its columns p and q it is the square
//      |         |       from -1 to 1, and the heights of a point (s, t) over its edges are
//      3    o-p  1
//      |    q    |           1 + t,  1 - s,  1 - t,  1 + s
//      0 ---0--- 1

import package::shared::constants::{MANIFOLD_DEPTH_ULPS, MANIFOLD_INSIDE_ULPS, MANIFOLD_SAME_ULPS, MANIFOLD_TIE_ULPS};
import package::shared::math::{EPSILON};
import package::contact-face::{ContactFace};
import package::manifold::{
  ManifoldPoint, ManifoldPoints, Extremes, NOWHERE, NO_EDGE, DIRECTIONS_U, DIRECTIONS_V, MANIFOLD_CROSSING, MANIFOLD_EDGE_BITS,
  MANIFOLD_VERTEX, MANIFOLD_WITNESS, chosenPoints, cross2, farther
};

// Signs of the columns at the four vertices.
const CORNER_P = vec4f(-1.0, 1.0, 1.0, -1.0);
const CORNER_Q = vec4f(-1.0, -1.0, 1.0, 1.0);
const CORNER_NUMBERS = vec4u(0u, 1u, 2u, 3u);

// Four points by coordinates.
struct FourPoints {
  u: vec4f,
  v: vec4f,
  h: vec4f,
}

// Four candidates and which of them there are.
struct Candidates {
  isThere: vec4<bool>,
  at: FourPoints,
  distance: vec4f,
  id: vec4u,
}

// The best of the candidates so far: see `manifold`.
struct Spread {
  deepest: ManifoldPoint,
  ahead: Extremes,
  behind: Extremes,
}

// As `manifold`, for sharp boxes.
fn boxManifold(faceA: ContactFace, faceB: ContactFace, distance: f32, margin: f32) -> ManifoldPoints {
  let reach = margin + MANIFOLD_TIE_ULPS * EPSILON;
  // B's edges over A's face, unless that is a line.
  let isB = faceA.isArea;
  var subject = faceA;
  var region = faceB;
  if (isB) {
    subject = faceB;
    region = faceA;
  }
  let vertices = verticesOf(subject);
  let heights = heightsOver(region, vertices);
  let lowest = slackOver(region);
  var enter = vec4f(0.0);
  var leave = vec4f(1.0);
  var enterEdge = vec4u(NO_EDGE);
  var leaveEdge = vec4u(NO_EDGE);
  var isGone = vec4<bool>(!region.isArea);
  for (var edge = 0u; edge < 4u; edge++) {
    let start = heights[edge];
    let end = start.yzwx;
    let isStartOut = start < vec4f(lowest[edge & 1u]);
    let isEndOut = isStartOut.yzwx;
    isGone |= isStartOut & isEndOut;
    let t = clamp(start / select(vec4f(1.0), start - end, isStartOut != isEndOut), vec4f(0.0), vec4f(1.0));
    let isLater = isStartOut & (t >= enter);
    enter = select(enter, t, isLater);
    enterEdge = select(enterEdge, vec4u(edge), isLater);
    let isEarlier = isEndOut & (t <= leave);
    leave = select(leave, t, isEarlier);
    leaveEdge = select(leaveEdge, vec4u(edge), isEarlier);
  }
  let isCrossing = !isGone & (enter <= leave);
  let owner = select(0u, MANIFOLD_VERTEX, isB);
  let starts = candidates(
    isCrossing, pointsAlong(vertices, enter), region, isB,
    select(crossingIds(enterEdge), vec4u(owner) | CORNER_NUMBERS, enterEdge == vec4u(NO_EDGE))
  );
  let ends = candidates(
    isCrossing & (leaveEdge != vec4u(NO_EDGE)), pointsAlong(vertices, leave), region, isB, crossingIds(leaveEdge)
  );
  // The region's vertices over the subject.
  let corners = verticesOf(region);
  let over = heightsOver(subject, corners);
  let least = slackOver(subject);
  let isOver = (over[0] >= vec4f(least.x)) & (over[1] >= vec4f(least.y)) & (over[2] >= vec4f(least.x)) & (over[3] >= vec4f(least.y));
  let others = candidates(
    isOver & vec4<bool>(faceA.isArea && faceB.isArea), corners, subject, !isB, vec4u(MANIFOLD_VERTEX - owner) | CORNER_NUMBERS
  );

  let none = Extremes(vec4f(-NOWHERE), vec4f(0.0), vec4f(0.0), vec4f(0.0), vec4f(0.0), vec4u(0u));
  var spread = Spread(ManifoldPoint(vec3f(0.0), NOWHERE, MANIFOLD_WITNESS), none, none);
  for (var i = 0u; i < 4u; i++) {
    spread = spreadWith(spread, starts, i, reach);
    spread = spreadWith(spread, ends, i, reach);
  }
  for (var i = 0u; i < 4u; i++) {
    spread = spreadWith(spread, others, i, reach);
  }
  var deepest = spread.deepest;
  if (deepest.distance > min(distance + MANIFOLD_DEPTH_ULPS * EPSILON, reach)) {
    deepest = ManifoldPoint(vec3f(0.0), distance, MANIFOLD_WITNESS);
  }
  return chosenPoints(deepest, spread.ahead, spread.behind, MANIFOLD_SAME_ULPS * EPSILON);
}

fn verticesOf(face: ContactFace) -> FourPoints {
  let p = face.columns[0];
  let q = face.columns[1];
  return FourPoints(
    face.origin.x + p.x * CORNER_P + q.x * CORNER_Q,
    face.origin.y + p.y * CORNER_P + q.y * CORNER_Q,
    face.origin.z + p.z * CORNER_P + q.z * CORNER_Q,
  );
}

// Of four points over the face's four edges, in halves of the width there.
fn heightsOver(face: ContactFace, points: FourPoints) -> array<vec4f, 4> {
  let p = face.columns[0].xy;
  let q = face.columns[1].xy;
  let area = cross2(p, q);
  let u = points.u - face.origin.x;
  let v = points.v - face.origin.y;
  let s = (u * q.y - v * q.x) / area;
  let t = (v * p.x - u * p.y) / area;
  return array(1.0 + t, 1.0 - s, 1.0 - t, 1.0 + s);
}

// The least heights over edges 0 and 2, and over 1 and 3, that still count as over the face.
fn slackOver(face: ContactFace) -> vec2f {
  let p = abs(face.columns[0].xy);
  let q = abs(face.columns[1].xy);
  let area = abs(cross2(face.columns[0].xy, face.columns[1].xy));
  return -MANIFOLD_INSIDE_ULPS * EPSILON * face.cosine * vec2f(p.x + p.y, q.x + q.y) / area;
}

// On the edges from each vertex to the next, at these shares of their lengths.
fn pointsAlong(vertices: FourPoints, share: vec4f) -> FourPoints {
  return FourPoints(
    vertices.u + (vertices.u.yzwx - vertices.u) * share,
    vertices.v + (vertices.v.yzwx - vertices.v) * share,
    vertices.h + (vertices.h.yzwx - vertices.h) * share,
  );
}

fn crossingIds(edges: vec4u) -> vec4u {
  let mask = vec4u((1u << MANIFOLD_EDGE_BITS) - 1u);
  return vec4u(MANIFOLD_CROSSING) | CORNER_NUMBERS | ((edges & mask) << vec4u(MANIFOLD_EDGE_BITS));
}

// Points of B's surface (or A's) and what of the other's plane lies under them (or over them).
fn candidates(isThere: vec4<bool>, points: FourPoints, region: ContactFace, isB: bool, id: vec4u) -> Candidates {
  let plane = region.origin.z + region.slope.x * (points.u - region.origin.x) + region.slope.y * (points.v - region.origin.y);
  let onA = select(points.h, plane, isB);
  let onB = select(plane, points.h, isB);
  return Candidates(isThere, FourPoints(points.u, points.v, onA), onB - onA, id);
}

fn spreadWith(spread: Spread, from_: Candidates, i: u32, reach: f32) -> Spread {
  let point = ManifoldPoint(vec3f(from_.at.u[i], from_.at.v[i], from_.at.h[i]), from_.distance[i], from_.id[i]);
  var next = spread;
  if (from_.isThere[i] && point.distance < spread.deepest.distance - MANIFOLD_TIE_ULPS * EPSILON) {
    next.deepest = point;
  }
  let along = DIRECTIONS_U * point.at.x + DIRECTIONS_V * point.at.y;
  let isIn = from_.isThere[i] && point.distance <= reach;
  next.ahead = farther(spread.ahead, select(vec4f(-NOWHERE), along, isIn), point);
  next.behind = farther(spread.behind, select(vec4f(-NOWHERE), -along, isIn), point);
  return next;
}
