// Angles as the same rotation by at most half a turn either way, where f32 is most precise.
//
// An f32 is an integer m of 24 bits times a power of two. The part of m * 2^e / (2 pi) behind the point needs only
// those bits of 1 / (2 pi) that follow its first e: Payne and Hanek, "Radian reduction for trigonometric functions"
// (1983). With 96 of them, 64 bits of that part are known, and the angle is rounded once.

import package::exact::wide::{
  addWide, countLeadingZerosWide, isNegativeWide, multiplyWide, negateWide, shiftLeftWide
};

// The greatest f32 that is at most pi.
const PI_BITS: u32 = 0x40490fdau;

// 2 pi in units of 2^-61.
const TURN_HIGH: u32 = 0xc90fdaa2u;
const TURN_LOW: u32 = 0x2168c235u;

// Of the bits of a finite f32.
fn withinHalfTurn(given: u32) -> u32 {
  let size = given & 0x7fffffffu;
  if (size <= PI_BITS) {
    return given;
  }
  // A word of zeros, and 1 / (2 pi).
  var turns = array<u32, 8>(
    0u, 0x28be60dbu, 0x9391054au, 0x7f09d5f4u, 0x7d4d3770u, 0x36d8a566u, 0x4f10e410u, 0x7f9458eau
  );
  // The angle is m * 2^(place - 32), with a place from 10 to 136.
  let place = (size >> 23u) - 118u;
  let word = place >> 5u;
  let bit = place & 31u;
  var bits: array<u32, 3>;
  for (var i = 0u; i < 3u; i++) {
    bits[i] = (turns[word + i] << bit) | ((turns[word + i + 1u] >> 1u) >> (31u - bit));
  }
  let m = (size & 0x7fffffu) | 0x800000u;
  var part = addWide(multiplyWide(m, bits[1]), vec2u(multiplyWide(m, bits[2]).y, m * bits[0]));
  let isBack = isNegativeWide(part);
  if (isBack) {
    part = negateWide(part);
  }
  let sign = (given & 0x80000000u) ^ select(0u, 0x80000000u, isBack);
  return sign | angleOfTurns(part);
}

// The bits of the nearest f32 to an angle that is given in units of 2^-64 of a turn.
fn angleOfTurns(part: vec2u) -> u32 {
  let zeros = countLeadingZerosWide(part);
  let share = shiftLeftWide(part, min(zeros, 63u));
  // The high 64 bits of the product, less than three units too small. Its first bit is bit 31 or 30 of the high word.
  let middle = addWide(
    vec2u(multiplyWide(share.y, TURN_LOW).y, 0u), vec2u(multiplyWide(share.x, TURN_HIGH).y, 0u)
  );
  let product = addWide(multiplyWide(share.y, TURN_HIGH), middle);
  let isLong = product.y >= 0x80000000u;
  // A word of which 24 bits are the mantissa.
  let mantissa = select((product.y << 1u) | (product.x >> 31u), product.y, isLong);
  // The first bit adds 1 to the exponent.
  let exponent = select(127u, 128u, isLong) - zeros;
  return (exponent << 23u) + (mantissa >> 8u) + ((mantissa >> 7u) & 1u);
}
