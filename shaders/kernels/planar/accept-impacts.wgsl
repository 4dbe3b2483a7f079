// Impacts of pairs of parts with 2-D surfaces, of bodies that translate: what the surface makes of each by itself, as
// part-pairs/accept-impacts does in 3-D. src/parts/surface/surface-impacts.ts and src/parts/planar/planar-rule.ts do
// the same in double precision.

import package::kernels::parameters::{pairs, parameters};
import package::kernels::planar::impact-records::{records, storeImpact};
import package::kernels::planar::led-pair::{LedPair, ledPair};
import package::kernels::planar::load-pair::{BodyPair, loadBodies};
import package::part-pairs::surface::impact-flags::{INFO_OVERLAPS, INFO_STANDS, approaches, leastOverlap};
import package::part-pairs::surface::proposals::{PROPOSAL_PLAIN, PROPOSAL_ROWS, kindOfWord};
import package::planar::math::{rotateBack};
import package::planar::pair::{PlanarPair, makePair, toWorld};
import package::planar::queries::impacts::result::{noImpact};
import package::planar::results::{PlanarImpact};
import package::planar::shapes::{PlanarVelocity};
import package::planar::surface::accepted-normal::{isAcceptedNormal, isOfPlanarFace, madeExactNormal};
import package::planar::surface::exits::{farthestOfB};
import package::planar::surface::rows::{PlanarPart, isPlainPart, isSegment, partFace, planarPart};
import package::queries::impacts::times::{timeOfWord, NEVER, PASSES_PARTING};
import package::shared::constants::{PART_KIND_SHIFT};
import package::shared::results::{INFO_HAS_POINTS, INFO_HIT, INFO_ITERATIONS_SHIFT};

// What the parts propose as their contact at the start.
@group(0) @binding(7) var<storage, read> proposals: array<vec4f>;
@group(0) @binding(8) var<storage, read> velocities: array<PlanarVelocity>;

// The normal of an impact, from A to B in world axes.
struct JudgedNormal {
  normal: vec2f,
  // Whether it is exactly that of a face.
  isOfFace: bool,
  // Whether the surface did not accept the given one. It is then that of a face, if the part has an open one, and the
  // other part reaches behind that face by this much.
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
  if (!bodies.isValid) {
    return;
  }
  let led = ledPair(bodies);
  if (!led.isLed) {
    return;
  }
  let flags = select(0u, INFO_OVERLAPS, overlapsAtStart(index, bodies, led));
  let rows = array(records[2u * index], records[2u * index + 1u]);
  let info = rows[0].w | flags;
  records[2u * index].w = info;
  if ((info & INFO_HIT) == 0u || (info & INFO_HAS_POINTS) == 0u) {
    return;
  }
  let velocity = velocities[bodies.numbers.y].linear - velocities[bodies.numbers.x].linear;
  let time = timeOfWord(rows[0].z);
  let isEarly = time <= 0.0;
  var impact = PlanarImpact(bitcast<vec2f>(rows[0].xy), time, info, bitcast<vec2f>(rows[1].xy), vec2f(0.0));
  let found = normalAt(index, bodies, led, velocity * select(time, 0.0, time <= -NEVER), impact);
  let closing = -dot(velocity, found.normal);
  // A part without open faces is met by nothing that has not met others before.
  let isPassed = found.isReplaced && !found.hasFace && (!isEarly || (PASSES_PARTING && flags == 0u));
  if (approaches(vec3f(velocity, 0.0), vec3f(found.normal, 0.0), found.isOfFace) && !isPassed) {
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

fn overlapsAtStart(index: u32, bodies: BodyPair, led: LedPair) -> bool {
  let row = PROPOSAL_ROWS * index;
  let least = leastOverlap(select(led.reaches.x, led.reaches.y, led.isFirst), length(bodies.offset));
  return kindOfWord(proposals[row].w) < PROPOSAL_PLAIN && proposals[row + 3u].x + parameters.margin > least;
}

// The normal of an impact by the surface, after body B has moved by `way` relative to A.
fn normalAt(index: u32, bodies: BodyPair, led: LedPair, way: vec2f, impact: PlanarImpact) -> JudgedNormal {
  var to = JudgedNormal(impact.normal, false, false, false, 0.0);
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
    point += to.normal * parameters.margin + offset;
  }
  let number = pairs[2u * index + 1u][select(1u, 0u, led.isFirst)] & ((1u << PART_KIND_SHIFT) - 1u);
  let pair = makePair(shapeA, poseA, shapeB, poseB, offset, 0.0);
  let part = planarPart(led.surface, number, pair.coreA.scale);
  if (isPlainPart(part)) {
    return to;
  }
  let sign = select(-1.0, 1.0, led.isFirst);
  let given = rotateBack(pair.rotationA, to.normal) * sign;
  let place = rotateBack(pair.rotationA, point) / pair.unit - pair.middleA;
  if (hasOpenFace(part) && isAcceptedNormal(part, given, place)) {
    let exact = madeExactNormal(part, given);
    to.isOfFace = isOfPlanarFace(part, exact);
    to.normal = select(toWorld(pair, exact) * sign, to.normal, all(exact == given));
    return to;
  }
  to.isReplaced = true;
  let face = faceFor(pair, part);
  if (face.z < NEVER) {
    to.hasFace = true;
    to.isOfFace = true;
    to.normal = toWorld(pair, face.xy) * sign;
    to.below = face.z * pair.unit;
  }
  return to;
}

fn hasOpenFace(part: PlanarPart) -> bool {
  for (var i = 0u; i < part.count; i++) {
    if (partFace(part, i).pieceCount > 0u) {
      return true;
    }
  }
  return false;
}

// The normal of a segment on the side with less of the other part behind it; of a convex part, that of the open face
// with least of it behind. And how far the other part reaches behind, which is NEVER without such a face.
fn faceFor(pair: PlanarPair, part: PlanarPart) -> vec3f {
  var found = vec3f(vec2f(0.0), NEVER);
  for (var i = 0u; i < select(part.count, 1u, isSegment(part) && part.surface.isFront); i++) {
    let face = partFace(part, i);
    let below = face.height + dot(farthestOfB(pair, -face.normal), -face.normal);
    if (face.pieceCount > 0u && below < found.z) {
      found = vec3f(face.normal, below);
    }
  }
  return found;
}
