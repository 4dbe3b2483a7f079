// Up to four points that a contact can be held by: the region where both shapes' contact faces lie over each other, seen along the contact
// normal, reduced to its deepest point and the three that make the widest quadrilateral with it.
//
// Clipping follows Cyrus and Beck, "Generalized two- and three-dimensional clipping by convex polyhedra" (1978): edges of one face against
// all edges of the other. Unlike Sutherland and Hodgman's, it needs no memory for polygons in between, so that faces of any number of
// vertices can be clipped, and it is the same whichever face is called the reference: corners of the region are
//
//    B's vertices over A's face         o-------+        each with the height of the other face's plane under it; their
//    A's vertices over B's face         | A  +--x---+    difference is the distance there
//    crossings of both faces' edges     +----x--+ B |
//                                            +------o
//
// They are not kept: of all of them in turn the deepest one is remembered, and the farthest in eight directions. Of these,
//
//    1  the deepest is the first point;
//    2  the farthest from it the second;
//    3  the farthest from the line through both, on either side, the others;
//    4  where one side has none, what adds most to the triangle; where neither has, what lies behind the first.
//
// Where a rounded shape has its peak among them, the vertex of the face that is rounded there is none.
//
// A later candidate has to beat an earlier one by a slack, so that what ties by symmetry does not change places from frame to frame.
// Where no candidate is as deep as the contact (of edges and tips the faces do not reach to it) the contact's own point is the first.

import package::shared::constants::{
  MANIFOLD_CURVED_DEPTH, MANIFOLD_CURVED_SAME, MANIFOLD_INSIDE_ULPS, MANIFOLD_SAME_ULPS, MANIFOLD_TIE_ULPS, MANIFOLD_DEPTH_ULPS, MANIFOLD_GAIN,
  MANIFOLD_LEAST_COSINE
};
import package::shared::math::{EPSILON};
import package::contact-face::{ContactFace, faceEdge, faceVertex, faceVertexNumber};

// What a point lies on: bits 30 and 31, see src/types.ts.
const MANIFOLD_VERTEX: u32 = 1u << 30u;
const MANIFOLD_CROSSING: u32 = 2u << 30u;
const MANIFOLD_WITNESS: u32 = 3u << 30u;
// Of a vertex: it is B's.
const MANIFOLD_VERTEX_OF_B: u32 = 1u << 29u;
const MANIFOLD_EDGE_BITS: u32 = 15u;
// Numbers of two vertices below this make keys of their own.
const MANIFOLD_EDGE_BASE: u32 = 181u;

const NO_EDGE: u32 = 0xffffffffu;

struct ManifoldPoint {
  // On A's surface, in the frame of the contact faces.
  at: vec3f,
  // Along the normal to B's.
  distance: f32,
  // What it lies on, by the faces' own numbers: see `pointFeature`.
  id: u32,
}

struct ManifoldPoints {
  count: u32,
  first: ManifoldPoint,
  second: ManifoldPoint,
  third: ManifoldPoint,
  fourth: ManifoldPoint,
}

// The farthest candidates in four directions, and how far they are: -NOWHERE before there is one.
struct Extremes {
  reach: vec4f,
  u: vec4f,
  v: vec4f,
  h: vec4f,
  distance: vec4f,
  id: vec4u,
}

const NOWHERE: f32 = 1e30;

// Eighths of a circle, turned by 13 degrees: corners of squares that stand along u and v, or diagonally, don't tie. The other
// four are opposite.
const DIRECTIONS_U = vec4f(0.9743701, 0.5299192, -0.2249511, -0.8480481);
const DIRECTIONS_V = vec4f(0.2249511, 0.8480481, 0.9743701, 0.5299192);

// What an edge contributes: where it starts and where it ends over the other face.
struct Corners {
  hasStart: bool,
  hasEnd: bool,
  start: ManifoldPoint,
  end: ManifoldPoint,
}

// The frame's origin is the contact's point on A, `distance` the contact's; `margin` is in the pair's unit, too. Points of curved pairs
// that are hardly apart count once.
fn manifold(faceA: ContactFace, faceB: ContactFace, distance: f32, margin: f32, isCurved: bool) -> ManifoldPoints {
  let reach = margin + MANIFOLD_TIE_ULPS * EPSILON;
  let areLines = faceA.count == 2u && faceB.count == 2u;
  // One face's edges against the other; where both are areas, then the other's vertices against the one.
  let roundCount = select(0u, 1u, faceA.isArea || areLines) + select(0u, 1u, faceB.isArea);
  // Deep enough to be the deepest.
  var deepest = ManifoldPoint(vec3f(0.0), NOWHERE, MANIFOLD_WITNESS);
  var ahead = Extremes(vec4f(-NOWHERE), vec4f(0.0), vec4f(0.0), vec4f(0.0), vec4f(0.0), vec4u(0u));
  var behind = ahead;
  for (var round = 0u; round < roundCount; round++) {
    let isB = (round == 0u) == faceA.isArea;
    var subject = faceA;
    var region = faceB;
    if (isB) {
      subject = faceB;
      region = faceA;
    }
    let edgeCount = select(subject.count, 1u, subject.count == 2u);
    let hasPeak = subject.hasPeak && !areLines;
    // Where the peak may stand for a vertex it comes first; else last, so that a vertex in the same place is preferred.
    let firstEdge = select(0u, 1u, hasPeak && subject.isRounded);
    let subjectCount = edgeCount + select(0u, 1u, hasPeak);
    var next = faceVertex(subject, 0u);
    var isPeakIn = false;
    for (var i = 0u; i < subjectCount; i++) {
      var corners: Corners;
      if (areLines) {
        corners = lineCorners(faceA, faceB);
      } else {
        let isPeak = i < firstEdge || i - firstEdge == edgeCount;
        let number = select(i - firstEdge, subject.count, isPeak);
        var start = subject.peak;
        var end = subject.peak;
        if (!isPeak) {
          start = next;
          next = faceVertex(subject, select(number + 1u, 0u, number + 1u >= subject.count));
          end = next;
        }
        corners = edgeCorners(subject, region, start, end, number, isB, round == 0u);
        if (isPeak) {
          isPeakIn = corners.hasStart;
        } else if (isPeakIn && subject.isRounded) {
          corners.hasStart = corners.hasStart && !(isVertex(corners.start) && faceVertexNumber(subject, number) == subject.peakNumber);
          corners.hasEnd = corners.hasEnd && !(isVertex(corners.end) && subject.ends.y == subject.peakNumber);
        }
      }
      for (var end = 0u; end < 2u - round; end++) {
        var point = corners.start;
        var isCandidate = corners.hasStart;
        if (end == 1u) {
          point = corners.end;
          isCandidate = corners.hasEnd;
        }
        if (isCandidate && point.distance < deepest.distance - MANIFOLD_TIE_ULPS * EPSILON) {
          deepest = point;
        }
        if (isCandidate && point.distance <= reach) {
          let along = DIRECTIONS_U * point.at.x + DIRECTIONS_V * point.at.y;
          ahead = farther(ahead, along, point);
          behind = farther(behind, -along, point);
        }
      }
    }
  }
  let known = select(MANIFOLD_DEPTH_ULPS * EPSILON, MANIFOLD_CURVED_DEPTH, isCurved);
  if (deepest.distance > min(distance + known, reach)) {
    deepest = ManifoldPoint(vec3f(0.0), distance, MANIFOLD_WITNESS);
  }
  return chosenPoints(deepest, ahead, behind, select(MANIFOLD_SAME_ULPS * EPSILON, MANIFOLD_CURVED_SAME, isCurved));
}

fn farther(extremes: Extremes, along: vec4f, point: ManifoldPoint) -> Extremes {
  let isFarther = along > extremes.reach + MANIFOLD_SAME_ULPS * EPSILON;
  return Extremes(
    select(extremes.reach, along, isFarther),
    select(extremes.u, vec4f(point.at.x), isFarther),
    select(extremes.v, vec4f(point.at.y), isFarther),
    select(extremes.h, vec4f(point.at.z), isFarther),
    select(extremes.distance, vec4f(point.distance), isFarther),
    select(extremes.id, vec4u(point.id), isFarther),
  );
}

// The first point and the three of the others that spread it most.
fn chosenPoints(first: ManifoldPoint, ahead: Extremes, behind: Extremes, same: f32) -> ManifoldPoints {
  var found: ManifoldPoints;
  found.count = 1u;
  found.first = first;
  if (ahead.reach.x == -NOWHERE) {
    return found;
  }
  // From the first point.
  let aheadU = ahead.u - first.at.x;
  let aheadV = ahead.v - first.at.y;
  let behindU = behind.u - first.at.x;
  let behindV = behind.v - first.at.y;
  let second = greatest(aheadU * aheadU + aheadV * aheadV, behindU * behindU + behindV * behindV, same * same);
  if (second == NO_EXTREME) {
    return found;
  }
  found.count = 2u;
  found.second = extreme(ahead, behind, second);
  let base = found.second.at.xy - first.at.xy;
  let least = same * length(base);
  // Twice the areas of triangles over the base.
  let aheadArea = base.x * aheadV - base.y * aheadU;
  let behindArea = base.x * behindV - base.y * behindU;
  var third = greatest(aheadArea, behindArea, least);
  var fourth = greatest(-aheadArea, -behindArea, least);
  if (third == NO_EXTREME && fourth == NO_EXTREME) {
    // On one line: what lies behind the first point.
    third = greatest(-(base.x * aheadU + base.y * aheadV), -(base.x * behindU + base.y * behindV), least);
  } else if (third == NO_EXTREME || fourth == NO_EXTREME) {
    // On one side: what adds most area outside the triangle's other two edges.
    let turn = select(1.0, -1.0, third == NO_EXTREME);
    third = min(third, fourth);
    let top = extreme(ahead, behind, third).at.xy - first.at.xy;
    let edge = top - base;
    fourth = greatest(
      max(turn * (edge.y * (aheadU - base.x) - edge.x * (aheadV - base.y)), turn * (top.x * aheadV - top.y * aheadU)),
      max(turn * (edge.y * (behindU - base.x) - edge.x * (behindV - base.y)), turn * (top.x * behindV - top.y * behindU)),
      least
    );
  }
  if (third != NO_EXTREME) {
    found.count = 3u;
    found.third = extreme(ahead, behind, third);
  }
  if (fourth != NO_EXTREME) {
    found.count = 4u;
    found.fourth = extreme(ahead, behind, fourth);
  }
  return found;
}

const NO_EXTREME: u32 = 0xffffffffu;

// A score and whose it is.
struct Best {
  score: f32,
  number: u32,
}

// The number of the greatest score above `least`: 0 to 3 ahead, 4 to 7 behind.
fn greatest(ahead: vec4f, behind: vec4f, least: f32) -> u32 {
  var best = Best(least, NO_EXTREME);
  best = greater(best, ahead.x, 0u);
  best = greater(best, ahead.y, 1u);
  best = greater(best, ahead.z, 2u);
  best = greater(best, ahead.w, 3u);
  best = greater(best, behind.x, 4u);
  best = greater(best, behind.y, 5u);
  best = greater(best, behind.z, 6u);
  best = greater(best, behind.w, 7u);
  return best.number;
}

fn greater(best: Best, score: f32, number: u32) -> Best {
  let isGreater = score > best.score * MANIFOLD_GAIN;
  return Best(select(best.score, score, isGreater), select(best.number, number, isGreater));
}

// By masks: a number that differs from invocation to invocation is no index for vectors that should stay in registers.
fn extreme(ahead: Extremes, behind: Extremes, number: u32) -> ManifoldPoint {
  let of_ = select(vec4f(0.0), vec4f(1.0), vec4u(0u, 1u, 2u, 3u) == vec4u(number & 3u));
  let isAhead = number < 4u;
  let mask = vec4u(of_);
  let ids = select(behind.id, ahead.id, isAhead) * mask;
  return ManifoldPoint(
    vec3f(
      dot(select(behind.u, ahead.u, isAhead), of_),
      dot(select(behind.v, ahead.v, isAhead), of_),
      dot(select(behind.h, ahead.h, isAhead), of_),
    ),
    dot(select(behind.distance, ahead.distance, isAhead), of_),
    ids.x | ids.y | ids.z | ids.w,
  );
}

fn isVertex(point: ManifoldPoint) -> bool {
  return point.id < MANIFOLD_CROSSING;
}

fn cross2(a: vec2f, b: vec2f) -> f32 {
  return a.x * b.y - a.y * b.x;
}

// An edge of the subject, or its peak, from `start` to `end`, clipped against the region. `number` is that of the vertex at its start.
fn edgeCorners(
  subject: ContactFace, region: ContactFace, start: vec3f, end: vec3f, number: u32, isB: bool, withCrossings: bool
) -> Corners {
  let slack = MANIFOLD_INSIDE_ULPS * EPSILON * region.cosine;
  var corners: Corners;
  var enter = 0.0;
  var leave = 1.0;
  var enterEdge = NO_EDGE;
  var leaveEdge = NO_EDGE;
  for (var edge = 0u; edge < region.count; edge++) {
    let border = faceEdge(region, edge, select(edge + 1u, 0u, edge + 1u == region.count));
    // Times the edge's length, and so is the slack, or up to 1.4 times that.
    let inward = region.side * vec2f(-border.along.y, border.along.x);
    let heightStart = dot(inward, start.xy - border.start);
    let lowest = -slack * (abs(inward.x) + abs(inward.y));
    let isStartOut = heightStart < lowest;
    if (!withCrossings) {
      if (isStartOut) {
        return corners;
      }
      continue;
    }
    let heightEnd = dot(inward, end.xy - border.start);
    let isEndOut = heightEnd < lowest;
    if (isStartOut && isEndOut) {
      return corners;
    }
    let t = clamp(heightStart / select(1.0, heightStart - heightEnd, isStartOut != isEndOut), 0.0, 1.0);
    if (isStartOut && t >= enter) {
      enter = t;
      enterEdge = edge;
    }
    if (isEndOut && t <= leave) {
      leave = t;
      leaveEdge = edge;
    }
  }
  if (enter > leave) {
    return corners;
  }
  let isVertexStart = enterEdge == NO_EDGE;
  let isVertexEnd = leaveEdge == NO_EDGE;
  corners.hasStart = isVertexStart || withCrossings;
  // Of a polygon, the end is another edge's start.
  corners.hasEnd = select(withCrossings, subject.count == 2u && number < 2u, isVertexEnd);
  let owner = select(0u, MANIFOLD_VERTEX, isB);
  corners.start = overRegion(
    select(start + (end - start) * enter, start, isVertexStart), region, isB,
    select(crossingId(number, enterEdge), owner | number, isVertexStart)
  );
  corners.end = overRegion(
    select(start + (end - start) * leave, end, isVertexEnd), region, isB,
    select(crossingId(number, leaveEdge), owner | (number + 1u), isVertexEnd)
  );
  return corners;
}

fn crossingId(subjectEdge: u32, regionEdge: u32) -> u32 {
  let mask = (1u << MANIFOLD_EDGE_BITS) - 1u;
  return MANIFOLD_CROSSING | (subjectEdge & mask) | ((regionEdge & mask) << MANIFOLD_EDGE_BITS);
}

// A point of B's surface (or A's) and what of the other's plane lies under it (or over it).
fn overRegion(point: vec3f, region: ContactFace, isB: bool, id: u32) -> ManifoldPoint {
  let height = region.anchor.z + dot(region.slope, point.xy - region.anchor.xy);
  return ManifoldPoint(
    vec3f(point.xy, select(point.z, height, isB)), select(height - point.z, point.z - height, isB), id
  );
}

// Two lines side by side: the ends of where they overlap. Rounded ones bend away from each other where they don't run in one plane: the
// point lies between them by the share of their radii, which is where two circles are nearest, at the heights of both surfaces.
fn lineCorners(faceA: ContactFace, faceB: ContactFace) -> Corners {
  var corners: Corners;
  let halfA = faceA.columns[0];
  let halfB = faceB.columns[0];
  let size = length(halfA.xy);
  let axis = halfA.xy / max(size, 1e-30);
  let centre = dot(faceB.middle.xy - faceA.middle.xy, axis);
  let reach = dot(halfB.xy, axis);
  let low = max(-size, centre - abs(reach));
  let high = min(size, centre + abs(reach));
  if (low > high || size < MANIFOLD_SAME_ULPS * EPSILON) {
    return corners;
  }
  let bends = faceA.bend + faceB.bend;
  let share = select(0.5, faceA.bend / max(bends, 1e-30), bends > 0.0);
  for (var end = 0u; end < 2u; end++) {
    let isHigh = end == 1u;
    let at = select(low, high, isHigh);
    let isEndOfA = at == select(-size, size, isHigh);
    let alongB = clamp((at - centre) / select(1.0, reach, abs(reach) > 1e-30), -1.0, 1.0);
    let onA = faceA.middle.xy + halfA.xy * (at / size);
    let onB = faceB.middle.xy + halfB.xy * alongB;
    let uv = onA + (onB - onA) * share;
    let heightA = lineHeight(faceA, uv);
    let heightB = lineHeight(faceB, uv);
    let id = select(MANIFOLD_VERTEX | select(0u, 1u, isHigh == (reach >= 0.0)), end, isEndOfA);
    let point = ManifoldPoint(vec3f(uv, heightA.value), heightB.value - heightA.value, id);
    let isOver = heightA.isOver && heightB.isOver;
    if (isHigh) {
      corners.hasEnd = isOver;
      corners.end = point;
    } else {
      corners.hasStart = isOver;
      corners.start = point;
    }
  }
  return corners;
}

struct LineHeight {
  isOver: bool,
  value: f32,
}

// Where the surface around a line is at u, v: where the ray along h meets the cylinder or, beyond the line's ends, the ball there.
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

// Names a point by what it lies on, whichever face was clipped against the other: see src/types.ts.
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
