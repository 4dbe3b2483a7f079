// The manifold of a pair of boxes that are not rounded.

import package::shared::constants::{MANIFOLD_LEVEL, MANIFOLD_NOISE_ULPS};
import package::shared::math::{EPSILON};
import package::shared::pair::{Pair, toWorld};
import package::shared::shapes::{Shape};
import package::shared::results::{Manifold, INFO_HAS_POINTS, INFO_POINTS_SHIFT};
import package::box-manifold::{BoxContact, boxManifold};
import package::box-manifold::choose::{ChosenKeys, RelativeCorners, isWitness, placeAround};
import package::box-manifold::faces::{boxFaceAlong, facesInShares, sharesOf};
import package::box-manifold::keys::{featureOf, idOf, nameOf};
import package::queries::manifolds::contact::{ContactPoint, noPoints};
import package::queries::manifolds::frame::{contactFrame};

// What is needed of the faces and the contact after the choice, in the caller's unit.
struct BoxPlaces {
  // The region's middle and columns in world axes, from A's position.
  origin: vec3f,
  p: vec3f,
  q: vec3f,
  // The distance at the region's middle, and how it grows with s and t.
  distance: vec3f,
  margin: f32,
  // Differences of distances up to this are rounding.
  noise: f32,
  // Whether the subject is B's face.
  isB: bool,
  // See BoxFace.
  verticesA: u32,
  verticesB: u32,
}

fn boxManifoldOfContact(
  pair: Pair, shapeA: Shape, shapeB: Shape, contact: ContactPoint, callersMargin: f32
) -> Manifold {
  let frame = contactFrame(pair, shapeA, shapeB, contact, callersMargin);
  let faceA = boxFaceAlong(pair.coreA.halfExtents, frame.normal, frame.rotationA, frame.offsetA);
  let faceB = boxFaceAlong(pair.coreB.halfExtents, frame.directionB, frame.rotationB, frame.offsetB);
  var subject = faceA;
  var region = faceB;
  if (faceA.isArea) {
    subject = faceB;
    region = faceA;
  }
  let faces = facesInShares(subject, region, faceA.isArea);
  let u = toWorld(pair, frame.fromFrame[0]);
  let toCaller = mat3x3f(u, cross(contact.normal, u), contact.normal) * pair.unit;
  let places = BoxPlaces(
    contact.onA + toCaller * region.origin, toCaller * region.p, toCaller * region.q,
    faces.distance * pair.unit, frame.margin * pair.unit, MANIFOLD_NOISE_ULPS * EPSILON * pair.unit,
    faces.isB, faceA.vertices, faceB.vertices
  );
  // The contact's own point is the origin of u, v, h.
  let witness = sharesOf(region, -region.origin.xy);
  var around: RelativeCorners;
  let chosen = boxManifold(
    faces, BoxContact(frame.distance, frame.margin, MANIFOLD_LEVEL * frame.size, witness), &around
  );
  return placedPoints(contact, places, around, chosen);
}

fn placedPoints(contact: ContactPoint, places: BoxPlaces, around: RelativeCorners, chosen: ChosenKeys) -> Manifold {
  var result = noPoints(contact);
  result.info |= INFO_HAS_POINTS | (chosen.count << INFO_POINTS_SHIFT);
  var deepest = 0u;
  var depth = 0.0;
  for (var i = 0u; i < chosen.count; i++) {
    let key = chosen.keys[i];
    let at = around.origin + placeAround(around, key);
    var distance = places.distance.x + dot(places.distance.yz, at);
    var position = places.origin + places.p * at.x + places.q * at.y;
    if (!places.isB) {
      // The region is B's face.
      position -= contact.normal * distance;
    }
    if (isWitness(key)) {
      distance = contact.distance;
      position = contact.onA;
    }
    let isDeeper = i == 0u || distance < depth - places.noise;
    deepest = select(deepest, i, isDeeper);
    depth = select(depth, distance, isDeeper);
    // The distance exceeds the margin only by rounding.
    let placed = vec4f(position, min(distance, places.margin));
    let code = select(nameOf(key), idOf(key), chosen.areAlike);
    let feature = featureOf(code, places.verticesA, places.verticesB, places.isB);
    // Not an array with a variable index: compilers keep such arrays out of registers.
    if (i == 0u) {
      result.point0 = placed;
      result.features.x = feature;
    } else if (i == 1u) {
      result.point1 = placed;
      result.features.y = feature;
    } else if (i == 2u) {
      result.point2 = placed;
      result.features.z = feature;
    } else {
      result.point3 = placed;
      result.features.w = feature;
    }
  }
  return deepestFirst(result, deepest);
}

// Moves a point to the front. The others remain in order.
fn deepestFirst(points: Manifold, deepest: u32) -> Manifold {
  let isPast = vec3u(deepest) >= vec3u(1u, 2u, 3u);
  var result = points;
  result.point0 = select(points.point0, points.point1, isPast.x);
  result.point0 = select(result.point0, points.point2, isPast.y);
  result.point0 = select(result.point0, points.point3, isPast.z);
  result.point1 = select(points.point1, points.point0, isPast.x);
  result.point2 = select(points.point2, points.point1, isPast.y);
  result.point3 = select(points.point3, points.point2, isPast.z);
  let features = points.features;
  result.features = vec4u(
    select(select(select(features.x, features.y, isPast.x), features.z, isPast.y), features.w, isPast.z),
    select(features.yzw, features.xyz, isPast)
  );
  return result;
}
