// The features of 2-D contacts that were chosen among pairs of parts. Those that are a kernel's have theirs.

import package::kernels::parameters::{pairIndex, NO_PAIR};
import package::kernels::planar::contact-records::{records};
import package::kernels::planar::load-pair::{loadPair};
import package::planar::feature::{feature};
import package::planar::math::{rotateBack};
import package::planar::support::{support};
import package::shared::results::{INFO_HAS_POINTS};

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let index = pairIndex(workgroupId, localIndex);
  if (index == NO_PAIR) {
    return;
  }
  let row = records[3u * index];
  let hasFeatures = any(records[3u * index + 2u].zw != vec2u(0u));
  if ((row.w & INFO_HAS_POINTS) == 0u || hasFeatures) {
    return;
  }
  let pair = loadPair(index).pair;
  let onA = rotateBack(pair.rotationA, bitcast<vec2f>(row.xy));
  let onB = rotateBack(pair.rotation, -onA);
  records[3u * index + 2u].z = feature(pair.coreA, onA, support(pair.coreA, onA));
  records[3u * index + 2u].w = feature(pair.coreB, onB, support(pair.coreB, onB));
}
