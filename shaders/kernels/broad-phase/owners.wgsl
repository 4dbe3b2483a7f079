// Where the pairs of each owner go. An owner's pairs are next to each other: first those that its partners found, by
// their ranks; then those that it found itself; and then those that partners found without a rank.

import package::kernels::broad-phase::parameters::{parameters};

// Three rows, one number per body each:
// - How many pairs the body owns and has found itself. After all rows are summed up: the first place of all that it
//   owns.
// - How many of its pairs partners have found and given a rank.
// - How many of its pairs partners have found without a rank. These take their places from the end.
@group(0) @binding(13) var<storage, read_write> owners: array<atomic<u32>>;

fn rowLength() -> u32 {
  return parameters.bodyCapacity + 1u;
}

fn storeOwnCount(owner: u32, count: u32) {
  atomicStore(&owners[owner], count);
}

fn firstOfOwn(owner: u32) -> u32 {
  return atomicLoad(&owners[owner]) + atomicLoad(&owners[rowLength() + owner]);
}

fn endOfOwner(owner: u32) -> u32 {
  return atomicLoad(&owners[owner + 1u]);
}
