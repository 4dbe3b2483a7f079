// 64-bit floating-point numbers, as a low and a high word, in integers: rounded to nearest, ties to even, as the host
// rounds them.

import package::exact::wide::{
  addWide, countLeadingZerosWide, isBelowWide, multiplyWide, negateWide, shiftLeftWide, shiftRightWide
};

const SIGN: u32 = 0x80000000u;
const INFINITE_FLOAT: u32 = 0x7f800000u;

// The high word of the absolute value, or the next one if the low word is not 0.
fn upperHighWord(double: vec2u) -> u32 {
  return (double.y & ~SIGN) + u32(double.x != 0u);
}

// The bits of the nearest f32. The number is finite.
fn floatOfDouble(double: vec2u) -> u32 {
  let sign = double.y & SIGN;
  let exponent = (double.y >> 20u) & 0x7ffu;
  if (exponent > 1150u) {
    return sign | INFINITE_FLOAT;
  }
  let mantissa = 0x800000u | ((double.y & 0xfffffu) << 3u) | (double.x >> 29u);
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
  let isUp = rest > 0x80000000u || (rest == 0x80000000u && (bits & 1u) == 1u);
  return sign | (bits + u32(isUp));
}

// A finite f32.
fn doubleOfFloat(bits: u32) -> vec2u {
  return nearestDouble(bits & SIGN, floatExponent(bits), vec2u(floatMantissa(bits), 0u));
}

// The product of two finite f32. It is exact.
fn multiplyFloats(a: u32, b: u32) -> vec2u {
  let product = multiplyWide(floatMantissa(a), floatMantissa(b));
  return nearestDouble((a ^ b) & SIGN, floatExponent(a) + floatExponent(b), product);
}

// The sum of two finite numbers. Unless one is 0, at least one is 2^-298 or more in absolute value, so the sum is 0 or
// normal, as nearestDouble needs.
fn addDoubles(a: vec2u, b: vec2u) -> vec2u {
  let isSwapped = isBelowWide(magnitude(a), magnitude(b));
  let greater = select(a, b, isSwapped);
  let lesser = select(b, a, isSwapped);
  if (all(magnitude(lesser) == vec2u(0u))) {
    // The sum of two zeros is negative if both are.
    let isZero = all(magnitude(greater) == vec2u(0u));
    return vec2u(greater.x, greater.y & select(~0u, lesser.y, isZero));
  }
  let exponent = doubleExponent(greater);
  let shift = min(exponent - doubleExponent(lesser), 63u);
  // Ten bits follow the mantissas. The last bit is set for all that the shift drops.
  let mantissa = shiftLeftWide(doubleMantissa(lesser), 10u);
  var addend = shiftRightWide(mantissa, shift);
  addend.x |= u32(any(shiftLeftWide(addend, shift) != mantissa));
  if (((a.y ^ b.y) & SIGN) != 0u) {
    addend = negateWide(addend);
  }
  let sum = addWide(shiftLeftWide(doubleMantissa(greater), 10u), addend);
  let sign = select(greater.y & SIGN, 0u, all(sum == vec2u(0u)));
  return nearestDouble(sign, i32(exponent) - 1085, sum);
}

// The double nearest to a 64-bit integer times 2^exponent. It is 0 or normal.
fn nearestDouble(sign: u32, exponent: i32, integer: vec2u) -> vec2u {
  if (all(integer == vec2u(0u))) {
    return vec2u(0u, sign);
  }
  let zeros = countLeadingZerosWide(integer);
  let scaled = shiftLeftWide(integer, zeros);
  // 53 of the 64 bits are left. The first one adds 1 to the exponent.
  let mantissa = shiftRightWide(scaled, 11u);
  let rest = scaled.x & 0x7ffu;
  let isUp = rest > 0x400u || (rest == 0x400u && (mantissa.x & 1u) == 1u);
  let rounded = addWide(mantissa, vec2u(u32(isUp), 0u));
  return vec2u(rounded.x, sign | (rounded.y + (u32(exponent + 1085 - i32(zeros)) << 20u)));
}

fn magnitude(double: vec2u) -> vec2u {
  return vec2u(double.x, double.y & ~SIGN);
}

// Denormal numbers have the exponent of the least normal ones.
fn doubleExponent(double: vec2u) -> u32 {
  return max((double.y >> 20u) & 0x7ffu, 1u);
}

fn doubleMantissa(double: vec2u) -> vec2u {
  let first = select(0u, 0x100000u, ((double.y >> 20u) & 0x7ffu) != 0u);
  return vec2u(double.x, (double.y & 0xfffffu) | first);
}

// A finite f32 is its mantissa times 2 to this power.
fn floatExponent(bits: u32) -> i32 {
  return i32(max((bits >> 23u) & 0xffu, 1u)) - 150;
}

fn floatMantissa(bits: u32) -> u32 {
  return (bits & 0x7fffffu) | select(0u, 0x800000u, ((bits >> 23u) & 0xffu) != 0u);
}
