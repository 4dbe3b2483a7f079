// Sizes for compaction (kernels/compact.wgsl). A list of pairs holds the first slot of each class, then the number of
// all listed pairs, and from LIST_HEADER (results.wgsl) on the pairs.

// A block is one workgroup's share: 16 consecutive pairs for each of its 256 invocations.
const PAIRS_PER_INVOCATION: u32 = 16u;
const BLOCK_SIZE: u32 = 4096u;
