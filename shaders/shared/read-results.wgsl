// Functions that read records of results, for callers' shaders: no kernel links them. They are named after the record
// and what they give: contactStatus, contactIsHit, manifoldPointCount. A record of `intersects` is its `info` word
// alone: intersectionStatus(info).

import package::shared::results::{
  Contact, Counts, Distance, Impact, Manifold, FEATURE_KIND_SHIFT, INFO_POINTS_MASK, INFO_POINTS_SHIFT,
  infoHasPoints, infoIsHit, infoIterations, infoStatus
};

// Number of records in batch.output.records with results 'hits' or 'earliest'.
fn countsHitRecords(counts: Counts) -> u32 {
  return counts.hits - counts.hitOverflow;
}

// Index of an invocation's record in a pass dispatched by batch.output.dispatch. `rowLength` is num_workgroups.x, or
// the device's maxComputeWorkgroupsPerDimension, which gives the same. An index may be beyond the last record: compare
// it with the counts.
fn dispatchedRecord(workgroupId: vec3u, rowLength: u32, workgroupSize: u32, localIndex: u32) -> u32 {
  return (workgroupId.y * rowLength + workgroupId.x) * workgroupSize + localIndex;
}

fn intersectionStatus(info: u32) -> u32 {
  return infoStatus(info);
}

fn intersectionIsHit(info: u32) -> bool {
  return infoIsHit(info);
}

fn distanceStatus(record: Distance) -> u32 {
  return infoStatus(record.info);
}

fn distanceIsHit(record: Distance) -> bool {
  return infoIsHit(record.info);
}

fn distanceHasPoints(record: Distance) -> bool {
  return infoHasPoints(record.info);
}

fn distanceIterations(record: Distance) -> u32 {
  return infoIterations(record.info);
}

fn contactStatus(record: Contact) -> u32 {
  return infoStatus(record.info);
}

fn contactIsHit(record: Contact) -> bool {
  return infoIsHit(record.info);
}

fn contactHasPoints(record: Contact) -> bool {
  return infoHasPoints(record.info);
}

fn contactIterations(record: Contact) -> u32 {
  return infoIterations(record.info);
}

fn manifoldStatus(record: Manifold) -> u32 {
  return infoStatus(record.info);
}

fn manifoldIsHit(record: Manifold) -> bool {
  return infoIsHit(record.info);
}

fn manifoldIterations(record: Manifold) -> u32 {
  return infoIterations(record.info);
}

// 0 to 4, and at least 1 for a hit.
fn manifoldPointCount(record: Manifold) -> u32 {
  return (record.info >> INFO_POINTS_SHIFT) & INFO_POINTS_MASK;
}

// Point i on A's surface; position + distance * normal lies on B's.
fn manifoldPosition(record: Manifold, i: u32) -> vec3f {
  return manifoldPoint(record, i).xyz;
}

fn manifoldDistance(record: Manifold, i: u32) -> f32 {
  return manifoldPoint(record, i).w;
}

fn manifoldFeature(record: Manifold, i: u32) -> u32 {
  return record.features[min(i, 3u)];
}

fn manifoldPoint(record: Manifold, i: u32) -> vec4f {
  switch i {
    case 0u: {
      return record.point0;
    }
    case 1u: {
      return record.point1;
    }
    case 2u: {
      return record.point2;
    }
    default: {
      return record.point3;
    }
  }
}

fn impactStatus(record: Impact) -> u32 {
  return infoStatus(record.info);
}

fn impactIsHit(record: Impact) -> bool {
  return infoIsHit(record.info);
}

fn impactHasPoint(record: Impact) -> bool {
  return infoHasPoints(record.info);
}

fn impactIterations(record: Impact) -> u32 {
  return infoIterations(record.info);
}

// Seconds from 0 to the duration. For hits only: shaders can't be relied on to have infinity.
fn impactTime(record: Impact) -> f32 {
  return max(record.unclampedTime, 0.0);
}

// Kind of a contact's feature: 0 none, 1 vertex, 2 edge, 3 face.
fn featureKind(feature: u32) -> u32 {
  return feature >> FEATURE_KIND_SHIFT;
}

fn featureIndex(feature: u32) -> u32 {
  return feature & ((1u << FEATURE_KIND_SHIFT) - 1u);
}
