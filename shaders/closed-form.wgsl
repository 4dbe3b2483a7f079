// Pairs that are decided in one step, by a closed form: sphere, capsule, box and triangle as far as
// src/request/closed-form.ts says, and a half-space with any bounded shape. All about the cores: what rounds them only
// shifts the distance.

import package::shared::constants::{LEAST_LENGTH};
import package::shared::pair::{Pair};
import package::shared::shapes::{CORE_POINT, CORE_SEGMENT, CORE_BOX, CORE_TRIANGLE, CORE_HALFSPACE};
import package::shared::support::{vertex};
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
  if (pair.coreA.kind == CORE_TRIANGLE) {
    // With fewer corners, the last one is repeated.
    let last = pair.coreA.vertexCount - 1u;
    let nearest = nearestToPoint(
      pair.translation, vertex(pair.coreA, 0u), vertex(pair.coreA, min(1u, last)), vertex(pair.coreA, last)
    );
    return ClosedForm(nearest.normal, nearest.lower, nearest.upper, nearest.position, pair.translation);
  }
  let last = pair.coreB.vertexCount - 1u;
  let nearest = nearestToPoint(
    vec3f(0.0), cornerOfB(pair, 0u), cornerOfB(pair, min(1u, last)), cornerOfB(pair, last)
  );
  return ClosedForm(-nearest.normal, nearest.lower, nearest.upper, vec3f(0.0), nearest.position);
}

fn cornerOfB(pair: Pair, number: u32) -> vec3f {
  return pair.rotation * vertex(pair.coreB, number) + pair.translation;
}

fn closedHalfspace(pair: Pair) -> ClosedForm {
  if (pair.coreA.kind == CORE_HALFSPACE) {
    let normal = halfspaceNormal(pair.coreA);
    let lowest = pair.rotation * lowestPoint(pair.coreB, -(normal * pair.rotation)) + pair.translation;
    let distance = dot(normal, lowest);
    return ClosedForm(normal, distance, distance, lowest - normal * distance, lowest);
  }
  let normal = -(pair.rotation * halfspaceNormal(pair.coreB));
  let lowest = lowestPoint(pair.coreA, normal);
  let distance = dot(normal, pair.translation - lowest);
  return ClosedForm(normal, distance, distance, lowest, lowest + normal * distance);
}
