// Makes the bounds of bodies in 3-D.

import package::broad-phase::bound::{Bound, enlargement, lengthOf, BOUND_HALFSPACE, BOUND_NONE, BOUND_ROUNDING};
import package::broad-phase::core-box::{coreBox};
import package::kernels::broad-phase::parameters::{
  bodyCount, invocationIndex, parameters, MOTION_NONE, MOTION_TURNING
};
import package::kernels::broad-phase::positions::{bodyShapes};
import package::kernels::broad-phase::report::{reportSizes, storeBound};
import package::shared::constants::{GREATEST_POSITION, KIND_COUNT};
import package::shared::math::{isFinite3, isWithin3, rotationMatrix, scaleToUnit};
import package::shared::pair::{isValidBody};
import package::shared::shapes::{Pose, Shape, Velocity, CORE_HALFSPACE, CORE_PARTS, CORE_POINT};

@group(0) @binding(1) var<storage, read> shapeRecords: array<Shape>;
// binding 2: geometry
@group(0) @binding(3) var<storage, read> poses: array<Pose>;
// binding 4: bodyShapes
@group(0) @binding(7) var<storage, read> velocities: array<Velocity>;

// Above all heights of boxes over half-spaces.
const ABOVE_ALL: f32 = 3e37;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let first = invocationIndex(workgroupId, localIndex);
  var greatest = 0u;
  for (var body = first; body < bodyCount(); body += parameters.stride) {
    greatest = max(greatest, storeBound(body, poses[body].position, boundOf(body)));
  }
  reportSizes(localIndex, greatest);
}

fn boundOf(body: u32) -> Bound {
  let none = Bound(vec3f(0.0), BOUND_NONE, vec3f(0.0), 0u);
  let id = bodyShapes[body];
  if (id >= parameters.shapeCount) {
    return none;
  }
  let shape = shapeRecords[id];
  let pose = poses[body];
  if (shape.kind >= KIND_COUNT || !isWithin3(pose.position, GREATEST_POSITION) || !isValidBody(shape, pose)) {
    return none;
  }
  var path = vec3f(0.0);
  var turns = false;
  if (parameters.motion != MOTION_NONE) {
    let velocity = velocities[body];
    if (!isWithin3(velocity.linear, GREATEST_POSITION) || !isFinite3(velocity.angular)) {
      return none;
    }
    path = clamp(velocity.linear * parameters.duration, vec3f(-GREATEST_POSITION), vec3f(GREATEST_POSITION));
    turns = parameters.motion == MOTION_TURNING && any(velocity.angular != vec3f(0.0));
  }
  let rotation = rotationMatrix(pose.quaternion * scaleToUnit(dot(pose.quaternion, pose.quaternion)));
  let way = lengthOf(path);
  if (shape.kind == CORE_HALFSPACE) {
    let normal = rotation * shape.halfExtents;
    let reach = abs(shape.radius * pose.scale);
    let height = shape.radius * pose.scale + max(0.0, dot(normal, path)) + 0.5 * parameters.margin +
        BOUND_ROUNDING * (reach + 0.5 * parameters.margin) + (2.0 * parameters.tolerance + BOUND_ROUNDING) * way;
    return Bound(normal, BOUND_HALFSPACE, vec3f(select(height, ABOVE_ALL, turns), 0.0, 0.0), 0u);
  }
  let reach = shape.boundingRadius * pose.scale;
  let enlarged = enlargement(reach, way, parameters.margin, parameters.tolerance);
  // A body that turns stays in its bounding ball. Compounds and meshes have no other bounds here.
  if ((turns && shape.kind != CORE_POINT) || shape.kind == CORE_PARTS) {
    return Bound(0.5 * path, 0u, vec3f(reach + enlarged) + 0.5 * abs(path), 0u);
  }
  let box = coreBox(shape, rotation);
  let offset = 0.5 * (box.low + box.high) * pose.scale + 0.5 * path;
  let half = 0.5 * (box.high - box.low) * pose.scale + shape.radius * pose.scale;
  return Bound(offset, 0u, half + enlarged + 0.5 * abs(path), 0u);
}
