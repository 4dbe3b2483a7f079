// What a part of a surface and a convex body that touches it propose as their contact, between the passes
// (src/parts/surface/contact-records.ts). Eight rows of four numbers per pair of parts. All is in world axes and units,
// relative to body A's position. Depths are positive, gaps negative.

// The error of kernels' normals, in radians.
const NORMAL_ERROR: f32 = 2e-4;

// What a proposal is.
const PROPOSAL_KEPT: u32 = 0u;     // the kernel's contact
const PROPOSAL_EXACT: u32 = 1u;    // the same, with its normal made exact
const PROPOSAL_FACE: u32 = 2u;
const PROPOSAL_EDGE: u32 = 3u;
const PROPOSAL_VERTEX: u32 = 4u;
// The way out through a face of any part of the surface, which the body may not touch: it counts only as the answer.
const PROPOSAL_BURIED: u32 = 5u;
const PROPOSAL_NONE: u32 = 6u;     // nothing: other parts have the contact
const PROPOSAL_LAST: u32 = 7u;     // the same, but with a way out for a body that has no other contact
const PROPOSAL_THIN: u32 = 8u;     // the triangle is too thin to have a normal
const PROPOSAL_PLAIN: u32 = 9u;    // neither part is of a surface that decides: the kernel's contact, as it is
const PROPOSAL_NO_HIT: u32 = 10u;  // the parts are no hit

struct Proposal {
  // Accepted unit normal, from the surface to the body.
  normal: vec3f,
  kind: u32,
  // Whether the normal is exactly that of a face.
  isOfFace: bool,
  // On the surface, where the body leaves the feature, and how far it moves until then: the contact's depth.
  point: vec3f,
  exit: f32,
  // A shorter way beyond another plane through the part, whose feature the body does not pass; 0 without.
  otherNormal: vec3f,
  otherClearance: f32,
  // The kernel's signed depth; how far the body moves until it is beyond the plane of the feature, and until it leaves
  // the part.
  depth: f32,
  clearance: f32,
  travel: f32,
  // What rounding does to depths and heights.
  slack: f32,
  // For a face within flat ground that goes on below the deepest point of the body: the clearance, and the point there;
  // otherwise 0.
  full: f32,
  weld: f32,
  // Whether the surface is body A's.
  isFirst: bool,
  fullPoint: vec3f,
  // Where the part is: the corners of a triangle; of a solid x, y, z of its quaternion, then w with its scale and the
  // word of its row (wordOfRow), then its middle.
  isSolid: bool,
  place: mat3x3f,
}

const PROPOSAL_ROWS: u32 = 8u;
alias ProposalRows = array<vec4f, PROPOSAL_ROWS>;

fn rowsOfProposal(p: Proposal) -> ProposalRows {
  let word = f32(withKind(4u * u32(p.isOfFace) + 2u * u32(p.isSolid) + u32(p.isFirst), p.kind));
  return ProposalRows(
    vec4f(p.normal, word), vec4f(p.point, p.exit), vec4f(p.otherNormal, p.otherClearance),
    vec4f(p.depth, p.clearance, p.travel, p.slack), vec4f(p.fullPoint, p.full), vec4f(p.place[0], p.weld),
    vec4f(p.place[1], 0.0), vec4f(p.place[2], 0.0),
  );
}

// The word with the kind: bit 0 says whether the surface is body A's, bit 1 whether the part is a solid, bit 2 whether
// the normal is that of a face.
fn withKind(word: u32, kind: u32) -> u32 {
  return 8u * kind + (word & 7u);
}

fn kindOfWord(word: f32) -> u32 {
  return u32(word) >> 3u;
}

// A row of `geometry` as the bits of a number, and back: those of a small integer would be a subnormal number.
fn wordOfRow(row: u32) -> f32 {
  return bitcast<f32>(row | ROW_BIT);
}

fn rowOfWord(word: f32) -> u32 {
  return bitcast<u32>(word) & (ROW_BIT - 1u);
}

const ROW_BIT: u32 = 1u << 30u;
