// The polytope's arrays in private variables of one invocation. Their sizes are in the module that the kernel links as
// polytope::capacity.

import package::polytope::capacity::{MAX_VERTICES, MAX_FACES, MAX_HORIZON};

// Position of each vertex as f32 bits, and its numbers on A and on B:
var<private> vertices: array<vec4u, MAX_VERTICES>;
// The numbers on B, then the edges around the hole that is being closed, packed by horizonEdge. Each by itself would be
// small enough for RADV to keep it in registers, where an access at a variable index is a ladder of selects.
var<private> words: array<u32, MAX_VERTICES + MAX_HORIZON>;
// Rank of each face, by which it is chosen: see the module that the kernel links as polytope::rank.
var<private> heights: array<f32, MAX_FACES>;
// Its three vertices, counter-clockwise seen from outside, and the faces across the edges that start at them, packed:
var<private> corners: array<u32, MAX_FACES>;
var<private> neighbours: array<u32, MAX_FACES>;

fn vertexAt(i: u32) -> vec4u {
  return vertices[i];
}

fn storeVertex(i: u32, value: vec4u) {
  vertices[i] = value;
}

fn numberOnBAt(i: u32) -> u32 {
  return words[i];
}

fn storeNumberOnB(i: u32, value: u32) {
  words[i] = value;
}

fn rankAt(i: u32) -> f32 {
  return heights[i];
}

fn storeRank(i: u32, value: f32) {
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
  return words[MAX_VERTICES + i];
}

fn storeHorizon(i: u32, value: u32) {
  words[MAX_VERTICES + i] = value;
}
