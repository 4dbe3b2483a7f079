// Functions that read records of results in 2-D, for callers' shaders: no kernel links them. They are named as in 3-D:
// planarContactStatus, planarManifoldPointCount.

import package::shared::results::{
  INFO_STATUS_MASK, INFO_HIT, INFO_HAS_POINTS, INFO_POINTS_SHIFT, INFO_POINTS_MASK, INFO_ITERATIONS_SHIFT
};
import package::planar::results::{PlanarContact, PlanarDistance, PlanarImpact, PlanarManifold};

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
