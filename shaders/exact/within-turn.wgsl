// Reduces angles to at most half a turn either way, with the result that double precision gives, in 32-bit integers.
//
// Double precision computes angle - (2 pi) * round(angle / (2 pi)), where 2 pi is rounded to 53 bits and so is the
// product. The difference is exact, as its operands are near to each other, and is rounded to f32. Here, angles are
// integers of 64 bits in units of 2^-50, modulo 2^64. Signs are left out, since the result of -angle is minus that of
// angle: only quotients in the middle of two integers could differ. Up to 1e5, the f32 that is nearest to an odd
// multiple of pi is 9,425,396 units away from it, and rounding shifts the quotient times 2 pi by 12,500 units at most.

import package::exact::wide::{addWide, isBelowWide, isNegativeWide, negateWide, shiftLeftWide};

struct AngleWithinTurn {
  // As f32.
  bits: u32,
  // False beyond MANY_RADIANS, where the host rounds multiples of a turn in another way.
  isCertain: bool,
}

// Above this angle, multiples of a turn are rounded by more than the angle itself.
const MANY_RADIANS: f32 = 1e5;

// The greatest f32 that is at most pi.
const PI_BITS: u32 = 0x40490fdau;

// 2 pi as a double, in units of 2^-50, and half of it.
const TURN_HIGH: u32 = 0x1921fbu;
const TURN_LOW: u32 = 0x54442d18u;
const HALF_TURN_HIGH: u32 = 0xc90fdu;
const HALF_TURN_LOW: u32 = 0xaa22168cu;

fn withinTurn(given: u32) -> AngleWithinTurn {
  let positive = given & 0x7fffffffu;
  if (positive <= PI_BITS) {
    return AngleWithinTurn(given, true);
  }
  if (positive > bitcast<u32>(MANY_RADIANS)) {
    return AngleWithinTurn(given, false);
  }
  // The exponent is from 128, where the last bit is 2^-22, to 143.
  let angle = shiftLeftWide(vec2u((positive & 0x7fffffu) | 0x800000u, 0u), (positive >> 23u) - 100u);
  // The nearest number of turns or one beside it.
  var turns = u32(bitcast<f32>(positive) * 0.15915494 + 0.5);
  var rest = addWide(angle, negateWide(multipleOfTurn(turns)));
  if (isBelowWide(vec2u(HALF_TURN_LOW, HALF_TURN_HIGH), sizeOf(rest))) {
    turns = select(turns + 1u, turns - 1u, isNegativeWide(rest));
  }
  rest = addWide(angle, negateWide(roundedMultiple(turns)));
  let sign = (given ^ rest.y) & 0x80000000u;
  return AngleWithinTurn(sign | floatOfFixed(sizeOf(rest)), true);
}

// The absolute value.
fn sizeOf(rest: vec2u) -> vec2u {
  if (isNegativeWide(rest)) {
    return negateWide(rest);
  }
  return rest;
}

// Up to 15916 turns.
fn multipleOfTurn(turns: u32) -> vec2u {
  let low = turns * (TURN_LOW & 0xffffu);
  let middle = turns * (TURN_LOW >> 16u) + (low >> 16u);
  return vec2u((middle << 16u) | (low & 0xffffu), turns * TURN_HIGH + (middle >> 16u));
}

// The same, rounded to 53 bits with ties to even.
fn roundedMultiple(turns: u32) -> vec2u {
  let exact = multipleOfTurn(turns);
  // A turn has 53 bits. The first 17 bits tell how many more its multiple has, since none is near to a power of two.
  let excess = firstLeadingBit(turns * (TURN_HIGH >> 4u)) - 16u;
  let step = 1u << excess;
  let rest = exact.x & (step - 1u);
  let isUp = 2u * rest > step || (2u * rest == step && (exact.x & step) != 0u);
  return addWide(vec2u(exact.x - rest, exact.y), vec2u(select(0u, step, isUp), 0u));
}

// The bits of the nearest f32, with ties to even, for a number of up to 53 bits in units of 2^-50.
fn floatOfFixed(size: vec2u) -> u32 {
  if (all(size == vec2u(0u))) {
    return 0u;
  }
  let leading = select(31u - countLeadingZeros(size.x), 63u - countLeadingZeros(size.y), size.y != 0u);
  // The leading bit becomes the first of 64.
  let shifted = shiftLeftWide(size, 63u - leading);
  let behind = shifted.y & 0xffu;
  let mantissa = shifted.y >> 8u;
  let isUp = behind > 0x80u || (behind == 0x80u && (shifted.x != 0u || (mantissa & 1u) == 1u));
  return ((leading + 76u) << 23u) + mantissa + u32(isUp);
}
