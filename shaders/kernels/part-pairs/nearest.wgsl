// The distance of each pair of bodies: that of the nearest of its pairs of parts. The kernel runs twice. The first run
// takes the distance of the pair of parts that was probed as a bound for the search of all that may be nearer. The
// second one joins the distances of these. An invocation takes a pair of bodies, as few of its pairs of parts are
// within the bound.

@kernel(nearest)
@kernel(planar-nearest)

import package::broad-phase::sums::{MOST_SUM};
import package::kernels::part-pairs::parameters::{beyondMargin, firstParts, pairEnd, parameters, FIRST_BOUND};
import package::shared::constants::{PART_KIND_SHIFT};
import package::shared::results::{
  infoStatus, INFO_HIT, STATUS_CAPACITY_EXCEEDED, STATUS_INVALID_INPUT, STATUS_OVERLAPPING, STATUS_SEPARATED
};
@if(nearest) import package::shared::results::{Distance};
@if(planar-nearest) import package::planar::results::{PlanarDistance};

@if(nearest) alias DistanceRecord = Distance;
@if(planar-nearest) alias DistanceRecord = PlanarDistance;

// The distances of the pairs of parts, and which parts these are.
@group(0) @binding(1) var<storage, read> partRecords: array<DistanceRecord>;
@group(0) @binding(3) var<storage, read_write> records: array<DistanceRecord>;
@group(0) @binding(4) var<storage, read> partPairs: array<vec4u>;
@group(0) @binding(5) var<storage, read_write> partPairCount: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let pair = (workgroupId.y * parameters.gridWidth + workgroupId.x) * 64u + localIndex;
  if (pair >= pairEnd()) {
    return;
  }
  if (parameters.isWriting == 0u) {
    storeBound(pair);
  } else if (bitcast<f32>(partPairCount[FIRST_BOUND + pair]) >= 0.0) {
    records[pair] = nearestOf(pair);
  }
}

fn storeBound(pair: u32) {
  let probed = partRecords[pair];
  records[pair] = probed;
  let status = infoStatus(probed.info);
  var bound = bitcast<f32>(partPairCount[FIRST_BOUND + pair]);
  if (status == STATUS_INVALID_INPUT || status == STATUS_OVERLAPPING) {
    bound = -1.0;
  } else if (bound >= 0.0) {
    // The distance of a search without an end is a lower bound, but its points are on the surfaces.
    bound = max(probed.distance, length(probed.pointB - probed.pointA));
    bound = select(parameters.margin, bound, (probed.info & INFO_HIT) != 0u);
  }
  partPairCount[FIRST_BOUND + pair] = bitcast<u32>(bound);
}

fn nearestOf(pair: u32) -> DistanceRecord {
  var nearest: DistanceRecord;
  let first = firstParts[pair];
  let end = firstParts[pair + 1u];
  // The places of pairs at MOST_SUM and beyond are all MOST_SUM: pairs of bodies there may have pairs of parts.
  if (end > parameters.partPairCapacity && (first != end || end == MOST_SUM)) {
    nearest.info = STATUS_CAPACITY_EXCEEDED;
    return nearest;
  }
  nearest.distance = beyondMargin();
  @if(nearest) nearest.lower = nearest.distance;
  nearest.info = STATUS_SEPARATED;
  // Rounding may have left out the boxes of the probed parts.
  if ((records[pair].info & INFO_HIT) != 0u) {
    nearest = records[pair];
  }
  @if(nearest) var lower = nearest.lower;
  var parts = vec2u(0xffffffffu);
  for (var at = first; at < end; at++) {
    let record = partRecords[at];
    if (infoStatus(record.info) == STATUS_INVALID_INPUT) {
      return record;
    }
    let isHit = (record.info & INFO_HIT) != 0u;
    @if(nearest) lower = select(lower, min(lower, record.lower), isHit);
    let own = partPairs[at].zw & vec2u((1u << PART_KIND_SHIFT) - 1u);
    let isAsNear = record.distance == nearest.distance && (own.x < parts.x || (own.x == parts.x && own.y < parts.y));
    if (isHit && ((nearest.info & INFO_HIT) == 0u || record.distance < nearest.distance || isAsNear)) {
      nearest = record;
      parts = own;
    }
  }
  @if(nearest) nearest.lower = lower;
  return nearest;
}
