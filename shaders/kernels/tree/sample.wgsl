// Learns from a sample of the bodies how their codes are made, in one workgroup:
//
// 1. The origin is the body nearest the medians of the coordinates. A body far from all others is never chosen, unless
//    most are.
// 2. Quantiles of each coordinate. The two outermost bodies at each end are left out, so a few bodies far away don't
//    stretch the first or last step.
// 3. The spread along each axis: the total of the quantiles' shortest steps, so that gaps between clusters don't count,
//    and the size of a body, because cells smaller than the bodies are no use.
// 4. Each bit of a code halves the cells along the axis on which they are longest.

import package::broad-phase::state::{STATE_HALFSPACES, STATE_INVALID};
import package::broad-phase::tree::{
  CODE_BITS, QUANTILES, TREE_AXES, TREE_HALFSPACES, TREE_LEAVES, TREE_ORIGIN, TREE_QUANTILES
};
import package::kernels::broad-phase::bounded::{bounds, hasBox, positionOf};
import package::kernels::broad-phase::parameters::{bodyCount};
import package::kernels::tree::centres::{centreOf};

@group(0) @binding(6) var<storage, read> state: array<u32>;
@group(0) @binding(16) var<storage, read_write> tree: array<u32>;

// The most bodies in the sample.
const TREE_SAMPLES: u32 = 512u;
// Samples per invocation.
const SAMPLE_SHARE: u32 = 2u;
const LEFT_OUT: u32 = 2u;
// With fewer samples, all count.
const MANY: u32 = 64u;
// Steps of the quantiles that the spread is made from.
const SHORTEST: u32 = 12u;
// Of a sample that is no body with a box.
const NO_NUMBER: f32 = 3e38;

// What the samples are ordered by, one after the other: the three coordinates of the position, the size, and the three
// coordinates of the box's centre relative to the origin.
const COLUMN_SIZE: u32 = 3u;
const COLUMN_PLACE: u32 = 4u;
const COLUMNS: u32 = 7u;

var<workgroup> values: array<f32, TREE_SAMPLES>;
var<workgroup> ordered: array<f32, TREE_SAMPLES>;
// Samples that are bodies with boxes.
var<workgroup> taken: atomic<u32>;
// For each invocation's sample nearest the medians: how far it is from them, and its body.
var<workgroup> distances: array<f32, 256>;
var<workgroup> nearest: array<u32, 256>;
var<workgroup> origin: u32;
// Steps between quantiles, ascending.
var<workgroup> steps: array<f32, QUANTILES>;
var<workgroup> spreads: array<f32, 3>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) localIndex: u32) {
  for (var i = 0u; i < SAMPLE_SHARE; i++) {
    if (isTaken(sampleOf(localIndex, i))) {
      atomicAdd(&taken, 1u);
    }
  }
  workgroupBarrier();
  let count = atomicLoad(&taken);
  var medians = vec3f(0.0);
  var size = 0.0;
  for (var column = 0u; column < COLUMNS; column++) {
    if (column == COLUMN_SIZE) {
      chooseOrigin(localIndex, medians);
    }
    for (var i = 0u; i < SAMPLE_SHARE; i++) {
      values[localIndex + 256u * i] = numberOf(sampleOf(localIndex, i), column);
    }
    order(localIndex);
    let middle = ordered[count / 2u];
    if (column < COLUMN_SIZE) {
      medians[column] = middle;
    } else if (column == COLUMN_SIZE) {
      size = select(0.0, 2.0 * middle, count > 0u);
    } else {
      storeQuantiles(localIndex, column - COLUMN_PLACE, count, size);
    }
  }
  if (localIndex == 0u) {
    for (var bit = 0u; bit < CODE_BITS; bit++) {
      var longest = 0u;
      for (var axis = 1u; axis < 3u; axis++) {
        longest = select(longest, axis, spreads[axis] > spreads[longest]);
      }
      tree[TREE_AXES + bit] = longest;
      spreads[longest] *= 0.5;
    }
  }
}

fn sampleCount() -> u32 {
  return min(bodyCount(), TREE_SAMPLES);
}

// The body of an invocation's sample number `i`. Samples are spread evenly over the bodies.
fn sampleOf(localIndex: u32, i: u32) -> u32 {
  let number = localIndex + 256u * i;
  let count = sampleCount();
  if (number >= count) {
    return bodyCount();
  }
  return number * (bodyCount() / count) + number * (bodyCount() % count) / count;
}

fn isTaken(body: u32) -> bool {
  return body < bodyCount() && hasBox(bounds[min(body, max(bodyCount(), 1u) - 1u)]);
}

fn numberOf(body: u32, column: u32) -> f32 {
  if (!isTaken(body)) {
    return NO_NUMBER;
  }
  if (column < COLUMN_SIZE) {
    return positionOf(body)[column];
  }
  if (column == COLUMN_SIZE) {
    let half = bounds[body].half;
    return max(half.x, max(half.y, half.z));
  }
  return centreOf(body, bounds[body], origin)[column - COLUMN_PLACE];
}

// Puts `values` into `ordered`, ascending. Each value counts how many come before it.
fn order(localIndex: u32) {
  workgroupBarrier();
  // The loop has no constant length, because compilers would unroll it.
  let count = sampleCount();
  for (var own = localIndex; own < count; own += 256u) {
    let value = values[own];
    var place = 0u;
    for (var other = 0u; other < count; other++) {
      place += u32(values[other] < value) + (u32(values[other] == value) & u32(other < own));
    }
    ordered[place] = value;
  }
  workgroupBarrier();
}

// If no sample has a box, any body that has one is the origin.
fn chooseOrigin(localIndex: u32, medians: vec3f) {
  var least = NO_NUMBER;
  var body = 0u;
  if (atomicLoad(&taken) == 0u) {
    for (var other = localIndex; other < bodyCount(); other += 256u) {
      if (isTaken(other)) {
        body = other;
        least = 0.0;
      }
    }
  }
  for (var i = 0u; i < SAMPLE_SHARE; i++) {
    let sample = sampleOf(localIndex, i);
    if (isTaken(sample)) {
      let away = abs(positionOf(sample) - medians);
      let distance = max(away.x, max(away.y, away.z));
      body = select(body, sample, distance < least);
      least = min(least, distance);
    }
  }
  distances[localIndex] = least;
  nearest[localIndex] = body;
  workgroupBarrier();
  if (localIndex == 0u) {
    for (var i = 1u; i < 256u; i++) {
      body = select(body, nearest[i], distances[i] < least);
      least = min(least, distances[i]);
    }
    origin = body;
    tree[TREE_ORIGIN] = body;
    tree[TREE_LEAVES] = bodyCount() - state[STATE_INVALID] - state[STATE_HALFSPACES];
    tree[TREE_HALFSPACES] = state[STATE_HALFSPACES];
  }
  workgroupBarrier();
}

// Of one axis. `ordered` has its coordinates.
fn storeQuantiles(localIndex: u32, axis: u32, count: u32, size: f32) {
  if (localIndex < QUANTILES) {
    tree[TREE_QUANTILES + axis * QUANTILES + localIndex] = bitcast<u32>(quantile(localIndex, count));
  }
  if (localIndex < QUANTILES - 1u) {
    let length = quantile(localIndex + 1u, count) - quantile(localIndex, count);
    var place = 0u;
    for (var other = 0u; other < QUANTILES - 1u; other++) {
      let otherLength = quantile(other + 1u, count) - quantile(other, count);
      place += u32(otherLength < length) + (u32(otherLength == length) & u32(other < localIndex));
    }
    steps[place] = length;
  }
  workgroupBarrier();
  if (localIndex == 0u) {
    var spread = size;
    for (var i = 0u; i < SHORTEST; i++) {
      spread += steps[i] * (f32(QUANTILES - 1u) / f32(SHORTEST));
    }
    spreads[axis] = spread;
  }
}

fn quantile(number: u32, count: u32) -> f32 {
  if (count == 0u) {
    return 0.0;
  }
  let skipped = select(0u, LEFT_OUT, count > MANY);
  return ordered[skipped + number * (count - 1u - 2u * skipped) / (QUANTILES - 1u)];
}
