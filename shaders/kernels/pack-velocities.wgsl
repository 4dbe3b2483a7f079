// Makes the records of velocities from the caller's arrays, in 2-D and 3-D, and finds velocities that the host's
// validation may refuse.

import package::exact::coordinate::{isGreatFloat};
import package::kernels::report::{flag, INSPECTS, REPORT_VELOCITY};

struct PackVelocitiesParameters {
  bodyCount: u32,
  // Coordinates of a position.
  axes: u32,
  // Workgroups in a row of the dispatch grid.
  gridWidth: u32,
  // Words in a record.
  velocityWords: u32,
  // Numbers per angular velocity, and the word of the first one in a record.
  angularComponents: u32,
  angularWord: u32,
}

@group(0) @binding(0) var<uniform> parameters: PackVelocitiesParameters;
@group(0) @binding(1) var<storage, read> linear: array<u32>;
// Read only if HAS_ANGULAR.
@group(0) @binding(2) var<storage, read> angular: array<u32>;
@group(0) @binding(3) var<storage, read_write> velocities: array<u32>;

override HAS_ANGULAR: bool = false;

// The bits of the greatest finite number.
const GREATEST_FINITE: u32 = 0x7f7fffffu;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let body = (workgroupId.y * parameters.gridWidth + workgroupId.x) * 64u + localIndex;
  if (body >= parameters.bodyCount) {
    return;
  }
  let components = select(0u, parameters.angularComponents, HAS_ANGULAR);
  var isFlagged = false;
  for (var word = 0u; word < parameters.velocityWords; word++) {
    // Words that hold no number are 0.
    var bits = 0u;
    if (word < parameters.axes) {
      bits = linear[parameters.axes * body + word];
      isFlagged |= isGreatFloat(bits);
    } else if (word - parameters.angularWord < components) {
      bits = angular[components * body + word - parameters.angularWord];
      isFlagged |= (bits & 0x7fffffffu) > GREATEST_FINITE;
    }
    velocities[parameters.velocityWords * body + word] = bits;
  }
  if (INSPECTS && isFlagged) {
    flag(REPORT_VELOCITY, body);
  }
}
