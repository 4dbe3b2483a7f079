// The pairs of parts, and what they propose as contacts, for the passes over those of a pair of bodies.

import package::part-pairs::surface::proposals::{PROPOSAL_PLAIN, PROPOSAL_ROWS, kindOfWord, rowOfWord};
import package::part-pairs::surface::led-pair::{HAS_SOLIDS};
import package::shared::constants::{PART_KIND_SHIFT};
import package::shared::geometry::{geometryRow, geometryVector};
import package::shared::math::{conjugate, rotated};

@group(0) @binding(4) var<storage, read> partPairs: array<vec4u>;
// In the last two rows, the second pass writes what it finds.
@group(0) @binding(5) var<storage, read_write> proposals: array<vec4f>;

const NO_LIMIT: f32 = 1e30;

// The pairs of parts of a pair of bodies: from `first` up to `end`.
struct Segment {
  first: u32,
  end: u32,
}

// Whether the parts of a record come before those of another.
fn isLower(record: u32, than: u32) -> bool {
  let own = partPairs[record].zw & vec2u((1u << PART_KIND_SHIFT) - 1u);
  let other = partPairs[than].zw & vec2u((1u << PART_KIND_SHIFT) - 1u);
  return own.x < other.x || (own.x == other.x && own.y < other.y);
}

// The words of a proposal.
fn kindOf(at: u32) -> u32 {
  return kindOfWord(proposals[PROPOSAL_ROWS * at].w);
}

fn isSurfaceFirst(at: u32) -> bool {
  return (u32(proposals[PROPOSAL_ROWS * at].w) & 1u) != 0u;
}

// Whether its normal is exactly that of a face.
fn isOfFace(at: u32) -> bool {
  return (u32(proposals[PROPOSAL_ROWS * at].w) & 4u) != 0u;
}

fn normalOf(at: u32) -> vec3f {
  return proposals[PROPOSAL_ROWS * at].xyz;
}

fn pointOf(at: u32) -> vec3f {
  return proposals[PROPOSAL_ROWS * at + 1u].xyz;
}

fn exitDepth(at: u32) -> f32 {
  return proposals[PROPOSAL_ROWS * at + 1u].w;
}

fn depthOf(at: u32) -> f32 {
  return proposals[PROPOSAL_ROWS * at + 3u].x;
}

fn leastClearance(at: u32) -> f32 {
  return proposals[PROPOSAL_ROWS * at + 6u].w;
}

fn isDropped(at: u32) -> bool {
  return proposals[PROPOSAL_ROWS * at + 7u].w != 0.0;
}

// The number of the convex part that a proposal is of.
fn partOf(at: u32) -> u32 {
  return partPairs[at][select(2u, 3u, isSurfaceFirst(at))];
}

// Whether a proposal is of a surface and the same convex part as another.
fn isOfGroup(at: u32, part: u32) -> bool {
  return kindOf(at) < PROPOSAL_PLAIN && partOf(at) == part;
}

// The corners of a proposal's part, in a frame of their own.
struct Corners {
  isSolid: bool,
  firstRow: u32,
  // 0 for a part that no plane clears.
  count: u32,
  // From the frame to the world's axes and units, and relative to body A's position.
  quaternion: vec4f,
  scale: f32,
  origin: vec3f,
}

fn cornersOf(at: u32) -> Corners {
  let row = PROPOSAL_ROWS * at;
  if (!HAS_SOLIDS || (u32(proposals[row].w) & 2u) == 0u) {
    return Corners(false, row + 5u, 3u, vec4f(0.0, 0.0, 0.0, 1.0), 1.0, vec3f(0.0));
  }
  let rest = proposals[row + 6u].xyz;
  let solid = rowOfWord(rest.z);
  let features = geometryRow(solid);
  return Corners(
    true, solid + features.x, features.y, vec4f(proposals[row + 5u].xyz, rest.x), rest.y, proposals[row + 7u].xyz
  );
}

// In the frame of the corners.
fn cornerOf(corners: Corners, number: u32) -> vec3f {
  let row = corners.firstRow + number;
  if (HAS_SOLIDS && corners.isSolid) {
    return geometryVector(row);
  }
  return proposals[row].xyz;
}

// A point in the frame of the corners.
fn placeInCorners(corners: Corners, point: vec3f) -> vec3f {
  if (HAS_SOLIDS) {
    return rotated(conjugate(corners.quaternion), point - corners.origin) / corners.scale;
  }
  return point;
}

// A direction in the frame of the corners, so that heights along it are in the world's unit.
fn directionInCorners(corners: Corners, direction: vec3f) -> vec3f {
  if (HAS_SOLIDS) {
    return rotated(conjugate(corners.quaternion), direction) * corners.scale;
  }
  return direction;
}
