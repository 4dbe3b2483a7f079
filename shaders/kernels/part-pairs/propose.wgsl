// The first pass over contacts with surfaces: what each pair of parts proposes as its contact. `deepest` decides among
// those of a pair of bodies.
//
// If both bodies have a surface, one leads: the mesh, or body A (src/parts/surface/leading-surface.ts). What it
// proposes has to be accepted by the other one, which follows. Otherwise the other one proposes, and the first one has
// to accept. If neither is accepted, the body leaves through an open face of the leading body's solids:
//
//     step       0 leads     1 follows     2 follows     3 leads      4 leads
//     contact    kernel's    that of 0     kernel's      that of 2    kernel's
//
// One loop for all steps, as compilers inline every call.

import package::kernels::contact-records::{records};
import package::kernels::load-pair::{loadBodies, loadShape};
import package::kernels::parameters::{bodyShapes, pairInSlot, pairs, parameters, strideOf};
import package::part-pairs::surface::accepted-normal::{isAccepted, isBehindFront, isOfAnyFace, madeExact};
import package::part-pairs::surface::convex-part::{lowestOfB};
import package::part-pairs::surface::first-pass::{
  GivenContact, givenProposal, searchedProposal, SEARCH_ALL, SEARCH_OWN, SEARCH_WAYS_OUT
};
import package::part-pairs::surface::led-pair::{HAS_SOLIDS, hasSurface, isLed, leadsA};
import package::part-pairs::surface::proposals::{
  Proposal, NORMAL_ERROR, PROPOSAL_BURIED, PROPOSAL_EXACT, PROPOSAL_LAST, PROPOSAL_NONE, PROPOSAL_NO_HIT,
  PROPOSAL_PLAIN, PROPOSAL_ROWS, PROPOSAL_THIN, rowsOfProposal, withKind, wordOfRow
};
import package::part-pairs::surface::rows::{SurfacePart, cornerAt, isPlain, isThin, surfacePart};
import package::queries::pair-unit::{marginInUnits, placeInWorld};
import package::shared::constants::{PART_KIND_SHIFT};
import package::shared::pair::{Pair, fromWorld, makePair, toWorld};
import package::shared::results::{INFO_HAS_POINTS, INFO_HIT};

// binding 6: the records of the contacts
@group(0) @binding(8) var<storage, read_write> proposals: array<vec4f>;

// The steps.
const LEAD: u32 = 0u;
const FOLLOW: u32 = 1u;
const FOLLOW_ALONE: u32 = 2u;
const AGREE: u32 = 3u;
const LEAVE: u32 = 4u;

// A contact in world axes and units, relative to body A's position: from A to B.
struct WorldContact {
  normal: vec3f,
  depth: f32,
  onA: vec3f,
  onB: vec3f,
  // What it is proposed as.
  kind: u32,
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let stride = strideOf(id, workgroups);
  for (var slot = stride.first; slot < stride.end; slot += stride.step) {
    propose(pairInSlot(slot));
  }
}

fn propose(index: u32) {
  let row = 4u * index;
  let info = records[row + 1u].w;
  var plain: Proposal;
  if ((info & INFO_HIT) == 0u || (info & INFO_HAS_POINTS) == 0u) {
    plain.kind = PROPOSAL_NO_HIT;
    store(index, plain);
    return;
  }
  plain.kind = PROPOSAL_PLAIN;
  var proposed: WorldContact;
  // Without solids, no body follows.
  for (var step = LEAD; step <= select(LEAD, LEAVE, HAS_SOLIDS); step++) {
    // Loaded in every step, so that no registers keep them.
    let bodies = loadBodies(index);
    let bodyA = loadShape(bodyShapes[bodies.numbers.x]);
    let bodyB = loadShape(bodyShapes[bodies.numbers.y]);
    if (!bodies.isValid || !isLed(bodyA, bodyB, bodies.shapeA.kind, bodies.shapeB.kind)) {
      store(index, plain);
      return;
    }
    // The part of the surface comes first.
    let isFirst = leadsA(bodyA, bodyB) == (step == LEAD || step >= AGREE);
    var body = bodyA;
    var shapeA = bodies.shapeA;
    var poseA = bodies.poseA;
    var shapeB = bodies.shapeB;
    var poseB = bodies.poseB;
    var offset = bodies.offset;
    if (!isFirst) {
      body = bodyB;
      shapeA = bodies.shapeB;
      poseA = bodies.poseB;
      shapeB = bodies.shapeA;
      poseB = bodies.poseA;
      offset = -offset;
    }
    let number = pairs[2u * index + 1u][select(1u, 0u, isFirst)] & ((1u << PART_KIND_SHIFT) - 1u);
    let pair = makePair(shapeA, poseA, shapeB, poseB, offset);
    let part = surfacePart(body, number, pair.coreA.scale);
    let isProposed = step == FOLLOW || step == AGREE;
    if (!isProposed) {
      let rows = array(records[row], records[row + 1u], records[row + 2u]);
      proposed = WorldContact(
        bitcast<vec3f>(rows[0].xyz), -bitcast<f32>(rows[0].w), bitcast<vec3f>(rows[1].xyz), bitcast<vec3f>(rows[2].xyz),
        PROPOSAL_PLAIN
      );
    }
    let given = seenFrom(proposed, pair, offset, isFirst);
    let isKept = isPlain(part) ||
        (!isBehindFront(part, given.normal) && isAccepted(part, given.normal, given.point, NORMAL_ERROR));
    if (isProposed) {
      if (!isKept) {
        if (step == FOLLOW) {
          drop(index);
        }
        continue;
      }
      if (step == AGREE) {
        agree(index, proposed, isFirst, clearanceOf(pair, part, given.normal) * pair.unit);
      }
      return;
    }
    if (step == LEAVE && !part.isSolid) {
      return;
    }
    let reach = shapeB.middleRadius * pair.coreB.scale;
    var to = givenProposal(part, given, reach);
    if (isThin(part)) {
      to.kind = PROPOSAL_THIN;
    } else if (isKept && step != LEAVE) {
      if (!isPlain(part)) {
        to.normal = madeExact(part, NORMAL_ERROR, given.normal);
      }
      to.kind = select(PROPOSAL_EXACT, to.kind, all(to.normal == given.normal));
    } else {
      let search = select(select(SEARCH_OWN, SEARCH_ALL, step == LEAD), SEARCH_WAYS_OUT, step == LEAVE);
      to = searchedProposal(pair, shapeB, part, to, marginInUnits(pair, parameters.margin), reach, search);
    }
    to.isFirst = isFirst;
    to.isOfFace = isOfAnyFace(part, to.normal);
    to = inWorld(to, pair, part, select(-offset, vec3f(0.0), isFirst));
    if (step == LEAD) {
      store(index, to);
    } else if (step == LEAVE) {
      leave(index, to);
      return;
    }
    if (step == LEAD && (to.kind >= PROPOSAL_BURIED || !(hasSurface(bodyA) && hasSurface(bodyB)))) {
      return;
    }
    if (to.kind >= PROPOSAL_BURIED || (step == FOLLOW_ALONE && isKept)) {
      step = AGREE;
    }
    proposed = contactOf(to);
  }
}

// A contact as the surface of body A sees it, or with `isFirst` false that of B. `offset`: the other body's position
// minus that of the surface's.
fn seenFrom(contact: WorldContact, pair: Pair, offset: vec3f, isFirst: bool) -> GivenContact {
  let normal = fromWorld(pair, contact.normal) * select(-1.0, 1.0, isFirst);
  let point = fromWorld(pair, select(contact.onB + offset, contact.onA, isFirst)) / pair.unit - pair.middleA;
  return GivenContact(normal, contact.depth / pair.unit, point);
}

// The contact of a proposal in world axes.
fn contactOf(p: Proposal) -> WorldContact {
  let normal = select(-p.normal, p.normal, p.isFirst);
  let way = normal * p.exit;
  return WorldContact(
    normal, p.exit, select(p.point + way, p.point, p.isFirst), select(p.point, p.point - way, p.isFirst), p.kind
  );
}

// How far the body moves along a normal until it is beyond the whole part.
fn clearanceOf(pair: Pair, part: SurfacePart, normal: vec3f) -> f32 {
  var highest = -1e30;
  for (var corner = 0u; corner < part.cornerCount; corner++) {
    highest = max(highest, dot(cornerAt(part, corner), normal));
  }
  return highest - dot(lowestOfB(pair, normal), normal);
}

// From the pair's frame and unit to the world's. `origin`: the position of the surface's body relative to body A's.
fn inWorld(proposal: Proposal, pair: Pair, part: SurfacePart, origin: vec3f) -> Proposal {
  var to = proposal;
  to.normal = toWorld(pair, to.normal);
  to.otherNormal = toWorld(pair, to.otherNormal);
  to.point = placeInWorld(pair, to.point) + origin;
  to.fullPoint = placeInWorld(pair, to.fullPoint) + origin;
  to.isSolid = part.isSolid;
  if (part.isSolid) {
    let scaleAndRow = vec2f(part.scale * pair.unit, wordOfRow(part.row));
    to.place = mat3x3f(
      pair.quaternionA.xyz, vec3f(pair.quaternionA.w, scaleAndRow), placeInWorld(pair, vec3f(0.0)) + origin
    );
  } else {
    for (var corner = 0u; corner < 3u; corner++) {
      to.place[corner] = placeInWorld(pair, cornerAt(part, corner)) + origin;
    }
  }
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

fn store(index: u32, proposal: Proposal) {
  let rows = rowsOfProposal(proposal);
  for (var row = 0u; row < PROPOSAL_ROWS; row++) {
    proposals[PROPOSAL_ROWS * index + row] = rows[row];
  }
}

// Gives up the proposal that was stored: the body that follows does not accept it.
fn drop(index: u32) {
  let row = PROPOSAL_ROWS * index;
  let depth = proposals[row + 3u].x;
  proposals[row].w = f32(withKind(u32(proposals[row].w), PROPOSAL_NONE));
  proposals[row + 1u].w = depth;
  proposals[row + 3u].y = depth;
  proposals[row + 3u].z = 1e30;
  proposals[row + 4u].w = 0.0;
}

// Stores a way out, if there is one, in place of the proposal that was given up.
fn leave(index: u32, wayOut: Proposal) {
  if (wayOut.kind != PROPOSAL_BURIED && wayOut.kind != PROPOSAL_LAST) {
    return;
  }
  var to = wayOut;
  let other = proposals[PROPOSAL_ROWS * index + 2u];
  to.otherNormal = other.xyz;
  to.otherClearance = select(0.0, other.w, to.kind == PROPOSAL_LAST);
  store(index, to);
}

// Stores what the body that follows proposes in its place. `clearance`: of the part that leads.
fn agree(index: u32, contact: WorldContact, isFirst: bool, clearance: f32) {
  let row = PROPOSAL_ROWS * index;
  let word = f32(withKind(u32(proposals[row].w) & 3u, contact.kind));
  proposals[row] = vec4f(select(-contact.normal, contact.normal, isFirst), word);
  proposals[row + 1u] = vec4f(select(contact.onB, contact.onA, isFirst), contact.depth);
  proposals[row + 2u].w = 0.0;
  proposals[row + 3u].y = clearance;
  proposals[row + 3u].z = contact.depth;
}
