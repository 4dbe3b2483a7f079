// Sorts the partners of owners that have more than a workgroup sorts. A task of a workgroup is an owner's partners in
// one range of bodies: a bit is set for each, and the bits that are set are counted and written in order, after as many
// places as there are partners below the range. The owner itself is stored later (store-owners), when no other task
// reads the partners there.

import package::broad-phase::state::{STATE_VERY_LONG};
import package::kernels::broad-phase::found-counts::{state};
import package::kernels::broad-phase::pairs-of-owners::{
  endOfPairs, firstPairOf, foundPairs, rangeCount, taskOf, RANGE
};

// One bit per body of a range.
const WORDS: u32 = 2048u;
// Words per invocation: a 256th of them.
const SHARE: u32 = 8u;

var<workgroup> words: array<atomic<u32>, WORDS>;
var<workgroup> partial: array<u32, 256>;
var<workgroup> belowRange: atomic<u32>;
var<workgroup> taskCount: u32;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) workgroupId: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32
) {
  if (localIndex == 0u) {
    taskCount = atomicLoad(&state[STATE_VERY_LONG]) * rangeCount();
  }
  let count = workgroupUniformLoad(&taskCount);
  for (var i = workgroupId.x; i < count; i += workgroups.x) {
    for (var word = localIndex; word < WORDS; word += 256u) {
      atomicStore(&words[word], 0u);
    }
    if (localIndex == 0u) {
      atomicStore(&belowRange, 0u);
    }
    workgroupBarrier();
    let task = taskOf(i);
    let first = firstPairOf(task.owner);
    let end = endOfPairs(task.owner);
    let start = task.range * RANGE;
    var below = 0u;
    // Partners are above their owner.
    for (var at = first + localIndex; at < end && start + RANGE > task.owner; at += 256u) {
      let partner = foundPairs[at].x;
      below += select(0u, 1u, partner < start);
      if (partner - start < RANGE) {
        atomicOr(&words[(partner - start) >> 5u], 1u << (partner & 31u));
      }
    }
    atomicAdd(&belowRange, below);
    workgroupBarrier();
    writeRange(localIndex, first + atomicLoad(&belowRange), start);
    workgroupBarrier();
  }
}

// Writes the numbers of the bits from `place` on. All invocations of the workgroup call it.
fn writeRange(localIndex: u32, place: u32, start: u32) {
  var own = 0u;
  for (var word = SHARE * localIndex; word < SHARE * (localIndex + 1u); word++) {
    own += countOneBits(atomicLoad(&words[word]));
  }
  var sum = own;
  for (var step = 1u; step < 256u; step <<= 1u) {
    partial[localIndex] = sum;
    workgroupBarrier();
    if (localIndex >= step) {
      sum += partial[localIndex - step];
    }
    workgroupBarrier();
  }
  var at = place + sum - own;
  for (var word = SHARE * localIndex; word < SHARE * (localIndex + 1u); word++) {
    for (var bits = atomicLoad(&words[word]); bits != 0u; bits &= bits - 1u) {
      foundPairs[at].y = start + 32u * word + firstTrailingBit(bits);
      at++;
    }
  }
}
