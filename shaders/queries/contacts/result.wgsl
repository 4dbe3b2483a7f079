// The record of a contact, from what an algorithm found about the cores. Features are added in a stage of their own.

import package::shared::constants::{
  BOUND_ULPS, CURVED_EPA_ACCEPT_ULPS, CURVED_LOSS, GREATEST_DISTANCE, MIDDLE_BOUND_ULPS
};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair, toWorld};
import package::shared::results::{Contact, distanceInfo, notConvergedInfo, INFO_HAS_POINTS};
import package::shared::support::{isCurvedPair};
import package::queries::pair-unit::{acceptedGap, placeInWorld};
import package::queries::surface::{Surface, surfacePoints};

// The record of a pair whose search ended early: a lower bound of the gap and a separating axis, without points.
fn farContact(pair: Pair, normal: vec3f, lower: f32, upper: f32, margin: f32, iterations: u32) -> Contact {
  let distance = lower - (pair.radiusA + pair.radiusB);
  var result: Contact;
  result.normal = toWorld(pair, normal);
  result.distance = distance * pair.unit;
  result.info = distanceInfo(distance, margin, iterations);
  result.lower = (distance - boundSlack(pair)) * pair.unit;
  result.upper = min(upper - (pair.radiusA + pair.radiusB) + boundSlack(pair), GREATEST_DISTANCE) * pair.unit;
  return result;
}

// The answer from bounds of the cores' signed distance, the normal that gave the lower one, and witness points of the
// cores. The distance is the lower bound: supports along the normal reproduce it.
fn convergedContact(
  pair: Pair, normal: vec3f, lower: f32, upper: f32, cores: Surface, margin: f32, iterations: u32
) -> Contact {
  let radius = pair.radiusA + pair.radiusB;
  let distance = lower - radius;
  let surface = surfacePoints(pair, normal, distance, cores);
  var result: Contact;
  result.normal = toWorld(pair, normal);
  result.distance = distance * pair.unit;
  result.pointA = placeInWorld(pair, surface.onA);
  result.pointB = placeInWorld(pair, surface.onB);
  result.lower = (distance - boundSlack(pair)) * pair.unit;
  result.upper = (upper - radius + boundSlack(pair)) * pair.unit;
  result.info = distanceInfo(distance, margin, iterations);
  let isDeepCurve = isCurvedPair(pair) && lower < 0.0;
  if (upper - lower > select(acceptedGap(pair), CURVED_EPA_ACCEPT_ULPS * EPSILON, isDeepCurve)) {
    result.info = notConvergedInfo(distance, margin, iterations);
  }
  result.info |= INFO_HAS_POINTS;
  return result;
}

// The amount by which bounds are widened: the rounding of support points, of the frame and of rotated middles, and the
// error of the numbered points of curved cores.
fn boundSlack(pair: Pair) -> f32 {
  return (BOUND_ULPS + MIDDLE_BOUND_ULPS * pair.middleSize) * EPSILON + select(0.0, CURVED_LOSS, isCurvedPair(pair));
}
