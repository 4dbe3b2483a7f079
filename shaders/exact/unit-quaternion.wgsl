// Normalises quaternions with the result that double precision gives, in 32-bit integers.
//
// Double precision computes inverse = 1 / sqrt(x x + y y + z z + w w), multiplies each component by it and rounds to
// f32. Its products of two components are exact. Three sums, a square root, a quotient and a product are rounded by up
// to 2^-53 each, the sums before the root: a relative error of 4.5 * 2^-53. The result here has an error below 2^-47.
// Both round to the same f32, unless the exact number is so near to the middle of two f32 that the errors could decide:
// one in a million components at random, and those of (1/2, 1/2, 1/2, 1/2) if one of them is off by a unit.
//
// 1. Components are integers m of 24 bits times 2^-shift, in units of the last bit of the greatest component.
// 2. S = 2^6 * the sum of (m 2^-shift)^2. Of each square less than a unit is dropped, and nothing if shift <= 3.
//    If -2^30 <= S - 2^54 < 2^30 for a greatest component from 1/2 to 1, the squared length is 1 up to 2^-24, and the
//    quotients round to the components as they are: most quaternions that were normalised before end here. At the lower
//    border, a component of all ones would change 16 units of S farther on; at the upper one, a power of two would 48
//    units farther on, a tie among them. Double precision is off by up to 11 and 14 units there, and S by up to 4.
// 3. S is divided by 4 if necessary, so that 2^52 <= S < 2^54.
// 4. Y is an integer of 24 bits, a little below sqrt(2^100 / S), from the f32 inverse square root.
// 5. d = 1 - S Y^2 / 2^100 is below 2^-18. As the exact value is Y / sqrt(1 - d), Y is corrected by the factor
//    1 + c = 1 + d / 2 + 3/8 d^2. The next term is below 2^-55.
// 6. Each component is m times the corrected Y, and rounded.
// 7. If a component is in doubt, its double is computed exactly, provided that the sums are exact in double precision.
//    If they may not be, the body is an exception. So is one with components that are denormal, or tiny beside others.

import package::exact::inverse-root::{inverseRoot, roundedProduct};

struct UnitQuaternion {
  // The components as f32.
  bits: vec4u,
  // False for an exception. Its components may be wrong.
  isCertain: bool,
}

// Components that are smaller by this power of two or more may become denormal.
const LEAST_SHARE_EXPONENT: u32 = 124u;

// Taken from the f32 inverse square root, in units of its last place, so that Y is too small. Roots may be off by 5
// units either way, and WGSL promises 2. If roots were worse, bodies would be exceptions.
const ROOT_SLACK: u32 = 8u;

// Largest difference of the computed fraction behind a component's 24 bits from the one that double precision gives, in
// units of 2^-26. The sum of all errors that are named below is 4.7; numbers with 25 bits for the fraction have twice
// as much.
const ROUNDING_DOUBT: u32 = 12u;

// The exponents of 1/2 and 1.
const HALF_EXPONENT: u32 = 126u;
const ONE_EXPONENT: u32 = 127u;

const LOW_12: u32 = 0xfffu;
const LOW_26: u32 = 0x3ffffffu;
const LOW_30: u32 = 0x3fffffffu;

fn unitQuaternion(given: vec4u) -> UnitQuaternion {
  // Step 1.
  let exponents = (given >> vec4u(23u)) & vec4u(0xffu);
  let greatest = max(max(exponents.x, exponents.y), max(exponents.z, exponents.w));
  let shifts = vec4u(greatest) - exponents;
  let isZero = (given & vec4u(0x7fffffffu)) == vec4u(0u);
  let mantissas = select((given & vec4u(0x7fffffu)) | vec4u(0x800000u), vec4u(0u), isZero);
  var isCertain = all(isZero | ((exponents > vec4u(0u)) & (shifts < vec4u(LEAST_SHARE_EXPONENT))));

  // Step 2. A square has 24 bits in `squares` and 24 bits below in `rests`, which are shifted by 6 to have 30.
  let highs = mantissas >> vec4u(12u);
  let lows = mantissas & vec4u(LOW_12);
  let lowSquares = lows * lows;
  let middles = 2u * highs * lows + (lowSquares >> vec4u(12u));
  let squares = highs * highs + (middles >> vec4u(12u));
  let rests = ((middles & vec4u(LOW_12)) << vec4u(18u)) | ((lowSquares & vec4u(LOW_12)) << vec4u(6u));
  // A shift by 60 leaves nothing.
  let counts = min(2u * shifts, vec4u(60u));
  let nearRests = ((squares << (vec4u(30u) - counts)) & vec4u(LOW_30)) | (rests >> counts);
  let shiftedRests = select(squares >> (counts - vec4u(30u)), nearRests, counts <= vec4u(30u));
  let shiftedSquares = squares >> min(counts, vec4u(31u));
  var low = shiftedRests.x + shiftedRests.y + shiftedRests.z + shiftedRests.w;
  var high = shiftedSquares.x + shiftedSquares.y + shiftedSquares.z + shiftedSquares.w + (low >> 30u);
  low &= LOW_30;
  if (isCertain && isOfUnitLength(greatest, high, low)) {
    return UnitQuaternion(given, true);
  }

  // Step 3: S = high * 2^30 + low, with 2^22 <= high < 2^24.
  let isLarge = high >= 0x1000000u;
  if (isLarge) {
    low = (low >> 2u) | ((high & 3u) << 28u);
    high >>= 2u;
  }

  // Step 4. The bits of `low` change the root by less than a unit. The estimate is f32, as it only tells whether d is
  // small.
  // `high` is less only of quaternions that are refused, and its root might be infinite.
  let y = u32(inverseSqrt(f32(max(high, 0x400000u))) * 0x1p35f) - ROOT_SLACK;
  let scaledY = f32(y) * 0x1p-35f;
  isCertain &= abs(f32(high) * scaledY * scaledY - 1.0) < 0x1p-15f;

  // Step 5. Y^2 = square * 2^24 + rest. S Y^2 is summed in units of 2^51, modulo 2^83. Three of its four terms are
  // rounded down by little more than a unit, so that d is up to 3.01 units of 2^-49 too large.
  let yHigh = y >> 12u;
  let yLow = y & LOW_12;
  let lowSquare = yLow * yLow;
  let middle = 2u * yHigh * yLow + (lowSquare >> 12u);
  let square = yHigh * yHigh + (middle >> 12u);
  let restHigh = middle & LOW_12;
  let restLow = lowSquare & LOW_12;
  let highHigh = high >> 12u;
  let highLow = high & LOW_12;
  let highRest = ((highHigh * restHigh) << 3u) +
      ((highHigh * restLow + highLow * restHigh + ((highLow * restLow) >> 12u)) >> 9u);
  let lowHigh = low >> 15u;
  let lowLow = low & 0x7fffu;
  let squareHigh = square >> 12u;
  let squareLow = square & LOW_12;
  let lowSquareProduct = lowHigh * squareHigh +
      ((lowHigh * squareLow + ((lowLow * squareHigh) >> 3u) + ((lowLow * squareLow) >> 15u)) >> 12u);
  let lowRest = (lowHigh * ((restHigh << 4u) | (restLow >> 8u))) >> 28u;
  // In units of 2^-49.
  let d = 0u - ((high * square) << 3u) - highRest - lowSquareProduct - lowRest;
  isCertain &= d < 0x80000000u;
  // In units of 2^-50, too large by up to 3.01 or too small by up to 1.1. A product of f32 is exact enough for d^2.
  let c = d + u32(f32(d) * f32(d) * (0.75 * 0x1p-49f));

  // Step 6. The corrected Y is factorHigh * 2^26 + factorLow, less than 3.1 units too large and 2.1 too small.
  let cHigh = c >> 16u;
  let cLow = c & 0xffffu;
  let correction = ((yHigh * cHigh) << 4u) +
      ((yHigh * cLow + ((yLow * cHigh) << 4u) + ((yLow * cLow) >> 12u)) >> 12u);
  let factorHigh = y + (correction >> 26u);
  let factorLow = correction & LOW_26;
  // The product with m in units of 2^24: whole * 2^26 + fraction. Up to two units are dropped. Double precision itself
  // is off by up to 0.6.
  let a = factorHigh >> 12u;
  let b = factorHigh & LOW_12;
  let e = factorLow >> 12u;
  let f = factorLow & LOW_12;
  let crossed = highs * b + lows * a;
  let carried = highs * e + ((highs * f + lows * e) >> vec4u(12u)) + ((lows * b) << vec4u(2u)) +
      ((crossed & vec4u(LOW_12)) << vec4u(14u));
  let whole = highs * a + (crossed >> vec4u(12u)) + (carried >> vec4u(26u));
  let fraction = carried & vec4u(LOW_26);
  // The first bit is bit 23 or bit 22 of `whole`.
  let isShort = whole < vec4u(0x800000u);
  let rounded = select(whole, (whole << vec4u(1u)) | (fraction >> vec4u(25u)), isShort);
  let behind = select(fraction, (fraction << vec4u(1u)) & vec4u(LOW_26), isShort);
  let isDoubtful = behind - vec4u(0x2000000u - ROUNDING_DOUBT) <= vec4u(2u * ROUNDING_DOUBT);
  var results = rounded + vec4u(behind >= vec4u(0x2000000u));

  // Step 7. With shifts up to 1 the sum of squares has up to 52 bits.
  if (any(isDoubtful & !isZero)) {
    isCertain &= all(isZero | (shifts <= vec4u(1u)));
    let inverse = inverseRoot(vec2u((high << 30u) | low, high >> 2u));
    for (var i = 0u; i < 4u; i++) {
      results[i] = roundedProduct(mantissas[i], inverse, isShort[i]);
    }
  }

  // The first bit of a mantissa adds 1 to the exponent.
  let resultExponents = vec4u(126u - u32(isLarge)) - shifts - vec4u(isShort);
  results += resultExponents << vec4u(23u);
  return UnitQuaternion((given & vec4u(0x80000000u)) | select(results, vec4u(0u), isZero), isCertain);
}

// Whether a quaternion stays as it is: see step 2. S = high * 2^30 + low.
fn isOfUnitLength(greatestExponent: u32, high: u32, low: u32) -> bool {
  if (greatestExponent == HALF_EXPONENT) {
    return high == 0xffffffu || high == 0x1000000u;
  }
  // With a greatest component of 1 or more, S is a quarter of that, and no less than 2^52.
  return greatestExponent == ONE_EXPONENT && high == 0x400000u && low < (1u << 28u);
}
