// Depth of curved pairs that EPA does not bracket. If a difference is nearly equally near to the origin in many
// directions (concentric balls, coaxial cylinders), no polytope of a hundred faces shows which direction is the
// nearest.
//
// The least height of B - A along any unit vector n is a lower bound of the signed distance, so it is enough to look
// for a better n. EPA's upper bound stays, because it holds for all directions. Steps:
//
//   1. EPA, as usual. If it brackets the depth, steps 2 to 4 are skipped. Where rounding puts the origin outside of its
//      polytope, EPA from another simplex, around the best normal. (The mirror, in double precision, needs no other.)
//   2. Faces that EPA did not expand, axes and faces of both bodies: refine/faces.wgsl.
//   3. Climbing on least heights around the best normal: refine/climb.wgsl.
//   4. EPA on polytopes around the best normal: refine/local-polytope.wgsl.
//   5. GJK with B moved out, if the witness points miss the normal: refine/outside.wgsl, in a kernel of its own,
//      because compile times grow faster than kernels.

import package::shared::constants::{
  REFINE_CENTRE_DISTANCE, REFINE_RESTART_TILT, REFINE_ROUNDS, REFINE_SHRINK, REFINE_TILT
};
import package::shared::pair::{Pair};
import package::shared::shapes::{Shape};
import package::epa::{epa};
import package::epa::search::{EpaResult, EPA_CONVERGED};
import package::polytope::rank::{EVERYWHERE};
import package::refine::climb::{Top, climb};
import package::refine::faces::{tryFaces};
import package::refine::local-polytope::{simplexAround, takeLocal};

// EPA's answer from a simplex, refined if EPA does not bracket the depth.
struct RefinedResult {
  epa: EpaResult,
  isRefined: bool,
}

// `normal` is another normal to start from; `lower` is its least height.
fn refine(
  pair: Pair, shapeA: Shape, shapeB: Shape, simplexIds: array<vec2u, 4>, simplexCount: u32, normal: vec3f, lower: f32
) -> RefinedResult {
  var ids = simplexIds;
  var count = simplexCount;
  // Whether EPA has found the origin inside, and whether it has begun anew because it had not.
  var isInside = false;
  var isRestarted = false;
  var best: EpaResult;
  var tilt = REFINE_TILT;
  var iterations = 0u;
  var witnessed = -1e30;
  // Compilers inline EPA: one call for all rounds keeps the kernel small.
  for (var round = 0u; round <= REFINE_ROUNDS + u32(isRestarted); round++) {
    let isFirst = !isInside;
    let offCentre = select(REFINE_CENTRE_DISTANCE * tilt, EVERYWHERE, isFirst);
    let found = epa(pair, ids, count, best.normal, offCentre);
    iterations += found.iterations;
    if (isFirst) {
      best = found;
      best.iterations = iterations;
      isInside = found.upper < 0.0;
      if (found.state == EPA_CONVERGED || (isRestarted && !isInside)) {
        return RefinedResult(best, false);
      }
      count = 4u;
      isRestarted |= !isInside;
      if (isInside) {
        var start = Top(best.normal, best.lower, 0u);
        if (lower > best.lower) {
          start = Top(normal, lower, 0u);
        }
        let top = climb(pair, tryFaces(pair, shapeA, shapeB, start));
        best.normal = top.normal;
        best.lower = top.height;
        iterations += top.iterations;
      }
    } else {
      witnessed = takeLocal(found, witnessed, &best);
    }
    best.iterations = iterations;
    best.state = EPA_CONVERGED;
    tilt = select(tilt * REFINE_SHRINK, tilt, isFirst);
    ids = simplexAround(pair, best.normal, select(REFINE_RESTART_TILT, tilt, isInside));
  }
  return RefinedResult(best, true);
}
