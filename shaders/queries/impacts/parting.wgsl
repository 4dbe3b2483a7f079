// What becomes of bodies that overlap or touch at the start, if such bodies meet only if they close in: this is judged
// along the normal of their least depth.

import package::shared::constants::{GJK_NEARBY, MOTION_LATER, MOTION_LEAST_CLOSING_ULPS};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair, makePair, toWorld};
import package::shared::shapes::{Shape, Pose, CORE_HALFSPACE};
import package::queries::pair-unit::{acceptedGap, marginInUnits};
import package::queries::impacts::motion::{Motion, isRotating, poseAt, touchToleranceOf, translationOf};
import package::closed-form::{closedForm};
import package::epa::{epa};
import package::gjk::{gjk, NO_GUESS, GJK_CONVERGED, GJK_STALLED};
import package::polytope::rank::{EVERYWHERE};

const PASSAGE_STOPPED: u32 = 0u;
const PASSAGE_TOUCHING: u32 = 1u; // they rotate, and touch
const PASSAGE_PARTING: u32 = 2u;  // or slide, or rest

struct Passage {
  passage: u32,
  iterations: u32,
  // By how much they overlap, or are nearer than the margin.
  overlap: f32,
  // The unit vector of the least depth, in world axes.
  normal: vec3f,
}

fn passageOf(shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose, motion: Motion) -> Passage {
  let translation = translationOf(shapeA, poseA, shapeB, poseB, motion);
  let rotates = isRotating(motion);
  let far = max(translation.size, length(translation.offset)) * translation.unit;
  let fastest = length(motion.velocity) + (length(motion.angularVelocityA) + length(motion.angularVelocityB)) * far;
  let touchTolerance = touchToleranceOf(makePair(shapeA, poseA, shapeB, poseB, motion.offset));
  let seconds = MOTION_LATER * sqrt(touchTolerance) * far / max(fastest, 1e-30);
  var result = Passage(PASSAGE_PARTING, 0u, 0.0, vec3f(0.0));
  var depth = 0.0;
  // For bodies that touch at many points, the effect of rotation on their depth is measured best by the depth a little
  // later. One loop for both times, as compilers inline every call.
  for (var i = 0u; i < 2u; i++) {
    let time = f32(i) * seconds;
    let rotatedA = poseAt(poseA, motion.angularVelocityA, time);
    let rotatedB = poseAt(poseB, motion.angularVelocityB, time);
    let pair = makePair(shapeA, rotatedA, shapeB, rotatedB, motion.offset + motion.velocity * time);
    let standing = leastDepth(pair);
    result.iterations += standing.iterations;
    let inUnits = marginInUnits(pair, motion.margin) + pair.radiusA + pair.radiusB - standing.distance;
    if (i == 1u) {
      result.passage = select(
        PASSAGE_PARTING, PASSAGE_STOPPED, inUnits * pair.unit - depth > touchTolerance * pair.unit
      );
      break;
    }
    depth = inUnits * pair.unit;
    result.overlap = depth;
    result.normal = toWorld(pair, standing.normal);
    if (inUnits < -acceptedGap(pair)) {
      // They touched only by rounding.
      result.passage = PASSAGE_STOPPED;
      break;
    }
    // Bodies that translate and only touch are known to close in, unless they rest.
    if (inUnits <= touchTolerance && (translation.isMoving || rotates)) {
      result.passage = select(PASSAGE_STOPPED, PASSAGE_TOUCHING, rotates);
      break;
    }
    if (!rotates) {
      let closing = -dot(toWorld(pair, standing.normal), motion.velocity);
      let isClosing = closing > MOTION_LEAST_CLOSING_ULPS * EPSILON * length(motion.velocity);
      result.passage = select(PASSAGE_PARTING, PASSAGE_STOPPED, isClosing);
      break;
    }
  }
  return result;
}

struct Standing {
  iterations: u32,
  // Signed distance of the cores, and its unit vector from A to B, in A's frame.
  distance: f32,
  normal: vec3f,
}

fn leastDepth(pair: Pair) -> Standing {
  if (max(pair.coreA.kind, pair.coreB.kind) == CORE_HALFSPACE) {
    let found = closedForm(pair);
    return Standing(1u, found.lower, found.normal);
  }
  let search = gjk(pair, 1e30, -1.0, NO_GUESS);
  let hasConverged = search.state == GJK_CONVERGED || (search.state == GJK_STALLED && search.upper > GJK_NEARBY);
  if (hasConverged) {
    return Standing(search.iterations, search.lower, search.normal);
  }
  let s = search.simplex;
  let found = epa(pair, array(s.a.id, s.b.id, s.c.id, s.d.id), s.count, search.normal, EVERYWHERE);
  let isWorse = search.lower > found.lower;
  return Standing(
    search.iterations + found.iterations, max(search.lower, found.lower), select(found.normal, search.normal, isWorse)
  );
}
