// Contacts of box pairs by SAT; everything else is left to contacts-gjk.

import package::shared::results::{Contact, STATUS_INVALID_INPUT, INFO_PENDING_GJK};
import package::queries::contacts::sat::{contactBySat};
import package::kernels::input::{parameters, pairIndex, loadInput, NO_PAIR};

@group(0) @binding(6) var<storage, read_write> results: array<Contact>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let input = loadInput(index);
  var result: Contact;
  result.info = select(STATUS_INVALID_INPUT, INFO_PENDING_GJK, input.isValid);
  if (input.isValid && input.areBoxes) {
    result = contactBySat(input.pair, input.shapeA, input.shapeB, parameters.margin);
  }
  results[index] = result;
}
