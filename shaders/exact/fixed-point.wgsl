// 64-bit floating-point numbers as fixed-point numbers.

import package::exact::double::{doubleMantissa, SIGN};
import package::exact::wide::{addWide, negateWide, shiftLeftWide, shiftRightWide};
import package::shared::constants::{FRACTION_BITS};

// A coordinate as the nearest whole number of cells and the rest in 2^-FRACTION_BITS of a cell, rounded. Ties go up.
// The edge length of a cell is 2^cellExponent. The whole number is at most 2^29 either way.
fn fixedPointOfDouble(double: vec2u, cellExponent: i32) -> vec2u {
  let exponent = i32((double.y >> 20u) & 0x7ffu);
  let mantissa = doubleMantissa(double);
  // The coordinate in halves of the unit of the rest, rounded down; at most 2^59 of them. Denormal numbers are far
  // below one, so it makes no difference that their exponent is one more.
  let shift = exponent - 1075 - cellExponent + i32(FRACTION_BITS) + 1;
  var halves: vec2u;
  if (shift >= 0) {
    halves = shiftLeftWide(mantissa, u32(min(shift, 63)));
  } else {
    halves = shiftRightWide(mantissa, u32(min(-shift, 63)));
  }
  if ((double.y & SIGN) != 0u) {
    let isInexact = shift < 0 && any(shiftLeftWide(halves, u32(min(-shift, 63))) != mantissa);
    halves = negateWide(addWide(halves, vec2u(u32(isInexact), 0u)));
  }
  let cell = shiftRightWide(addWide(halves, vec2u(1u << FRACTION_BITS, 0u)), FRACTION_BITS + 1u).x;
  let whole = shiftRightWide(addWide(halves, vec2u(1u, 0u)), 1u).x;
  return vec2u(cell, whole - (cell << FRACTION_BITS));
}
