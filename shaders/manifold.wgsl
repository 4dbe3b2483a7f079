// Up to four points that a contact can be held by: the region where both shapes' contact faces lie over each other,
// seen along the contact normal, reduced to a deepest corner and those that make the widest quadrilateral with it
// (corners.wgsl).
//
// Corners of the region are
//
//    B's vertices over A's face         o-------+        each with the height of the other face's plane under it; their
//    A's vertices over B's face         | A  +--x---+    difference is the distance there
//    crossings of both faces' edges     +----x--+ B |
//                                            +------o
//
// Each is found by itself, from the sides of edges that ends of edges are on, with no polygon in between: faces may
// have any number of vertices, it is the same whichever face is called the reference, and faces of next to no width,
// whose edges run along each other, have the corners that they have. A vertex is over a face that it is no farther from
// than a slack: from the edges themselves, as beyond a sharp tip a point can be near the lines of both edges and far
// from the face.
//
// A corner is known by a name, its feature: A's vertex if one is there or hardly away, then B's, then the two edges. So
// bodies that tremble where vertices lie on each other, or on edges, keep their features.
//
// Where no corner is as deep as the contact (of edges and tips the faces do not maxDistance to it; round shapes bend
// away) the deepest point is a peak, or else the contact's own point, with the name of the corner beside it if there is
// one.

import package::shared::constants::{
  MANIFOLD_CURVED_DEPTH, MANIFOLD_CURVED_SAME, MANIFOLD_DEPTH_ULPS, MANIFOLD_INSIDE_ULPS, MANIFOLD_LEAST_COSINE, MANIFOLD_LEVEL,
  MANIFOLD_NAME_SHARE, MANIFOLD_OWN_RADIUS, MANIFOLD_RIM_RADIUS, MANIFOLD_SAME_ULPS, MANIFOLD_TIE_ULPS
};
import package::shared::math::{EPSILON};
import package::shared::shapes::{CORE_HULL};
import package::contact-face::face::{ContactFace, faceEdge, faceVertex, faceVertexNumber};
import package::corners::{
  ChosenCorners, addCorner, cornerCount, cornerIds, cornerPlaces, deepestCorner, offerCorner, removeCorner
};
import package::corners::choose::{chooseCorners};

// What a corner is: bits 30 and 31; 0 is a vertex of A's. See docs/conventions.md, "Features of manifold points".
const MANIFOLD_VERTEX: u32 = 1u << 30u;
const MANIFOLD_CROSSING: u32 = 2u << 30u;
const MANIFOLD_WITNESS: u32 = 3u << 30u;
// Of a vertex: it is B's.
const MANIFOLD_VERTEX_OF_B: u32 = 1u << 29u;
const MANIFOLD_EDGE_BITS: u32 = 15u;
// Numbers of two vertices below this make keys of their own.
const MANIFOLD_EDGE_BASE: u32 = 181u;

const NO_EDGE: u32 = 0xffffffffu;

// The frame's origin is the contact's point on A, `distance` the contact's; `margin` and `size`, the sum of the
// bounding radii, are in the pair's unit, too. Points of curved pairs that are hardly apart count once.
fn manifold(faceA: ContactFace, faceB: ContactFace, distance: f32, margin: f32, size: f32, isCurved: bool) -> ChosenCorners {
  let maxDistance = margin + MANIFOLD_TIE_ULPS * EPSILON;
  cornerCount = 0u;
  if (faceA.count == 2u && faceB.count == 2u) {
    addLineCorners(faceA, faceB, maxDistance);
  } else {
    // One face's edges against the other; where both are areas, then the other's vertices against the one. In a loop:
    // compilers inline every call.
    let rounds = select(0u, 1u, faceA.isArea) + select(0u, 1u, faceB.isArea);
    for (var round = 0u; round < rounds; round++) {
      let isB = (round == 0u) == faceA.isArea;
      var subject = faceA;
      var region = faceB;
      if (isB) {
        subject = faceB;
        region = faceA;
      }
      addCorners(subject, region, isB, round == 0u, maxDistance);
    }
  }
  let known = select(MANIFOLD_DEPTH_ULPS * EPSILON, MANIFOLD_CURVED_DEPTH, isCurved);
  let level = MANIFOLD_LEVEL * size;
  let hasOwn = asksForOwn(distance, known, level);
  if (hasOwn && !addPeaks(faceA, faceB, min(distance + known, maxDistance))) {
    addWitness(faceA, faceB, distance, select(MANIFOLD_OWN_RADIUS, MANIFOLD_CURVED_SAME, isCurved));
  }
  return chooseCorners(select(level, 0.5 * known, hasOwn), select(MANIFOLD_SAME_ULPS * EPSILON, MANIFOLD_CURVED_SAME, isCurved));
}

// Whether no corner is as deep as the contact. Where several are as good as that no other point is asked for: those of
// round shapes wander while they stand.
fn asksForOwn(distance: f32, known: f32, level: f32) -> bool {
  if (cornerCount == 0u) {
    return true;
  }
  return cornerPlaces[deepestCorner()].w > distance + known && !(cornerCount > 2u && areLevel(distance + level));
}

// Whether all corners are at most this far apart.
fn areLevel(most: f32) -> bool {
  for (var i = 0u; i < cornerCount; i++) {
    if (cornerPlaces[i].w > most) {
      return false;
    }
  }
  return true;
}

// Adds the peak of either face, B's first, if there is one that deep.
fn addPeaks(faceA: ContactFace, faceB: ContactFace, most: f32) -> bool {
  for (var side = 0u; side < 2u; side++) {
    let isB = side == 0u;
    var subject = faceA;
    var region = faceB;
    if (isB) {
      subject = faceB;
      region = faceA;
    }
    if (addPeak(subject, region, isB, most)) {
      return true;
    }
  }
  return false;
}

// Adds the contact's own point. It has the name of what it is beside: of a corner, which it takes the place of, or else
// of a vertex of either face or a peak.
fn addWitness(faceA: ContactFace, faceB: ContactFace, distance: f32, radius: f32) {
  var name = MANIFOLD_WITNESS;
  var nearest = radius * radius;
  var replaced = NO_EDGE;
  for (var i = 0u; i < cornerCount; i++) {
    let place = cornerPlaces[i].xy;
    if (dot(place, place) < nearest) {
      nearest = dot(place, place);
      name = cornerIds[i].y;
      replaced = i;
    }
  }
  if (replaced != NO_EDGE) {
    removeCorner(replaced);
  }
  for (var side = 0u; side < 2u && name == MANIFOLD_WITNESS; side++) {
    var face = faceA;
    if (side == 1u) {
      face = faceB;
    }
    // The fixed points of a rim are no better than any other of its points.
    for (var i = select(0u, face.count, face.kind > CORE_HULL && face.hasPeak); i < face.count + select(0u, 1u, face.hasPeak); i++) {
      var at = face.peak.xy;
      var least = nearest;
      if (i < face.count) {
        at = faceVertex(face, i).xy;
      } else if (name == MANIFOLD_WITNESS && face.kind > CORE_HULL) {
        least = MANIFOLD_RIM_RADIUS * MANIFOLD_RIM_RADIUS;
      }
      if (dot(at, at) < least) {
        nearest = dot(at, at);
        name = side * MANIFOLD_VERTEX + i;
      }
    }
  }
  addCorner(vec4f(0.0, 0.0, 0.0, distance), MANIFOLD_WITNESS, name, 0.0);
}

// Adds the face's farthest point if it is over the other and at most so far from that; the vertex that it stands for
// goes.
fn addPeak(subject: ContactFace, region: ContactFace, isB: bool, most: f32) -> bool {
  if (!subject.hasPeak || !region.isArea) {
    return false;
  }
  let place = placeOver(region, subject.peak, isB);
  if (place.w > most || !clipEdge(region, subject.peak, subject.peak, false).isOver) {
    return false;
  }
  let id = select(0u, MANIFOLD_VERTEX, isB) + subject.count;
  for (var i = cornerCount; i > 0u; i--) {
    let name = cornerIds[i - 1u].y;
    if ((name ^ id) < MANIFOLD_VERTEX && faceVertexNumber(subject, name & (MANIFOLD_VERTEX - 1u)) == subject.peakNumber) {
      removeCorner(i - 1u);
    }
  }
  addCorner(place, id, id, 0.0);
  return true;
}

fn cross2(a: vec2f, b: vec2f) -> f32 {
  return a.x * b.y - a.y * b.x;
}

// Where an edge enters and where it leaves the region, if it does: the region's edge there, and how far the ends are
// over that.
struct Clip {
  // Whether the start is over the region.
  isOver: bool,
  // Which of the region's vertices is so near that the start has its name.
  namesake: u32,
  enterEdge: u32,
  enterHeights: vec2f,
  leaveEdge: u32,
  leaveHeights: vec2f,
}

// The subject's vertices over the region, and where its edges cross the region's.
fn addCorners(subject: ContactFace, region: ContactFace, isB: bool, withCrossings: bool, maxDistance: f32) {
  let owner = select(0u, MANIFOLD_VERTEX, isB);
  var next = faceVertex(subject, 0u);
  for (var i = 0u; i < subject.count; i++) {
    let start = next;
    // A line has one edge, a point none.
    if (subject.count > 2u || i == 0u) {
      next = faceVertex(subject, select(i + 1u, 0u, i + 1u >= subject.count));
    }
    let found = clipEdge(region, start, next, withCrossings);
    let id = owner | i;
    if (found.isOver) {
      let name = select(id, found.namesake, isB && found.namesake != NO_EDGE);
      offerCorner(placeOver(region, start, isB), id, name, maxDistance, MANIFOLD_SAME_ULPS * EPSILON);
    }
    for (var side = 0u; side < 2u; side++) {
      let edge = select(found.leaveEdge, found.enterEdge, side == 0u);
      if (edge != NO_EDGE) {
        let heights = select(found.leaveHeights, found.enterHeights, side == 0u);
        addCrossing(subject, region, start, next, i, edge, heights, isB, maxDistance);
      }
    }
  }
}

// Clips an edge against the region's. Each decides by itself whether the two cross, by the sides on which the ends of
// either are of the other: where a sharp tip's edges run along each other no comparison of where they are crossed can
// be relied on, nor is what is hardly outside both of them near the tip.
fn clipEdge(region: ContactFace, start: vec3f, end: vec3f, withCrossings: bool) -> Clip {
  let slack = MANIFOLD_INSIDE_ULPS * EPSILON * region.cosine;
  let edge = end.xy - start.xy;
  let edgeSquare = dot(edge, edge);
  let edgeSlack = slack * (abs(edge.x) + abs(edge.y));
  var found = Clip(false, NO_EDGE, NO_EDGE, vec2f(0.0), NO_EDGE, vec2f(0.0));
  var isOut = false;
  var nearest = 1e30;
  for (var i = 0u; i < region.count; i++) {
    let border = faceEdge(region, i, select(i + 1u, 0u, i + 1u == region.count));
    let from_ = start.xy - border.start;
    let square = dot(border.along, border.along);
    // Times the edge's length, and so is the slack, or up to 1.4 times that.
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
      // Of the region's edge's ends over the subject's.
      let low = cross2(from_, edge);
      let high = low - cross2(border.along, edge);
      if ((heightStart < 0.0) != (heightEnd < 0.0) && min(low, high) <= edgeSlack && max(low, high) >= -edgeSlack) {
        if (heightStart < 0.0) {
          found.enterEdge = i;
          found.enterHeights = vec2f(heightStart, heightEnd);
        } else {
          found.leaveEdge = i;
          found.leaveHeights = vec2f(heightStart, heightEnd);
        }
      }
    }
  }
  found.isOver |= !isOut;
  return found;
}

// Adds where the subject's edge crosses one of the region's, given how far its ends are over that.
fn addCrossing(
  subject: ContactFace, region: ContactFace, start: vec3f, end: vec3f, number: u32, regionEdge: u32, heights: vec2f,
  isB: bool, maxDistance: f32
) {
  let next = select(regionEdge + 1u, 0u, regionEdge + 1u == region.count);
  let border = faceEdge(region, regionEdge, next);
  let edge = end - start;
  // Of a body that is next to nothing beside the other even the lengths' squares are too small for f32.
  let square = max(dot(border.along, border.along), 1e-30);
  let edgeSquare = max(dot(edge.xy, edge.xy), 1e-30);
  var t = clamp(heights.x / (heights.x - heights.y), 0.0, 1.0);
  var at = start + edge * t;
  // Edges that run along each other cross somewhere: not beyond the region's.
  let along = dot(at.xy - border.start, border.along) / square;
  let s = clamp(along, 0.0, 1.0);
  if (s != along) {
    let shift = (s - along) * border.along;
    t = clamp(t + dot(shift, edge.xy) / edgeSquare, 0.0, 1.0);
    at = vec3f(at.xy + shift, start.z + edge.z * t);
  }
  let id = crossingId(number, regionEdge);
  // As shares of both edges.
  let band = MANIFOLD_NAME_SHARE * sqrt(min(square, edgeSquare) / vec2f(edgeSquare, square));
  let ofSubject = vertexNear(t, band.x, number, select(number + 1u, 0u, number + 1u >= subject.count));
  let ofRegion = vertexNear(s, band.y, regionEdge, next);
  let ofA = select(ofSubject, ofRegion, isB);
  let ofB = select(ofRegion, ofSubject, isB);
  var name = id;
  if (ofA != NO_EDGE) {
    name = ofA;
  } else if (ofB != NO_EDGE) {
    name = MANIFOLD_VERTEX | ofB;
  }
  offerCorner(placeOver(region, at, isB), id, name, maxDistance, MANIFOLD_SAME_ULPS * EPSILON);
}

// Which of an edge's ends a point at a share of it is at.
fn vertexNear(share: f32, band: f32, first: u32, last: u32) -> u32 {
  return select(select(NO_EDGE, last, share >= 1.0 - band), first, share <= band);
}

fn crossingId(subjectEdge: u32, regionEdge: u32) -> u32 {
  let mask = (1u << MANIFOLD_EDGE_BITS) - 1u;
  return MANIFOLD_CROSSING | (subjectEdge & mask) | ((regionEdge & mask) << MANIFOLD_EDGE_BITS);
}

// A point of B's surface (or A's) and what of the other's plane lies under it (or over it): u, v, h on A's, and the
// distance.
fn placeOver(region: ContactFace, point: vec3f, isB: bool) -> vec4f {
  let height = region.anchor.z + dot(region.slope, point.xy - region.anchor.xy);
  return vec4f(point.xy, select(point.z, height, isB), select(height - point.z, point.z - height, isB));
}

// Two lines side by side: the ends of where they overlap. Rounded ones bend away from each other where they don't run
// in one plane: the point lies between them by the share of their radii, which is where two circles are nearest, at the
// heights of both surfaces.
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
      offerCorner(vec4f(uv, heightA.value, heightB.value - heightA.value), id, id, maxDistance, MANIFOLD_SAME_ULPS * EPSILON);
    }
  }
}

struct LineHeight {
  isOver: bool,
  value: f32,
}

// Where the surface around a line is at u, v: where the ray along h meets the cylinder or, beyond the line's ends, the
// ball there.
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

// Features of the chosen corners: by their names or, where those would be the same of two, by what each is.
fn chosenFeatures(faceA: ContactFace, faceB: ContactFace, chosen: ChosenCorners) -> vec4u {
  var features = vec4u(0u);
  for (var attempt = 0u; attempt < 2u; attempt++) {
    for (var k = 0u; k < chosen.count; k++) {
      features[k] = pointFeature(faceA, faceB, cornerIds[chosen.numbers[k]][1u - attempt]);
    }
    var areAlike = false;
    for (var k = 1u; k < chosen.count; k++) {
      for (var m = 0u; m < k; m++) {
        areAlike |= features[k] == features[m];
      }
    }
    if (!areAlike) {
      break;
    }
  }
  return features;
}

// What a corner is in terms of the shapes, whichever face was clipped against the other: see docs/conventions.md.
fn pointFeature(faceA: ContactFace, faceB: ContactFace, id: u32) -> u32 {
  let kind = id & (3u << 30u);
  if (kind == MANIFOLD_WITNESS) {
    return MANIFOLD_WITNESS;
  }
  if (kind == MANIFOLD_CROSSING) {
    let mask = (1u << MANIFOLD_EDGE_BITS) - 1u;
    let edges = vec2u(id & mask, (id >> MANIFOLD_EDGE_BITS) & mask);
    let ofA = select(edges.x, edges.y, faceA.isArea);
    let ofB = select(edges.y, edges.x, faceA.isArea);
    return MANIFOLD_CROSSING | edgeKey(faceA, ofA) | (edgeKey(faceB, ofB) << MANIFOLD_EDGE_BITS);
  }
  let number = id & (MANIFOLD_VERTEX - 1u);
  if (kind == MANIFOLD_VERTEX) {
    return MANIFOLD_VERTEX | MANIFOLD_VERTEX_OF_B | faceVertexNumber(faceB, number);
  }
  return MANIFOLD_VERTEX | faceVertexNumber(faceA, number);
}

// The same from either end.
fn edgeKey(face: ContactFace, edge: u32) -> u32 {
  let a = faceVertexNumber(face, edge);
  let b = faceVertexNumber(face, select(edge + 1u, 0u, edge + 1u >= face.count));
  return (min(a, b) * MANIFOLD_EDGE_BASE + max(a, b)) & ((1u << MANIFOLD_EDGE_BITS) - 1u);
}
