/** Mirror of shaders/manifold/edge-lines.wgsl: edges of polytopes as lines. */
import { CORE_HULL, MANIFOLD_BORDER, MANIFOLD_EDGE_COSINE, MANIFOLD_PARALLEL } from '../../generated/constants.ts';
import { type ContactFace, faceVertex, faceVertexNumber } from '../contact-face/face.ts';
import { neighbourNormal } from '../contact-face/polytope.ts';
import { across } from '../contact-face/segment.ts';
import {
  type Vec3,
  addScaled,
  copy,
  cross,
  distance,
  dot,
  length,
  scale,
  set,
  subtract,
  transform,
  vec3,
} from '../math.ts';
import { createLine, lineOf, type Line } from './lines.ts';

const point = vec3();
const along = vec3();
const start = vec3();
const end = vec3();
const edge = vec3();
const at = vec3();

export interface TwoLines {
  a: Line;
  b: Line;
}

const lines: TwoLines = { a: createLine(), b: createLine() };

export function linesOf(faceA: ContactFace, faceB: ContactFace): TwoLines {
  lineOf(faceA, lines.a);
  lineOf(faceB, lines.b);
  return lines;
}

/**
 * Whether two contact faces may touch in lines: at least one of them is a face of a polytope, and the other one a line
 * or, if one of them is rounded, such a face.
 */
export function areFacesAlongEdges(faceA: ContactFace, faceB: ContactFace): boolean {
  return faceA.count === 2 || faceB.count === 2 || isAlongEdge(faceA, faceB) || isAlongEdge(faceB, faceA);
}

/**
 * The lines in which two such contact faces touch, if they do. `contactDistance` is the contact's, whose point on A is
 * the frame's origin. The result is valid until the next call.
 */
export function linesAtEdges(faceA: ContactFace, faceB: ContactFace, contactDistance: number): TwoLines | undefined {
  const isLine = faceA.count === 2 || faceB.count === 2;
  const isFirstB = faceA.count === 2 || (faceB.count !== 2 && !isAlongEdge(faceA, faceB));
  linesOf(faceA, faceB);
  if (isLine) copy(faceB.count === 2 ? faceB.p : faceA.p, along);
  else set(0, 0, 0, along);
  for (let round = 0; round < (isLine ? 1 : 2); round++) {
    const isB = isFirstB === (round === 0);
    const face = isB ? faceB : faceA;
    const line = isB ? lines.b : lines.a;
    set(0, 0, (isB ? contactDistance : 0) - face.side * face.radius, point);
    if (!edgeAt(face, point, along, MANIFOLD_BORDER, line)) return undefined;
    copy(line.half, along);
  }
  return lines;
}

/** Whether a sharp polytope leans on an edge, and the other one is rounded: rounded ones that lean on an edge are lines. */
function isAlongEdge(face: ContactFace, other: ContactFace): boolean {
  return (
    isOfPolytope(face) &&
    face.radius === 0 &&
    face.cosine < MANIFOLD_EDGE_COSINE &&
    isOfPolytope(other) &&
    other.radius > 0
  );
}

function isOfPolytope({ count, kind }: ContactFace): boolean {
  return count > 2 && kind <= CORE_HULL;
}

/**
 * The edge of a polytope's face that is nearest to a point of the core, no farther than `near`, and parallel to
 * `direction`, unless that is 0.
 */
function edgeAt(face: ContactFace, { x, y, z }: Vec3, direction: Vec3, near: number, line: Line): boolean {
  if (!isOfPolytope(face)) return false;
  const { count, normal, radius } = face;
  const limit = MANIFOLD_PARALLEL * length(direction);
  let least = near;
  let found = -1;
  for (let i = 0; i < count; i++) {
    addScaled(faceVertex(face, i, start), normal, -radius, start);
    addScaled(faceVertex(face, i + 1 === count ? 0 : i + 1, end), normal, -radius, end);
    subtract(end, start, edge);
    const square = dot(edge, edge);
    const share = ((x - start.x) * edge.x + (y - start.y) * edge.y + (z - start.z) * edge.z) / Math.max(square, 1e-300);
    const apart = distance(addScaled(start, edge, Math.min(Math.max(share, 0), 1), at), set(x, y, z, point));
    if (apart > least || length(cross(edge, direction, at)) > limit * Math.sqrt(square)) continue;
    least = apart;
    found = i;
    scale(edge, 0.5, line.half);
    addScaled(start, line.half, 1, line.middle);
  }
  if (found < 0) return false;
  line.firstEnd = faceVertexNumber(face, found);
  line.lastEnd = faceVertexNumber(face, found + 1 === count ? 0 : found + 1);
  copy(normal, line.flanks[0]);
  neighbourOf(face, found, line.flanks[1]);
  across(set(0, 0, face.side, at), line.half, at);
  line.overU = line.middle.x + radius * at.x;
  line.overV = line.middle.y + radius * at.y;
  line.side = face.side;
  line.bend = radius;
  line.slantX = 1;
  line.slantY = 0;
  line.isRound = line.isCapped = false;
  return true;
}

/** Outward normal of the face beyond an edge of a face. */
function neighbourOf(face: ContactFace, number: number, to: Vec3): Vec3 {
  const { shape, count, loopStart, p, q, rotation } = face;
  if (!shape) {
    const axis = number & 1 ? p : q;
    return scale(axis, (number === 0 || number === 3 ? -1 : 1) / Math.max(length(axis), 1e-300), to);
  }
  const next = number + 1 === count ? 0 : number + 1;
  const { faceVertices } = shape;
  neighbourNormal(shape, faceVertices[loopStart + number], faceVertices[loopStart + next], to);
  return transform(rotation, to, to);
}

/** Makes a contact face the line that it touches in. */
export function becomeLine(face: ContactFace, line: Line): void {
  const { normal, origin, p, vertices } = face;
  face.count = 2;
  face.isArea = false;
  face.firstEnd = line.firstEnd;
  face.lastEnd = line.lastEnd;
  copy(line.half, p);
  set(0, 0, 0, face.q);
  copy(line.middle, face.middle);
  across(set(0, 0, face.side, at), line.half, normal);
  addScaled(line.middle, normal, face.radius, origin);
  for (let i = 0; i < 2; i++) {
    addScaled(origin, p, 2 * i - 1, at);
    vertices[3 * i] = at.x;
    vertices[3 * i + 1] = at.y;
    vertices[3 * i + 2] = at.z;
  }
}
