// What a triangle of a mesh and a convex body that touches it propose as their contact, between the passes
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
const PROPOSAL_NONE: u32 = 5u;     // nothing: other triangles have the contact
const PROPOSAL_THIN: u32 = 6u;     // the triangle is too thin to have a normal
const PROPOSAL_PLAIN: u32 = 7u;    // neither part is of a surface that decides: the kernel's contact, as it is
const PROPOSAL_NO_HIT: u32 = 8u;   // the parts are no hit

struct Proposal {
  // Accepted unit normal, from the mesh to the body.
  normal: vec3f,
  kind: u32,
  // On the mesh, where the body leaves the feature, and how far it moves until then: the contact's depth.
  point: vec3f,
  exit: f32,
  // A shorter way beyond another plane through the triangle, whose feature the body does not pass; 0 without.
  otherNormal: vec3f,
  otherClearance: f32,
  // The kernel's signed depth; how far the body moves until it is beyond the plane of the feature, and until it leaves
  // the triangle.
  depth: f32,
  clearance: f32,
  travel: f32,
  // What rounding does to depths and heights.
  slack: f32,
  // For a face within flat ground that goes on below the deepest point of the body: the clearance, and the point there;
  // otherwise 0.
  full: f32,
  weld: f32,
  // Whether the mesh is body A.
  isFirst: bool,
  fullPoint: vec3f,
  cornerA: vec3f,
  cornerB: vec3f,
  cornerC: vec3f,
}

const PROPOSAL_ROWS: u32 = 8u;
alias ProposalRows = array<vec4f, PROPOSAL_ROWS>;

fn rowsOfProposal(p: Proposal) -> ProposalRows {
  let kind = f32(2u * p.kind + u32(p.isFirst));
  return ProposalRows(
    vec4f(p.normal, kind), vec4f(p.point, p.exit), vec4f(p.otherNormal, p.otherClearance),
    vec4f(p.depth, p.clearance, p.travel, p.slack), vec4f(p.fullPoint, p.full), vec4f(p.cornerA, p.weld),
    vec4f(p.cornerB, 0.0), vec4f(p.cornerC, 0.0),
  );
}
