// The record of a manifold.

import package::shared::pair::{Pair};
import package::shared::results::{Manifold, INFO_HAS_POINTS, INFO_POINTS_SHIFT};
import package::queries::pair-unit::{placeInWorld};
import package::queries::manifolds::contact::{ContactPoint, noPoints};
import package::queries::manifolds::frame::{ContactFrame};
import package::corners::{ChosenCorners, cornerAt};
import package::manifold::features::{chosenFeatures};

fn manifoldOf(pair: Pair, contact: ContactPoint, frame: ContactFrame, chosen: ChosenCorners) -> Manifold {
  var result = noPoints(contact);
  result.info |= INFO_HAS_POINTS | (chosen.count << INFO_POINTS_SHIFT);
  result.features = chosenFeatures(chosen);
  for (var i = 0u; i < chosen.count; i++) {
    let corner = cornerAt(chosen.numbers[i]).place;
    let position = placeInWorld(pair, frame.fromFrame * corner.xyz + frame.origin);
    // The distance exceeds the margin only by rounding.
    let placed = vec4f(position, min(corner.w, frame.margin) * pair.unit);
    // Not an array with a variable index: compilers keep such arrays out of registers.
    if (i == 0u) {
      result.point0 = placed;
    } else if (i == 1u) {
      result.point1 = placed;
    } else if (i == 2u) {
      result.point2 = placed;
    } else {
      result.point3 = placed;
    }
  }
  return result;
}
