// Numbers and keys of eight slots, side by side in vectors. Slots are not elements of an array: Mesa's compiler keeps a
// small array that is indexed by a variable in registers, and makes a ladder of branches of every access.

struct EightNumbers {
  low: vec4f,
  high: vec4f,
}

struct EightKeys {
  low: vec4u,
  high: vec4u,
}

const LOW_SLOTS = vec4u(0u, 1u, 2u, 3u);
const HIGH_SLOTS = vec4u(4u, 5u, 6u, 7u);
const LOW_BITS = vec4u(1u, 2u, 4u, 8u);
const HIGH_BITS = vec4u(16u, 32u, 64u, 128u);

// The key of a slot without a corner: greater than all others.
const NO_KEY: u32 = 0xffffffffu;

fn greatestOf(numbers: EightNumbers) -> f32 {
  let most = max(numbers.low, numbers.high);
  return max(max(most.x, most.y), max(most.z, most.w));
}

fn leastOf(numbers: EightNumbers) -> f32 {
  let least = min(numbers.low, numbers.high);
  return min(min(least.x, least.y), min(least.z, least.w));
}

fn leastOfFour(keys: vec4u) -> u32 {
  return min(min(keys.x, keys.y), min(keys.z, keys.w));
}

fn leastKey(keys: EightKeys) -> u32 {
  return leastOfFour(min(keys.low, keys.high));
}

// The number in a slot; the slot may be a key, which ends in it.
fn numberIn(numbers: EightNumbers, slot: u32) -> f32 {
  let four = select(numbers.low, numbers.high, (slot & 4u) != 0u);
  let two = select(four.xy, four.zw, (slot & 2u) != 0u);
  return select(two.x, two.y, (slot & 1u) != 0u);
}

// The least key of the slots whose number is at least `least`.
fn keyFrom(keys: EightKeys, numbers: EightNumbers, least: f32) -> u32 {
  return leastKey(EightKeys(
    select(vec4u(NO_KEY), keys.low, numbers.low >= vec4f(least)),
    select(vec4u(NO_KEY), keys.high, numbers.high >= vec4f(least))
  ));
}

// Bit i is set if slot i has a number of at most `most`.
fn slotsUpTo(numbers: EightNumbers, most: f32) -> u32 {
  return bitsOf(select(vec4u(0u), LOW_BITS, numbers.low <= vec4f(most))) |
      bitsOf(select(vec4u(0u), HIGH_BITS, numbers.high <= vec4f(most)));
}

fn bitsOf(bits: vec4u) -> u32 {
  return (bits.x | bits.y) | (bits.z | bits.w);
}
