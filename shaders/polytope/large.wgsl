// Where the polytope of a pair lives that ran out of the small one: the memory of a workgroup of one invocation, of which WGSL
// grants 16 KiB: 16 bytes a vertex, 12 a face, 4 an edge of the horizon. Four sets, of a bit a face each, are private.

import package::shared::constants::{EPA_LARGE_VERTICES, EPA_LARGE_FACES, EPA_LARGE_HORIZON};

const MAX_VERTICES: u32 = EPA_LARGE_VERTICES;
const MAX_FACES: u32 = EPA_LARGE_FACES;
const MAX_HORIZON: u32 = EPA_LARGE_HORIZON;
const MAX_ITERATIONS: u32 = 1024u;
const IS_LARGEST: bool = true;

var<workgroup> vertices: array<vec4u, MAX_VERTICES>;
var<workgroup> heights: array<f32, MAX_FACES>;
var<workgroup> corners: array<u32, MAX_FACES>;
var<workgroup> neighbours: array<u32, MAX_FACES>;
var<workgroup> horizon: array<u32, MAX_HORIZON>;

const SET_WORDS: u32 = (MAX_FACES + 31u) / 32u;
var<private> sets: array<u32, 4u * SET_WORDS>;

// A set by its first word.
alias NumberSet = u32;
const NONE: u32 = 0xffffffffu;

fn emptySet(place: u32) -> NumberSet {
  for (var i = 0u; i < SET_WORDS; i++) {
    sets[place * SET_WORDS + i] = 0u;
  }
  return place * SET_WORDS;
}

fn copyOf(numbers: NumberSet, place: u32) -> NumberSet {
  for (var i = 0u; i < SET_WORDS; i++) {
    sets[place * SET_WORDS + i] = sets[numbers + i];
  }
  return place * SET_WORDS;
}

fn contains(numbers: ptr<function, NumberSet>, i: u32) -> bool {
  return ((sets[*numbers + (i >> 5u)] >> (i & 31u)) & 1u) == 1u;
}

fn insert(numbers: ptr<function, NumberSet>, i: u32) {
  sets[*numbers + (i >> 5u)] |= 1u << (i & 31u);
}

fn takeFirst(numbers: ptr<function, NumberSet>) -> u32 {
  for (var i = 0u; i < SET_WORDS; i++) {
    let bits = sets[*numbers + i];
    if (bits != 0u) {
      sets[*numbers + i] = bits & (bits - 1u);
      return 32u * i + firstTrailingBit(bits);
    }
  }
  return NONE;
}
