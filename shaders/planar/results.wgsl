// Records of results in 2-D, one per pair or hit, and functions that read them. All vectors are in world axes. Points
// are relative to the position of the pair's body A; for impacts to A's position at the unclamped time. `info` is as
// in 3-D, and so are a record of `intersects`, which is that word alone, and the names of the functions:
// planarContactStatus, planarManifoldPointCount.

import package::shared::results::{
  INFO_STATUS_MASK, INFO_HIT, INFO_HAS_POINTS, INFO_POINTS_SHIFT, INFO_POINTS_MASK, INFO_ITERATIONS_SHIFT
};

// Result of `distances`.
struct PlanarDistance {
  // Unit vector from A to B; a separating axis where the pair left early.
  normal: vec2f,
  // Gap between the outlines; 0 for overlapping pairs.
  distance: f32,
  info: u32,
  // Witness points on A's and B's outline, if planarDistanceHasPoints; otherwise 0.
  pointA: vec2f,
  pointB: vec2f,
}

// Result of `contacts`.
struct PlanarContact {
  // Unit vector from A to B: moving B by -distance * normal brings the pair to touch.
  normal: vec2f,
  // Signed distance. Negative: penetration depth.
  distance: f32,
  info: u32,
  // Points on A's and B's outline, if planarContactHasPoints; otherwise 0.
  pointA: vec2f,
  pointB: vec2f,
  // lower <= true signed distance <= upper
  lower: f32,
  upper: f32,
  // What the points lie on: kind << 30 | index, 0 none, 1 vertex, 2 edge.
  featureA: u32,
  featureB: u32,
}

// Result of `manifolds`. Points beyond planarManifoldPointCount are zero; the first is the deepest.
struct PlanarManifold {
  // Unit vector from A to B: the contact's.
  normal: vec2f,
  info: u32,
  // The pair's signed distance, as `PlanarContact` has it.
  contactDistance: f32,
  // Position on A's outline, distance along the normal to B's, and which corner it is: 1 << 30 | B's << 29 | number.
  position0: vec2f,
  distance0: f32,
  feature0: u32,
  position1: vec2f,
  distance1: f32,
  feature1: u32,
}

// Result of `impacts`.
struct PlanarImpact {
  // Unit vector from A to B.
  normal: vec2f,
  // Seconds. Negative for bodies that overlap as the motion begins: how long ago they met, or minus infinity.
  // Infinite where the bodies don't meet. planarImpactTime gives the time of impact.
  unclampedTime: f32,
  info: u32,
  // Where they touch, relative to A's position at the unclamped time, if planarImpactHasPoint; otherwise 0.
  point: vec2f,
  // Zero.
  reserved: vec2f,
}

fn planarDistanceStatus(record: PlanarDistance) -> u32 {
  return record.info & INFO_STATUS_MASK;
}

fn planarDistanceIsHit(record: PlanarDistance) -> bool {
  return (record.info & INFO_HIT) != 0u;
}

fn planarDistanceHasPoints(record: PlanarDistance) -> bool {
  return (record.info & INFO_HAS_POINTS) != 0u;
}

fn planarDistanceIterations(record: PlanarDistance) -> u32 {
  return record.info >> INFO_ITERATIONS_SHIFT;
}

fn planarContactStatus(record: PlanarContact) -> u32 {
  return record.info & INFO_STATUS_MASK;
}

fn planarContactIsHit(record: PlanarContact) -> bool {
  return (record.info & INFO_HIT) != 0u;
}

fn planarContactHasPoints(record: PlanarContact) -> bool {
  return (record.info & INFO_HAS_POINTS) != 0u;
}

fn planarContactIterations(record: PlanarContact) -> u32 {
  return record.info >> INFO_ITERATIONS_SHIFT;
}

fn planarManifoldStatus(record: PlanarManifold) -> u32 {
  return record.info & INFO_STATUS_MASK;
}

fn planarManifoldIsHit(record: PlanarManifold) -> bool {
  return (record.info & INFO_HIT) != 0u;
}

fn planarManifoldIterations(record: PlanarManifold) -> u32 {
  return record.info >> INFO_ITERATIONS_SHIFT;
}

// 0 to 2, and at least 1 for a hit.
fn planarManifoldPointCount(record: PlanarManifold) -> u32 {
  return (record.info >> INFO_POINTS_SHIFT) & INFO_POINTS_MASK;
}

// Point i on A's outline; position + distance * normal lies on B's.
fn planarManifoldPosition(record: PlanarManifold, i: u32) -> vec2f {
  return select(record.position1, record.position0, i == 0u);
}

fn planarManifoldDistance(record: PlanarManifold, i: u32) -> f32 {
  return select(record.distance1, record.distance0, i == 0u);
}

fn planarManifoldFeature(record: PlanarManifold, i: u32) -> u32 {
  return select(record.feature1, record.feature0, i == 0u);
}

fn planarImpactStatus(record: PlanarImpact) -> u32 {
  return record.info & INFO_STATUS_MASK;
}

fn planarImpactIsHit(record: PlanarImpact) -> bool {
  return (record.info & INFO_HIT) != 0u;
}

fn planarImpactHasPoint(record: PlanarImpact) -> bool {
  return (record.info & INFO_HAS_POINTS) != 0u;
}

fn planarImpactIterations(record: PlanarImpact) -> u32 {
  return record.info >> INFO_ITERATIONS_SHIFT;
}

// Seconds from 0 to the duration. For hits only: shaders can't be relied on to have infinity.
fn planarImpactTime(record: PlanarImpact) -> f32 {
  return max(record.unclampedTime, 0.0);
}
