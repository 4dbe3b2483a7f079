// When two convex bodies in straight motion meet.
//
// One cast along the relative motion. Where the bodies stand within reach of each other as it starts, two more: one
// from the far end of the way backwards, to see whether they are about to part, and one from before the start, to see
// when they met. Bodies that touch and part, or slide along each other, or never overlap by more than `slack`, do not
// meet.

import package::shared::pair::{Pair};
import package::shared::shapes::{Shape};
import package::queries::pair-unit::{acceptedGap};
import package::queries::witness::{Surface, simplexWitness};
import package::approach::{approach};
import package::cast::{castCores, movedBy, touchOf, CAST_MET, CAST_INSIDE, CAST_STALLED};
import package::facing::{facing, isPassing};

// How the search ended.
const IMPACT_NONE: u32 = 0u;
const IMPACT_MET: u32 = 1u;
const IMPACT_OPEN: u32 = 2u;  // rounding or the iteration limit ended it; `path` is a bound

struct ImpactResult {
  state: u32,
  iterations: u32,
  // The pair was within reach to begin with.
  isInside: bool,
  // How far B has gone when they meet, from where the pair has it; negative: how far it has come since. Of an open
  // search a bound.
  path: f32,
  // Unit vector from A to B, in A's frame.
  normal: vec3f,
  // Where they touch, in A's frame; of an open search nothing.
  point: vec3f,
}

// In the pair's unit: how far before the bounding spheres meet a way starts, and longer than any way is.
const IMPACT_PAD: f32 = 0.01;
const IMPACT_FAR: f32 = 1000.0;

// The ways that are looked along.
const AHEAD: u32 = 0u;
const BACKWARDS: u32 = 1u;   // from where the bodies part
const FROM_BEFORE: u32 = 2u; // from where they have not met yet

// B moves along the unit vector `along`, in A's frame, up to `end`. Bodies meet where they are `margin` apart; `size`
// is the sum of their bounding radii. `isStart`: the pair stands as the motion begins, and may overlap; otherwise the
// bounding spheres touch. `isMoving`: there is a motion; otherwise `along` is where to leave an overlap against.
fn impact(
  pair: Pair, shapeA: Shape, shapeB: Shape, along: vec3f, end: f32, margin: f32, size: f32, isStart: bool, isMoving: bool, slack: f32
) -> ImpactResult {
  let reach = pair.radiusA + pair.radiusB + margin;
  let spheres = approach(pair.translation, along, size + margin);
  var result: ImpactResult;
  var way = AHEAD;
  // One loop for all ways: compilers inline every call.
  for (var i = 0u; i < 3u; i++) {
    let direction = select(along, -along, way == BACKWARDS);
    let first = select(select(spheres.entry, -spheres.exit, way == BACKWARDS) - IMPACT_PAD, 0.0, way == AHEAD);
    let found = castCores(pair, direction, first, select(IMPACT_FAR, end, way == AHEAD), reach);
    result.iterations += found.iterations;
    if (found.state == CAST_INSIDE && way == AHEAD) {
      result.isInside = true;
      way = select(FROM_BEFORE, BACKWARDS, isStart && isMoving);
      continue;
    }
    result.state = IMPACT_NONE;
    result.path = found.path;
    result.normal = found.normal;
    var closing = 0.0;
    if (found.state == CAST_MET || found.state == CAST_STALLED) {
      let moved = movedBy(pair, direction, found.path);
      let cores = simplexWitness(moved, found.simplex);
      if (found.state == CAST_STALLED && found.distance - reach > acceptedGap(pair)) {
        result.state = IMPACT_OPEN;
      } else {
        let face = facing(moved, shapeA, shapeB, direction, reach, slack, found, cores);
        closing = face.closing;
        result.normal = face.normal;
        result.point = touchPoint(pair, cores, found.nearest / max(found.distance, 1e-30), reach);
        result.state = select(IMPACT_MET, IMPACT_NONE, isMoving && isPassing(face, found.path, end, slack));
      }
    }
    if (way == BACKWARDS) {
      // How deep they are along the normal that they part by, found to what counts as touching.
      if (result.state == IMPACT_NONE || (result.state == IMPACT_MET && -result.path * closing <= slack + 2.0 * touchOf(pair))) {
        result.state = IMPACT_NONE;
        break;
      }
      way = FROM_BEFORE;
      continue;
    }
    if (way == FROM_BEFORE) {
      if (result.state == IMPACT_OPEN || result.path <= 2.0 * touchOf(pair)) {
        // What they have met before is met by then, and bodies that touch meet at once.
        result.path = min(result.path, 0.0);
      } else if (result.path > end) {
        // Almost in touch, they slide by.
        result.state = IMPACT_NONE;
      }
    }
    break;
  }
  return result;
}

// The point on A's surface between two points of the cores that are about `reach` apart, towards each other along a
// unit vector, or in one place and a vector of no length. What rounding left between the surfaces is shared by both.
fn touchPoint(pair: Pair, cores: Surface, towards: vec3f, reach: f32) -> vec3f {
  return 0.5 * (cores.onA + cores.onB) + towards * (pair.radiusA - 0.5 * reach);
}
