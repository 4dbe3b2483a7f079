// Separating axis test of two cores in 2-D. The Minkowski difference's edges are those of A and B, so the
// greatest separation along their normals is the signed distance where the cores overlap, exactly; where they are apart
// it is a lower bound, which is attained only between an edge and what is over it.
//
// Two cores whose difference is a line or a point have no such normals: closed-form.wgsl has those. And where they are
// thin tips end to end, all separations are noise: what is not clearly an overlap is left to GJK.

import package::shared::constants::{PLANAR_FACE_BIAS_ULPS, PLANAR_TIE_ULPS};
import package::shared::math::{EPSILON};
import package::planar::math::{leftOf, rotate, rotateBack};
import package::planar::pair::{PlanarPair, fromB};
import package::planar::shapes::{PLANAR_RECTANGLE};
import package::planar::support::{corner, cornerAfter, cornerBefore, edgeCount, support, ARE_ANY};
import package::planar::sweep::{SatResult, sweep, takesSweep};

fn sat(pair: PlanarPair) -> SatResult {
  if (takesSweep(pair)) {
    return sweep(pair);
  }
  var best = SatResult(-1e30, vec2f(1.0, 0.0), 0u, 0u, false);
  var least = best.separation;
  let countA = edgeCount(pair.coreA);
  for (var i = 0u; i < countA + edgeCount(pair.coreB); i++) {
    if (i == countA) {
      // Among parallel edges, A's wins.
      least += PLANAR_FACE_BIAS_ULPS * EPSILON;
    }
    let isOfB = i >= countA;
    let edge = satOfEdge(pair, select(i, i - countA, isOfB), isOfB);
    if (edge.separation > least) {
      best = edge;
      least = edge.separation;
    }
  }
  return best;
}

// Along the normal of one edge.
fn satOfEdge(pair: PlanarPair, number: u32, isOfB: bool) -> SatResult {
  var own = pair.coreA;
  var other = pair.coreB;
  if (isOfB) {
    own = pair.coreB;
    other = pair.coreA;
  }
  let edge = corner(own, number);
  let normal = select(edge.normal, -rotate(pair.rotation, edge.normal), isOfB);
  let nearest = support(other, select(rotateBack(pair.rotation, -normal), normal, isOfB));
  let at = corner(other, nearest).position;
  let between = fromB(pair, select(at, edge.position, isOfB)) - select(edge.position, at, isOfB);
  return SatResult(dot(normal, between), normal, number, nearest, isOfB);
}

// The separation alone. Two rectangles have an axis for two edges each.
fn satSeparation(pair: PlanarPair) -> f32 {
  if (!ARE_ANY && pair.coreA.kind == PLANAR_RECTANGLE && pair.coreB.kind == PLANAR_RECTANGLE) {
    let a = pair.coreA.data.xy;
    let b = pair.coreB.data.xy;
    let turn = abs(pair.rotation);
    let alongA = abs(pair.translation) - a - vec2f(turn.x * b.x + turn.y * b.y, turn.y * b.x + turn.x * b.y);
    let alongB = abs(rotateBack(pair.rotation, pair.translation)) - b -
        vec2f(turn.x * a.x + turn.y * a.y, turn.y * a.x + turn.x * a.y);
    return max(max(alongA.x, alongA.y), max(alongB.x, alongB.y));
  }
  return sat(pair).separation;
}

// Points of both cores that are the separation apart: where the two edges that meet are parallel, in the middle of what
// they share. The edges at the nearest corner are looked at both.
struct SatPoints {
  onA: vec2f,
  onB: vec2f,
  // 0 where the nearest corner, or what is level with it, is over the edge. Otherwise these are no such points, and
  // this is how far beside it is: positive beyond its end, negative before its start.
  miss: f32,
}

fn satWitness(pair: PlanarPair, best: SatResult) -> SatPoints {
  // In the frame of the shape whose edge it is.
  var own = pair.coreA;
  var other = pair.coreB;
  if (best.isOfB) {
    own = pair.coreB;
    other = pair.coreA;
  }
  let edge = corner(own, best.edge);
  let along = leftOf(edge.normal);
  let edgeLength = dot(along, corner(own, cornerAfter(own, best.edge)).position - edge.position);
  let nearest = over(pair, best, corner(other, best.corner).position) - edge.position;
  let height = dot(edge.normal, nearest);
  var low = dot(along, nearest);
  var high = low;
  for (var side = 0u; side < 2u; side++) {
    let number = select(cornerAfter(other, best.corner), cornerBefore(other, best.corner), side == 1u);
    let neighbour = over(pair, best, corner(other, number).position) - edge.position;
    if (dot(edge.normal, neighbour) <= height + PLANAR_TIE_ULPS * EPSILON) {
      let at = dot(along, neighbour);
      low = min(low, at);
      high = max(high, at);
    }
  }
  let middle = clamp(0.5 * (max(low, 0.0) + min(high, edgeLength)), 0.0, edgeLength);
  let foot = edge.position + along * middle;
  let tip = foot + edge.normal * height;
  var miss = select(min(high, 0.0), low - edgeLength, low > edgeLength);
  if (abs(miss) <= PLANAR_TIE_ULPS * EPSILON) {
    miss = 0.0;
  }
  if (best.isOfB) {
    return SatPoints(fromB(pair, tip), fromB(pair, foot), miss);
  }
  return SatPoints(foot, tip, miss);
}

struct SatDepth {
  // The edge that the nearest corner is over.
  best: SatResult,
  points: SatPoints,
}

// The depth of cores that overlap. Edges that hardly turn tie to rounding, and the corner may be over the next edge but
// one: the separations don't tell, but its position does. Separations of edges differ by the angle between them times
// how far beside them the corner is.
fn satDepth(pair: PlanarPair, best: SatResult) -> SatDepth {
  var own = pair.coreA;
  if (best.isOfB) {
    own = pair.coreB;
  }
  let least = best.separation - PLANAR_TIE_ULPS * EPSILON;
  var current = best;
  var found: SatDepth;
  var miss = 0.0;
  for (var i = 0u; i <= edgeCount(own); i++) {
    found = SatDepth(current, satWitness(pair, current));
    if (i == 0u) {
      miss = found.points.miss;
    }
    if (!(found.points.miss * miss > 0.0)) {
      break;
    }
    let number = current.edge;
    let next = satOfEdge(pair, select(cornerBefore(own, number), cornerAfter(own, number), miss > 0.0), best.isOfB);
    if (next.separation < least) {
      break;
    }
    current = next;
  }
  return found;
}

// A point of the other core in the frame of the one whose edge is meant.
fn over(pair: PlanarPair, best: SatResult, point: vec2f) -> vec2f {
  if (best.isOfB) {
    return rotateBack(pair.rotation, point - pair.translation);
  }
  return fromB(pair, point);
}
