// The pairs of each owner, after the search. All pairs of an owner are next to each other; owners ascend.

import package::kernels::broad-phase::parameters::{bodyCount, parameters};

// The first place of each owner's pairs, and after the last owner the number of all pairs.
@group(0) @binding(13) var<storage, read> owners: array<u32>;
@group(0) @binding(14) var<storage, read_write> foundPairs: array<vec2u>;
// Owners of many pairs, in any order: from the start those that a workgroup sorts, from the end those with more.
@group(0) @binding(15) var<storage, read_write> longOwners: array<u32>;

// The most pairs that a workgroup sorts.
const MOST_TOGETHER: u32 = 2048u;
// The pairs of an owner that has more are sorted, and stored, by several tasks, one for each range of this many bodies.
const RANGE: u32 = 65536u;

struct OwnerTask {
  owner: u32,
  // The number of the range of bodies.
  range: u32,
}

// The first of an owner's pairs.
fn firstPairOf(owner: u32) -> u32 {
  return owners[owner];
}

// The end of an owner's pairs. It is above the capacity if there is no room for all of them.
fn endOfPairs(owner: u32) -> u32 {
  return owners[owner + 1u];
}

fn rangeCount() -> u32 {
  return (bodyCount() + RANGE - 1u) / RANGE;
}

fn taskOf(index: u32) -> OwnerTask {
  let ranges = rangeCount();
  return OwnerTask(longOwners[parameters.bodyCapacity - 1u - index / ranges], index % ranges);
}
