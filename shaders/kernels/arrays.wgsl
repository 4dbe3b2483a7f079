// Turns records into the arrays of a result, as callers get them: an array per field. There is a kernel per query. An
// invocation writes four slots, and so whole words of the arrays with 8 or 16 bits per slot.

import package::shared::results::{INFO_ITERATIONS_SHIFT, LIST_COUNT, LIST_HEADER};

struct ArrayParameters {
  // Slots to write. With IS_LISTED no more than there are hits.
  slotCount: u32,
  bodyCount: u32,
  // Workgroups in a row of the dispatch grid.
  gridWidth: u32,
  // The number of the first pair.
  firstPair: u32,
  // The first word of each array in `arrays`, or NO_ARRAY.
  pair: u32,
  a: u32,
  b: u32,
  status: u32,
  hit: u32,
  normal: u32,
  distance: u32,
  pointA: u32,
  pointB: u32,
  featureA: u32,
  featureB: u32,
  iterations: u32,
  lower: u32,
  upper: u32,
  contactDistance: u32,
  pointCount: u32,
  position: u32,
  feature: u32,
  time: u32,
  unclampedTime: u32,
  point: u32,
  // How many points of a slot are relative to A's position, unless IS_WORLD: 8 bits per slot.
  moved: u32,
}

@group(0) @binding(0) var<uniform> parameters: ArrayParameters;
@group(0) @binding(1) var<storage, read> poses: array<f32>;
@group(0) @binding(2) var<storage, read> pairs: array<vec2u>;
// The hits, in one class. Read only if IS_LISTED.
@group(0) @binding(3) var<storage, read> list: array<u32>;
@group(0) @binding(4) var<storage, read> records: array<u32>;
@group(0) @binding(5) var<storage, read_write> arrays: array<u32>;
// Read only if IS_MOVING.
@group(0) @binding(6) var<storage, read> velocities: array<f32>;

const NO_ARRAY: u32 = 0xffffffffu;
// Slots per invocation.
const SLOTS_PER_INVOCATION: u32 = 4u;

// Whether there is a slot per hit, not per pair.
override IS_LISTED: bool = false;
// Whether record i is that of slot i, also if IS_LISTED; otherwise it is that of pair i.
override IS_GATHERED: bool = false;
// Whether points are moved by A's position, to which they are relative in records.
override IS_WORLD: bool = false;
// Whether that is A's position at the time in the record.
override IS_MOVING: bool = false;
// Whether coordinates of points that are -0 become 0.
override CLEARS_NEGATIVE_ZERO: bool = false;

// Coordinates per vector. The records of poses and velocities begin with as many; their sizes in words.
override AXES: u32 = 3u;
override POSE_WORDS: u32 = 8u;
override VELOCITY_WORDS: u32 = 8u;
// Words in a record, and where its fields are.
override RECORD_WORDS: u32 = 1u;
override INFO_WORD: u32 = 0u;
override NORMAL_WORD: u32 = 0u;
override DISTANCE_WORD: u32 = 0u;
override POINT_A_WORD: u32 = 0u;
override POINT_B_WORD: u32 = 0u;
override FEATURE_A_WORD: u32 = 0u;
override FEATURE_B_WORD: u32 = 0u;
override LOWER_WORD: u32 = 0u;
override UPPER_WORD: u32 = 0u;
override TIME_WORD: u32 = 0u;
// For manifolds: points in a record, the words of the first one, and the words from one to the next.
override RECORD_POINTS: u32 = 4u;
override POSITION_WORD: u32 = 0u;
override POINT_DISTANCE_WORD: u32 = 0u;
override FEATURE_WORD: u32 = 0u;
override POINT_STRIDE: u32 = 4u;
override FEATURE_STRIDE: u32 = 1u;

// The slots of an invocation: from `first` on, up to but not including `end`.
struct Slots {
  first: u32,
  end: u32,
}

fn slotsOf(workgroupId: vec3u, localIndex: u32) -> Slots {
  let first = SLOTS_PER_INVOCATION * ((workgroupId.y * parameters.gridWidth + workgroupId.x) * 64u + localIndex);
  var count = parameters.slotCount;
  if (IS_LISTED) {
    count = min(count, list[LIST_COUNT]);
  }
  return Slots(first, min(first + SLOTS_PER_INVOCATION, count));
}

// The pair of a slot, counted from the first one.
fn pairOf(slot: u32) -> u32 {
  if (IS_LISTED) {
    return list[LIST_HEADER + slot];
  }
  return slot;
}

// The first word of a slot's record.
fn recordOf(slot: u32, pair: u32) -> u32 {
  return RECORD_WORDS * select(pair, slot, IS_GATHERED);
}

// Writes word `at` of the array that begins at word `start`, if the result has this array.
fn store(start: u32, at: u32, value: u32) {
  if (start != NO_ARRAY) {
    arrays[start + at] = value;
  }
}

// The same with a word of a record.
fn storeWord(start: u32, at: u32, word: u32) {
  if (start != NO_ARRAY) {
    arrays[start + at] = records[word];
  }
}

fn storePair(slot: u32, pair: u32) {
  store(parameters.pair, slot, parameters.firstPair + pair);
  if (parameters.a != NO_ARRAY || parameters.b != NO_ARRAY) {
    store(parameters.a, slot, pairs[pair].x);
    store(parameters.b, slot, pairs[pair].y);
  }
}

fn storeVector(start: u32, slot: u32, word: u32) {
  if (start != NO_ARRAY) {
    for (var k = 0u; k < AXES; k++) {
      arrays[start + AXES * slot + k] = records[word + k];
    }
  }
}

// Point number `at` of an array. `isMoved`: it is relative to A's position at `time`.
fn storePoint(start: u32, at: u32, word: u32, isMoved: bool, pair: u32, time: u32) {
  if (start == NO_ARRAY) {
    return;
  }
  // Only valid pairs have points.
  let body = min(pairs[pair].x, parameters.bodyCount - 1u);
  for (var k = 0u; k < AXES; k++) {
    var value = records[word + k];
    if (IS_WORLD && isMoved) {
      var origin = poses[POSE_WORDS * body + k];
      if (IS_MOVING && (time & 0x7f800000u) != 0x7f800000u) {
        origin += velocities[VELOCITY_WORDS * body + k] * bitcast<f32>(time);
      }
      value = bitcast<u32>(bitcast<f32>(value) + origin);
    }
    if (CLEARS_NEGATIVE_ZERO && value == 0x80000000u) {
      value = 0u;
    }
    arrays[start + AXES * at + k] = value;
  }
}

// The iterations in `info`, in the half word of slot number `slot` of an invocation's four.
fn iterationsOf(info: u32, slot: u32) -> vec2u {
  let half = (info >> INFO_ITERATIONS_SHIFT) << (16u * (slot & 1u));
  return select(vec2u(0u), vec2u(half), vec2u(slot >> 1u) == vec2u(0u, 1u));
}
