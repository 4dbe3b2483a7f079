// Distances that need no witness points.

import package::shared::pair::{Pair};
import package::shared::results::{Distance, distanceInfo};
import package::queries::units::{toWorld};

// A pair left early: a lower bound of the gap and a separating axis, no points.
fn farDistance(pair: Pair, normal: vec3f, distance: f32, margin: f32, iterations: u32) -> Distance {
  var result: Distance;
  result.normal = toWorld(pair, normal);
  result.distance = distance * pair.unit;
  result.lower = result.distance;
  result.info = distanceInfo(distance, margin, iterations);
  return result;
}

fn overlappingDistance(margin: f32, iterations: u32) -> Distance {
  var result: Distance;
  result.info = distanceInfo(0.0, margin, iterations);
  return result;
}
