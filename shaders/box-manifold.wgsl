// The manifold of two sharp boxes, whose contact faces are parallelograms: what manifold.wgsl does, without lists.
//
//      3 ---2--- 2       vertices and edges of a face; in multiples of its columns p and q it is the square
//      |         |       from -1 to 1, and the heights of a point (s, t) over its edges are
//      3    o-p  1
//      |    q    |           1 + t,  1 - s,  1 - t,  1 + s
//      0 ---0--- 1
//
// One face, the region, is the frame: box-manifold/faces.wgsl. A corner is (s, t) there. The other face, the subject,
// is an affine image of its own square. So heights, areas and distances are linear functions of s and t, and nothing
// else of the faces has to be kept in registers.
//
// A corner has one of eight slots: box-manifold/clip.wgsl. Slot i is where edge i of the subject enters the region, or
// the edge's start if that is inside; slot 4 + i is where the edge leaves it. The region's vertices over the subject
// take slots that are free. Slots are vectors and never indexed: corners/eight.wgsl. A corner's name, its id and
// its place in ties are one number, its key: box-manifold/keys.wgsl. So every choice is a least key:
// box-manifold/choose.wgsl.

import package::shared::constants::{
  MANIFOLD_DEPTH_ULPS, MANIFOLD_SAME_ULPS, MANIFOLD_TIE_ULPS, MANIFOLD_WITNESS_RADIUS
};
import package::shared::math::{EPSILON};
import package::box-manifold::choose::{ChosenKeys, DeepCorners, RelativeCorners, chooseBoxCorners};
import package::box-manifold::clip::{BoxCorners, boxCorners};
import package::corners::eight::{
  EightKeys, EightNumbers, LOW_SLOTS, NO_KEY, greatestOf, keyFrom, leastKey, leastOf, leastOfFour, numberIn, slotsUpTo
};
import package::box-manifold::faces::{BoxFaces, CORNER_P, CORNER_Q, squaresOf};
import package::box-manifold::keys::{CODE_OF_B, CODE_WITNESS, NO_CODE, WITNESS_SLOT, keysOf, nameOf};

// The contact, in the pair's unit.
struct BoxContact {
  distance: f32,
  margin: f32,
  // Corners so much less deep than the deepest are as good.
  level: f32,
  // Its own point, in shares of the region.
  witness: vec2f,
}

// The distance of a slot without a corner.
const NO_DISTANCE: f32 = 1e30;

// The keys of up to four points; their places are in `around`, except that of the contact's own point.
fn boxManifold(faces: BoxFaces, contact: BoxContact, around: ptr<function, RelativeCorners>) -> ChosenKeys {
  var corners = boxCorners(faces);
  // Corners beyond the margin are none.
  let distances = distancesUpTo(contact.margin + MANIFOLD_TIE_ULPS * EPSILON, faces.distance, corners);
  let isLow = distances.low < vec4f(NO_DISTANCE);
  let isHigh = distances.high < vec4f(NO_DISTANCE);
  corners.keys = EightKeys(
    select(vec4u(NO_KEY), corners.keys.low, isLow), select(vec4u(NO_KEY), corners.keys.high, isHigh)
  );
  let least = leastOf(distances);
  var deep = DeepCorners(NO_KEY, 0u, countOneBits(slotsUpTo(distances, 0.5 * NO_DISTANCE)), contact.witness);
  if (needsWitness(faces.metric, contact, corners, distances)) {
    let name = witnessName(faces, contact.witness, &corners);
    deep.deepest = keysOf(vec4u(name), vec4u(CODE_WITNESS)).x | WITNESS_SLOT;
  } else {
    deep.deepest = keyUpTo(corners.keys, distances, least);
    deep.slots = slotsUpTo(distances, least + contact.level);
  }
  return chooseBoxCorners(faces, corners, deep, around);
}

// The distance at each corner, or NO_DISTANCE where it would be more than `farthest`.
fn distancesUpTo(farthest: f32, distance: vec3f, corners: BoxCorners) -> EightNumbers {
  let low = distance.x + distance.y * corners.s.low + distance.z * corners.t.low;
  let high = distance.x + distance.y * corners.s.high + distance.z * corners.t.high;
  return EightNumbers(
    select(vec4f(NO_DISTANCE), low, (corners.keys.low != vec4u(NO_KEY)) & (low <= vec4f(farthest))),
    select(vec4f(NO_DISTANCE), high, (corners.keys.high != vec4u(NO_KEY)) & (high <= vec4f(farthest)))
  );
}

fn keyUpTo(keys: EightKeys, numbers: EightNumbers, most: f32) -> u32 {
  return keyFrom(keys, EightNumbers(-numbers.low, -numbers.high), -most);
}

// Whether the contact's own point is needed: see manifold/witness-point.wgsl. Two corners that are less deep than the
// contact are never enough for a pair of boxes.
fn needsWitness(metric: vec3f, contact: BoxContact, corners: BoxCorners, distances: EightNumbers) -> bool {
  let level = vec4f(contact.distance + contact.level);
  let none = vec4f(NO_DISTANCE);
  let areLevel = all((distances.low <= level) | (distances.low == none)) &&
      all((distances.high <= level) | (distances.high == none));
  return leastOf(distances) > contact.distance + MANIFOLD_DEPTH_ULPS * EPSILON &&
      !(areLevel && areMoreThanTwo(metric, corners));
}

// Whether more than two corners are apart by more than MANIFOLD_SAME_ULPS. Beside a vertex, two crossings may be one.
fn areMoreThanTwo(metric: vec3f, corners: BoxCorners) -> bool {
  let same = MANIFOLD_SAME_ULPS * EPSILON;
  let first = leastKey(corners.keys);
  let ofFirst = squaresFrom(metric, corners, vec2f(numberIn(corners.s, first), numberIn(corners.t, first)), 0.0);
  let second = keyFrom(corners.keys, ofFirst, greatestOf(ofFirst));
  let ofSecond = squaresFrom(metric, corners, vec2f(numberIn(corners.s, second), numberIn(corners.t, second)), 0.0);
  return greatestOf(EightNumbers(min(ofFirst.low, ofSecond.low), min(ofFirst.high, ofSecond.high))) > same * same;
}

// Squared distances of corners from a place, or `none` in slots without a corner.
fn squaresFrom(metric: vec3f, corners: BoxCorners, place: vec2f, none: f32) -> EightNumbers {
  return EightNumbers(
    select(
      vec4f(none), squaresOf(metric, corners.s.low - place.x, corners.t.low - place.y),
      corners.keys.low != vec4u(NO_KEY)
    ),
    select(
      vec4f(none), squaresOf(metric, corners.s.high - place.x, corners.t.high - place.y),
      corners.keys.high != vec4u(NO_KEY)
    )
  );
}

// The name of the contact's own point: that of the nearest corner within MANIFOLD_WITNESS_RADIUS, which it replaces, or
// that of the nearest vertex of A's face or else of B's.
fn witnessName(faces: BoxFaces, witness: vec2f, corners: ptr<function, BoxCorners>) -> u32 {
  let radius = MANIFOLD_WITNESS_RADIUS * MANIFOLD_WITNESS_RADIUS;
  let far = squaresFrom(faces.metric, *corners, witness, NO_DISTANCE);
  let nearest = leastOf(far);
  let keys = (*corners).keys;
  if (nearest < radius) {
    let replaced = keyUpTo(keys, far, nearest);
    // And with it, others of the same place.
    let same = vec4f(4.0 * MANIFOLD_SAME_ULPS * MANIFOLD_SAME_ULPS * EPSILON * EPSILON);
    (*corners).keys = EightKeys(
      select(keys.low, vec4u(NO_KEY), (keys.low == vec4u(replaced)) | (far.low <= same)),
      select(keys.high, vec4u(NO_KEY), (keys.high == vec4u(replaced)) | (far.high <= same))
    );
    return nameOf(replaced);
  }
  let ofRegion = squaresOf(faces.metric, CORNER_P - witness.x, CORNER_Q - witness.y);
  let ofSubject = squaresOf(
    faces.metric,
    faces.middle.x + faces.p.x * CORNER_P + faces.q.x * CORNER_Q - witness.x,
    faces.middle.y + faces.p.y * CORNER_P + faces.q.y * CORNER_Q - witness.y
  );
  let ofA = nearestOf(select(ofSubject, ofRegion, faces.isB), radius);
  let ofB = nearestOf(select(ofRegion, ofSubject, faces.isB), radius);
  return min(min(ofA, CODE_OF_B | ofB), CODE_WITNESS);
}

// The number of the least of four squares, or NO_CODE if that is not less than `most`.
fn nearestOf(squares: vec4f, most: f32) -> u32 {
  let least = min(min(squares.x, squares.y), min(squares.z, squares.w));
  return select(NO_CODE, leastOfFour(select(vec4u(NO_CODE), LOW_SLOTS, squares == vec4f(least))), least < most);
}
