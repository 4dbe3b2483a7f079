// When two convex bodies of the plane in straight motion meet.
//
// Where they stand apart as the motion begins, a search along the relative motion, by casts or by velocity EPA. Where
// they overlap, the same from before the start, to see when they met. Bodies that touch and part, or slide along each
// other, or never overlap by more than `slack`, do not meet: signed distances tell them, and the normals that separate
// them.

import package::shared::constants::{CAST_TOUCH_ULPS};
import package::shared::math::{EPSILON};
import package::approach::{approach};
import package::planar::cast::{CastResult, castCores, movedBy, PLANAR_CAST_MET, PLANAR_CAST_MISSED};
import package::planar::facing::{Touch, facing};
import package::planar::pair::{PlanarPair};
import package::planar::queries::signed-distance::{Answer, signedDistance, simplexPoints, PLANAR_RUNG_SAT};
import package::planar::queries::pair-unit::{acceptedGap};
import package::planar::velocity-epa::{crossCores};

// How the search ended.
const PLANAR_IMPACT_NONE: u32 = 0u;
const PLANAR_IMPACT_MET: u32 = 1u;
const PLANAR_IMPACT_OPEN: u32 = 2u;  // rounding or the iteration limit ended it; `path` is a bound

struct ImpactResult {
  state: u32,
  iterations: u32,
  // How far B has gone when they meet, from where the pair has it; negative: how far it has come since. Of an open
  // search a bound.
  path: f32,
  // Unit vector from A to B, in A's frame.
  normal: vec2f,
  // Where they touch, in A's frame; of an open search nothing.
  point: vec2f,
  // Whether they overlap or touch as the motion begins, and then how far they are apart, and the normal that has it.
  isInside: bool,
  room: f32,
  standing: vec2f,
}

// In the pair's unit: how far before the bounding circles meet a way starts, and longer than any way is.
const PLANAR_IMPACT_PAD: f32 = 0.01;
const PLANAR_IMPACT_FAR: f32 = 1000.0;
// Where `RUNG` has velocity EPA look first.
const PLANAR_RUNG_VELOCITY_EPA: u32 = 4u;

// B moves along the unit vector `along`, in A's frame, up to `end`. Bodies meet where they are `margin` apart; `size`
// is the sum of their bounding radii. `isStart`: the pair stands as the motion begins, and may overlap; otherwise the
// bounding circles touch. `isMoving`: there is a straight motion; `isTurning`: whether they overlap by more than
// `slack` is all that is asked for, and whether they touch if all the same hardly anything moves, `isResting`.
fn impact(
  pair: PlanarPair, along: vec2f, end: f32, margin: f32, size: f32, isStart: bool, isMoving: bool, isTurning: bool,
  isResting: bool, slack: f32, rung: u32
) -> ImpactResult {
  let reach = pair.radiusA + pair.radiusB + margin;
  let touch = CAST_TOUCH_ULPS * EPSILON;
  var result: ImpactResult;
  var isInside = false;
  // As they meet.
  var met = pair;
  var touching: Touch;
  var isStanding = false;
  if (isStart) {
    let stand = signedDistance(pair, margin + touch, PLANAR_RUNG_SAT, 0u);
    let room = stand.lower - margin;
    result.iterations = stand.iterations;
    isInside = room <= touch;
    result.isInside = isInside;
    result.room = room;
    result.standing = stand.normal;
    isStanding = isInside && (!isMoving || room >= -slack);
    if (isStanding) {
      touching = standTouch(stand);
      result.normal = stand.normal;
      result.point = touchPoint(pair, stand.onA, stand.onB, stand.normal, pair.radiusA + pair.radiusB + stand.lower);
      if (isTurning && room >= -slack && !isResting) {
        return result;
      }
    }
  }
  if (!isMoving || (isTurning && !isInside)) {
    result.state = select(PLANAR_IMPACT_NONE, PLANAR_IMPACT_MET, isStanding);
    return result;
  }
  if (!isStanding) {
    let circles = approach(vec3f(pair.translation, 0.0), vec3f(along, 0.0), size + margin);
    let first = select(select(-PLANAR_IMPACT_PAD, 0.0, isStart), circles.entry - PLANAR_IMPACT_PAD, isInside);
    let last = select(end, PLANAR_IMPACT_FAR, isInside);
    var found: CastResult;
    var isOpen = true;
    if (rung == PLANAR_RUNG_VELOCITY_EPA) {
      found = crossCores(pair, along, reach, slack);
      result.iterations += found.iterations;
      isOpen = found.state != PLANAR_CAST_MET && (isInside || found.state != PLANAR_CAST_MISSED);
    }
    if (isOpen) {
      found = castCores(pair, along, first, last, reach);
      result.iterations += found.iterations;
    }
    // What they have met before is met by then. If they are apart as the way starts it is past.
    result.path = select(max(found.path, 0.0), min(found.path, 0.0), isInside);
    result.normal = found.normal;
    if (found.state == PLANAR_CAST_MISSED || found.path > last || found.path < first - 0.5 * touch) {
      return result;
    }
    if (found.state != PLANAR_CAST_MET && found.distance - reach > acceptedGap()) {
      result.state = PLANAR_IMPACT_OPEN;
      return result;
    }
    met = movedBy(pair, along, found.path);
    let cores = simplexPoints(met, found.simplex);
    touching = Touch(found.normal, found.direction, found.distance, cores.onA, cores.onB, found.simplex.a.id);
    result.point = touchPoint(pair, cores.onA, cores.onB, found.direction, reach);
  }
  let face = facing(met, along, max(end - result.path, 0.0), reach, slack, touching, !isStanding);
  result.normal = face.normal;
  // What overlaps by more than the slack doesn't pass.
  result.state = select(PLANAR_IMPACT_MET, PLANAR_IMPACT_NONE, face.isPassing && (isStanding || !isInside));
  return result;
}

fn standTouch(stand: Answer) -> Touch {
  return Touch(stand.normal, stand.normal, 0.0, stand.onA, stand.onB, stand.corners);
}

// The point on A's surface between two points of the cores that are about `reach` apart, towards each other along a
// unit vector, or in one place. What rounding left between the surfaces is shared by both.
fn touchPoint(pair: PlanarPair, onA: vec2f, onB: vec2f, towards: vec2f, reach: f32) -> vec2f {
  return 0.5 * (onA + onB) + towards * (pair.radiusA - 0.5 * reach);
}
