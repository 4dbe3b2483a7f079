// Sums of the prefix sums (kernels/broad-phase/scan).

// Greater sums are stored as this one. It is above the capacity of all buffers, and so far below 2^32 that places
// counted from here are below it too.
const MOST_SUM: u32 = 0x80000000u;

// Ranks of pairs among those of their owner (kernels/broad-phase/owners) are below this. It fits into the bits above
// those of a body's number (NUMBER_BITS in bound.wgsl).
const MOST_RANKED: u32 = 63u;
