// A pair of bodies whose pairs of parts are looked for, in 3-D and in 2-D.

import package::kernels::part-pairs::parameters::{parameters};
import package::part-pairs::boxes::{PartNode, PartPlaces};
import package::shared::constants::{PART_KIND_SHIFT};

@group(0) @binding(4) var<storage, read> bodyShapes: array<u32>;
@group(0) @binding(5) var<storage, read> pairs: array<vec2u>;
@group(0) @binding(6) var<storage, read> partNodes: array<PartNode>;

// Two bodies, and how their trees are searched.
struct SearchedPair {
  numbers: vec2u,
  // The roots of both trees, which are the ids of the shapes.
  roots: vec2u,
  // Kinds of both bodies.
  kinds: vec2u,
  // Whether the bodies are valid, and one has parts.
  hasParts: bool,
  at: PartPlaces,
}

// How body B of a pair translates relative to A, from where their bounding spheres meet to where they part, or to the
// end of the motion, and how both rotate. SWEEP_WORDS words per pair of bodies.
struct Sweep {
  // In world axes: how far B moves until the spheres meet, and from there.
  before: vec3f,
  way: vec3f,
  // Gap up to which boxes may meet besides the margin. SWEEP_FAR if the spheres do not meet, SWEEP_INVALID if a
  // velocity is not one.
  slack: f32,
  // How far rotation moves points of A and of B at most, as a share of their distance from their body's origin.
  turns: vec2f,
}

const SWEEP_WORDS: u32 = 9u;

const SWEEP_FAR: f32 = -1.0;
const SWEEP_INVALID: f32 = -2.0;

// Invocations of a workgroup, which share the search of a pair on graphics cards.
const LANES: u32 = 64u;
// The most levels of two trees together (MAX_DEPTH in src/bvh/part-tree.ts).
const MOST_LEVELS: u32 = 192u;

const NO_SHAPE: u32 = 0xffffffffu;

// The ids of both bodies' shapes, or NO_SHAPE.
fn shapesOf(numbers: vec2u) -> vec2u {
  if (max(numbers.x, numbers.y) >= parameters.bodyCount) {
    return vec2u(NO_SHAPE);
  }
  let ids = vec2u(bodyShapes[numbers.x], bodyShapes[numbers.y]);
  return select(ids, vec2u(NO_SHAPE), max(ids.x, ids.y) >= parameters.shapeCount);
}

// Two parts with their kinds, as a row of `pairs` has them for the kernels that answer it.
fn packed(parts: vec2u, kinds: vec2u) -> vec2u {
  return parts | (kinds << vec2u(PART_KIND_SHIFT));
}
