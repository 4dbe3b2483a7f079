// Reciprocal square roots in double precision and their products with f32 numbers, digit by digit: exact, and slow.

import package::exact::wide::{addWide, isBelowWide, isNegativeWide, multiplyWide, negateWide};

// 1 / sqrt(sum) as double precision gives it, in units that make it an integer of 53 bits or 2^53: the root and the
// quotient are both rounded to 53 bits. The sum is an integer with 2^52 <= sum < 2^54.
fn inverseRoot(sum: vec2u) -> vec2u {
  // The root has 54 binary digits, one for each two of the sum. No root of 53 bits is followed by exactly half a unit.
  var digits = vec2u(sum.x << 10u, (sum.y << 10u) | (sum.x >> 22u));
  var root = vec2u(0u);
  var rest = vec2u(0u);
  for (var digit = 0u; digit < 54u; digit++) {
    rest = vec2u((rest.x << 2u) | (digits.y >> 30u), (rest.y << 2u) | (rest.x >> 30u));
    digits = vec2u(digits.x << 2u, (digits.y << 2u) | (digits.x >> 30u));
    let trial = vec2u((root.x << 2u) | 1u, (root.y << 2u) | (root.x >> 30u));
    let isOne = !isBelowWide(rest, trial);
    root = doubledPlus(root, isOne);
    if (isOne) {
      rest = addWide(rest, negateWide(trial));
    }
  }
  let minusDivisor = negateWide(halfRoundedUp(root));
  // 2^106 / divisor has 54 digits, or 55 if the divisor is 2^52. Neither is followed by exactly half a unit.
  var quotient = vec2u(0u);
  rest = vec2u(0u, 1u << 20u);
  for (var digit = 0u; digit < 55u; digit++) {
    let difference = addWide(rest, minusDivisor);
    let isOne = !isNegativeWide(difference);
    quotient = doubledPlus(quotient, isOne);
    if (isOne) {
      rest = difference;
    }
    rest = addWide(rest, rest);
  }
  return halfRoundedUp(quotient);
}

fn doubledPlus(a: vec2u, isOne: bool) -> vec2u {
  return vec2u((a.x << 1u) | u32(isOne), (a.y << 1u) | (a.x >> 31u));
}

fn halfRoundedUp(a: vec2u) -> vec2u {
  let next = addWide(a, vec2u(1u, 0u));
  return vec2u((next.x >> 1u) | (next.y << 31u), next.y >> 1u);
}

// The product of a mantissa of 24 bits and the result of inverseRoot, rounded to 53 bits and then to 24, each with ties
// to even. With isShort the product has 76 bits, else 77.
fn roundedProduct(mantissa: u32, inverse: vec2u, isShort: bool) -> u32 {
  let low = multiplyWide(mantissa, inverse.x);
  let high = addWide(multiplyWide(mantissa, inverse.y), vec2u(low.y, 0u));
  let count = select(24u, 23u, isShort);
  let whole = vec2u((low.x >> count) | (high.x << (32u - count)), (high.x >> count) | (high.y << (32u - count)));
  let double = addWide(whole, vec2u(roundsUp(low.x, count, (whole.x & 1u) == 1u), 0u));
  let single = (double.x >> 29u) | (double.y << 3u);
  return single + roundsUp(double.x, 29u, (single & 1u) == 1u);
}

// 1 if a number is rounded up by dropping the lowest bits of its low word, so many of them, else 0.
fn roundsUp(word: u32, count: u32, isOdd: bool) -> u32 {
  let rest = word << (32u - count);
  return u32(rest > 0x80000000u || (rest == 0x80000000u && isOdd));
}
