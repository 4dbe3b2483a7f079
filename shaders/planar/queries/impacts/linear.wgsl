// When two bodies in 2-D that translate meet. For rotating bodies, whether they overlap at the start.

import package::shared::constants::{MOTION_LATER, MOTION_LEAST_CLOSING_ULPS, UNBOUNDED};
import package::shared::math::{EPSILON};
import package::approach::{approach};
import package::planar::impact::{ImpactResult, impact, PLANAR_IMPACT_NONE};
import package::planar::math::{rotateBack};
import package::planar::pair::{PlanarPair, makePair, toWorld};
import package::planar::queries::signed-distance::{signedDistance, PLANAR_STAGE_SAT};
import package::planar::queries::impacts::motion::{
  PlanarMotion, Translation, isResting, isRotating, pairAt, touchToleranceOf, translationOf
};
import package::planar::queries::impacts::result::{impactRecord, noImpact, PLANAR_NEVER};
import package::planar::results::{PlanarImpact};
import package::planar::shapes::{SpecialisedShape, PlanarPose};

struct LinearImpact {
  impact: PlanarImpact,
  // The bodies rotate and don't overlap, or part: they may meet from `begin` to `end`, in seconds after the start.
  isPending: bool,
  begin: f32,
  end: f32,
  // They overlap at the start, and part.
  isLeaving: bool,
  // They overlap at the start, and pass each other (planar/conservative-advancement).
  passes: bool,
  // Of those that rotate: by how much they overlap at the start, or are nearer than the margin.
  overlap: f32,
}

// How far beyond the parting of the bounding circles the search goes, for the rounding of time, as a share of the
// translation's unit.
const PLANAR_PARTED_PAD: f32 = 0.01;

fn linearImpact(
  shapeA: SpecialisedShape, poseA: PlanarPose, shapeB: SpecialisedShape, poseB: PlanarPose, motion: PlanarMotion,
  stage: u32
) -> LinearImpact {
  let translation = translationOf(shapeA, poseA, shapeB, poseB, motion);
  let circles = approach(
    vec3f(translation.offset, 0.0), vec3f(translation.direction, 0.0), translation.size + translation.margin
  );
  let rotates = isRotating(motion);
  // A search from where the bounding circles meet keeps numbers small.
  let first = select(0.0, max(circles.entry, 0.0), translation.isMoving);
  if (translation.isMoving && !(circles.isNear && circles.exit >= 0.0 && first <= translation.length)) {
    return LinearImpact(noImpact(1u), false, 0.0, 0.0, false, false, 0.0);
  }
  let speed = max(translation.speed, 1e-37);
  let begin = first * translation.unit / speed;
  // Component by component, so that the offset across the translation keeps its precision, however long that is.
  let pair = makePair(
    shapeA, poseA, shapeB, poseB, motion.offset + motion.velocity * begin, translation.margin * translation.unit
  );
  let toPair = translation.unit / pair.unit;
  let direction = rotateBack(pair.rotationA, translation.direction);
  let end = (min(translation.length, circles.exit) - first) * toPair;
  let size = translation.size * toPair;
  var found = impact(
    pair, direction, end, translation.margin * toPair, size, first == 0.0, translation.isMoving, rotates,
    isResting(motion, translation.isMoving), touchToleranceOf(size), stage
  );
  var isLeaving = false;
  let overlap = select(0.0, -found.separation * pair.unit, rotates && found.isInside);
  if (motion.passesParting && found.isInside && found.state != PLANAR_IMPACT_NONE) {
    let isTouch = found.separation >= -touchToleranceOf(size);
    if (isTouch && (rotates || !translation.isMoving)) {
      found.state = PLANAR_IMPACT_NONE;
    } else if (!isTouch && !closesIn(pair, found, shapeA, poseA, shapeB, poseB, motion, translation)) {
      found.state = PLANAR_IMPACT_NONE;
      isLeaving = true;
    }
  }
  if (found.state == PLANAR_IMPACT_NONE) {
    let parted = (max(circles.exit, 0.0) + PLANAR_PARTED_PAD) * translation.unit / speed;
    return LinearImpact(noImpact(max(found.iterations, 1u)), rotates, begin,
        select(motion.duration, min(motion.duration, parted), translation.isMoving), isLeaving, false, overlap);
  }
  // A sum of two parts; the second one is exact if the first one is 0.
  let time = select(
    -PLANAR_NEVER, min(begin + found.travelled * pair.unit / speed, motion.duration), translation.isMoving
  );
  return LinearImpact(
    impactRecord(pair, found.state, time, found.normal, found.point, found.iterations), false, 0.0, 0.0, false,
    false, overlap
  );
}

// Whether bodies that overlap, as in `found`, get deeper at the start by more than rounding.
fn closesIn(
  pair: PlanarPair, found: ImpactResult, shapeA: SpecialisedShape, poseA: PlanarPose, shapeB: SpecialisedShape,
  poseB: PlanarPose, motion: PlanarMotion, translation: Translation
) -> bool {
  if (!isRotating(motion)) {
    let closing = -dot(toWorld(pair, found.standing), motion.velocity);
    return closing > MOTION_LEAST_CLOSING_ULPS * EPSILON * length(motion.velocity);
  }
  // For bodies that touch at many points, the effect of rotation on their depth is measured best by the depth a little
  // later.
  let far = max(translation.size, length(translation.offset)) * translation.unit;
  let fastest = length(motion.velocity) + (abs(motion.angularVelocityA) + abs(motion.angularVelocityB)) * far;
  let seconds = MOTION_LATER * sqrt(touchToleranceOf(1.0)) * far / fastest;
  let laterPair = pairAt(shapeA, poseA, shapeB, poseB, motion, seconds);
  let later = signedDistance(laterPair, UNBOUNDED, PLANAR_STAGE_SAT, 0u);
  return found.separation * pair.unit - (later.lower * laterPair.unit - translation.margin * translation.unit) >
      touchToleranceOf(translation.size * translation.unit / pair.unit) * pair.unit;
}
