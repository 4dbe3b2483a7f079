// Where the polytope of curved pairs lives that ran out of the small one: private variables, 6.7 of the 8 KiB that WGSL grants.

import package::shared::constants::{EPA_MEDIUM_VERTICES, EPA_MEDIUM_FACES};

const MAX_VERTICES: u32 = EPA_MEDIUM_VERTICES;
const MAX_FACES: u32 = EPA_MEDIUM_FACES;
const MAX_HORIZON: u32 = MAX_VERTICES;
const MAX_ITERATIONS: u32 = 160u;

// Position of each vertex as f32 bits, and its numbers on A and on B:
var<private> vertices: array<vec4u, MAX_VERTICES>;
var<private> numbersOnB: array<u32, MAX_VERTICES>;
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

fn numberOnBAt(i: u32) -> u32 {
  return numbersOnB[i];
}

fn storeNumberOnB(i: u32, value: u32) {
  numbersOnB[i] = value;
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
alias NumberSet = array<u32, SET_WORDS>;
const SET_WORDS: u32 = 8u;
const_assert MAX_FACES <= 32u * SET_WORDS;
const NONE: u32 = 0xffffffffu;

// `place` is for sets that have to lie somewhere.
fn emptySet(place: u32) -> NumberSet {
  return NumberSet();
}

fn copyOf(numbers: NumberSet, place: u32) -> NumberSet {
  return numbers;
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
