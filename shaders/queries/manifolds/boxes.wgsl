// The manifold of a pair of boxes that are not rounded.

import package::shared::constants::{
  MANIFOLD_DEPTH_ULPS, MANIFOLD_LEVEL, MANIFOLD_SAME_ULPS, MANIFOLD_WITNESS_RADIUS
};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair};
import package::shared::shapes::{Shape};
import package::shared::results::{Manifold};
import package::box-manifold::{offerBoxCorners};
import package::contact-face::{contactFace};
import package::corners::choose::{chooseCorners};
import package::manifold::witness-point::{addWitness, needsWitness};
import package::queries::manifolds::contact::{ContactPoint};
import package::queries::manifolds::result::{contactFrame, manifoldOf};

fn boxManifoldOfContact(
  pair: Pair, shapeA: Shape, shapeB: Shape, contact: ContactPoint, callersMargin: f32
) -> Manifold {
  let frame = contactFrame(pair, shapeA, shapeB, contact, callersMargin);
  // Not in a loop: so the compiler still knows that a box's face has four vertices.
  let faceA = contactFace(shapeA, pair.coreA, pair.radiusA, frame.normal, 1.0, frame.rotationA, frame.offsetA);
  let faceB = contactFace(shapeB, pair.coreB, pair.radiusB, frame.directionB, -1.0, frame.rotationB, frame.offsetB);
  offerBoxCorners(faceA, faceB, frame.margin);
  let depthTolerance = MANIFOLD_DEPTH_ULPS * EPSILON;
  let level = MANIFOLD_LEVEL * frame.size;
  let isWitnessNeeded = needsWitness(frame.distance, depthTolerance, level, depthTolerance);
  if (isWitnessNeeded) {
    addWitness(faceA, faceB, frame.distance, MANIFOLD_WITNESS_RADIUS);
  }
  let chosen = chooseCorners(select(level, 0.5 * depthTolerance, isWitnessNeeded), MANIFOLD_SAME_ULPS * EPSILON);
  return manifoldOf(pair, contact, frame, faceA, faceB, chosen);
}
