// Sorts the partners of owners that have many, up to MOST_EXCHANGED, an owner per invocation: on software adapters,
// where barriers cost more than steps. Runs of 32 partners are sorted in registers, and then exchanged in pairs by
// Batcher's merge exchange (Knuth, "The Art of Computer Programming" 3, algorithm 5.2.2M): the lesser half of two runs
// goes to the first (Baudet, Stevenson, "Optimal Sorting Algorithms for Parallel Computers", 1978).

import package::broad-phase::network::{greater32, lesser32, sorted32, Sixteen, ThirtyTwo};
import package::broad-phase::state::{STATE_LONG};
import package::kernels::broad-phase::found-counts::{state};
import package::kernels::broad-phase::pairs-of-owners::{endOfPairs, firstPairOf, foundPairs, longOwners};
import package::kernels::broad-phase::partner-rows::{store32, unsorted32, NO_PARTNER};

const RUN: u32 = 32u;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) workgroupId: vec3u,
  @builtin(num_workgroups) workgroups: vec3u,
  @builtin(local_invocation_index) localIndex: u32
) {
  let ownerCount = atomicLoad(&state[STATE_LONG]);
  for (var i = 64u * workgroupId.x + localIndex; i < ownerCount; i += 64u * workgroups.x) {
    sortPartners(longOwners[i]);
  }
}

fn sortPartners(owner: u32) {
  let first = firstPairOf(owner);
  let end = endOfPairs(owner);
  for (var at = first; at < end; at += RUN) {
    store32(owner, at, end, sorted32(unsorted32(at, end)));
  }
  let runCount = (end - first + RUN - 1u) / RUN;
  // The greatest power of two below the number of runs.
  let greatest = 1u << (31u - countLeadingZeros(runCount - 1u));
  for (var p = greatest; p > 0u; p >>= 1u) {
    var between = p;
    var rest = 0u;
    for (var q = greatest; q >= p; q >>= 1u) {
      for (var i = 0u; i < runCount - min(between, runCount); i++) {
        if ((i & p) == rest) {
          exchange(owner, first + RUN * i, first + RUN * (i + between), end);
        }
      }
      between = q - p;
      rest = p;
    }
  }
}

// Of two runs that are sorted. Only the last of all may be shorter.
fn exchange(owner: u32, low: u32, high: u32, end: u32) {
  let a = runAt(low, end);
  let b = runAt(high, end);
  store32(owner, low, end, lesser32(a, b));
  store32(owner, high, end, greater32(a, b));
}

fn runAt(first: u32, end: u32) -> ThirtyTwo {
  return ThirtyTwo(sixteenAt(first, end), sixteenAt(first + 16u, end));
}

fn sixteenAt(first: u32, end: u32) -> Sixteen {
  return Sixteen(fourAt(first, end), fourAt(first + 4u, end), fourAt(first + 8u, end), fourAt(first + 12u, end));
}

fn fourAt(first: u32, end: u32) -> vec4u {
  return vec4u(
    partnerAt(first, end), partnerAt(first + 1u, end), partnerAt(first + 2u, end), partnerAt(first + 3u, end)
  );
}

fn partnerAt(at: u32, end: u32) -> u32 {
  if (at < end) {
    return foundPairs[at].y;
  }
  return NO_PARTNER;
}
