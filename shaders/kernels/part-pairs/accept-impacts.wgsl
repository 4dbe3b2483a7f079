// Impacts of pairs of parts with surfaces, of bodies that translate: what the surface makes of each by itself. A normal
// that it does not accept is replaced by that of a face. An impact counts only if the bodies approach along the normal.
// Others are cleared, or if bodies that overlap stop, flagged. `first-impact` decides among those of a pair of bodies.
// src/parts/surface/surface-impacts.ts and impact-normal.ts do the same in double precision.

import package::kernels::impact-records::{records, storeImpact};
import package::kernels::load-pair::{BodyPair, loadBodies, loadShape};
import package::kernels::parameters::{bodyShapes, pairs, parameters};
import package::kernels::velocities::{velocities};
import package::part-pairs::surface::accepted-normal::{isAccepted, isBehindFront, isOfAnyFace, madeExact};
import package::part-pairs::surface::convex-part::{lowestPoint};
import package::part-pairs::surface::impact-flags::{INFO_OVERLAPS, INFO_STANDS, approaches, leastOverlap};
import package::part-pairs::surface::led-pair::{HAS_SOLIDS, hasSurface, isLed, leadsA};
import package::part-pairs::surface::proposals::{NORMAL_ERROR, PROPOSAL_PLAIN, PROPOSAL_ROWS, kindOfWord};
import package::part-pairs::surface::rows::{
  SurfacePart, cornerAt, heightOfFace, isPlain, isThin, normalOfFace, polygonCount, surfacePart
};
import package::queries::impacts::result::{noImpact};
import package::queries::impacts::times::{timeOfWord, NEVER, PASSES_PARTING};
import package::shared::constants::{PART_KIND_SHIFT};
import package::shared::pair::{Pair, fromWorld, makePair, toWorld};
import package::shared::results::{Impact, INFO_HAS_POINTS, INFO_HIT, INFO_ITERATIONS_SHIFT};
import package::shared::shapes::{Shape};

// What the parts propose as their contact at the start.
@group(0) @binding(7) var<storage, read> proposals: array<vec4f>;

// The normal of an impact, from A to B in world axes.
struct JudgedNormal {
  normal: vec3f,
  // Whether it is exactly that of a face.
  isOfFace: bool,
  // Whether a surface did not accept the given one. It is then that of a face, if the part has one on its surface, and
  // the other part reaches behind that face by this much.
  isReplaced: bool,
  hasFace: bool,
  below: f32,
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) workgroups: vec3u) {
  let end = min(parameters.pairCount, parameters.pairCapacity);
  for (var index = id.x; index < end; index += 64u * workgroups.x) {
    decide(index);
  }
}

fn decide(index: u32) {
  let bodies = loadBodies(index);
  let bodyA = loadShape(bodyShapes[bodies.numbers.x]);
  let bodyB = loadShape(bodyShapes[bodies.numbers.y]);
  if (!bodies.isValid || !isLed(bodyA, bodyB, bodies.shapeA.kind, bodies.shapeB.kind)) {
    return;
  }
  let flags = select(0u, INFO_OVERLAPS, overlapsAtStart(index, bodies, bodyA, bodyB));
  let rows = array(records[2u * index], records[2u * index + 1u]);
  let info = rows[1].w | flags;
  records[2u * index + 1u].w = info;
  if ((info & INFO_HIT) == 0u || (info & INFO_HAS_POINTS) == 0u) {
    return;
  }
  let velocity = velocities[bodies.numbers.y].linear - velocities[bodies.numbers.x].linear;
  let time = timeOfWord(rows[0].w);
  let isEarly = time <= 0.0;
  var impact = Impact(bitcast<vec3f>(rows[0].xyz), time, bitcast<vec3f>(rows[1].xyz), info);
  let found = normalAt(index, velocity * select(time, 0.0, time <= -NEVER), impact);
  let closing = -dot(velocity, found.normal);
  // A solid without open faces is met by nothing that has not met others before.
  let isPassed = found.isReplaced && !found.hasFace && (!isEarly || (PASSES_PARTING && flags == 0u));
  if (approaches(velocity, found.normal, found.isOfFace) && !isPassed) {
    impact.normal = found.normal;
    if (isEarly && found.isReplaced) {
      impact.unclampedTime = select(-NEVER, time - (found.below + parameters.margin) / closing, found.hasFace);
    }
  } else if (isEarly && !PASSES_PARTING) {
    impact.info |= INFO_STANDS;
  } else {
    impact = noImpact(info >> INFO_ITERATIONS_SHIFT);
    impact.info |= flags;
  }
  storeImpact(index, impact);
}

fn overlapsAtStart(index: u32, bodies: BodyPair, bodyA: Shape, bodyB: Shape) -> bool {
  let row = PROPOSAL_ROWS * index;
  let reachA = bodyA.boundingRadius * bodies.poseA.scale;
  let reachB = bodyB.boundingRadius * bodies.poseB.scale;
  let least = leastOverlap(select(reachA, reachB, leadsA(bodyA, bodyB)), length(bodies.offset));
  return kindOfWord(proposals[row].w) < PROPOSAL_PLAIN && proposals[row + 3u].x + parameters.margin > least;
}

// The normal of an impact by the surfaces, after body B has moved by `way` relative to A.
fn normalAt(index: u32, way: vec3f, impact: Impact) -> JudgedNormal {
  var to = JudgedNormal(impact.normal, false, false, false, 0.0);
  let numbers = pairs[2u * index + 1u] & vec2u((1u << PART_KIND_SHIFT) - 1u);
  // The surface that leads, and then the one that follows: without solids, there is none. One loop, as compilers inline
  // every call. Bodies are loaded in every step, so that no registers keep them.
  for (var step = 0u; step < select(1u, 2u, HAS_SOLIDS); step++) {
    let bodies = loadBodies(index);
    let bodyA = loadShape(bodyShapes[bodies.numbers.x]);
    let bodyB = loadShape(bodyShapes[bodies.numbers.y]);
    if (step == 1u && !(hasSurface(bodyA) && hasSurface(bodyB))) {
      break;
    }
    // The part of the surface comes first.
    let isFirst = leadsA(bodyA, bodyB) == (step == 0u);
    var body = bodyA;
    var shapeA = bodies.shapeA;
    var poseA = bodies.poseA;
    var shapeB = bodies.shapeB;
    var poseB = bodies.poseB;
    var offset = bodies.offset + way;
    var point = impact.point;
    if (!isFirst) {
      body = bodyB;
      shapeA = bodies.shapeB;
      poseA = bodies.poseB;
      shapeB = bodies.shapeA;
      poseB = bodies.poseA;
      offset = -offset;
      point += to.normal * parameters.margin + offset;
    }
    let pair = makePair(shapeA, poseA, shapeB, poseB, offset);
    let part = surfacePart(body, select(numbers.y, numbers.x, isFirst), pair.coreA.scale);
    let sign = select(-1.0, 1.0, isFirst);
    let given = fromWorld(pair, to.normal) * sign;
    if (isThin(part) || isPlain(part)) {
      continue;
    }
    let place = fromWorld(pair, point) / pair.unit - pair.middleA;
    if (!isBehindFront(part, given) && isAccepted(part, given, place, NORMAL_ERROR)) {
      let exact = madeExact(part, NORMAL_ERROR, given);
      to.isOfFace |= isOfAnyFace(part, exact);
      to.normal = select(toWorld(pair, exact) * sign, to.normal, all(exact == given));
      continue;
    }
    to.isReplaced = true;
    let face = faceFor(pair, part);
    if (face.w < NEVER) {
      to.hasFace = true;
      to.isOfFace = true;
      to.normal = toWorld(pair, face.xyz) * sign;
      to.below = face.w * pair.unit;
    }
    break;
  }
  return to;
}

// The normal of a triangle on the side with less of the other part behind it; of a solid, that of the open face with
// least of it behind. And how far the other part reaches behind, which is NEVER without such a face.
fn faceFor(pair: Pair, part: SurfacePart) -> vec4f {
  var found = vec4f(vec3f(0.0), NEVER);
  // One loop for both sides of a triangle and the faces of a solid, as compilers inline every call.
  let sides = select(2u, 1u, part.isFront);
  for (var i = 0u; i < select(sides, part.faceCount, part.isSolid); i++) {
    var normal = normalOfFace(part, select(0u, i, part.isSolid));
    var height = 0.0;
    if (part.isSolid) {
      height = heightOfFace(part, i);
      if (polygonCount(part, i) == 0u) {
        continue;
      }
    } else {
      normal = select(normal, -normal, i == 1u);
      height = dot(cornerAt(part, 0u), normal);
    }
    let below = height - dot(lowestPoint(pair, normal), normal);
    if (below < found.w) {
      found = vec4f(normal, below);
    }
  }
  return found;
}
