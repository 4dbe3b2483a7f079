// When two convex bodies that translate meet.
//
// One cast along the relative motion. If the bodies are within the target distance at the start, two more casts: one
// backwards from where the bounding spheres part, which tells whether the bodies are about to part, and one from before
// the start, which tells when they met. Bodies that touch and part, that slide along each other, or that never overlap
// by more than the touch tolerance, don't meet.

import package::shared::pair::{Pair};
import package::shared::shapes::{Shape};
import package::queries::pair-unit::{acceptedGap};
import package::queries::surface::{Surface};
import package::queries::witness::{simplexWitness};
import package::approach::{approach};
import package::cast::{castCores, movedBy, touchOf, CAST_MET, CAST_INSIDE, CAST_STALLED};
import package::impact-normal::{impactNormal, isPassing};

// How the search ended.
const IMPACT_NONE: u32 = 0u;
const IMPACT_MET: u32 = 1u;
const IMPACT_OPEN: u32 = 2u;  // rounding or the iteration limit ended it; `travelled` is a bound

struct ImpactResult {
  state: u32,
  iterations: u32,
  // The bodies are within the target distance at the start.
  isInside: bool,
  // The distance that B has travelled from its position in the pair when they meet. Negative if they met before. For an
  // open search a bound.
  travelled: f32,
  // Unit vector from A to B, in A's frame.
  normal: vec3f,
  // Where they touch, in A's frame. Not set by an open search.
  point: vec3f,
}

// In the pair's unit: how far before the bounding spheres meet a cast starts, and a length beyond that of any cast.
const IMPACT_PAD: f32 = 0.01;
const IMPACT_FAR: f32 = 1000.0;

// The casts.
const AHEAD: u32 = 0u;
const BACKWARDS: u32 = 1u;   // from where the bodies part
const FROM_BEFORE: u32 = 2u; // from where they have not met yet

// B moves along the unit vector `direction`, in A's frame, up to `end`. Bodies meet where they are `margin` apart;
// `size` is the sum of their bounding radii. `isStart`: the pair is at the start of the motion, and may overlap;
// otherwise the bounding spheres touch. `isMoving`: B moves; otherwise `direction` is the direction against which an
// overlap is left.
fn impact(
  pair: Pair, shapeA: Shape, shapeB: Shape, direction: vec3f, end: f32, margin: f32, size: f32, isStart: bool,
  isMoving: bool, touchTolerance: f32
) -> ImpactResult {
  let targetDistance = pair.radiusA + pair.radiusB + margin;
  let spheres = approach(pair.translation, direction, size + margin);
  var result: ImpactResult;
  var search = AHEAD;
  // One loop for all casts, as compilers inline every call.
  for (var i = 0u; i < 3u; i++) {
    let castDirection = select(direction, -direction, search == BACKWARDS);
    let first = select(select(spheres.entry, -spheres.exit, search == BACKWARDS) - IMPACT_PAD, 0.0, search == AHEAD);
    let found = castCores(pair, castDirection, first, select(IMPACT_FAR, end, search == AHEAD), targetDistance);
    result.iterations += found.iterations;
    if (found.state == CAST_INSIDE && search == AHEAD) {
      result.isInside = true;
      search = select(FROM_BEFORE, BACKWARDS, isStart && isMoving);
      continue;
    }
    result.state = IMPACT_NONE;
    result.travelled = found.travelled;
    result.normal = found.normal;
    var closing = 0.0;
    if (found.state == CAST_MET || found.state == CAST_STALLED) {
      let moved = movedBy(pair, castDirection, found.travelled);
      let cores = simplexWitness(moved, found.simplex);
      if (found.state == CAST_STALLED && found.distance - targetDistance > acceptedGap(pair)) {
        result.state = IMPACT_OPEN;
      } else {
        let face = impactNormal(moved, shapeA, shapeB, castDirection, targetDistance, touchTolerance, found, cores);
        closing = face.closing;
        result.normal = face.normal;
        result.point = touchPoint(pair, cores, found.nearest / max(found.distance, 1e-30), targetDistance);
        result.state = select(
          IMPACT_MET, IMPACT_NONE, isMoving && isPassing(face, found.travelled, end, touchTolerance)
        );
      }
    }
    if (search == BACKWARDS) {
      // The overlap along the normal along which they part, to within what counts as touching.
      if (result.state == IMPACT_NONE ||
          (result.state == IMPACT_MET && -result.travelled * closing <= touchTolerance + 2.0 * touchOf(pair))) {
        result.state = IMPACT_NONE;
        break;
      }
      search = FROM_BEFORE;
      continue;
    }
    if (search == FROM_BEFORE) {
      if (result.state == IMPACT_OPEN || result.travelled <= 2.0 * touchOf(pair)) {
        // Bodies that overlap have met before, and bodies that touch meet at once.
        result.travelled = min(result.travelled, 0.0);
      } else if (result.travelled > end) {
        // They nearly touch, and slide past each other.
        result.state = IMPACT_NONE;
      }
    }
    break;
  }
  return result;
}

// The point on A's surface between two points of the cores, about `targetDistance` apart. `towards` is the unit vector
// from one to the other, or zero if they coincide. The gap that rounding left is shared by both surfaces.
fn touchPoint(pair: Pair, cores: Surface, towards: vec3f, targetDistance: f32) -> vec3f {
  return 0.5 * (cores.onA + cores.onB) + towards * (pair.radiusA - 0.5 * targetDistance);
}
