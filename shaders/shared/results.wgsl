// Records that kernels store, one a pair. All vectors are in world axes, points relative to A's position.

// Bits 0 to 6 of `info`: what became of the pair.
const STATUS_SEPARATED: u32 = 0u;
const STATUS_OVERLAPPING: u32 = 1u;
const STATUS_NOT_CONVERGED: u32 = 2u;
const STATUS_INVALID_INPUT: u32 = 3u;
const STATUS_CAPACITY_EXCEEDED: u32 = 4u;
const INFO_STATUS_MASK: u32 = 0x7fu;
// The pair waits for the refinement of curved pairs.
const INFO_PENDING_REFINE: u32 = 1u << 7u;
// The signed distance is at most the margin.
const INFO_HIT: u32 = 1u << 8u;
// The pair waits for a later stage.
const INFO_PENDING_GJK: u32 = 1u << 9u;
const INFO_PENDING_EPA: u32 = 1u << 10u;
// The record has witness points.
const INFO_HAS_POINTS: u32 = 1u << 11u;
// The pair waits for EPA with a large polytope.
const INFO_PENDING_LARGE: u32 = 1u << 12u;
// Number of a manifold's points, three bits from this one on.
const INFO_POINTS_SHIFT: u32 = 13u;
const INFO_POINTS_MASK: u32 = 7u;
// Iterations of all stages, from this bit on.
const INFO_ITERATIONS_SHIFT: u32 = 16u;

// Kinds of features, in the two highest bits; below is the feature's index.
const FEATURE_VERTEX: u32 = 1u << 30u;
const FEATURE_EDGE: u32 = 2u << 30u;
const FEATURE_FACE: u32 = 3u << 30u;

// Result of `distances`.
struct Distance {
  // Unit vector from A to B.
  normal: vec3f,
  distance: f32,
  pointA: vec3f,
  info: u32,
  pointB: vec3f,
  lower: f32,
}

// Result of `contacts`.
struct Contact {
  normal: vec3f,
  // Negative: penetration depth.
  distance: f32,
  pointA: vec3f,
  info: u32,
  pointB: vec3f,
  // lower <= true signed distance <= upper
  lower: f32,
  upper: f32,
  featureA: u32,
  featureB: u32,
  // Zero.
  reserved: u32,
}

// Result of `manifolds`. Points beyond their number, which `info` has, are zero.
struct Manifold {
  // Unit vector from A to B: the contact's.
  normal: vec3f,
  info: u32,
  // On A's surface, and the distance along the normal to B's.
  point0: vec4f,
  point1: vec4f,
  point2: vec4f,
  point3: vec4f,
  features: vec4u,
}

// Result of `impacts`.
struct Impact {
  // Unit vector from A to B.
  normal: vec3f,
  // Seconds; infinite where the bodies don't meet, negative where they overlap as the motion begins: how long ago they met, or minus
  // infinity. At least 0 it is the time of impact, otherwise that is 0.
  unclampedTime: f32,
  // Where they touch, relative to A's position then.
  point: vec3f,
  info: u32,
}

// Facts of a whole batch.
struct Counts {
  // Pairs answered, and pairs left out because there were more than the batch has room for.
  pairs: u32,
  pairOverflow: u32,
  // Hits found, and those of them that the gathered records had no room for.
  hits: u32,
  hitOverflow: u32,
  // Pairs by status.
  separated: u32,
  overlapping: u32,
  notConverged: u32,
  invalidInput: u32,
  capacityExceeded: u32,
}

// Its words.
const COUNTS_PAIRS: u32 = 0u;
const COUNTS_PAIR_OVERFLOW: u32 = 1u;
const COUNTS_HITS: u32 = 2u;
const COUNTS_HIT_OVERFLOW: u32 = 3u;
const COUNTS_STATUSES: u32 = 4u;

// Status and hit of a pair whose signed distance is `distance`.
fn distanceInfo(distance: f32, margin: f32, iterations: u32) -> u32 {
  return select(STATUS_SEPARATED, STATUS_OVERLAPPING, distance <= 0.0) | select(0u, INFO_HIT, distance <= margin) |
    (iterations << INFO_ITERATIONS_SHIFT);
}

// Of a pair that ended with bounds too far apart.
fn notConvergedInfo(lower: f32, margin: f32, iterations: u32) -> u32 {
  return STATUS_NOT_CONVERGED | select(0u, INFO_HIT, lower <= margin) | (iterations << INFO_ITERATIONS_SHIFT);
}
