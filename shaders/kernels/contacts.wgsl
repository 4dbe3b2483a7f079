// Contacts, by the stages that need no EPA.

@kernel(contacts-closed) // pairs that have a closed form, with their features
@kernel(contacts-mpr)    // the pairs that MPR decides; the others are left to contacts-gjk
@kernel(contacts-sat)    // box pairs by SAT; those within the margin whose cores are apart are left to contacts-gjk

import package::shared::results::{STATUS_INVALID_INPUT};
@if(contacts-closed) import package::queries::contacts::closed::{contactByClosedForm};
@if(contacts-mpr) import package::queries::contacts::mpr::{contactByMpr};
@if(contacts-mpr) import package::mpr::{MPR_NORMAL, MPR_RAY};
@if(contacts-sat) import package::queries::contacts::sat::{contactBySat};
import package::kernels::contact-records::{storeContact, storeInfo};
import package::kernels::input::{loadInput};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR};

// Whether the contacts need features: manifolds have features of their own.
@if(contacts-closed || contacts-sat) override HAS_FEATURES: bool = true;
// Whether the depth is that at the end of the first ray.
@if(contacts-mpr) override IS_RAY: bool = false;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let input = loadInput(index);
  if (input.isValid) {
    @if(contacts-closed) let contact = contactByClosedForm(
      input.pair, input.shapeA, input.shapeB, parameters.margin, HAS_FEATURES
    );
    @if(contacts-mpr) let contact = contactByMpr(input.pair, parameters.margin, select(MPR_NORMAL, MPR_RAY, IS_RAY));
    @if(contacts-sat) let contact = contactBySat(
      input.pair, input.shapeA, input.shapeB, parameters.margin, HAS_FEATURES
    );
    storeContact(index, contact);
  } else {
    storeInfo(index, STATUS_INVALID_INPUT);
  }
}
