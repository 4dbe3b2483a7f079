// Appends pairs to a list with one class, for a kernel that runs over them next. The order depends on scheduling. It is
// for work lists only, never for lists that callers see.

import package::shared::results::{LIST_COUNT, LIST_HEADER};

// The list (compact.wgsl). Its header is zero before.
@group(0) @binding(9) var<storage, read_write> appended: array<atomic<u32>>;

var<workgroup> appendedHere: atomic<u32>;
var<workgroup> firstSlot: u32;

// Called by all invocations of a workgroup, with a pair each. One addition to the list's count serves all of them.
fn appendPair(index: u32, isAppended: bool, localIndex: u32) {
  var place = 0u;
  if (isAppended) {
    place = atomicAdd(&appendedHere, 1u);
  }
  workgroupBarrier();
  if (localIndex == 0u) {
    firstSlot = atomicAdd(&appended[LIST_COUNT], atomicLoad(&appendedHere));
  }
  workgroupBarrier();
  if (isAppended) {
    atomicStore(&appended[LIST_HEADER + firstSlot + place], index);
  }
}
