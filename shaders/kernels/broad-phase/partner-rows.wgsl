// Partners of an owner, between memory and registers.

import package::broad-phase::network::{Sixteen, ThirtyTwo};
import package::kernels::broad-phase::pairs-of-owners::{foundPairs};

// In place of partners after the last one. No body has this number.
const NO_PARTNER: u32 = 0xffffffffu;

// Partners at the places from `first` on that are before `end`. They are in the place of the owner until they are
// sorted.
fn unsorted16(first: u32, end: u32) -> Sixteen {
  return Sixteen(
    unsorted4(first, end), unsorted4(first + 4u, end), unsorted4(first + 8u, end), unsorted4(first + 12u, end)
  );
}

fn unsorted4(first: u32, end: u32) -> vec4u {
  // Most owners have few partners, so most rows are empty.
  if (first >= end) {
    return vec4u(NO_PARTNER);
  }
  return vec4u(
    unsorted1(first, end), unsorted1(first + 1u, end), unsorted1(first + 2u, end), unsorted1(first + 3u, end)
  );
}

fn unsorted1(at: u32, end: u32) -> u32 {
  if (at < end) {
    return foundPairs[at].x;
  }
  return NO_PARTNER;
}

fn store16(owner: u32, first: u32, end: u32, rows: Sixteen) {
  store4(owner, first, end, rows.a);
  store4(owner, first + 4u, end, rows.b);
  store4(owner, first + 8u, end, rows.c);
  store4(owner, first + 12u, end, rows.d);
}

fn store32(owner: u32, first: u32, end: u32, rows: ThirtyTwo) {
  store16(owner, first, end, rows.low);
  store16(owner, first + 16u, end, rows.high);
}

fn store4(owner: u32, first: u32, end: u32, row: vec4u) {
  if (first >= end) {
    return;
  }
  foundPairs[first] = vec2u(owner, row.x);
  if (first + 1u < end) {
    foundPairs[first + 1u] = vec2u(owner, row.y);
  }
  if (first + 2u < end) {
    foundPairs[first + 2u] = vec2u(owner, row.z);
  }
  if (first + 3u < end) {
    foundPairs[first + 3u] = vec2u(owner, row.w);
  }
}
