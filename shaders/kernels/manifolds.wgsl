// Manifolds of listed hits, whose contacts are known.

@kernel(manifolds)       // any shapes
@kernel(manifolds-boxes) // boxes that are not rounded

@if(manifolds) import package::corners::many as package::corners::capacity;
@if(manifolds) import package::queries::manifolds::any::{manifoldOfContact};
@if(manifolds-boxes) import package::corners::few as package::corners::capacity;
@if(manifolds-boxes) import package::queries::manifolds::boxes::{boxManifoldOfContact};
import package::kernels::contact-points::{loadContactPoint};
import package::kernels::manifold-records::{storeManifold};
import package::kernels::load-pair::{loadPair};
import package::kernels::parameters::{parameters, pairInSlot, strideOf};

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32,
  @builtin(num_workgroups) workgroups: vec3u
) {
  let stride = strideOf(workgroupId, localIndex, workgroups);
  for (var slot = stride.first; slot < stride.end; slot += stride.step) {
    let index = pairInSlot(slot);
    let loaded = loadPair(index);
    let contact = loadContactPoint(index);
    @if(manifolds) let manifold = manifoldOfContact(
      loaded.pair, loaded.shapeA, loaded.shapeB, contact, parameters.margin
    );
    @if(manifolds-boxes) let manifold = boxManifoldOfContact(
      loaded.pair, loaded.shapeA, loaded.shapeB, contact, parameters.margin
    );
    storeManifold(index, manifold);
  }
}
