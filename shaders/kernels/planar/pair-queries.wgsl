// The queries of two bodies that stand still, in 2-D. Each kernel runs all stages: see planar/queries.

@kernel(contacts)
@kernel(distances)
@kernel(intersects)
@kernel(manifolds)

import package::shared::results::{STATUS_INVALID_INPUT};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR};
import package::kernels::planar::input::{loadInput, RUNG};
@if(contacts || manifolds) import package::kernels::planar::input::{PORTALS};
@if(contacts) import package::planar::results::{PlanarContact};
@if(distances) import package::planar::results::{PlanarDistance};
@if(manifolds) import package::planar::results::{PlanarManifold};
@if(contacts) import package::planar::queries::contacts::{contactOf};
@if(distances) import package::planar::queries::distances::{distanceOf};
@if(intersects) import package::planar::queries::intersects::{intersects};
@if(manifolds) import package::planar::queries::manifolds::{manifoldOf};

@if(contacts) @group(0) @binding(6) var<storage, read_write> results: array<PlanarContact>;
@if(distances) @group(0) @binding(6) var<storage, read_write> results: array<PlanarDistance>;
@if(intersects) @group(0) @binding(6) var<storage, read_write> results: array<u32>;
@if(manifolds) @group(0) @binding(6) var<storage, read_write> results: array<PlanarManifold>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let input = loadInput(index);
  @if(contacts) var record: PlanarContact;
  @if(distances) var record: PlanarDistance;
  @if(manifolds) var record: PlanarManifold;
  @if(contacts || distances || manifolds) record.info = STATUS_INVALID_INPUT;
  @if(intersects) var record = STATUS_INVALID_INPUT;
  if (input.isValid) {
    @if(contacts) record = contactOf(input.pair, parameters.margin, RUNG, PORTALS);
    @if(distances) record = distanceOf(input.pair, parameters.margin, RUNG);
    @if(intersects) record = intersects(input.pair, parameters.margin, RUNG);
    @if(manifolds) record = manifoldOf(input.pair, parameters.margin, RUNG, PORTALS);
  }
  results[index] = record;
}
