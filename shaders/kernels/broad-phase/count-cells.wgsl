// Finds each body's cell and counts the bodies of each bucket. The order of bodies in a bucket depends on scheduling;
// the pairs do not, as they are sorted.

import package::broad-phase::grid::{bucketOf, rowKey};
import package::broad-phase::state::{STATE_CELL_SIZES, STATE_LEAST_BINS, STATE_LEVELS, STATE_ORIGIN};
import package::kernels::broad-phase::bounded::{bounds, hasBox, placeOf};
import package::kernels::broad-phase::parameters::{bodyCount, invocationIndex, parameters};

@group(0) @binding(6) var<storage, read> state: array<u32>;
// The x of each body's cell.
@group(0) @binding(10) var<storage, read_write> columns: array<u32>;
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
  // Levels are numbered from large bodies to small ones.
  var level = 0u;
  for (; level + 1u < state[STATE_LEVELS]; level++) {
    if (bound.key >= state[STATE_LEAST_BINS + level]) {
      break;
    }
  }
  let place = placeOf(body, bound, ~state[STATE_ORIGIN]) - bound.half;
  let cell = vec3i(floor(place * (1.0 / bitcast<f32>(state[STATE_CELL_SIZES + level]))));
  let key = rowKey(cell.y, cell.z, level);
  let x = u32(cell.x);
  columns[body] = x;
  bounds[body].key = key;
  bounds[body].rank = atomicAdd(&buckets[bucketOf(key, x) & parameters.bucketMask], 1u);
}
