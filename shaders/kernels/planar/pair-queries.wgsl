// Queries in 2-D without a depth. Each kernel runs all stages of its query.

@kernel(distances)
@kernel(intersects)

import package::shared::results::{STATUS_INVALID_INPUT};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR};
import package::kernels::planar::load-pair::{loadPair, LEAD_STAGE};
@if(distances) import package::planar::results::{PlanarDistance};
@if(distances) import package::planar::queries::distances::{distanceOf};
@if(intersects) import package::planar::queries::intersects::{intersects};

@if(distances) @group(0) @binding(6) var<storage, read_write> records: array<PlanarDistance>;
@if(intersects) @group(0) @binding(6) var<storage, read_write> records: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let loaded = loadPair(index);
  @if(distances) var record: PlanarDistance;
  @if(distances) record.info = STATUS_INVALID_INPUT;
  @if(intersects) var record = STATUS_INVALID_INPUT;
  if (loaded.isValid) {
    @if(distances) record = distanceOf(loaded.pair, parameters.margin, LEAD_STAGE);
    @if(intersects) record = intersects(loaded.pair, parameters.margin, LEAD_STAGE);
  }
  records[index] = record;
}
