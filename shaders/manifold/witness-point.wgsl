// The contact's own point as a corner of the manifold, for contacts that are deeper than all corners.

import package::shared::constants::{MANIFOLD_RIM_RADIUS};
import package::shared::shapes::{CORE_HULL};
import package::contact-face::face::{contactFaces, faceVertex};
import package::corners::{addCorner, cornerCount, cornerDistances, cornerNames, cornerPlaces, removeCorner};
import package::manifold::ids::{MANIFOLD_VERTEX, MANIFOLD_WITNESS, NO_EDGE};

// Whether another point is needed, because no corner is as deep as the contact. None is needed if all of several
// corners are nearly as deep, by `level`, or by `levelOfTwo` if there are two: the contact point of a round shape
// wanders while the shape is at rest.
fn needsWitness(distance: f32, depthTolerance: f32, level: f32, levelOfTwo: f32) -> bool {
  if (cornerCount == 0u) {
    return true;
  }
  var isDeeper = true;
  var areLevel = true;
  for (var i = 0u; i < cornerCount; i++) {
    let ofCorner = cornerDistances[i];
    isDeeper &= ofCorner > distance + depthTolerance;
    areLevel &= !(ofCorner > distance + select(level, levelOfTwo, cornerCount == 2u));
  }
  return isDeeper && !(cornerCount > 1u && areLevel);
}

// Adds the contact's own point, which is the origin. Its name is that of a corner within `radius`, which it replaces,
// or else of a nearby vertex of either face or a peak.
fn addWitness(distance: f32, radius: f32) {
  var name = MANIFOLD_WITNESS;
  var nearest = radius * radius;
  var replaced = NO_EDGE;
  for (var i = 0u; i < cornerCount; i++) {
    let place = cornerPlaces[i];
    if (dot(place, place) < nearest) {
      nearest = dot(place, place);
      replaced = i;
    }
  }
  if (replaced != NO_EDGE) {
    name = cornerNames[replaced];
    removeCorner(replaced);
  }
  for (var side = 0u; side < 2u && name == MANIFOLD_WITNESS; side++) {
    let face = contactFaces[side];
    // The fixed points of a rim are no better than any other of its points.
    let first = select(0u, face.count, face.kind > CORE_HULL && face.hasPeak);
    for (var i = first; i < face.count + select(0u, 1u, face.hasPeak); i++) {
      var at = face.peak.xy;
      var least = nearest;
      if (i < face.count) {
        at = faceVertex(face, i).xy;
      } else if (name == MANIFOLD_WITNESS && face.kind > CORE_HULL) {
        least = MANIFOLD_RIM_RADIUS * MANIFOLD_RIM_RADIUS;
      }
      if (dot(at, at) < least) {
        nearest = dot(at, at);
        name = side * MANIFOLD_VERTEX + i;
      }
    }
  }
  addCorner(vec4f(vec3f(0.0), distance), MANIFOLD_WITNESS, name, 0.0);
}
