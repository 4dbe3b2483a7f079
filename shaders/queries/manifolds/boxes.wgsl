// The manifold of a pair of boxes that are not rounded.

import package::shared::pair::{Pair};
import package::shared::shapes::{Shape};
import package::shared::results::{Manifold};
import package::contact-face::{contactFace};
import package::box-manifold::{boxManifold};
import package::queries::manifolds::contact::{ContactPoint};
import package::queries::manifolds::result::{contactFrame, manifoldOf};

fn boxManifoldOfContact(
  pair: Pair, shapeA: Shape, shapeB: Shape, contact: ContactPoint, callersMargin: f32
) -> Manifold {
  let frame = contactFrame(pair, shapeA, shapeB, contact, callersMargin);
  // Not in a loop: so the compiler still knows that a box's face has four vertices.
  let faceA = contactFace(shapeA, pair.coreA, pair.radiusA, frame.normal, 1.0, frame.rotationA, frame.offsetA);
  let faceB = contactFace(shapeB, pair.coreB, pair.radiusB, frame.directionB, -1.0, frame.rotationB, frame.offsetB);
  let chosen = boxManifold(faceA, faceB, frame.distance, frame.margin, frame.size);
  return manifoldOf(pair, contact, frame, faceA, faceB, chosen);
}
