/** Mirror of shaders/manifold.wgsl: up to four points that can hold a contact. */
import {
  GREATEST_DISTANCE,
  MANIFOLD_CURVED_SAME,
  MANIFOLD_DEPTH_ULPS,
  MANIFOLD_LEVEL,
  MANIFOLD_WITNESS_RADIUS,
  MANIFOLD_SAME_ULPS,
  MANIFOLD_TIE_ULPS,
  MANIFOLD_VERTEX,
} from '../generated/constants.ts';
import { isCurved } from '../shapes/kinds.ts';
import { type ContactFace, faceVertexNumber } from './contact-face/face.ts';
import {
  CORNER_EPSILON,
  addCorner,
  clearCorners,
  cornerCount,
  cornerName,
  cornerPlace,
  removeCorner,
} from './corners.ts';
import { chooseCorners } from './corners/choose.ts';
import { addCorners, clipEdge, placeOver } from './manifold/clip.ts';
import { areFacesAlongEdges, becomeLine, linesAtEdges, linesOf, type TwoLines } from './manifold/edge-lines.ts';
import { type ManifoldPoints, chosenFeatures } from './manifold/features.ts';
import { ASIDE, addLineCorners } from './manifold/lines.ts';
import { addWitness, needsWitness } from './manifold/witness-point.ts';
import { recorder } from './recorder.ts';

const SAME = MANIFOLD_SAME_ULPS * CORNER_EPSILON;
const TIE = MANIFOLD_TIE_ULPS * CORNER_EPSILON;

const chosen = new Int32Array(4);

/**
 * The origin of the faces' frame is the contact's point on A; `distance` is the contact's. `margin` and `size`, the sum
 * of the bounding radii, are in the pair's unit. Points of curved pairs that are very near each other count once. A face
 * that is touched along an edge becomes that edge's line.
 */
export function manifold(
  faceA: ContactFace,
  faceB: ContactFace,
  distance: number,
  margin: number,
  size: number,
  found: ManifoldPoints,
): ManifoldPoints {
  const isOfCurves = isCurved(faceA.kind) || isCurved(faceB.kind);
  const maxDistance = margin + TIE;
  const level = MANIFOLD_LEVEL * size;
  clearCorners();
  let areLines = faceA.count === 2 && faceB.count === 2;
  let lines: TwoLines | undefined;
  if (areLines) lines = linesOf(faceA, faceB);
  else if (areFacesAlongEdges(faceA, faceB)) lines = linesAtEdges(faceA, faceB, distance);
  if (lines) {
    addLineCorners(lines.a, lines.b, maxDistance, areLines ? GREATEST_DISTANCE : level);
    if (!areLines && cornerCount() === 2) {
      areLines = true;
      if (faceA.count !== 2) becomeLine(faceA, lines.a);
      if (faceB.count !== 2) becomeLine(faceB, lines.b);
    }
  }
  if (!areLines) {
    clearCorners();
    // The edges of one face against the other face; if both are areas, then the vertices of the other against the one.
    const isB = faceA.isArea;
    if (faceA.isArea || faceB.isArea) addCorners(isB ? faceB : faceA, isB ? faceA : faceB, isB, true, maxDistance);
    if (faceA.isArea && faceB.isArea) addCorners(faceA, faceB, false, false, maxDistance);
  }
  // For curved pairs, too. The kernels' MANIFOLD_CURVED_DEPTH hides the f32 errors in the depth of a resting cylinder.
  // Here the deepest point is as deep as the contact to 1e-9 for all shapes, and a tenth of the tolerance of curved
  // depths would be 1e-7. The ends of lines that are hardly turned against each other are less deep than their middle. In kernels
  // both ends of a curved pair's lines are enough if they are level.
  const depthTolerance = areLines ? ASIDE : MANIFOLD_DEPTH_ULPS * CORNER_EPSILON;
  const isWitnessNeeded = needsWitness(distance, depthTolerance, level);
  if (isWitnessNeeded && !addPeaks(faceA, faceB, Math.min(distance + depthTolerance, maxDistance)))
    addWitness(faceA, faceB, distance, isOfCurves ? MANIFOLD_CURVED_SAME : MANIFOLD_WITNESS_RADIUS);
  found.count = 0;
  // Only faces along a normal that is not a contact's have none.
  if (cornerCount() === 0) return found;
  found.count = chooseCorners(
    isWitnessNeeded ? 0.5 * depthTolerance : level,
    isOfCurves ? MANIFOLD_CURVED_SAME : SAME,
    chosen,
  );
  if (recorder) recorder.manifold(faceA, faceB, chosen, found.count);
  for (let k = 0; k < found.count; k++) {
    const point = found.points[k];
    const corner = chosen[k];
    point.u = cornerPlace(corner, 0);
    point.v = cornerPlace(corner, 1);
    point.h = cornerPlace(corner, 2);
    point.distance = cornerPlace(corner, 3);
  }
  chosenFeatures(faceA, faceB, chosen, found);
  return found;
}

/** Adds the peak of either face, B's first, if the distance there is at most `most`. */
function addPeaks(faceA: ContactFace, faceB: ContactFace, most: number): boolean {
  return addPeak(faceB, faceA, true, most) || addPeak(faceA, faceB, false, most);
}

/**
 * Adds the face's peak if it is over the other face and the distance there is at most `most`. The peak replaces the
 * vertex that it stands for.
 */
function addPeak(subject: ContactFace, region: ContactFace, isB: boolean, most: number): boolean {
  if (!subject.hasPeak || !region.isArea) return false;
  const { peak } = subject;
  const place = placeOver(region, peak.x, peak.y, peak.z, isB);
  if (!(place.distance <= most) || !clipEdge(region, peak, peak, false).isOver) return false;
  const id = (isB ? MANIFOLD_VERTEX : 0) + subject.count;
  for (let i = cornerCount() - 1; i >= 0; i--) {
    if (
      cornerName(i) >>> 30 === id >>> 30 &&
      faceVertexNumber(subject, cornerName(i) & (MANIFOLD_VERTEX - 1)) === subject.peakNumber
    )
      removeCorner(i);
  }
  addCorner(place, id, id, 0);
  return true;
}
