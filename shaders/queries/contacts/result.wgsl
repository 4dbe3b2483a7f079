// The record of a contact, from what an algorithm found about the cores. Features are added in a stage of their own.

import package::shared::constants::{ACCEPT_ULPS, BOUND_ULPS};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair};
import package::shared::results::{Contact, distanceInfo, notConvergedInfo, INFO_HAS_POINTS};
import package::queries::units::{GREATEST_DISTANCE, toWorld};
import package::queries::witness::{Surface, surfacePoints};

// A pair left early: a lower bound of the gap and a separating axis, no points.
fn farContact(pair: Pair, normal: vec3f, lower: f32, upper: f32, margin: f32, iterations: u32) -> Contact {
  let distance = lower - pair.radiusA - pair.radiusB;
  var result: Contact;
  result.normal = toWorld(pair, normal);
  result.distance = distance * pair.unit;
  result.info = distanceInfo(distance, margin, iterations);
  result.lower = (distance - BOUND_ULPS * EPSILON) * pair.unit;
  result.upper = min(upper - pair.radiusA - pair.radiusB + BOUND_ULPS * EPSILON, GREATEST_DISTANCE) * pair.unit;
  return result;
}

// The answer from bounds of the cores' signed distance, the normal that gave the lower one, and witness points of the cores.
// The distance is the lower bound: supports along the normal reproduce it.
fn metContact(
  pair: Pair, normal: vec3f, lower: f32, upper: f32, cores: Surface, margin: f32, iterations: u32
) -> Contact {
  let radius = pair.radiusA + pair.radiusB;
  let distance = lower - radius;
  let surface = surfacePoints(pair, normal, distance, cores);
  var result: Contact;
  result.normal = toWorld(pair, normal);
  result.distance = distance * pair.unit;
  result.pointA = toWorld(pair, surface.onA) * pair.unit;
  result.pointB = toWorld(pair, surface.onB) * pair.unit;
  result.lower = (distance - BOUND_ULPS * EPSILON) * pair.unit;
  result.upper = (upper - radius + BOUND_ULPS * EPSILON) * pair.unit;
  result.info = distanceInfo(distance, margin, iterations);
  if (upper - lower > ACCEPT_ULPS * EPSILON) {
    result.info = notConvergedInfo(distance, margin, iterations);
  }
  result.info |= INFO_HAS_POINTS;
  return result;
}
