// Separating axis test of two polygons in one round. The edges of the Minkowski difference are those of B and, turned about, of A, in the order of
// their angles; going round it, each of its corners is known from the one before, so that no support has to be searched for but the first.
//
// That order is asked of cross products of normals, which says nothing of normals half a turn apart: no edge of either may turn from the one before by nearly as
// much. Plump polygons are such; thin ones are left to sat.wgsl. Edges that are parallel to rounding may come in either order: the corner between them
// is then off by their length times the rounding.

import package::shared::constants::{PLANAR_FACE_BIAS_ULPS};
import package::shared::math::{EPSILON};
import package::planar::math::{cross2, rotate, rotateBack};
import package::planar::pair::{PlanarPair, fromB};
import package::planar::support::{Corner, corner, cornerAfter, edgeCount, support};

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

// Whether all of a kernel's pairs are of plump polygons: then the other way is no part of it.
override ARE_PLUMP: bool = false;

fn takesSweep(pair: PlanarPair) -> bool {
  return ARE_PLUMP || (pair.coreA.isPlump && pair.coreB.isPlump);
}

fn inFrameOfA(pair: PlanarPair, found: Corner) -> Corner {
  return Corner(fromB(pair, found.position), rotate(pair.rotation, found.normal));
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
  var numberB = support(pair.coreB, rotateBack(pair.rotation, -atA.normal));
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
