// The first pass over contacts with meshes: what each pair of parts proposes as its contact. `deepest` decides among
// those of a pair of bodies.

import package::kernels::contact-records::{ContactRows};
import package::kernels::load-pair::{loadBodies, loadShape};
import package::kernels::parameters::{bodyShapes, pairInSlot, pairs, parameters, strideOf};
import package::part-pairs::surface::first-pass::{GivenContact, proposeContact};
import package::part-pairs::surface::proposals::{
  Proposal, PROPOSAL_NO_HIT, PROPOSAL_PLAIN, PROPOSAL_ROWS, rowsOfProposal
};
import package::part-pairs::surface::rows::{cornerAt, surfaceTriangle};
import package::queries::pair-unit::{marginInUnits, placeInWorld};
import package::shared::constants::{PART_KIND_SHIFT};
import package::shared::pair::{Pair, fromWorld, makePair, toWorld};
import package::shared::results::{INFO_HAS_POINTS, INFO_HIT};
import package::shared::shapes::{Shape, CORE_HALFSPACE, CORE_PARTS};

// binding 6: the records of the contacts
@group(0) @binding(8) var<storage, read_write> proposals: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let stride = strideOf(id, workgroups);
  for (var slot = stride.first; slot < stride.end; slot += stride.step) {
    let index = pairInSlot(slot);
    let rows = rowsOfProposal(proposalOf(index));
    for (var row = 0u; row < PROPOSAL_ROWS; row++) {
      proposals[PROPOSAL_ROWS * index + row] = rows[row];
    }
  }
}

fn proposalOf(index: u32) -> Proposal {
  var plain: Proposal;
  let row = 4u * index;
  let contact = ContactRows(records[row], records[row + 1u], records[row + 2u], records[row + 3u]);
  let info = contact[1].w;
  if ((info & INFO_HIT) == 0u || (info & INFO_HAS_POINTS) == 0u) {
    plain.kind = PROPOSAL_NO_HIT;
    return plain;
  }
  plain.kind = PROPOSAL_PLAIN;
  let bodies = loadBodies(index);
  let meshA = loadShape(bodyShapes[bodies.numbers.x]);
  let meshB = loadShape(bodyShapes[bodies.numbers.y]);
  let isFirst = isMesh(meshA);
  let other = select(meshA.kind, bodies.shapeB.kind, isFirst);
  // Two meshes meet triangle by triangle, and a half-space has no edges to catch on.
  if (!bodies.isValid || isFirst == isMesh(meshB) || other == CORE_HALFSPACE) {
    return plain;
  }
  // The triangle comes first.
  var mesh = meshA;
  var shapeA = bodies.shapeA;
  var poseA = bodies.poseA;
  var shapeB = bodies.shapeB;
  var poseB = bodies.poseB;
  var offset = bodies.offset;
  if (!isFirst) {
    mesh = meshB;
    shapeA = bodies.shapeB;
    poseA = bodies.poseB;
    shapeB = bodies.shapeA;
    poseB = bodies.poseA;
    offset = -offset;
  }
  let part = pairs[2u * index + 1u][select(1u, 0u, isFirst)] & ((1u << PART_KIND_SHIFT) - 1u);
  let pair = makePair(shapeA, poseA, shapeB, poseB, offset);
  let triangle = surfaceTriangle(mesh, part, pair.coreA.scale);
  // Relative to the mesh's position.
  let onMesh = select(bitcast<vec3f>(contact[2].xyz) + offset, bitcast<vec3f>(contact[1].xyz), isFirst);
  let normal = fromWorld(pair, bitcast<vec3f>(contact[0].xyz)) * select(-1.0, 1.0, isFirst);
  let point = fromWorld(pair, onMesh) / pair.unit - pair.middleA;
  let given = GivenContact(normal, -bitcast<f32>(contact[0].w) / pair.unit, point);
  let reach = shapeB.middleRadius * pair.coreB.scale;
  var to = proposeContact(pair, shapeB, triangle, given, marginInUnits(pair, parameters.margin), reach);
  to.isFirst = isFirst;
  to.cornerA = cornerAt(triangle, 0u);
  to.cornerB = cornerAt(triangle, 1u);
  to.cornerC = cornerAt(triangle, 2u);
  return inWorld(to, pair, select(-offset, vec3f(0.0), isFirst));
}

fn isMesh(body: Shape) -> bool {
  return body.kind == CORE_PARTS && body.faceCount == 0u;
}

// From the pair's frame and unit to the world's. `origin`: the mesh's position relative to body A's.
fn inWorld(proposal: Proposal, pair: Pair, origin: vec3f) -> Proposal {
  var to = proposal;
  to.normal = toWorld(pair, to.normal);
  to.otherNormal = toWorld(pair, to.otherNormal);
  to.point = placeInWorld(pair, to.point) + origin;
  to.fullPoint = placeInWorld(pair, to.fullPoint) + origin;
  to.cornerA = placeInWorld(pair, to.cornerA) + origin;
  to.cornerB = placeInWorld(pair, to.cornerB) + origin;
  to.cornerC = placeInWorld(pair, to.cornerC) + origin;
  to.exit *= pair.unit;
  to.otherClearance *= pair.unit;
  to.depth *= pair.unit;
  to.clearance *= pair.unit;
  to.travel *= pair.unit;
  to.slack *= pair.unit;
  to.full *= pair.unit;
  to.weld *= pair.unit;
  return to;
}
