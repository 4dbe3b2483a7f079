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
import package::contact-face::face::{TOUCHING_LINES, contactFaces, faceVertexNumber};
import package::corners::{ChosenCorners, cornerCount, cornerNames, removeCorner};
import package::corners::choose::{chooseCorners};
import package::manifold::clip::{addCorners};
import package::manifold::edge-lines::{areFacesAlongEdges, linesAtEdges};
import package::manifold::ids::{MANIFOLD_VERTEX};
import package::manifold::lines::{addLineCorners};
import package::manifold::witness-point::{addWitness, needsWitness};

// The origin of the faces' frame is the contact's point on A; `distance` is the contact's. `margin` and `size`, the sum
// of the bounding radii, are in the pair's unit. Points of curved pairs that are very near each other count once.
// `bodies` is bodiesOf the pair. A face that is touched along an edge becomes that edge's line.
fn manifold(distance: f32, margin: f32, size: f32, isCurved: bool, bodies: u32) -> ChosenCorners {
  let maxDistance = margin + MANIFOLD_TIE_ULPS * EPSILON;
  let level = MANIFOLD_LEVEL * size;
  let areLines = addCornersOfLines(distance, maxDistance, level, isCurved, bodies);
  let depthTolerance = select(MANIFOLD_DEPTH_ULPS * EPSILON, MANIFOLD_CURVED_DEPTH, isCurved);
  let levelOfTwo = select(depthTolerance, MANIFOLD_LINE_LEVEL * size, areLines && isCurved);
  // The edges of one face against the other face; if both are areas, then the vertices of the other against the one.
  // Then, if the contact is deeper than all corners, the peak of either face, B's first. In one loop, because compilers
  // inline every call.
  let first = select(0u, 1u, contactFaces[0].isArea);
  var isWitnessNeeded = false;
  var isPeakFound = false;
  for (var round = 0u; round < 2u + bodies && !isPeakFound; round++) {
    let isPeak = round >= 2u;
    if (round == 2u) {
      isWitnessNeeded = needsWitness(distance, depthTolerance, level, levelOfTwo);
      if (!isWitnessNeeded) {
        break;
      }
    }
    let number = select(first ^ round, 3u - round, isPeak);
    if (!contactFaces[1u - number].isArea || select(areLines, !contactFaces[number].hasPeak, isPeak)) {
      continue;
    }
    let before = cornerCount;
    addCorners(number, isPeak, round == 0u, select(maxDistance, min(distance + depthTolerance, maxDistance), isPeak));
    isPeakFound = isPeak && cornerCount > before;
    if (isPeakFound) {
      removeVertexOfPeak(number);
    }
  }
  if (isWitnessNeeded && !isPeakFound) {
    addWitness(distance, select(MANIFOLD_WITNESS_RADIUS, MANIFOLD_CURVED_SAME, isCurved));
  }
  let same = select(MANIFOLD_SAME_ULPS * EPSILON, MANIFOLD_CURVED_SAME, isCurved);
  return chooseCorners(select(level, 0.5 * depthTolerance, isWitnessNeeded), same);
}

// If both contact faces are lines, or touch in lines along an edge, adds the corners of the lines, turns the faces into
// those lines, and returns true. Otherwise leaves the list empty.
fn addCornersOfLines(distance: f32, maxDistance: f32, level: f32, isCurved: bool, bodies: u32) -> bool {
  cornerCount = 0u;
  var areLines = contactFaces[0].count == 2u && contactFaces[1].count == 2u;
  if (areLines || areFacesAlongEdges()) {
    contactFaces[TOUCHING_LINES] = contactFaces[0];
    contactFaces[TOUCHING_LINES + 1u] = contactFaces[1];
    if (areLines || linesAtEdges(distance, isCurved, bodies)) {
      addLineCorners(maxDistance, select(level, GREATEST_DISTANCE, areLines), bodies);
    }
    if (!areLines && cornerCount == 2u) {
      areLines = true;
      contactFaces[0] = contactFaces[TOUCHING_LINES];
      contactFaces[1] = contactFaces[TOUCHING_LINES + 1u];
    }
  }
  if (!areLines) {
    cornerCount = 0u;
  }
  return areLines;
}

// The last corner is the peak of this face: removes the vertex that it stands for.
fn removeVertexOfPeak(number: u32) {
  let face = contactFaces[number];
  for (var i = cornerCount - 1u; i > 0u; i--) {
    let name = cornerNames[i - 1u];
    let isOfFace = (name ^ (number * MANIFOLD_VERTEX)) < MANIFOLD_VERTEX;
    if (isOfFace && faceVertexNumber(face, name & (MANIFOLD_VERTEX - 1u)) == face.peakNumber) {
      removeCorner(i - 1u);
    }
  }
}
