/**
 * Shortest decimals of f32 numbers: 0.1, not 0.10000000149011612, for the f32 next to 0.1.
 *
 * Numbers of a usual size are scaled to an integer of 6, 7, 8, then 9 digits until one rounds back to the same f32.
 * Powers of ten up to 10^22 are doubles, so the integer divided by its power is exactly the double that the decimal's
 * text stands for. The scaled number is off by less than 10^9 · 2^-52, which matters only if two integers are equally
 * near. `toPrecision` handles that case and numbers of unusual size; it takes twenty times as long.
 */

const POWERS = Float64Array.from({ length: 15 }, (_, power) => Number(`1e${power}`));
/** Every f32 has a decimal of at most this many digits. */
const MOST_DIGITS = 9;
/**
 * Shorter decimals are found as ones of this length with trailing zeros: no two decimals of six digits round to the
 * same f32.
 */
const FEWEST_DIGITS = 6;
/** From here up to `LARGE` the powers suffice. */
const SMALL = 1e-6;
const LARGE = 1e6;
const TIE = 1e-6;

/** The decimal with the fewest digits that rounds to `x`, an f32. Among several, the nearest. */
export function shortestOfF32(x: number): number {
  const size = Math.abs(x);
  // Adding 0 turns -0 into 0: JSON text would not preserve -0.
  if (size < LARGE && Math.trunc(x) === x) return x + 0;
  if (!(size >= SMALL && size < LARGE)) return shortestByTrial(x);
  const exponent = Math.floor(Math.log10(size));
  for (let digits = FEWEST_DIGITS; digits <= MOST_DIGITS; digits++) {
    const power = POWERS[digits - 1 - exponent];
    const scaled = size * power;
    const whole = Math.round(scaled);
    if (Math.abs(Math.abs(scaled - whole) - 0.5) < TIE) break;
    const short = whole / power;
    if (Math.fround(short) === size) return x < 0 ? -short : short;
  }
  return shortestByTrial(x);
}

function shortestByTrial(x: number): number {
  for (let digits = 1; digits < MOST_DIGITS; digits++) {
    const short = Number(x.toPrecision(digits));
    if (Math.fround(short) === x) return short;
  }
  return Number(x.toPrecision(MOST_DIGITS));
}
