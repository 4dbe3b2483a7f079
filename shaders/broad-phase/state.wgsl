// Words of the broad phase's state. All are 0 before the first kernel.

// Pairs written: those of the bodies with the lowest indices, whole.
const STATE_PAIRS: u32 = 0u;
// Pairs left out, at most 2^32 - 1.
const STATE_OVERFLOW: u32 = 1u;
// All pairs, as a number of 64 bits, the low word first.
const STATE_CANDIDATES: u32 = 2u;
// Bodies without pairs, because their pose, shape or velocity can't be used.
const STATE_INVALID: u32 = 4u;
const STATE_HALFSPACES: u32 = 5u;
const STATE_LEVELS: u32 = 6u;
// Bodies with more pairs than one invocation sorts.
const STATE_LONG: u32 = 7u;
// Bodies with more pairs than one workgroup sorts.
const STATE_VERY_LONG: u32 = 8u;
// Bits of the greatest size of a body.
const STATE_GREATEST: u32 = 9u;
// One bit per level: it has bodies that are not fixed, and in the next word, fixed ones.
const STATE_OCCUPIED: u32 = 10u;
// The most tests that the search does for one body, of some of them.
const STATE_MOST_TESTS: u32 = 12u;
// Per level: the least bin, and the scale of the cells.
const STATE_LEAST_BINS: u32 = 16u;
const STATE_BLOCKS_PER_METRE: u32 = 48u;
const STATE_CELLS_PER_BLOCK: u32 = 80u;
// Per level: its first bucket, and the number of its buckets less one.
const STATE_FIRST_BUCKETS: u32 = 112u;
const STATE_BUCKET_MASKS: u32 = 144u;
// Per bin: its bodies.
const STATE_BINS: u32 = 176u;
const STATE_WORDS: u32 = 1200u;
