// Up to four points that can hold a contact: the region where the contact faces of both shapes lie over each other,
// seen along the contact normal, reduced to a deepest corner and the corners that make the widest quadrilateral with
// it.
//
//   1. Corners of the region: manifold/clip.wgsl; of two lines: manifold/lines.wgsl. A face that another one touches
//      along an edge is a line, too: manifold/edge-lines.wgsl.
//   2. If no corner is as deep as the contact, a deeper point. That happens if the faces do not extend to the contact
//      (edges and tips), or if round shapes bend away. The point is a peak, or else the contact's own point:
//      manifold/witness-point.wgsl.
//   3. Up to four of the corners: corners/choose.wgsl.
//   4. Features: manifold/features.wgsl.
//
// A corner is known by a name, which becomes its feature: A's vertex if one is there or very near, then B's vertex,
// then the two edges. So bodies that move very slightly, with vertices on vertices or on edges, keep their features.

import package::shared::constants::{
  GREATEST_DISTANCE, MANIFOLD_CURVED_DEPTH, MANIFOLD_CURVED_SAME, MANIFOLD_DEPTH_ULPS, MANIFOLD_LEVEL,
  MANIFOLD_LINE_LEVEL, MANIFOLD_WITNESS_RADIUS, MANIFOLD_SAME_ULPS, MANIFOLD_TIE_ULPS
};
import package::shared::math::{EPSILON};
import package::contact-face::face::{ContactFace, exchangeFaces, faceVertexNumber};
import package::corners::{ChosenCorners, addCorner, cornerCount, cornerNames, removeCorner};
import package::corners::choose::{chooseCorners};
import package::manifold::clip::{addCorners, clipEdge, placeOver};
import package::manifold::edge-lines::{TwoLines, becomeLine, linesAtEdges};
import package::manifold::ids::{MANIFOLD_VERTEX};
import package::manifold::lines::{addLineCorners, lineOf};
import package::manifold::witness-point::{addWitness, needsWitness};

// The origin of the faces' frame is the contact's point on A; `distance` is the contact's. `margin` and `size`, the sum
// of the bounding radii, are in the pair's unit. Points of curved pairs that are very near each other count once.
// `bodies` is bodiesOf the pair. A face that is touched along an edge becomes that edge's line.
fn manifold(
  a: ptr<function, ContactFace>, b: ptr<function, ContactFace>, distance: f32, margin: f32, size: f32, isCurved: bool,
  bodies: u32
) -> ChosenCorners {
  let maxDistance = margin + MANIFOLD_TIE_ULPS * EPSILON;
  let level = MANIFOLD_LEVEL * size;
  cornerCount = 0u;
  var areLines = (*a).count == 2u && (*b).count == 2u;
  var lines = TwoLines(areLines, lineOf(*a), lineOf(*b));
  if (!areLines) {
    lines = linesAtEdges(a, b, distance, isCurved, bodies);
  }
  if (lines.areThere) {
    addLineCorners(lines.a, lines.b, maxDistance, select(level, GREATEST_DISTANCE, areLines));
    if (!areLines && cornerCount == 2u) {
      areLines = true;
      becomeLine(a, lines.a);
      becomeLine(b, lines.b);
    }
  }
  if (!areLines) {
    cornerCount = 0u;
    // The edges of one face against the other face; if both are areas, then the vertices of the other against the one.
    // In a loop, because compilers inline every call. `a` is the subject, and `b` the region.
    let rounds = select(0u, 1u, (*a).isArea) + select(0u, 1u, (*b).isArea);
    var isB = (*a).isArea;
    exchangeFaces(a, b, isB);
    for (var round = 0u; round < rounds; round++) {
      addCorners(*a, *b, isB, round == 0u, maxDistance);
      exchangeFaces(a, b, true);
      isB = !isB;
    }
    exchangeFaces(a, b, isB);
  }
  let depthTolerance = select(MANIFOLD_DEPTH_ULPS * EPSILON, MANIFOLD_CURVED_DEPTH, isCurved);
  let levelOfTwo = select(depthTolerance, MANIFOLD_LINE_LEVEL * size, areLines && isCurved);
  let isWitnessNeeded = needsWitness(distance, depthTolerance, level, levelOfTwo);
  if (isWitnessNeeded && !addPeaks(a, b, min(distance + depthTolerance, maxDistance), bodies)) {
    addWitness(*a, *b, distance, select(MANIFOLD_WITNESS_RADIUS, MANIFOLD_CURVED_SAME, isCurved));
  }
  let same = select(MANIFOLD_SAME_ULPS * EPSILON, MANIFOLD_CURVED_SAME, isCurved);
  return chooseCorners(select(level, 0.5 * depthTolerance, isWitnessNeeded), same);
}

// Adds the peak of either face, B's first, if the distance there is at most `most`.
fn addPeaks(a: ptr<function, ContactFace>, b: ptr<function, ContactFace>, most: f32, bodies: u32) -> bool {
  var isB = false;
  var isFound = false;
  for (var side = 0u; side < bodies && !isFound; side++) {
    exchangeFaces(a, b, true);
    isB = !isB;
    isFound = addPeak(*a, *b, isB, most);
  }
  exchangeFaces(a, b, isB);
  return isFound;
}

// Adds the face's peak if it is over the other face and the distance there is at most `most`. The peak replaces the
// vertex that it stands for.
fn addPeak(subject: ContactFace, region: ContactFace, isB: bool, most: f32) -> bool {
  if (!subject.hasPeak || !region.isArea) {
    return false;
  }
  let place = placeOver(region, subject.peak, isB);
  if (place.w > most || !clipEdge(region, subject.peak, subject.peak, false).isOver) {
    return false;
  }
  let id = select(0u, MANIFOLD_VERTEX, isB) + subject.count;
  for (var i = cornerCount; i > 0u; i--) {
    let name = cornerNames[i - 1u];
    let isOfSubject = (name ^ id) < MANIFOLD_VERTEX;
    if (isOfSubject && faceVertexNumber(subject, name & (MANIFOLD_VERTEX - 1u)) == subject.peakNumber) {
      removeCorner(i - 1u);
    }
  }
  addCorner(place, id, id, 0.0);
  return true;
}
