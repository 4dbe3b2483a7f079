// The manifold of a pair of any shapes.

import package::shared::adapter::{bodiesOf};
import package::shared::pair::{Pair};
import package::shared::shapes::{Shape};
import package::shared::support::{isCurvedPair};
import package::shared::results::{Manifold};
import package::contact-face::{contactFace};
import package::contact-face::face::{contactFaces};
import package::manifold::{manifold};
import package::queries::manifolds::contact::{ContactPoint};
import package::queries::manifolds::frame::{contactFrame};
import package::queries::manifolds::result::{manifoldOf};

fn manifoldOfContact(pair: Pair, shapeA: Shape, shapeB: Shape, contact: ContactPoint, callersMargin: f32) -> Manifold {
  let frame = contactFrame(pair, shapeA, shapeB, contact, callersMargin);
  // In a loop: compilers inline every call.
  var shape = shapeA;
  var core = pair.coreA;
  var radius = pair.radiusA;
  var direction = frame.normal;
  var rotation = frame.rotationA;
  var offset = frame.offsetA;
  var facing = 1.0;
  let bodies = bodiesOf(pair);
  for (var side = 0u; side < bodies; side++) {
    let face = contactFace(shape, core, radius, direction, facing, rotation, offset);
    // With a variable index, compilers for software adapters branch for every lane and every number stored.
    if (side == 0u) {
      contactFaces[0] = face;
    } else {
      contactFaces[1] = face;
    }
    shape = shapeB;
    core = pair.coreB;
    radius = pair.radiusB;
    direction = frame.directionB;
    rotation = frame.rotationB;
    offset = frame.offsetB;
    facing = -1.0;
  }
  let chosen = manifold(frame.distance, frame.margin, frame.size, isCurvedPair(pair), bodies);
  return manifoldOf(pair, contact, frame, chosen);
}
