// What becomes of bodies that overlap or touch as the motion begins where they stop each other only if they close in:
// along the normal of their least depth.

import package::shared::constants::{GJK_NEARBY, MOTION_LATER, MOTION_LEAST_CLOSING_ULPS};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair, makePair};
import package::shared::shapes::{Shape, Pose, CORE_HALFSPACE};
import package::queries::pair-unit::{acceptedGap, marginInUnits};
import package::queries::impacts::motion::{Motion, isTurning, slackOf, wayOf};
import package::advance::{turned};
import package::closed-form::{closedForm};
import package::epa::{epa};
import package::gjk::{gjk, NO_GUESS, GJK_CONVERGED, GJK_STALLED};
import package::polytope::rank::{EVERYWHERE};

const PASSAGE_STOPPED: u32 = 0u;
const PASSAGE_TOUCHING: u32 = 1u; // they turn, and touch
const PASSAGE_PARTING: u32 = 2u;  // or slide, or rest

struct Passage {
  passage: u32,
  iterations: u32,
}

fn passageOf(shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose, motion: Motion) -> Passage {
  let way = wayOf(shapeA, poseA, shapeB, poseB, motion);
  let turns = isTurning(motion);
  let far = max(way.size, length(way.offset)) * way.unit;
  let fastest = length(motion.velocity) + (length(motion.spinA) + length(motion.spinB)) * far;
  let slack = slackOf(makePair(shapeA, poseA, shapeB, poseB, motion.offset));
  let seconds = MOTION_LATER * sqrt(slack) * far / max(fastest, 1e-30);
  var result = Passage(PASSAGE_PARTING, 0u);
  var depth = 0.0;
  // What turning does to the depth of bodies that have many points on each other is told best by how deep they are a
  // little later. One loop for both times: compilers inline every call.
  for (var i = 0u; i < 2u; i++) {
    let time = f32(i) * seconds;
    let turnedA = turned(poseA, motion.spinA, time);
    let turnedB = turned(poseB, motion.spinB, time);
    let pair = makePair(shapeA, turnedA, shapeB, turnedB, motion.offset + motion.velocity * time);
    let standing = leastDepth(pair);
    result.iterations += standing.iterations;
    let inUnits = marginInUnits(pair, motion.margin) + pair.radiusA + pair.radiusB - standing.distance;
    if (i == 1u) {
      result.passage = select(PASSAGE_PARTING, PASSAGE_STOPPED, inUnits * pair.unit - depth > slack * pair.unit);
      break;
    }
    depth = inUnits * pair.unit;
    if (inUnits < -acceptedGap(pair)) {
      // Rounding had them touch.
      result.passage = PASSAGE_STOPPED;
      break;
    }
    // Those in straight motion that no more than touch are known to close in, unless they rest.
    if (inUnits <= slack && (way.isMoving || turns)) {
      result.passage = select(PASSAGE_STOPPED, PASSAGE_TOUCHING, turns);
      break;
    }
    if (!turns) {
      let closing = -dot(pair.rotationA * standing.normal, motion.velocity);
      let isClosing = closing > MOTION_LEAST_CLOSING_ULPS * EPSILON * length(motion.velocity);
      result.passage = select(PASSAGE_PARTING, PASSAGE_STOPPED, isClosing);
      break;
    }
  }
  return result;
}

struct Standing {
  iterations: u32,
  // Of the cores, signed, and the unit vector from A to B that has it, in A's frame.
  distance: f32,
  normal: vec3f,
}

fn leastDepth(pair: Pair) -> Standing {
  if (max(pair.coreA.kind, pair.coreB.kind) == CORE_HALFSPACE) {
    let found = closedForm(pair);
    return Standing(1u, found.lower, found.normal);
  }
  let search = gjk(pair, 1e30, -1.0, NO_GUESS);
  let hasMet = search.state == GJK_CONVERGED || (search.state == GJK_STALLED && search.upper > GJK_NEARBY);
  if (hasMet) {
    return Standing(search.iterations, search.lower, search.normal);
  }
  let s = search.simplex;
  let found = epa(pair, array(s.a.id, s.b.id, s.c.id, s.d.id), s.count, search.normal, EVERYWHERE);
  let isWorse = search.lower > found.lower;
  return Standing(
    search.iterations + found.iterations, max(search.lower, found.lower), select(found.normal, search.normal, isWorse)
  );
}
