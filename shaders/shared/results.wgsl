// Records of results, one per pair or hit. All vectors are in world axes. Points are relative to the position of the
// pair's body A; for impacts to A's position at the unclamped time. A record of `intersects` is its `info` word alone.

// Status of a pair: bits 0 to 6 of `info`.
const STATUS_SEPARATED: u32 = 0u;         // the shapes are apart
const STATUS_OVERLAPPING: u32 = 1u;       // the signed distance is 0 or less; for impacts: the bodies meet
const STATUS_NOT_CONVERGED: u32 = 2u;     // an iteration limit or f32 precision ended the search: the record has bounds
const STATUS_INVALID_INPUT: u32 = 3u;     // the pair's data can't be used: the record is zero
const STATUS_CAPACITY_EXCEEDED: u32 = 4u; // scratch memory ran out: the record is zero
const INFO_STATUS_MASK: u32 = 0x7fu;
// The pair is a hit: its signed distance is at most the margin. With results 'earliest', only the first impact of a
// body is a hit.
const INFO_HIT: u32 = 1u << 8u;
// The record has witness points.
const INFO_HAS_POINTS: u32 = 1u << 11u;
// The number of a manifold's points: three bits from this one on.
const INFO_POINTS_SHIFT: u32 = 13u;
const INFO_POINTS_MASK: u32 = 7u;
// The iterations of all stages: the bits from this one on.
const INFO_ITERATIONS_SHIFT: u32 = 16u;

// Kinds of a contact's features, in the two highest bits. The lower bits hold the feature's index. 0: no feature.
const FEATURE_VERTEX: u32 = 1u << 30u;
const FEATURE_EDGE: u32 = 2u << 30u;
const FEATURE_FACE: u32 = 3u << 30u;
const FEATURE_KIND_SHIFT: u32 = 30u;

// Result of `distances`.
struct Distance {
  // Unit vector from A to B; a separating axis if the search ended early.
  normal: vec3f,
  // Gap between the surfaces; 0 for overlapping pairs.
  distance: f32,
  // Witness points on A's and B's surface, if distanceHasPoints; otherwise 0.
  pointA: vec3f,
  info: u32,
  pointB: vec3f,
  // Lower bound of the true distance.
  lower: f32,
}

// Result of `contacts`.
struct Contact {
  // Unit vector from A to B: moving B by -distance * normal brings the pair to touch.
  normal: vec3f,
  // Signed distance. Negative: penetration depth.
  distance: f32,
  // Points on A's and B's surface, if contactHasPoints; otherwise 0.
  pointA: vec3f,
  info: u32,
  pointB: vec3f,
  // lower <= true signed distance <= upper
  lower: f32,
  upper: f32,
  // Features that the points lie on: featureKind and featureIndex give the parts.
  featureA: u32,
  featureB: u32,
  // Zero.
  reserved: u32,
}

// Result of `manifolds`. Points beyond manifoldPointCount are zero; the first is the deepest.
struct Manifold {
  // Unit vector from A to B: the contact's.
  normal: vec3f,
  info: u32,
  // x, y, z: on A's surface. w: distance along the normal to B's.
  point0: vec4f,
  point1: vec4f,
  point2: vec4f,
  point3: vec4f,
  // The feature of each point: a vertex of one shape (kind 1), a crossing of two edges (2), or the contact's own point
  // (3).
  features: vec4u,
  // The pair's signed distance, as in Contact. 12 bytes of padding follow.
  contactDistance: f32,
}

// Result of `impacts`.
struct Impact {
  // Unit vector from A to B.
  normal: vec3f,
  // Seconds. Negative for bodies that overlap as the motion begins: how long ago they met, or minus infinity.
  // Infinite if the bodies don't meet. impactTime gives the time of impact.
  unclampedTime: f32,
  // Point where they touch, relative to A's position at the unclamped time, if impactHasPoint; otherwise 0.
  point: vec3f,
  info: u32,
}

// Totals of a batch: batch.output.counts.
struct Counts {
  // Pairs answered, and pairs left out because there were more than the batch's capacity.
  pairs: u32,
  pairOverflow: u32,
  // Hits found, and hits left out because there were more than the capacity of output.records.
  hits: u32,
  hitOverflow: u32,
  // Pairs by status.
  separated: u32,
  overlapping: u32,
  notConverged: u32,
  invalidInput: u32,
  capacityExceeded: u32,
  // With a broad phase: all pairs that it found, as a number of 64 bits in two words, and the bodies without pairs
  // because their pose, shape or velocity can't be used.
  candidates: u32,
  candidatesHigh: u32,
  invalidBodies: u32,
  // With compounds or meshes: all pairs of parts whose boxes are at most the margin apart, for impacts at some moment
  // of the motion, and for distances those that may be the nearest, as a number of 64 bits in two words; and those left
  // out because there were more than the batch's capacity, at most 2^31.
  partPairs: u32,
  partPairsHigh: u32,
  partPairOverflow: u32,
}

// The words of Counts.
const COUNTS_PAIRS: u32 = 0u;
const COUNTS_PAIR_OVERFLOW: u32 = 1u;
const COUNTS_HITS: u32 = 2u;
const COUNTS_HIT_OVERFLOW: u32 = 3u;
const COUNTS_STATUSES: u32 = 4u;
const COUNTS_CANDIDATES: u32 = 9u;
const COUNTS_PART_PAIRS: u32 = 12u;

// Words of batch.output.hits, an array<u32>: the number of hits, and the first of their pair indices, which are in
// ascending order. Record i of output.records belongs to pair hits[LIST_HEADER + i].
const LIST_COUNT: u32 = 1u;
const LIST_HEADER: u32 = 32u;

// Parts of an `info` word, in a record of any query.
fn infoStatus(info: u32) -> u32 {
  return info & INFO_STATUS_MASK;
}

fn infoIsHit(info: u32) -> bool {
  return (info & INFO_HIT) != 0u;
}

fn infoHasPoints(info: u32) -> bool {
  return (info & INFO_HAS_POINTS) != 0u;
}

fn infoIterations(info: u32) -> u32 {
  return info >> INFO_ITERATIONS_SHIFT;
}

// For kernels alone.
// scripts/shaders/records.mjs looks for the line above: what follows it is not exported to callers.

// The pair waits for the refinement of curved pairs, for GJK (after a refinement: from outside) or for EPA.
const INFO_PENDING_REFINE: u32 = 1u << 7u;
const INFO_PENDING_GJK: u32 = 1u << 9u;
const INFO_PENDING_EPA: u32 = 1u << 10u;
// The pair waits for the arcs of the Gauss maps. With INFO_PENDING_EPA, that stage is done, and the pair waits for EPA
// along its normal.
const INFO_PENDING_ARCS: u32 = 1u << 12u;

// In pairs that wait for impacts-rotating the same bits have other meanings.
// The bodies touch at the start.
const INFO_TOUCHING: u32 = 1u << 10u;
// Rotating bodies that overlap at the start, and part.
const INFO_LEAVING: u32 = 1u << 12u;
// Rotating bodies that overlap at the start, and pass each other.
const INFO_PASSES: u32 = 1u << 9u;
// Between kernels of pairs of parts (part-pairs/surface/impact-flags.wgsl).
const INFO_ROTATING: u32 = 1u << 7u;
const INFO_CLOSING: u32 = 1u << 9u;

// The info of a pair whose signed distance is `distance`.
fn distanceInfo(distance: f32, margin: f32, iterations: u32) -> u32 {
  return select(STATUS_SEPARATED, STATUS_OVERLAPPING, distance <= 0.0) | select(0u, INFO_HIT, distance <= margin) |
    (iterations << INFO_ITERATIONS_SHIFT);
}

// The info of a pair whose search ended with bounds too far apart.
fn notConvergedInfo(lower: f32, margin: f32, iterations: u32) -> u32 {
  return STATUS_NOT_CONVERGED | select(0u, INFO_HIT, lower <= margin) | (iterations << INFO_ITERATIONS_SHIFT);
}
