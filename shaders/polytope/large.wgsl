// Where the polytope of a pair lives that ran out of the small one: rows of a buffer for each of a fixed number of workers. Neither
// private nor workgroup memory holds so much. The rows of the workers lie side by side; each access is to one place, since
// compilers write every access out wherever it is made.

import package::shared::constants::{
  EPA_LARGE_VERTICES, EPA_LARGE_FACES, EPA_LARGE_HORIZON, EPA_LARGE_WORKERS, EPA_LARGE_ROWS
};

const MAX_VERTICES: u32 = EPA_LARGE_VERTICES;
const MAX_FACES: u32 = EPA_LARGE_FACES;
const MAX_HORIZON: u32 = EPA_LARGE_HORIZON;
const MAX_ITERATIONS: u32 = 1024u;

// Rows of a worker: one a vertex; one a face with its height, its corners, its neighbours and an edge of the horizon; one for each word
// of four sets of faces; one for four vertices' numbers on B.
const FACES_AT: u32 = EPA_LARGE_VERTICES;
const SETS_AT: u32 = FACES_AT + EPA_LARGE_FACES;
const SET_WORDS: u32 = (EPA_LARGE_FACES + 31u) / 32u;
const NUMBERS_AT: u32 = SETS_AT + 4u * SET_WORDS;
const_assert NUMBERS_AT + (EPA_LARGE_VERTICES + 3u) / 4u <= EPA_LARGE_ROWS;
const_assert EPA_LARGE_HORIZON <= EPA_LARGE_FACES;

@group(0) @binding(8) var<storage, read_write> scratch: array<vec4u>;

// Which of the workers this is, and SET_WORDS as compilers do not know it: they would write loops of so few steps out in every
// place that they are called from. Both are set before anything else.
var<private> worker: u32;
var<private> setWords: u32;

fn place(row: u32) -> u32 {
  return row * EPA_LARGE_WORKERS + worker;
}

fn vertexAt(i: u32) -> vec4u {
  return scratch[place(i)];
}

fn storeVertex(i: u32, value: vec4u) {
  scratch[place(i)] = value;
}

fn numberOnBAt(i: u32) -> u32 {
  return scratch[place(NUMBERS_AT + (i >> 2u))][i & 3u];
}

fn storeNumberOnB(i: u32, value: u32) {
  scratch[place(NUMBERS_AT + (i >> 2u))][i & 3u] = value;
}

fn rankAt(i: u32) -> f32 {
  return bitcast<f32>(scratch[place(FACES_AT + i)].x);
}

fn storeRank(i: u32, value: f32) {
  scratch[place(FACES_AT + i)].x = bitcast<u32>(value);
}

fn cornersAt(i: u32) -> u32 {
  return scratch[place(FACES_AT + i)].y;
}

fn storeCorners(i: u32, value: u32) {
  scratch[place(FACES_AT + i)].y = value;
}

fn neighboursAt(i: u32) -> u32 {
  return scratch[place(FACES_AT + i)].z;
}

fn storeNeighbours(i: u32, value: u32) {
  scratch[place(FACES_AT + i)].z = value;
}

fn horizonAt(i: u32) -> u32 {
  return scratch[place(FACES_AT + i)].w;
}

fn storeHorizon(i: u32, value: u32) {
  scratch[place(FACES_AT + i)].w = value;
}

// A set by its first row.
alias NumberSet = u32;
const NONE: u32 = 0xffffffffu;

fn emptySet(number: u32) -> NumberSet {
  let first = SETS_AT + number * SET_WORDS;
  for (var i = 0u; i < setWords; i++) {
    scratch[place(first + i)].x = 0u;
  }
  return first;
}

fn copyOf(numbers: NumberSet, number: u32) -> NumberSet {
  let first = SETS_AT + number * SET_WORDS;
  for (var i = 0u; i < setWords; i++) {
    scratch[place(first + i)].x = scratch[place(numbers + i)].x;
  }
  return first;
}

fn contains(numbers: ptr<function, NumberSet>, i: u32) -> bool {
  return ((scratch[place(*numbers + (i >> 5u))].x >> (i & 31u)) & 1u) == 1u;
}

fn insert(numbers: ptr<function, NumberSet>, i: u32) {
  scratch[place(*numbers + (i >> 5u))].x |= 1u << (i & 31u);
}

fn takeFirst(numbers: ptr<function, NumberSet>) -> u32 {
  for (var i = 0u; i < setWords; i++) {
    let bits = scratch[place(*numbers + i)].x;
    if (bits != 0u) {
      scratch[place(*numbers + i)].x = bits & (bits - 1u);
      return 32u * i + firstTrailingBit(bits);
    }
  }
  return NONE;
}
