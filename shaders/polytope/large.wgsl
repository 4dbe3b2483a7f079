// Where the polytope of a pair lives that ran out of the small one: a part of a buffer for each of a fixed number of workers. Neither
// private nor workgroup memory holds so much. The words of the workers lie side by side.

import package::shared::constants::{
  EPA_LARGE_VERTICES, EPA_LARGE_FACES, EPA_LARGE_HORIZON, EPA_LARGE_WORKERS, EPA_LARGE_WORDS
};

const MAX_VERTICES: u32 = EPA_LARGE_VERTICES;
const MAX_FACES: u32 = EPA_LARGE_FACES;
const MAX_HORIZON: u32 = EPA_LARGE_HORIZON;
const MAX_ITERATIONS: u32 = 1024u;

// Words of a worker: four a vertex, one a face in each of three arrays, one an edge of the horizon, a bit a face in each of four sets.
const HEIGHTS_AT: u32 = 4u * EPA_LARGE_VERTICES;
const CORNERS_AT: u32 = HEIGHTS_AT + EPA_LARGE_FACES;
const NEIGHBOURS_AT: u32 = CORNERS_AT + EPA_LARGE_FACES;
const HORIZON_AT: u32 = NEIGHBOURS_AT + EPA_LARGE_FACES;
const SETS_AT: u32 = HORIZON_AT + EPA_LARGE_HORIZON;
const SET_WORDS: u32 = (EPA_LARGE_FACES + 31u) / 32u;
const_assert SETS_AT + 4u * SET_WORDS <= EPA_LARGE_WORDS;

@group(0) @binding(8) var<storage, read_write> scratch: array<u32>;

// Which of the workers this is, and SET_WORDS as compilers do not know it: they would write loops of so few steps out in every
// place that they are called from. Both are set before anything else.
var<private> worker: u32;
var<private> setWords: u32;

fn place(word: u32) -> u32 {
  return word * EPA_LARGE_WORKERS + worker;
}

fn vertexAt(i: u32) -> vec4u {
  let at = place(4u * i);
  return vec4u(scratch[at], scratch[at + EPA_LARGE_WORKERS], scratch[at + 2u * EPA_LARGE_WORKERS], scratch[at + 3u * EPA_LARGE_WORKERS]);
}

fn storeVertex(i: u32, value: vec4u) {
  let at = place(4u * i);
  scratch[at] = value.x;
  scratch[at + EPA_LARGE_WORKERS] = value.y;
  scratch[at + 2u * EPA_LARGE_WORKERS] = value.z;
  scratch[at + 3u * EPA_LARGE_WORKERS] = value.w;
}

fn heightAt(i: u32) -> f32 {
  return bitcast<f32>(scratch[place(HEIGHTS_AT + i)]);
}

fn storeHeight(i: u32, value: f32) {
  scratch[place(HEIGHTS_AT + i)] = bitcast<u32>(value);
}

fn cornersAt(i: u32) -> u32 {
  return scratch[place(CORNERS_AT + i)];
}

fn storeCorners(i: u32, value: u32) {
  scratch[place(CORNERS_AT + i)] = value;
}

fn neighboursAt(i: u32) -> u32 {
  return scratch[place(NEIGHBOURS_AT + i)];
}

fn storeNeighbours(i: u32, value: u32) {
  scratch[place(NEIGHBOURS_AT + i)] = value;
}

fn horizonAt(i: u32) -> u32 {
  return scratch[place(HORIZON_AT + i)];
}

fn storeHorizon(i: u32, value: u32) {
  scratch[place(HORIZON_AT + i)] = value;
}

// A set by its first word.
alias NumberSet = u32;
const NONE: u32 = 0xffffffffu;

fn emptySet(number: u32) -> NumberSet {
  let first = SETS_AT + number * SET_WORDS;
  for (var i = 0u; i < setWords; i++) {
    scratch[place(first + i)] = 0u;
  }
  return first;
}

fn copyOf(numbers: NumberSet, number: u32) -> NumberSet {
  let first = SETS_AT + number * SET_WORDS;
  for (var i = 0u; i < setWords; i++) {
    scratch[place(first + i)] = scratch[place(numbers + i)];
  }
  return first;
}

fn contains(numbers: ptr<function, NumberSet>, i: u32) -> bool {
  return ((scratch[place(*numbers + (i >> 5u))] >> (i & 31u)) & 1u) == 1u;
}

fn insert(numbers: ptr<function, NumberSet>, i: u32) {
  scratch[place(*numbers + (i >> 5u))] |= 1u << (i & 31u);
}

fn takeFirst(numbers: ptr<function, NumberSet>) -> u32 {
  for (var i = 0u; i < setWords; i++) {
    let bits = scratch[place(*numbers + i)];
    if (bits != 0u) {
      scratch[place(*numbers + i)] = bits & (bits - 1u);
      return 32u * i + firstTrailingBit(bits);
    }
  }
  return NONE;
}
