// When two rotating bodies meet that don't overlap at the start, or overlap and part.

import package::shared::math::{inversePowerOfTwo, powerOfTwoBelow};
import package::shared::results::{Impact, INFO_ITERATIONS_SHIFT, INFO_LEAVING, INFO_PASSES, INFO_TOUCHING};
import package::shared::shapes::{Shape, Pose, CORE_HALFSPACE};
import package::queries::impacts::motion::{Motion, MovingBodies, translationOf};
import package::queries::impacts::result::{impactRecord, noImpact};
import package::conservative-advancement::{conservativeAdvancement};
import package::approach::{approach};
import package::impact::{IMPACT_NONE, IMPACT_MET, IMPACT_PAD};
import package::touched-surface::{TouchedSurface};

// `pending` has the time at which to begin, what the bodies do at the start, and if they touch then, the normal and the
// point.
fn rotatingImpact(
  shapeA: Shape, poseA: Pose, shapeB: Shape, poseB: Pose, motion: Motion, pending: Impact,
  touched: TouchedSurface
) -> Impact {
  let isTouching = (pending.info & INFO_TOUCHING) != 0u;
  let isLeaving = (pending.info & INFO_LEAVING) != 0u;
  let passes = (pending.info & INFO_PASSES) != 0u;
  let translation = translationOf(shapeA, poseA, shapeB, poseB, motion);
  var end = motion.duration;
  if (translation.isMoving && max(shapeA.kind, shapeB.kind) != CORE_HALFSPACE) {
    // Nothing meets after the bounding spheres have parted.
    let spheres = approach(translation.offset, translation.direction, translation.size + translation.margin);
    end = min(end, (max(spheres.exit, 0.0) + IMPACT_PAD) * translation.unit / translation.speed);
  }
  // In a unit of time in which speeds are no greater than the bodies, squares of speeds don't overflow.
  let unit = select(1.0, powerOfTwoBelow(clamp(end, 1e-30, 1e30)), end > 0.0);
  let toUnit = inversePowerOfTwo(unit);
  var scaled = motion;
  scaled.velocity *= unit;
  scaled.angularVelocityA *= unit;
  scaled.angularVelocityB *= unit;
  scaled.duration = end * toUnit;
  scaled.margin = translation.margin * translation.unit;
  let touchNormal = select(vec3f(0.0), pending.normal, isTouching || passes);
  let found = conservativeAdvancement(
    MovingBodies(shapeA, poseA, shapeB, poseB, scaled), pending.unclampedTime * toUnit, isTouching, isLeaving,
    passes, touchNormal, touched
  );
  let iterations = (pending.info >> INFO_ITERATIONS_SHIFT) + found.iterations;
  if (found.state == IMPACT_NONE) {
    return noImpact(iterations);
  }
  var impact = impactRecord(
    found.pair, found.state, min(found.time * unit, motion.duration), found.normal, found.point, iterations
  );
  if (found.state == IMPACT_MET && !found.hasNormal) {
    impact.normal = pending.normal;
    impact.point = pending.point;
  }
  return impact;
}
