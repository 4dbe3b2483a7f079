// When two convex bodies in 2-D that translate meet.
//
// If they are apart at the start, one search along the relative motion, by a cast or by velocity EPA. If they overlap,
// the same search from before the start tells when they met. Bodies that touch and part, that slide along each other,
// or that never overlap by more than the touch tolerance, don't meet: signed distances and separating normals tell
// which these are.

import package::shared::constants::{CAST_TOUCH_ULPS};
import package::shared::math::{EPSILON};
import package::approach::{approach};
import package::planar::cast::{CastResult, castCores, movedBy, PLANAR_CAST_MET, PLANAR_CAST_MISSED};
import package::planar::impact-normal::{Touch, impactNormal};
import package::planar::pair::{PlanarPair};
import package::planar::queries::signed-distance::{Answer, signedDistance, simplexPoints, PLANAR_STAGE_SAT};
import package::planar::queries::pair-unit::{acceptedGap};
import package::planar::velocity-epa::{crossCores};

// How the search ended.
const PLANAR_IMPACT_NONE: u32 = 0u;
const PLANAR_IMPACT_MET: u32 = 1u;
const PLANAR_IMPACT_OPEN: u32 = 2u;  // rounding or the iteration limit ended it; `travelled` is a bound

struct ImpactResult {
  state: u32,
  iterations: u32,
  // The distance that B has travelled from its position in the pair when they meet. Negative if they met before. For an
  // open search a bound.
  travelled: f32,
  // Unit vector from A to B, in A's frame.
  normal: vec2f,
  // Where they touch, in A's frame. Not set by an open search.
  point: vec2f,
  // Whether they overlap or touch at the start, and then their separation and its normal.
  isInside: bool,
  separation: f32,
  standing: vec2f,
}

// In the pair's unit: how far before the bounding circles meet a cast starts, and a length beyond that of any cast.
const PLANAR_IMPACT_PAD: f32 = 0.01;
const PLANAR_IMPACT_FAR: f32 = 1000.0;
// The value of LEAD_STAGE for velocity EPA.
const PLANAR_STAGE_VELOCITY_EPA: u32 = 4u;

// B moves along the unit vector `direction`, in A's frame, up to `end`. Bodies meet where they are `margin` apart;
// `size` is the sum of their bounding radii. `isStart`: the pair is at the start of the motion, and may overlap;
// otherwise the bounding circles touch. `isMoving`: B translates. `isRotating`: only overlaps by more than
// `touchTolerance` are looked for, and touches if hardly anything moves, `isResting`.
fn impact(
  pair: PlanarPair, direction: vec2f, end: f32, margin: f32, size: f32, isStart: bool, isMoving: bool, isRotating: bool,
  isResting: bool, touchTolerance: f32, stage: u32
) -> ImpactResult {
  let targetDistance = pair.radiusA + pair.radiusB + margin;
  let touch = CAST_TOUCH_ULPS * EPSILON;
  var result: ImpactResult;
  var isInside = false;
  // The bodies as they meet.
  var atImpact = pair;
  var touching: Touch;
  var isStanding = false;
  if (isStart) {
    let stand = signedDistance(pair, margin + touch, PLANAR_STAGE_SAT, 0u);
    let separation = stand.lower - margin;
    result.iterations = stand.iterations;
    isInside = separation <= touch;
    result.isInside = isInside;
    result.separation = separation;
    result.standing = stand.normal;
    isStanding = isInside && (!isMoving || separation >= -touchTolerance);
    if (isStanding) {
      touching = standTouch(stand);
      result.normal = stand.normal;
      result.point = touchPoint(pair, stand.onA, stand.onB, stand.normal, pair.radiusA + pair.radiusB + stand.lower);
      if (isRotating && separation >= -touchTolerance && !isResting) {
        return result;
      }
    }
  }
  if (!isMoving || (isRotating && !isInside)) {
    result.state = select(PLANAR_IMPACT_NONE, PLANAR_IMPACT_MET, isStanding);
    return result;
  }
  if (!isStanding) {
    let circles = approach(vec3f(pair.translation, 0.0), vec3f(direction, 0.0), size + margin);
    let first = select(select(-PLANAR_IMPACT_PAD, 0.0, isStart), circles.entry - PLANAR_IMPACT_PAD, isInside);
    let last = select(end, PLANAR_IMPACT_FAR, isInside);
    var found: CastResult;
    var isOpen = true;
    if (stage == PLANAR_STAGE_VELOCITY_EPA) {
      found = crossCores(pair, direction, targetDistance, touchTolerance);
      result.iterations += found.iterations;
      isOpen = found.state != PLANAR_CAST_MET && (isInside || found.state != PLANAR_CAST_MISSED);
    }
    if (isOpen) {
      found = castCores(pair, direction, first, last, targetDistance);
      result.iterations += found.iterations;
    }
    // Bodies that overlap at the start have met before. Bodies that are apart meet after it.
    result.travelled = select(max(found.travelled, 0.0), min(found.travelled, 0.0), isInside);
    result.normal = found.normal;
    if (found.state == PLANAR_CAST_MISSED || found.travelled > last || found.travelled < first - 0.5 * touch) {
      return result;
    }
    if (found.state != PLANAR_CAST_MET && found.distance - targetDistance > acceptedGap()) {
      result.state = PLANAR_IMPACT_OPEN;
      return result;
    }
    atImpact = movedBy(pair, direction, found.travelled);
    let cores = simplexPoints(atImpact, found.simplex);
    touching = Touch(found.normal, found.direction, found.distance, cores.onA, cores.onB, found.simplex.a.id);
    result.point = touchPoint(pair, cores.onA, cores.onB, found.direction, targetDistance);
  }
  let face = impactNormal(
    atImpact, direction, max(end - result.travelled, 0.0), targetDistance, touchTolerance, touching, !isStanding
  );
  result.normal = face.normal;
  // Bodies that overlap by more than the tolerance don't pass.
  result.state = select(PLANAR_IMPACT_MET, PLANAR_IMPACT_NONE, face.isPassing && (isStanding || !isInside));
  return result;
}

fn standTouch(stand: Answer) -> Touch {
  return Touch(stand.normal, stand.normal, 0.0, stand.onA, stand.onB, stand.corners);
}

// The point on A's surface between two points of the cores, about `targetDistance` apart along the unit vector
// `towards`. The gap that rounding left is shared by both surfaces.
fn touchPoint(pair: PlanarPair, onA: vec2f, onB: vec2f, towards: vec2f, targetDistance: f32) -> vec2f {
  return 0.5 * (onA + onB) + towards * (pair.radiusA - 0.5 * targetDistance);
}
