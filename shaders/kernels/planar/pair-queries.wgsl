// All queries in 2-D except impacts. Each kernel runs all stages of its query.

@kernel(contacts)
@kernel(distances)
@kernel(intersects)
@kernel(manifolds)

import package::shared::results::{STATUS_INVALID_INPUT};
import package::kernels::parameters::{parameters, pairInSlot, strideOf};
import package::kernels::planar::load-pair::{loadPair, LEAD_STAGE};
@if(contacts || manifolds) import package::kernels::planar::load-pair::{MPR_DEPTH};
@if(contacts) import package::planar::results::{PlanarContact};
@if(distances) import package::planar::results::{PlanarDistance};
@if(manifolds) import package::planar::results::{PlanarManifold};
@if(contacts) import package::planar::queries::contacts::{contactOf};
@if(distances) import package::planar::queries::distances::{distanceOf};
@if(intersects) import package::planar::queries::intersects::{intersects};
@if(manifolds) import package::planar::queries::manifolds::{manifoldOf};

@if(contacts) @group(0) @binding(6) var<storage, read_write> records: array<PlanarContact>;
@if(distances) @group(0) @binding(6) var<storage, read_write> records: array<PlanarDistance>;
@if(intersects) @group(0) @binding(6) var<storage, read_write> records: array<u32>;
@if(manifolds) @group(0) @binding(6) var<storage, read_write> records: array<PlanarManifold>;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32,
  @builtin(num_workgroups) workgroups: vec3u
) {
  let stride = strideOf(workgroupId, localIndex, workgroups);
  for (var slot = stride.first; slot < stride.end; slot += stride.step) {
    let index = pairInSlot(slot);
    let loaded = loadPair(index);
    @if(contacts) var record: PlanarContact;
    @if(distances) var record: PlanarDistance;
    @if(manifolds) var record: PlanarManifold;
    @if(contacts || distances || manifolds) record.info = STATUS_INVALID_INPUT;
    @if(intersects) var record = STATUS_INVALID_INPUT;
    if (loaded.isValid) {
      @if(contacts) record = contactOf(loaded.pair, parameters.margin, LEAD_STAGE, MPR_DEPTH);
      @if(distances) record = distanceOf(loaded.pair, parameters.margin, LEAD_STAGE);
      @if(intersects) record = intersects(loaded.pair, parameters.margin, LEAD_STAGE);
      @if(manifolds) record = manifoldOf(loaded.pair, parameters.margin, LEAD_STAGE, MPR_DEPTH);
    }
    records[index] = record;
  }
}
