// Exclusive prefix sums in place, by reduce-then-scan: scan-sums adds up blocks, scan-blocks makes the sums of all
// blocks before each, and scan-values those of all values before each. Sums are 64-bit numbers, the low word first;
// sums above MOST_SUM are stored as MOST_SUM. The word after the values gets the sum of all.
//
// The values may also be the rows of owners.wgsl: then a value is the number of all pairs of an owner, and its sum is
// stored in the first row.

import package::broad-phase::sums::{MOST_SUM};

struct ScanParameters {
  valueCount: u32,
  blockCount: u32,
  // Whether the values are the rows of owners, of one number more than there are values.
  areOfOwners: u32,
}

@group(0) @binding(0) var<uniform> parameters: ScanParameters;
@group(0) @binding(1) var<storage, read_write> values: array<u32>;
// One per block, and the sum of all.
@group(0) @binding(2) var<storage, read_write> blockTotals: array<vec2u>;

const SCAN_SHARE: u32 = 16u;
const SCAN_BLOCK: u32 = 4096u;

const ROW_SIZE: u32 = 16u;
const ROW_COUNT: u32 = 16u;

// By invocation, the sum of its row up to it; by row, the sum of the rows before it.
var<workgroup> partial: array<vec2u, 256>;
var<workgroup> rowSums: array<vec2u, ROW_COUNT>;

fn add64(a: vec2u, b: vec2u) -> vec2u {
  let low = a.x + b.x;
  return vec2u(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn saturated(sum: vec2u) -> u32 {
  return select(min(sum.x, MOST_SUM), MOST_SUM, sum.y != 0u);
}

// The sum of the numbers of this invocation and of all before it: first within each row of 16 invocations, by one of
// them, and then over the rows. This takes few barriers, which cost software adapters more than additions do. All
// invocations of the workgroup call it.
fn sumUpTo(localIndex: u32, own: vec2u) -> vec2u {
  partial[localIndex] = own;
  workgroupBarrier();
  if (localIndex < ROW_COUNT) {
    var sum = vec2u(0u);
    for (var at = localIndex * ROW_SIZE; at < (localIndex + 1u) * ROW_SIZE; at++) {
      sum = add64(sum, partial[at]);
      partial[at] = sum;
    }
    rowSums[localIndex] = sum;
  }
  workgroupBarrier();
  if (localIndex == 0u) {
    var sum = vec2u(0u);
    for (var row = 0u; row < ROW_COUNT; row++) {
      let next = add64(sum, rowSums[row]);
      rowSums[row] = sum;
      sum = next;
    }
  }
  workgroupBarrier();
  return add64(rowSums[localIndex / ROW_SIZE], partial[localIndex]);
}

fn valueAt(at: u32) -> u32 {
  if (parameters.areOfOwners == 0u) {
    return values[at];
  }
  return values[at] + values[rowLength() + at] + values[2u * rowLength() + at];
}

// Of the rows of owners.
fn rowLength() -> u32 {
  return parameters.valueCount + 1u;
}

// The sum of an invocation's share of values.
fn sumOfShare(first: u32) -> vec2u {
  var sum = vec2u(0u);
  // The loop has no constant length, because compilers would unroll it.
  for (var at = first; at < min(first + SCAN_SHARE, parameters.valueCount); at++) {
    sum = add64(sum, vec2u(valueAt(at), 0u));
  }
  return sum;
}
