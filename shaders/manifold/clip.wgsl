// Corners of the region where two contact faces lie over each other, seen along the normal:
//
//    B's vertices over A's face         o-------+        each with the height of the other face's plane under it; their
//    A's vertices over B's face         | A  +--x---+    difference is the distance there
//    crossings of both faces' edges     +----x--+ B |
//                                            +------o
//
// Each corner is found by itself, from the sides of edges that ends of edges are on, with no polygon in between. So
// faces may have any number of vertices, the result is the same whichever face is called the reference, and faces of
// next to no width, whose edges run along each other, have the corners that they have. A vertex is over a face if it is
// no farther from the face than a slack. That distance is measured from the edges themselves, because beyond a sharp
// tip a point can be near the lines of both edges and far from the face.

import package::shared::constants::{MANIFOLD_INSIDE_ULPS, MANIFOLD_NAME_SHARE, MANIFOLD_SAME_ULPS};
import package::shared::math::{EPSILON};
import package::contact-face::face::{ContactFace, FaceEdge, contactFaces, faceEdge, faceVertex, firstVertex};
import package::corners::{makeRoom, offerCorner};
import package::manifold::features::{crossingId};
import package::manifold::ids::{MANIFOLD_VERTEX, NO_EDGE};

fn cross2(a: vec2f, b: vec2f) -> f32 {
  return a.x * b.y - a.y * b.x;
}

// A point of the subject's surface that makes a corner, with the corner's id and name.
struct NamedPoint {
  point: vec3f,
  id: u32,
  name: u32,
}

// Where an edge enters and leaves the region, if it does (else the number is NO_EDGE): the region's edge there, and the
// heights of both ends over that edge.
struct Clip {
  // Whether the start is over the region.
  isOver: bool,
  // The region's vertex that is so near that the start has its name.
  namesake: u32,
  enter: Border,
  leave: Border,
}

struct Border {
  number: u32,
  edge: FaceEdge,
  heights: vec2f,
}

// Adds the vertices of contact face `number` over the other one, and the crossings of its edges with the other's. With
// `isPeak`, adds only the face's peak, if that is over the other one.
fn addCorners(number: u32, isPeak: bool, withCrossings: bool, maxDistance: f32) {
  let subject = contactFaces[number];
  let region = contactFaces[1u - number];
  let isB = number == 1u;
  let owner = select(0u, MANIFOLD_VERTEX, isB);
  let same = select(MANIFOLD_SAME_ULPS * EPSILON, 0.0, isPeak);
  var next = subject.peak;
  if (!isPeak) {
    next = firstVertex(subject);
  }
  let end = subject.count + select(0u, 1u, isPeak);
  for (var i = select(0u, subject.count, isPeak); i < end; i++) {
    let start = next;
    // A line has one edge, a point none.
    if (!isPeak && (subject.count > 2u || i == 0u)) {
      next = faceVertex(subject, select(i + 1u, 0u, i + 1u >= subject.count));
    }
    let found = clipEdge(region, start, next, withCrossings);
    if (!isPeak) {
      makeRoom();
    }
    // The vertex, then both crossings, in a loop: compilers inline every call.
    for (var part = 0u; part < 3u; part++) {
      var corner = NamedPoint(start, owner | i, owner | i);
      if (part == 0u) {
        if (!found.isOver) {
          continue;
        }
        if (isB && !isPeak && found.namesake != NO_EDGE) {
          corner.name = found.namesake;
        }
      } else {
        var border = found.leave;
        if (part == 1u) {
          border = found.enter;
        }
        if (border.number == NO_EDGE) {
          continue;
        }
        corner = crossing(subject, region, start, next, i, border, isB);
      }
      offerCorner(placeOver(region, corner.point, isB), corner.id, corner.name, maxDistance, same);
    }
  }
}

// Clips an edge against the region's edges. Whether it crosses one of them is decided for each alone, by the sides of
// either edge that the ends of the other are on. The places of crossings can't be compared reliably if the edges of a
// sharp tip run along each other, and a point that is barely outside both of those edges need not be near the tip.
fn clipEdge(region: ContactFace, start: vec3f, end: vec3f, withCrossings: bool) -> Clip {
  let slack = MANIFOLD_INSIDE_ULPS * EPSILON * region.cosine;
  let edge = end.xy - start.xy;
  let edgeSquare = dot(edge, edge);
  let edgeSlack = slack * (abs(edge.x) + abs(edge.y));
  let none = Border(NO_EDGE, FaceEdge(vec2f(0.0), vec2f(0.0)), vec2f(0.0));
  var found = Clip(false, NO_EDGE, none, none);
  var isOut = false;
  var nearest = 1e30;
  for (var i = 0u; i < region.count; i++) {
    let border = faceEdge(region, i, select(i + 1u, 0u, i + 1u == region.count));
    let from_ = start.xy - border.start;
    let square = dot(border.along, border.along);
    // Heights have the border's length as a factor. So has the slack, within a factor of 1.4.
    let heightStart = region.side * cross2(border.along, from_);
    let lowest = -slack * (abs(border.along.x) + abs(border.along.y));
    if (heightStart < 0.0) {
      let along = dot(border.along, from_);
      isOut = true;
      found.isOver |= heightStart >= lowest && along >= lowest && along <= square - lowest;
    }
    let gap = dot(from_, from_);
    if (gap < nearest && gap <= MANIFOLD_NAME_SHARE * MANIFOLD_NAME_SHARE * min(square, edgeSquare)) {
      nearest = gap;
      found.namesake = i;
    }
    if (withCrossings) {
      let heightEnd = region.side * cross2(border.along, end.xy - border.start);
      // Heights of the border's ends over the subject's edge.
      let low = cross2(from_, edge);
      let high = low - cross2(border.along, edge);
      if ((heightStart < 0.0) != (heightEnd < 0.0) && min(low, high) <= edgeSlack && max(low, high) >= -edgeSlack) {
        let crossed = Border(i, border, vec2f(heightStart, heightEnd));
        if (heightStart < 0.0) {
          found.enter = crossed;
        } else {
          found.leave = crossed;
        }
      }
    }
  }
  found.isOver |= !isOut;
  return found;
}

// The crossing of the subject's edge with one of the region's.
fn crossing(
  subject: ContactFace, region: ContactFace, start: vec3f, end: vec3f, number: u32, crossed: Border, isB: bool
) -> NamedPoint {
  let next = select(crossed.number + 1u, 0u, crossed.number + 1u == region.count);
  let border = crossed.edge;
  let heights = crossed.heights;
  let edge = end - start;
  // The squared lengths of a body that is tiny beside the other may be too small for f32.
  let square = max(dot(border.along, border.along), 1e-30);
  let edgeSquare = max(dot(edge.xy, edge.xy), 1e-30);
  var t = clamp(heights.x / (heights.x - heights.y), 0.0, 1.0);
  var at = start + edge * t;
  // Edges that run along each other cross anywhere, but not beyond the end of the region's edge.
  let along = dot(at.xy - border.start, border.along) / square;
  let s = clamp(along, 0.0, 1.0);
  if (s != along) {
    let shift = (s - along) * border.along;
    t = clamp(t + dot(shift, edge.xy) / edgeSquare, 0.0, 1.0);
    at = vec3f(at.xy + shift, start.z + edge.z * t);
  }
  let id = crossingId(number, crossed.number);
  // As shares of both edges.
  let band = MANIFOLD_NAME_SHARE * sqrt(min(square, edgeSquare) / vec2f(edgeSquare, square));
  let ofSubject = vertexNear(t, band.x, number, select(number + 1u, 0u, number + 1u >= subject.count));
  let ofRegion = vertexNear(s, band.y, crossed.number, next);
  let ofA = select(ofSubject, ofRegion, isB);
  let ofB = select(ofRegion, ofSubject, isB);
  var name = id;
  if (ofA != NO_EDGE) {
    name = ofA;
  } else if (ofB != NO_EDGE) {
    name = MANIFOLD_VERTEX | ofB;
  }
  return NamedPoint(at, id, name);
}

// The end of an edge that a point at `share` of its length is near.
fn vertexNear(share: f32, band: f32, first: u32, last: u32) -> u32 {
  return select(select(NO_EDGE, last, share >= 1.0 - band), first, share <= band);
}

// The place of a corner from a point of the subject's surface: u, v, h on A's surface, and the distance to B's. The
// other surface is the region's plane, under a point of B or over a point of A.
fn placeOver(region: ContactFace, point: vec3f, isB: bool) -> vec4f {
  let height = region.anchor.z + dot(region.slope, point.xy - region.anchor.xy);
  return vec4f(point.xy, select(point.z, height, isB), select(height - point.z, point.z - height, isB));
}
