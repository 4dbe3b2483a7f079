// Impacts of pairs of parts with 2-D surfaces: what the surface makes of each by itself, as part-pairs/accept-impacts
// does in 3-D. src/parts/surface/surface-impacts.ts and src/parts/planar/planar-rule.ts do
// the same in double precision.

import package::kernels::parameters::{parameters};
import package::kernels::planar::impact-records::{records, storeImpact};
import package::kernels::planar::led-pair::{LedPair, ledPair, partOfLed};
import package::kernels::planar::load-pair::{BodyPair, loadBodies};
import package::kernels::planar::velocities::{isTurning, velocities, IS_ROTATING};
import package::part-pairs::surface::impact-flags::{
  TurningPoint, INFO_APPROACHES, INFO_OVERLAPS, INFO_STANDS, INFO_TURNS, approaches, approachesAt, leastOverlap
};
import package::part-pairs::surface::proposals::{PROPOSAL_EXACT, PROPOSAL_PLAIN, PROPOSAL_ROWS, kindOfWord};
import package::planar::math::{rotateBack};
import package::planar::pair::{makePair, toWorld};
import package::planar::queries::impacts::result::{noImpact};
import package::planar::results::{PlanarImpact};
import package::planar::surface::judged-normal::{JudgedNormal, judgedNormal};
import package::planar::surface::rows::{planarPart};
import package::queries::impacts::times::{timeOfWord, NEVER, PASSES_PARTING};
import package::shared::results::{INFO_HAS_POINTS, INFO_HIT, INFO_ITERATIONS_SHIFT};

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
  if (!bodies.isValid) {
    return;
  }
  let led = ledPair(bodies);
  if (!led.isLed) {
    return;
  }
  let turns = IS_ROTATING && isTurning(bodies);
  var flags = select(0u, INFO_OVERLAPS, overlapsAtStart(index, bodies, led));
  if (turns) {
    flags |= INFO_TURNS | select(0u, INFO_APPROACHES, approachesAtStart(index, bodies, led.isFirst));
  }
  let rows = array(records[2u * index], records[2u * index + 1u]);
  let info = rows[0].w | flags;
  records[2u * index].w = info;
  if ((info & INFO_HIT) == 0u || (info & INFO_HAS_POINTS) == 0u) {
    return;
  }
  let time = timeOfWord(rows[0].z);
  let isEarly = time <= 0.0;
  if (turns && (PASSES_PARTING || time >= 0.0)) {
    // impacts-rotating-surfaces has decided.
    return;
  }
  let velocity = velocities[bodies.numbers.y].linear - velocities[bodies.numbers.x].linear;
  var impact = PlanarImpact(bitcast<vec2f>(rows[0].xy), time, info, bitcast<vec2f>(rows[1].xy), vec2f(0.0));
  let found = normalAt(index, bodies, led, velocity * select(time, 0.0, time <= -NEVER), impact);
  let closing = -dot(velocity, found.normal);
  let hasFace = found.face != 0u;
  // A part without open faces is met by nothing that has not met others before.
  let isPassed = found.isReplaced && !hasFace && (!isEarly || (PASSES_PARTING && (flags & INFO_OVERLAPS) == 0u));
  if (approaches(vec3f(velocity, 0.0), vec3f(found.normal, 0.0), found.isOfFace) && !isPassed) {
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

fn overlapsAtStart(index: u32, bodies: BodyPair, led: LedPair) -> bool {
  let row = PROPOSAL_ROWS * index;
  let least = leastOverlap(select(led.reaches.x, led.reaches.y, led.isFirst), length(bodies.offset));
  return kindOfWord(proposals[row].w) < PROPOSAL_PLAIN && proposals[row + 3u].x + parameters.margin > least;
}

// Whether bodies that rotate approach along the kernel's contact at the start, which the surface accepts.
fn approachesAtStart(index: u32, bodies: BodyPair, isFirst: bool) -> bool {
  let rows = array(proposals[PROPOSAL_ROWS * index], proposals[PROPOSAL_ROWS * index + 1u]);
  let a = velocities[bodies.numbers.x];
  let b = velocities[bodies.numbers.y];
  let at = TurningPoint(
    vec3f(bodies.offset, 0.0), vec3f(b.linear - a.linear, 0.0), vec3f(0.0, 0.0, a.angular),
    vec3f(0.0, 0.0, b.angular), rows[1].xyz
  );
  return kindOfWord(rows[0].w) <= PROPOSAL_EXACT && approachesAt(at, rows[0].xyz * select(-1.0, 1.0, isFirst));
}

// What the surface makes of the normal of an impact, after body B has moved by `way` relative to A. In world axes and
// units, from A to B.
fn normalAt(index: u32, bodies: BodyPair, led: LedPair, way: vec2f, impact: PlanarImpact) -> JudgedNormal {
  // The part of the surface comes first.
  var shapeA = bodies.shapeA;
  var poseA = bodies.poseA;
  var shapeB = bodies.shapeB;
  var poseB = bodies.poseB;
  var offset = bodies.offset + way;
  var point = impact.point;
  if (!led.isFirst) {
    shapeA = bodies.shapeB;
    poseA = bodies.poseB;
    shapeB = bodies.shapeA;
    poseB = bodies.poseA;
    offset = -offset;
    point += impact.normal * parameters.margin + offset;
  }
  let pair = makePair(shapeA, poseA, shapeB, poseB, offset, 0.0);
  let sign = select(-1.0, 1.0, led.isFirst);
  let given = rotateBack(pair.rotationA, impact.normal) * sign;
  let place = rotateBack(pair.rotationA, point) / pair.unit - pair.middleA;
  var to = judgedNormal(planarPart(led.surface, partOfLed(index, led), pair.coreA.scale), pair, given, place);
  to.normal = select(toWorld(pair, to.normal) * sign, impact.normal, all(to.normal == given));
  to.below *= pair.unit;
  return to;
}
