// Times of impacts in records, where they may be infinite.

// Whether bodies that overlap or touch at the start meet only if they close in.
override PASSES_PARTING: bool = false;

// Stands for infinity, which shaders can't be relied on to represent.
const NEVER: f32 = 3e38;

const INFINITY_BITS: u32 = 0x7f800000u;
const SIGN_BIT: u32 = 0x80000000u;

// The time in a record. Infinite ones are NEVER and -NEVER.
fn timeOfWord(word: u32) -> f32 {
  let isEndless = (word & ~SIGN_BIT) == INFINITY_BITS;
  return select(bitcast<f32>(word), select(NEVER, -NEVER, (word & SIGN_BIT) != 0u), isEndless);
}
