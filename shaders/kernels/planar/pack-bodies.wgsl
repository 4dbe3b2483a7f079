// Makes the records of poses in 2-D from the caller's arrays, and finds bodies that the host's validation may refuse.

import package::kernels::body-input::{
  parameters, bodyShapes, poses, coordinate, scaleOf, isSuspiciousScale, HAS_FIXED_POINT
};
import package::kernels::verdict::{
  raiseVerdict, reportShape, reportSuspicion, INSPECTS, VERDICT_BODY, VERDICT_GREATEST
};
import package::exact::half-turn::{withinHalfTurn};
import package::planar::shapes::{PlanarShape};
import package::shared::constants::{KIND_COUNT};

@group(0) @binding(1) var<storage, read> shapeRecords: array<PlanarShape>;
// Angles.
@group(0) @binding(4) var<storage, read> rotations: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let body = (workgroupId.y * parameters.gridWidth + workgroupId.x) * 64u + localIndex;
  if (body >= parameters.bodyCount) {
    return;
  }
  let x = coordinate(2u * body);
  let y = coordinate(2u * body + 1u);
  let scale = scaleOf(body);
  let angle = rotations[body];
  let isInfinite = (angle & 0x7f800000u) == 0x7f800000u;
  let reduced = select(withinHalfTurn(select(angle, 0u, isInfinite)), angle, isInfinite);
  poses[body] = vec4u(x.bits, y.bits, reduced, scale);
  if (!INSPECTS) {
    return;
  }
  let isSuspicious =
      x.isSuspicious || y.isSuspicious || isInfinite || isSuspiciousShape(bodyShapes[body], scale);
  if (isSuspicious) {
    reportSuspicion(VERDICT_BODY, body);
  }
  if (bodyShapes[body] < parameters.shapeCount) {
    reportShape(bodyShapes[body]);
  }
  if (HAS_FIXED_POINT) {
    raiseVerdict(VERDICT_GREATEST, max(x.highWord, y.highWord));
  }
}

fn isSuspiciousShape(shape: u32, scale: u32) -> bool {
  if (shape >= parameters.shapeCount || (shapeRecords[shape].kindAndCount & 0xffu) >= KIND_COUNT) {
    return true;
  }
  return isSuspiciousScale(scale, shapeRecords[shape].boundingRadius);
}
