// The pairs of parts, and what they propose as contacts, for the passes over those of a pair of bodies.

import package::part-pairs::surface::proposals::{PROPOSAL_PLAIN, PROPOSAL_ROWS};
import package::shared::constants::{PART_KIND_SHIFT};

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
  return u32(proposals[PROPOSAL_ROWS * at].w) >> 1u;
}

fn isMeshFirst(at: u32) -> bool {
  return (u32(proposals[PROPOSAL_ROWS * at].w) & 1u) != 0u;
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
  return partPairs[at][select(2u, 3u, isMeshFirst(at))];
}

// Whether a proposal is of a mesh and the same convex part as another.
fn isOfGroup(at: u32, part: u32) -> bool {
  return kindOf(at) < PROPOSAL_PLAIN && partOf(at) == part;
}
