// Bindings and checks of the kernels that pack bodies, in 2-D and 3-D. Numbers are read and copied as words: compilers
// may flush denormal numbers, and assume that there are no infinite ones.

import package::exact::coordinate::{isGreatDouble, isGreatFloat};
import package::exact::double::{floatOfDouble, upperHighWord};
import package::shared::constants::{GREATEST_SIZE};

struct PackBodiesParameters {
  bodyCount: u32,
  // Ids of shapes are below this.
  shapeCount: u32,
  // Workgroups in a row of the dispatch grid.
  gridWidth: u32,
}

@group(0) @binding(0) var<uniform> parameters: PackBodiesParameters;
// binding 1: shapeRecords
// Shape ids of all bodies. Words after them are not read.
@group(0) @binding(2) var<storage, read> bodyShapes: array<u32>;
// f32 coordinates. With HAS_FIXED_POINT: f64 coordinates, the low word first.
@group(0) @binding(3) var<storage, read> positions: array<u32>;
// binding 4: rotations
// Read only if HAS_SCALES.
@group(0) @binding(5) var<storage, read> scales: array<u32>;
@group(0) @binding(6) var<storage, read_write> poses: array<vec4u>;

override HAS_FIXED_POINT: bool = false;
override HAS_SCALES: bool = false;

const ONE_BITS: u32 = 0x3f800000u;

struct Coordinate {
  // As f32.
  bits: u32,
  // Whether the host may refuse it.
  isFlagged: bool,
  // The high word of its absolute value as f64, rounded up. 0 for f32 coordinates.
  highWord: u32,
}

// Number `at` of the positions.
fn coordinate(at: u32) -> Coordinate {
  if (!HAS_FIXED_POINT) {
    let bits = positions[at];
    return Coordinate(bits, isGreatFloat(bits), 0u);
  }
  let double = vec2u(positions[2u * at], positions[2u * at + 1u]);
  return Coordinate(floatOfDouble(double), isGreatDouble(double), upperHighWord(double));
}

// A body's scale as the bits of an f32.
fn scaleOf(body: u32) -> u32 {
  if (!HAS_SCALES) {
    return ONE_BITS;
  }
  return scales[body];
}

// Whether the host may refuse this scale for a shape of this extent.
fn isFlaggedScale(scale: u32, extent: f32) -> bool {
  // Positive numbers are in the order of their bits. The least number above 0 has the bits 1.
  let isWithin = scale - 1u < bitcast<u32>(GREATEST_SIZE);
  // The product is rounded.
  return HAS_SCALES && !(isWithin && extent * bitcast<f32>(scale) <= 0.999 * GREATEST_SIZE);
}
