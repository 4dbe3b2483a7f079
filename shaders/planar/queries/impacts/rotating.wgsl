// When two rotating bodies in 2-D meet that don't overlap at the start, or overlap and part.

import package::shared::math::{inversePowerOfTwo, powerOfTwoBelow};
import package::shared::results::{INFO_ITERATIONS_SHIFT};
import package::planar::conservative-advancement::{conservativeAdvancement};
import package::planar::impact::{PLANAR_IMPACT_NONE};
import package::planar::queries::impacts::motion::{PlanarMotion, translationOf};
import package::planar::queries::impacts::result::{impactRecord, noImpact};
import package::planar::queries::impacts::linear::{LinearImpact};
import package::planar::results::{PlanarImpact};
import package::planar::shapes::{SpecialisedShape, PlanarPose};
import package::planar::touched-surface::{TouchedSurface};

fn rotatingImpact(
  shapeA: SpecialisedShape, poseA: PlanarPose, shapeB: SpecialisedShape, poseB: PlanarPose, motion: PlanarMotion,
  pending: LinearImpact, touched: TouchedSurface
) -> PlanarImpact {
  // In a unit of time in which speeds are no greater than the bodies, squares of speeds don't overflow.
  let unit = select(1.0, powerOfTwoBelow(clamp(pending.end, 1e-30, 1e30)), pending.end > 0.0);
  let toUnit = inversePowerOfTwo(unit);
  let translation = translationOf(shapeA, poseA, shapeB, poseB, motion);
  var scaled = motion;
  scaled.velocity *= unit;
  scaled.angularVelocityA *= unit;
  scaled.angularVelocityB *= unit;
  // Relative to where the bounding circles meet, positions and times have more digits.
  scaled.offset += motion.velocity * pending.begin;
  scaled.began = pending.begin * toUnit;
  scaled.duration = (pending.end - pending.begin) * toUnit;
  scaled.margin = translation.margin * translation.unit;
  let found = conservativeAdvancement(
    shapeA, poseA, shapeB, poseB, scaled, translation.size * translation.unit, pending.isLeaving, pending.passes,
    touched
  );
  let iterations = (pending.impact.info >> INFO_ITERATIONS_SHIFT) + found.iterations;
  if (found.state == PLANAR_IMPACT_NONE) {
    return noImpact(iterations);
  }
  return impactRecord(
    found.pair, found.state, min(pending.begin + found.time * unit, motion.duration), found.normal, found.point,
    iterations
  );
}
