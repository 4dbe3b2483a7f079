// Where the polytope of most pairs lives: private variables of one invocation, sets of faces in two registers.
//
// A polytope of V vertices has at most 2 V - 4 faces. 34 vertices are what 64 faces allow, one bit each.

import package::shared::constants::{EPA_SMALL_VERTICES, EPA_SMALL_FACES};

const MAX_VERTICES: u32 = EPA_SMALL_VERTICES;
const MAX_FACES: u32 = EPA_SMALL_FACES;
const MAX_HORIZON: u32 = MAX_VERTICES;
const MAX_ITERATIONS: u32 = 96u;
// A polytope that does not fit has a larger memory to go to.
const IS_LARGEST: bool = false;

// Position of each vertex as f32 bits, and its id:
var<private> vertices: array<vec4u, MAX_VERTICES>;
// Height of each face's plane along its inward unit normal, with the flag ASIDE:
var<private> heights: array<f32, MAX_FACES>;
// Its three vertices, counter-clockwise seen from outside, and the faces across the edges that start at them, packed:
var<private> corners: array<u32, MAX_FACES>;
var<private> neighbours: array<u32, MAX_FACES>;
// The edges around the hole that is being closed, packed by horizonEdge:
var<private> horizon: array<u32, MAX_HORIZON>;

fn vertexAt(i: u32) -> vec4u {
  return vertices[i];
}

fn storeVertex(i: u32, value: vec4u) {
  vertices[i] = value;
}

fn heightAt(i: u32) -> f32 {
  return heights[i];
}

fn storeHeight(i: u32, value: f32) {
  heights[i] = value;
}

fn cornersAt(i: u32) -> u32 {
  return corners[i];
}

fn storeCorners(i: u32, value: u32) {
  corners[i] = value;
}

fn neighboursAt(i: u32) -> u32 {
  return neighbours[i];
}

fn storeNeighbours(i: u32, value: u32) {
  neighbours[i] = value;
}

fn horizonAt(i: u32) -> u32 {
  return horizon[i];
}

fn storeHorizon(i: u32, value: u32) {
  horizon[i] = value;
}

// A set of faces, or of vertices.
alias NumberSet = vec2u;
const NONE: u32 = 0xffffffffu;

// `place` is for sets that have to lie somewhere.
fn emptySet(place: u32) -> NumberSet {
  return vec2u(0u);
}

fn copyOf(numbers: NumberSet, place: u32) -> NumberSet {
  return numbers;
}

fn contains(numbers: ptr<function, NumberSet>, i: u32) -> bool {
  return ((select((*numbers).x, (*numbers).y, i >= 32u) >> (i & 31u)) & 1u) == 1u;
}

fn insert(numbers: ptr<function, NumberSet>, i: u32) {
  let bit = 1u << (i & 31u);
  *numbers |= select(vec2u(bit, 0u), vec2u(0u, bit), i >= 32u);
}

// Takes the least number out, or gives NONE.
fn takeFirst(numbers: ptr<function, NumberSet>) -> u32 {
  if ((*numbers).x != 0u) {
    let i = firstTrailingBit((*numbers).x);
    (*numbers).x &= (*numbers).x - 1u;
    return i;
  }
  if ((*numbers).y != 0u) {
    let i = firstTrailingBit((*numbers).y);
    (*numbers).y &= (*numbers).y - 1u;
    return i + 32u;
  }
  return NONE;
}
