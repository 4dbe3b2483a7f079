// Records of the broad phase, and the test of two bodies.
//
// A box is kept as its centre's offset from the body's position and half its size. The test forms the difference of the
// positions first, so that bodies far from the origin are tested as exactly as bodies near it.

// One per body.
struct Bound {
  // Centre of the box minus the body's position. For a half-space: its unit normal.
  offset: vec3f,
  // First one of BOUND_ or the bin of the body's size, then the key of the body's row of cells.
  key: u32,
  // Half the size of the box. x for a half-space: the plane's height above the body's position along the normal.
  half: vec3f,
  // Place in its bucket, and IS_OFF_CENTRE; of a half-space, place among the half-spaces.
  rank: u32,
}

// The body has no pairs: its pose, shape or velocity can't be used, or its groups meet none.
const BOUND_NONE: u32 = 0xffffffffu;
const BOUND_HALFSPACE: u32 = 0xfffffffeu;

// A bound in the order of the grid, with all that a test of two bodies needs.
struct GridBody {
  position: vec3f,
  // The body's number, and above it IS_FIXED, IS_OFF_CENTRE and HAS_GROUPS.
  body: u32,
  half: vec3f,
  groups: u32,
  offset: vec3f,
  key: u32,
}

// Bits of a body's number.
const NUMBER_BITS: u32 = 26u;
const NUMBER_MASK: u32 = 0x3ffffffu;
const IS_FIXED: u32 = 0x80000000u;
// The offset is not 0. Without this bit it is not stored, and readers take 0.
const IS_OFF_CENTRE: u32 = 0x40000000u;
// The groups are not ALL_GROUPS. Without this bit they are not stored, and readers take ALL_GROUPS.
const HAS_GROUPS: u32 = 0x20000000u;
const ALL_GROUPS: u32 = 0xffffffffu;

fn isOffCentre(bound: Bound) -> bool {
  return any(bound.offset != vec3f(0.0));
}

fn bodyNumber(body: GridBody) -> u32 {
  return body.body & NUMBER_MASK;
}

// Rounding of a box's centre and size, as a share of the body's bounding radius and path. It is at least ten times the
// rounding of f32 in all steps from the pose to the test.
const BOUND_ROUNDING: f32 = 1e-6;

// The length of a vector. Divided by its greatest component first, so that no square overflows.
fn lengthOf(v: vec3f) -> f32 {
  let size = abs(v);
  let greatest = max(max(size.x, max(size.y, size.z)), 1e-30);
  return greatest * length(v / greatest);
}

// By how much a box is enlarged on each side: half of the margin, twice the body's share of the narrow phase's
// tolerance, as in src/broad-phase/bounding.ts, and rounding. `reach` is the body's bounding radius. `path` is how far
// it moves: bodies that meet were at most that much farther apart at the start.
fn enlargement(reach: f32, path: f32, margin: f32, tolerance: f32) -> f32 {
  return 0.5 * margin + (2.0 * tolerance + BOUND_ROUNDING) * (reach + path + 0.5 * margin);
}

// `difference` is B's position minus A's. No product is involved, so every compiler gives the same bits.
fn boxesMeet(difference: vec3f, offsetA: vec3f, halfA: vec3f, offsetB: vec3f, halfB: vec3f) -> bool {
  return all(abs(difference + (offsetB - offsetA)) <= halfA + halfB);
}

// Whether the lowest corner of a box is at most `height` above the position of a half-space. `difference` is the body's
// position minus the half-space's. A body far away is also given the tolerance of its distance.
fn meetsHalfspace(
  difference: vec3f, offset: vec3f, half: vec3f, normal: vec3f, height: f32, tolerance: f32
) -> bool {
  let centre = difference + offset;
  let distance = lengthOf(centre);
  return dot(normal, centre) - dot(abs(normal), half) <= height + (2.0 * tolerance + BOUND_ROUNDING) * distance;
}

// Whether any groups match these.
fn meetAny(groups: u32) -> bool {
  return groupsMeet(groups, ALL_GROUPS);
}

// Membership is in the high 16 bits, the filter in the low 16: each one's membership has to meet the other's filter.
fn groupsMeet(groupsA: u32, groupsB: u32) -> bool {
  return (((groupsA >> 16u) & groupsB) != 0u) & (((groupsB >> 16u) & groupsA) != 0u);
}
