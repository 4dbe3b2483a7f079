// Pairs that are decided in one step: a point, the centre of a circle, against every core, and two segments, the axes of capsules.

import package::shared::constants::{PLANAR_TOUCH_ULPS, PLANAR_TIE_ULPS};
import package::shared::math::{EPSILON};
import package::planar::math::{directionOf, rotate, rotateBack};
import package::planar::pair::{PlanarPair, fromB};
import package::planar::sat::{sat, satWitness};
import package::planar::shapes::{PlanarCore, PLANAR_POINT, PLANAR_SEGMENT, PLANAR_RECTANGLE};
import package::planar::support::{corner, cornerA, cornerB, edgeCount, cornerAfter};

struct ClosedForm {
  // Of the cores, signed.
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

fn closedForm(pair: PlanarPair) -> ClosedForm {
  if (pair.coreA.kind == PLANAR_POINT) {
    let p = pair.coreA.data.xy;
    let found = nearestOnCore(pair.coreB, rotateBack(pair.rotation, p - pair.translation));
    return ClosedForm(found.distance, -rotate(pair.rotation, found.normal), p, fromB(pair, found.point));
  }
  if (pair.coreB.kind == PLANAR_POINT) {
    let p = fromB(pair, pair.coreB.data.xy);
    let found = nearestOnCore(pair.coreA, p);
    return ClosedForm(found.distance, found.normal, found.point, p);
  }
  return closedSegments(pair);
}

// Of a core's boundary the point nearest to another.
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
  if (core.kind == PLANAR_RECTANGLE) {
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

// Of a segment or a polygon. Beyond a thin tip the heights over its edges are noise: unless all of them are clearly negative the nearest
// point of the boundary says how far away p is.
fn nearestOnEdges(core: PlanarCore, p: vec2f) -> CorePoint {
  let touch = PLANAR_TOUCH_ULPS * EPSILON;
  var best = CorePoint(-1e30, vec2f(1.0, 0.0), p);
  var nearest = CorePoint(1e30, vec2f(1.0, 0.0), p);
  // Of a segment both sides are looked at, once.
  let count = edgeCount(core);
  var start = corner(core, 0u);
  for (var i = 0u; i < count; i++) {
    let end = corner(core, cornerAfter(core, i));
    let offset = p - start.position;
    let level = dot(start.normal, offset);
    if (level > best.distance) {
      best = CorePoint(level, start.normal, p - start.normal * level);
    }
    let along = vec2f(-start.normal.y, start.normal.x);
    let reach = dot(along, offset);
    // The edge's own points, or its first corner; its last is the next edge's first.
    if (reach > 0.0 && reach < dot(along, end.position - start.position)) {
      if (abs(level) < nearest.distance) {
        nearest = CorePoint(abs(level), select(start.normal, -start.normal, level < 0.0), p - start.normal * level);
      }
    } else {
      let distance = length(offset);
      if (distance < nearest.distance) {
        nearest = CorePoint(distance, directionOf(offset, start.normal), start.position);
      }
    }
    start = end;
  }
  if (best.distance < -touch || nearest.distance <= touch) {
    return best;
  }
  return nearest;
}

// Two segments that cross have a depth in the plane, which is that of the better of their normals. Of parallel ones the points are in
// the middle of the stretch along which they are nearest.
fn closedSegments(pair: PlanarPair) -> ClosedForm {
  let touch = PLANAR_TOUCH_ULPS * EPSILON;
  let best = sat(pair);
  if (best.separation < -touch) {
    let cores = satWitness(pair, best);
    return ClosedForm(best.separation, best.normal, cores.onA, cores.onB);
  }
  let a0 = cornerA(pair, 0u);
  let a1 = cornerA(pair, 1u);
  let b0 = cornerB(pair, 0u);
  let b1 = cornerB(pair, 1u);
  let ends = array(
    ClosedForm(0.0, vec2f(0.0), a0, nearestOnSegment(b0, b1, a0)),
    ClosedForm(0.0, vec2f(0.0), a1, nearestOnSegment(b0, b1, a1)),
    ClosedForm(0.0, vec2f(0.0), nearestOnSegment(a0, a1, b0), b0),
    ClosedForm(0.0, vec2f(0.0), nearestOnSegment(a0, a1, b1), b1),
  );
  let distances = vec4f(
    distance(ends[0].onA, ends[0].onB), distance(ends[1].onA, ends[1].onB), distance(ends[2].onA, ends[2].onB), distance(ends[3].onA, ends[3].onB)
  );
  let least = min(min(distances.x, distances.y), min(distances.z, distances.w));
  // Ends at the two ends of a stretch, and what is the same end twice.
  let weights = select(vec4f(0.0), vec4f(1.0), distances <= vec4f(least + PLANAR_TIE_ULPS * EPSILON));
  let total = dot(weights, vec4f(1.0));
  var onA = vec2f(0.0);
  var onB = vec2f(0.0);
  onA += ends[0].onA * weights.x + ends[1].onA * weights.y + ends[2].onA * weights.z + ends[3].onA * weights.w;
  onB += ends[0].onB * weights.x + ends[1].onB * weights.y + ends[2].onB * weights.z + ends[3].onB * weights.w;
  if (least <= touch) {
    return ClosedForm(best.separation, best.normal, onA / total, onB / total);
  }
  // An end over the inside of an edge is as far away as the edge's normal says, which rounding turns less than the vector between them.
  if (best.separation >= least - PLANAR_TIE_ULPS * EPSILON) {
    return ClosedForm(best.separation, best.normal, onA / total, onB / total);
  }
  return ClosedForm(least, directionOf(onB - onA, best.normal), onA / total, onB / total);
}

fn nearestOnSegment(start: vec2f, end: vec2f, p: vec2f) -> vec2f {
  let along = end - start;
  let squared = dot(along, along);
  let t = clamp(dot(p - start, along) / max(squared, 1e-37), 0.0, 1.0);
  return start + along * t;
}
