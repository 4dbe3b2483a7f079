// A stable radix sort of keys with their bodies, from the lowest digit to the highest: Satish, Harris, Garland,
// "Designing Efficient Sorting Algorithms for Manycore GPUs" (2009). For each digit, sort-count counts the keys of each
// digit in each block, the scan of kernels/broad-phase makes the sums of all counts before, and sort-scatter moves the
// keys. Nothing depends on scheduling.

import package::kernels::broad-phase::parameters::{parameters};

@group(0) @binding(1) var<storage, read> sortedFrom: array<vec2u>;
// Per digit and block, all blocks of a digit together.
@group(0) @binding(2) var<storage, read_write> digitCounts: array<u32>;

const DIGIT_BITS: u32 = 4u;
const DIGITS: u32 = 16u;
// Keys per invocation, and per workgroup.
const SORT_SHARE: u32 = 8u;
const SORT_BLOCK: u32 = 2048u;

fn digitOf(key: u32) -> u32 {
  return (key >> (DIGIT_BITS * parameters.step)) & (DIGITS - 1u);
}

fn blockIndex(workgroupId: vec3u) -> u32 {
  return workgroupId.y * parameters.gridWidth + workgroupId.x;
}
