// Capacity of the polytopes of most pairs. Sets of faces are four registers, with a bit per face: a polytope of V
// vertices has at most 2 V - 4 faces.

import package::shared::constants::{EPA_SMALL_VERTICES, EPA_SMALL_FACES};

const MAX_VERTICES: u32 = EPA_SMALL_VERTICES;
const MAX_FACES: u32 = EPA_SMALL_FACES;
const MAX_HORIZON: u32 = MAX_VERTICES;
const MAX_ITERATIONS: u32 = 96u;

// A set of faces, or of vertices.
alias NumberSet = vec4u;
const NONE: u32 = 0xffffffffu;

fn emptySet() -> NumberSet {
  return vec4u(0u);
}

fn contains(numbers: ptr<function, NumberSet>, i: u32) -> bool {
  return (((*numbers)[i >> 5u] >> (i & 31u)) & 1u) == 1u;
}

fn insert(numbers: ptr<function, NumberSet>, i: u32) {
  *numbers |= select(vec4u(0u), vec4u(1u << (i & 31u)), vec4u(i >> 5u) == vec4u(0u, 1u, 2u, 3u));
}

// Takes the least number out, or gives NONE.
fn takeFirst(numbers: ptr<function, NumberSet>) -> u32 {
  let bits = *numbers;
  let isEmpty = bits == vec4u(0u);
  let word = select(select(select(3u, 2u, !isEmpty.z), 1u, !isEmpty.y), 0u, !isEmpty.x);
  if (all(isEmpty)) {
    return NONE;
  }
  let i = 32u * word + firstTrailingBit(bits[word]);
  *numbers &= select(vec4u(0xffffffffu), bits - vec4u(1u), vec4u(word) == vec4u(0u, 1u, 2u, 3u));
  return i;
}
