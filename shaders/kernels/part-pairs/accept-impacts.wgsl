// Impacts of pairs of parts with surfaces: what the surface makes of each by itself. A normal
// that it does not accept is replaced by that of a face. An impact counts only if the bodies approach along the normal.
// Others are cleared, or if bodies that overlap stop, flagged. `first-impact` decides among those of a pair of bodies.
// src/parts/surface/surface-impacts.ts and impact-normal.ts do the same in double precision.

import package::kernels::impact-records::{records, storeImpact};
import package::kernels::load-pair::{BodyPair, loadBodies, loadShape};
import package::kernels::parameters::{bodyShapes, pairs, parameters};
import package::kernels::velocities::{isTurning, velocities, IS_ROTATING};
import package::part-pairs::surface::impact-flags::{
  TurningPoint, INFO_APPROACHES, INFO_OVERLAPS, INFO_STANDS, INFO_TURNS, approaches, approachesAt, leastOverlap
};
import package::part-pairs::surface::judged-normal::{JudgedNormal, judgedNormal};
import package::part-pairs::surface::led-pair::{HAS_SOLIDS, hasSurface, isLed, leadsA};
import package::part-pairs::surface::proposals::{PROPOSAL_EXACT, PROPOSAL_PLAIN, PROPOSAL_ROWS, kindOfWord};
import package::part-pairs::surface::rows::{surfacePart};
import package::queries::impacts::result::{noImpact};
import package::queries::impacts::times::{timeOfWord, NEVER, PASSES_PARTING};
import package::shared::constants::{PART_KIND_SHIFT};
import package::shared::pair::{fromWorld, makePair, toWorld};
import package::shared::results::{Impact, INFO_HAS_POINTS, INFO_HIT, INFO_ITERATIONS_SHIFT};
import package::shared::shapes::{Shape};

// What the parts propose as their contact at the start.
@group(0) @binding(7) var<storage, read> proposals: array<vec4f>;

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
  let turns = IS_ROTATING && isTurning(bodies);
  var flags = select(0u, INFO_OVERLAPS, overlapsAtStart(index, bodies, bodyA, bodyB));
  if (turns) {
    flags |= INFO_TURNS | select(0u, INFO_APPROACHES, approachesAtStart(index, bodies, leadsA(bodyA, bodyB)));
  }
  let rows = array(records[2u * index], records[2u * index + 1u]);
  let info = rows[1].w | flags;
  records[2u * index + 1u].w = info;
  if ((info & INFO_HIT) == 0u || (info & INFO_HAS_POINTS) == 0u) {
    return;
  }
  let time = timeOfWord(rows[0].w);
  let isEarly = time <= 0.0;
  if (turns && (PASSES_PARTING || time >= 0.0)) {
    // impacts-rotating-surfaces has decided.
    return;
  }
  let velocity = velocities[bodies.numbers.y].linear - velocities[bodies.numbers.x].linear;
  var impact = Impact(bitcast<vec3f>(rows[0].xyz), time, bitcast<vec3f>(rows[1].xyz), info);
  let found = normalAt(index, velocity * select(time, 0.0, time <= -NEVER), impact);
  let closing = -dot(velocity, found.normal);
  let hasFace = found.face != 0u;
  // A solid without open faces is met by nothing that has not met others before.
  let isPassed = found.isReplaced && !hasFace && (!isEarly || (PASSES_PARTING && (flags & INFO_OVERLAPS) == 0u));
  if (approaches(velocity, found.normal, found.isOfFace) && !isPassed) {
    impact.normal = found.normal;
    if (isEarly && found.isReplaced) {
      impact.unclampedTime = select(-NEVER, time - (found.below + parameters.margin) / closing, hasFace);
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

// Whether bodies that rotate approach along the kernel's contact at the start, which the surfaces accept.
fn approachesAtStart(index: u32, bodies: BodyPair, isFirst: bool) -> bool {
  let rows = array(proposals[PROPOSAL_ROWS * index], proposals[PROPOSAL_ROWS * index + 1u]);
  let a = velocities[bodies.numbers.x];
  let b = velocities[bodies.numbers.y];
  let at = TurningPoint(bodies.offset, b.linear - a.linear, a.angular, b.angular, rows[1].xyz);
  return kindOfWord(rows[0].w) <= PROPOSAL_EXACT && approachesAt(at, rows[0].xyz * select(-1.0, 1.0, isFirst));
}

// What the surfaces make of the normal of an impact, after body B has moved by `way` relative to A. In world axes and
// units, from A to B.
fn normalAt(index: u32, way: vec3f, impact: Impact) -> JudgedNormal {
  var to = JudgedNormal(impact.normal, false, false, 0.0, 0u, false);
  let numbers = pairs[2u * index + 1u] & vec2u((1u << PART_KIND_SHIFT) - 1u);
  // The surface that leads, and then the one that follows: without solids, there is none. One loop, as compilers inline
  // every call. Bodies are loaded in every step, so that no registers keep them.
  for (var step = 0u; step < select(1u, 2u, HAS_SOLIDS) && !to.isReplaced; step++) {
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
    let judged = judgedNormal(part, pair, given, fromWorld(pair, point) / pair.unit - pair.middleA, true);
    let normal = select(toWorld(pair, judged.normal) * sign, to.normal, all(judged.normal == given));
    to = JudgedNormal(
      normal, to.isOfFace || judged.isOfFace, judged.isReplaced, judged.below * pair.unit, judged.face, judged.isBehind
    );
  }
  return to;
}
