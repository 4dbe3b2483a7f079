// Words of the broad phase's state. All are 0 before the first kernel.

// Pairs written: those of the bodies with the lowest indices, whole.
const STATE_PAIRS: u32 = 0u;
// Pairs left out, at most 2^32 - 1.
const STATE_OVERFLOW: u32 = 1u;
// All pairs, as a number of 64 bits, the low word first.
const STATE_CANDIDATES: u32 = 2u;
// Bodies without pairs as their pose, shape or velocity can't be used.
const STATE_INVALID: u32 = 4u;
const STATE_HALFSPACES: u32 = 5u;
// The complement of the lowest index of a body in the grid, whose position is the grid's origin.
const STATE_ORIGIN: u32 = 6u;
const STATE_LEVELS: u32 = 7u;
// Bodies with more pairs than one invocation sorts.
const STATE_LONG: u32 = 8u;
// Bits of the greatest size of a body.
const STATE_GREATEST: u32 = 12u;
// x, y, z of the origin's position as f32.
const STATE_ORIGIN_POSITION: u32 = 9u;
// Per level: the least bin and the cell size.
const STATE_LEAST_BINS: u32 = 16u;
const STATE_CELL_SIZES: u32 = 48u;
// Per bin: its bodies.
const STATE_BINS: u32 = 80u;
const STATE_WORDS: u32 = 1104u;
