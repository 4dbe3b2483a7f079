// Makes the bounds of bodies in 2-D: boxes of no height at z = 0.

import package::broad-phase::bound::{Bound, enlargement, lengthOf, BOUND_NONE};
import package::kernels::broad-phase::parameters::{
  bodyCount, invocationIndex, parameters, MOTION_NONE, MOTION_TURNING
};
import package::kernels::broad-phase::positions::{bodyShapes};
import package::kernels::broad-phase::report::{reportSizes, storeBound};
import package::planar::math::{rotate};
import package::planar::pair::{isValidBody};
import package::planar::shapes::{PlanarPose, PlanarVelocity, SpecialisedShape, PLANAR_POLYGON, shapeOfRows};
import package::shared::constants::{GREATEST_POSITION};
import package::shared::geometry::{geometry};
import package::shared::math::{cosineAndSine, isFinite, isWithin};
import package::shared::shapes::{CORE_PARTS};

@group(0) @binding(1) var<storage, read> shapeRecords: array<vec4u>;
// binding 2: geometry
@group(0) @binding(3) var<storage, read> poses: array<PlanarPose>;
// binding 4: bodyShapes
@group(0) @binding(7) var<storage, read> velocities: array<PlanarVelocity>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let first = invocationIndex(workgroupId, localIndex);
  var greatest = 0u;
  for (var body = first; body < bodyCount(); body += parameters.stride) {
    greatest = max(greatest, storeBound(body, vec3f(poses[body].position, 0.0), boundOf(body)));
  }
  reportSizes(localIndex, greatest);
}

fn boundOf(body: u32) -> Bound {
  let none = Bound(vec3f(0.0), BOUND_NONE, vec3f(0.0), 0u);
  let id = bodyShapes[body];
  if (id >= parameters.shapeCount) {
    return none;
  }
  let shape = shapeOfRows(shapeRecords[3u * id], shapeRecords[3u * id + 1u], shapeRecords[3u * id + 2u]);
  let pose = poses[body];
  let hasParts = shape.kind == CORE_PARTS;
  if ((shape.kind > PLANAR_POLYGON && !hasParts) || !isPlace(pose.position) || !isValidBody(shape, pose)) {
    return none;
  }
  var path = vec2f(0.0);
  var turns = false;
  if (parameters.motion != MOTION_NONE) {
    let velocity = velocities[body];
    if (!isPlace(velocity.linear) || !isFinite(velocity.angular)) {
      return none;
    }
    path = clamp(velocity.linear * parameters.duration, vec2f(-GREATEST_POSITION), vec2f(GREATEST_POSITION));
    turns = parameters.motion == MOTION_TURNING && velocity.angular != 0.0;
  }
  let reach = shape.boundingRadius * pose.scale;
  let enlarged = enlargement(reach, lengthOf(vec3f(path, 0.0)), parameters.margin, parameters.tolerance);
  let way = 0.5 * abs(path);
  // A body that turns stays in its bounding disc. So do bodies of parts, whose corners are not here.
  if (turns || hasParts) {
    return Bound(vec3f(0.5 * path, 0.0), 0u, vec3f(reach + enlarged + way, 0.0), 0u);
  }
  let box = cornersBox(shape, cosineAndSine(pose.angle)) * pose.scale;
  let half = 0.5 * (box.zw - box.xy) + shape.radius * pose.scale + enlarged + way;
  return Bound(vec3f(0.5 * (box.xy + box.zw) + 0.5 * path, 0.0), 0u, vec3f(half, 0.0), 0u);
}

fn isPlace(at: vec2f) -> bool {
  return isWithin(at.x, GREATEST_POSITION) && isWithin(at.y, GREATEST_POSITION);
}

// The least and the greatest x and y of the rotated core, at scale 1. Cores of all kinds have their corners in
// `geometry`.
fn cornersBox(shape: SpecialisedShape, rotation: vec2f) -> vec4f {
  var box = vec4f(vec2f(3e38), vec2f(-3e38));
  for (var i = 0u; i < shape.cornerCount; i++) {
    let corner = rotate(rotation, bitcast<vec2f>(geometry[shape.firstRow + i].xy));
    box = vec4f(min(box.xy, corner), max(box.zw, corner));
  }
  return box + rotate(rotation, shape.middle).xyxy;
}
