// Records of 2-D impacts as rows of 16 bytes, and records of pairs that wait for impacts-rotating. Rows are integers
// because times may be infinite.
//
//   row  an impact                      a pair that waits
//   0    normal, unclamped time, info   when to begin and to end, 1 if they overlap and part or 2 if they pass, info
//   1    point, nothing                 nothing

import package::planar::queries::impacts::result::{PLANAR_NEVER};
import package::planar::queries::impacts::linear::{LinearImpact};
import package::planar::results::{PlanarImpact};
import package::queries::impacts::times::{INFINITY_BITS, SIGN_BIT};

@group(0) @binding(6) var<storage, read_write> records: array<vec4u>;

fn storeImpact(index: u32, impact: PlanarImpact) {
  var time = bitcast<u32>(impact.unclampedTime);
  if (abs(impact.unclampedTime) >= PLANAR_NEVER) {
    time = INFINITY_BITS | (time & SIGN_BIT);
  }
  records[2u * index] = vec4u(bitcast<vec2u>(impact.normal), time, impact.info);
  records[2u * index + 1u] = vec4u(bitcast<vec2u>(impact.point), 0u, 0u);
}

fn storeRotating(index: u32, pending: LinearImpact) {
  records[2u * index] = vec4u(bitcast<u32>(pending.begin), bitcast<u32>(pending.end),
      select(select(0u, 1u, pending.isLeaving), 2u, pending.passes), pending.impact.info);
  records[2u * index + 1u] = vec4u(0u);
}

fn loadRotating(index: u32) -> LinearImpact {
  let row = records[2u * index];
  var pending: LinearImpact;
  pending.begin = bitcast<f32>(row.x);
  pending.end = bitcast<f32>(row.y);
  pending.isLeaving = row.z == 1u;
  pending.passes = row.z == 2u;
  pending.impact.info = row.w;
  return pending;
}
