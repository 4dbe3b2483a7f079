// Chooses the levels of the grid by the sizes of the bodies, in one workgroup.

import package::broad-phase::grid::{
  scaleFor, sizeAbove, CELL_SLACK, LEAST_BUCKETS, LEVEL_COUNT, OCTAVE, SIZE_BINS
};
import package::broad-phase::state::{
  STATE_BINS, STATE_BLOCKS_PER_METRE, STATE_BUCKET_MASKS, STATE_CELLS_PER_BLOCK, STATE_FIRST_BUCKETS, STATE_GREATEST,
  STATE_LEAST_BINS, STATE_LEVELS
};

@group(0) @binding(6) var<storage, read_write> state: array<u32>;

var<workgroup> counts: array<u32, SIZE_BINS>;
// One bit per bin: it has bodies.
var<workgroup> used: array<atomic<u32>, 32>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) localIndex: u32) {
  for (var bin = localIndex; bin < SIZE_BINS; bin += 256u) {
    counts[bin] = state[STATE_BINS + bin];
    if (counts[bin] != 0u) {
      atomicOr(&used[bin >> 5u], 1u << (bin & 31u));
    }
  }
  workgroupBarrier();
  if (localIndex != 0u) {
    return;
  }
  // Bins from `end` on have a level.
  var end = SIZE_BINS;
  var level = 0u;
  var bucket = 0u;
  for (; level < LEVEL_COUNT; level++) {
    let bin = greatestBelow(end);
    if (bin == SIZE_BINS) {
      break;
    }
    // A level has the sizes of one octave, and of another one where these bodies are not in the majority: they cost
    // less there than in a level that is searched besides. The last level has all that is left.
    let octave = sum(bin + 1u, OCTAVE);
    let isWide = sum(bin + 1u - min(bin + 1u, OCTAVE), OCTAVE) <= octave;
    let bins = select(OCTAVE, 2u * OCTAVE, isWide);
    let below = select(bin + 1u - min(bin + 1u, bins), 0u, level == LEVEL_COUNT - 1u);
    // At least a bucket per body, a power of two.
    let bodyCount = sum(end, end - below);
    end = below;
    let bucketCount = max(LEAST_BUCKETS, 1u << (32u - countLeadingZeros(bodyCount - 1u)));
    state[STATE_FIRST_BUCKETS + level] = bucket;
    state[STATE_BUCKET_MASKS + level] = bucketCount - 1u;
    bucket += bucketCount;
    state[STATE_LEAST_BINS + level] = end;
    // The largest cells fit the largest body. They are greater than it by more than rounding.
    let size = select(sizeAbove(bin), bitcast<f32>(state[STATE_GREATEST]) * (1.0 + CELL_SLACK), level == 0u);
    let scale = scaleFor(size);
    state[STATE_BLOCKS_PER_METRE + level] = bitcast<u32>(scale.blocksPerMetre);
    state[STATE_CELLS_PER_BLOCK + level] = scale.cellsPerBlock;
  }
  state[STATE_LEVELS] = level;
}

// The greatest bin below `end` that has bodies, or SIZE_BINS.
fn greatestBelow(end: u32) -> u32 {
  for (var word = 32u; word > 0u; word--) {
    let first = 32u * (word - 1u);
    if (first < end) {
      let within = select(0xffffffffu, (1u << ((end - first) & 31u)) - 1u, end - first < 32u);
      let bits = atomicLoad(&used[word - 1u]) & within;
      if (bits != 0u) {
        return first + firstLeadingBit(bits);
      }
    }
  }
  return SIZE_BINS;
}

// The number of bodies in the last `bins` bins below `end`.
fn sum(end: u32, bins: u32) -> u32 {
  var total = 0u;
  for (var bin = end - min(end, bins); bin < end; bin++) {
    total += counts[bin];
  }
  return total;
}
