// Capacity of polytopes of curved pairs for which the small capacity is not enough: 6.0 of the 8 KiB of private
// variables that WGSL guarantees.

import package::shared::constants::{EPA_MEDIUM_VERTICES, EPA_MEDIUM_FACES};

const MAX_VERTICES: u32 = EPA_MEDIUM_VERTICES;
const MAX_FACES: u32 = EPA_MEDIUM_FACES;
const MAX_HORIZON: u32 = MAX_VERTICES;
const MAX_ITERATIONS: u32 = 160u;

// A set of faces, or of vertices.
alias NumberSet = array<u32, SET_WORDS>;
const SET_WORDS: u32 = 8u;
const_assert MAX_FACES <= 32u * SET_WORDS;
const NONE: u32 = 0xffffffffu;

fn emptySet() -> NumberSet {
  return NumberSet();
}

fn contains(numbers: ptr<function, NumberSet>, i: u32) -> bool {
  return (((*numbers)[i >> 5u] >> (i & 31u)) & 1u) == 1u;
}

fn insert(numbers: ptr<function, NumberSet>, i: u32) {
  (*numbers)[i >> 5u] |= 1u << (i & 31u);
}

// Takes the least number out, or gives NONE.
fn takeFirst(numbers: ptr<function, NumberSet>) -> u32 {
  for (var word = 0u; word < SET_WORDS; word++) {
    let bits = (*numbers)[word];
    if (bits != 0u) {
      (*numbers)[word] = bits & (bits - 1u);
      return 32u * word + firstTrailingBit(bits);
    }
  }
  return NONE;
}
