// Separating axis test of two polygons in one round. The edges of the Minkowski difference are those of B and, turned
// about, of A, in the order of their angles; going round it, each of its corners is known from the one before, so that
// no support has to be searched for.
//
// Cross products of normals give that order, but not for normals that are half a turn apart. So no edge of either
// polygon may turn by nearly half a turn from the edge before it: the polygon has wide angles. Others are left to
// sat.wgsl. Edges that are parallel to rounding may come in either order: the corner between them is then off by their
// length times the rounding.

import package::shared::constants::{PLANAR_FACE_BIAS_ULPS};
import package::shared::math::{EPSILON};
import package::planar::math::{cross2, rotate, rotateBack};
import package::planar::pair::{PlanarPair, fromB};
import package::planar::shapes::{PlanarCore};
import package::planar::support::{Corner, corner, cornerAfter, edgeCount};

struct SatResult {
  // Greatest over all normals.
  separation: f32,
  // Unit vector from A to B, in A's frame.
  normal: vec2f,
  // The edge whose normal that is, and the other core's corner that is nearest to it.
  edge: u32,
  corner: u32,
  isOfB: bool,
}

// Whether the polygons of all of a kernel's pairs have wide angles. The kernel is then compiled without the other way.
override HAVE_WIDE_ANGLES: bool = false;

fn takesSweep(pair: PlanarPair) -> bool {
  return HAVE_WIDE_ANGLES || (pair.coreA.hasWideAngles && pair.coreB.hasWideAngles);
}

fn inFrameOfA(pair: PlanarPair, found: Corner) -> Corner {
  return Corner(fromB(pair, found.position), rotate(pair.rotation, found.normal));
}

// The edge of a core whose normal is the first from a unit vector on, counter-clockwise. Told by normals, not by which
// corner is farthest: where corners lie within rounding of each other that may be the wrong one, with edges between
// them that point anywhere. And by where the angles fall back from a whole turn to the least, not by which is the
// least: of edges in one line that may be a later one.
fn firstEdge(core: PlanarCore, direction: vec2f) -> u32 {
  let count = edgeCount(core);
  var first = 0u;
  var most = -1e30;
  var before = turnTo(direction, corner(core, count - 1u).normal);
  for (var i = 0u; i < count; i++) {
    let turn = turnTo(direction, corner(core, i).normal);
    if (before - turn > most) {
      most = before - turn;
      first = i;
    }
    before = turn;
  }
  return first;
}

// In the order of the angle from one unit vector to another, counter-clockwise: from 0 to 4 for a whole turn.
fn turnTo(start: vec2f, end: vec2f) -> f32 {
  let along = dot(start, end);
  return select(3.0 + along, 1.0 - along, cross2(start, end) >= 0.0);
}

fn sweep(pair: PlanarPair) -> SatResult {
  let bias = PLANAR_FACE_BIAS_ULPS * EPSILON;
  let countA = edgeCount(pair.coreA);
  let countB = edgeCount(pair.coreB);
  var best = SatResult(-1e30, vec2f(1.0, 0.0), 0u, 0u, false);
  // The greatest separation so far, of A's edges with the advantage that they have over B's parallel ones.
  var most = -1e30;
  var numberA = 0u;
  var atA = corner(pair.coreA, 0u);
  var numberB = firstEdge(pair.coreB, rotateBack(pair.rotation, -atA.normal));
  var atB = inFrameOfA(pair, corner(pair.coreB, numberB));
  var doneA = 0u;
  var doneB = 0u;
  for (var i = 0u; i < countA + countB; i++) {
    // Whether A's edge, turned about, comes before B's.
    let isOfA = doneB == countB || (doneA < countA && cross2(-atA.normal, atB.normal) >= 0.0);
    let normal = select(-atB.normal, atA.normal, isOfA);
    let separation = dot(normal, atB.position - atA.position);
    let value = separation + select(0.0, bias, isOfA);
    if (value > most) {
      most = value;
      best = SatResult(separation, normal, select(numberB, numberA, isOfA), select(numberA, numberB, isOfA), !isOfA);
    }
    // One way for both, as pairs side by side take different ones.
    var core = pair.coreB;
    var number = numberB;
    if (isOfA) {
      core = pair.coreA;
      number = numberA;
    }
    number = cornerAfter(core, number);
    let next = corner(core, number);
    if (isOfA) {
      atA = next;
      numberA = number;
      doneA += 1u;
    } else {
      atB = inFrameOfA(pair, next);
      numberB = number;
      doneB += 1u;
    }
  }
  return best;
}
