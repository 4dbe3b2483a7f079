// Lists of pairs by class: the first slot of each class, behind the last the number of all, then from LIST_HEADER
// (results.wgsl) on the pairs.

// A block is the share of one workgroup: 16 consecutive pairs for each of its 256 invocations.
const PAIRS_PER_INVOCATION: u32 = 16u;
const BLOCK_SIZE: u32 = 4096u;
