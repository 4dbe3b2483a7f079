// Makes the records of poses in 3-D from the caller's arrays, and finds bodies that the host's validation may refuse.

import package::kernels::body-input::{
  parameters, bodyShapes, poses, coordinate, scaleOf, isFlaggedScale, HAS_FIXED_POINT
};
import package::kernels::report::{
  raiseReport, reportShape, flag, INSPECTS, REPORT_BODY, REPORT_GREATEST
};
import package::shared::constants::{KIND_COUNT};
import package::shared::math::{inversePowerOfTwo, powerOfTwoBelow};
import package::shared::shapes::{Shape};

@group(0) @binding(1) var<storage, read> shapeRecords: array<Shape>;
// Quaternions.
@group(0) @binding(4) var<storage, read> rotations: array<vec4u>;

// The exponent of 2^-19. A quaternion has at least the length of its greatest component, and 1e-6 is below 2^-19.
const LEAST_EXPONENT: u32 = 108u;
const INFINITE_EXPONENT: u32 = 0xffu;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let body = (workgroupId.y * parameters.gridWidth + workgroupId.x) * 64u + localIndex;
  if (body >= parameters.bodyCount) {
    return;
  }
  let x = coordinate(3u * body);
  let y = coordinate(3u * body + 1u);
  let z = coordinate(3u * body + 2u);
  let scale = scaleOf(body);
  let quaternion = rotations[body];
  poses[2u * body] = vec4u(x.bits, y.bits, z.bits, scale);
  poses[2u * body + 1u] = bitcast<vec4u>(unitQuaternion(bitcast<vec4f>(quaternion)));
  if (!INSPECTS) {
    return;
  }
  let isFlagged = x.isFlagged || y.isFlagged || z.isFlagged || isFlaggedQuaternion(quaternion) ||
      isFlaggedShape(bodyShapes[body], scale);
  if (isFlagged) {
    flag(REPORT_BODY, body);
  }
  if (bodyShapes[body] < parameters.shapeCount) {
    reportShape(bodyShapes[body]);
  }
  if (HAS_FIXED_POINT) {
    raiseReport(REPORT_GREATEST, max(max(x.highWord, y.highWord), z.highWord));
  }
}

// A quaternion of length 1, up to rounding.
fn unitQuaternion(given: vec4f) -> vec4f {
  // By a power of two, which rounds nothing, so that squares stay within f32.
  let sizes = abs(given);
  let greatest = max(max(sizes.x, sizes.y), max(sizes.z, sizes.w));
  let scaled = given * inversePowerOfTwo(powerOfTwoBelow(min(greatest, 0x1p126f)));
  let unit = scaled * inverseSqrt(dot(scaled, scaled));
  // A root may be off by some ULPS. A step of Newton's method takes nearly all of that back.
  return unit * (1.5 - 0.5 * dot(unit, unit));
}

fn isFlaggedQuaternion(quaternion: vec4u) -> bool {
  let exponents = (quaternion >> vec4u(23u)) & vec4u(0xffu);
  let greatest = max(max(exponents.x, exponents.y), max(exponents.z, exponents.w));
  return greatest < LEAST_EXPONENT || greatest == INFINITE_EXPONENT;
}

fn isFlaggedShape(shape: u32, scale: u32) -> bool {
  if (shape >= parameters.shapeCount || shapeRecords[shape].kind >= KIND_COUNT) {
    return true;
  }
  // A half-space's extent is its offset, which is in `radius`; its bounding radius is 0.
  return isFlaggedScale(scale, max(shapeRecords[shape].boundingRadius, abs(shapeRecords[shape].radius)));
}
