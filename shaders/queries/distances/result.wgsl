// The record of a distance, from what an algorithm found about the cores.

import package::shared::pair::{Pair, toWorld};
import package::shared::results::{Distance, distanceInfo, INFO_HAS_POINTS};
import package::queries::pair-unit::{placeInWorld};
import package::queries::surface::{Surface, surfacePoints};

// A pair left early: a lower bound of the gap and a separating axis, no points.
fn farDistance(pair: Pair, normal: vec3f, distance: f32, margin: f32, iterations: u32) -> Distance {
  var result: Distance;
  result.normal = toWorld(pair, normal);
  result.distance = distance * pair.unit;
  result.lower = result.distance;
  result.info = distanceInfo(distance, margin, iterations);
  return result;
}

// The answer from the distance, the normal that supports give it along, and witness points of the cores.
fn convergedDistance(
  pair: Pair, normal: vec3f, distance: f32, cores: Surface, margin: f32, iterations: u32
) -> Distance {
  let surface = surfacePoints(pair, normal, distance, cores);
  var result: Distance;
  result.normal = toWorld(pair, normal);
  result.distance = max(distance, 0.0) * pair.unit;
  result.pointA = placeInWorld(pair, surface.onA);
  result.pointB = placeInWorld(pair, surface.onB);
  result.lower = result.distance;
  result.info = distanceInfo(distance, margin, iterations) | INFO_HAS_POINTS;
  return result;
}

fn overlappingDistance(margin: f32, iterations: u32) -> Distance {
  var result: Distance;
  result.info = distanceInfo(0.0, margin, iterations);
  return result;
}
