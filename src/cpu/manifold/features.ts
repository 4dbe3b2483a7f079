/** Mirror of shaders/manifold/features.wgsl: points of a manifold and what they lie on. */
import {
  MANIFOLD_CROSSING,
  MANIFOLD_EDGE_BASE,
  MANIFOLD_EDGE_BITS,
  MANIFOLD_VERTEX,
  MANIFOLD_VERTEX_OF_B,
  MANIFOLD_WITNESS,
} from '../../generated/constants.ts';
import { type ContactFace, faceVertexNumber } from '../contact-face/face.ts';
import { cornerId, cornerName } from '../corners.ts';

const EDGE_MASK = (1 << MANIFOLD_EDGE_BITS) - 1;

export interface ManifoldPoint {
  /** u, v, h on A's surface, in the frame of the contact faces. */
  u: number;
  v: number;
  h: number;
  /** Distance along the normal to B's surface. */
  distance: number;
  /** What it lies on: see https://github.com/narrowphase/narrowphase/blob/main/docs/conventions.md. Unsigned. */
  feature: number;
}

export interface ManifoldPoints {
  count: number;
  /** Four points, of which `count` are valid. */
  points: ManifoldPoint[];
}

function createPoint(): ManifoldPoint {
  return { u: 0, v: 0, h: 0, distance: 0, feature: 0 };
}

export function createManifoldPoints(): ManifoldPoints {
  return { count: 0, points: [createPoint(), createPoint(), createPoint(), createPoint()] };
}

export function crossingId(subjectEdge: number, regionEdge: number): number {
  return (MANIFOLD_CROSSING | (subjectEdge & EDGE_MASK) | ((regionEdge & EDGE_MASK) << MANIFOLD_EDGE_BITS)) >>> 0;
}

/** Features of the chosen corners: by their names or, if two would have the same, by their ids. */
export function chosenFeatures(
  faceA: ContactFace,
  faceB: ContactFace,
  chosen: Int32Array,
  found: ManifoldPoints,
): void {
  for (const idOf of [cornerName, cornerId]) {
    for (let k = 0; k < found.count; k++) found.points[k].feature = pointFeature(faceA, faceB, idOf(chosen[k]));
    if (areDistinct(found)) return;
  }
}

/** Whether all features are different. */
function areDistinct({ count, points }: ManifoldPoints): boolean {
  for (let k = 1; k < count; k++) for (let m = 0; m < k; m++) if (points[k].feature === points[m].feature) return false;
  return true;
}

/**
 * The feature of an id: the same, whichever face was clipped against the other. See
 * https://github.com/narrowphase/narrowphase/blob/main/docs/conventions.md. Unsigned.
 */
function pointFeature(faceA: ContactFace, faceB: ContactFace, id: number): number {
  const kind = (id & (3 << 30)) >>> 0;
  if (kind === MANIFOLD_WITNESS) return MANIFOLD_WITNESS;
  if (kind === MANIFOLD_CROSSING) {
    const ofSubject = id & EDGE_MASK;
    const ofRegion = (id >>> MANIFOLD_EDGE_BITS) & EDGE_MASK;
    const keyA = edgeKey(faceA, faceA.isArea ? ofRegion : ofSubject);
    const keyB = edgeKey(faceB, faceA.isArea ? ofSubject : ofRegion);
    return (MANIFOLD_CROSSING | keyA | (keyB << MANIFOLD_EDGE_BITS)) >>> 0;
  }
  const number = id & (MANIFOLD_VERTEX - 1);
  if (kind === MANIFOLD_VERTEX) return (MANIFOLD_VERTEX | MANIFOLD_VERTEX_OF_B | faceVertexNumber(faceB, number)) >>> 0;
  return (MANIFOLD_VERTEX | faceVertexNumber(faceA, number)) >>> 0;
}

/** The key of an edge: the same from either end. */
function edgeKey(face: ContactFace, edge: number): number {
  const a = faceVertexNumber(face, edge);
  const b = faceVertexNumber(face, edge + 1 >= face.count ? 0 : edge + 1);
  return (Math.imul(Math.min(a, b), MANIFOLD_EDGE_BASE) + Math.max(a, b)) & EDGE_MASK;
}
