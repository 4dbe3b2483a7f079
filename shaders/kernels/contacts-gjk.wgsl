// Contacts of pairs whose cores are apart, by GJK; pairs whose cores overlap are left to contacts-epa with their simplex.

import package::shared::results::{Contact, STATUS_INVALID_INPUT};
import package::queries::contacts::gjk::{contactByGjk};
import package::kernels::input::{parameters, pairIndex, loadInput, NO_PAIR};

@group(0) @binding(6) var<storage, read_write> results: array<Contact>;
@group(0) @binding(8) var<storage, read_write> simplices: array<vec4u>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let input = loadInput(index);
  if (input.isValid) {
    let found = contactByGjk(input.pair, input.shapeA, input.shapeB, parameters.margin);
    results[index] = found.contact;
    simplices[index] = found.simplexIds;
  } else {
    var result: Contact;
    result.info = STATUS_INVALID_INPUT;
    results[index] = result;
  }
}
