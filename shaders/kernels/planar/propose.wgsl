// The first pass over contacts with 2-D surfaces: what each pair of parts proposes as its contact. `deepest` decides
// among those of a pair of bodies.

import package::kernels::parameters::{parameters};
import package::kernels::planar::contact-records::{records};
import package::kernels::planar::led-pair::{ledPair, partOfLed};
import package::kernels::planar::load-pair::{loadBodies};
import package::part-pairs::surface::proposals::{
  Proposal, PROPOSAL_EXACT, PROPOSAL_KEPT, PROPOSAL_NO_HIT, PROPOSAL_PLAIN, PROPOSAL_ROWS, rowsOfProposal, wordOfRow
};
import package::planar::math::{rotateBack};
import package::planar::pair::{PlanarPair, makePair, placeInWorld, toWorld};
import package::planar::queries::pair-unit::{marginInUnits};
import package::planar::surface::accepted-normal::{isAcceptedNormal, isOfPlanarFace, madeExactNormal};
import package::planar::surface::first-pass::{PlanarProposal, proposalFor, PLANAR_SAME_WAY};
import package::planar::surface::rows::{PlanarPart, isPlainPart, isSegment, partCorner, planarPart};
import package::shared::results::{INFO_HAS_POINTS, INFO_HIT};

// binding 6: the records of the contacts
@group(0) @binding(8) var<storage, read_write> proposals: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let end = min(parameters.pairCount, parameters.pairCapacity);
  for (var index = id.x; index < end; index += 64u * workgroups.x) {
    let rows = rowsOfProposal(proposed(index));
    for (var row = 0u; row < PROPOSAL_ROWS; row++) {
      proposals[PROPOSAL_ROWS * index + row] = rows[row];
    }
  }
}

fn proposed(index: u32) -> Proposal {
  let rows = array(records[3u * index], records[3u * index + 1u]);
  let info = rows[0].w;
  var to: Proposal;
  to.kind = PROPOSAL_NO_HIT;
  if ((info & INFO_HIT) == 0u || (info & INFO_HAS_POINTS) == 0u) {
    return to;
  }
  to.kind = PROPOSAL_PLAIN;
  let bodies = loadBodies(index);
  if (!bodies.isValid) {
    return to;
  }
  let led = ledPair(bodies);
  if (!led.isLed) {
    return to;
  }
  // The part of the surface comes first.
  var shapeA = bodies.shapeA;
  var poseA = bodies.poseA;
  var shapeB = bodies.shapeB;
  var poseB = bodies.poseB;
  var offset = bodies.offset;
  var origin = vec2f(0.0);
  var point = bitcast<vec2f>(rows[1].xy);
  if (!led.isFirst) {
    shapeA = bodies.shapeB;
    poseA = bodies.poseB;
    shapeB = bodies.shapeA;
    poseB = bodies.poseA;
    origin = offset;
    offset = -offset;
    point = bitcast<vec2f>(rows[1].zw) - origin;
  }
  let number = partOfLed(index, led);
  let pair = makePair(shapeA, poseA, shapeB, poseB, offset, 0.0);
  let part = planarPart(led.surface, number, pair.coreA.scale);
  let reach = shapeB.middleRadius * pair.coreB.scale;
  var found: PlanarProposal;
  found.kind = PROPOSAL_KEPT;
  found.normal = rotateBack(pair.rotationA, bitcast<vec2f>(rows[0].xy)) * select(-1.0, 1.0, led.isFirst);
  found.point = rotateBack(pair.rotationA, point) / pair.unit - pair.middleA;
  found.depth = -bitcast<f32>(rows[0].z) / pair.unit;
  found.clearance = found.depth;
  found.exit = found.depth;
  found.travel = found.depth;
  if (!isPlainPart(part)) {
    if (isAcceptedNormal(part, found.normal, found.point)) {
      let exact = madeExactNormal(part, found.normal);
      found.kind = select(PROPOSAL_EXACT, PROPOSAL_KEPT, all(exact == found.normal));
      found.normal = exact;
    } else {
      found = proposalFor(pair, part, found, marginInUnits(pair, parameters.margin), reach);
    }
  }
  return inWorld(found, pair, part, led.isFirst, origin, reach);
}

// A proposal as the later passes take it, in world axes. `origin`: the position of the surface's body relative to A's.
fn inWorld(
  found: PlanarProposal, pair: PlanarPair, part: PlanarPart, isFirst: bool, origin: vec2f, reach: f32
) -> Proposal {
  var to: Proposal;
  to.kind = found.kind;
  to.isFirst = isFirst;
  to.isOfFace = isOfPlanarFace(part, found.normal);
  to.normal = vec3f(toWorld(pair, found.normal), 0.0);
  to.otherNormal = vec3f(toWorld(pair, found.otherNormal), 0.0);
  to.point = vec3f(placeInWorld(pair, found.point) + origin, 0.0);
  to.fullPoint = vec3f(placeInWorld(pair, found.fullPoint) + origin, 0.0);
  to.otherClearance = found.otherClearance * pair.unit;
  to.depth = found.depth * pair.unit;
  to.clearance = found.clearance * pair.unit;
  to.exit = found.exit * pair.unit;
  to.travel = select(found.travel * pair.unit, 1e30, found.travel >= 1e30);
  to.full = found.full * pair.unit;
  to.slack = PLANAR_SAME_WAY * reach * pair.unit;
  to.weld = part.surface.weld * part.scale * pair.unit;
  to.isSolid = !isSegment(part);
  if (to.isSolid) {
    // The quaternion of the rotation, from the cosine and the sine of its angle.
    let c = pair.rotationA.x;
    let s = pair.rotationA.y;
    let turn = normalize(select(vec2f(1.0 + c, s), vec2f(s, 1.0 - c), c < 0.0));
    let middle = vec3f(placeInWorld(pair, vec2f(0.0)) + origin, 0.0);
    to.place = mat3x3f(
      vec3f(0.0, 0.0, turn.y), vec3f(turn.x, part.scale * pair.unit, wordOfRow(part.row)), middle
    );
    return to;
  }
  for (var corner = 0u; corner < 3u; corner++) {
    to.place[corner] = vec3f(placeInWorld(pair, partCorner(part, min(corner, 1u))) + origin, 0.0);
  }
  return to;
}
