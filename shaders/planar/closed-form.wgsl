// Pairs that are decided in one step: a point, the centre of a circle, against every core, and two segments, the axes
// of capsules.

import package::shared::constants::{PLANAR_FACE_BIAS_ULPS, PLANAR_TIE_ULPS, PLANAR_TOUCH_ULPS};
import package::shared::math::{EPSILON};
import package::planar::math::{directionOf, rotate, rotateBack};
import package::planar::pair::{PlanarPair, fromB};
import package::planar::sat::{sat, satOfEdge, satWitness};
import package::planar::shapes::{PlanarCore, PLANAR_POINT, PLANAR_SEGMENT, PLANAR_RECTANGLE};
import package::planar::support::{corner, cornerA, cornerAfter, cornerB, differenceSupport, edgeCount, ARE_ANY};
import package::planar::sweep::{SatResult};

struct ClosedForm {
  // The signed distance of the cores.
  distance: f32,
  // Unit vector from A to B, in A's frame.
  normal: vec2f,
  // The points that are so far apart, in A's frame.
  onA: vec2f,
  onB: vec2f,
}

fn hasClosedForm(kindA: u32, kindB: u32) -> bool {
  return min(kindA, kindB) == PLANAR_POINT || max(kindA, kindB) == PLANAR_SEGMENT;
}

fn areSegments(pair: PlanarPair) -> bool {
  return pair.coreA.kind == PLANAR_SEGMENT && pair.coreB.kind == PLANAR_SEGMENT;
}

// What the closed form of two segments starts from. Other closed forms don't need it.
fn satOfSegments(pair: PlanarPair) -> SatResult {
  var best: SatResult;
  if (areSegments(pair)) {
    best = sat(pair);
  }
  return best;
}

// `best` is SAT's result for two segments.
fn closedForm(pair: PlanarPair, best: SatResult) -> ClosedForm {
  let isPointA = pair.coreA.kind == PLANAR_POINT;
  if (!isPointA && pair.coreB.kind != PLANAR_POINT) {
    return closedSegments(pair, best);
  }
  // One call for both cases, because compilers inline every call.
  var p = fromB(pair, pair.coreB.data.xy);
  var core = pair.coreA;
  if (isPointA) {
    p = rotateBack(pair.rotation, pair.coreA.data.xy - pair.translation);
    core = pair.coreB;
  }
  let found = nearestOnCore(core, p);
  if (isPointA) {
    return ClosedForm(
      found.distance, -rotate(pair.rotation, found.normal), pair.coreA.data.xy, fromB(pair, found.point)
    );
  }
  return ClosedForm(found.distance, found.normal, found.point, p);
}

// The point of a core's boundary that is nearest to another point.
struct CorePoint {
  // Signed: negative inside.
  distance: f32,
  // Unit vector out of the core.
  normal: vec2f,
  point: vec2f,
}

fn nearestOnCore(core: PlanarCore, p: vec2f) -> CorePoint {
  if (core.kind == PLANAR_POINT) {
    let normal = directionOf(p - core.data.xy, vec2f(1.0, 0.0));
    return CorePoint(dot(normal, p - core.data.xy), normal, core.data.xy);
  }
  if (!ARE_ANY && core.kind == PLANAR_RECTANGLE) {
    return nearestOnRectangle(core.data.xy, p);
  }
  return nearestOnEdges(core, p);
}

fn nearestOnRectangle(halfExtents: vec2f, p: vec2f) -> CorePoint {
  let outside = abs(p) - halfExtents;
  let signs = select(vec2f(1.0), vec2f(-1.0), p < vec2f(0.0));
  if (min(outside.x, outside.y) > 0.0) {
    let nearest = halfExtents * signs;
    let normal = directionOf(p - nearest, vec2f(1.0, 0.0));
    return CorePoint(dot(normal, p - nearest), normal, nearest);
  }
  if (outside.x >= outside.y) {
    return CorePoint(outside.x, vec2f(signs.x, 0.0), vec2f(halfExtents.x * signs.x, p.y));
  }
  return CorePoint(outside.y, vec2f(0.0, signs.y), vec2f(p.x, halfExtents.y * signs.y));
}

// Two rectangles that are apart: a corner of one is nearest, to the point of the other that it is clamped to.
fn nearestRectangles(pair: PlanarPair) -> ClosedForm {
  let a = pair.coreA.data.xy;
  let b = pair.coreB.data.xy;
  var least = 1e30;
  var found: ClosedForm;
  for (var i = 0u; i < 4u; i++) {
    let ofB = cornerB(pair, i);
    let onA = clamp(ofB, -a, a);
    let fromA = ofB - onA;
    if (dot(fromA, fromA) < least) {
      least = dot(fromA, fromA);
      found = ClosedForm(0.0, fromA, onA, ofB);
    }
    let ofA = cornerA(pair, i);
    let seen = rotateBack(pair.rotation, ofA - pair.translation);
    let onB = clamp(seen, -b, b);
    let fromOther = seen - onB;
    if (dot(fromOther, fromOther) < least) {
      least = dot(fromOther, fromOther);
      found = ClosedForm(0.0, -rotate(pair.rotation, fromOther), ofA, fromB(pair, onB));
    }
  }
  found.normal = directionOf(found.normal, vec2f(1.0, 0.0));
  found.distance = dot(found.normal, found.onB - found.onA);
  return found;
}

// How far two rectangles are apart along a normal from A to B: a lower bound of their distance.
fn rectangleSeparation(pair: PlanarPair, normal: vec2f) -> f32 {
  let inB = rotateBack(pair.rotation, normal);
  return dot(normal, pair.translation) - dot(abs(normal), pair.coreA.data.xy) - dot(abs(inB), pair.coreB.data.xy);
}

// The nearest point of a segment or a polygon. Outside, the edge that p is over is nearest, otherwise a corner. The
// position of p along the edge decides, because the distances hardly differ where the two meet. Beyond a thin tip the
// heights over the edges are noise, but there p is over none of them.
fn nearestOnEdges(core: PlanarCore, p: vec2f) -> CorePoint {
  let touch = PLANAR_TOUCH_ULPS * EPSILON;
  let slack = PLANAR_TIE_ULPS * EPSILON;
  var best = CorePoint(-1e30, vec2f(1.0, 0.0), p);
  var over = best;
  var nearest = CorePoint(1e30, vec2f(1.0, 0.0), p);
  // A segment is one edge, looked at from both sides.
  let count = edgeCount(core);
  var start = corner(core, 0u);
  for (var i = 0u; i < count; i++) {
    let end = corner(core, cornerAfter(core, i));
    let offset = p - start.position;
    let level = dot(start.normal, offset);
    let foot = CorePoint(level, start.normal, p - start.normal * level);
    if (level > best.distance) {
      best = foot;
    }
    let along = vec2f(-start.normal.y, start.normal.x);
    let footAlong = dot(along, offset);
    if (footAlong > -slack && footAlong < dot(along, end.position - start.position) + slack && level > over.distance) {
      over = foot;
    }
    let gap = length(offset);
    if (gap < nearest.distance) {
      nearest = CorePoint(gap, directionOf(offset, start.normal), start.position);
    }
    start = end;
  }
  if (best.distance < -touch) {
    return best;
  }
  if (over.distance >= -touch) {
    return over;
  }
  if (nearest.distance > touch) {
    return nearest;
  }
  return best;
}

// Two segments that cross have a depth in 2-D, which is that of the better of their normals. Apart, an end of one
// may be over the inside of the other, whose normal then separates them by the distance itself; of parallel ones the
// points are in the middle of the stretch along which they are nearest. Otherwise two ends are nearest. That is asked
// of the places of the ends, not of how far away they are: which changes by the square of where they are, and so would
// take a normal for good that leads past the end.
fn closedSegments(pair: PlanarPair, best: SatResult) -> ClosedForm {
  let touch = PLANAR_TOUCH_ULPS * EPSILON;
  // Computed once, although separated segments seldom need it, because compilers inline every call.
  let cores = satWitness(pair, best);
  if (best.separation < -touch) {
    return ClosedForm(best.separation, best.normal, cores.onA, cores.onB);
  }
  var found = ClosedForm(-1e30, best.normal, vec2f(0.0), vec2f(0.0));
  for (var i = 0u; i < 4u; i++) {
    let edge = satOfEdge(pair, i & 1u, i >= 2u);
    if (edge.separation > found.distance + PLANAR_FACE_BIAS_ULPS * EPSILON) {
      let points = satWitness(pair, edge);
      if (points.miss == 0.0) {
        found = ClosedForm(edge.separation, edge.normal, points.onA, points.onB);
      }
    }
  }
  if (found.distance >= -touch) {
    return found;
  }
  var least = 1e30;
  for (var i = 0u; i < 4u; i++) {
    let a = cornerA(pair, i & 1u);
    let b = cornerB(pair, i >> 1u);
    let gap = distance(a, b);
    if (gap < least) {
      least = gap;
      found.onA = a;
      found.onB = b;
    }
  }
  if (least <= touch) {
    return ClosedForm(best.separation, best.normal, found.onA, found.onB);
  }
  // Segments that lie in each other except for rounding have ends next to each other too, which don't separate them.
  let normal = directionOf(found.onB - found.onA, best.normal);
  if (best.separation > touch || dot(normal, differenceSupport(pair, -normal).position) > best.separation) {
    return ClosedForm(least, normal, found.onA, found.onB);
  }
  return ClosedForm(best.separation, best.normal, cores.onA, cores.onB);
}
