// When two bodies of the plane meet that turn, and don't overlap as the motion begins.

import package::shared::math::{inversePowerOfTwo, powerOfTwoBelow};
import package::shared::results::{INFO_ITERATIONS_SHIFT};
import package::planar::conservative-advancement::{conservativeAdvancement};
import package::planar::impact::{PLANAR_IMPACT_NONE};
import package::planar::queries::impacts::motion::{PlanarMotion, wayOf};
import package::planar::queries::impacts::result::{metImpact, noImpact};
import package::planar::queries::impacts::straight::{StraightImpact};
import package::planar::results::{PlanarImpact};
import package::planar::shapes::{KnownShape, PlanarPose};

fn turningImpact(
  shapeA: KnownShape, poseA: PlanarPose, shapeB: KnownShape, poseB: PlanarPose, motion: PlanarMotion,
  pending: StraightImpact
) -> PlanarImpact {
  // In a unit of time in which speeds are no greater than the bodies, squares of any speed are numbers.
  let unit = select(1.0, powerOfTwoBelow(clamp(pending.end, 1e-30, 1e30)), pending.end > 0.0);
  let toUnit = inversePowerOfTwo(unit);
  let way = wayOf(shapeA, poseA, shapeB, poseB, motion);
  var scaled = motion;
  scaled.velocity *= unit;
  scaled.spinA *= unit;
  scaled.spinB *= unit;
  // Counted from where the bounding circles meet, places and times have more digits.
  scaled.offset += motion.velocity * pending.begin;
  scaled.began = pending.begin * toUnit;
  scaled.duration = (pending.end - pending.begin) * toUnit;
  scaled.margin = way.margin * way.unit;
  let found = conservativeAdvancement(shapeA, poseA, shapeB, poseB, scaled, way.size * way.unit, pending.isLeaving);
  let iterations = (pending.impact.info >> INFO_ITERATIONS_SHIFT) + found.iterations;
  if (found.state == PLANAR_IMPACT_NONE) {
    return noImpact(iterations);
  }
  return metImpact(found.pair, found.state, min(pending.begin + found.time * unit, motion.duration), found.normal, found.point, iterations);
}
