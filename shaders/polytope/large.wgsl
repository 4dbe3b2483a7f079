// Where the polytope of a pair lives that ran out of the small one: vertices in private variables as there, faces in the memory
// of a workgroup of one invocation. Of the two, WGSL grants 8 and 16 KiB.

import package::shared::constants::{EPA_LARGE_VERTICES, EPA_LARGE_FACES};

const MAX_VERTICES: u32 = EPA_LARGE_VERTICES;
const MAX_FACES: u32 = EPA_LARGE_FACES;
const MAX_ITERATIONS: u32 = 2048u;
const IS_LARGEST: bool = true;

var<private> vertices: array<vec4u, MAX_VERTICES>;
var<workgroup> heights: array<f32, MAX_FACES>;
var<workgroup> corners: array<u32, MAX_FACES>;
var<workgroup> neighbours: array<u32, MAX_FACES>;
var<workgroup> horizon: array<u32, MAX_VERTICES>;

// A set is named by its first word: arrays of one invocation's own are slow to compile.
alias NumberSet = u32;
const SET_WORDS: u32 = 32u;
var<workgroup> sets: array<u32, 192>;
const NONE: u32 = 0xffffffffu;

// An empty set; of those of one number, one at a time is in use.
fn emptySet(number: u32) -> NumberSet {
  let first = number * SET_WORDS;
  for (var word = 0u; word < SET_WORDS; word++) {
    sets[first + word] = 0u;
  }
  return first;
}

fn copySet(source: ptr<function, NumberSet>, number: u32) -> NumberSet {
  let first = number * SET_WORDS;
  for (var word = 0u; word < SET_WORDS; word++) {
    sets[first + word] = sets[*source + word];
  }
  return first;
}

fn contains(numbers: ptr<function, NumberSet>, i: u32) -> bool {
  return ((sets[*numbers + (i >> 5u)] >> (i & 31u)) & 1u) == 1u;
}

fn insert(numbers: ptr<function, NumberSet>, i: u32) {
  sets[*numbers + (i >> 5u)] |= 1u << (i & 31u);
}

fn takeFirst(numbers: ptr<function, NumberSet>) -> u32 {
  for (var word = 0u; word < SET_WORDS; word++) {
    let bits = sets[*numbers + word];
    if (bits != 0u) {
      sets[*numbers + word] = bits & (bits - 1u);
      return 32u * word + firstTrailingBit(bits);
    }
  }
  return NONE;
}
