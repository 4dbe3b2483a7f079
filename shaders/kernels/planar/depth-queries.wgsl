// Queries in 2-D with a depth, except impacts. Each kernel runs all stages of its query.

@kernel(contacts)
@kernel(manifolds)

import package::shared::results::{STATUS_INVALID_INPUT};
import package::kernels::parameters::{parameters, pairIndex, pairInSlot, strideOf, NO_PAIR};
import package::kernels::planar::load-pair::{loadPair, LEAD_STAGE, MPR_DEPTH};
@if(contacts) import package::planar::results::{PlanarContact};
@if(manifolds) import package::planar::results::{PlanarManifold};
@if(contacts) import package::planar::queries::contacts::{contactOf};
@if(manifolds) import package::planar::queries::manifolds::{manifoldOf};

@if(contacts) @group(0) @binding(6) var<storage, read_write> records: array<PlanarContact>;
@if(manifolds) @group(0) @binding(6) var<storage, read_write> records: array<PlanarManifold>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index != NO_PAIR) {
    storeAnswer(index);
  }
}

@compute @workgroup_size(64)
fn strided(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let stride = strideOf(id, workgroups);
  for (var slot = stride.first; slot < stride.end; slot += stride.step) {
    storeAnswer(pairInSlot(slot));
  }
}

fn storeAnswer(index: u32) {
  let loaded = loadPair(index);
  @if(contacts) var record: PlanarContact;
  @if(manifolds) var record: PlanarManifold;
  record.info = STATUS_INVALID_INPUT;
  if (loaded.isValid) {
    @if(contacts) record = contactOf(loaded.pair, parameters.margin, LEAD_STAGE, MPR_DEPTH);
    @if(manifolds) record = manifoldOf(loaded.pair, parameters.margin, LEAD_STAGE, MPR_DEPTH);
  }
  records[index] = record;
}
