// Pairs that are decided in one step, by a closed form: sphere, capsule, box and triangle as far as
// src/request/closed-form.ts says, and a half-space with any bounded shape. All about the cores: what rounds them only
// shifts the distance.

import package::shared::constants::{LEAST_LENGTH};
import package::shared::geometry::{geometryVector};
import package::shared::pair::{Pair};
import package::shared::shapes::{CORE_POINT, CORE_SEGMENT, CORE_BOX, CORE_TRIANGLE, CORE_HALFSPACE};
import package::segments::{nearestOnSegments};
import package::point-box::{nearestOnBox};
import package::point-triangle::{nearestToPoint};
import package::halfspace::{halfspaceNormal, lowestPoint};

struct ClosedForm {
  // Unit vector from A to B, in A's frame.
  normal: vec3f,
  // Bounds of the cores' signed distance, which differ only by rounding.
  lower: f32,
  upper: f32,
  // The points that are so far apart, in A's frame.
  onA: vec3f,
  onB: vec3f,
}

fn closedForm(pair: Pair) -> ClosedForm {
  let kindA = pair.coreA.kind;
  let kindB = pair.coreB.kind;
  if (max(kindA, kindB) == CORE_HALFSPACE) {
    return closedHalfspace(pair);
  }
  if (max(kindA, kindB) == CORE_POINT) {
    return closedPoints(pair);
  }
  if (max(kindA, kindB) == CORE_SEGMENT) {
    return closedSegments(pair);
  }
  if (max(kindA, kindB) == CORE_BOX) {
    return closedPointBox(pair);
  }
  return closedPointTriangle(pair);
}

fn closedPoints(pair: Pair) -> ClosedForm {
  let distance = length(pair.translation);
  var normal = vec3f(1.0, 0.0, 0.0);
  if (distance > LEAST_LENGTH) {
    normal = pair.translation / distance;
  }
  return ClosedForm(normal, distance, distance, vec3f(0.0), pair.translation);
}

// Points are segments of no length.
fn closedSegments(pair: Pair) -> ClosedForm {
  let axis = pair.rotation[1];
  let found = nearestOnSegments(pair.coreA.halfExtents.y, pair.coreB.halfExtents.y, axis, pair.translation);
  return ClosedForm(
    found.normal, found.lower, found.upper, vec3f(0.0, found.first, 0.0), pair.translation + axis * found.second
  );
}

// A point and a box, in the box's frame.
fn closedPointBox(pair: Pair) -> ClosedForm {
  if (pair.coreA.kind == CORE_BOX) {
    let nearest = nearestOnBox(pair.coreA.halfExtents, pair.translation);
    return ClosedForm(nearest.normal, nearest.distance, nearest.distance, nearest.position, pair.translation);
  }
  let nearest = nearestOnBox(pair.coreB.halfExtents, -(pair.translation * pair.rotation));
  return ClosedForm(
    -(pair.rotation * nearest.normal), nearest.distance, nearest.distance, vec3f(0.0),
    pair.rotation * nearest.position + pair.translation
  );
}

// A point and a triangle, in A's frame: what is rotated is the triangle's corners, which are nearer to their origin
// than the bodies are to each other where that matters.
fn closedPointTriangle(pair: Pair) -> ClosedForm {
  let isTriangleA = pair.coreA.kind == CORE_TRIANGLE;
  var core = pair.coreB;
  var point = vec3f(0.0);
  if (isTriangleA) {
    core = pair.coreA;
    point = pair.translation;
  }
  // With fewer corners, the last one is repeated.
  let last = core.vertexCount - 1u;
  let numbers = array(0u, min(1u, last), last);
  var corners: array<vec3f, 3>;
  for (var i = 0u; i < 3u; i++) {
    let corner = geometryVector(core.firstRow + numbers[i]) * core.scale;
    corners[i] = select(pair.rotation * corner + pair.translation, corner, isTriangleA);
  }
  let nearest = nearestToPoint(point, corners[0], corners[1], corners[2]);
  if (isTriangleA) {
    return ClosedForm(nearest.normal, nearest.lower, nearest.upper, nearest.position, point);
  }
  return ClosedForm(-nearest.normal, nearest.lower, nearest.upper, point, nearest.position);
}

fn closedHalfspace(pair: Pair) -> ClosedForm {
  let isHalfspaceA = pair.coreA.kind == CORE_HALFSPACE;
  var core = pair.coreA;
  var normal = vec3f(0.0);
  if (isHalfspaceA) {
    core = pair.coreB;
    normal = halfspaceNormal(pair.coreA);
  } else {
    normal = -(pair.rotation * halfspaceNormal(pair.coreB));
  }
  let point = lowestPoint(core, select(normal, -(normal * pair.rotation), isHalfspaceA));
  if (isHalfspaceA) {
    let lowest = pair.rotation * point + pair.translation;
    let distance = dot(normal, lowest);
    return ClosedForm(normal, distance, distance, lowest - normal * distance, lowest);
  }
  let distance = dot(normal, pair.translation - point);
  return ClosedForm(normal, distance, distance, point, point + normal * distance);
}
