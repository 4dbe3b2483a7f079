// The limit of coordinates and velocities, GREATEST_POSITION, compared by bits. f32 has no 1e30: the nearest number is
// above it.

import package::shared::constants::{GREATEST_POSITION};

// 1e30 as f64: the low word and the high word.
const GREATEST_DOUBLE_LOW: u32 = 0x39a08ceau;
const GREATEST_DOUBLE_HIGH: u32 = 0x46293e59u;

// Whether an f32's absolute value exceeds 1e30. NaN counts as great.
fn isGreatFloat(bits: u32) -> bool {
  return (bits & 0x7fffffffu) >= bitcast<u32>(GREATEST_POSITION);
}

// The same for an f64: low word, high word.
fn isGreatDouble(double: vec2u) -> bool {
  let high = double.y & 0x7fffffffu;
  return high > GREATEST_DOUBLE_HIGH || (high == GREATEST_DOUBLE_HIGH && double.x > GREATEST_DOUBLE_LOW);
}
