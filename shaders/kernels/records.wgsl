// Result records as rows of 32-bit words, for the kernels that compact, gather and count them whatever they hold.
//
// Compaction is a stable prefix sum, so that the order never depends on scheduling: list-count counts the wanted records
// of each block, list-scan turns the counts into first slots, list-scatter writes the indices of the wanted records.

struct RecordParameters {
  recordCount: u32,
  // Words in a record, and which of them is `info`.
  wordCount: u32,
  infoWord: u32,
  // A record is wanted when its info has any of these bits.
  mask: u32,
  // Workgroups in a row of the dispatch grid.
  gridWidth: u32,
  blockCount: u32,
}

@group(0) @binding(0) var<uniform> parameters: RecordParameters;
@group(0) @binding(1) var<storage, read> records: array<u32>;

// A block is the share of one workgroup: four consecutive records for each of its 256 invocations.
const RECORDS_PER_INVOCATION: u32 = 4u;
const BLOCK_SIZE: u32 = 1024u;

fn infoOf(index: u32) -> u32 {
  return records[index * parameters.wordCount + parameters.infoWord];
}

fn isWanted(index: u32) -> bool {
  if (index >= parameters.recordCount) {
    return false;
  }
  return (infoOf(index) & parameters.mask) != 0u;
}

// How many of the invocation's records are wanted.
fn countWanted(first: u32) -> u32 {
  var count = 0u;
  for (var i = 0u; i < RECORDS_PER_INVOCATION; i++) {
    count += select(0u, 1u, isWanted(first + i));
  }
  return count;
}

var<workgroup> sums: array<u32, 256>;

// Sum of `value` over the invocations up to and including this one (Hillis and Steele 1986); all 256 must call it.
fn inclusiveSum(value: u32, localIndex: u32) -> u32 {
  var sum = value;
  for (var step = 1u; step < 256u; step <<= 1u) {
    sums[localIndex] = sum;
    workgroupBarrier();
    if (localIndex >= step) {
      sum += sums[localIndex - step];
    }
    workgroupBarrier();
  }
  return sum;
}
