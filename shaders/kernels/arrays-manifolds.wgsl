// The arrays of `manifolds`. Points that a record does not have are zero.

import package::kernels::arrays::{
  parameters, records, arrays, AXES, DISTANCE_WORD, FEATURE_STRIDE, FEATURE_WORD, INFO_WORD, NORMAL_WORD, NO_ARRAY,
  POINT_STRIDE, POSITION_WORD, POINT_DISTANCE_WORD, RECORD_POINTS, SLOTS_PER_INVOCATION, slotsOf, pairOf, recordOf,
  store, storePair, storePoint, storeVector, storeWord
};
import package::shared::results::{infoStatus, INFO_HAS_POINTS, INFO_POINTS_MASK, INFO_POINTS_SHIFT};

// Points per slot.
const MANIFOLD_POINTS: u32 = 4u;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let slots = slotsOf(workgroupId, localIndex);
  if (slots.first >= slots.end) {
    return;
  }
  var statuses = 0u;
  var pointCounts = 0u;
  var moved = 0u;
  for (var slot = slots.first; slot < slots.end; slot++) {
    let pair = pairOf(slot);
    let record = recordOf(slot, pair);
    let info = records[record + INFO_WORD];
    let shift = 8u * (slot - slots.first);
    storePair(slot, pair);
    statuses |= infoStatus(info) << shift;
    let count = (info >> INFO_POINTS_SHIFT) & INFO_POINTS_MASK;
    let movedCount = select(0u, count, (info & INFO_HAS_POINTS) != 0u);
    pointCounts |= count << shift;
    moved |= movedCount << shift;
    storeVector(parameters.normal, slot, record + NORMAL_WORD);
    storeWord(parameters.contactDistance, slot, record + DISTANCE_WORD);
    for (var point = 0u; point < MANIFOLD_POINTS; point++) {
      let at = MANIFOLD_POINTS * slot + point;
      if (point < RECORD_POINTS) {
        let first = record + POINT_STRIDE * point;
        storePoint(parameters.position, at, first + POSITION_WORD, point < movedCount, pair, 0u);
        storeWord(parameters.distance, at, first + POINT_DISTANCE_WORD);
        storeWord(parameters.feature, at, record + FEATURE_WORD + FEATURE_STRIDE * point);
      } else {
        storeZeros(parameters.position, AXES * at, AXES);
        store(parameters.distance, at, 0u);
        store(parameters.feature, at, 0u);
      }
    }
  }
  let word = slots.first / SLOTS_PER_INVOCATION;
  store(parameters.status, word, statuses);
  store(parameters.pointCount, word, pointCounts);
  store(parameters.moved, word, moved);
}

fn storeZeros(start: u32, at: u32, count: u32) {
  if (start != NO_ARRAY) {
    for (var k = 0u; k < count; k++) {
      arrays[start + at + k] = 0u;
    }
  }
}
