// Moves the keys of a block to their places by one digit. An invocation takes consecutive keys, so keys with the same
// digit keep their order.

import package::kernels::broad-phase::parameters::{bodyCount, parameters};
import package::kernels::tree::sort::{blockIndex, digitCounts, digitOf, sortedFrom, SORT_BLOCK, SORT_SHARE};

@group(0) @binding(18) var<storage, read_write> sortedTo: array<vec2u>;

// Two digits share a word: the second is HALF above the first. Neither half exceeds SORT_BLOCK.
const HALF: u32 = 8u;

// Per word of digits and invocation: the invocation's keys, and then the block's keys before them.
var<workgroup> ranks: array<u32, 2048>;
var<workgroup> partial: array<u32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let ownBlock = blockIndex(workgroupId);
  let first = ownBlock * SORT_BLOCK + localIndex * SORT_SHARE;
  let end = min(first + SORT_SHARE, bodyCount());
  for (var at = first; at < end; at++) {
    let digit = digitOf(sortedFrom[at].x);
    ranks[cellOf(digit, localIndex)] += 1u << shiftOf(digit);
  }
  workgroupBarrier();
  sumRows(localIndex);
  for (var at = first; at < end; at++) {
    let entry = sortedFrom[at];
    let digit = digitOf(entry.x);
    let cell = cellOf(digit, localIndex);
    let before = (ranks[cell] >> shiftOf(digit)) & 0xffffu;
    ranks[cell] += 1u << shiftOf(digit);
    sortedTo[digitCounts[digit * parameters.blockCount + ownBlock] + before] = entry;
  }
}

fn cellOf(digit: u32, localIndex: u32) -> u32 {
  return (digit % HALF) * 256u + localIndex;
}

fn shiftOf(digit: u32) -> u32 {
  return 16u * (digit / HALF);
}

// Replaces each number of a row by the sum of those before it. Thirty-two invocations share a row.
fn sumRows(localIndex: u32) {
  var own = 0u;
  for (var i = 0u; i < 8u; i++) {
    own += ranks[8u * localIndex + i];
  }
  var sum = own;
  for (var step = 1u; step < 32u; step <<= 1u) {
    partial[localIndex] = sum;
    workgroupBarrier();
    if ((localIndex & 31u) >= step) {
      sum += partial[localIndex - step];
    }
    workgroupBarrier();
  }
  sum -= own;
  for (var i = 0u; i < 8u; i++) {
    let value = ranks[8u * localIndex + i];
    ranks[8u * localIndex + i] = sum;
    sum += value;
  }
  workgroupBarrier();
}
