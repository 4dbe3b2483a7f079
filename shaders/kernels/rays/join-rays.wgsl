// Writes the rays of a batch as bodies: moving balls, after the room for bodies.

import package::broad-phase::ray-hit::{NO_BODY};
import package::kernels::broad-phase::parameters::{invocationIndex, parameters, IS_PLANAR};
import package::kernels::rays::joined::{bodyShapes, groups, poses, velocities};
import package::shared::constants::{GREATEST_POSITION, GREATEST_SIZE};
import package::shared::math::{isWithin, isWithin3};

// Rows of RayCast or PlanarRayCast.
@group(0) @binding(22) var<storage, read> givenRays: array<vec4u>;
// Negative: the ray can't be cast.
@group(0) @binding(20) var<storage, read_write> maxTimes: array<f32>;

// The radius of a ray without one. It is as small as a point, and a scale of 0 is invalid.
const LEAST_RADIUS: f32 = 1e-30;
const INFINITY_BITS: u32 = 0x7f800000u;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let ray = invocationIndex(workgroupId, localIndex);
  if (ray >= min(parameters.rayCount, parameters.rayCapacity)) {
    return;
  }
  // Groups are not read as floats: as such they may be no number.
  let firstRow = givenRays[select(3u, 2u, IS_PLANAR) * ray];
  let secondRow = givenRays[select(3u, 2u, IS_PLANAR) * ray + 1u];
  let first = bitcast<vec4f>(firstRow);
  let second = bitcast<vec4f>(select(secondRow, vec4u(secondRow.xy, 0u, 0u), IS_PLANAR));
  var ownGroups = secondRow.z;
  var origin = first.xyz;
  var direction = second.xyz;
  var maxTime = first.w;
  var radius = second.w;
  if (IS_PLANAR) {
    origin = vec3f(first.xy, 0.0);
    direction = vec3f(first.zw, 0.0);
    maxTime = second.x;
    radius = second.y;
  } else {
    ownGroups = givenRays[3u * ray + 2u].x;
  }
  let isValid = isWithin3(origin, GREATEST_POSITION) && isWithin3(direction, GREATEST_POSITION) &&
      isWithin(radius, GREATEST_SIZE) && radius >= 0.0 && isTime(select(firstRow.w, secondRow.x, IS_PLANAR));
  let body = parameters.bodyCapacity + ray;
  let scale = select(1.0, max(radius, LEAST_RADIUS), isValid);
  origin = select(vec3f(0.0), origin, isValid);
  direction = select(vec3f(0.0), direction, isValid);
  if (IS_PLANAR) {
    poses[body] = vec4f(origin.xy, 0.0, scale);
    velocities[body] = vec4f(direction.xy, 0.0, 0.0);
  } else {
    poses[2u * body] = vec4f(origin, scale);
    poses[2u * body + 1u] = vec4f(0.0, 0.0, 0.0, 1.0);
    velocities[2u * body] = vec4f(direction, 0.0);
  }
  // No shape has the id NO_BODY.
  bodyShapes[body] = select(NO_BODY, parameters.rayShape, isValid);
  groups[body] = ownGroups;
  maxTimes[ray] = select(-1.0, abs(maxTime), isValid);
}

// At least 0, or -0, or infinite.
fn isTime(bits: u32) -> bool {
  return bits <= INFINITY_BITS || bits == 0x80000000u;
}
