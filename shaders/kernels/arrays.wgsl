// Turns records of any query into the arrays of a result, as callers get them: an array per field. An invocation writes
// four slots, and so whole words of the arrays with 8 or 16 bits per slot.

import package::exact::double::{addDoubles, doubleOfFloat, floatOfDouble, multiplyFloats, SIGN};
import package::shared::constants::{PART_KIND_SHIFT};
import package::shared::results::{
  infoStatus, infoIsHit, INFO_HAS_POINTS, INFO_ITERATIONS_SHIFT, INFO_POINTS_MASK, INFO_POINTS_SHIFT, LIST_COUNT,
  LIST_HEADER
};

struct ArrayParameters {
  // The most slots to write. With IS_LISTED, the number of hits is a limit as well.
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
  partA: u32,
  partB: u32,
}

@group(0) @binding(0) var<uniform> parameters: ArrayParameters;
@group(0) @binding(1) var<storage, read> poses: array<u32>;
@group(0) @binding(2) var<storage, read> pairs: array<vec2u>;
// The hits, in one class. Read only if IS_LISTED.
@group(0) @binding(3) var<storage, read> list: array<u32>;
@group(0) @binding(4) var<storage, read> records: array<u32>;
@group(0) @binding(5) var<storage, read_write> arrays: array<u32>;
// Read only for impacts.
@group(0) @binding(6) var<storage, read> velocities: array<u32>;
// f64, the low word first. Read only if HAS_DOUBLES.
@group(0) @binding(7) var<storage, read> positions: array<vec2u>;
// The pair of bodies of each pair of parts. Read only if HAS_PARTS.
@group(0) @binding(8) var<storage, read> pairOfParts: array<u32>;

const NO_ARRAY: u32 = 0xffffffffu;
// Distances have some of the arrays of contacts.
const ARRAYS_OF_INTERSECTIONS: u32 = 0u;
const ARRAYS_OF_CONTACTS: u32 = 1u;
const ARRAYS_OF_MANIFOLDS: u32 = 2u;
const ARRAYS_OF_IMPACTS: u32 = 3u;
// Points per slot of a manifold.
const MANIFOLD_POINTS: u32 = 4u;
const SLOTS_PER_INVOCATION: u32 = 4u;

// The query: ARRAYS_OF_INTERSECTIONS and so on.
override QUERY: u32 = 0u;
// Whether there is a slot per hit, not per pair.
override IS_LISTED: bool = false;
// Whether record i is that of slot i, also if IS_LISTED; otherwise it is that of pair i.
override IS_GATHERED: bool = false;
// Whether positions and points are f64. If not, positions are those of the poses.
override HAS_DOUBLES: bool = false;

// Whether pairs are pairs of parts: two rows of `pairs` each.
override HAS_PARTS: bool = false;

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

// Elements of up to four slots.
struct PackedSlots {
  statuses: u32,
  hits: u32,
  pointCounts: u32,
  iterations: vec2u,
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) workgroupId: vec3u, @builtin(local_invocation_index) localIndex: u32) {
  let invocation = (workgroupId.y * parameters.gridWidth + workgroupId.x) * 64u + localIndex;
  let first = SLOTS_PER_INVOCATION * invocation;
  var slotCount = parameters.slotCount;
  if (IS_LISTED) {
    slotCount = min(slotCount, list[LIST_COUNT]);
  }
  if (first >= slotCount) {
    return;
  }
  var packed: PackedSlots;
  for (var slot = first; slot < min(first + SLOTS_PER_INVOCATION, slotCount); slot++) {
    let i = slot - first;
    let pair = pairOf(slot);
    let record = RECORD_WORDS * select(pair, slot, IS_GATHERED);
    let info = records[record + INFO_WORD];
    let pointCount = (info >> INFO_POINTS_SHIFT) & INFO_POINTS_MASK;
    // Only manifolds count their points. Other records have one point per array.
    let movedCount = select(0u, select(1u, pointCount, QUERY == ARRAYS_OF_MANIFOLDS), (info & INFO_HAS_POINTS) != 0u);
    packed.statuses |= infoStatus(info) << (8u * i);
    packed.hits |= u32(infoIsHit(info)) << (8u * i);
    packed.pointCounts |= pointCount << (8u * i);
    packed.iterations[i >> 1u] |= (info >> INFO_ITERATIONS_SHIFT) << (16u * (i & 1u));
    storePair(slot, pair);
    switch QUERY {
      case ARRAYS_OF_CONTACTS: {
        storeContact(slot, pair, record, movedCount > 0u);
      }
      case ARRAYS_OF_MANIFOLDS: {
        storeManifold(slot, pair, record, movedCount);
      }
      case ARRAYS_OF_IMPACTS: {
        storeImpact(slot, pair, record, movedCount > 0u);
      }
      default: {
      }
    }
  }
  store(parameters.status, invocation, packed.statuses);
  store(parameters.hit, invocation, packed.hits);
  store(parameters.pointCount, invocation, packed.pointCounts);
  store(parameters.iterations, 2u * invocation, packed.iterations.x);
  store(parameters.iterations, 2u * invocation + 1u, packed.iterations.y);
}

fn storeContact(slot: u32, pair: u32, record: u32, hasPoints: bool) {
  storeVector(parameters.normal, slot, record + NORMAL_WORD);
  storeWord(parameters.distance, slot, record + DISTANCE_WORD);
  storePoint(parameters.pointA, slot, record + POINT_A_WORD, hasPoints, pair, 0u);
  storePoint(parameters.pointB, slot, record + POINT_B_WORD, hasPoints, pair, 0u);
  storeWord(parameters.featureA, slot, record + FEATURE_A_WORD);
  storeWord(parameters.featureB, slot, record + FEATURE_B_WORD);
  storeWord(parameters.lower, slot, record + LOWER_WORD);
  storeWord(parameters.upper, slot, record + UPPER_WORD);
}

// Points that a record does not have are zero.
fn storeManifold(slot: u32, pair: u32, record: u32, movedCount: u32) {
  storeVector(parameters.normal, slot, record + NORMAL_WORD);
  storeWord(parameters.contactDistance, slot, record + DISTANCE_WORD);
  for (var point = 0u; point < MANIFOLD_POINTS; point++) {
    let at = MANIFOLD_POINTS * slot + point;
    if (point < RECORD_POINTS) {
      let words = record + POINT_STRIDE * point;
      storePoint(parameters.position, at, words + POSITION_WORD, point < movedCount, pair, 0u);
      storeWord(parameters.distance, at, words + POINT_DISTANCE_WORD);
      storeWord(parameters.feature, at, record + FEATURE_WORD + FEATURE_STRIDE * point);
    } else {
      let words = AXES * select(1u, 2u, HAS_DOUBLES);
      for (var k = 0u; k < words; k++) {
        store(parameters.position, words * at + k, 0u);
      }
      store(parameters.distance, at, 0u);
      store(parameters.feature, at, 0u);
    }
  }
}

fn storeImpact(slot: u32, pair: u32, record: u32, hasPoint: bool) {
  let time = records[record + TIME_WORD];
  store(parameters.unclampedTime, slot, time);
  // At least 0: a number with a sign bit is 0 or below.
  store(parameters.time, slot, select(time, 0u, (time >> 31u) == 1u));
  storeVector(parameters.normal, slot, record + NORMAL_WORD);
  storePoint(parameters.point, slot, record + POINT_A_WORD, hasPoint, pair, time);
}

// The pair of a slot, counted from the first one.
fn pairOf(slot: u32) -> u32 {
  if (IS_LISTED) {
    return list[LIST_HEADER + slot];
  }
  return slot;
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
  var number = parameters.firstPair + pair;
  if (HAS_PARTS) {
    number = pairOfParts[pair];
    let parts = pairs[2u * pair + 1u] & vec2u((1u << PART_KIND_SHIFT) - 1u);
    store(parameters.partA, slot, parts.x);
    store(parameters.partB, slot, parts.y);
  }
  store(parameters.pair, slot, number);
  if (parameters.a != NO_ARRAY || parameters.b != NO_ARRAY) {
    store(parameters.a, slot, bodiesOf(pair).x);
    store(parameters.b, slot, bodiesOf(pair).y);
  }
}

fn bodiesOf(pair: u32) -> vec2u {
  return pairs[select(pair, 2u * pair, HAS_PARTS)];
}

fn storeVector(start: u32, slot: u32, word: u32) {
  if (start != NO_ARRAY) {
    for (var k = 0u; k < AXES; k++) {
      arrays[start + AXES * slot + k] = records[word + k];
    }
  }
}

// Point number `at` of an array, in world space. `isMoved`: in the record it is relative to A's position at `time`.
fn storePoint(start: u32, at: u32, word: u32, isMoved: bool, pair: u32, time: u32) {
  if (start == NO_ARRAY) {
    return;
  }
  // Only valid pairs have points.
  let body = min(bodiesOf(pair).x, parameters.bodyCount - 1u);
  for (var k = 0u; k < AXES; k++) {
    let index = AXES * at + k;
    let bits = records[word + k];
    // The host adds a coordinate that is not moved to 0, so -0 becomes 0.
    let relative = select(bits, 0u, bits == SIGN && !isMoved);
    if (HAS_DOUBLES) {
      var point = doubleOfFloat(relative);
      if (isMoved) {
        point = addDoubles(originAt(body, k, time), point);
      }
      arrays[start + 2u * index] = point.x;
      arrays[start + 2u * index + 1u] = point.y;
    } else {
      var point = relative;
      if (isMoved && QUERY == ARRAYS_OF_IMPACTS) {
        // Rounded twice, as on the host.
        point = floatOfDouble(addDoubles(originAt(body, k, time), doubleOfFloat(relative)));
      } else if (isMoved) {
        point = bitcast<u32>(bitcast<f32>(relative) + bitcast<f32>(poses[POSE_WORDS * body + k]));
      }
      arrays[start + index] = point;
    }
  }
}

// A coordinate of A's position at a time, as f64. Bodies must be as they were when the query was answered. For pairs
// without a time, A stays at its start position.
fn originAt(body: u32, k: u32, time: u32) -> vec2u {
  var origin: vec2u;
  if (HAS_DOUBLES) {
    origin = positions[AXES * body + k];
  } else {
    origin = doubleOfFloat(poses[POSE_WORDS * body + k]);
  }
  if (QUERY != ARRAYS_OF_IMPACTS) {
    return origin;
  }
  let isFinite = (time & 0x7f800000u) != 0x7f800000u;
  return addDoubles(origin, multiplyFloats(velocities[VELOCITY_WORDS * body + k], select(0u, time, isFinite)));
}
