// Sorts the partners of owners that have many, an owner per workgroup. Up to MOST_EXCHANGED partners are sorted by a
// bitonic network (Batcher, "Sorting networks and their applications", 1968). For more, the numbers of bodies are cut
// into ranges: a bit is set for each partner in a range, and the bits that are set are counted and written in order.

import package::broad-phase::state::{STATE_LONG};
import package::kernels::broad-phase::pairs-of-owners::{cursors, firstPairOf, foundPairs, longOwners, state};
import package::kernels::broad-phase::parameters::{bodyCount};

const MOST_EXCHANGED: u32 = 2048u;
// Bodies in a range: one bit each in MOST_EXCHANGED words.
const RANGE: u32 = 65536u;
// Words of bits per invocation: a 256th of them.
const SHARE: u32 = 8u;

var<workgroup> words: array<atomic<u32>, MOST_EXCHANGED>;
var<workgroup> partial: array<u32, 256>;
var<workgroup> task: array<u32, 4>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) workgroupId: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32
) {
  if (localIndex == 0u) {
    task[0] = atomicLoad(&state[STATE_LONG]);
    task[3] = bodyCount();
  }
  let ownerCount = workgroupUniformLoad(&task[0]);
  let end = workgroupUniformLoad(&task[3]);
  for (var i = workgroupId.x; i < ownerCount; i += workgroups.x) {
    if (localIndex == 0u) {
      task[1] = firstPairOf(longOwners[i]);
      task[2] = cursors[longOwners[i]];
    }
    let first = workgroupUniformLoad(&task[1]);
    let count = workgroupUniformLoad(&task[2]) - first;
    if (count <= MOST_EXCHANGED) {
      exchange(localIndex, first, count);
    } else {
      sortByBits(localIndex, first, count, end);
    }
    storageBarrier();
    for (var at = localIndex; at < count; at += 256u) {
      foundPairs[first + at].x = longOwners[i];
    }
  }
}

fn exchange(localIndex: u32, first: u32, count: u32) {
  // A power of two. What is beyond the partners is greater than all of them.
  let size = 1u << (32u - countLeadingZeros(count - 1u));
  for (var at = localIndex; at < size; at += 256u) {
    var partner = 0xffffffffu;
    if (at < count) {
      partner = foundPairs[first + at].x;
    }
    atomicStore(&words[at], partner);
  }
  for (var run = 2u; run <= size; run <<= 1u) {
    for (var distance = run >> 1u; distance > 0u; distance >>= 1u) {
      workgroupBarrier();
      for (var i = localIndex; i < size / 2u; i += 256u) {
        let low = 2u * i - (i & (distance - 1u));
        let a = atomicLoad(&words[low]);
        let b = atomicLoad(&words[low + distance]);
        if ((a > b) == ((low & run) == 0u)) {
          atomicStore(&words[low], b);
          atomicStore(&words[low + distance], a);
        }
      }
    }
  }
  workgroupBarrier();
  for (var at = localIndex; at < count; at += 256u) {
    foundPairs[first + at].y = atomicLoad(&words[at]);
  }
  workgroupBarrier();
}

fn sortByBits(localIndex: u32, first: u32, count: u32, end: u32) {
  var written = first;
  for (var start = 0u; start < end; start += RANGE) {
    for (var word = localIndex; word < MOST_EXCHANGED; word += 256u) {
      atomicStore(&words[word], 0u);
    }
    workgroupBarrier();
    for (var at = localIndex; at < count; at += 256u) {
      let bit = foundPairs[first + at].x - start;
      if (bit < RANGE) {
        atomicOr(&words[bit >> 5u], 1u << (bit & 31u));
      }
    }
    workgroupBarrier();
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
    partial[localIndex] = sum;
    var place = written + sum - own;
    for (var word = SHARE * localIndex; word < SHARE * (localIndex + 1u); word++) {
      for (var bits = atomicLoad(&words[word]); bits != 0u; bits &= bits - 1u) {
        foundPairs[place].y = start + 32u * word + firstTrailingBit(bits);
        place++;
      }
    }
    written += workgroupUniformLoad(&partial[255]);
  }
}
