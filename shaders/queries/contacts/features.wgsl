// The features that a contact lies on: read off the shapes and the normal, whichever algorithm found it.

import package::shared::adapter::{bodiesOf};
import package::shared::pair::{Pair};
import package::shared::shapes::{Shape};
import package::feature::{feature};

// A's and B's, for a normal in A's frame.
fn contactFeatures(pair: Pair, shapeA: Shape, shapeB: Shape, normal: vec3f) -> vec2u {
  // In a loop: compilers inline every call.
  var shape = shapeA;
  var core = pair.coreA;
  var direction = normal;
  var features = vec2u(0u);
  let bodies = bodiesOf(pair);
  for (var side = 0u; side < bodies; side++) {
    features = vec2u(features.y, feature(shape, core, direction));
    shape = shapeB;
    core = pair.coreB;
    direction = -normal * pair.rotation;
  }
  return features;
}
