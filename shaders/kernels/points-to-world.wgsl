// Copies records and adds A's position to their points: in `records` points are relative to A's position, which the
// host may not know. With pairWords, the two body indices of each record's pair follow all records.

import package::shared::results::{LIST_COUNT, LIST_HEADER, INFO_HAS_POINTS, INFO_POINTS_SHIFT, INFO_POINTS_MASK};

struct PointsToWorldParameters {
  // Capacity in records.
  capacity: u32,
  bodyCount: u32,
  // Words in a record, and which of them is `info`.
  wordCount: u32,
  infoWord: u32,
  // Workgroups in a row of the dispatch grid.
  gridWidth: u32,
  // The first word of each point of a record, for up to four points.
  pointWord0: u32,
  pointWord1: u32,
  pointWord2: u32,
  pointWord3: u32,
  // The word of a record that holds the time of its point.
  timeWord: u32,
  // Coordinates of a point. The records of poses and velocities begin with as many; their sizes in words.
  axes: u32,
  poseWords: u32,
  velocityWords: u32,
  // Words per record that follow all records: 2 for the bodies of its pair, or 0.
  pairWords: u32,
}

@group(0) @binding(0) var<uniform> parameters: PointsToWorldParameters;
@group(0) @binding(1) var<storage, read> poses: array<f32>;
@group(0) @binding(2) var<storage, read> pairs: array<vec2u>;
// The hits, in one class. Read only if IS_LISTED.
@group(0) @binding(3) var<storage, read> list: array<u32>;
@group(0) @binding(4) var<storage, read> records: array<u32>;
@group(0) @binding(5) var<storage, read_write> worldRecords: array<u32>;
// Read only if IS_MOVING.
@group(0) @binding(6) var<storage, read> velocities: array<f32>;

// Whether there is a record per hit, not per pair.
override IS_LISTED: bool = false;
// Whether points are relative to A's position at the time in their record.
override IS_MOVING: bool = false;

// One word per invocation.
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let word = (workgroupId.y * parameters.gridWidth + workgroupId.x) * 256u + localIndex;
  let recordWords = parameters.capacity * parameters.wordCount;
  if (word >= recordWords) {
    let slot = (word - recordWords) >> 1u;
    if (slot < parameters.capacity && parameters.pairWords != 0u && isFilled(slot)) {
      worldRecords[word] = pairs[pairAt(slot)][(word - recordWords) & 1u];
    }
    return;
  }
  let slot = word / parameters.wordCount;
  let field = word % parameters.wordCount;
  if (!isFilled(slot)) {
    return;
  }
  var value = records[word];
  let info = records[word - field + parameters.infoWord];
  if ((info & INFO_HAS_POINTS) != 0u) {
    var axis = parameters.axes;
    // Records without a point count have two points. An impact has one: its other point words are beyond the record.
    let counted = (info >> INFO_POINTS_SHIFT) & INFO_POINTS_MASK;
    let count = select(counted, 2u, counted == 0u);
    let words = vec4u(parameters.pointWord0, parameters.pointWord1, parameters.pointWord2, parameters.pointWord3);
    for (var point = 0u; point < count; point++) {
      if (field - words[point] < parameters.axes) {
        axis = field - words[point];
      }
    }
    if (axis < parameters.axes) {
      // Only valid pairs have points.
      let body = min(pairs[pairAt(slot)].x, parameters.bodyCount - 1u);
      var origin = poses[body * parameters.poseWords + axis];
      if (IS_MOVING) {
        let time = records[word - field + parameters.timeWord];
        if ((time & 0x7f800000u) != 0x7f800000u) {
          origin += velocities[body * parameters.velocityWords + axis] * bitcast<f32>(time);
        }
      }
      value = bitcast<u32>(bitcast<f32>(value) + origin);
    } else if (field == parameters.infoWord) {
      value = info & ~INFO_HAS_POINTS;
    }
  }
  worldRecords[word] = value;
}

// Whether there is a record.
fn isFilled(slot: u32) -> bool {
  return !IS_LISTED || slot < list[LIST_COUNT];
}

// The pair index of a record.
fn pairAt(slot: u32) -> u32 {
  if (IS_LISTED) {
    return list[LIST_HEADER + slot];
  }
  return slot;
}
