// One or two points that a contact is held by. Of each core the edge that lies best along the contact line is taken,
// out of the two at its corner nearest to the other core; over the stretch that both edges reach over, heights are
// compared along the normal, and the points are at its ends. So two points stay two however the edges tilt, as long as
// the gap at both is within the margin.
//
//     -------------- B's edge          x along the contact line, to the left of the normal
//     lo |      | hi                   heights along the normal, from the contact's point on A
//        --------------- A's edge
//
// A point is named by the corner that ends the stretch there: A's, if that is as good as there, otherwise B's. As names
// the two are told apart roughly, so that those of boxes of one size, one on the other, don't change with every
// tremble.

import package::shared::constants::{
  MANIFOLD_DEPTH_ULPS, MANIFOLD_EDGE_COSINE, MANIFOLD_INSIDE_ULPS, MANIFOLD_LEAST_COSINE, MANIFOLD_SAME_ULPS,
  MANIFOLD_TIE_ULPS, PLANAR_NAME_SHARE
};
import package::shared::math::{EPSILON};
import package::shared::results::{FEATURE_VERTEX};
import package::planar::math::{leftOf, rotateBack};
import package::planar::pair::{PlanarPair, fromB};
import package::planar::shapes::{PlanarCore, PLANAR_POINT};
import package::planar::support::{corner, cornerAfter, cornerBefore, pointNumber};

struct ManifoldPoint {
  // On A's surface, in A's frame.
  position: vec2f,
  distance: f32,
  feature: u32,
}

struct ManifoldPoints {
  count: u32,
  first: ManifoldPoint,
  second: ManifoldPoint,
}

// What a shape touches with: an edge, or a corner, which is an edge without length. In the body's frame, on the rounded
// surface.
struct ContactEdge {
  start: vec2f,
  end: vec2f,
  startNumber: u32,
  endNumber: u32,
}

// `direction` is towards the other shape, `nearest` the corner farthest along it.
fn contactEdge(core: PlanarCore, radius: f32, direction: vec2f, nearest: u32) -> ContactEdge {
  let tip = corner(core, nearest);
  let number = pointNumber(core, nearest);
  let before = cornerBefore(core, nearest);
  let previous = corner(core, before);
  let isBefore = dot(previous.normal, direction) > dot(tip.normal, direction);
  let normal = select(tip.normal, previous.normal, isBefore);
  let least = select(MANIFOLD_LEAST_COSINE, MANIFOLD_EDGE_COSINE, radius > 0.0);
  if (core.kind == PLANAR_POINT || dot(normal, direction) < least) {
    let at = tip.position + direction * radius;
    return ContactEdge(at, at, number, number);
  }
  let shift = normal * radius;
  if (isBefore) {
    return ContactEdge(previous.position + shift, tip.position + shift, pointNumber(core, before), number);
  }
  let after = cornerAfter(core, nearest);
  return ContactEdge(tip.position + shift, corner(core, after).position + shift, number, pointNumber(core, after));
}

// `normal` and `onA` are the contact's, in A's frame, `distance` is between the surfaces, `corners` are A's and B's
// nearest.
fn manifold(pair: PlanarPair, normal: vec2f, onA: vec2f, distance: f32, corners: vec2u, margin: f32) -> ManifoldPoints {
  let a = contactEdge(pair.coreA, pair.radiusA, normal, corners.x);
  let b = contactEdge(pair.coreB, pair.radiusB, rotateBack(pair.rotation, -normal), corners.y);
  let tangent = leftOf(normal);
  // x and height of the ends, of A's edge from right to left as of B's.
  let a0 = seenFrom(onA, tangent, normal, a.start);
  let a1 = seenFrom(onA, tangent, normal, a.end);
  let b0 = seenFrom(onA, tangent, normal, fromB(pair, b.end));
  let b1 = seenFrom(onA, tangent, normal, fromB(pair, b.start));
  let low = max(a0.x, b0.x);
  let high = min(a1.x, b1.x);
  let band = PLANAR_NAME_SHARE * min(length(a.end - a.start), length(b.end - b.start));
  let nameLow = nameOf(a.startNumber, abs(low - a0.x) <= band, b.endNumber);
  let nameHigh = nameOf(a.endNumber, abs(a1.x - high) <= band, b.startNumber);
  var points: ManifoldPoints;
  points.count = 1u;
  points.first = ManifoldPoint(onA, distance, nameOfOne(pair, a, b, a0.x, a1.x, b0.x, b1.x));
  if (high - low <= MANIFOLD_SAME_ULPS * EPSILON) {
    return points;
  }
  let gapLow = heightAt(b0, b1, low) - heightAt(a0, a1, low);
  let gapHigh = heightAt(b0, b1, high) - heightAt(a0, a1, high);
  let atLow = ManifoldPoint(onA + tangent * low + normal * heightAt(a0, a1, low), gapLow, nameLow);
  let atHigh = ManifoldPoint(onA + tangent * high + normal * heightAt(a0, a1, high), gapHigh, nameHigh);
  let isHighFirst = gapHigh < gapLow - MANIFOLD_TIE_ULPS * EPSILON;
  var deeper = atLow;
  var other = atHigh;
  if (isHighFirst) {
    deeper = atHigh;
    other = atLow;
  }
  let farthest = margin + MANIFOLD_INSIDE_ULPS * EPSILON;
  if (deeper.distance > distance + MANIFOLD_DEPTH_ULPS * EPSILON) {
    // The contact's own point is deeper than both ends: on a rounded corner, beside the stretch. It takes the place of
    // the end next to it, and its name.
    let isLowNear = abs(low) < abs(high);
    points.first.feature = select(nameHigh, nameLow, isLowNear);
    var far = atLow;
    if (isLowNear) {
      far = atHigh;
    }
    if (far.distance <= farthest) {
      points.second = far;
      points.count = 2u;
    }
    return points;
  }
  points.first = deeper;
  if (other.distance <= farthest) {
    points.second = other;
    points.count = 2u;
  }
  return points;
}

fn seenFrom(origin: vec2f, tangent: vec2f, normal: vec2f, point: vec2f) -> vec2f {
  return vec2f(dot(tangent, point - origin), dot(normal, point - origin));
}

// Height of an edge over x, which is between its ends.
fn heightAt(start: vec2f, end: vec2f, x: f32) -> f32 {
  let share = clamp((x - start.x) / max(end.x - start.x, 1e-30), 0.0, 1.0);
  return start.y + (end.y - start.y) * share;
}

fn nameOf(numberOfA: u32, isOfA: bool, numberOfB: u32) -> u32 {
  return FEATURE_VERTEX | select(numberOfB | (1u << 29u), numberOfA, isOfA);
}

// The name of a single point: that of the corner there, or of A's corner if both have one there. A round shape has one
// name wherever it rolls.
fn nameOfOne(pair: PlanarPair, a: ContactEdge, b: ContactEdge, a0: f32, a1: f32, b0: f32, b1: f32) -> u32 {
  let slack = MANIFOLD_SAME_ULPS * EPSILON;
  let isAtStart = a0 >= b0 - slack;
  let isOfA = pair.coreA.kind == PLANAR_POINT || (pair.coreB.kind != PLANAR_POINT && (isAtStart || a1 <= b1 + slack));
  return nameOf(select(a.endNumber, a.startNumber, isAtStart), isOfA, b.startNumber);
}
