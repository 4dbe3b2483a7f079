// Finds each body's cell and counts the bodies of each bucket. The order of bodies in a bucket depends on scheduling;
// the pairs do not, as they are sorted. Bodies whose groups meet none are left out from here on.

import package::broad-phase::bound::{isOffCentre, meetAny, BOUND_NONE, IS_OFF_CENTRE};
import package::broad-phase::grid::{addPlace, bucketOf, cellAt, cellKey, CellScale, KEY_FIXED};
import package::broad-phase::state::{
  STATE_BLOCKS_PER_METRE, STATE_BUCKET_MASKS, STATE_CELLS_PER_BLOCK, STATE_FIRST_BUCKETS, STATE_LEAST_BINS,
  STATE_LEVELS, STATE_OCCUPIED, STATE_WORDS
};
import package::broad-phase::steps::{stepBox};
import package::kernels::broad-phase::bounded::{bounds, hasBox, positionOf};
import package::kernels::broad-phase::filters::{groupsOf, isFixed};
import package::kernels::broad-phase::parameters::{bodyCount, invocationIndex, parameters};
import package::kernels::broad-phase::positions::{placeOf};

// The words of the state: the kernel changes two of them. The others are not atomic, since reading an atomic number is
// an interlocked operation on D3D12, for which all invocations would wait at the same address.
struct CellState {
  before: array<u32, STATE_OCCUPIED>,
  occupied: array<atomic<u32>, 2>,
  behind: array<u32, STATE_WORDS - STATE_OCCUPIED - 2u>,
}

@group(0) @binding(6) var<storage, read_write> state: CellState;
// By body, one row after the other: its box in steps, and its bucket.
@group(0) @binding(10) var<storage, read_write> bodyCells: array<u32>;
@group(0) @binding(11) var<storage, read_write> buckets: array<atomic<u32>>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let body = invocationIndex(workgroupId, localIndex);
  if (body >= bodyCount()) {
    return;
  }
  let bound = bounds[body];
  if (!hasBox(bound)) {
    return;
  }
  if (!meetAny(groupsOf(body))) {
    bounds[body].key = BOUND_NONE;
    return;
  }
  let fixedBit = select(0u, 1u, isFixed(body));
  // Levels are numbered from large bodies to small ones.
  var level = 0u;
  for (; level + 1u < state.before[STATE_LEVELS]; level++) {
    if (bound.key >= levelWord(STATE_LEAST_BINS, level)) {
      break;
    }
  }
  let scale = CellScale(
    bitcast<f32>(levelWord(STATE_BLOCKS_PER_METRE, level)), levelWord(STATE_CELLS_PER_BLOCK, level)
  );
  let centre = addPlace(placeOf(body, positionOf(body), scale), bound.offset, scale);
  let key = cellKey(cellAt(centre, -bound.half, 0.0, scale), level | (fixedBit * KEY_FIXED));
  let steps = stepBox(centre, bound.half, scale);
  let bucket = levelWord(STATE_FIRST_BUCKETS, level) + (bucketOf(key) & levelWord(STATE_BUCKET_MASKS, level));
  bodyCells[body] = steps.low;
  bodyCells[parameters.bodyCapacity + body] = steps.high;
  bodyCells[2u * parameters.bodyCapacity + body] = bucket;
  bounds[body].key = key;
  bounds[body].rank = atomicAdd(&buckets[bucket], 1u) |
      select(0u, IS_OFF_CENTRE, isOffCentre(bound));
  // Read before it is changed, so that invocations rarely wait for each other.
  if ((atomicLoad(&state.occupied[fixedBit]) & (1u << level)) == 0u) {
    atomicOr(&state.occupied[fixedBit], 1u << level);
  }
}

// A level's word of a row of the state.
fn levelWord(row: u32, level: u32) -> u32 {
  return state.behind[row - STATE_OCCUPIED - 2u + level];
}
