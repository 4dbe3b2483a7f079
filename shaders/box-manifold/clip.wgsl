// Corners of the overlap of two boxes' faces: the edges of the subject clipped against the region, then the region's
// vertices over the subject. See manifold/clip.wgsl for what counts as over a face, and for names. A vertex of the
// subject within the slack of an edge, and the crossing beside it, are two corners at one place; choices take the lower
// id.

import package::shared::constants::{MANIFOLD_INSIDE_ULPS, MANIFOLD_NAME_SHARE, MANIFOLD_SAME_ULPS};
import package::shared::math::{EPSILON};
import package::corners::eight::{
  EightKeys, EightNumbers, HIGH_BITS, HIGH_SLOTS, LOW_BITS, LOW_SLOTS, NO_KEY, bitsOf
};
import package::box-manifold::faces::{BoxFaces, CORNER_P, CORNER_Q, cross2};
import package::box-manifold::keys::{CODE_CROSSING, CODE_OF_B, NO_CODE, keysOf};

// Corners in shares of the region. Slots without a corner have NO_KEY.
struct BoxCorners {
  s: EightNumbers,
  t: EightNumbers,
  keys: EightKeys,
}

// The parts of the subject's edges over the region, as shares of the edges, and the region's edges at their ends.
struct Parts {
  enter: vec4f,
  leave: vec4f,
  enterBorder: vec4u,
  leaveBorder: vec4u,
  isGone: vec4<bool>,
}

const NO_BORDER: u32 = 4u;

// Points on the subject's edges, one per edge.
struct EdgePoints {
  areThere: vec4<bool>,
  s: vec4f,
  t: vec4f,
  // As shares of the edges, and the region's edges that they are on: NO_BORDER at starts of edges.
  share: vec4f,
  border: vec4u,
}

fn boxCorners(faces: BoxFaces) -> BoxCorners {
  let c = faces.middle;
  let p = faces.p;
  let q = faces.q;
  let s = c.x + p.x * CORNER_P + q.x * CORNER_Q;
  let t = c.y + p.y * CORNER_P + q.y * CORNER_Q;
  let alongS = 2.0 * vec4f(p.x, q.x, -p.x, -q.x);
  let alongT = 2.0 * vec4f(p.y, q.y, -p.y, -q.y);
  // Shares of an edge are heights of its start times these.
  let turn = 0.5 / vec4f(p, q);
  let turnS = vec4f(turn.x, turn.z, -turn.x, -turn.z);
  let turnT = vec4f(turn.y, turn.w, -turn.y, -turn.w);
  var parts = Parts(
    vec4f(0.0), vec4f(1.0), vec4u(NO_BORDER), vec4u(NO_BORDER), vec4<bool>(!faces.isRegionArea)
  );
  parts = clipAt(parts, 0u, 1.0 + t, -turnT, faces.regionSlack.x);
  parts = clipAt(parts, 1u, 1.0 - s, turnS, faces.regionSlack.y);
  parts = clipAt(parts, 2u, 1.0 - t, turnT, faces.regionSlack.x);
  parts = clipAt(parts, 3u, 1.0 + s, -turnS, faces.regionSlack.y);
  let enter = min(parts.enter, vec4f(1.0));
  let leave = max(parts.leave, vec4f(0.0));
  // On a face of almost no width, `enter` and `leave` differ only by rounding.
  let areThere = !parts.isGone &
      ((enter - leave) * faces.subjectEdges.xyxy <= vec4f(MANIFOLD_INSIDE_ULPS * EPSILON));
  let areStarts = parts.enterBorder == vec4u(NO_BORDER);
  let areTwins = twinsOf(
    faces, areThere & areStarts, areThere & !areStarts, areThere & (parts.leaveBorder != vec4u(NO_BORDER))
  );
  let entering = EdgePoints(
    areThere & !areTwins.entering, s + alongS * enter, t + alongT * enter, enter, parts.enterBorder
  );
  let leaving = EdgePoints(
    areThere & (parts.leaveBorder != vec4u(NO_BORDER)) & !areTwins.leaving,
    s + alongS * leave, t + alongT * leave, leave, parts.leaveBorder
  );
  return namedCorners(faces, entering, leaving);
}

// Points that are where another one of a lower id is.
struct Twins {
  entering: vec4<bool>,
  leaving: vec4<bool>,
}

// The twins on a subject without a width, where vertices and edges coincide in pairs. If p has no length, vertices 1
// and 3 are at 0 and 2, and edge 3 is at edge 1. If q has none, 2 and 3 are at 1 and 0, and edge 2 is at edge 0.
fn twinsOf(faces: BoxFaces, starts: vec4<bool>, enters: vec4<bool>, leaves: vec4<bool>) -> Twins {
  let isNarrow = faces.subjectEdges <= vec2f(MANIFOLD_SAME_ULPS * EPSILON);
  let ofP = vec4<bool>(isNarrow.x);
  let ofQ = vec4<bool>(isNarrow.y);
  let areVertices = (ofP & vec4<bool>(false, starts.x, false, starts.z)) |
      (ofQ & vec4<bool>(false, false, starts.y, starts.x));
  // Edges without a length, between such vertices, don't count.
  return Twins(
    (starts & areVertices) | (enters &
      ((ofP & vec4<bool>(true, false, true, leaves.y)) | (ofQ & vec4<bool>(false, true, leaves.x, true)))),
    (ofP & vec4<bool>(true, false, true, enters.y)) | (ofQ & vec4<bool>(false, true, enters.x, true))
  );
}

// Clips the subject's edges against one of the region's, over which their starts have these heights.
fn clipAt(parts: Parts, border: u32, height: vec4f, turn: vec4f, lowest: f32) -> Parts {
  let isOut = height < vec4f(lowest);
  let isEndOut = isOut.yzwx;
  let share = height * turn;
  let isLater = isOut & (share >= parts.enter);
  let isEarlier = isEndOut & (share <= parts.leave);
  return Parts(
    select(parts.enter, share, isLater),
    select(parts.leave, share, isEarlier),
    select(parts.enterBorder, vec4u(border), isLater),
    select(parts.leaveBorder, vec4u(border), isEarlier),
    parts.isGone | (isOut & isEndOut)
  );
}

// All corners with their keys.
fn namedCorners(faces: BoxFaces, entering: EdgePoints, leaving: EdgePoints) -> BoxCorners {
  let over = verticesOver(faces);
  let enters = named(faces, entering, over, 0u);
  let leaves = named(faces, leaving, over, enters.vertices);
  var corners = BoxCorners(
    EightNumbers(enters.s, leaves.s),
    EightNumbers(enters.t, leaves.t),
    EightKeys(
      select(vec4u(NO_KEY), enters.keys | LOW_SLOTS, entering.areThere),
      select(vec4u(NO_KEY), leaves.keys | HIGH_SLOTS, leaving.areThere)
    )
  );
  // A vertex over the subject where no corner is yet takes a free slot. There is one: two convex quadrilaterals have no
  // more than eight corners in common. There can be more candidates only because of the slack. Then all of the region's
  // vertices are over the subject, and an edge of the subject that both enters and leaves the region cuts a vertex off
  // it by no more than the slack: that vertex is the corner beside it.
  var free = bitsOf(select(vec4u(0u), LOW_BITS, !entering.areThere)) |
      bitsOf(select(vec4u(0u), HIGH_BITS, !leaving.areThere));
  for (var left = over & ~(enters.vertices | leaves.vertices); left != 0u && free != 0u; left &= left - 1u) {
    let i = firstTrailingBit(left);
    let slot = firstTrailingBit(free);
    free &= free - 1u;
    let s = select(-1.0, 1.0, i == 1u || i == 2u);
    let t = select(-1.0, 1.0, i >= 2u);
    let key = keysOf(vec4u(i), vec4u(i)).x | slot;
    let isLow = vec4u(slot) == LOW_SLOTS;
    let isHigh = vec4u(slot) == HIGH_SLOTS;
    corners.s.low = select(corners.s.low, vec4f(s), isLow);
    corners.s.high = select(corners.s.high, vec4f(s), isHigh);
    corners.t.low = select(corners.t.low, vec4f(t), isLow);
    corners.t.high = select(corners.t.high, vec4f(t), isHigh);
    corners.keys.low = select(corners.keys.low, vec4u(key), isLow);
    corners.keys.high = select(corners.keys.high, vec4u(key), isHigh);
  }
  return corners;
}

// Bit i is set if vertex i of the region, which is A's face, is over the subject.
fn verticesOver(faces: BoxFaces) -> u32 {
  let p = faces.p;
  let q = faces.q;
  let inverse = 1.0 / cross2(p, q);
  let s = CORNER_P - faces.middle.x;
  let t = CORNER_Q - faces.middle.y;
  let x = (s * q.y - t * q.x) * inverse;
  let y = (t * p.x - s * p.y) * inverse;
  let areOver = vec4<bool>(faces.areBothAreas) &
      (1.0 - abs(x) >= vec4f(faces.subjectSlack.y)) & (1.0 - abs(y) >= vec4f(faces.subjectSlack.x));
  return bitsOf(select(vec4u(0u), LOW_BITS, areOver));
}

struct NamedPoints {
  // Without slots; NO_KEY if the point is at a vertex of the region that another one stands for.
  keys: vec4u,
  s: vec4f,
  t: vec4f,
  // Bit i is set if one of the points is at vertex i of the region.
  vertices: u32,
}

// Names points. Where a vertex of the region is `over` the subject and not `taken`, the first point that is there takes
// the vertex's place, and its id if that is lower than its own.
fn named(faces: BoxFaces, points: EdgePoints, over: u32, taken: u32) -> NamedPoints {
  let ofSubject = vec4u(select(0u, CODE_OF_B, faces.isB));
  let ofRegion = vec4u(CODE_OF_B) - ofSubject;
  // The region's vertex that is nearest.
  let isRight = points.s > vec4f(0.0);
  let isUpper = points.t > vec4f(0.0);
  let vertex = select(
    select(vec4u(0u), vec4u(1u), isRight), select(vec4u(3u), vec4u(2u), isRight), isUpper
  );
  let areStarts = points.border == vec4u(NO_BORDER);
  let edges = faces.subjectEdges.xyxy;
  let isOdd = (select(points.border, vertex, areStarts) & vec4u(1u)) == vec4u(1u);
  let band = MANIFOLD_NAME_SHARE *
      min(edges, select(vec4f(faces.regionEdges.x), vec4f(faces.regionEdges.y), isOdd));
  let besideP = abs(1.0 - abs(points.s)) * (0.5 * faces.regionEdges.x);
  let besideQ = abs(1.0 - abs(points.t)) * (0.5 * faces.regionEdges.y);
  let along = points.share * edges;
  let nearSubject = ofSubject | select(
    select(vec4u(NO_CODE), LOW_SLOTS.yzwx, edges - along <= band), LOW_SLOTS, along <= band
  );
  let nearRegion = ofRegion | select(vec4u(NO_CODE), vertex, max(besideP, besideQ) <= band);
  let ids = select(
    vec4u(CODE_CROSSING) | LOW_SLOTS | (points.border << vec4u(2u)), ofSubject | LOW_SLOTS, areStarts
  );
  // A's vertices first.
  let near = min(nearSubject, nearRegion);
  let names = select(near, ids, near >= vec4u(NO_CODE));
  let same = MANIFOLD_SAME_ULPS * EPSILON;
  let isAt = points.areThere & (besideP * besideP + besideQ * besideQ <= vec4f(same * same));
  let at = select(vec4u(0u), vec4u(1u) << vertex, isAt);
  let before = vec4u(taken, taken | at.x, taken | at.x | at.y, taken | at.x | at.y | at.z);
  let isVertex = (at & vec4u(over) & ~before) != vec4u(0u);
  let isAnother = (at & vec4u(over) & before) != vec4u(0u);
  let leastIds = select(ids, min(ids, ofRegion | vertex), isVertex);
  return NamedPoints(
    select(keysOf(names, leastIds), vec4u(NO_KEY), isAnother),
    select(points.s, select(vec4f(-1.0), vec4f(1.0), isRight), isVertex),
    select(points.t, select(vec4f(-1.0), vec4f(1.0), isUpper), isVertex),
    bitsOf(at)
  );
}
