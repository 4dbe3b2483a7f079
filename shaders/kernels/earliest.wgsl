// A body's first impact: the earliest one; among impacts at the same time, the one whose other body is the least far
// ahead, as a floor of tiles needs; then the one of the lowest pair.
//
// It is three words: time, projection and pair. Each is found by a pass over all pairs, as a maximum of complements:
// these start from 0, and their order doesn't matter.

import package::kernels::parameters::{parameters, pairs};
import package::shared::results::{INFO_HIT, INFO_STATUS_MASK, STATUS_NOT_CONVERGED};

@group(0) @binding(3) var<storage, read> poses: array<f32>;
@group(0) @binding(6) var<storage, read_write> records: array<u32>;
@group(0) @binding(8) var<storage, read> velocities: array<f32>;
@group(0) @binding(9) var<storage, read_write> firstImpacts: array<atomic<u32>>;

// Words of a record of an impact, and which of them are its time and its `info`.
override RECORD_WORDS: u32;
override TIME_WORD: u32;
override INFO_WORD: u32;
// Coordinates of a position or a velocity. The records of poses and velocities begin with as many; their sizes in
// words.
override AXES: u32;
override POSE_WORDS: u32;
override VELOCITY_WORDS: u32;
// Whether open impacts, whose time is a bound, stay hits as long as they may come before the first impact. The CPU
// backend answers them then.
override KEEPS_OPEN: bool = false;

// The invocation's pair, if it is a hit.
struct Hit {
  isHit: bool,
  // Its time is only a bound: it is no body's first impact.
  isOpen: bool,
  index: u32,
  numbers: vec2u,
}

fn loadHit(workgroupId: vec3u, localIndex: u32) -> Hit {
  let index = (workgroupId.y * parameters.gridWidth + workgroupId.x) * 64u + localIndex;
  if (index >= min(parameters.pairCount, parameters.pairCapacity)) {
    return Hit(false, false, index, vec2u(0u));
  }
  let info = records[index * RECORD_WORDS + INFO_WORD];
  if ((info & INFO_HIT) == 0u) {
    return Hit(false, false, index, vec2u(0u));
  }
  // Hits are valid.
  return Hit(true, KEEPS_OPEN && (info & INFO_STATUS_MASK) == STATUS_NOT_CONVERGED, index, pairs[index]);
}

// Key of the time, which is not negative: such numbers are in the order of their bits.
fn timeKey(index: u32) -> u32 {
  let bits = records[index * RECORD_WORDS + TIME_WORD];
  return ~select(bits, 0u, (bits >> 31u) == 1u);
}

// Key of how far B is ahead of A along A's displacement relative to B.
fn projectionKey(numbers: vec2u) -> u32 {
  var velocity = vec3f(0.0);
  var offset = vec3f(0.0);
  for (var axis = 0u; axis < AXES; axis++) {
    velocity[axis] = velocities[numbers.x * VELOCITY_WORDS + axis] - velocities[numbers.y * VELOCITY_WORDS + axis];
    offset[axis] = poses[numbers.y * POSE_WORDS + axis] - poses[numbers.x * POSE_WORDS + axis];
  }
  let longest = max(abs(velocity.x), max(abs(velocity.y), abs(velocity.z)));
  var projection = 0.0;
  if (longest > 1e-30) {
    projection = dot(offset, normalize(velocity / longest));
  }
  // Greater numbers have greater bits. Both zeros have the same.
  let bits = select(bitcast<u32>(projection), 0u, projection == 0.0);
  return ~select(bits | 0x80000000u, ~bits, (bits >> 31u) == 1u);
}

// Whether word `word` of a body's first impact is `key`.
fn isFirstImpact(body: u32, word: u32, key: u32) -> bool {
  return atomicLoad(&firstImpacts[3u * body + word]) == key;
}

// Whether an impact whose time has this key may be before a body's first impact, or at the same time.
fn mayBeFirstImpact(body: u32, key: u32) -> bool {
  return atomicLoad(&firstImpacts[3u * body]) <= key;
}
