// The manifold of two sharp boxes, whose contact faces are parallelograms: what manifold.wgsl does until it
// chooses, with the four edges of a face side by side in vectors and no loop over them.
//
//      3 ---2--- 2       vertices and edges of a face; in multiples of its columns p and q it is the square
//      |         |       from -1 to 1, and the heights of a point (s, t) over its edges are
//      3    o-p  1
//      |    q    |           1 + t,  1 - s,  1 - t,  1 + s
//      0 ---0--- 1

import package::shared::constants::{
  MANIFOLD_INSIDE_ULPS, MANIFOLD_NAME_SHARE, MANIFOLD_SAME_ULPS, MANIFOLD_TIE_ULPS
};
import package::shared::math::{EPSILON};
import package::contact-face::face::{ContactFace};
import package::corners::{cornerCount, offerCorner};
import package::manifold::clip::{cross2};
import package::manifold::features::{NO_EDGE, MANIFOLD_CROSSING, MANIFOLD_EDGE_BITS, MANIFOLD_VERTEX};

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
  name: vec4u,
}

// Offers the corners of the two faces' overlap.
fn offerBoxCorners(faceA: ContactFace, faceB: ContactFace, margin: f32) {
  let maxDistance = margin + MANIFOLD_TIE_ULPS * EPSILON;
  // B's edges over A's face, unless that is a line.
  let isB = faceA.isArea;
  var subject = faceA;
  var region = faceB;
  if (isB) {
    subject = faceB;
    region = faceA;
  }
  let vertices = verticesOf(subject);
  let overRegion = sharesOf(region, vertices);
  let heights = heightsOver(overRegion);
  let lowest = slackOver(region);
  let edges = lengthsOf(subject);
  let borders = lengthsOf(region);
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
  // On a face of almost no width, `enter` and `leave` differ only by rounding.
  let isCrossing = !isGone & ((enter - leave) * edges <= vec4f(MANIFOLD_INSIDE_ULPS * EPSILON));
  let owner = select(0u, MANIFOLD_VERTEX, isB);
  let own = vec4u(owner) | CORNER_NUMBERS;
  let starts = candidates(
    isCrossing, pointsAlong(vertices, enter), region, isB,
    select(crossingIds(enterEdge), own, enterEdge == vec4u(NO_EDGE)),
    verticesNear(
      sharesAlong(VERTEX_SHARES, enter), edges, sharesAlong(overRegion, enter), borders,
      min(edges, lengthOf(borders, enterEdge))
    )
  );
  let ends = candidates(
    isCrossing & (leaveEdge != vec4u(NO_EDGE)), pointsAlong(vertices, leave), region, isB, crossingIds(leaveEdge),
    verticesNear(
      sharesAlong(VERTEX_SHARES, leave), edges, sharesAlong(overRegion, leave), borders,
      min(edges, lengthOf(borders, leaveEdge))
    )
  );
  // The region's vertices over the subject.
  let corners = verticesOf(region);
  let overSubject = sharesOf(subject, corners);
  let over = heightsOver(overSubject);
  let least = slackOver(subject);
  let isOver = (over[0] >= vec4f(least.x)) & (over[1] >= vec4f(least.y)) &
      (over[2] >= vec4f(least.x)) & (over[3] >= vec4f(least.y));
  let others = candidates(
    isOver & vec4<bool>(faceA.isArea && faceB.isArea), corners, subject, !isB,
    vec4u(MANIFOLD_VERTEX - owner) | CORNER_NUMBERS,
    verticesNear(VERTEX_SHARES, borders, overSubject, edges, min(borders, vec4f(min(edges.x, edges.y))))
  );

  // Twelve corners can be offered, but no more than eight are kept, so that there is room for the contact's own point:
  // two convex quadrilaterals have at most eight corners in common. There are more candidates only by the slack, where
  // a vertex is at an edge. All of the region's vertices are over the subject then, and an edge of the subject that
  // both enters and leaves the region has cut a vertex off it by no more than the slack, beside which at least one of
  // both crossings is: edges meet at angles that MANIFOLD_LEAST_COSINE bounds. The two are one corner.
  // Two corners are in one place only where a vertex is at an edge.
  let same = select(
    0.0, MANIFOLD_SAME_ULPS * EPSILON, isAtEdge(region, heights, lowest) || isAtEdge(subject, over, least)
  );
  cornerCount = 0u;
  for (var i = 0u; i < 4u; i++) {
    let start = offeredCorner(starts, i);
    let end = offeredCorner(ends, i);
    let other = offeredCorner(others, i);
    // In a loop: compilers inline every call.
    for (var part = 0u; part < 3u; part++) {
      var candidate = start;
      if (part == 1u) {
        candidate = end;
      } else if (part == 2u) {
        candidate = other;
      }
      if (candidate.isThere) {
        offerCorner(candidate.place, candidate.id, candidate.name, maxDistance, same);
      }
    }
  }
}

struct OfferedCorner {
  isThere: bool,
  place: vec4f,
  id: u32,
  name: u32,
}

fn offeredCorner(from_: Candidates, i: u32) -> OfferedCorner {
  let place = vec4f(from_.at.u[i], from_.at.v[i], from_.at.h[i], from_.distance[i]);
  return OfferedCorner(from_.isThere[i], place, from_.id[i], from_.name[i]);
}

// Whether any of four points, given how far over the face's edges they are and the slack there, may be nearer than the
// slack and MANIFOLD_SAME_ULPS to one of the edges.
fn isAtEdge(face: ContactFace, heights: array<vec4f, 4>, slack: vec2f) -> bool {
  let near = (1.0 + MANIFOLD_SAME_ULPS / MANIFOLD_INSIDE_ULPS) * abs(slack) / max(face.cosine, 1e-3);
  return any(min(abs(heights[0]), abs(heights[2])) <= vec4f(near.x)) ||
      any(min(abs(heights[1]), abs(heights[3])) <= vec4f(near.y));
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

// Four points from a face's middle, in multiples of its columns.
struct FourShares {
  s: vec4f,
  t: vec4f,
}

// The face's own vertices.
const VERTEX_SHARES = FourShares(CORNER_P, CORNER_Q);

fn sharesOf(face: ContactFace, points: FourPoints) -> FourShares {
  let p = face.columns[0].xy;
  let q = face.columns[1].xy;
  let area = cross2(p, q);
  let u = points.u - face.origin.x;
  let v = points.v - face.origin.y;
  return FourShares((u * q.y - v * q.x) / area, (v * p.x - u * p.y) / area);
}

// The heights of four points over the face's four edges, in halves of the width there.
fn heightsOver(at: FourShares) -> array<vec4f, 4> {
  return array(1.0 + at.t, 1.0 - at.s, 1.0 - at.t, 1.0 + at.s);
}

// Lengths of the face's edges.
fn lengthsOf(face: ContactFace) -> vec4f {
  return 2.0 * vec2f(length(face.columns[0].xy), length(face.columns[1].xy)).xyxy;
}

fn lengthOf(edges: vec4f, number: vec4u) -> vec4f {
  return select(vec4f(edges.x), vec4f(edges.y), (number & vec4u(1u)) == vec4u(1u));
}

// The vertices of two faces that four points are no farther from than `band`, or NO_EDGE. The points are given on both
// faces, whose edges have these lengths.
struct NearVertices {
  ofSubject: vec4u,
  ofRegion: vec4u,
}

fn verticesNear(
  onSubject: FourShares, subjectEdges: vec4f, onRegion: FourShares, regionEdges: vec4f, shorterEdges: vec4f
) -> NearVertices {
  let band = MANIFOLD_NAME_SHARE * shorterEdges;
  return NearVertices(nearest(onSubject, subjectEdges, band), nearest(onRegion, regionEdges, band));
}

fn nearest(at: FourShares, edges: vec4f, band: vec4f) -> vec4u {
  let alongP = abs(1.0 - abs(at.s)) * (0.5 * edges.x);
  let alongQ = abs(1.0 - abs(at.t)) * (0.5 * edges.y);
  let isRight = at.s > vec4f(0.0);
  let number = select(select(vec4u(0u), vec4u(1u), isRight), select(vec4u(3u), vec4u(2u), isRight), at.t > vec4f(0.0));
  return select(vec4u(NO_EDGE), number, (alongP <= band) & (alongQ <= band));
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

fn sharesAlong(vertices: FourShares, share: vec4f) -> FourShares {
  return FourShares(
    vertices.s + (vertices.s.yzwx - vertices.s) * share, vertices.t + (vertices.t.yzwx - vertices.t) * share
  );
}

fn crossingIds(edges: vec4u) -> vec4u {
  let mask = vec4u((1u << MANIFOLD_EDGE_BITS) - 1u);
  return vec4u(MANIFOLD_CROSSING) | CORNER_NUMBERS | ((edges & mask) << vec4u(MANIFOLD_EDGE_BITS));
}

// Points of B's surface (or A's) and what of the other's plane, that of `region`, lies under them (or over them).
fn candidates(
  isThere: vec4<bool>, points: FourPoints, region: ContactFace, isB: bool, id: vec4u, near: NearVertices
) -> Candidates {
  let plane = region.origin.z + region.slope.x * (points.u - region.origin.x) +
      region.slope.y * (points.v - region.origin.y);
  let onA = select(points.h, plane, isB);
  let onB = select(plane, points.h, isB);
  let nearA = select(near.ofSubject, near.ofRegion, isB);
  let nearB = select(near.ofRegion, near.ofSubject, isB);
  let name = select(
    nearA, select(vec4u(MANIFOLD_VERTEX) | nearB, id, nearB == vec4u(NO_EDGE)), nearA == vec4u(NO_EDGE)
  );
  return Candidates(isThere, FourPoints(points.u, points.v, onA), onB - onA, id, name);
}
