// Contacts by the stages that leave nothing to EPA. Pairs that they do not decide are left to contacts-gjk, which has a
// file of its own.

@kernel(contacts-closed)        // pairs with a closed form
@kernel(contacts-closed-append) // the same; lists its hits
@kernel(contacts-mpr)           // all bounded shapes, by MPR
@kernel(contacts-sat)           // boxes, by SAT
@kernel(contacts-sat-append)    // the same; lists the pairs that it leaves, and its hits

@if(contacts-sat-append || contacts-closed-append) import package::kernels::work-lists as package::kernels::list;
import package::shared::results::{Contact, STATUS_INVALID_INPUT};
@if(contacts-sat-append || contacts-closed-append) import package::shared::results::{INFO_HIT};
@if(contacts-sat-append) import package::shared::results::{INFO_PENDING_GJK};
@if(contacts-closed || contacts-closed-append) import package::queries::contacts::closed::{contactByClosedForm};
@if(contacts-mpr) import package::queries::contacts::mpr::{contactByMpr};
@if(contacts-mpr) import package::mpr::{MPR_NORMAL, MPR_RAY};
@if(contacts-sat || contacts-sat-append) import package::queries::contacts::sat::{contactBySat};
@if(contacts-sat-append || contacts-closed-append) import package::kernels::append::{appendTogether, NO_LIST};
import package::kernels::contact-records::{storeContact};
import package::kernels::load-pair::{loadPair};
import package::kernels::parameters::{parameters, pairIndex, NO_PAIR};

// Whether contacts need features. Manifolds find features of their own.
@if(contacts-closed || contacts-closed-append) override HAS_FEATURES: bool = true;
@if(contacts-sat || contacts-sat-append) override HAS_FEATURES: bool = true;
// Whether the depth is the one along the first ray.
@if(contacts-mpr) override IS_RAY: bool = false;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  @if(contacts-sat-append || contacts-closed-append) var toList = NO_LIST;
  if (index != NO_PAIR) {
    let loaded = loadPair(index);
    var contact: Contact;
    contact.info = STATUS_INVALID_INPUT;
    if (loaded.isValid) {
      @if(contacts-closed || contacts-closed-append) contact = contactByClosedForm(
        loaded.pair, loaded.shapeA, loaded.shapeB, parameters.margin, HAS_FEATURES
      );
      @if(contacts-mpr) contact = contactByMpr(loaded.pair, parameters.margin, select(MPR_NORMAL, MPR_RAY, IS_RAY));
      @if(contacts-sat || contacts-sat-append) contact = contactBySat(
        loaded.pair, loaded.shapeA, loaded.shapeB, parameters.margin, HAS_FEATURES
      );
      @if(contacts-sat-append || contacts-closed-append) toList = select(NO_LIST, 1u, (contact.info & INFO_HIT) != 0u);
      @if(contacts-sat-append) toList = select(toList, 0u, (contact.info & INFO_PENDING_GJK) != 0u);
    }
    storeContact(index, contact);
  }
  @if(contacts-sat-append || contacts-closed-append) appendTogether(index, toList, localIndex);
}
