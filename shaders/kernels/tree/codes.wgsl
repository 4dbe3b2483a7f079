// The key of each body: the Morton code of its box's centre.

import package::broad-phase::bound::{BOUND_HALFSPACE};
import package::broad-phase::tree::{
  CODE_BITS, KEY_HALFSPACE, KEY_INVALID, QUANTILES, TREE_AXES, TREE_ORIGIN, TREE_QUANTILES
};
import package::kernels::broad-phase::bounded::{bounds, hasBox};
import package::kernels::broad-phase::parameters::{bodyCount, invocationIndex};
import package::kernels::tree::centres::{centreOf};
import package::kernels::tree::state::{tree};

// Key and body.
@group(0) @binding(18) var<storage, read_write> sortedTo: array<vec2u>;

// Bits below those that have the number of a coordinate's step between quantiles.
const STEP_BITS: u32 = 25u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let body = invocationIndex(workgroupId, localIndex);
  if (body >= bodyCount()) {
    return;
  }
  let bound = bounds[body];
  var key = select(KEY_INVALID, KEY_HALFSPACE, bound.key == BOUND_HALFSPACE);
  if (hasBox(bound)) {
    let place = centreOf(body, bound, tree[TREE_ORIGIN]);
    key = codeOf(vec3u(rankOf(0u, place.x), rankOf(1u, place.y), rankOf(2u, place.z)));
  }
  sortedTo[body] = vec2u(key, body);
}

// Takes bits from the ranks, each from the highest one on.
fn codeOf(ranks: vec3u) -> u32 {
  var rest = ranks << vec3u(32u - CODE_BITS);
  var code = 0u;
  for (var bit = 0u; bit < CODE_BITS; bit++) {
    let axis = tree[TREE_AXES + bit];
    code = (code << 1u) | (rest[axis] >> 31u);
    rest[axis] <<= 1u;
  }
  return code;
}

// Where a coordinate is among the quantiles, as a number of CODE_BITS bits.
fn rankOf(axis: u32, x: f32) -> u32 {
  var step = 0u;
  for (var half = (QUANTILES - 1u) / 2u; half > 0u; half >>= 1u) {
    step += select(0u, half, x >= quantile(axis, step + half));
  }
  let low = quantile(axis, step);
  let length = quantile(axis, step + 1u) - low;
  let share = select(0.0, clamp((x - low) / length, 0.0, 1.0), length > 0.0);
  return (step << STEP_BITS) | min(u32(share * f32(1u << STEP_BITS)), (1u << STEP_BITS) - 1u);
}

fn quantile(axis: u32, number: u32) -> f32 {
  return bitcast<f32>(tree[TREE_QUANTILES + axis * QUANTILES + number]);
}
