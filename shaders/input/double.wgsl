// 64-bit floating-point numbers, as a low and a high word: rounded to f32, and as fixed-point numbers.

import package::input::wide::{addWide, negateWide, shiftLeftWide, shiftRightWide};
import package::shared::constants::{FRACTION_BITS};

const HALF: u32 = 0x80000000u;

// The high word of the absolute value, or the next one if the low word is not 0.
fn upperHighWord(double: vec2u) -> u32 {
  return (double.y & 0x7fffffffu) + u32(double.x != 0u);
}

// The bits of the nearest f32, with ties to even. The number's absolute value is at most 1e30.
fn floatOfDouble(double: vec2u) -> u32 {
  let exponent = (double.y >> 20u) & 0x7ffu;
  var mantissa = 0x800000u | ((double.y & 0xfffffu) << 3u) | (double.x >> 29u);
  // The bits behind the mantissa, as a 32-bit fraction.
  var rest = double.x << 3u;
  // An f32 below 2^-126 is denormal and has fewer bits. Behind 25 bits nothing is left of the mantissa.
  var bits = mantissa;
  if (exponent > 896u) {
    bits += (exponent - 897u) << 23u;
  } else {
    let shift = min(897u - exponent, 26u);
    bits = mantissa >> shift;
    rest = (mantissa << (32u - shift)) | u32(rest != 0u);
  }
  let isUp = rest > HALF || (rest == HALF && (bits & 1u) == 1u);
  return (double.y & HALF) | (bits + u32(isUp));
}

// A coordinate as the nearest whole number of cells and the rest in 2^-FRACTION_BITS of a cell, rounded. Ties go up.
// The edge length of a cell is 2^cellExponent. The whole number is at most 2^29 either way.
fn fixedPointOfDouble(double: vec2u, cellExponent: i32) -> vec2u {
  let exponent = i32((double.y >> 20u) & 0x7ffu);
  let mantissa = vec2u(double.x, (double.y & 0xfffffu) | select(0u, 0x100000u, exponent > 0));
  // The coordinate in halves of the unit of the rest, rounded down; at most 2^59 of them. Denormal numbers are far
  // below one, so it makes no difference that their exponent is one more.
  let shift = exponent - 1075 - cellExponent + i32(FRACTION_BITS) + 1;
  var halves: vec2u;
  if (shift >= 0) {
    halves = shiftLeftWide(mantissa, u32(min(shift, 63)));
  } else {
    halves = shiftRightWide(mantissa, u32(min(-shift, 63)));
  }
  if ((double.y & HALF) != 0u) {
    let isInexact = shift < 0 && any(shiftLeftWide(halves, u32(min(-shift, 63))) != mantissa);
    halves = negateWide(addWide(halves, vec2u(u32(isInexact), 0u)));
  }
  let cell = shiftRightWide(addWide(halves, vec2u(1u << FRACTION_BITS, 0u)), FRACTION_BITS + 1u).x;
  let whole = shiftRightWide(addWide(halves, vec2u(1u, 0u)), 1u).x;
  return vec2u(cell, whole - (cell << FRACTION_BITS));
}
