// Where the polytope of most pairs lives: private variables of one invocation, sets of faces in four registers.
//
// A polytope of V vertices has at most 2 V - 4 faces, a bit of a set each.

import package::shared::constants::{EPA_SMALL_VERTICES, EPA_SMALL_FACES};

const MAX_VERTICES: u32 = EPA_SMALL_VERTICES;
const MAX_FACES: u32 = EPA_SMALL_FACES;
const MAX_HORIZON: u32 = MAX_VERTICES;
const MAX_ITERATIONS: u32 = 96u;

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
alias NumberSet = vec4u;
const NONE: u32 = 0xffffffffu;

// `place` is for sets that have to lie somewhere.
fn emptySet(place: u32) -> NumberSet {
  return vec4u(0u);
}

fn copyOf(numbers: NumberSet, place: u32) -> NumberSet {
  return numbers;
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
