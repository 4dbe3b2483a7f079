// Makes the records of poses in 2-D from the caller's arrays, and finds bodies that the host's validation may refuse.

import package::kernels::body-input::{
  parameters, bodyShapes, poses, coordinate, scaleOf, isFlaggedScale, HAS_FIXED_POINT
};
import package::kernels::report::{
  raiseReport, reportShape, flag, INSPECTS, REPORT_BODY, REPORT_GREATEST
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
  let isFlagged =
      x.isFlagged || y.isFlagged || isInfinite || isFlaggedShape(bodyShapes[body], scale);
  if (isFlagged) {
    flag(REPORT_BODY, body);
  }
  if (bodyShapes[body] < parameters.shapeCount) {
    reportShape(bodyShapes[body]);
  }
  if (HAS_FIXED_POINT) {
    raiseReport(REPORT_GREATEST, max(x.highWord, y.highWord));
  }
}

fn isFlaggedShape(shape: u32, scale: u32) -> bool {
  if (shape >= parameters.shapeCount || (shapeRecords[shape].kindAndCount & 0xffu) >= KIND_COUNT) {
    return true;
  }
  return isFlaggedScale(scale, shapeRecords[shape].boundingRadius);
}
