// Contacts by the stages that leave nothing to EPA. Pairs that they do not decide are left to contacts-gjk, which has a
// file of its own.

@kernel(contacts-closed) // pairs with a closed form, and boxes by SAT
@kernel(contacts-mpr)    // all bounded shapes, by MPR

import package::kernels::work-lists as package::kernels::list;
import package::shared::results::{Contact, INFO_HAS_POINTS, INFO_PENDING_GJK, STATUS_INVALID_INPUT};
@if(contacts-closed) import package::queries::contacts::closed::{contactByClosedForm};
@if(contacts-mpr) import package::queries::contacts::mpr::{contactByMpr};
@if(contacts-mpr) import package::mpr::{MPR_NORMAL, MPR_RAY};
import package::kernels::append::{appendTogether, NO_LIST};
import package::kernels::contact-records::{storeContact};
import package::kernels::load-pair::{loadPair};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR};

// Whether contacts need features. Manifolds find features of their own.
@if(contacts-closed) override HAS_FEATURES: bool = true;
// Whether the depth is the one along the first ray.
@if(contacts-mpr) override IS_RAY: bool = false;

// The lists that it appends to: pairs that it leaves, and contacts with points.
const TO_GJK: u32 = 0u;
const TO_NEAR: u32 = 1u;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  var toList = NO_LIST;
  if (index != NO_PAIR) {
    let loaded = loadPair(index);
    var contact: Contact;
    contact.info = STATUS_INVALID_INPUT;
    if (loaded.isValid) {
      @if(contacts-closed) contact = contactByClosedForm(
        loaded.pair, loaded.shapeA, loaded.shapeB, parameters.margin, HAS_FEATURES
      );
      @if(contacts-mpr) contact = contactByMpr(loaded.pair, parameters.margin, select(MPR_NORMAL, MPR_RAY, IS_RAY));
      toList = select(NO_LIST, TO_NEAR, (contact.info & INFO_HAS_POINTS) != 0u);
      toList = select(toList, TO_GJK, (contact.info & INFO_PENDING_GJK) != 0u);
    }
    storeContact(index, contact);
  }
  appendTogether(index, toList, localIndex);
}
